//! Files of the tree that are made from others: the page of diagnostics, and the generated module
//! of an example.
//!
//! A test names the files that are out of date; `cargo xtask bless` writes them.

use crate::workspace::{read, root};
use std::fmt::Write;
use workflow_compiler::diagnostics::{Code, Severity, codes};
use workflow_compiler::source::Source;
use workflow_compiler::{Options, compile, pretty_file};

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
    ])
}

/// The areas of the table of codes, by the two digits after the letter.
const AREAS: [(&str, &str); 15] = [
    ("01", "JSON and YAML text, and which dialect a file is"),
    ("02", "States, transitions and variables"),
    ("03", "Paths, intrinsic functions, templates and JavaScript"),
    ("04", "Fields, their types and values"),
    ("05", "Constructs that cannot be compiled yet"),
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
];

/// The page of diagnostics.
fn diagnostics() -> String {
    let mut page = String::from(
        "\
<!-- Made from the table of codes by `cargo xtask bless`: change it there. -->

# Diagnostics

What the compiler says of a definition has a code. `E` is an error: the definition is refused. `W` is a warning: the definition
is compiled, and is probably not what its author meant. `cargo workflow explain CODE` shows the same text.

A warning is silenced by its code or its name: `allow: [\"W0201\"]` in the macro, `.allow(\"W0201\")` in a build script,
`--allow W0201` on the command line, `allow = [\"W0201\"]` in `workflow.toml`.
",
    );
    for (area, title) in AREAS {
        let mut codes: Vec<&Code> = codes::all().filter(|code| &code.id[1..3] == area).collect();
        codes.sort_by_key(|code| code.id);
        // Writing to a string cannot fail.
        let _ = write!(page, "\n## {title}\n\n| code | name | |\n|---|---|---|\n");
        for code in &codes {
            let (id, name, title) = (code.id, code.name, code.title);
            let _ = writeln!(page, "| [{id}](#{}) | `{name}` | {title} |", id.to_lowercase());
        }
        for code in codes {
            let kind = match code.severity() {
                Severity::Error => "an error",
                Severity::Warning => "a warning",
                Severity::Note => "a note",
            };
            let (id, name, title) = (code.id, code.name, code.title);
            let _ = write!(page, "\n### {id}\n\n**{title}** (`{name}`, {kind})\n\n{}\n", code.explanation.trim());
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
    pretty_file(&output).ok_or_else(|| format!("{package}/flows/{file} is refused"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::write_if_changed;

    #[test]
    fn generated_files_are_up_to_date() {
        let bless = std::env::var_os("BLESS").is_some_and(|bless| bless == "1");
        for Generated { name, text } in files().expect("definitions that are accepted") {
            let path = root().join(name);
            if bless {
                write_if_changed(&path, &text).expect("a file that can be written");
            }
            let found = read(&path).unwrap_or_default();
            assert!(found == text, "{name} is not up to date: run `cargo xtask bless`");
        }
    }

    #[test]
    fn every_code_is_on_the_page() {
        let page = diagnostics();
        for code in codes::all() {
            assert!(page.contains(&format!("\n### {}\n", code.id)), "{} is in none of the areas", code.id);
        }
    }
}
