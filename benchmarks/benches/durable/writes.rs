//! The work of SQLite for a late step of an execution, compared with an early step: the
//! instructions of its statements, if callgrind is installed, and the pages that it adds to the
//! log.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use workflow_benchmarks::generated::rounds::Rounds;

use crate::{Countdown, MEMORY, engine, input, report, runtime};

/// The numbers of steps before an early and a late measurement.
const EARLY: u64 = 100;
const LATE: u64 = 100_000;

/// The numbers of steps of two runs. Their difference is measured, so that opening the database
/// does not count. During it, events are removed from the history of the execution a few times,
/// and the log is not written back.
const MORE: u64 = 230;
const LESS: u64 = 20;

/// The numbers of events that are kept of an execution. With `FEW`, an early step removes events,
/// too. With the default, an early step removes none.
const FEW: u32 = 250;
const DEFAULT: u32 = 10_000;

/// Runs all measurements.
pub fn measure() {
    if !Path::new(MEMORY).is_dir() {
        return;
    }
    let folder = Path::new(MEMORY).join(format!("workflow-durable-{}", std::process::id()));
    for (name, before, events) in
        [("early", EARLY, FEW), ("late", LATE, FEW), ("early-default", EARLY, DEFAULT), ("late-default", LATE, DEFAULT)]
    {
        let kept = folder.join(name);
        std::fs::create_dir_all(&kept).expect("a folder");
        prepare(&kept, before, events);
        let per_step = |more: f64, less: f64| (more - less) / (MORE - LESS) as f64;
        let pages = |steps| pages(&kept, steps, events);
        report(&format!("pages-{name}"), per_step(pages(MORE), pages(LESS)));
        if let (Some(more), Some(less)) = (instructions(&kept, MORE, events), instructions(&kept, LESS, events)) {
            report(&format!("statements-{name}"), per_step(more, less));
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
}

/// Prepares an execution that has made `steps` steps.
fn prepare(folder: &Path, steps: u64, events: u32) {
    let tasks = Countdown { most: steps, ..Countdown::default() };
    runtime().block_on(async {
        let engine = engine(folder, &tasks).history_events(events).open().await.expect("a database");
        engine.start::<Rounds>(input(1 << 40)).submit().await.expect("a start");
        come_to(&tasks, steps).await;
        engine.shut_down(Duration::ZERO).await;
    });
}

/// Makes `steps` more steps, and prints the size of the log.
pub fn go_on(folder: &Path, steps: u64, events: u32) {
    let tasks = Countdown { most: steps, ..Countdown::default() };
    runtime().block_on(async {
        let _engine = engine(folder, &tasks).history_events(events).open().await.expect("the database");
        come_to(&tasks, steps).await;
        report("log", std::fs::metadata(folder.join("steps.db-wal")).map_or(0, |log| log.len()) as f64);
        // The process ends as if it were killed.
        std::process::exit(0);
    });
}

async fn come_to(tasks: &Countdown, steps: u64) {
    while tasks.calls() <= steps {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Copies the prepared database for a process that continues it.
fn copy(kept: &Path) -> PathBuf {
    let folder = kept.with_extension("copy");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::copy(kept.join("steps.db"), folder.join("steps.db")).expect("a copy");
    folder
}

fn run(mut command: Command, kept: &Path, steps: u64, events: u32) -> Option<Output> {
    command.arg("go-on").arg(copy(kept)).args([steps.to_string(), events.to_string()]).output().ok()
}

fn pages(kept: &Path, steps: u64, events: u32) -> f64 {
    let this = std::env::current_exe().expect("a program");
    let output = run(Command::new(this), kept, steps, events).expect("a process");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let log: f64 = text.trim().strip_prefix("log ").and_then(|log| log.parse().ok()).expect("a number");
    (log - 32.0) / (24.0 + 4_096.0)
}

fn instructions(kept: &Path, steps: u64, events: u32) -> Option<f64> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no"]);
    command.arg("--toggle-collect=sqlite3_step").arg(std::env::current_exe().ok()?);
    let text = String::from_utf8_lossy(&run(command, kept, steps, events)?.stderr).into_owned();
    let (_, collected) = text.split_once("Collected : ")?;
    collected.split_whitespace().next()?.parse().ok()
}
