//! Compares the way of an execution with AWS's history of it: which states it entered and left, and with what.

use crate::conformance::case::Mismatch;
use crate::conformance::compare::{self, Placeholders};
use crate::conformance::observed::Observed;
use serde_json::Value;

/// Compares the states that were entered and left, where the history is kept and its order is certain: branches and
/// iterations run beside each other, and the recordings of theirs are sorted.
pub fn compare(case: &Value, observed: &Observed, placeholders: &Placeholders) -> Result<(), Mismatch> {
    let Some(trace) = case["trace"].as_array() else { return Ok(()) };
    let recorded: Vec<Step<'_>> = trace.iter().filter_map(recorded).collect();
    if trace.iter().any(|event| is_concurrent(event["type"].as_str().unwrap_or_default())) {
        return Ok(());
    }
    let own: Vec<Step<'_>> = observed
        .events
        .iter()
        .filter_map(|event| {
            let what = match event.kind.as_str() {
                "StateEntered" => What::Entered,
                "StateExited" => What::Exited,
                _ => return None,
            };
            Some(Step { what, state: &event.state, value: &event.value })
        })
        .collect();
    for (at, step) in recorded.iter().enumerate() {
        let Some(actual) = own.get(at) else { return Err(Mismatch::new(step.to_string(), "the execution has ended")) };
        let same = step.what == actual.what
            && step.state == actual.state
            && compare::equal(step.value, actual.value, placeholders);
        if !same {
            return Err(Mismatch::new(step.to_string(), actual.to_string()));
        }
    }
    match own.get(recorded.len()) {
        Some(extra) => Err(Mismatch::new("the execution to end", extra.to_string())),
        None => Ok(()),
    }
}

fn is_concurrent(kind: &str) -> bool {
    kind.starts_with("Parallel") || kind.starts_with("Map")
}

/// A state was entered or left.
struct Step<'a> {
    what: What,
    state: &'a str,
    value: &'a Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Entered,
    Exited,
}

impl std::fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} `{}` with {}", self.what, self.state, self.value)
    }
}

fn recorded(event: &Value) -> Option<Step<'_>> {
    let kind = event["type"].as_str()?;
    let (what, value) = match kind {
        _ if kind.ends_with("StateEntered") => (What::Entered, &event["input"]),
        _ if kind.ends_with("StateExited") => (What::Exited, &event["output"]),
        _ => return None,
    };
    Some(Step { what, state: event["name"].as_str()?, value })
}
