//! What is said of definitions, with its place and its help.

use super::{findings, first_state, machine, read, read_file};
use crate::files::Files;

/// Each definition of which exactly this is said.
#[track_caller]
fn check(cases: &[(&str, &str)], definition: fn(&str) -> String) {
    let mut problems = Vec::new();
    for (expected, text) in cases {
        let read = read(&definition(text));
        let found = findings(&read);
        if found != expected.lines().map(str::trim).collect::<Vec<_>>() {
            problems.push(format!("{text}\n{}", found.join("\n")));
        }
        let refused = found.iter().any(|found| found.starts_with('E'));
        if refused != read.machine.is_none() {
            problems.push(format!("{text}\nrefused without an error, or accepted with one"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

fn action(text: &str) -> String {
    first_state(&format!(r#""enterAction": {text}"#))
}

fn transitions(text: &str) -> String {
    first_state(&format!(r#""transitions": [{text}]"#))
}

fn retry(members: &str) -> String {
    machine(&format!(
        r#""retries": [{{"name": "r", "maxAttempts": 2, {members}}}], "states": [{{"name": "A", "start": true}}]"#
    ))
}

fn function(members: &str) -> String {
    machine(&format!(r#""functions": [{{"name": "f", {members}}}], "states": [{{"name": "A", "start": true}}]"#))
}

fn as_it_is(text: &str) -> String {
    text.to_owned()
}
