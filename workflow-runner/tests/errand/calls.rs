//! Tasks that record their calls in the folder of the program, beside its database. The records
//! outlive the program.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use workflow_runtime::machine::Task;
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Fault, TaskContext, Value, value};

use crate::program::Place;

const FILE: &str = "calls";

/// The recording tasks: each call is a line of a file. While a file `hold-TASK` exists, calls of
/// that task do not end.
pub struct Recorder;

impl Invoke for Recorder {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            let call = value!({
                "task": task.key, "execution": cx.execution_id(), "correlation": cx.correlation(),
                "key": cx.idempotency_key(), "input": input,
            });
            let file = std::fs::File::options().create(true).append(true).open(FILE);
            // Each line is one write, so that lines of concurrent calls do not mix.
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

/// The recorded calls, and the files that hold tasks.
impl Place {
    /// Holds the task: calls that begin from now on do not end.
    pub fn hold(&self, task: &str) {
        std::fs::write(self.file(&held(task)), "").expect("a file");
    }

    /// Lets go of the task: calls that begin from now on end. Held calls do not.
    pub fn let_go(&self, task: &str) {
        std::fs::remove_file(self.file(&held(task))).expect("it is held");
    }

    /// Returns the calls of a task, in order.
    pub fn calls(&self, task: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.file(FILE)).unwrap_or_default();
        let calls = text.lines().map(|line| Value::from_json(line).expect("a call"));
        calls.filter(|call| call.get("task") == Some(&task.into())).collect()
    }

    /// Returns the correlation keys and inputs of a task's calls, in order, without repeated
    /// calls. A call that was running when the program ended is repeated with the same idempotency
    /// key and the same input.
    pub fn called_with(&self, task: &str) -> Vec<(String, Value)> {
        let mut known = BTreeSet::new();
        let text = |call: &Value, name: &str| call.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let calls = self.calls(task).into_iter();
        let first = calls.filter(|call| known.insert(text(call, "key")));
        first.map(|call| (text(&call, "correlation"), call.get("input").cloned().unwrap_or_default())).collect()
    }
}
