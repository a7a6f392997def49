//! `test_state.json`: single states, compared with the stages that AWS's TestState shows.

use super::scope::put_off;
use super::{START, definition, executions, faults, wrap};
use crate::conformance::case::{Catalogue, Goal, Mismatch, Outcome, Plan, Trial, Verdict};
use crate::conformance::compare::{self, Placeholders};
use crate::conformance::fields;
use crate::conformance::observed::{Ended, Observed};
use serde_json::{Map, Value, json};

/// The name that AWS gives a state that is tested by itself.
pub const NAME: &str = "StateName";

/// The fields of a case.
const FIELDS: &[&str] = &[
    "id",
    "definition",
    "stateName",
    "input",
    "mock",
    "context",
    "variables",
    "stateConfiguration",
    "inspectionLevel",
    "expected",
    "lambda_functions",
    "source",
    "note",
];

/// The members of AWS's answer.
const EXPECTED: &[&str] = &["status", "output", "error", "cause", "nextState", "inspectionData"];

/// Reads one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    fields::check("a case", case, FIELDS)?;
    fields::check("`expected`", &case["expected"], EXPECTED)?;
    fields::check("`mock`", &case["mock"], &["result", "errorOutput", "fieldValidationMode"])?;
    let state = &tested(case)?;
    if let Some(reason) = put_off(&case["definition"]).or_else(|| put_off(state)) {
        return Ok(Plan::Unsupported(reason));
    }
    let stubs = match stubs(case, state) {
        Ok(stubs) => stubs,
        Err(reason) => return Ok(Plan::Unsupported(reason.to_owned())),
    };
    let mut definition = definition(&wrap(state));
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

/// Returns the state that is tested: the definition, or the state of it that has the name
/// `stateName`.
fn tested(case: &Value) -> Result<Value, String> {
    let Some(name) = case["stateName"].as_str() else { return Ok(case["definition"].clone()) };
    let state = case["definition"]["States"].get(name);
    state.cloned().ok_or_else(|| format!("`stateName`: the definition has no state `{name}`"))
}

/// Returns the stubs for the task of the state. Fails with the reason why the case is not tried.
fn stubs(case: &Value, state: &Value) -> Result<Vec<Value>, &'static str> {
    if case.get("context").is_some() {
        return Err("`context`: an execution cannot be given a context object of its own");
    }
    if case["variables"].as_object().is_some_and(|variables| !variables.is_empty()) {
        return Err("`variables`: an execution cannot be given variables");
    }
    if case["stateConfiguration"].as_object().is_some_and(|configuration| !configuration.is_empty()) {
        return Err("`stateConfiguration`: a state cannot be tested in the middle of its tries or iterations");
    }
    let is_task = state["Type"] == "Task";
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
    // Outputs of JSONata can contain the whole context object.
    let ended = match ended {
        Ended::Output(output) => &Ended::Output(executions::dated(output)),
        fault => fault,
    };
    faults::ended(&executions::dated(expected), ended, &placeholders)?;
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

/// Returns the stages of the state's data, by name. AWS does not show which rule of a Choice state
/// was chosen.
fn seen(observed: &Observed) -> Map<String, Value> {
    let input = observed.values("StateEntered", NAME).map(|input| ("input".to_owned(), input.clone()));
    let stages = observed.events.iter().filter(|event| event.kind == "Inspected" && event.state == NAME);
    let stages = stages.filter(|event| event.stage != "chosen");
    input.chain(stages.map(|event| (event.stage.clone(), event.value.clone()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_the_name_is_tested() {
        let machine = json!({ "StartAt": "A", "States": {
            "A": { "Type": "Pass", "Next": "B" },
            "B": { "Type": "Succeed" },
        } });
        let case =
            |name: &str| json!({ "definition": machine, "stateName": name, "expected": { "status": "SUCCEEDED" } });
        let mut catalogue = Catalogue::default();
        let Ok(Plan::Try(trial)) = read(&case("A"), &mut catalogue) else { panic!("it is tried") };
        let text = &catalogue.definition(trial.definition).expect("a definition").text;
        let tested: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(tested["States"][NAME], machine["States"]["A"]);
        assert_eq!(tested["States"]["B"]["Type"], "Succeed");
        let missing = read(&case("C"), &mut Catalogue::default()).err();
        assert!(missing.is_some_and(|problem| problem.contains("`stateName`")));
    }

    #[test]
    fn what_a_run_cannot_be_given_is_unsupported() {
        for (name, value) in [
            ("context", json!({})),
            ("variables", json!({ "a": 1 })),
            ("stateConfiguration", json!({ "retrierRetryCount": 1 })),
        ] {
            let case = json!({ "definition": { "Type": "Pass", "End": true }, "expected": {}, name: value });
            let plan = read(&case, &mut Catalogue::default());
            assert!(matches!(&plan, Ok(Plan::Unsupported(reason)) if reason.contains(&format!("`{name}`"))), "{name}");
        }
    }
}
