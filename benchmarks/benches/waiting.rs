//! The memory of waiting executions, the peak of allocated bytes; and the allocations of a run.

use divan::{AllocProfiler, Bencher};
use std::task::{Context, Waker};
use workflow_benchmarks::generated::each::Each;
use workflow_benchmarks::generated::ten::Ten;
use workflow_benchmarks::ready::{self, Ready};
use workflow_benchmarks::{Turns, items, plain};
use workflow_runtime::__private::{Builder, Invoke, Task, TaskContext, TaskFuture, task_future};
use workflow_runtime::{Value, value};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

struct Never;

impl Invoke for Never {
    fn invoke<'a>(&'a self, _: &'static Task, _: Value, _: TaskContext) -> TaskFuture<'a> {
        task_future(std::future::pending())
    }
}

fn input(id: i64) -> Value {
    value!({ "mode": "y", "id": id })
}

/// Holds only the documents of the waiting executions: their input, with the member that the state
/// before the task has added.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn documents(bencher: Bencher) {
    bencher.bench_local(|| {
        let documents: Vec<Value> = (0..10_000)
            .map(|id| {
                let mut document = input(id);
                if let Some(members) = document.as_object_mut() {
                    members.insert("meta", Value::Null);
                }
                document
            })
            .collect();
        documents.len()
    });
}

/// Holds 10,000 executions, each with its own input, its task, and the timer of the task's
/// time-out.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn waiting(bencher: Bencher) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let _inside = runtime.enter();
    bencher.bench_local(|| {
        let mut cx = Context::from_waker(Waker::noop());
        let runs: Vec<_> = (0..10_000)
            .map(|id| {
                let mut run = Box::pin(Builder::<Ten>::new().tasks(&Never).run(input(id)));
                assert!(run.as_mut().poll(&mut cx).is_pending());
                run
            })
            .collect();
        runs.len()
    });
}

/// Runs a Map of `items` items, 64 at the same time. Measures the memory of those 64, and of the
/// outputs of all.
#[divan::bench(args = [64, 10_000], sample_count = 5, sample_size = 1)]
fn iterating(bencher: Bencher, count: i64) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let input = items(count);
    bencher.bench_local(|| {
        runtime.block_on(Builder::<Each>::new().seed(1).tasks(&Turns).run(input.clone())).expect("an output")
    });
}

/// Runs the workflow of ten states, whose tasks answer at once.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn ten(bencher: Bencher) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    bencher.with_inputs(|| ready::input(false)).bench_local_values(|input| {
        runtime.block_on(Builder::<Ten>::new().name("bench").seed(1).tasks(&Ready).run(input)).expect("an output")
    });
}

/// Runs the same logic as a plain function.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn ten_plain(bencher: Bencher) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    bencher
        .with_inputs(|| ready::input(false))
        .bench_local_values(|input| runtime.block_on(plain::ten(&Ready, input)).expect("an output"));
}
