//! Runs of distributed Maps: their children leave no rows, and a run continues at its cursor.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rusqlite::Connection;
use workflow_runtime::objects::{ItemChunk, ItemStream, ObjectFuture, Objects, ReadItems, WriteResults};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Fault, Str, Task, TaskContext, Value, value};
use workflow_sqlite::{Builder, Engine, Execution, WaitsFor};

use crate::maps::Flow;
use crate::place::{Place, clock, process, until};

/// As many numbers as the key says, without a store.
struct Numbers;

/// The numbers that are being read.
struct Counting {
    next: i64,
    end: i64,
}

impl Objects for Numbers {
    fn open<'a>(&'a self, request: &'a ReadItems) -> ObjectFuture<'a, Result<Box<dyn ItemStream>, Fault>> {
        let end = request.arguments.get("Key").and_then(Value::as_str).and_then(|key| key.parse().ok());
        let next = request.position.as_i64().unwrap_or_default();
        Box::pin(async move { Ok(Box::new(Counting { next, end: end.unwrap_or_default() }) as Box<dyn ItemStream>) })
    }

    fn write<'a>(&'a self, _: &'a WriteResults) -> ObjectFuture<'a, Result<Value, Fault>> {
        Box::pin(async { Ok("written".into()) })
    }
}

impl ItemStream for Counting {
    fn next(&mut self, count: u32, _: u64) -> ObjectFuture<'_, Result<ItemChunk, Fault>> {
        let mut chunk = ItemChunk::default();
        for _ in 0..count.min(50) {
            if self.next < self.end {
                chunk.push(self.next.into(), None, &Str::from("s3://numbers"));
                self.next += 1;
            }
        }
        (chunk.position, chunk.is_last) = (self.next.into(), self.next == self.end);
        Box::pin(async move { Ok(chunk) })
    }
}

/// Counts the invocations of each input, and ends the process after some of them.
#[derive(Default)]
pub struct Desk {
    invoked: Mutex<BTreeMap<String, u32>>,
    left: Option<AtomicU64>,
    log: Option<PathBuf>,
    waits: bool,
    /// The database, in which the first task damages the start of the run of a Map.
    damages: Option<PathBuf>,
    /// The inputs of which the tasks fail.
    pub failing: Mutex<Vec<String>>,
    /// Set if tasks take long enough to run at once.
    takes_long: bool,
    running: AtomicU64,
    most_at_once: AtomicU64,
}

impl Desk {
    /// Returns a desk whose tasks never end.
    pub fn waiting() -> Desk {
        Desk { waits: true, ..Desk::default() }
    }

    /// Returns a desk whose tasks with these inputs fail.
    pub fn failing(inputs: &[&str]) -> Desk {
        let failing = inputs.iter().map(|input| (*input).to_owned()).collect();
        Desk { failing: Mutex::new(failing), ..Desk::default() }
    }

    /// Lets tasks take long enough to run at once.
    pub fn slow(self) -> Desk {
        Desk { takes_long: true, ..self }
    }

    /// Logs the inputs in a file, and ends the process after `left` tasks.
    pub fn logging(self, log: &Path, left: Option<String>) -> Desk {
        let left = left.and_then(|left| left.parse().ok()).map(AtomicU64::new);
        Desk { log: Some(log.to_owned()), left, ..self }
    }

    /// Returns the largest number of tasks that ran at once.
    pub fn most_at_once(&self) -> u64 {
        self.most_at_once.load(Ordering::SeqCst)
    }

    /// Returns how often the task with this input has succeeded.
    pub fn invoked(&self, input: &str) -> u32 {
        self.invoked.lock().expect("it is not poisoned").get(input).copied().unwrap_or_default()
    }
}

impl Invoke for Desk {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            if self.waits {
                std::future::pending::<()>().await;
            }
            if self.left.as_ref().is_some_and(|left| left.fetch_sub(1, Ordering::Relaxed) == 1) {
                std::process::abort();
            }
            if let Some(log) = &self.log {
                use std::io::Write as _;
                let mut file = std::fs::File::options().append(true).create(true).open(log).expect("a file");
                // One write for each line: several tasks run at once.
                file.write_all(format!("{input}\n").as_bytes()).expect("it is written");
            }
            if let Some(file) = self.damages.as_ref().filter(|_| input == Value::from(0)) {
                let c = Connection::open(file).expect("the database");
                let text = "UPDATE executions SET start = X'' WHERE id = 'one.1-0'";
                assert_eq!(c.execute(text, []), Ok(1));
            }
            let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
            self.most_at_once.fetch_max(running, Ordering::SeqCst);
            if self.takes_long {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            self.running.fetch_sub(1, Ordering::SeqCst);
            if self.failing.lock().expect("it is not poisoned").contains(&input.to_string()) {
                return Err(Fault::new("Spilled", "it"));
            }
            match input.as_str() {
                Some("fail") => return Err(Fault::new("Spilled", "it")),
                Some("wait") => std::future::pending().await,
                _ => {}
            }
            *self.invoked.lock().expect("it is not poisoned").entry(input.to_string()).or_default() += 1;
            Ok(input)
        })
    }
}

pub fn set_up(file: PathBuf, desk: Arc<Desk>) -> Builder {
    Engine::at(file).workflow::<Flow>(desk).clock(clock()).objects(Numbers).executions_at_once(8)
}

pub fn of(count: u64, more: Value) -> Value {
    let mut settings = value!({ "reader": { "Key": count.to_string() } });
    if let (Some(settings), Some(more)) = (settings.as_object_mut(), more.as_object()) {
        more.iter().for_each(|(name, value)| drop(settings.insert(name.clone(), value.clone())));
    }
    value!({ "map": 1, "settings": settings })
}

pub fn ended(execution: &Execution) -> bool {
    execution.outcome().expect("it can be read").is_some()
}

/// Returns the numbers of rows in the tables that children have rows in; of the history, the
/// number of executions. The log of recent events keeps rows of removed executions until it is
/// trimmed.
fn rows(place: &Place) -> Vec<(&'static str, i64)> {
    let c = Connection::open(place.file()).expect("the database");
    let count = |table| {
        let counted = match table {
            "history" => "DISTINCT execution",
            _ => "1",
        };
        c.query_row(&format!("SELECT count({counted}) FROM {table}"), [], |row| row.get(0)).expect("a count")
    };
    let tables = ["executions", "children", "snapshot_rows", "arrivals", "history"];
    tables.map(|table| (table, count(table))).into()
}

/// Checks that only the execution and its Map run have rows.
fn assert_only_the_run_is_left(place: &Place) {
    let running = [("snapshot_rows", 0), ("arrivals", 0)];
    let expected = [&[("executions", 2), ("children", 1)][..], &running, &[("history", 2)]].concat();
    assert_eq!(rows(place), expected);
}

/// Numbers that cannot be read, or whose results cannot be written, before the engine stops.
struct Stuck {
    reads: bool,
}

impl Objects for Stuck {
    fn open<'a>(&'a self, request: &'a ReadItems) -> ObjectFuture<'a, Result<Box<dyn ItemStream>, Fault>> {
        match self.reads {
            true => Numbers.open(request),
            false => Box::pin(std::future::pending()),
        }
    }

    fn write<'a>(&'a self, request: &'a WriteResults) -> ObjectFuture<'a, Result<Value, Fault>> {
        match request.is_last {
            true => Box::pin(std::future::pending()),
            false => Numbers.write(request),
        }
    }
}

#[test]
fn a_run_that_was_reading_or_writing_continues_in_another_process() {
    for reads in [false, true] {
        let (place, desk) = (Place::new(&format!("map-stuck-{reads}")), Arc::new(Desk::default()));
        process(async {
            let builder = set_up(place.file(), desk.clone()).objects(Stuck { reads });
            let engine = builder.open().await.expect("a new database");
            let input = of(3, value!({ "writer": { "Parameters": {} } }));
            engine.start::<Flow>(input).id("one").submit().await.expect("a start");
            let expected = if reads { r#"%"succeeded":3%"# } else { r#"%"succeeded":0%"# };
            until("nothing else is left to do", || {
                let c = Connection::open(place.file()).expect("the database");
                // The row is that of the writer's state: the writer was tried.
                let text = "SELECT 1 FROM snapshot_rows p JOIN snapshot_rows w USING (execution)
                            WHERE p.wait_kind = 7 AND p.detail LIKE ?1 AND w.kind = 3";
                c.prepare(text).and_then(|mut found| found.exists([expected])) == Ok(true)
            })
            .await;
            engine.shut_down(Duration::from_millis(10)).await;
        });
        process(async {
            let engine = set_up(place.file(), desk.clone()).open().await.expect("the database");
            let started = engine.execution("one").expect("it is kept");
            until("it has ended", || ended(&started)).await;
            assert_eq!(started.outcome(), Ok(Some(Ok("written".into()))), "{reads}");
            engine.shut_down(Duration::from_secs(5)).await;
        });
        assert_eq!(desk.invoked.lock().expect("it is not poisoned").values().sum::<u32>(), 3, "{reads}");
    }
}

#[test]
fn children_that_have_ended_leave_no_rows() {
    let (place, desk) = (Place::new("map-rows"), Arc::new(Desk::default()));
    process(async {
        let engine = set_up(place.file(), desk.clone()).open().await.expect("a new database");
        let input = of(500, value!({ "batcher": { "MaxItemsPerBatch": 3 } }));
        let started = engine.start::<Flow>(input).id("one").submit().await.expect("a start");
        until("it has ended", || ended(&started)).await;
        let outcome = started.outcome().expect("it can be read").expect("it has ended").expect("it succeeds");
        let results = outcome.as_array().expect("an array");
        assert_eq!((results.len(), results[166].to_string()), (167, r#"{"Items":[498,499]}"#.to_owned()));
        engine.shut_down(Duration::from_secs(5)).await;
    });
    assert_only_the_run_is_left(&place);
}

#[test]
fn children_of_nested_maps_leave_no_rows() {
    let run = |items: Value| value!({ "map": 0, "settings": { "items": items, "concurrency": 2 } });
    let failed = "States.ExceedToleratedFailureThreshold";
    for (name, items, expected) in [
        ("ok", value!([1, 2, 3]), value!([1, 2, 3])),
        ("fail", value!([1, 2, "fail"]), failed.into()),
        // The task that waits is cancelled after its run has failed.
        ("wait", value!([1, "wait", "fail"]), failed.into()),
    ] {
        let (place, desk) = (Place::new(&format!("map-nested-{name}")), Arc::new(Desk::default()));
        process(async {
            let engine = set_up(place.file(), desk.clone()).open().await.expect("a new database");
            let nested = run(items);
            let items = value!([nested.clone(), nested.clone(), nested]);
            let settings = value!({ "items": items, "concurrency": 2, "tolerated_count": 3 });
            let input = value!({ "map": 3, "settings": settings });
            let started = engine.start::<Flow>(input).id("one").submit().await.expect("a start");
            until("it has ended", || ended(&started)).await;
            let output = started.outcome().expect("it can be read").expect("it has ended").expect("it succeeds");
            let results = output.as_array().expect("an array").iter();
            let results: Vec<Value> = results.map(|result| result.get("Error").unwrap_or(result).clone()).collect();
            assert_eq!(results, [expected.clone(), expected.clone(), expected]);
            until("nothing runs", || rows(&place)[..1] == [("executions", 2)]).await;
            engine.shut_down(Duration::from_secs(5)).await;
        });
        assert_only_the_run_is_left(&place);
    }
}

#[test]
fn the_start_of_a_run_is_read_once_for_all_children() {
    let place = Place::new("map-start");
    let desk = Arc::new(Desk { damages: Some(place.file()), ..Desk::default() });
    process(async {
        let engine = set_up(place.file(), desk).open().await.expect("a new database");
        let settings = value!({ "items": [0, 1, 2, 3], "concurrency": 1 });
        let input = value!({ "map": 0, "settings": settings });
        let started = engine.start::<Flow>(input).id("one").submit().await.expect("a start");
        until("it has ended", || ended(&started)).await;
        assert_eq!(started.outcome(), Ok(Some(Ok(value!([0, 1, 2, 3])))));
        engine.shut_down(Duration::from_secs(5)).await;
    });
}

#[test]
fn a_description_has_the_numbers_of_items() {
    let (place, desk) = (Place::new("map-counts"), Arc::new(Desk { waits: true, ..Desk::default() }));
    process(async {
        let engine = set_up(place.file(), desk.clone()).open().await.expect("a new database");
        let input = of(120, value!({ "concurrency": 5 }));
        engine.start::<Flow>(input).id("one").submit().await.expect("a start");
        let counts = || {
            let run = engine.execution("one.1-0").ok()?.describe().ok()?;
            run.waiting.into_iter().find_map(|waits| match waits.waits_for {
                WaitsFor::Map(counts) => Some([counts.pending, counts.running, counts.succeeded, counts.failed]),
                _ => None,
            })
        };
        // 50 items were read, and 5 of them run.
        until("children run", || counts() == Some([45, 5, 0, 0])).await;
        engine.execution("one").expect("it is there").cancel("enough").await.expect("it is cancelled");
        until("all are cancelled", || engine.execution("one.1-0").is_ok_and(|run| ended(&run))).await;
        engine.shut_down(Duration::from_secs(5)).await;
    });
}

#[test]
fn more_runs_than_executions_at_once_come_to_their_ends() {
    let (place, desk) = (Place::new("map-many"), Arc::new(Desk::default()));
    process(async {
        let engine = set_up(place.file(), desk.clone()).executions_at_once(2).open().await.expect("a new database");
        let mut started = Vec::new();
        for number in 0..50 {
            let start = engine.start::<Flow>(of(5, value!({}))).id(format!("run-{number}")).submit().await;
            started.push(start.expect("a start"));
        }
        until("all have ended", || started.iter().all(ended)).await;
        engine.shut_down(Duration::from_secs(5)).await;
    });
    assert_eq!(desk.invoked.lock().expect("it is not poisoned").values().sum::<u32>(), 250);
}

/// The test below runs this one as a process of its own. It does nothing otherwise.
#[test]
fn runs_a_map_until_it_is_ended() {
    let Some(file) = std::env::var_os("MAP_FILE").map(PathBuf::from) else { return };
    let left = std::env::var("MAP_LEFT").ok().and_then(|left| left.parse().ok()).map(AtomicU64::new);
    let desk = Arc::new(Desk { left, log: Some(file.with_extension("log")), ..Desk::default() });
    process(async {
        let engine = set_up(file, desk).on_problem(|_| {}).open().await.expect("the database");
        let input = of(300, value!({ "concurrency": 10 }));
        let started = engine.start::<Flow>(input).id("one").submit().await.expect("a start");
        until("it has ended", || ended(&started)).await;
        let outcome = started.outcome().expect("it can be read").expect("it has ended").expect("it succeeds");
        assert_eq!(outcome, (0..300).collect::<Value>());
        engine.shut_down(Duration::from_secs(5)).await;
    });
}

#[test]
fn a_run_continues_at_its_cursor_when_the_process_has_crashed() {
    let place = Place::new("map-crashes");
    let this = std::env::current_exe().expect("a program");
    let mut crashes = 0;
    loop {
        let mut command = Command::new(&this);
        command.args(["--exact", "map_runs::runs_a_map_until_it_is_ended"]).env("MAP_FILE", place.file());
        if crashes < 10 {
            command.env("MAP_LEFT", (7 + 5 * crashes).to_string());
        }
        let output = command.output().expect("a process");
        if output.status.success() {
            break;
        }
        crashes += 1;
        assert!(crashes < 20, "{}", String::from_utf8_lossy(&output.stdout));
    }
    assert!(crashes >= 5, "{crashes}");
    let log = std::fs::read_to_string(place.file().with_extension("log")).expect("the inputs");
    let mut times = BTreeMap::<&str, u32>::new();
    log.lines().for_each(|input| *times.entry(input).or_default() += 1);
    assert_eq!(times.len(), 300, "every item is processed");
    // Children that run when a process ends run again, and no others.
    let again: u32 = times.values().map(|times| times - 1).sum();
    assert!(again <= 10 * crashes, "{again} items were processed again in {crashes} crashes");
    assert_eq!(rows(&place)[..2], [("executions", 2), ("children", 1)]);
}
