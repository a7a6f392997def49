//! `expressions_measured.json`: expressions in JSONata, each put into a Pass state.

use super::{START, definition};
use crate::conformance::case::{Catalogue, Goal, Mismatch, Outcome, Plan, Trial, Verdict, list};
use crate::conformance::compare::{self, Placeholders};
use crate::conformance::fields;
use crate::conformance::observed::Ended;
use serde_json::{Value, json};

/// The fields of a case.
const FIELDS: &[&str] = &["id", "expr", "input", "expected", "group", "authority", "source", "note", "ruling"];

/// The forms of an expected result.
const EXPECTED: &[&str] = &["value", "undefined", "error", "message", "fails", "matches"];

/// Reads one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    fields::check("a case", case, FIELDS)?;
    fields::check("`expected`", &case["expected"], EXPECTED)?;
    let expression = case["expr"].as_str().ok_or("`expr` is not a string")?;
    let output = format!("{{% {expression} %}}");
    let state = json!({ "Type": "Pass", "QueryLanguage": "JSONata", "Output": output, "End": true });
    let definition = catalogue.add(definition(&json!({ "StartAt": "P", "States": { "P": state } })));
    let run = json!({ "input": case.get("input").unwrap_or(&json!({})), "start": START });
    let expected = case["expected"].clone();
    let judge = move |outcome: &Outcome<'_>| Verdict::from(compare(&expected, outcome));
    Ok(Plan::Try(Trial { definition, goal: Goal::Run(run), judge: Box::new(judge) }))
}

fn compare(expected: &Value, outcome: &Outcome<'_>) -> Result<(), Mismatch> {
    let ended = match outcome {
        Outcome::Refused(findings) => return Err(Mismatch::new("to be accepted", list(findings))),
        Outcome::Accepted => return Err(Mismatch::new("to be run", "not run")),
        Outcome::Ran(observed) => &observed.result,
    };
    match ended {
        Ended::Output(output) => match (expected.get("value"), expected["matches"].as_str()) {
            (Some(value), _) => compare::values(value, output, &Placeholders::default()),
            (None, Some(pattern)) => match regex::Regex::new(pattern) {
                Ok(pattern) if output.as_str().is_some_and(|text| pattern.is_match(text)) => Ok(()),
                _ => Err(Mismatch::new(format!("a text that matches {pattern}"), output.to_string())),
            },
            (None, None) => Err(Mismatch::new(expected.to_string(), output.to_string())),
        },
        Ended::Fault { error, cause } => {
            let shown = json!({ "error": error, "cause": cause }).to_string();
            let cause = cause.as_ref().and_then(Value::as_str).unwrap_or_default();
            let is_expected = error.as_deref() == Some("States.QueryEvaluationError") && cause_is(expected, cause);
            if is_expected { Ok(()) } else { Err(Mismatch::new(expected.to_string(), shown)) }
        }
    }
}

/// Returns `true` if the cause of a fault says what is expected.
fn cause_is(expected: &Value, cause: &str) -> bool {
    if expected["undefined"] == true {
        return cause.ends_with("returned nothing (undefined).");
    }
    let message = expected["message"].as_str().unwrap_or_default();
    match expected["error"].as_str() {
        Some("") => cause.ends_with(&format!("threw an error during evaluation: {message}")),
        Some(code) => {
            let message = message.strip_prefix(&format!("{code}: ")).unwrap_or(message);
            cause.contains(&format!("threw an error during evaluation. {code}: {message}"))
        }
        None => expected["fails"] == true,
    }
}
