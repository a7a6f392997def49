//! Tests that no broken definition causes a panic.

use crate::diagnostics::Severity;
use crate::source::Source;
use crate::{Options, compile};
use serde_json::{Value, json};

/// Definition with every construct of the language.
const ALL: &str = r#"{
"id": "all", "name": "All", "version": "1", "expressionLanguage": "spel",
"events": [{"name": "Paid", "source": "/bank", "type": "paid", "correlationToken": "order"}, {"name": "Sent", "source": "/shop", "type": "sent"}],
"functions": [{"name": "charge", "resource": "https://bank.example/{id}", "type": "rest", "metadata": {"method": "GET"}}, {"name": "pack", "resource": "x"}],
"states": [
    {"name": "Wait", "type": "event", "exclusive": false, "timeout": "PT1M",
        "start": {"kind": "scheduled", "schedule": {"interval": "2020-03-20T09:00:00Z/P1M"}},
        "eventsActions": [{"eventRefs": ["Paid", "Sent"], "eventDataFilter": {"dataOutputPath": "$.a"}, "actions": [{"functionRef": {"refName": "pack"}}]}],
        "transition": {"nextState": "Choose"}},
    {"name": "Choose", "id": "c", "type": "switch", "default": {"nextState": "Do"},
        "dataConditions": [{"path": "$.a[?(@.b)]", "operator": "custom", "metadata": {"function": "fits"}, "transition": {"nextState": "Do"}},
            {"path": "$.b", "operator": "matches", "value": "[a-z]+", "transition": {"nextState": "Do", "expression": "$.b ne 'x'"}}]},
    {"name": "Do", "type": "operation", "actionMode": "parallel", "stateDataFilter": {"dataInputPath": "$.c", "dataOutputPath": "$.d"},
        "actions": [{"functionRef": {"refName": "charge", "parameters": {"id": "$.id", "all": ["$.x", 1]}}, "timeout": "PT5S"},
            {"functionRef": {"refName": "pack"}, "actionDataFilter": {"dataInputPath": "$.e", "dataResultsPath": "$.f"}}],
        "retry": [{"expression": "$.error.name eq 'Busy'", "interval": "R4/PT1M", "multiplier": "PT1S", "maxAttempts": 3}],
        "onError": [{"expression": {"language": "jq", "body": ".error != null"}, "errorDataFilter": {"dataOutputPath": "$.error"},
            "transition": {"nextState": "Hear"}}],
        "transition": {"nextState": "Both", "expression": {"language": "jsonpath", "body": "$.ok"}, "produceEvent": {"eventRef": "Sent", "data": "$.x"}}},
    {"name": "Both", "type": "parallel", "completionType": "n_of_m", "n": 1, "transition": {"nextState": "Each"}, "branches": [
        {"name": "one", "states": [{"name": "Pause", "type": "delay", "timeDelay": "PT1S", "start": {"kind": "default"}, "end": {"kind": "terminate"}}]},
        {"name": "two", "states": [{"name": "Sub", "type": "subflow", "workflowId": "w", "waitForCompletion": true, "start": {"kind": "default"}, "end": {"kind": "default"}}]}]},
    {"name": "Each", "type": "foreach", "inputCollection": "$.items", "inputParameter": "$.item", "outputCollection": "$.done", "max": 2, "timeDelay": "PT1S",
        "states": [{"name": "Put", "type": "inject", "data": {"n": 1}, "start": {"kind": "default"}, "end": {"kind": "default"}}],
        "transition": {"nextState": "Hear"}},
    {"name": "Hear", "type": "switch", "eventTimeout": "PT1H", "default": {"nextState": "Call"},
        "eventConditions": [{"eventRef": "Paid", "eventDataFilter": {"dataOutputPath": "$.p"}, "transition": {"nextState": "Call"}}]},
    {"name": "Call", "type": "callback", "action": {"functionRef": {"refName": "pack"}}, "eventRef": "Sent", "timeout": "PT1M",
        "eventDataFilter": {"dataOutputPath": "$.s"}, "end": {"kind": "event", "produceEvent": {"eventRef": "Sent", "data": {"x": "$.y"}}}}
]}"#;

/// Compiles a definition. Checks that a refused one has an error.
fn compiled(definition: &Value) -> bool {
    let output = compile(Source::new("flow.sw.json", definition.to_string()), &Options::default());
    let has_error = output.diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error);
    assert_eq!(output.is_refused(), has_error, "{definition}");
    !has_error
}

/// Collects the JSON pointers of all members and elements.
fn places(value: &Value, at: &str, all: &mut Vec<String>) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    for (name, value) in inner {
        let at = format!("{at}/{name}");
        places(value, &at, all);
        all.push(at);
    }
}

/// Returns the definition after a change of the value around a pointer. `change` receives that
/// value and the last name of the pointer.
fn changed(all: &Value, place: &str, change: impl FnOnce(&mut Value, &str)) -> Value {
    let mut all = all.clone();
    let (around, name) = place.rsplit_once('/').expect("it begins with a slash");
    change(all.pointer_mut(around).expect("it is there"), name);
    all
}

fn all() -> (Value, Vec<String>) {
    let all: Value = serde_json::from_str(ALL).expect("it is JSON");
    assert!(compiled(&all));
    let mut pointers = Vec::new();
    places(&all, "", &mut pointers);
    assert!(pointers.len() > 150, "{}", pointers.len());
    (all, pointers)
}

#[test]
fn members_are_dropped_and_doubled() {
    let (all, places) = all();
    for place in places {
        compiled(&changed(&all, &place, |around, name| match around {
            Value::Object(members) => _ = members.remove(name),
            Value::Array(items) => _ = items.remove(name.parse().expect("it is a number")),
            _ => {}
        }));
        compiled(&changed(&all, &place, |around, name| match around {
            Value::Object(members) => {
                let value = members[name].clone();
                members.insert(format!("{name}s"), value);
            }
            Value::Array(items) => {
                let item = items[name.parse::<usize>().expect("it is a number")].clone();
                items.push(item);
            }
            _ => {}
        }));
    }
}

#[test]
fn values_are_replaced() {
    let (all, places) = all();
    let others = [json!(null), json!(true), json!(-1.5), json!(""), json!("$.["), json!([[]]), json!({"": {}})];
    for place in places {
        for other in &others {
            compiled(&changed(&all, &place, |around, name| match around {
                Value::Object(members) => members[name] = other.clone(),
                Value::Array(items) => items[name.parse::<usize>().expect("it is a number")] = other.clone(),
                _ => {}
            }));
        }
    }
}

/// Checks states that have the members of other types.
#[test]
fn kinds_are_exchanged() {
    let (all, _) = all();
    let states = all["states"].as_array().expect("they are a list").clone();
    for at in 0..states.len() {
        for kind in ["event", "operation", "switch", "delay", "parallel", "subflow", "inject", "foreach", "callback"] {
            let mut all = all.clone();
            all["states"][at]["type"] = kind.into();
            compiled(&all);
            for other in &states {
                let mut mixed = all.clone();
                for (name, value) in
                    other.as_object().expect("it is a state").iter().filter(|(name, _)| *name != "type")
                {
                    mixed["states"][at][name] = value.clone();
                }
                compiled(&mixed);
            }
        }
    }
}
