//! A million rows of CSV through a distributed Map in memory, with a task that is ready at once.
//! Prints the time per item, and the memory at its peak.
//!
//! ```sh
//! cargo run --release -p workflow-objects --example million_rows [ROWS]
//! ```

#[path = "../../workflow-runtime/tests/machines/maps.rs"]
mod maps;

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Instant;

use maps::Flow;
use workflow_objects::store::{FolderStore, Stores};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Builder, Task, TaskContext, Value, value};

/// Returns null at once.
struct Ready;

impl Invoke for Ready {
    fn invoke<'a>(&'a self, _: &'static Task, _: Value, _: TaskContext) -> TaskFuture<'a> {
        Box::pin(std::future::ready(Ok(Value::Null)))
    }
}

/// Returns the largest resident memory of the process so far, in MiB, where the system says.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rows: u64 = std::env::args().nth(1).map_or(Ok(1_000_000), |rows| rows.parse())?;
    let folder = std::env::temp_dir().join(format!("million-rows-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("bucket"))?;
    let mut file = std::io::BufWriter::new(std::fs::File::create(folder.join("bucket/rows.csv"))?);
    file.write_all(b"id,customer,amount,currency\n")?;
    let mut line = String::new();
    for row in 0..rows {
        line.clear();
        writeln!(line, "{row},customer-{},{}.50,EUR", row % 1_000, row % 97)?;
        file.write_all(line.as_bytes())?;
    }
    file.flush()?;
    drop(file);
    let before = peak();
    let stores = Stores::new().with("bucket", FolderStore::new(folder.join("bucket")));
    let settings = value!({
        "reader": { "Bucket": "bucket", "Key": "rows.csv" },
        "config": { "InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW" },
        "concurrency": 100,
    });
    let began = Instant::now();
    let builder = Builder::<Flow>::new().tasks(&Ready).objects(stores);
    let results = builder.run(value!({ "map": 1, "settings": settings })).await?;
    let took = began.elapsed();
    let count = results.as_array().map_or(0, |results| results.len());
    println!("{count} items in {:.2} s: {:.2} µs an item", took.as_secs_f64(), took.as_secs_f64() * 1e6 / rows as f64);
    println!("resident at most: {:?} MiB, {before:?} MiB before", peak());
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
