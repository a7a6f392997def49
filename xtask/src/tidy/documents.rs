//! Documents leave the process through writers with a limit. Values share their parts, so that a
//! small value can have an enormous text.

use super::File;
use super::source::code;

/// The crates that write to other processes.
const OUTWARD: &[&str] =
    &["workflow-runner/src/", "workflow-connectors/src/", "engines/restate/src/", "engines/sqlite/src/"];

/// The names of variables that hold values where these are written.
const NAMES: &[&str] = &[
    "arguments",
    "body",
    "cause",
    "data",
    "description",
    "document",
    "event",
    "input",
    "order",
    "other",
    "outcome",
    "output",
    "parameters",
    "payload",
    "result",
    "signal",
    "value",
    "variables",
    "whole",
    "to_value()",
];

/// Files that write a value of this name without a limit, each with the reason why the text is
/// short.
const SHORT: &[(&str, &str)] = &[
    ("workflow-connectors/src/rest/raw.rs", "`Rest::call` has counted the arguments"),
    ("workflow-connectors/src/rest/request.rs", "`Rest::call` has counted the arguments"),
    ("workflow-connectors/src/rest/style.rs", "`Rest::call` has counted the arguments"),
    ("workflow-connectors/src/rpc/message.rs", "they are numbers"),
    ("engines/restate/src/client/mod.rs", "it is an address"),
    ("engines/restate/src/client/registration.rs", "it has an address"),
    ("engines/restate/src/drive/ending.rs", "it has names and a constant"),
    ("engines/restate/src/events/keyed.rs", "it has keys and a time"),
    ("engines/restate/src/events/schedule.rs", "it is a time"),
    ("engines/sqlite/src/submit.rs", "`Submit::submit` has counted the input, and executions those of their children"),
];

/// Returns the places that write a document without a limit.
pub fn check(files: &[File]) -> Vec<String> {
    let outward = |file: &&File| {
        file.is_source() && !file.is_test() && OUTWARD.iter().any(|folder| file.name.starts_with(folder))
    };
    files.iter().filter(outward).flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<String> {
    if SHORT.iter().any(|(name, _)| *name == file.name) {
        return Vec::new();
    }
    let broken = code(file).filter(|(_, line)| is_unbounded(line));
    let message = "writes a document without a limit: use `to_json`, `write_json` or `excerpt`";
    broken.map(|(at, _)| format!("{}:{at}: {message}", file.name)).collect()
}

fn is_unbounded(line: &str) -> bool {
    let is_value = |before: &str| {
        NAMES.iter().any(|name| {
            let rest = before.strip_suffix(name);
            rest.is_some_and(|rest| name.ends_with(')') || !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    };
    line.contains("to_string_pretty(") || line.match_indices(".to_string()").any(|(at, _)| is_value(&line[..at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_that_are_written_without_a_limit_are_found() {
        let file = |name: &str, text: &str| File { name: name.to_owned(), text: text.to_owned() };
        let outward = "workflow-runner/src/a.rs";
        for line in ["f(input.to_string());", "let a = event.to_value().to_string();", "x.to_string_pretty()"] {
            assert_eq!(check(&[file(outward, line)]).len(), 1, "{line}");
            assert!(check(&[file("workflow-compiler/src/a.rs", line)]).is_empty(), "{line}");
            assert!(check(&[file(outward, &format!("// {line}"))]).is_empty(), "{line}");
        }
        for line in ["error.to_string()", "my_input.to_string()", "input.to_json(1)"] {
            assert!(check(&[file(outward, line)]).is_empty(), "{line}");
        }
    }
}
