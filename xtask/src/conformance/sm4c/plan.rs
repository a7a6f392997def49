//! Plans for the runner: the stubs and events of a case.

use crate::conformance::fields;
use serde_json::{Map, Value, json};

/// The source of events for which the case states none. No definition tests it.
const SOURCE: &str = "/somewhere";

/// Returns the plan of a case.
pub fn plan(case: &Value) -> Result<Value, String> {
    let (mut functions, mut workflows, mut echoes) = (Map::new(), Map::new(), Map::new());
    for (name, stub) in case["functions"].as_object().into_iter().flatten() {
        fields::check(&format!("the stub `{name}`"), stub, &["result", "error", "emit", "delay"])?;
        if let Some(event) = name.strip_prefix("on:") {
            let emitted = stub.get("emit").ok_or_else(|| format!("`{name}` emits nothing"))?;
            echoes.insert(event.to_owned(), events(emitted)?);
            continue;
        }
        let mut stub = stub.clone();
        if let Some(emitted) = stub.get_mut("emit") {
            *emitted = events(emitted)?;
        }
        match name.strip_prefix("subflow:") {
            Some(workflow) => workflows.insert(workflow.to_owned(), stub),
            None => functions.insert(name.clone(), stub),
        };
    }
    let outside = case["events"].as_array().into_iter().flatten().enumerate();
    let outside = outside.map(|(at, one)| Ok(json!({ "at": one["at"], "event": event(one, at)? })));
    Ok(json!({
        "input": case["input"],
        "functions": functions,
        "workflows": workflows,
        "echoes": echoes,
        "events": outside.collect::<Result<Vec<Value>, String>>()?,
    }))
}

fn events(list: &Value) -> Result<Value, String> {
    let list = list.as_array().ok_or("`emit` is not a list of events")?;
    list.iter().enumerate().map(|(at, one)| event(one, at)).collect()
}

/// Returns an event as a CloudEvent. A CloudEvent has a type and a source, also if the case states
/// none.
fn event(event: &Value, at: usize) -> Result<Value, String> {
    let known = ["at", "EventName", "EventType", "EventSource", "Data", "ContextAttributes"];
    let unknown = event.as_object().into_iter().flatten().find(|(name, _)| !known.contains(&name.as_str()));
    if let Some((name, _)) = unknown {
        return Err(format!("an event has no member `{name}`"));
    }
    let name = event["EventName"].as_str().ok_or_else(|| format!("an event without a name: {event}"))?;
    let mut attributes = event["ContextAttributes"].as_object().cloned().unwrap_or_default();
    let text = |member: &str, default: &str| json!(event[member].as_str().unwrap_or(default));
    attributes.extend([
        ("specversion".to_owned(), json!("1.0")),
        ("id".to_owned(), json!((at + 1).to_string())),
        ("source".to_owned(), text("EventSource", SOURCE)),
        ("type".to_owned(), text("EventType", name)),
        ("subject".to_owned(), json!(name)),
        ("data".to_owned(), event["Data"].clone()),
    ]);
    Ok(attributes.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stubs_are_distinguished_and_events_become_cloud_events() {
        let case = json!({
            "input": 1,
            "functions": {
                "u#f": { "result": "1", "emit": [{ "EventName": "a", "EventType": null, "EventSource": null, "Data": 2 }] },
                "subflow:child": { "delay": 3 },
                "on:b": { "emit": [{ "EventName": "c", "EventType": "T", "EventSource": "/s", "ContextAttributes": { "x": "y" } }] },
            },
            "events": [{ "EventName": "d", "at": 4 }],
        });
        let of = |id: &str, source: &str, kind: &str, name: &str, data: Value| json!({ "specversion": "1.0", "id": id, "source": source, "type": kind, "subject": name, "data": data });
        let mut answer = of("1", "/s", "T", "c", Value::Null);
        answer["x"] = json!("y");
        let expected = json!({
            "input": 1,
            "functions": { "u#f": { "result": "1", "emit": [of("1", SOURCE, "a", "a", json!(2))] } },
            "workflows": { "child": { "delay": 3 } },
            "echoes": { "b": [answer] },
            "events": [{ "at": 4, "event": of("1", SOURCE, "d", "d", Value::Null) }],
        });
        assert_eq!(plan(&case), Ok(expected));
        let unnamed = json!({ "events": [{ "at": 1 }] });
        assert!(plan(&unnamed).is_err_and(|error| error.contains("without a name")));
    }
}
