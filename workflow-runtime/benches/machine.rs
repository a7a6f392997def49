//! The cost of the machine: a state that only computes, a command, a snapshot.

#[path = "../tests/machines/extremes.rs"]
mod extremes;
#[path = "../tests/machines/order.rs"]
mod order;

use std::hint::black_box;
use std::task::{Context, Waker};

use divan::Bencher;
use divan::counter::ItemsCount;
use extremes::Extremes;
use order::Order;
use workflow_runtime::__private::{self as rt, Invoke, TaskFuture};
use workflow_runtime::machine::{Execution, Program, Start};
use workflow_runtime::{Builder, TaskContext, Timestamp, Value, value};

fn main() {
    divan::main();
}

const STEPS: i64 = 10_000;

fn start(program: Program, input: Value) -> Box<dyn Execution> {
    program.start(Start { seed: Some(1), time: Some(Timestamp::default()), ..Start::new(input) })
}

/// A pure state: entered from the loop of the executor, with nothing to do.
#[divan::bench]
fn pure_state(bencher: Bencher) {
    let input = value!({ "mode": "spin", "n": STEPS });
    bencher
        .counter(ItemsCount::new(STEPS as usize))
        .bench_local(|| start(Program::of::<Extremes>(), black_box(input.clone())));
}

/// A command and its completion in the machine, without an engine.
#[divan::bench]
fn command(bencher: Bencher) {
    let input = value!({ "mode": "beside", "n": STEPS });
    bencher.counter(ItemsCount::new(STEPS as usize)).bench_local(|| {
        let mut execution = start(Program::of::<Extremes>(), input.clone());
        execution.next_command();
        while let Some((op, _)) = execution.next_command() {
            execution.complete(op, Timestamp::default(), Ok(Value::Null));
        }
        execution
    });
}

struct Ready;

impl Invoke for Ready {
    fn invoke<'a>(&'a self, _task: &'static rt::Task, input: Value, _cx: TaskContext) -> TaskFuture<'a> {
        rt::task_future(async { Ok(input) })
    }
}

/// The same in the engine, with a task that is ready at once.
#[divan::bench]
fn command_in_memory(bencher: Bencher) {
    let input = value!({ "mode": "wide", "n": 1, "items": (0..STEPS).collect::<Vec<_>>() });
    bencher.counter(ItemsCount::new(STEPS as usize)).bench_local(|| block_on(&input));
}

fn block_on(input: &Value) {
    let mut run = Box::pin(Builder::<Extremes>::new().tasks(&Ready).run(input.clone()));
    let mut cx = Context::from_waker(Waker::noop());
    while run.as_mut().poll(&mut cx).is_pending() {}
}

/// Saving an order that waits for its first task, and loading it.
#[divan::bench]
fn save(bencher: Bencher) {
    let execution = start(Program::of::<Order>(), value!({ "id": "o-1", "card": "4111", "count": 1, "items": [1, 2] }));
    bencher.bench_local(|| execution.save());
}

#[divan::bench]
fn load(bencher: Bencher) {
    let execution = start(Program::of::<Order>(), value!({ "id": "o-1", "card": "4111", "count": 1, "items": [1, 2] }));
    let snapshot = execution.save();
    bencher.bench_local(|| Program::of::<Order>().load(black_box(&snapshot)));
}
