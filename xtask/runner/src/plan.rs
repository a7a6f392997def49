//! The plan of a case: `{input, start?, name?, correlation?, machine?, account?, region?,
//! role?, settings?, stubs?, actions?, answers_with_request?, functions?, workflows?, echoes?,
//! events?, starts?, objects?, also?}`.
//!
//! `start` is the time at which the execution starts. With `starts`, the events start executions,
//! if the definition has start events. `also` is a list of further plans for the same workflow. A
//! stub is `{state, request?, reply, failed_items?, items?}`: one answer of the task of the state.
//! `reply` is `{"ok": …}`, `{"error"?: …, "cause"?: …}` or `"never"`. If the task replaces a Map,
//! `failed_items` is the number of items that have failed, and `items` the number of all items
//! that a reader has. With `actions`, the tasks answer as the actions of the module `actions`.
//! With `answers_with_request`, they answer with their input.
//!
//! `functions` maps resources or keys of tasks to functions. `workflows` maps names of child
//! workflows to the functions that replace them. The module `functions` describes both. `events`
//! are published from outside: `{at, event}`, where `at` is a number of seconds from the start, or
//! a time. `echoes` maps the subject of an event to the events that are published after it.
//! `objects` are the objects of the stores: `{Bucket, Key, Body}`. All other buckets share one
//! store, which is empty at first.

use crate::functions::{Function, Functions, read_events, read_seconds};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use workflow_objects::store::{MemoryStore, Stores};
use workflow_runtime::{CloudEvent, Fault, Object, Str, Timestamp, Value};

/// The plan of a case.
pub struct Plan {
    /// The input.
    pub input: Value,
    /// The time at which the execution starts.
    pub start: Timestamp,
    /// The name of the execution.
    pub name: Option<Str>,
    /// The correlation key of the execution.
    pub correlation: Option<Str>,
    /// The name of the workflow in the context object.
    pub machine: Option<Str>,
    /// The account in the context object.
    pub account: Option<Str>,
    /// The region in the context object.
    pub region: Option<Str>,
    /// The role in the context object.
    pub role: Option<Str>,
    /// Values of settings.
    pub settings: Object,
    /// The answers of tasks.
    pub stubs: Vec<Stub>,
    /// `true` if tasks answer as OpenWhisk actions.
    pub actions: bool,
    /// Tasks by their resources.
    pub functions: Functions,
    /// The functions that replace child workflows.
    pub workflows: Functions,
    /// Events that follow other events, by the subjects of the latter.
    pub echoes: Vec<(String, Vec<CloudEvent>)>,
    /// Events from outside, each with the time at which it is published.
    pub events: Vec<(Duration, CloudEvent)>,
    /// `true` if the events start executions. Without effect on a workflow without start events.
    pub starts: bool,
    /// `true` if tasks answer with their requests.
    pub answers_with_request: bool,
    /// The stores with the objects.
    pub stores: Stores,
}

/// One answer of the task of a state.
pub struct Stub {
    /// The state.
    pub state: String,
    /// The input that the stub is for. A stub without one answers any input that no other stub is
    /// for.
    pub request: Option<Value>,
    /// The answer.
    pub reply: Reply,
    /// The number of items that have failed, if the task replaces a Map.
    pub failed_items: Option<u64>,
    /// The number of items that a reader has.
    pub items: Option<u64>,
}

/// The answer of a task.
#[derive(Clone)]
pub enum Reply {
    /// The task succeeds with this output.
    Ok(Value),
    /// The task fails with this fault.
    Fault(Fault),
    /// The task does not answer.
    Never,
}

impl Plan {
    /// Reads a plan.
    pub fn read(plan: &Value) -> Result<Plan, String> {
        let text = |key: &str| plan.get(key).and_then(Value::as_str).map(Str::from);
        let start = plan.get("start").and_then(Value::as_str).unwrap_or("2026-01-01T00:00:00Z");
        let start: Timestamp = start.parse().map_err(|_| format!("`{start}` is not a time"))?;
        let flag = |key: &str| plan.get(key).and_then(Value::as_bool).unwrap_or_default();
        Ok(Plan {
            input: plan.get("input").cloned().unwrap_or_default(),
            start,
            name: text("name"),
            correlation: text("correlation"),
            machine: text("machine"),
            account: text("account"),
            region: text("region"),
            role: text("role"),
            settings: plan.get("settings").and_then(Value::as_object).cloned().unwrap_or_default(),
            stubs: items_of(plan.get("stubs")).map(read_stub).collect::<Result<_, _>>()?,
            actions: flag("actions"),
            functions: read_functions(plan.get("functions"))?,
            workflows: read_functions(plan.get("workflows"))?,
            echoes: members_of(plan.get("echoes"))
                .map(|(subject, events)| Ok((subject.to_string(), read_events(events)?)))
                .collect::<Result<_, String>>()?,
            events: items_of(plan.get("events")).map(|event| read_event(event, start)).collect::<Result<_, _>>()?,
            starts: flag("starts"),
            answers_with_request: flag("answers_with_request"),
            stores: read_objects(items_of(plan.get("objects")))?,
        })
    }
}

fn members_of(object: Option<&Value>) -> impl Iterator<Item = (&Str, &Value)> {
    object.and_then(Value::as_object).into_iter().flat_map(|members| members.iter())
}

fn items_of(array: Option<&Value>) -> impl Iterator<Item = &Value> {
    array.and_then(Value::as_array).into_iter().flatten()
}

/// Returns stores with these objects.
fn read_objects<'a>(objects: impl Iterator<Item = &'a Value>) -> Result<Stores, String> {
    let mut buckets: BTreeMap<String, MemoryStore> = BTreeMap::new();
    for object in objects {
        let text =
            |name: &str| object.get(name).and_then(Value::as_str).ok_or_else(|| format!("an object without `{name}`"));
        let bucket = buckets.entry(text("Bucket")?.to_owned()).or_default();
        bucket.insert(text("Key")?, text("Body")?.as_bytes().to_vec());
    }
    // Results are written to a bucket that no case lists.
    let results = Arc::new(MemoryStore::new());
    let stores = Stores::new().with_others(move |_| Some(results.clone()));
    Ok(buckets.into_iter().fold(stores, |stores, (name, bucket)| stores.with(name, bucket)))
}

fn read_functions(functions: Option<&Value>) -> Result<Functions, String> {
    let read = |(name, function): (&Str, &Value)| match Function::read(function) {
        Ok(function) => Ok((name.to_string(), Arc::new(function))),
        Err(problem) => Err(format!("`{name}`: {problem}")),
    };
    members_of(functions).map(read).collect()
}

fn read_event(event: &Value, start: Timestamp) -> Result<(Duration, CloudEvent), String> {
    let at = match event.get("at").unwrap_or(&Value::Null) {
        Value::String(time) => {
            let time: Timestamp = time.parse().map_err(|_| format!("`{time}` is not a time"))?;
            if time < start {
                return Err(format!("an event at {time}, before the start at {start}"));
            }
            time.since(start)
        }
        seconds => read_seconds(seconds)?,
    };
    let event = CloudEvent::from_value(event.get("event").unwrap_or(&Value::Null));
    Ok((at, event.map_err(|error| error.to_string())?))
}

fn read_stub(stub: &Value) -> Result<Stub, String> {
    let state = stub.get("state").and_then(Value::as_str).ok_or("a stub without a state")?;
    let reply = stub.get("reply").ok_or("a stub without a reply")?;
    let reply = match (reply.get("ok"), reply.as_str()) {
        (Some(output), _) => Reply::Ok(output.clone()),
        (None, Some("never")) => Reply::Never,
        _ => Reply::Fault(Fault::from_parts(reply.get("error").cloned(), reply.get("cause").cloned())),
    };
    let number = |name: &str| match stub.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_i64().and_then(|number| u64::try_from(number).ok()) {
            Some(number) => Ok(Some(number)),
            None => Err(format!("`{name}` of the stub of `{state}` is not a number of items: {value}")),
        },
    };
    let (failed_items, items) = (number("failed_items")?, number("items")?);
    Ok(Stub { state: state.to_owned(), request: stub.get("request").cloned(), reply, failed_items, items })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_read_and_nonsense_is_named() -> Result<(), String> {
        let read = |text: &str| Plan::read(&text.parse().map_err(|error| format!("{error}"))?);
        let stubs = r#"{"stubs": [{"state": "A", "reply": {"ok": null}}, {"state": "A", "reply": {"error": "E"}},
            {"state": "A", "reply": "never"}]}"#;
        let kinds = read(stubs)?.stubs.into_iter().map(|stub| match stub.reply {
            Reply::Ok(output) => output.to_string(),
            Reply::Fault(fault) => format!("{:?} {:?}", fault.error(), fault.cause()),
            Reply::Never => "never".to_owned(),
        });
        assert_eq!(kinds.collect::<Vec<_>>(), ["null", "Some(\"E\") None", "never"]);
        assert!(read(r#"{"start": "soon"}"#).is_err_and(|message| message.contains("soon")));
        assert!(read(r#"{"stubs": [{}]}"#).is_err());
        for (numbers, expected) in [
            (r#""items": null, "failed_items": 2"#, Ok((Some(2), None))),
            (r#""items": "7""#, Err(r#"`items` of the stub of `A` is not a number of items: "7""#)),
            (r#""failed_items": -1"#, Err("`failed_items` of the stub of `A` is not a number of items: -1")),
            (r#""items": 1.5"#, Err("`items` of the stub of `A` is not a number of items: 1.5")),
        ] {
            let plan = read(&format!(r#"{{"stubs": [{{"state": "A", "reply": {{"ok": null}}, {numbers}}}]}}"#));
            let read = plan.map(|plan| plan.stubs.first().map(|stub| (stub.failed_items, stub.items)));
            assert_eq!(read, expected.map(Some).map_err(str::to_owned), "{numbers}");
        }
        assert!(read(r#"{"functions": {"f": {"run": ""}}}"#).is_err_and(|message| message.contains("`f`: ")));
        assert!(read(r#"{"events": [{"at": 1}]}"#).is_err());
        let event = r#""event": {"specversion": "1.0", "id": "1", "source": "s", "type": "t"}"#;
        let at = |time: &str| {
            let plan =
                read(&format!(r#"{{"start": "2026-01-01T00:00:00Z", "events": [{{"at": "{time}", {event}}}]}}"#));
            plan.map(|plan| plan.events.first().map(|(at, _)| at.as_secs()))
        };
        assert_eq!(at("2026-01-01T00:01:30Z"), Ok(Some(90)));
        assert!(at("2025-12-31T23:59:59Z").is_err_and(|message| message.contains("before the start")));
        assert!(at("PT1M").is_err_and(|message| message.contains("`PT1M`")));
        Ok(())
    }
}
