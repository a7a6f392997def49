//! `test_state.json`: single states, compared with the stages that AWS's TestState shows.

use super::made_up::without_made_up;
use super::{START, definition, executions, faults, wrap};
use crate::conformance::case::{Catalogue, Goal, Mismatch, Outcome, Plan, SingleState, Trial, Verdict};
use crate::conformance::compare::{self, Placeholders};
use crate::conformance::fields;
use crate::conformance::observed::{Ended, Event, Observed};
use serde_json::{Map, Value, json};
use workflow_model::CONTEXT_SETTING;

/// The name that AWS gives a state that is tested by itself.
pub const NAME: &str = "StateName";

/// The stage that names the handler of a fault.
const ERROR_DETAILS: &str = "errorDetails";

/// The name of the state that assigns the variables of a case.
const ASSIGNING: &str = "assigns the variables";

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

/// The settings of a test in the middle of its tries or iterations.
const CONFIGURATION: &[&str] =
    &["retrierRetryCount", "errorCausedByState", "mapIterationFailureCount", "mapItemReaderData"];

/// Reads one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    fields::check("a case", case, FIELDS)?;
    fields::check("`expected`", &case["expected"], EXPECTED)?;
    fields::check("`mock`", &case["mock"], &["result", "errorOutput", "fieldValidationMode"])?;
    fields::check("`stateConfiguration`", &case["stateConfiguration"], CONFIGURATION)?;
    let state = &tested(case)?;
    let configuration = &case["stateConfiguration"];
    let retries = retries(configuration)?;
    check_cause(configuration, state)?;
    let (failed, items) = (&configuration["mapIterationFailureCount"], items(configuration)?);
    let name = case["stateName"].as_str().unwrap_or(NAME);
    let stubs = match reply(case, state) {
        Ok(Some(reply)) => {
            vec![json!({ "state": name, "reply": reply, "failed_items": failed, "items": items }); retries + 1]
        }
        Ok(None) => Vec::new(),
        Err(reason) => return Ok(Plan::Unsupported(reason.to_owned())),
    };
    let mut settings = case["variables"].as_object().cloned().unwrap_or_default();
    if let Some(context) = case.get("context") {
        settings.insert(CONTEXT_SETTING.to_owned(), context.clone());
    }
    let mut definition = definition(&with_variables(wrap(&case["definition"]), &case["variables"]));
    definition.options.inspect = true;
    let is_mocked = state["Type"] != "Task" && case.get("mock").is_some();
    definition.state = Some(SingleState { name: name.to_owned(), is_mocked });
    let input = case.get("input").cloned().unwrap_or_else(|| json!({}));
    let run = json!({ "input": input, "start": START, "stubs": stubs, "settings": settings });
    let case = case.clone();
    let judge = move |outcome: &Outcome<'_>| match outcome {
        Outcome::Refused(findings) => Verdict::refused(findings),
        Outcome::Accepted => Verdict::failed("to be run", "not run"),
        Outcome::Ran(observed) => Verdict::from(compare(&case, retries, observed)),
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

/// Fails if the state that caused the error is not inside of the tested one. An error that a state
/// inside has caused is an error of the Map or Parallel state.
fn check_cause(configuration: &Value, state: &Value) -> Result<(), String> {
    let Some(name) = configuration["errorCausedByState"].as_str() else { return Ok(()) };
    let branches = state["Branches"].as_array().into_iter().flatten();
    let inside = branches.chain([&state["ItemProcessor"], &state["Iterator"]]);
    match inside.into_iter().any(|machine| machine["States"].get(name).is_some()) {
        true => Ok(()),
        false => Err(format!("`errorCausedByState`: no state `{name}` is inside of the tested one")),
    }
}

/// Returns the number of items that an `ItemReader` has, if the case has its data and they are an
/// array in JSON. The tolerated percentage of failures depends on it.
fn items(configuration: &Value) -> Result<Option<usize>, String> {
    let Some(data) = configuration.get("mapItemReaderData") else { return Ok(None) };
    let data = data.as_str().ok_or("`mapItemReaderData` is not a text")?;
    let items = serde_json::from_str::<Value>(data).ok();
    Ok(items.and_then(|items| items.as_array().map(Vec::len)))
}

/// Returns the number of retries before the attempt that is tested.
fn retries(configuration: &Value) -> Result<usize, String> {
    let count = configuration["retrierRetryCount"].as_u64().unwrap_or_default();
    usize::try_from(count).map_err(|_| format!("{count} retries"))
}

/// Returns a state machine whose first state assigns these variables. AWS needs no state that
/// assigns them.
fn with_variables(mut machine: Value, variables: &Value) -> Value {
    if variables.as_object().is_some_and(|variables| !variables.is_empty()) {
        let assign = json!({ "Type": "Pass", "Assign": variables, "Next": machine["StartAt"] });
        machine["States"][ASSIGNING] = assign;
        machine["StartAt"] = json!(ASSIGNING);
    }
    machine
}

/// Returns the answer for the task of the state, or in place of its branches or iterations; `None`
/// if it needs none. Fails with the reason why the case is not tried.
fn reply(case: &Value, state: &Value) -> Result<Option<Value>, &'static str> {
    if let Some(mock) = case.get("mock") {
        return Ok(Some(match mock.get("result") {
            Some(result) => json!({ "ok": result }),
            None => mock["errorOutput"].clone(),
        }));
    }
    if state["Type"] != "Task" {
        return Ok(None);
    }
    // The record of an answer of the service itself.
    match case["expected"]["inspectionData"].get("result") {
        Some(result) => Ok(Some(json!({ "ok": result }))),
        None => Err("what the service answered is not known"),
    }
}

/// Compares the outcome of the attempt after this many retries.
fn compare(case: &Value, retries: usize, observed: &Observed) -> Result<(), Mismatch> {
    let placeholders = Placeholders::bracketed([]);
    // A given context object is compared as it is.
    let form = |value: &Value| match case.get("context") {
        Some(_) => value.clone(),
        None => without_made_up(&executions::dated(value)),
    };
    if let Some(reloaded) = &observed.reloaded {
        let actual = format!("saved and loaded at every wait: {reloaded}");
        return Err(Mismatch::new(format!("{:?}", observed.result), actual));
    }
    let expected = form(&case["expected"]);
    let attempt = Attempt::of(observed, retries);
    let end = |name: &str| match &observed.result {
        Ended::Output(end) if attempt.retried.is_none() => end.get(name),
        _ => None,
    };
    let variables = members(&case["variables"]).chain(end("variables").into_iter().flat_map(members));
    let variables: Map<String, Value> = variables.map(|(name, value)| (name.clone(), value.clone())).collect();
    ended(&expected, &attempt, observed, end("output").map(form), &placeholders)?;
    let (next, actual) = (&expected["nextState"], end("next").unwrap_or(&Value::Null));
    if next != actual {
        return Err(Mismatch::new(format!("the next state {next}"), actual.to_string()));
    }
    let Some(stages) = expected["inspectionData"].as_object() else { return Ok(()) };
    let mut seen = attempt.stages();
    if !variables.is_empty() {
        seen.insert("variables".to_owned(), variables.into());
    }
    compare::values(&Value::Object(stages.clone()), &form(&Value::Object(seen)), &placeholders)
}

/// Compares the status, and what belongs to it.
fn ended(
    expected: &Value,
    attempt: &Attempt<'_>,
    observed: &Observed,
    output: Option<Value>,
    placeholders: &Placeholders,
) -> Result<(), Mismatch> {
    let fault = |fault: &Event| {
        let text = |name: &str| fault.value.get(name).cloned();
        let error = text("Error").and_then(|error| error.as_str().map(str::to_owned));
        let mut failed = expected.clone();
        failed["status"] = json!("FAILED");
        faults::ended(&failed, &Ended::Fault { error, cause: text("Cause") }, placeholders)
    };
    match (expected["status"].as_str(), attempt.retried, attempt.caught, output) {
        (Some("RETRIABLE"), Some(retried), ..) => fault(retried),
        (Some("CAUGHT_ERROR"), None, Some(caught), Some(output)) => {
            fault(caught)?;
            compare::values(&expected["output"], &output, placeholders)
        }
        (Some("SUCCEEDED"), None, None, Some(output)) => faults::ended(expected, &Ended::Output(output), placeholders),
        (Some("FAILED"), None, None, None) => faults::ended(expected, &observed.result, placeholders),
        (status, retried, caught, output) => {
            let actual = format!("retried: {retried:?}, caught: {caught:?}, output: {output:?}, {:?}", observed.result);
            Err(Mismatch::new(format!("{status:?}"), actual))
        }
    }
}

/// An attempt of the state.
struct Attempt<'a> {
    /// The events of the attempt, with the entry of the state.
    events: Vec<&'a Event>,
    /// The retry that follows it.
    retried: Option<&'a Event>,
    /// The fault that a catcher handled.
    caught: Option<&'a Event>,
}

impl<'a> Attempt<'a> {
    /// Returns the attempt after this many retries, or the last one.
    fn of(observed: &'a Observed, retries: usize) -> Attempt<'a> {
        let mut left = retries;
        let (mut events, mut retried, mut caught) = (Vec::new(), None, None);
        for event in observed.events.iter().filter(|event| event.depth == 0) {
            match event.kind.as_str() {
                "StateRetried" if left > 0 => {
                    left -= 1;
                    events.retain(|event: &&Event| event.kind == "StateEntered");
                }
                "StateRetried" => {
                    retried = Some(event);
                    break;
                }
                "StateCaught" => caught = Some(event),
                _ => events.push(event),
            }
        }
        Attempt { events, retried, caught }
    }

    /// Returns the stages of the state's data, by name. AWS does not show which rule of a Choice
    /// state was chosen.
    fn stages(&self) -> Map<String, Value> {
        let mut stages = Map::new();
        for event in &self.events {
            match event.kind.as_str() {
                "StateEntered" => _ = stages.insert("input".to_owned(), event.value.clone()),
                "Inspected" if event.stage == ERROR_DETAILS => {
                    let details = stages.entry(ERROR_DETAILS).or_insert_with(|| json!({}));
                    members(&event.value).for_each(|(name, value)| details[name] = value.clone());
                }
                "Inspected" if event.stage != "chosen" => _ = stages.insert(event.stage.clone(), event.value.clone()),
                _ => {}
            }
        }
        if let Some((retried, until)) = self.retried.and_then(|retried| Some((retried, retried.until?))) {
            let details = stages.entry(ERROR_DETAILS).or_insert_with(|| json!({}));
            details["retryBackoffIntervalSeconds"] = json!(until - retried.at);
        }
        stages
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
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
        let state = catalogue.definition(trial.definition).and_then(|definition| definition.state.as_ref());
        assert_eq!(state.map(|state| (state.name.as_str(), state.is_mocked)), Some(("A", false)));
        let missing = read(&case("C"), &mut Catalogue::default()).err();
        assert!(missing.is_some_and(|problem| problem.contains("`stateName`")));
    }

    #[test]
    fn a_test_in_the_middle_of_iterations_has_failed_items() {
        let map = |configuration: Value| {
            json!({
                "definition": { "Type": "Map", "End": true, "ItemProcessor": { "StartAt": "A", "States": {
                    "A": { "Type": "Pass", "End": true },
                } } },
                "mock": { "result": [1] },
                "expected": {},
                "stateConfiguration": configuration,
            })
        };
        let case = map(json!({
            "errorCausedByState": "A", "mapIterationFailureCount": 1, "mapItemReaderData": "[1, 2]",
        }));
        let Ok(Plan::Try(trial)) = read(&case, &mut Catalogue::default()) else { panic!("it is tried") };
        let Goal::Run(plan) = &trial.goal else { panic!("it is run") };
        assert_eq!(plan["stubs"][0]["failed_items"], 1);
        assert_eq!(plan["stubs"][0]["items"], 2);
        let elsewhere = read(&map(json!({ "errorCausedByState": "B" })), &mut Catalogue::default()).err();
        assert!(elsewhere.is_some_and(|problem| problem.contains("no state `B`")));
    }

    #[test]
    fn the_attempt_after_the_retries_is_compared() {
        let event = |kind: &str, stage: &str, value: Value| json!({ "kind": kind, "state": NAME, "stage": stage, "value": value, "at": 1.0, "until": 3.0 });
        let failed = [
            event("Inspected", ERROR_DETAILS, json!({ "retryIndex": 0 })),
            event("StateRetried", "", json!({ "Error": "E", "Cause": "c" })),
        ];
        let mut events = vec![event("StateEntered", "", json!({ "a": 1 }))];
        events.extend(failed.iter().chain(&failed).cloned());
        events.push(event("Inspected", ERROR_DETAILS, json!({ "retryIndex": 1 })));
        let line = json!({ "result": { "error": "E", "cause": "c" }, "calls": [], "events": events });
        let observed = Observed::read(&line).expect("a line");
        let judged = |retries: usize, details: Value, status: &str| {
            let inspected = json!({ "input": { "a": 1 }, "errorDetails": details });
            let expected = json!({ "status": status, "error": "E", "cause": "c", "inspectionData": inspected });
            compare(&json!({ "expected": expected }), retries, &observed)
        };
        let retried = json!({ "retryIndex": 0, "retryBackoffIntervalSeconds": 2 });
        assert_eq!(judged(0, retried.clone(), "RETRIABLE"), Ok(()));
        assert_eq!(judged(1, retried.clone(), "RETRIABLE"), Ok(()));
        assert_eq!(judged(2, json!({ "retryIndex": 1 }), "FAILED"), Ok(()));
        assert!(judged(2, retried.clone(), "RETRIABLE").is_err());
        assert!(judged(1, json!({ "retryIndex": 0 }), "RETRIABLE").is_err());
        assert!(judged(0, retried, "FAILED").is_err());
    }
}
