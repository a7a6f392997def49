//! The costs of durable steps, of a restart, of waiting and of deliveries. Prints lines of a name
//! and a number.
//!
//! An argument selects one measurement, which runs in a process of its own. `open FILE` continues
//! a database. `steps N` runs a hundred steps after N others. `go-on FILE N` runs N steps of an
//! execution in a database. A separate process lets callgrind count the instructions.

mod bare;
mod delivery;
mod growth;
mod steps;
mod waiting;
mod writes;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;
use workflow_benchmarks::generated::rounds::Rounds;
use workflow_runtime::__private::{Invoke, Task, TaskContext, TaskFuture, task_future};
use workflow_runtime::{Value, value};
use workflow_sqlite::{Builder, Engine};

/// A file system in memory, where writes cost no time of a disk.
const MEMORY: &str = "/dev/shm";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["open", file] => waiting::open(file.as_ref()),
        ["steps", before] => growth::steps(before.parse().expect("a number")),
        ["go-on", file, steps, events] => {
            writes::go_on(file.as_ref(), steps.parse().expect("a number"), events.parse().expect("a number"));
        }
        ["rate"] => steps::measure(),
        ["writes"] => writes::measure(),
        ["delivery"] => delivery::measure(),
        _ => {
            steps::measure();
            growth::measure();
            writes::measure();
            waiting::measure();
            delivery::measure();
        }
    }
}

/// Prints a measurement.
fn report(name: &str, number: f64) {
    println!("{name} {number}");
}

/// Returns an empty folder for a database, on the disk of the target folder.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("durable").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A task that counts down, and counts its calls. It waits while the gate is closed, and does not
/// answer after `most` calls.
#[derive(Clone)]
struct Countdown {
    calls: Arc<AtomicU64>,
    most: u64,
    open: watch::Sender<bool>,
}

impl Default for Countdown {
    fn default() -> Countdown {
        Countdown { calls: Arc::default(), most: u64::MAX, open: watch::Sender::new(true) }
    }
}

impl Countdown {
    fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }
}

impl Invoke for Countdown {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        if self.calls.fetch_add(1, Ordering::Relaxed) >= self.most {
            return task_future(std::future::pending());
        }
        let left = input.get("left").and_then(Value::as_i64).unwrap_or_default();
        if *self.open.borrow() {
            return task_future(std::future::ready(Ok(Value::from(left - 1))));
        }
        let mut open = self.open.subscribe();
        task_future(async move {
            let _gone = open.wait_for(|open| *open).await.is_err();
            Ok(Value::from(left - 1))
        })
    }
}

fn engine(folder: &std::path::Path, tasks: &Countdown) -> Builder {
    Engine::at(folder.join("steps.db")).workflow::<Rounds>(tasks.clone())
}

/// Returns an input as large as a typical order.
fn input(left: i64) -> Value {
    value!({
        "left": left,
        "customer": { "id": "c-4711", "name": "A. Customer", "mail": "a.customer@example.org" },
        "items": ["one of these", "one of those", "and a third thing"],
    })
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}
