//! Payloads of resume points, described for authors.

use super::version_index::VersionIndex;
use workflow_compiler::expr::LocalId;
use workflow_compiler::machine::ResumePoint;
use workflow_compiler::model::LocalKind;

/// Returns the descriptions of a payload.
pub fn fields(point: &ResumePoint, version: &VersionIndex<'_>) -> Vec<String> {
    point.payload.iter().map(|local| words(*local, version)).collect()
}

/// Returns the elements of `these` that are not in `those` (multiset difference).
pub fn missing_from(these: &[String], those: &[String]) -> Vec<String> {
    let mut left = those.to_vec();
    let mut found = Vec::new();
    for field in these {
        match left.iter().position(|other| other == field) {
            Some(at) => _ = left.remove(at),
            None => found.push(field.clone()),
        }
    }
    found
}

/// Joins texts as `a, b and c`.
pub fn enumerate(fields: &[String]) -> String {
    match fields {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn words(id: LocalId, version: &VersionIndex<'_>) -> String {
    let local = version.machine.local(id);
    let is_input = |name: &str| name == "input" && version.workflow.dialect == "asl";
    match (local.kind, &*local.authored) {
        (LocalKind::Retries | LocalKind::BlockRetries, _) => "the number of retries".to_owned(),
        (LocalKind::Fault, _) => "the caught error".to_owned(),
        (LocalKind::Value, _) if id == version.machine.input => "the document".to_owned(),
        (LocalKind::Value, "saved") => "the parameters that a Push saved".to_owned(),
        (LocalKind::Value, "stack") => "the stack".to_owned(),
        (LocalKind::Value, name) if is_input(name) => "the raw input of the state".to_owned(),
        (LocalKind::Variable | LocalKind::Value, name) => format!("the variable `{name}`"),
    }
}
