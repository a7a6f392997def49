//! 10,000 executions that wait for an hour: their memory, and the time of a restart that finds
//! them.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use workflow_benchmarks::generated::rounds::Rounds;
use workflow_sqlite::{Filter, Status};

use crate::{Countdown, engine, folder, input, report, runtime};

const WAITING: usize = 10_000;

/// Starts the executions, restarts, and prints the measurements.
pub fn measure() {
    let folder = folder("waiting");
    runtime().block_on(async {
        let engine = engine(&folder, &Countdown::default()).open().await.expect("a database");
        let mut submitted = JoinSet::new();
        for _ in 0..WAITING {
            let engine = engine.clone();
            submitted.spawn(async move { engine.start::<Rounds>(input(-1)).submit().await.map(|_| ()) });
        }
        for result in submitted.join_all().await {
            result.expect("a start");
        }
        while !engine.list(&Filter::all().status(Status::Queued).limit(1)).expect("a list").is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        engine.shut_down(Duration::from_secs(30)).await;
    });
    let this = std::env::current_exe().expect("a program");
    let output = Command::new(this).arg("open").arg(&folder).output().expect("a process");
    print!("{}", String::from_utf8_lossy(&output.stdout));
}

/// Opens the database and continues the executions.
pub fn open(folder: &Path) {
    runtime().block_on(async {
        // An engine with an empty database is open already, so that an engine's own memory does
        // not count.
        let other = crate::folder("empty");
        let empty = engine(&other, &Countdown::default()).open().await.expect("a database");
        let before = resident();
        let began = Instant::now();
        let engine = engine(folder, &Countdown::default()).open().await.expect("the database");
        report("recovery-seconds", began.elapsed().as_secs_f64());
        tokio::time::sleep(Duration::from_millis(500)).await;
        report("waiting-bytes", (resident() - before) / WAITING as f64);
        let running = engine.list(&Filter::all().status(Status::Running)).expect("a list").len();
        assert_eq!(running, WAITING);
        engine.shut_down(Duration::from_secs(5)).await;
        empty.shut_down(Duration::from_secs(5)).await;
    });
}

/// Returns the resident set size in bytes.
fn resident() -> f64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = pages.split_whitespace().nth(1).and_then(|pages| pages.parse::<f64>().ok());
    pages.unwrap_or_default() * 4_096.0
}
