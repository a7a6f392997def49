//! Maps that run on the engines of the project.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use workflow_benchmarks::maps::{batches::Batches, charges::Charges};
use workflow_objects::store::{FolderStore, Stores};
use workflow_runtime::__private::{Invoke, Task, TaskContext, TaskFuture, task_future};
use workflow_runtime::{Builder, Fault, Value, value};
use workflow_sqlite::Engine;

use crate::charge;

/// The pause between two looks at the files of the database.
const PAUSE: Duration = Duration::from_millis(5);

/// Charges a row, or each row of a batch.
struct Desk;

impl Invoke for Desk {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        let outcome = match input.get("Items").and_then(Value::as_array) {
            None => charged(&input),
            Some(items) => items.iter().map(charged).collect::<Result<Vec<Value>, Fault>>().map(Value::from),
        };
        task_future(std::future::ready(outcome))
    }
}

fn charged(row: &Value) -> Result<Value, Fault> {
    let amount = row.get("amount").and_then(Value::as_str);
    amount.and_then(charge).map(Value::from).ok_or_else(|| Fault::new("Refused", "no amount"))
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}

fn stores(file: &Path) -> Stores {
    Stores::new().with("orders", FolderStore::new(file.parent().expect("a folder")))
}

/// Runs the Map in memory. Returns the sum of the results.
pub fn memory(file: &Path) -> i64 {
    let runtime = runtime();
    let builder = Builder::<Charges>::new().tasks(&Desk).objects(stores(file));
    let results = runtime.block_on(builder.run(value!({}))).expect("it succeeds");
    results.as_array().into_iter().flatten().filter_map(Value::as_i64).sum()
}

/// Runs the Map in batches in SQLite, and prints the most bytes of the files of the database.
/// Returns the sum in the result files.
pub fn sqlite(file: &Path) -> i64 {
    let folder = file.with_file_name("database");
    let results = file.with_file_name("charged");
    for folder in [&folder, &results] {
        let _ = std::fs::remove_dir_all(folder);
    }
    std::fs::create_dir_all(&folder).expect("a folder");
    let largest = Arc::new(AtomicI64::new(0));
    runtime().block_on(async {
        let engine = Engine::at(folder.join("executions.db")).workflow::<Batches>(Desk).objects(stores(file));
        let engine = engine.open().await.expect("a database");
        let input = value!({ "file": "rows.csv" });
        let started = engine.start::<Batches>(input).submit().await.expect("a start");
        let _watch = tokio::spawn(watch(folder.clone(), largest.clone()));
        started.result().await.expect("an end").expect("it succeeds");
        engine.shut_down(Duration::from_secs(5)).await;
    });
    println!("bytes {}", largest.load(Ordering::Relaxed).max(size(&folder)));
    sum_of(&results)
}

async fn watch(folder: std::path::PathBuf, largest: Arc<AtomicI64>) {
    loop {
        largest.fetch_max(size(&folder), Ordering::Relaxed);
        tokio::time::sleep(PAUSE).await;
    }
}

/// Returns the bytes of the files in a folder.
fn size(folder: &Path) -> i64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| i64::try_from(file.metadata().ok()?.len()).ok()).sum()
}

/// Returns the sum of the numbers in the result files of the only run.
fn sum_of(results: &Path) -> i64 {
    let run = std::fs::read_dir(results).expect("results").flatten().next().expect("a run").path();
    let files = std::fs::read_dir(run).expect("results").flatten().map(|file| file.path());
    let files = files.filter(|file| file.extension().is_some_and(|end| end == "jsonl"));
    files.map(|file| std::fs::read_to_string(file).expect("a file")).map(|text| total(&text)).sum()
}

fn total(text: &str) -> i64 {
    text.lines().map(|line| line.parse::<i64>().expect("a number")).sum()
}
