//! A workspace below `target/` whose packages use the macro as a user's packages do. Cargo's
//! default profiles apply, so that a dev build does not optimise the compiler inside the macro.

use super::definition::{definition, expressions, paths};
use crate::workspace::{read, root, write_if_changed};
use std::path::{Path, PathBuf};

/// The sizes of the definitions, in states.
pub const SIZES: [usize; 2] = [100, 1000];

/// The numbers of jq expressions in the definitions that measure the cost of an expression.
pub const EXPRESSIONS: [usize; 2] = [100, 500];

/// The packages with the same definition of [`PATHS`] distinct paths into a type: one in which
/// rustc checks them, and one in which the option `allow` turns this off.
pub const CHECKED: &str = "checked";
pub const UNCHECKED: &str = "unchecked";

/// The number of these paths: each of the members has as many members.
pub const PATHS: usize = MEMBERS * MEMBERS;

/// The number of members of a type.
const MEMBERS: usize = 32;

/// The name of the line with the time of the inference of shapes.
pub const SHAPES: &str = "-shapes";

/// The package that calibrates the limits of builds: fixed code without code of this project.
pub const CALIBRATION: &str = "calibration";

/// The package with the features and the dependencies that a user's first library has.
pub const LIBRARY: &str = "library";

/// The number of functions in the calibration package.
const FUNCTIONS: usize = 400;

/// A macro that handles a definition as `include_workflow!` does, and adds a line `PACKAGE
/// SECONDS` to a file. A second line, `PACKAGE-shapes SECONDS`, has the time of one of the passes.
const TIMED: &str = r#"//! Measures expansions.

use std::io::Write as _;
use workflow_compiler::diagnostics::Diagnostics;
use workflow_compiler::passes::infer_shapes;
use workflow_compiler::source::Source;
use workflow_compiler::{Options, compile};

fn on_processor(start: std::time::Instant) -> u128 {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = schedule.as_deref().and_then(|text| text.split(' ').next()?.parse().ok());
    spent.unwrap_or_else(|| start.elapsed().as_nanos())
}

#[proc_macro]
pub fn timed(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let name = input.to_string().trim_matches('"').to_owned();
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("set by the bench");
    let start = std::time::Instant::now();
    let before = on_processor(start);
    let text = std::fs::read_to_string(format!("{folder}/{name}")).expect("set by the bench");
    let options = Options { in_macro: true, ..Options::default() };
    let output = compile(Source::new(name.clone(), text), &options);
    let tokens: proc_macro::TokenStream = output.tokens.expect("a definition without errors").into();
    let spent = on_processor(start) - before;
    let before = on_processor(start);
    let workflow = output.workflow.expect("a definition without errors");
    infer_shapes(&workflow, &mut Diagnostics::default()).expect("a definition that is not too large");
    let shapes = on_processor(start) - before;
    let report = std::env::var("WORKFLOW_BENCH_EXPANSION").expect("set by the bench");
    let mut report = std::fs::OpenOptions::new().create(true).append(true).open(report).expect("set by the bench");
    let package = std::env::var("CARGO_PKG_NAME").expect("set by the bench");
    writeln!(report, "{package} {}", spent as f64 / 1e9).expect("set by the bench");
    writeln!(report, "{package}-shapes {}", shapes as f64 / 1e9).expect("set by the bench");
    tokens
}
"#;

/// Cargo's default profiles, written out because configuration in outer folders may change them.
const PROFILES: &str = "[profile.dev]\ndebug = true\n\n[profile.dev.package.\"*\"]\ndebug = true\n";

/// The workspace.
pub struct Scratch {
    /// The folder of the workspace.
    pub folder: PathBuf,
}

impl Scratch {
    /// Writes the workspace.
    pub fn write() -> Result<Scratch, String> {
        let scratch = Scratch { folder: root().join("target/bench") };
        // The settings of the repository are for its own tests.
        write_if_changed(&scratch.folder.join(".cargo/config.toml"), PROFILES)?;
        let mut members = vec!["timed".to_owned()];
        for size in SIZES {
            for (package, user) in
                [(built(size), "workflow_runtime::include_workflow"), (expanded(size), "timed::timed")]
            {
                let text = format!("//! Generated.\n\n{user}!(\"flow.asl.json\");\n");
                scratch.package(&package, "", &text)?;
                write_if_changed(&scratch.folder.join(&package).join("flow.asl.json"), &definition(size))?;
                members.push(package);
            }
        }
        for count in EXPRESSIONS {
            let package = filters(count);
            let text = "//! Generated.\n\nworkflow_runtime::include_workflow!(\"flow.sm4c.json\");\n";
            scratch.package(&package, "", text)?;
            write_if_changed(&scratch.folder.join(&package).join("flow.sm4c.json"), &expressions(count))?;
            members.push(package);
        }
        let text = "//! Generated.\n\nworkflow_runtime::include_workflow!(\"flow.asl.json\");\n";
        for (package, more) in [(CHECKED, ""), (UNCHECKED, "    allow: [\"WF1901\"],\n")] {
            scratch.package(package, "", &typed(more))?;
            write_if_changed(&scratch.folder.join(package).join("flow.asl.json"), &paths(MEMBERS))?;
            members.push(package.to_owned());
        }
        scratch.package(LIBRARY, "", text)?;
        write_if_changed(&scratch.folder.join(LIBRARY).join("flow.asl.json"), &definition(10))?;
        members.push(LIBRARY.to_owned());
        scratch.package(CALIBRATION, "", &calibration())?;
        members.push(CALIBRATION.to_owned());
        scratch.package("timed", "[lib]\nproc-macro = true\n", TIMED)?;
        write_if_changed(&scratch.folder.join("Cargo.toml"), &workspace_manifest(&members))?;
        let lock = scratch.folder.join("Cargo.lock");
        if !lock.exists() {
            // The lock file of the project pins the tested versions.
            write_if_changed(&lock, &read(&root().join("Cargo.lock"))?)?;
        }
        Ok(scratch)
    }

    fn package(&self, name: &str, more: &str, text: &str) -> Result<(), String> {
        let dependencies = match name {
            CALIBRATION => String::new(),
            LIBRARY => {
                format!("workflow-runtime = {{ path = {}, features = [\"macros\"] }}", project("workflow-runtime"))
            }
            CHECKED | UNCHECKED => format!(
                "serde = {{ version = \"1\", features = [\"derive\"] }}\nworkflow-runtime = {{ path = {}, features = [\"macros\"] }}",
                project("workflow-runtime")
            ),
            "timed" => format!("workflow-compiler = {{ path = {} }}", project("workflow-compiler")),
            _ => format!(
                "timed = {{ path = \"../timed\" }}\nworkflow-runtime = {{ path = {}, features = [\"macros\", \"sm4c\"] }}",
                project("workflow-runtime")
            ),
        };
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n{more}\n[dependencies]\n{dependencies}\n"
        );
        write_if_changed(&self.folder.join(name).join("Cargo.toml"), &manifest)?;
        write_if_changed(&self.folder.join(name).join("src/lib.rs"), text)
    }

    /// Forces cargo to build a package again.
    pub fn touch(&self, package: &str) -> Result<(), String> {
        let file = self.folder.join(package).join("src/lib.rs");
        let text = read(&file)?;
        std::fs::write(&file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))
    }
}

/// Returns the code of a package with a type and its parts, and with these options of the macro.
fn typed(options: &str) -> String {
    let members = |of: fn(usize) -> String| -> String {
        (0..MEMBERS).map(|at| format!("    pub member_{at}: {},\n", of(at))).collect()
    };
    let derived = "#[derive(serde::Serialize, workflow_runtime::Shape)]\n";
    let (own, parts) = (members(|_| "Part".to_owned()), members(|_| "u32".to_owned()));
    format!(
        "//! Generated.\n\n{derived}pub struct Receipt {{\n{own}}}\n\n{derived}pub struct Part {{\n{parts}}}\n\n\
         workflow_runtime::include_workflow!(\n    \"flow.asl.json\",\n    tasks: {{ \"Charge\" => charge -> Receipt }},\n{options});\n"
    )
}

/// Returns the code of the calibration package.
fn calibration() -> String {
    let mut code = "//! Generated.\n\nuse std::collections::BTreeMap;\n".to_owned();
    for at in 0..FUNCTIONS {
        code += &format!(
            "
pub fn count_{at}(words: &[String], least: usize) -> Result<BTreeMap<String, usize>, String> {{
    let mut counts = BTreeMap::new();
    for word in words.iter().filter(|word| word.len() > least) {{
        let word = word.strip_prefix(\"{at}\").ok_or_else(|| format!(\"{{word}} is not one of {at}\"))?;
        *counts.entry(word.to_owned()).or_insert(0) += 1;
    }}
    Ok(counts)
}}
"
        );
    }
    code
}

/// Returns the name of the package whose expansion and build are measured together.
pub fn built(size: usize) -> String {
    format!("built{size}")
}

/// Returns the name of the package with `count` jq expressions.
pub fn filters(count: usize) -> String {
    format!("filters{count}")
}

/// Returns the name of the package whose macro measures its own expansion.
pub fn expanded(size: usize) -> String {
    format!("expanded{size}")
}

/// Returns the manifest of the workspace. Its release profile optimises the compiler, as Cargo's
/// own book advises for heavy macros.
fn workspace_manifest(members: &[String]) -> String {
    format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n\n[profile.release.build-override]\nopt-level = 3\n")
}

fn project(folder: &str) -> String {
    let path: &Path = &root().join(folder);
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    format!("{:?}", path.display().to_string())
}
