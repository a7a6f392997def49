//! Durable steps per second, with one execution and with 64, and the steps of a bare loop.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use workflow_benchmarks::generated::rounds::Rounds;
use workflow_sqlite::Builder;

use crate::bare::{Bare, Records};
use crate::{Countdown, engine, folder, input, report, runtime};

/// The time for which the engine and the bare loop run alternately, and the number of
/// alternations.
const TURN: Duration = Duration::from_millis(100);
const TURNS: usize = 60;

/// The size to which the log of a database is grown first. A growing file takes longer to sync.
const FULL_LOG: u64 = 1_000 * 4_096;

/// More steps than are ever made.
const MANY: i64 = 1 << 40;

/// Measures in short periods, so that other work of the machine and its disk affects both equally.
/// Prints the medians of the steps and of their ratios.
pub fn measure() {
    let with_history = records("records", true);
    let without = records("records-without", false);
    report("step-rows", with_history.rows() as f64);
    report("step-bytes", with_history.bytes() as f64);
    for executions in [1, 64] {
        for (records, history) in [(&with_history, true), (&without, false)] {
            let (ours, bare) = compare(records, executions, history);
            let ratios = ours.iter().zip(&bare).map(|(ours, bare)| ours / bare).collect();
            let suffix = if history { "" } else { "-without-history" };
            report(&format!("steps-{executions}{suffix}"), median(ours));
            report(&format!("bare-{executions}{suffix}"), median(bare));
            report(&format!("ratio-{executions}{suffix}"), median(ratios));
        }
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// Returns the steps per second of the engine, and those of the bare loop right afterwards.
fn compare(records: &Records, executions: i64, history: bool) -> (Vec<f64>, Vec<f64>) {
    let folder = folder("run");
    let tasks = Countdown::default();
    let file = tables("bare");
    let mut bare = Bare::open(&file, records, executions);
    while log(&file) < FULL_LOG {
        bare.run(TURN);
    }
    let runtime = runtime();
    let engine = runtime.block_on(async {
        // The bare loop removes no events either.
        let engine = kept(engine(&folder, &tasks), history).history_events(u32::MAX);
        let engine = engine.open().await.expect("a database");
        for _ in 0..executions {
            engine.start::<Rounds>(input(MANY)).submit().await.expect("a start");
        }
        engine
    });
    while log(&folder.join("steps.db")) < FULL_LOG {
        std::thread::sleep(TURN);
    }
    let turns = (0..TURNS).map(|_| (turn(&tasks), bare.run(TURN))).collect::<Vec<_>>();
    tasks.open.send_replace(true);
    runtime.block_on(engine.shut_down(Duration::from_secs(5)));
    runtime.shutdown_timeout(Duration::from_secs(5));
    turns.into_iter().skip(1).unzip()
}

/// Returns the size of the log of a database.
fn log(file: &Path) -> u64 {
    std::fs::metadata(file.with_extension("db-wal")).map_or(0, |log| log.len())
}

/// Lets the engine run for one period, and waits until all its executions wait at the gate.
/// Returns the steps per second.
fn turn(tasks: &Countdown) -> f64 {
    let (began, before) = (Instant::now(), tasks.calls());
    tasks.open.send_replace(true);
    std::thread::sleep(TURN);
    let steps = (tasks.calls() - before) as f64 / began.elapsed().as_secs_f64();
    tasks.open.send_replace(false);
    let mut last = tasks.calls();
    loop {
        std::thread::sleep(Duration::from_millis(20));
        match std::mem::replace(&mut last, tasks.calls()) {
            before if before == last => return steps,
            _ => {}
        }
    }
}

/// Makes a database with the engine's tables, which are empty.
fn tables(name: &str) -> PathBuf {
    let folder = folder(name);
    runtime().block_on(async {
        let engine = engine(&folder, &Countdown::default()).open().await.expect("a database");
        engine.shut_down(Duration::from_secs(5)).await;
    });
    folder.join("steps.db")
}

/// Sets whether the engine keeps a history.
fn kept(builder: Builder, history: bool) -> Builder {
    if history { builder } else { builder.without_history() }
}

/// Returns the records that the engine writes for a step, with or without a history.
fn records(name: &str, history: bool) -> Records {
    let folder = folder(name);
    let tasks = Countdown::default();
    runtime().block_on(async {
        let engine = kept(engine(&folder, &tasks), history).open().await.expect("a database");
        engine.start::<Rounds>(input(MANY)).id("one").submit().await.expect("a start");
        while tasks.calls() < 100 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        engine.shut_down(Duration::from_secs(5)).await;
    });
    Records::read(&folder.join("steps.db"), history)
}
