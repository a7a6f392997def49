//! What points carry, in the words of an author.

use super::side::Side;
use crate::expr::LocalId;
use crate::hir::LocalKind;
use crate::machine::Point;

/// What a point carries.
pub fn fields(point: &Point, side: &Side<'_>) -> Vec<String> {
    point.payload.iter().map(|local| words(*local, side)).collect()
}

/// What is among these and not among those, each as often as it is there.
pub fn without(these: &[String], those: &[String]) -> Vec<String> {
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

/// `a, b and c`.
pub fn and(fields: &[String]) -> String {
    match fields {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn words(id: LocalId, side: &Side<'_>) -> String {
    let local = side.machine.local(id);
    let is_input = |name: &str| name == "input" && side.workflow.dialect == "asl";
    match (local.kind, &*local.authored) {
        (LocalKind::Retries | LocalKind::Tries, _) => "how often it has been retried".to_owned(),
        (LocalKind::Fault, _) => "the error that was caught".to_owned(),
        (LocalKind::Value, _) if id == side.machine.input => "the document".to_owned(),
        (LocalKind::Value, "saved") => "what a Push has saved".to_owned(),
        (LocalKind::Value, "stack") => "the stack".to_owned(),
        (LocalKind::Value, name) if is_input(name) => "the raw input of the state".to_owned(),
        (LocalKind::Variable | LocalKind::Value, name) => format!("the variable `{name}`"),
    }
}
