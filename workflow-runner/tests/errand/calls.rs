//! Tasks that write down in the folder of the program, beside its database, how they were called:
//! what is there outlives the program.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use workflow_runtime::machine::Task;
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Fault, TaskContext, Value, value};

use crate::program::Place;

const FILE: &str = "calls";

/// Each call is a line of a file. Where there is a file `hold-TASK`, the call does not end.
pub struct Recorder;

impl Invoke for Recorder {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            let call = value!({
                "task": task.key, "execution": cx.execution_id(), "correlation": cx.correlation(),
                "key": cx.idempotency_key(), "input": input,
            });
            let file = std::fs::File::options().create(true).append(true).open(FILE);
            // Lines of calls at the same time must not mix.
            let written = file.and_then(|mut file| file.write_all(format!("{call}\n").as_bytes()));
            written.map_err(|error| Fault::new("NotWritten", error.to_string()))?;
            if Path::new(&held(task.key)).exists() {
                std::future::pending::<()>().await;
            }
            Ok(Value::Null)
        })
    }
}

fn held(task: &str) -> String {
    format!("hold-{task}")
}

/// What tasks were called with, and whether they end.
impl Place {
    /// From now on calls of the task do not end.
    pub fn hold(&self, task: &str) {
        std::fs::write(self.file(&held(task)), "").expect("a file");
    }

    /// From now on calls of the task end. Those under way do not.
    pub fn let_go(&self, task: &str) {
        std::fs::remove_file(self.file(&held(task))).expect("it is held");
    }

    /// The calls of a task, in their order.
    pub fn calls(&self, task: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.file(FILE)).unwrap_or_default();
        let calls = text.lines().map(|line| Value::from_json(line).expect("a call"));
        calls.filter(|call| call.get("task") == Some(&task.into())).collect()
    }

    /// What a task was called with, each call once: one that was under way when the program ended
    /// is made once more, and has the same key and the same input. In the order of the calls,
    /// without the execution and the key.
    pub fn called_with(&self, task: &str) -> Vec<(String, Value)> {
        let mut known = BTreeSet::new();
        let text = |call: &Value, name: &str| call.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let calls = self.calls(task).into_iter();
        let first = calls.filter(|call| known.insert(text(call, "key")));
        first.map(|call| (text(&call, "correlation"), call.get("input").cloned().unwrap_or_default())).collect()
    }
}
