//! Durable steps each second, with one execution and with 64, and those of a bare loop.

use std::time::{Duration, Instant};

use workflow_benchmarks::generated::rounds::Rounds;
use workflow_sqlite::{Builder, View};

use crate::bare::Records;
use crate::{Countdown, engine, folder, input, runtime, tell};

/// How long one measurement takes, and how many there are of each kind.
const TIME: Duration = Duration::from_millis(600);
const SAMPLES: usize = 7;

/// More steps than are ever made.
const MANY: i64 = 1 << 40;

/// Measures in turns, so that what else the machine does is the same for both. What counts is the one in the
/// middle of what they are to each other.
pub fn measure() {
    let with_history = records("records", |builder| builder);
    let without = records("records-without", Builder::without_history);
    tell("step-rows", with_history.rows() as f64);
    tell("step-bytes", with_history.bytes() as f64);
    for executions in [1, 64] {
        for (records, history) in [(&with_history, true), (&without, false)] {
            let (mut ours, mut bare) = (Vec::new(), Vec::new());
            for _ in 0..SAMPLES {
                ours.push(run(executions, history));
                bare.push(records.steps_per_second(&tables("bare"), executions, TIME));
            }
            let ratios = ours.iter().zip(&bare).map(|(ours, bare)| ours / bare).collect();
            let suffix = if history { "" } else { "-without-history" };
            tell(&format!("steps-{executions}{suffix}"), median(ours));
            tell(&format!("bare-{executions}{suffix}"), median(bare));
            tell(&format!("ratio-{executions}{suffix}"), median(ratios));
        }
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// Steps each second of the engine.
fn run(executions: i64, history: bool) -> f64 {
    let folder = folder("run");
    let tasks = Countdown::default();
    let runtime = runtime();
    let steps = runtime.block_on(async {
        let builder = engine(&folder, &tasks);
        let builder = if history { builder } else { builder.without_history() };
        let engine = builder.open().await.expect("a database");
        for _ in 0..executions {
            engine.start::<Rounds>(input(MANY)).submit().await.expect("a start");
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        let (began, before) = (Instant::now(), tasks.calls());
        tokio::time::sleep(TIME).await;
        let steps = (tasks.calls() - before) as f64 / began.elapsed().as_secs_f64();
        engine.shut_down(Duration::from_secs(5)).await;
        steps
    });
    runtime.shutdown_timeout(Duration::from_secs(5));
    steps
}

/// A database with the engine's tables, and nothing in them.
fn tables(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    runtime().block_on(async {
        let engine = engine(&folder, &Countdown::default()).open().await.expect("a database");
        engine.shut_down(Duration::from_secs(5)).await;
    });
    folder.join("steps.db")
}

/// What the engine writes for a step.
fn records(name: &str, set_up: impl FnOnce(Builder) -> Builder) -> Records {
    let folder = folder(name);
    let tasks = Countdown::default();
    let mut events_of_a_step = 0;
    runtime().block_on(async {
        let engine = set_up(engine(&folder, &tasks)).open().await.expect("a database");
        engine.start::<Rounds>(input(MANY)).id("one").submit().await.expect("a start");
        while tasks.calls() < 100 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        engine.shut_down(Duration::from_secs(5)).await;
    });
    let view = View::open(folder.join("steps.db")).expect("a database");
    let history = view.history("one").expect("a history");
    let mut ends = history.iter().enumerate().filter(|(_, line)| line.contains("TaskSucceeded")).map(|(at, _)| at);
    if let (Some(first), Some(second)) = (ends.next(), ends.next()) {
        events_of_a_step = second - first;
    }
    Records::read(&folder.join("steps.db"), events_of_a_step)
}
