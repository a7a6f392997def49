//! The cost of running turns on worker threads, in CPU time of all threads. Prints lines of a name
//! and nanoseconds.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::future::poll_fn;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};

use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use workflow_benchmarks::calibration;
use workflow_benchmarks::generated::chain::Chain;
use workflow_runtime::__private::{Builder, Invoke, Task, TaskContext, TaskFuture, object, task_future};
use workflow_runtime::Value;
use workflow_runtime::engine::turns::Workers;

/// The turns of an execution of `chain.asl.json`: one ends at each of its hundred tasks, and one
/// at its end.
const TURNS: u32 = 101;
/// Executions that run at the same time.
const MANY: usize = 64;
/// The number of samples. The cheapest counts.
const SAMPLES: usize = 15;
/// Rounds of `MANY` executions, or of one execution, in a sample.
const ROUNDS: u32 = 20;

/// A task that returns its input plus one.
struct Count;

impl Invoke for Count {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        task_future(async move { Ok(Value::Int(input.get("n").and_then(Value::as_i64).unwrap_or(0) + 1)) })
    }
}

fn main() {
    // The times of threads are available on Linux only.
    if processor_time().is_none() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    for executions in [MANY, 1] {
        let in_place = turn(&runtime, executions, None);
        let on_worker = turn(&runtime, executions, Some(&Workers::new(1)));
        println!("hand-over-{executions} {}", on_worker - in_place);
    }
    println!("bare-exchange {}", bare_exchange(&runtime));
    calibration::print("workers");
}

/// Returns the CPU time of a turn and of the way to the next turn, in nanoseconds.
fn turn(runtime: &Runtime, executions: usize, workers: Option<&Workers>) -> f64 {
    let rounds = ROUNDS * if executions == 1 { 8 } else { 1 };
    let sample = || {
        for _ in 0..rounds {
            runtime.block_on(async {
                let mut set = JoinSet::new();
                for _ in 0..executions {
                    let builder = Builder::<Chain>::new().name("bench").seed(1);
                    let builder = match workers {
                        Some(workers) => builder.workers(workers.clone()),
                        None => builder,
                    };
                    set.spawn(async move { builder.tasks(&Count).run(object([])).await });
                }
                while let Some(ended) = set.join_next().await {
                    ended.expect("no panic").expect("an output");
                }
            });
        }
    };
    cheapest(sample) / f64::from(rounds * TURNS) / executions as f64
}

/// Returns the CPU time in which two threads pass a message there and back. One is a task of
/// tokio, the other sleeps until the message arrives. No hand-over of a single turn can be
/// cheaper.
fn bare_exchange(runtime: &Runtime) -> f64 {
    type Seat = Arc<Mutex<(bool, Option<Waker>)>>;
    let (sender, receiver) = mpsc::channel::<Seat>();
    let worker = std::thread::spawn(move || {
        for seat in receiver {
            let mut seat = seat.lock().expect("no panic");
            seat.0 = true;
            seat.1.take().into_iter().for_each(Waker::wake);
        }
    });
    let exchanges = ROUNDS * TURNS * 8;
    let time = cheapest(|| {
        runtime.block_on(async {
            for _ in 0..exchanges {
                let seat = Seat::default();
                sender.send(seat.clone()).expect("it listens");
                poll_fn(|cx| {
                    let mut seat = seat.lock().expect("no panic");
                    if seat.0 {
                        return Poll::Ready(());
                    }
                    seat.1 = Some(cx.waker().clone());
                    Poll::Pending
                })
                .await;
            }
        });
    });
    drop(sender);
    worker.join().expect("no panic");
    time / f64::from(exchanges)
}

/// Returns the CPU time of the cheapest of several samples, which other programs have disturbed
/// least.
fn cheapest(sample: impl Fn()) -> f64 {
    let times = (0..SAMPLES).map(|_| {
        calibration::sample();
        let before = processor_time().unwrap_or_default();
        sample();
        let after = processor_time().unwrap_or_default();
        // Idle threads of earlier samples may have ended, so that the sum must not include their
        // times.
        after.iter().map(|(thread, time)| time - before.get(thread).unwrap_or(&0.0)).sum::<f64>()
    });
    times.fold(f64::INFINITY, f64::min)
}

/// Returns the CPU time of each thread of this process, in nanoseconds.
fn processor_time() -> Option<BTreeMap<OsString, f64>> {
    let mut times = BTreeMap::new();
    for thread in fs::read_dir("/proc/self/task").ok()? {
        let thread = thread.ok()?;
        let line = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        times.insert(thread.file_name(), line.split(' ').next()?.parse().ok()?);
    }
    Some(times)
}
