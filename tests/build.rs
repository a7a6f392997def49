//! Compiles the definition of every case, and writes a module of tests for each. A new folder
//! thereby gets its tests.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use workflow_compiler::diagnostics::render;
use workflow_compiler::names::{snake_case, type_name};
use workflow_compiler::{DefaultTimeout, JsonataLimits, RustCode, TaskBinding};

#[path = "src/definitions.rs"]
mod definitions;

/// Names of workflows whose types clash with others of the generated module, or of Rust.
const CLASHING: &[&str] = &[
    "at",
    "bound",
    "err",
    "fault",
    "future",
    "get",
    "into",
    "js",
    "composer",
    "none",
    "ok",
    "option",
    "outcome",
    "result",
    "self",
    "send",
    "some",
    "state",
    "step",
    "sync",
    "t",
    "task-context",
    "tasks",
    "turn",
    "value",
    "type_bounds",
    "1st",
    "状态",
    "a.b",
];
/// The case whose definition is compiled with each of these names.
const CLASHING_CASE: &str = "saga";

/// Cases that are compiled once more with types of the program for everything, in a scope with
/// names that hide Rust's.
const SHADOWED: &[&str] = &[
    "approval",
    "budget",
    "context",
    "failures",
    "intrinsics",
    "nested_forks",
    "paths",
    "thumbnails",
    "triage",
    "waits",
];

fn main() {
    println!("cargo::rerun-if-changed=cases");
    println!("cargo::rerun-if-changed=jsonata");
    if let Err(message) = generate() {
        for line in message.lines() {
            println!("cargo::error={line}");
        }
    }
}

fn generate() -> Result<(), String> {
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let target = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let mut modules = String::new();
    for case in definitions::cases(&package)? {
        let output = case.compile()?;
        let Some(code) = workflow_compiler::pretty(&output) else {
            let findings = output.diagnostics.iter().map(|found| render::render(found, &output.sources, false));
            return Err(format!("the case {} is refused\n{}", case.name, findings.collect::<Vec<_>>().join("\n")));
        };
        let (module, name) = (snake_case(&case.name), type_name(&case.name));
        write(&target.join(format!("{module}.rs")), &code)?;
        let _ = write!(
            modules,
            r#"
mod {module} {{
    include!(concat!(env!("OUT_DIR"), "/{module}.rs"));
    const GENERATED: &str = include_str!(concat!(env!("OUT_DIR"), "/{module}.rs"));

    #[test]
    fn runs() {{
        workflow_tests::runs::check::<{module}::{name}>({folder:?});
    }}

    #[test]
    fn goldens() {{
        workflow_tests::golden::check_case({folder:?}, GENERATED);
    }}
}}
"#,
            folder = format!("{}/{}", case.dialect, case.name),
        );
    }
    workflow_compiler::build()
        .function("price", "self.price")
        .task("price", "price(Order) -> Priced")
        .function("count", "|params, variables| { *variables.get_mut(\"asked\").unwrap() = 10.into(); Ok(params) }")
        .function("round", "crate::functions::round")
        .compile("functions/prices.composer.json");
    workflow_compiler::build()
        .task("charge", "charge(Card)")
        .task("fax", "fax(Card)")
        .version("versions/order.2025.asl.json", "parcel_2025")
        .options(|options| options.name = Some("parcel".to_owned()))
        .compile("versions/order.asl.json");
    arguments();
    write(&target.join("cases.rs"), &modules)?;
    write(&target.join("converted.rs"), &converted(&package)?)?;
    write(&target.join("versions.rs"), &versions(&package)?)?;
    write(&target.join("clashing.rs"), &clashing(&package)?)?;
    write(&target.join("shadowed.rs"), &shadowed(&package)?)
}

/// Compiles the definitions of `tests/programs/arguments.rs`.
fn arguments() {
    workflow_compiler::build()
        .substitute("Stage", "test")
        .allow("WF0251")
        .options(|options| {
            options.dialect = Some("asl".to_owned());
            options.default_task_timeout = DefaultTimeout::Seconds(300);
            options.payload_limit = Some(262_144);
            options.jsonata_limits = Some(JsonataLimits { depth: 50, ..JsonataLimits::default() });
            options.express = true;
        })
        .compile("arguments/flows/draft.json");
    workflow_compiler::build().root("arguments").compile("arguments/flows/transfer.sm4c.json");
    workflow_compiler::build()
        .correlate("pair", "$.name")
        .options(|options| options.name = Some("couple".to_owned()))
        .compile("serverless/pair.sw.json");
    workflow_compiler::build()
        .input_schema("arguments/flows/schemas/draft.json")
        .task_input_schema("Publish", "arguments/flows/schemas/draft.json")
        .task_output_schema("Publish", "arguments/flows/schemas/publication.json")
        .substitute("Stage", "test")
        .allow("WF0251")
        .options(|options| {
            options.name = Some("described".to_owned());
            options.dialect = Some("asl".to_owned());
        })
        .compile("arguments/flows/draft.json");
    workflow_compiler::build()
        .subflow("engines/visa.workflow-dsl.json")
        .compile("engines/application.workflow-dsl.json");
}

/// Returns the modules of the definitions that were converted to JSONata, and a test for each.
fn converted(package: &Path) -> Result<String, String> {
    let mut modules = String::new();
    let has_conversion = |case: &&definitions::Case| case.dialect == "asl" && case.converted(package).is_file();
    for case in definitions::cases(package)?.iter().filter(has_conversion) {
        let output = case.compile_text(definitions::read(&case.converted(package))?, |_| {})?;
        let refused = || format!("{} is refused in JSONata", case.name);
        let code = workflow_compiler::pretty(&output).ok_or_else(refused)?;
        let (module, name) = (snake_case(&case.name), type_name(&case.name));
        let _ = write!(
            modules,
            r#"
mod {module} {{
    {code}

    #[test]
    fn gives_the_results_of_the_original() {{
        workflow_tests::runs::check_converted::<{module}::{name}>("asl/{case}");
    }}
}}
"#,
            case = case.name,
        );
    }
    Ok(modules)
}

/// Returns the modules of definitions with two versions, and a test for each.
fn versions(package: &Path) -> Result<String, String> {
    let mut modules = String::new();
    for pair in definitions::pairs(package)? {
        let (module, name) = (snake_case(&pair.name), type_name(&pair.name));
        let mut codes = Vec::new();
        for version in ["old", "new"] {
            let refused = || format!("the {version} version of {} is refused", pair.name);
            codes.push(workflow_compiler::pretty(&pair.compile(version)?).ok_or_else(refused)?);
        }
        let (prefix, dialect, pair) = (snake_case(&pair.dialect), &pair.dialect, &pair.name);
        let _ = write!(
            modules,
            r#"
mod {prefix}_{module} {{
    mod old {{ {} }}
    mod new {{ {} }}

    #[test]
    fn executions_go_on_where_the_comparison_says_so() {{
        use workflow_runtime::machine::Program;
        let (old, new) = (Program::of::<old::{module}::{name}>(), Program::of::<new::{module}::{name}>());
        super::check("{dialect}/{pair}", old, new);
    }}
}}
"#,
            codes[0], codes[1],
        );
    }
    Ok(modules)
}

/// Returns the modules of workflows with clashing names. They only have to compile.
fn clashing(package: &Path) -> Result<String, String> {
    let mut modules = String::new();
    let cases = definitions::cases(package)?;
    for name in CLASHING {
        for case in cases.iter().filter(|case| case.name == CLASHING_CASE) {
            let renamed = definitions::Case { name: (*name).to_owned(), ..case.clone() };
            modules.push_str(&workflow_compiler::pretty(&renamed.compile()?).unwrap_or_default());
        }
    }
    Ok(modules)
}

/// Returns the modules of workflows whose types are the program's `Given` and `Made`.
fn shadowed(package: &Path) -> Result<String, String> {
    let mut modules = String::new();
    for case in definitions::cases(package)?.iter().filter(|case| SHADOWED.contains(&&*case.name)) {
        let tasks = case.compile()?.workflow.map(|workflow| workflow.tasks).unwrap_or_default();
        let ty = |name: &str| Some(RustCode::from(name));
        let typed = case.compile_with(|options| {
            options.tasks.extend(tasks.iter().map(|task| TaskBinding {
                task: task.key.clone(),
                method: snake_case(&task.key),
                input: ty("Given"),
                output: ty("Made"),
            }));
            (options.input, options.output) = (ty("Given"), ty("Made"));
        })?;
        modules.push_str(&workflow_compiler::pretty(&typed).ok_or_else(|| format!("{}: refused", case.name))?);
    }
    Ok(modules)
}

/// Writes a file unless it has this text already: a newer file would make cargo build again.
fn write(file: &Path, text: &str) -> Result<(), String> {
    if std::fs::read_to_string(file).is_ok_and(|old| old == text) {
        return Ok(());
    }
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}
