//! Iterations over many items in memory: their concurrency, and their delays.

use std::sync::{Arc, Mutex};

use crate::extremes::Extremes;
use workflow_runtime::machine::Task;
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Builder, TaskContext, Value, value};

/// The course of 10,000 items with a concurrency of 64: the number of live tasks, and the number
/// of turns that each item takes.
#[derive(Default)]
struct Watch {
    alive: usize,
    most: usize,
    turns: usize,
    begun: Vec<i64>,
    waits: Vec<usize>,
}

const TURNS: usize = 5;

/// Tasks that each take some turns.
struct Tasks(Arc<Mutex<Watch>>);

impl Invoke for Tasks {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        let alive = Alive::new(&self.0);
        let mut counts = self.0.lock().expect("the counts");
        counts.begun.extend(input.as_i64());
        let begun = counts.turns;
        drop(counts);
        Box::pin(async move {
            for _ in 0..TURNS {
                alive.0.lock().expect("the counts").turns += 1;
                tokio::task::yield_now().await;
            }
            let mut counts = alive.0.lock().expect("the counts");
            let wait = counts.turns - begun;
            counts.waits.push(wait);
            drop(counts);
            Ok(Value::Null)
        })
    }
}

/// A task that is counted until it is dropped.
struct Alive(Arc<Mutex<Watch>>);

impl Alive {
    fn new(watch: &Arc<Mutex<Watch>>) -> Alive {
        let mut counts = watch.lock().expect("the counts");
        counts.alive += 1;
        counts.most = counts.most.max(counts.alive);
        Alive(watch.clone())
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.lock().expect("the counts").alive -= 1;
    }
}

#[test]
fn as_many_of_10_000_iterations_are_there_as_may_be_and_none_waits_for_long() {
    let watch = Arc::new(Mutex::new(Watch::default()));
    let items: Vec<Value> = (0..10_000).map(Value::from).collect();
    let input = value!({ "mode": "wide", "n": 64, "items": items });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let output = runtime
        .block_on(Builder::<Extremes>::new().seed(1).tasks(&Tasks(watch.clone())).run(input))
        .expect("an output");
    assert_eq!(output, Value::from(vec![Value::Null; 10_000]));
    let Watch { alive, most, begun, mut waits, .. } = std::mem::take(&mut *watch.lock().expect("the counts"));
    assert_eq!((alive, most), (0, 64));
    assert_eq!(begun, (0..10_000).collect::<Vec<i64>>(), "they begin in the order of the items");
    waits.sort_unstable();
    let (median, longest) = (waits[waits.len() / 2], waits[waits.len() - 1]);
    assert!(longest <= 2 * median, "the longest wait is {longest} turns, that in the middle {median}");
}

/// Tasks that answer at once.
struct AtOnce;

impl Invoke for AtOnce {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        Box::pin(std::future::ready(Ok(input)))
    }
}

#[test]
fn iterations_that_are_answered_at_once_let_other_tasks_of_the_program_run() {
    let items: Vec<Value> = (0..10_000).map(Value::from).collect();
    for concurrency in [0, 64] {
        let input = value!({ "mode": "wide", "n": concurrency, "items": items.clone() });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        let (output, polls) = runtime.block_on(async {
            let run = Builder::<Extremes>::new().seed(1).tasks(&AtOnce).run(input);
            let mut run = std::pin::pin!(run);
            let mut polls = 0;
            let output = std::future::poll_fn(|cx| {
                polls += 1;
                run.as_mut().poll(cx)
            });
            (output.await.expect("an output"), polls)
        });
        assert_eq!(output, Value::from(items.clone()));
        // The execution yields at the latest after 128 commands.
        assert!(polls >= 10_000 / 128, "{polls} polls, with a concurrency of {concurrency}");
    }
}
