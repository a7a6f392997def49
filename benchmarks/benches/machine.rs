//! Generated code compared with code by hand, pure states, commands, payloads, and the memory of a
//! waiting execution.

use divan::Bencher;
use workflow_benchmarks::by_hand::ByHand;
use workflow_benchmarks::generated::{chain, each, pure, ten};
use workflow_benchmarks::{Turns, calibration, items};
use workflow_runtime::__private::{Builder, Invoke, Task, TaskContext, TaskFuture, object, string, task_future};
use workflow_runtime::{Value, Workflow};

fn main() {
    divan::main();
    calibration::print("machine");
}

/// Tasks that answer at once.
struct Ready;

impl Invoke for Ready {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        task_future(async move {
            Ok(match task.key {
                "Fetch" => order(),
                "Enrich" | "Right" => input,
                "Price" => Value::Int(42),
                _ => Value::Int(input.get("n").and_then(Value::as_i64).unwrap_or(0) + 1),
            })
        })
    }
}

fn order() -> Value {
    let items: Vec<Value> = (0..10).map(|sku| object([("sku", Value::Int(sku)), ("count", Value::Int(2))])).collect();
    object([("id", Value::Int(7)), ("total", Value::Int(4200)), ("kind", string("plain")), ("items", items.into())])
}

fn input(payload: bool) -> Value {
    let mut input = object([("mode", string("y")), ("order", order())]);
    if payload {
        let rows: Vec<Value> = (0..900)
            .map(|row| {
                object([
                    ("id", Value::Int(row)),
                    ("name", string("a name of some length")),
                    ("price", Value::Float(1.5)),
                    ("tags", string("red, green, blue")),
                ])
            })
            .collect();
        if let Some(members) = input.as_object_mut() {
            members.insert("payload", Value::from(rows));
        }
    }
    input
}

fn run<W: Workflow>(bencher: Bencher<'_, '_>, payload: bool) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let input = input(payload);
    bencher.with_inputs(calibration::interleave).bench_local_values(|()| {
        runtime.block_on(Builder::<W>::new().name("bench").seed(1).tasks(&Ready).run(input.clone())).expect("an output")
    });
}

#[divan::bench(args = [false, true])]
fn ten_by_hand(bencher: Bencher<'_, '_>, payload: bool) {
    run::<ByHand>(bencher, payload);
}

#[divan::bench(args = [false, true])]
fn ten_generated(bencher: Bencher<'_, '_>, payload: bool) {
    run::<ten::Ten>(bencher, payload);
}

#[divan::bench(args = [false, true])]
fn pure_states(bencher: Bencher<'_, '_>, payload: bool) {
    run::<pure::Pure>(bencher, payload);
}

#[divan::bench(args = [false, true])]
fn commands(bencher: Bencher<'_, '_>, payload: bool) {
    run::<chain::Chain>(bencher, payload);
}

/// Runs a Map of `items` items, with 64 tasks in progress at the same time.
#[divan::bench(args = [64, 10_000])]
fn iterations(bencher: Bencher<'_, '_>, count: i64) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let input = items(count);
    bencher.with_inputs(calibration::interleave).bench_local_values(|()| {
        let run = Builder::<each::Each>::new().name("bench").seed(1).tasks(&Turns).run(input.clone());
        runtime.block_on(run).expect("an output")
    });
}
