//! Runs the workflows in memory: as generated code, as plain async functions, and in the crate
//! asl. Arguments: the input, and the definition for the crate asl, which is parsed once.

use asl::asl::execution::{Execution, ExecutionStatus, StateExecutionHandler};
use asl::asl::state_machine::StateMachine;
use asl::asl::types::execution::EmptyContext;
use serde_json::{Value as Json, json};
use tokio::runtime::Runtime;
use workflow_benchmarks::generated::{linear::Linear, ten::Ten};
use workflow_benchmarks::plain;
use workflow_benchmarks::ready::Ready;
use workflow_peers::{Measure, serve, timed};
use workflow_runtime::__private::Builder;
use workflow_runtime::{Value, Workflow};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut read = || std::fs::read_to_string(arguments.next().expect("a file")).expect("the file can be read");
    let input: Json = serde_json::from_str(&read()).expect("the input is JSON");
    let machine = StateMachine::parse(&read()).expect("the crate asl reads the definition");
    let value: Value = serde_json::from_value(input.clone()).expect("JSON is a value");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let measures = vec![
        measure("ours", "ten", || generated::<Ten>(&runtime, &value)),
        measure("ours", "linear", || generated::<Linear>(&runtime, &value)),
        measure("plain", "ten", || runtime.block_on(plain::ten(&Ready, value.clone())).expect("an output")),
        measure("plain", "linear", || runtime.block_on(plain::linear(&Ready, value.clone())).expect("an output")),
        measure("asl", "linear", || interpreted(&machine, &input)),
    ];
    serve(measures).expect("the bench reads the answers");
}

/// Returns a measurement of a function that runs the workflow once.
fn measure<'a, T: std::fmt::Display>(
    engine: &'static str,
    name: &'static str,
    run: impl Fn() -> T + Copy + 'a,
) -> Measure<'a> {
    let sample = move || timed(|| drop(std::hint::black_box(run())));
    Measure { engine, name, output: Box::new(move || run().to_string()), sample: Box::new(sample) }
}

fn generated<W: Workflow>(runtime: &Runtime, input: &Value) -> Value {
    let run = Builder::<W>::new().name("peers").seed(1).tasks(&Ready).run(input.clone());
    runtime.block_on(run).expect("an output")
}

fn interpreted(machine: &StateMachine, input: &Json) -> Json {
    let execution: Execution<'_, Tasks, EmptyContext> =
        machine.start(input, Tasks { order: input["order"].clone() }, EmptyContext {});
    match execution.last().map(|last| last.status) {
        Some(ExecutionStatus::FinishedWithSuccess(Some(output))) => output,
        other => panic!("the crate asl has no output: {other:?}"),
    }
}

/// The tasks of the workflow, for the crate asl.
struct Tasks {
    order: Json,
}

impl StateExecutionHandler for Tasks {
    type TaskExecutionError = String;

    fn execute_task(&self, resource: &str, input: &Json, _: Option<&Json>) -> Result<Option<Json>, String> {
        let name = resource.rsplit(':').next().unwrap_or_default();
        Ok(Some(match name {
            "Fetch" => self.order.clone(),
            "Enrich" => input.clone(),
            "Price" => json!(42),
            "Sum" => json!({ "sum": input["total"].as_i64().unwrap_or(0) + input["price"].as_i64().unwrap_or(0) }),
            _ => return Err(format!("there is no task {name}")),
        }))
    }
}
