//! Compares the states that an execution entered and left, and their data, with AWS's history of
//! the execution.

use crate::conformance::case::Mismatch;
use crate::conformance::compare::{self, Placeholders};
use crate::conformance::observed::{Event, Observed};
use serde_json::Value;

/// Compares the states that were entered and left, if the case has a history. Branches and
/// iterations run concurrently, and AWS's recordings of them are sorted: their order is not
/// compared. Nothing is compared where one of them failed, because the time at which the others
/// were stopped is undefined.
pub fn compare(case: &Value, observed: &Observed, placeholders: &Placeholders) -> Result<(), Mismatch> {
    let Some(trace) = case["trace"].as_array() else { return Ok(()) };
    let kinds = || trace.iter().filter_map(|event| event["type"].as_str());
    let expected: Vec<Step<'_>> = trace.iter().filter_map(recorded).collect();
    let actual: Vec<Step<'_>> = observed.events.iter().filter_map(own).collect();
    let same = |expected: &Step<'_>, actual: &Step<'_>| {
        expected.what == actual.what
            && expected.state == actual.state
            && compare::equal(expected.value, actual.value, placeholders)
    };
    match kinds().any(is_concurrent) {
        false => in_order(&expected, &actual, &same),
        true if kinds().any(is_failure) => Ok(()),
        true => in_any_order(&expected, actual, &same),
    }
}

type Same<'s> = &'s dyn Fn(&Step<'_>, &Step<'_>) -> bool;

fn in_order(expected: &[Step<'_>], actual: &[Step<'_>], same: Same<'_>) -> Result<(), Mismatch> {
    for (at, step) in expected.iter().enumerate() {
        match actual.get(at) {
            Some(actual) if same(step, actual) => {}
            Some(actual) => return Err(Mismatch::new(step.to_string(), actual.to_string())),
            None => return Err(Mismatch::new(step.to_string(), "the execution has ended")),
        }
    }
    match actual.get(expected.len()) {
        Some(extra) => Err(Mismatch::new("the execution to end", extra.to_string())),
        None => Ok(()),
    }
}

fn in_any_order(expected: &[Step<'_>], mut actual: Vec<Step<'_>>, same: Same<'_>) -> Result<(), Mismatch> {
    for step in expected {
        match actual.iter().position(|actual| same(step, actual)) {
            Some(at) => drop(actual.remove(at)),
            None => {
                let left: Vec<String> = actual.iter().map(Step::to_string).collect();
                return Err(Mismatch::new(step.to_string(), format!("none of {}", left.join("; "))));
            }
        }
    }
    match actual.first() {
        Some(extra) => Err(Mismatch::new("no more steps", extra.to_string())),
        None => Ok(()),
    }
}

fn is_concurrent(kind: &str) -> bool {
    kind.starts_with("Parallel") || kind.starts_with("Map")
}

fn is_failure(kind: &str) -> bool {
    kind.ends_with("Failed") || kind.ends_with("Aborted") || kind.ends_with("TimedOut")
}

/// The entry or the exit of a state.
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

fn own(event: &Event) -> Option<Step<'_>> {
    let what = match event.kind.as_str() {
        "StateEntered" => What::Entered,
        "StateExited" => What::Exited,
        _ => return None,
    };
    Some(Step { what, state: &event.state, value: &event.value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn step<'a>(state: &'a str, value: &'a Value) -> Step<'a> {
        Step { what: What::Entered, state, value }
    }

    #[test]
    fn steps_are_compared_in_order_or_in_any_and_none_may_be_left_over() {
        let (one, two) = (json!(1), json!(2));
        let same = |a: &Step<'_>, b: &Step<'_>| a.state == b.state && a.value == b.value;
        let way = || vec![step("A", &one), step("B", &two)];
        let turned = || vec![step("B", &two), step("A", &one)];
        assert!(in_order(&way(), &way(), &same).is_ok());
        assert!(in_order(&way(), &turned(), &same).is_err());
        assert!(in_any_order(&way(), turned(), &same).is_ok());
        assert!(in_any_order(&way(), vec![step("A", &one)], &same).is_err());
        assert!(in_any_order(&way()[..1], turned(), &same).is_err());
        assert!(in_order(&way()[..1], &way(), &same).is_err());
    }
}
