//! `test_state.json`: single states, compared stage by stage with what AWS's TestState shows of them.

use super::scope::put_off;
use super::{START, definition, faults, wrap};
use crate::conformance::case::{Catalogue, Goal, Mismatch, Outcome, Plan, Trial, Verdict};
use crate::conformance::compare::{self, Placeholders};
use crate::conformance::observed::{Ended, Observed};
use serde_json::{Map, Value, json};

/// The name that AWS gives a state that is tested by itself.
pub const NAME: &str = "StateName";

/// Reads one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    if let Some(reason) = put_off(&case["definition"]) {
        return Ok(Plan::Unsupported(reason));
    }
    let stubs = match stubs(case) {
        Ok(stubs) => stubs,
        Err(reason) => return Ok(Plan::Unsupported(reason.to_owned())),
    };
    let mut definition = definition(&wrap(&case["definition"]));
    definition.options.inspect = true;
    let run = json!({ "input": case.get("input").unwrap_or(&json!({})), "start": START, "stubs": stubs });
    let expected = case["expected"].clone();
    let judge = move |outcome: &Outcome<'_>| match outcome {
        Outcome::Refused(findings) => Verdict::refused(findings),
        Outcome::Accepted => Verdict::failed("to be run", "not run"),
        Outcome::Ran(observed) => Verdict::from(compare(&expected, observed)),
    };
    Ok(Plan::Try(Trial { definition: catalogue.add(definition), goal: Goal::Run(run), judge: Box::new(judge) }))
}

/// What the task of the state answers; otherwise why the case is not tried.
fn stubs(case: &Value) -> Result<Vec<Value>, &'static str> {
    if case.get("context").is_some() {
        return Err("an execution cannot be given a context object of its own");
    }
    let is_task = case["definition"]["Type"] == "Task";
    let stub = |reply: Value| Ok(vec![json!({ "state": NAME, "reply": reply })]);
    match (case.get("mock"), is_task) {
        (Some(_), false) => Err("the mock stands for all branches or iterations"),
        (Some(mock), true) => match mock.get("result") {
            Some(result) => stub(json!({ "ok": result })),
            None => stub(mock["errorOutput"].clone()),
        },
        (None, false) => Ok(Vec::new()),
        (None, true) => match case["expected"]["inspectionData"].get("result") {
            Some(result) => stub(json!({ "ok": result })),
            None => Err("what the service answered is not known"),
        },
    }
}

fn compare(expected: &Value, observed: &Observed) -> Result<(), Mismatch> {
    let placeholders = Placeholders::bracketed([]);
    let ended = match observed.values("StateExited", NAME).next() {
        Some(output) => &Ended::Output(output.clone()),
        None => &observed.result,
    };
    faults::ended(expected, ended, &placeholders)?;
    if let Some(next) = expected["nextState"].as_str() {
        let mut entered = observed.events.iter().filter(|event| event.kind == "StateEntered");
        let actual = entered.nth(1).map_or("none", |event| event.state.as_str());
        if actual != next {
            return Err(Mismatch::new(format!("the next state `{next}`"), actual));
        }
    }
    match expected["inspectionData"].as_object() {
        Some(stages) => compare::values(&Value::Object(stages.clone()), &Value::Object(seen(observed)), &placeholders),
        None => Ok(()),
    }
}

/// The stages of the state's data, by name.
fn seen(observed: &Observed) -> Map<String, Value> {
    let input = observed.values("StateEntered", NAME).map(|input| ("input".to_owned(), input.clone()));
    let stages = observed.events.iter().filter(|event| event.kind == "Inspected" && event.state == NAME);
    input.chain(stages.map(|event| (event.stage.clone(), event.value.clone()))).collect()
}
