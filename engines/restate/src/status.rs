//! What an execution waits for, as `status` tells it.

use workflow_runtime::machine::{Execution, Waiting, WaitsFor};
use workflow_runtime::{Array, Object, Value};

/// Of how many things it is told: more than that is nothing that people read.
const LIMIT: usize = 100;

/// What the frames of an execution wait for, other than each other.
pub fn describe(execution: &dyn Execution) -> Value {
    Array::from(execution.describe().iter().filter_map(describe_frame).take(LIMIT).collect::<Vec<_>>()).into()
}

fn describe_frame(waiting: &Waiting) -> Option<Value> {
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
        _ => return None,
    }
    Some(frame.into())
}
