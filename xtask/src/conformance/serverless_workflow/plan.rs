//! Plans for the runner: the stubs, events and further runs of a case.

use super::expected::Expected;
use super::stubs;
use super::variants::Change;
use crate::conformance::time;
use serde_json::{Map, Value, json};

/// Returns the plan of a case for a definition.
pub fn plan(case: &Value, definition: &Value, expected: &Expected) -> Result<Value, String> {
    let stubs::Stubs { functions, workflows } = stubs::read(case, definition)?;
    let start = start(case)?;
    // Executions that events start have no input.
    let has_input = case["input"].as_object().is_some_and(|input| !input.is_empty());
    let has_events = case["events"].as_array().is_some_and(|events| !events.is_empty());
    let starts = has_events && !has_input && (start.is_some() || expected.counts_executions());
    let events = case["events"].as_array().into_iter().flatten().enumerate();
    let events = events.map(|(at, one)| Ok(json!({ "at": time_of(one, starts)?, "event": event(one, at) })));
    let mut plan = json!({
        "input": case["input"],
        "functions": functions,
        "workflows": workflows,
        "events": events.collect::<Result<Vec<Value>, String>>()?,
        "starts": starts,
    });
    if let Some(start) = start {
        plan["start"] = json!(start);
    }
    if let Some(value) = correlation(case, definition) {
        plan["correlation"] = value;
    }
    let further = expected.changes().map(|change| changed(&plan, change, &case["stubs"]));
    let further = further.collect::<Result<Vec<_>, _>>()?;
    plan["also"] = json!(further);
    Ok(plan)
}

/// Returns the start time of a case, if it states one.
fn start(case: &Value) -> Result<Option<&str>, String> {
    match &case["expect"]["at"] {
        Value::Null => Ok(None),
        Value::String(text) if time::is_time(text) => Ok(Some(text)),
        other => Err(format!("`at` is a time such as `2020-03-20T09:00:00Z`, and not {other}")),
    }
}

/// Returns the time of an event: a number of seconds from the start, or a time. An event without a
/// time is published at once if events start executions, and else one second after the start.
fn time_of(event: &Value, starts: bool) -> Result<Value, String> {
    match &event["at"] {
        Value::Null => Ok(json!(if starts { 0 } else { 1 })),
        Value::String(text) => match time::seconds(text) {
            Some(seconds) => Ok(json!(seconds)),
            None if time::is_time(text) => Ok(json!(text)),
            None => Err(format!("`at` of an event is a duration or a time, and not `{text}`")),
        },
        Value::Number(seconds) => Ok(json!(seconds)),
        other => Err(format!("`at` of an event is a duration or a time, and not {other}")),
    }
}

/// Returns the plan of a further run.
fn changed(plan: &Value, change: &Change, stubs: &Value) -> Result<Value, String> {
    let mut plan = plan.clone();
    match change {
        Change::Input { pointer, value } => {
            let member = plan["input"].pointer_mut(pointer);
            *member.ok_or_else(|| format!("the input has no `{pointer}` to change"))? = value.clone();
        }
        Change::Throws(name) => {
            let functions = plan["functions"].as_object_mut().ok_or("no function can fail")?;
            for function in failing(functions, stubs) {
                functions.insert(function, json!({ "throws": { "name": name, "message": "it fails" } }));
            }
        }
    }
    Ok(plan)
}

/// Returns the functions that fail in a run for an error: those whose stubs throw, or else those
/// without stubs, or else all.
fn failing(functions: &Map<String, Value>, stubs: &Value) -> Vec<String> {
    let throws = |function: &Value| {
        let mut answers = function["answers"].as_array().into_iter().flatten().chain([function]);
        answers.any(|answer| answer.get("throws").is_some())
    };
    let some = |chosen: Vec<&String>| (!chosen.is_empty()).then(|| chosen.into_iter().cloned().collect());
    let throwing = functions.iter().filter(|(_, function)| throws(function)).map(|(name, _)| name);
    some(throwing.collect())
        .or_else(|| some(functions.keys().filter(|name| stubs.get(name.as_str()).is_none()).collect()))
        .unwrap_or_else(|| functions.keys().cloned().collect())
}

/// Returns an event with the attributes that every CloudEvent has.
fn event(event: &Value, at: usize) -> Value {
    let mut whole = json!({ "specversion": "1.0", "id": (at + 1).to_string(), "source": "case", "type": "came" });
    for (name, value) in event.as_object().into_iter().flatten().filter(|(name, _)| *name != "at") {
        whole[name] = value.clone();
    }
    whole
}

/// Returns the correlation key of the first event.
fn correlation(case: &Value, definition: &Value) -> Option<Value> {
    let event = case["events"].as_array()?.first()?;
    let tokens = definition["events"].as_array()?.iter().filter_map(|event| event["correlationToken"].as_str());
    tokens.filter_map(|token| event.get(token)).next().cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(case: Value) -> Result<Value, String> {
        let definition = json!({ "functions": [{ "name": "f" }, { "name": "g" }], "states": [] });
        plan(&case, &definition, &Expected::of(&case, &definition)?)
    }

    #[test]
    fn at_is_the_time_of_the_start() {
        let at = |at: Value| planned(json!({ "input": {}, "expect": { "at": at } }));
        assert_eq!(
            at(json!("2020-03-20T09:00:00Z")).map(|plan| plan["start"].clone()),
            Ok(json!("2020-03-20T09:00:00Z"))
        );
        assert!(at(json!("noon")).is_err_and(|problem| problem.contains("`at`")));
        assert!(at(json!(5)).is_err_and(|problem| problem.contains("`at`")));
    }

    #[test]
    fn events_come_at_their_times_and_start_executions_that_are_counted() {
        let events = json!([{ "type": "t" }, { "at": "PT1M30S" }, { "at": 7 }, { "at": "2020-03-20T09:00:00Z" }]);
        let times = |expect: Value| {
            let plan = planned(json!({ "input": {}, "events": events, "expect": expect })).expect("a plan");
            let times: Value = plan["events"].as_array().into_iter().flatten().map(|one| one["at"].clone()).collect();
            (times, plan["starts"].clone())
        };
        let expected = |first: i32| json!([first, 90.0, 7, "2020-03-20T09:00:00Z"]);
        assert_eq!(times(json!({ "output": {} })), (expected(1), json!(false)));
        assert_eq!(times(json!({ "instances": 1 })), (expected(0), json!(true)));
        assert_eq!(times(json!({ "at": "2020-03-20T08:00:00Z" })), (expected(0), json!(true)));
        let wrong = json!({ "events": [{ "at": "soon" }], "expect": { "output": {} } });
        assert!(planned(wrong).is_err_and(|problem| problem.contains("`at`")));
        // An execution with an input does not need an event to start.
        let given = json!({ "input": { "a": 1 }, "events": [{}], "expect": { "instances": 1 } });
        assert_eq!(planned(given).map(|plan| plan["starts"].clone()), Ok(json!(false)));
    }

    #[test]
    fn each_error_has_a_run_in_which_it_is_thrown() {
        let runs = |stubs: Value| {
            let expect = json!({ "Lost": { "retries": 1 }, "Late": { "then": "fails" } });
            let plan = planned(json!({ "input": {}, "stubs": stubs, "expect": expect })).expect("a plan");
            let runs: Vec<Value> = plan["also"].as_array().into_iter().flatten().cloned().collect();
            assert_eq!(runs.len(), 2);
            ["f", "g"]
                .map(|name| runs.iter().map(|run| run["functions"][name]["throws"]["name"].clone()).collect::<Value>())
        };
        let (thrown, none) = (json!(["Lost", "Late"]), json!([null, null]));
        assert_eq!(runs(json!({})), [thrown.clone(), thrown.clone()]);
        assert_eq!(runs(json!({ "f": 1 })), [none.clone(), thrown.clone()]);
        assert_eq!(runs(json!({ "f": [1, { "throws": "E" }] })), [thrown.clone(), none]);
        assert_eq!(runs(json!({ "f": 1, "g": 1 })), [thrown.clone(), thrown]);
    }

    #[test]
    fn another_input_is_a_further_run() {
        let case = |input: Value| json!({ "input": input, "expect": { "else_": "any other title: execution halts with message" } });
        let plan = planned(case(json!({ "user": { "title": "MANAGER" } }))).expect("a plan");
        assert_ne!(plan["also"][0]["input"], plan["input"]);
        assert!(planned(case(json!({}))).is_err_and(|problem| problem.contains("/user/title")));
    }
}
