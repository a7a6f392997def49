//! `intrinsics_floe.json`: expressions, each put into a Pass state.

use super::rulings::ACCEPTED_BY_AWS;
use super::{START, definition};
use crate::conformance::case::{Catalogue, Goal, Mismatch, Outcome, Plan, SingleState, Trial, Verdict, list};
use crate::conformance::compare::{self, Placeholders};
use crate::conformance::fields;
use crate::conformance::observed::Ended;
use crate::conformance::rulings::reason;
use serde_json::{Value, json};
use workflow_model::CONTEXT_SETTING;

/// The state of a case.
const STATE: &str = "P";

/// Reads one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    const FIELDS: &[&str] =
        &["id", "name", "expr", "context", "input", "result", "raises", "pending", "source", "note"];
    fields::check("a case", case, FIELDS)?;
    if case.get("result").is_some() == case.get("raises").is_some() {
        return Err("it has not one of `result` and `raises`".to_owned());
    }
    let has_context = case["context"].as_object().is_some_and(|context| !context.is_empty());
    let reads_context = has_context && case["expr"].as_str().is_some_and(|expression| expression.contains("$$"));
    let state = json!({ "Type": "Pass", "Parameters": { "r.$": case["expr"] }, "End": true });
    let mut definition = definition(&json!({ "StartAt": STATE, "States": { STATE: state } }));
    let mut run = json!({ "input": case["input"], "start": START });
    if reads_context {
        // Only a state that is tested by itself can be given a context object.
        definition.state = Some(SingleState { name: STATE.to_owned(), is_mocked: false });
        run["settings"] = json!({ CONTEXT_SETTING: case["context"] });
    }
    let definition = catalogue.add(definition);
    let expected = case.get("result").cloned();
    let raises = case["raises"].as_str().unwrap_or_default().to_owned();
    let is_overruled = case["name"].as_str().is_some_and(|name| reason(ACCEPTED_BY_AWS, name).is_some());
    let judge = move |outcome: &Outcome<'_>| {
        Verdict::from(match is_overruled {
            true => succeeded(outcome),
            false => compare(expected.as_ref(), &raises, reads_context, outcome),
        })
    };
    Ok(Plan::Try(Trial { definition, goal: Goal::Run(run), judge: Box::new(judge) }))
}

/// Checks that an expression has a value, which floe does not know.
fn succeeded(outcome: &Outcome<'_>) -> Result<(), Mismatch> {
    match outcome {
        Outcome::Ran(observed) if matches!(observed.result, Ended::Output(_)) => Ok(()),
        Outcome::Refused(findings) => Err(Mismatch::new("to be accepted", list(findings))),
        _ => Err(Mismatch::new("a value", "a failure")),
    }
}

/// Compares an outcome: the output of the state, or what the test of a single state reports. The
/// compiler may refuse an expression that fails at run time.
fn compare(expected: Option<&Value>, raises: &str, is_single: bool, outcome: &Outcome<'_>) -> Result<(), Mismatch> {
    let value = |output: &Value| if is_single { output["output"]["r"].clone() } else { output["r"].clone() };
    let ended = match outcome {
        Outcome::Refused(_) if expected.is_none() => return Ok(()),
        Outcome::Refused(findings) => return Err(Mismatch::new("to be accepted", list(findings))),
        Outcome::Accepted => return Err(Mismatch::new("to be run", "not run")),
        Outcome::Ran(observed) => &observed.result,
    };
    match (expected, ended) {
        (Some(expected), Ended::Output(output)) => compare::values(expected, &value(output), &Placeholders::default()),
        (None, Ended::Fault { .. }) => Ok(()),
        (None, Ended::Output(output)) => Err(Mismatch::new(format!("an error: {raises}"), value(output).to_string())),
        (Some(expected), Ended::Fault { error, cause }) => {
            Err(Mismatch::new(expected.to_string(), json!({ "error": error, "cause": cause }).to_string()))
        }
    }
}
