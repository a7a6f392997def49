//! What SQLite does for a late step of an execution, against an early one: the instructions of its
//! statements, where callgrind is, and the pages that it adds to the log.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use workflow_benchmarks::generated::rounds::Rounds;

use crate::{Countdown, engine, input, runtime, tell};

/// Before which step it is measured.
const EARLY: u64 = 100;
const LATE: u64 = 100_000;

/// What is measured is what so many steps cost more than so many: opening the database is not.
/// Events are removed from the history of an execution a few times meanwhile, and the log is not
/// written back.
const MORE: u64 = 230;
const LESS: u64 = 20;

/// How many events are kept of an execution: so few that an early step, too, makes room for its
/// own; and as many as are kept if nothing else is said, for which an early step removes none.
const FEW: u32 = 250;
const DEFAULT: u32 = 10_000;

/// A file system in memory, where a hundred thousand steps take seconds.
const MEMORY: &str = "/dev/shm";

/// Measures both.
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
        tell(&format!("pages-{name}"), per_step(pages(MORE), pages(LESS)));
        if let (Some(more), Some(less)) = (instructions(&kept, MORE, events), instructions(&kept, LESS, events)) {
            tell(&format!("statements-{name}"), per_step(more, less));
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
}

/// An execution that has made so many steps.
fn prepare(folder: &Path, steps: u64, events: u32) {
    let tasks = Countdown { most: steps, ..Countdown::default() };
    runtime().block_on(async {
        let engine = engine(folder, &tasks).history_events(events).open().await.expect("a database");
        engine.start::<Rounds>(input(1 << 40)).submit().await.expect("a start");
        come_to(&tasks, steps).await;
        engine.shut_down(Duration::ZERO).await;
    });
}

/// Goes on with it for so many steps, and tells how large the log is then.
pub fn go_on(folder: &Path, steps: u64, events: u32) {
    let tasks = Countdown { most: steps, ..Countdown::default() };
    runtime().block_on(async {
        let _engine = engine(folder, &tasks).history_events(events).open().await.expect("the database");
        come_to(&tasks, steps).await;
        tell("log", std::fs::metadata(folder.join("steps.db-wal")).map_or(0, |log| log.len()) as f64);
        // As if it were killed.
        std::process::exit(0);
    });
}

async fn come_to(tasks: &Countdown, steps: u64) {
    while tasks.calls() <= steps {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// The database as it was, for a process that goes on with it.
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
