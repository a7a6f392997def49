//! What an execution waits for, as `status` tells it.

use workflow_runtime::machine::{Execution, Waiting, WaitsFor};
use workflow_runtime::{Array, Object, Value};

use crate::beyond::{Caller, Child};

/// Of how many things it is told: more than that is nothing that people read.
const LIMIT: usize = 100;

/// What the frames of an execution wait for, other than each other.
pub fn describe(execution: &dyn Execution, caller: Caller<'_>) -> Value {
    let frames = execution.describe();
    let told = frames.iter().filter_map(|frame| describe_frame(frame, caller)).take(LIMIT);
    Array::from(told.collect::<Vec<_>>()).into()
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
        WaitsFor::Task { key, deadline, .. } => {
            frame.insert("task", *key);
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
            let names = reception.events.iter().map(|kind| Value::from(kind.name));
            frame.insert("events", Array::from(names.collect::<Vec<_>>()));
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
        _ => return None,
    }
    Some(frame.into())
}
