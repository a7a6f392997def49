//! Runs workflows of ten durable steps on the engine that keeps executions in SQLite. Argument: an
//! empty folder.

#[path = "../rate.rs"]
mod rate;

use std::path::Path;
use std::sync::Arc;

use rate::{STEPS, rate};
use tokio::runtime::Runtime;
use workflow_benchmarks::generated::rounds::Rounds;
use workflow_peers::{Measure, serve};
use workflow_runtime::__private::{Invoke, Task, TaskContext, TaskFuture, task_future};
use workflow_runtime::{Value, value};
use workflow_sqlite::Engine;

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let mut measures = Vec::new();
    for (engine, history) in [("ours", true), ("ours without history", false)] {
        let database = Arc::new(open(&runtime, folder.as_ref(), history));
        for (name, at_once) in [("one", 1), ("many", 64)] {
            let (runtime, shared, sampled) = (&runtime, database.clone(), database.clone());
            let run = move || {
                let engine = sampled.clone();
                async move { countdown(&engine).await }
            };
            measures.push(Measure {
                engine,
                name,
                output: Box::new(move || runtime.block_on(countdown(&shared)).to_string()),
                sample: Box::new(move || runtime.block_on(rate(at_once, run.clone()))),
            });
        }
    }
    serve(measures).expect("the bench reads the answers");
}

fn open(runtime: &Runtime, folder: &Path, history: bool) -> Engine {
    let builder = Engine::at(folder.join(format!("ours-{history}.db"))).workflow::<Rounds>(Countdown);
    let builder = if history { builder } else { builder.without_history() };
    runtime.block_on(builder.open()).expect("a database")
}

/// Runs a workflow, and returns what is left.
async fn countdown(engine: &Engine) -> Value {
    let execution = engine.start::<Rounds>(value!({ "left": STEPS })).submit().await.expect("a start");
    let output = execution.result().await.expect("a result").expect("an output");
    output.get("left").cloned().expect("a number")
}

/// The step, which counts down.
#[derive(Clone)]
struct Countdown;

impl Invoke for Countdown {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        let left = input.get("left").and_then(Value::as_i64).unwrap_or_default();
        task_future(std::future::ready(Ok(Value::from(left - 1))))
    }
}
