//! Files of the tree that are generated from others: the page of diagnostics, the generated module
//! of an example, and the picture of a definition.
//!
//! A test names the files that are out of date. `cargo xtask generate` writes them, and the
//! outputs that pages show.

use crate::book::write_outputs;
use crate::workspace::{read, root, write_if_changed};
use std::fmt::Write;
use workflow_compiler::codes;
use workflow_compiler::diagnostics::{Code, Severity};
use workflow_compiler::source::Source;
use workflow_compiler::{Options, compile, pretty_file, rustfmt};
use workflow_tools::pictures::{Legend, svg};

/// A generated file.
pub struct Generated {
    /// The path below the root.
    pub name: &'static str,
    /// The text that the file has to have.
    pub text: String,
}

/// The generated files.
pub fn files() -> Result<Vec<Generated>, String> {
    Ok(vec![
        Generated { name: "docs/diagnostics.md", text: diagnostics() },
        Generated {
            name: "examples/approval/src/generated.rs",
            text: module("examples/approval", "approval.asl.json")?,
        },
        Generated { name: "docs/pictures/order.svg", text: picture("examples/order/flows/order.asl.json")? },
    ])
}

/// Writes the files that are out of date.
pub fn run() -> Result<(), String> {
    files()?.iter().try_for_each(|file| write_if_changed(&root().join(file.name), &file.text))?;
    write_outputs()
}

/// The areas of codes, by the two digits after the letters.
const AREAS: [(&str, &str); 17] = [
    ("01", "JSON and YAML text, and the dialect of a file"),
    ("02", "States, transitions and variables"),
    ("03", "Paths, intrinsic functions, templates, JavaScript, jq, and expressions in general"),
    ("04", "Fields, their types and values"),
    ("05", "Query languages, and constructs that cannot be compiled yet"),
    ("06", "Names and types of the generated code"),
    ("07", "The stack of a composition"),
    ("08", "State machines of SM4C"),
    ("09", "Operations of services that OpenAPI documents describe"),
    ("10", "Methods of gRPC services"),
    ("11", "Workflows of the Workflow DSL"),
    ("12", "Workflows of Serverless Workflow"),
    ("13", "Expressions of SpEL"),
    ("14", "JSON Schemas that definitions name"),
    ("16", "Expressions of CEL"),
    ("18", "Expressions of JSONata"),
    ("19", "Shapes of data"),
];

/// The page of diagnostics.
fn diagnostics() -> String {
    let mut page = String::from(
        "\
<!-- Generated from the tables of codes and their explanations by `cargo xtask generate`: change these instead. -->

# Diagnostics

Every diagnostic of the compiler has a code: `WF`, two digits for the area, and two digits for the diagnostic. An error
(below 50) refuses the definition. A warning or a note (from 50 on) does not: the definition compiles, but is probably not what
its author meant. `cargo workflow explain CODE` shows the same text, and accepts
former codes, such as `WF0801` or `E0203`, too. Options accept them as well.

A warning is suppressed by its code or its name: `allow: [\"WF0251\"]` in the macro, `.allow(\"WF0251\")` in a build script,
`--allow WF0251` on the command line, `allow = [\"WF0251\"]` in `workflow.toml`. The explanation of a few errors says that
`allow` turns them into warnings.
",
    );
    for (area, title) in AREAS {
        let mut codes: Vec<&Code> = codes::published().filter(|code| &code.id[2..4] == area).collect();
        codes.sort_by_key(|code| code.id);
        // Writing to a string cannot fail.
        let _ = write!(page, "\n## {title}\n\n| code | name | |\n|---|---|---|\n");
        for code in &codes {
            let (id, name, title) = (code.id, code.name, code.title);
            let _ = writeln!(page, "| [{id}](#{}) | `{name}` | {title} |", id.to_lowercase());
        }
        for code in codes {
            let kind = match code.severity {
                Severity::Error => "an error",
                Severity::Warning => "a warning",
                Severity::Note => "a note",
            };
            let former: Vec<&str> = codes::former_ids(code).collect();
            let former = if former.is_empty() { String::new() } else { format!(", formerly {}", former.join(", ")) };
            let (id, name, title) = (code.id, code.name, code.title);
            let text = code.explanation.trim();
            let _ = write!(page, "\n### {id}\n\n**{title}** (`{name}`, {kind}{former})\n\n{text}\n");
        }
    }
    page
}

/// The module of a definition in the folder `flows` of a package, as `cargo workflow emit` prints
/// it there.
fn module(package: &str, file: &str) -> Result<String, String> {
    let name = format!("flows/{file}");
    let text = read(&root().join(package).join(&name))?;
    let output = compile(Source::new(name, text), &Options::default());
    pretty_file(&output).map(rustfmt).ok_or_else(|| format!("{package}/flows/{file} does not compile"))
}

/// Draws a definition as `cargo workflow graph` does.
fn picture(name: &str) -> Result<String, String> {
    let output = compile(Source::new(name, read(&root().join(name))?), &Options::default());
    let workflow = output.workflow.ok_or_else(|| format!("{name} does not compile"))?;
    svg(&workflow, Legend::Shown).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_files_are_up_to_date() {
        for Generated { name, text } in files().expect("definitions that are accepted") {
            let found = read(&root().join(name)).unwrap_or_default();
            assert!(found == text, "{name} is not up to date: run `cargo xtask generate`");
        }
    }

    #[test]
    fn every_code_is_on_the_page() {
        let page = diagnostics();
        for code in codes::published() {
            assert!(page.contains(&format!("\n### {}\n", code.id)), "{} is in none of the areas", code.id);
        }
    }
}
