//! Methods of gRPC services, on a local server.

mod calls;
mod certificates;
mod messages;
mod server;
mod workflows;

use std::sync::Mutex;

use workflow_connectors::Rpc;
use workflow_runtime::include_workflow;
use workflow_runtime::machine::{Outcome, Task};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Builder, TaskContext, Value};

include_workflow!("flows/charge.sm4c.json");
include_workflow!("flows/echo.sm4c.json");
include_workflow!("flows/receipt.composer.json");

static CHARGE: &Task = charge::DEFINITION.tasks[0];
static ECHO: &Task = echo::DEFINITION.tasks[0];

/// Runs a workflow's task with this input, and keeps the outcome.
struct Direct<'a> {
    rpc: &'a Rpc,
    input: Value,
    outcome: Mutex<Option<Outcome>>,
}

impl Invoke for Direct<'_> {
    fn invoke<'a>(&'a self, _task: &'static Task, _input: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            let outcome = self.rpc.call(self.input.clone(), &cx).await;
            *self.outcome.lock().unwrap() = Some(outcome.clone());
            outcome
        })
    }
}

impl<'a> Direct<'a> {
    fn new(rpc: &'a Rpc, input: Value) -> Direct<'a> {
        Direct { rpc, input, outcome: Mutex::new(None) }
    }

    fn outcome(self) -> Outcome {
        self.outcome.into_inner().unwrap().expect("the task was called")
    }
}

/// Calls the method `Charge`.
async fn charge(rpc: &Rpc, input: Value) -> Outcome {
    let tasks = Direct::new(rpc, input);
    drop(Builder::<charge::Charge>::new().name("order 5").tasks(&tasks).run(Value::Null).await);
    tasks.outcome()
}

/// Calls the method `Echo` with a time-out of a second.
async fn echo(rpc: &Rpc, input: Value) -> Outcome {
    let tasks = Direct::new(rpc, input);
    drop(Builder::<echo::Echo>::new().tasks(&tasks).run(Value::Null).await);
    tasks.outcome()
}
