//! `cases.json`: compositions, recorded with OpenWhisk's conductor.

use super::definition;
use crate::conformance::case::{Catalogue, Finding, Goal, Mismatch, Outcome, Plan, Trial, Verdict};
use crate::conformance::fields;
use crate::conformance::observed::{Ended, Observed};
use serde_json::{Value, json};

/// The fields of a case.
const FIELDS: &[&str] = &[
    "id",
    "definition",
    "input",
    "expected",
    "recommended",
    "message_varies",
    "trace",
    "calls",
    // Fields that describe the case.
    "group",
    "title",
    "origin",
    "upstream_expected",
    "static_check",
    "note",
    "composer",
    "js_features",
    "divergence",
    "source",
];

/// Reads one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    fields::check("a case", case, FIELDS)?;
    fields::check("`expected`", &case["expected"], &["status", "output", "code", "message"])?;
    fields::check("`recommended`", &case["recommended"], &["status", "output", "code", "message"])?;
    fields::check_each("a call", &case["calls"], &["action", "params"])?;
    let expected = case.get("recommended").unwrap_or(&case["expected"]).clone();
    let goal = match expected["status"].as_str() {
        Some("fault") => Goal::Check,
        Some("ok" | "error") => Goal::Run(json!({ "input": case["input"], "actions": true })),
        other => return Err(format!("the value {other:?} of the field `status` is not known")),
    };
    let definition = catalogue.add(definition(&case["definition"]));
    let case = case.clone();
    let judge = move |outcome: &Outcome<'_>| match outcome {
        // The composition is refused for structural errors only.
        Outcome::Refused(findings) if expected["status"] == "fault" && findings.iter().all(is_structural) => {
            Verdict::Passed
        }
        Outcome::Refused(findings) => Verdict::refused(findings),
        Outcome::Accepted => Verdict::failed("to be refused", "accepted"),
        Outcome::Ran(observed) => Verdict::from(compare(&case, &expected, observed)),
    };
    Ok(Plan::Try(Trial { definition, goal, judge: Box::new(judge) }))
}

/// Returns `true` if a finding is about fields, states or the stack.
fn is_structural(found: &Finding) -> bool {
    ["WF02", "WF04", "WF07"].iter().any(|area| found.code.starts_with(area))
}

fn compare(case: &Value, expected: &Value, observed: &Observed) -> Result<(), Mismatch> {
    let (status, output) = match &observed.result {
        Ended::Output(output) => ("ok", output.clone()),
        Ended::Fault { error, cause } => ("error", parameters(error.as_deref(), cause.as_ref())),
    };
    if expected["status"] != status {
        return Err(Mismatch::new(expected.to_string(), format!("{status}: {output}")));
    }
    if case["message_varies"] != true
        && let Some(wanted) = expected.get("output")
        && !equal(wanted, &output)
    {
        return Err(Mismatch::new(wanted.to_string(), output.to_string()));
    }
    if let Some(reloaded) = &observed.reloaded {
        return Err(Mismatch::new(output.to_string(), format!("saved and loaded at every wait: {reloaded}")));
    }
    // A recommendation that is newer than the recording may lead to other states.
    if case.get("recommended").is_some() {
        return Ok(());
    }
    let entered = observed.events.iter().filter(|event| event.kind == "StateEntered").map(|event| json!(event.state));
    let (trace, wanted) = (Value::from_iter(entered), &case["trace"]);
    if trace != *wanted {
        return Err(Mismatch::new(format!("the states {wanted}"), trace.to_string()));
    }
    let calls = observed.calls.iter().map(|call| json!({ "action": call.task, "params": call.input }));
    let (calls, wanted) = (Value::from_iter(calls), &case["calls"]);
    match equal(wanted, &calls) {
        true => Ok(()),
        false => Err(Mismatch::new(format!("the calls {wanted}"), calls.to_string())),
    }
}

/// Returns the parameters that a failed execution ended with.
fn parameters(error: Option<&str>, cause: Option<&Value>) -> Value {
    match (error, cause) {
        (Some(error), Some(Value::Object(others))) => {
            let mut members = others.clone();
            members.insert("error".to_owned(), error.into());
            members.into()
        }
        (Some(error), _) => json!({ "error": error }),
        (None, cause) => json!({ "error": cause }),
    }
}

/// Returns `true` if values are equal. `1` equals `1.0`.
fn equal(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::Number(expected), Value::Number(actual)) => expected.as_f64() == actual.as_f64(),
        (Value::Array(expected), Value::Array(actual)) => {
            expected.len() == actual.len() && expected.iter().zip(actual).all(|(left, right)| equal(left, right))
        }
        (Value::Object(expected), Value::Object(actual)) => {
            let same = |(key, value): (&String, &Value)| actual.get(key).is_some_and(|other| equal(value, other));
            expected.len() == actual.len() && expected.iter().all(same)
        }
        _ => expected == actual,
    }
}
