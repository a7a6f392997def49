//! Answers of the handler `status`: the waits of an execution.

use workflow_runtime::machine::{AwaitedEvent, Execution, Waiting, WaitsFor};
use workflow_runtime::{Array, Object, Value};

use crate::links::{Caller, Child};

/// Largest number of waits in an answer; nobody reads more.
pub const MAX_WAITS: usize = 100;

/// Describes the waits of an execution's frames, except waits for each other.
pub fn describe(execution: &dyn Execution, caller: Caller<'_>) -> Value {
    let frames = execution.describe();
    let waits = frames.iter().filter_map(|frame| describe_frame(frame, caller)).take(MAX_WAITS);
    Array::from(waits.collect::<Vec<_>>()).into()
}

fn describe_frame(waiting: &Waiting, caller: Caller<'_>) -> Option<Value> {
    let mut frame = Object::with_capacity(5);
    frame.insert("state", waiting.state);
    if !waiting.path.is_empty() {
        let path = waiting.path.iter().map(|step| format!("{}[{}]", step.state, step.index));
        frame.insert("path", path.collect::<Vec<_>>().join("/"));
    }
    frame.insert("since", waiting.entered);
    match &waiting.waits_for {
        WaitsFor::Task { key, deadline, token, .. } => {
            frame.insert("task", *key);
            if let Some(token) = token {
                frame.insert("token", token.clone());
            }
            if let Some(deadline) = deadline {
                frame.insert("deadline", *deadline);
            }
        }
        WaitsFor::Time(until) => {
            frame.insert("until", *until);
        }
        WaitsFor::Batch { first, items } => {
            frame.insert("items", format!("{first}-{}", first + items - 1));
        }
        WaitsFor::Event(reception) => {
            let kinds = reception.events.iter().map(|kind| Value::from(AwaitedEvent::from(*kind).to_value()));
            frame.insert("events", Array::from(kinds.collect::<Vec<_>>()));
            if let Some(until) = reception.until {
                frame.insert("until", until);
            }
        }
        WaitsFor::Child(call) => {
            frame.insert("workflow", call.workflow(caller.definition.name));
            frame.insert("execution", Child::key(call, caller));
            if let Some(deadline) = call.deadline() {
                frame.insert("deadline", deadline);
            }
        }
        WaitsFor::Map(counts) => {
            frame.insert("map", counts.to_value());
        }
        _ => return None,
    }
    Some(frame.into())
}
