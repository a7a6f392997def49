//! The tasks. Each records that it has begun, and the keys of the calls whose outputs have reached
//! it through the workflow: those calls must have completed.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;
use workflow_runtime::machine::Task;
use workflow_runtime::task::{Invoke, TaskFuture, task_future};
use workflow_runtime::{Fault, TaskContext, Value};

use crate::effects::{Asked, Effects};
use crate::kinds::STARTED_BY_EVENTS;

/// The tasks of all workflows.
#[derive(Clone)]
pub struct Tasks {
    /// The file in which the tasks record their effects.
    pub effects: Arc<Effects>,
    /// The channel to the code that answers waiting tasks.
    pub asked: UnboundedSender<Asked>,
}

impl Invoke for Tasks {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        let name = task.key.rsplit('/').next().unwrap_or(task.key);
        let (mut key, attempt) = (cx.idempotency_key().to_string(), cx.attempt());
        if cx.correlation().starts_with(STARTED_BY_EVENTS) {
            // The id of an execution that events have started is not known before.
            key = key.replace(cx.execution_id(), cx.correlation());
        }
        self.effects.note(&begin(&key, &input, &cx));
        let n = number(&input);
        if let (true, Some(token)) = (cx.awaits_callback(), cx.token()) {
            let asked = || Asked { key: key.clone(), token: token.to_owned(), n };
            self.effects.asked(&asked());
            let _ = self.asked.send(asked());
        }
        if name == "order" {
            let asked = || Asked::for_event(key.clone(), cx.execution_id(), n);
            self.effects.asked(&asked());
            let _ = self.asked.send(asked());
        }
        let outcome = match name {
            "flaky" if attempt == 1 => Err(Fault::new("Flaky", key)),
            "declines" => Err(Fault::new("Declined", key)),
            "odd" if n % 2 != 0 => Err(Fault::new("Declined", key)),
            _ => Ok(output(&input, &key, n + 1, &cx)),
        };
        task_future(async move {
            match random() % 4 {
                0 => {}
                1 => tokio::task::yield_now().await,
                _ => tokio::time::sleep(Duration::from_micros(random() % 8_000)).await,
            }
            outcome
        })
    }
}

/// Returns the line of a call that begins: its key, and the keys that have reached it. The name of
/// the process follows if there are several.
pub fn begin(key: &str, input: &Value, cx: &TaskContext) -> String {
    let mut after = Vec::new();
    collect_keys(input, &mut after);
    format!("begin {key} {} {} {}", cx.attempt(), cx.now().as_micros(), after.join(","))
}

/// Returns the output of a task: its input with another key and number.
fn output(input: &Value, key: &str, n: i64, cx: &TaskContext) -> Value {
    let mut output = input.as_object().cloned().unwrap_or_default();
    if let Some(left) = input.get("left").and_then(Value::as_i64) {
        output.insert("left", left - 1);
    }
    output.insert("key", key.to_owned());
    output.insert("n", n);
    output.insert("until", cx.now().plus(Duration::from_millis(10 + random() % 90)).to_string());
    // Handled errors are removed: a composition would fail again because of them.
    ["caught", "error"].into_iter().for_each(|name| drop(output.remove(name)));
    output.into()
}

/// Returns the sum of the branches' numbers, or the number of a document.
pub fn number(input: &Value) -> i64 {
    match input {
        Value::Array(items) => items.iter().map(number).sum(),
        input => input.get("n").and_then(Value::as_i64).unwrap_or_default(),
    }
}

/// Collects the keys of the tasks whose outputs or faults are in a document.
fn collect_keys(input: &Value, keys: &mut Vec<String>) {
    match input {
        Value::Array(items) => items.iter().for_each(|item| collect_keys(item, keys)),
        Value::Object(members) => {
            for (name, member) in members.iter() {
                match member.as_str() {
                    Some(key) if matches!(&**name, "key" | "Cause") => keys.push(key.to_owned()),
                    Some(error) if &**name == "error" => {
                        keys.push(error.rsplit(": ").next().unwrap_or(error).to_owned())
                    }
                    _ => collect_keys(member, keys),
                }
            }
        }
        _ => {}
    }
}

/// Returns any number. The results do not depend on it.
pub fn random() -> u64 {
    RandomState::new().hash_one(0)
}
