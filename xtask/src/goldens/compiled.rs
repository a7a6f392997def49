//! Compiles all goldens as one crate, and reports what rustc and clippy find superfluous in them.

use crate::workspace::{cargo, root, target_folder, write_if_changed};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The lint that reports clones of a value that nothing uses afterwards.
const CLONES: &str = "clippy::redundant_clone";
/// The note of the lint where a clone is only read while the original is alive. Its advice does
/// not compile where the other branches of an expression yield owned values.
const ONLY_READ: &str = "cloned value is neither consumed nor mutated";
/// The lints to report although the goldens allow some of them.
const LINTS: [&str; 2] = ["unused", CLONES];
/// The features of the runtime that goldens need.
const FEATURES: [&str; 8] =
    ["cel", "asl", "composer", "memory", "schema-types", "serverless-workflow", "sm4c", "workflow-dsl"];

/// A warning about a golden.
#[derive(Debug, PartialEq)]
pub struct Warning {
    /// `true` for a clone of a value that nothing uses afterwards.
    pub is_clone: bool,
    /// Its place and its text.
    pub text: String,
}

/// Compiles the goldens. Returns the warnings about them.
pub fn warnings(goldens: &[PathBuf]) -> Result<Vec<Warning>, String> {
    let folder = target_folder().join("goldens");
    write_if_changed(&folder.join("Cargo.toml"), &manifest())?;
    write_if_changed(&folder.join("src/lib.rs"), &modules(goldens))?;
    // The versions of the workspace are those that are built already.
    std::fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))
        .map_err(|error| format!("cannot copy Cargo.lock: {error}"))?;
    let mut command = cargo(["clippy", "--quiet", "--message-format", "json", "--manifest-path"]);
    command.arg(folder.join("Cargo.toml")).arg("--target-dir").arg(target_folder()).arg("--");
    LINTS.iter().for_each(|lint| _ = command.args(["--force-warn", lint]));
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| format!("cannot run cargo: {error}"))?;
    let messages = String::from_utf8_lossy(&output.stdout);
    match output.status.success() {
        true => Ok(read_messages(&messages)),
        false => Err(format!("the goldens do not compile: {}\n{messages}", output.status)),
    }
}

/// Returns the manifest of the crate. The crate is a workspace of its own.
fn manifest() -> String {
    let runtime = root().join("workflow-runtime").display().to_string();
    format!(
        "[package]\nname = \"goldens\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         workflow-runtime = {{ path = {runtime:?}, default-features = false, features = {FEATURES:?} }}\n"
    )
}

/// Returns the root of the crate, with a module for each golden.
fn modules(goldens: &[PathBuf]) -> String {
    let mut text = "#![allow(confusable_idents, mixed_script_confusables, uncommon_codepoints)]\n".to_owned();
    for (at, golden) in goldens.iter().enumerate() {
        let _ = writeln!(text, "#[path = {:?}]\npub mod golden_{at};", golden.display().to_string());
    }
    text
}

/// Returns the warnings among the messages of cargo.
fn read_messages(messages: &str) -> Vec<Warning> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    messages.filter_map(|message| read_warning(&message["message"])).collect()
}

/// Returns a warning about code that is superfluous. The summary at the end has no code.
fn read_warning(message: &Value) -> Option<Warning> {
    let (code, text) = (message["code"]["code"].as_str()?, message["message"].as_str()?);
    let notes = message["children"].as_array().into_iter().flatten();
    if code == CLONES && notes.into_iter().any(|note| note["message"] == ONLY_READ) {
        return None;
    }
    let span = &message["spans"][0];
    let file = Path::new(span["file_name"].as_str().unwrap_or_default());
    let file = file.strip_prefix(root().join(super::CASES)).unwrap_or(file).display();
    Some(Warning { is_clone: code == CLONES, text: format!("{file}:{}: {text}", span["line_start"]) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn warnings_with_a_code_are_read() {
        let line = |code: Value, text: &str, note: &str| {
            let (spans, children) = (json!([{ "file_name": "a.rs", "line_start": 3 }]), json!([{ "message": note }]));
            json!({ "message": { "code": code, "message": text, "spans": spans, "children": children } }).to_string()
        };
        let messages = [
            line(json!({ "code": "unused_variables" }), "unused variable: `x`", ""),
            line(json!({ "code": CLONES }), "redundant clone", "this value is dropped without further use"),
            line(json!({ "code": CLONES }), "redundant clone", ONLY_READ),
            line(Value::Null, "2 warnings emitted", ""),
            "no JSON".to_owned(),
        ];
        let found = read_messages(&messages.join("\n"));
        let expected = [(false, "a.rs:3: unused variable: `x`"), (true, "a.rs:3: redundant clone")];
        assert_eq!(found, expected.map(|(is_clone, text)| Warning { is_clone, text: text.to_owned() }));
    }

    #[test]
    fn every_golden_is_a_module() {
        let text = modules(&[PathBuf::from("a/flow.snap.rs"), PathBuf::from("b/flow.snap.rs")]);
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                r#"#[path = "a/flow.snap.rs"]"#,
                "pub mod golden_0;",
                r#"#[path = "b/flow.snap.rs"]"#,
                "pub mod golden_1;"
            ]
        );
    }
}
