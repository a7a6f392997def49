//! Names of generated crates.

/// Names that a crate cannot have, or that would hide another crate.
const TAKEN: &[&str] = &[
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "core",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "proc_macro",
    "pub",
    "ref",
    "return",
    "self",
    "serde",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "tokio",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "union",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "workflow_connectors",
    "workflow_runner",
    "workflow_runtime",
    "yield",
];

/// Returns a name for the crate of a workflow: the workflow's name, without the characters that a
/// crate's name cannot have.
pub fn package(workflow: &str) -> String {
    let mut name = String::new();
    let mut before = ' ';
    for c in workflow.chars().take(60) {
        match c {
            'A'..='Z' if before.is_ascii_lowercase() || before.is_ascii_digit() => {
                name.extend(['-', c.to_ascii_lowercase()]);
            }
            'a'..='z' | 'A'..='Z' | '0'..='9' => name.push(c.to_ascii_lowercase()),
            _ if name.is_empty() || name.ends_with('-') => {}
            _ => name.push('-'),
        }
        before = c;
    }
    let name = name.trim_end_matches('-');
    match name {
        "" => "workflow".to_owned(),
        // Folders of a target folder, which programs cannot be named after.
        name @ ("build" | "deps" | "examples" | "incremental") => format!("{name}-workflow"),
        taken if TAKEN.contains(&&*taken.replace('-', "_")) => format!("{taken}-workflow"),
        digit if digit.starts_with(|first: char| first.is_ascii_digit()) => format!("workflow-{digit}"),
        name => name.to_owned(),
    }
}

/// Returns `true` if the generated files import another item of this name.
pub fn hides_type(workflow_type: &str) -> bool {
    ["Arc", "ConfigError", "Durable", "ExitCode", "Tasks"].contains(&workflow_type)
}

/// Returns `true` if a module of this name in the root of a starter crate hides a crate or the
/// module of the tasks.
pub fn hides_crate(module: &str) -> bool {
    module == "tasks" || TAKEN.contains(&module)
}

#[cfg(test)]
mod tests {
    use super::package;

    #[test]
    fn every_workflow_has_a_crate_name() {
        for (workflow, expected) in [
            ("order", "order"),
            ("OrderFlow", "order-flow"),
            ("order_v2 (new)", "order-v2-new"),
            ("if", "if-workflow"),
            ("Build", "build-workflow"),
            ("workflow_runtime", "workflow-runtime-workflow"),
            ("2fast", "workflow-2fast"),
            ("状态", "workflow"),
            ("a状态b", "a-b"),
            ("HTTPServer", "httpserver"),
        ] {
            assert_eq!(package(workflow), expected, "{workflow}");
        }
    }
}
