//! A distributed Map over numbers in a database, in batches, with a task that is ready at once.
//! Prints items a second, and the size of the database at the end.
//!
//! ```sh
//! cargo run --release -p workflow-sqlite --example map_rows [ITEMS] [ITEMS_PER_BATCH]
//! ```

#[path = "../../../workflow-runtime/tests/machines/maps.rs"]
mod maps;

use std::sync::Arc;
use std::time::{Duration, Instant};

use maps::Flow;
use workflow_runtime::objects::{ItemChunk, ItemStream, ObjectFuture, Objects, ReadItems, WriteResults};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Fault, Str, Task, TaskContext, Value, value};
use workflow_sqlite::Engine;

/// Returns null at once.
struct Ready;

impl Invoke for Ready {
    fn invoke<'a>(&'a self, _: &'static Task, _: Value, _: TaskContext) -> TaskFuture<'a> {
        Box::pin(std::future::ready(Ok(Value::Null)))
    }
}

/// As many rows as the argument says.
struct Rows(i64);

/// The rows that are being read.
struct Reading {
    next: i64,
    end: i64,
}

impl Objects for Rows {
    fn open<'a>(&'a self, request: &'a ReadItems) -> ObjectFuture<'a, Result<Box<dyn ItemStream>, Fault>> {
        let reading = Reading { next: request.position.as_i64().unwrap_or_default(), end: self.0 };
        Box::pin(std::future::ready(Ok(Box::new(reading) as Box<dyn ItemStream>)))
    }

    fn write<'a>(&'a self, _: &'a WriteResults) -> ObjectFuture<'a, Result<Value, Fault>> {
        Box::pin(std::future::ready(Ok(Value::Null)))
    }
}

impl ItemStream for Reading {
    fn next(&mut self, count: u32, _: u64) -> ObjectFuture<'_, Result<ItemChunk, Fault>> {
        let mut chunk = ItemChunk::default();
        let end = self.end.min(self.next + i64::from(count));
        for row in self.next..end {
            let customer = format!("customer-{}", row % 1_000);
            chunk.push(value!({ "id": row, "customer": customer, "amount": row % 97 }), None, &Str::from("rows"));
        }
        self.next = end;
        (chunk.position, chunk.is_last) = (end.into(), end == self.end);
        Box::pin(std::future::ready(Ok(chunk)))
    }
}

fn argument(number: usize, default: i64) -> Result<i64, std::num::ParseIntError> {
    std::env::args().nth(number).map_or(Ok(default), |text| text.parse())
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (items, batch) = (argument(1, 200_000)?, argument(2, 20)?);
    let folder = std::env::temp_dir().join(format!("map-rows-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("executions.db");
    let engine = Engine::at(&file).workflow::<Flow>(Arc::new(Ready)).objects(Rows(items)).open().await?;
    let settings =
        value!({ "batcher": { "MaxItemsPerBatch": batch }, "concurrency": 100, "writer": { "Parameters": {} } });
    let began = Instant::now();
    let started = engine.start::<Flow>(value!({ "map": 1, "settings": settings })).id("all").submit().await?;
    while started.outcome()?.is_none() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let took = began.elapsed().as_secs_f64();
    engine.shut_down(Duration::from_secs(5)).await;
    let size: u64 = std::fs::read_dir(&folder)?.filter_map(|file| Some(file.ok()?.metadata().ok()?.len())).sum();
    println!("{items} items in {took:.2} s: {:.0} items/s; {} KiB of files", items as f64 / took, size / 1024);
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
