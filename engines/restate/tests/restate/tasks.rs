//! Tasks of the test workflows, with records of their runs.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use workflow_runtime::machine::{Outcome, Task};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Fault, TaskContext, Value, value};

/// Tasks of all test workflows. A clone shares the records.
#[derive(Clone, Default)]
pub struct Desk(Arc<Mutex<Memory>>);

#[derive(Default)]
struct Memory {
    /// Number of runs of each call, by its key.
    runs: BTreeMap<String, u32>,
    /// Started tasks, by execution and key.
    begun: Vec<(String, &'static str)>,
    /// Tokens that were handed out, by execution.
    tokens: Vec<(String, String)>,
    /// Executions with a dropped or cancelled task.
    dropped: Vec<String>,
    /// Set if the question for credit gets no answer.
    is_closed: bool,
}

impl Desk {
    fn memory<T>(&self, look: impl FnOnce(&mut Memory) -> T) -> T {
        look(&mut self.0.lock().unwrap())
    }

    /// Returns the number of runs of each call of an execution.
    pub fn runs(&self, execution: &str) -> Vec<u32> {
        let part = format!("/{execution}/");
        self.memory(|memory| memory.runs.iter().filter(|(key, _)| key.contains(&part)).map(|(_, runs)| *runs).collect())
    }

    /// Returns the tasks of an execution, in the order of their start.
    pub fn begun(&self, execution: &str) -> Vec<&'static str> {
        self.memory(|memory| memory.begun.iter().filter(|(of, _)| of == execution).map(|(_, key)| *key).collect())
    }

    /// Returns the tokens that an execution has handed out.
    pub fn tokens(&self, execution: &str) -> Vec<String> {
        self.memory(|memory| {
            memory.tokens.iter().filter(|(of, _)| of == execution).map(|(_, token)| token.clone()).collect()
        })
    }

    pub fn was_dropped(&self, execution: &str) -> bool {
        self.memory(|memory| memory.dropped.iter().any(|of| of == execution))
    }

    /// Sets whether the question for credit gets an answer.
    pub fn close(&self, is_closed: bool) {
        self.memory(|memory| memory.is_closed = is_closed);
    }

    async fn run(&self, key: &'static str, input: Value, cx: TaskContext) -> Outcome {
        let execution = cx.execution_id().to_owned();
        self.memory(|memory| {
            *memory.runs.entry(cx.idempotency_key()).or_default() += 1;
            memory.begun.push((execution.clone(), key));
        });
        match key {
            "reserve" => Ok(value!("reserved")),
            "charge" => match input.get("card").and_then(Value::as_str) {
                Some("busy") if cx.attempt() < 3 => Err(Fault::new("Busy", "later")),
                Some("declined") => Err(Fault::new("Declined", value!({ "by": "the bank" }))),
                Some("broken") => Err(Fault::new("Broken", "no line")),
                _ => Ok(value!({ "attempt": cx.attempt() })),
            },
            "release" => Ok(value!("released")),
            "left" => Ok(value!("left")),
            "double" => {
                // As long as other tasks can start meanwhile.
                tokio::time::sleep(Duration::from_millis(30)).await;
                Ok((input.as_i64().unwrap_or_default() * 2).into())
            }
            "count" => Ok(value!({ "left": input.get("left").and_then(Value::as_i64).unwrap_or_default() - 1 })),
            "hang" => {
                let _dropped = Dropped(self.clone(), execution);
                std::future::pending().await
            }
            "askBureau" if self.memory(|memory| memory.is_closed) => std::future::pending().await,
            "panic" => panic!("out of paper"),
            _ => {
                self.memory(|memory| memory.tokens.push((execution, cx.token().unwrap_or_default().to_owned())));
                Ok(Value::Null)
            }
        }
    }
}

struct Dropped(Desk, String);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.memory(|memory| memory.dropped.push(self.1.clone()));
    }
}

impl Invoke for Desk {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(self.run(task.key, input, cx))
    }
}
