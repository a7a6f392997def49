//! The memory of an execution that waits: see the allocated bytes.

#[path = "../tests/machines/order.rs"]
mod order;

use std::alloc::System;
use std::task::{Context, Waker};

use divan::{AllocProfiler, Bencher};
use order::Order;
use workflow_runtime::__private::{self as rt, Invoke, TaskFuture};
use workflow_runtime::machine::{Program, Start};
use workflow_runtime::testing::VirtualClock;
use workflow_runtime::{Builder, TaskContext, Value, value};

#[global_allocator]
static ALLOCATOR: AllocProfiler<System> = AllocProfiler::system();

fn main() {
    divan::main();
}

fn input() -> Value {
    value!({ "id": "o-1", "card": "4111" })
}

/// An order that waits for its first task, without an engine.
#[divan::bench]
fn execution(bencher: Bencher) {
    let input = input();
    bencher.bench_local(|| {
        let mut execution = Program::of::<Order>().start(Start::new(input.clone()));
        assert!(execution.next_command().is_some());
        execution
    });
}

struct Never;

impl Invoke for Never {
    fn invoke<'a>(&'a self, _task: &'static rt::Task, _input: Value, _cx: TaskContext) -> TaskFuture<'a> {
        rt::task_future(std::future::pending())
    }
}

/// The same in the engine in memory, with its task, timers and context.
#[divan::bench]
fn execution_in_memory(bencher: Bencher) {
    let (input, clock) = (input(), VirtualClock::new().steered());
    bencher.bench_local(|| {
        let mut run = Box::pin(Builder::<Order>::new().clock(clock.clone()).tasks(&Never).run(input.clone()));
        assert!(run.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        run
    });
}
