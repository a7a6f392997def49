//! Durable steps each second, with one execution and with 64, and those of a bare loop.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use workflow_benchmarks::generated::rounds::Rounds;
use workflow_sqlite::Builder;

use crate::bare::{Bare, Records};
use crate::{Countdown, engine, folder, input, runtime, tell};

/// How long the engine goes on before it is the turn of the bare loop, and the other way round,
/// and how many turns there are.
const TURN: Duration = Duration::from_millis(100);
const TURNS: usize = 60;

/// How large the log of a database becomes. A file that grows takes longer to sync.
const FULL_LOG: u64 = 1_000 * 4_096;

/// More steps than are ever made.
const MANY: i64 = 1 << 40;

/// Measures in short turns, so that what else the machine and its disk do is the same for both.
/// What counts is the turn in the middle, and the one in the middle of what they are to each
/// other.
pub fn measure() {
    let with_history = records("records", |builder| builder);
    let without = records("records-without", Builder::without_history);
    tell("step-rows", with_history.rows() as f64);
    tell("step-bytes", with_history.bytes() as f64);
    for executions in [1, 64] {
        for (records, history) in [(&with_history, true), (&without, false)] {
            let (ours, bare) = compare(records, executions, history);
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

/// Steps each second of the engine, and those of the bare loop right after.
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
        let builder = engine(&folder, &tasks);
        let builder = if history { builder } else { builder.without_history() };
        let engine = builder.open().await.expect("a database");
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

/// How large the log of a database is.
fn log(file: &Path) -> u64 {
    std::fs::metadata(file.with_extension("db-wal")).map_or(0, |log| log.len())
}

/// Lets the engine go on for a turn, and waits until all its executions have come to the gate.
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

/// A database with the engine's tables, and nothing in them.
fn tables(name: &str) -> PathBuf {
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
    runtime().block_on(async {
        let engine = set_up(engine(&folder, &tasks)).open().await.expect("a database");
        engine.start::<Rounds>(input(MANY)).id("one").submit().await.expect("a start");
        while tasks.calls() < 100 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        engine.shut_down(Duration::from_secs(5)).await;
    });
    Records::read(&folder.join("steps.db"))
}
