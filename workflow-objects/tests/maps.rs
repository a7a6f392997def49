//! Runs of distributed Maps over object stores, in memory.

#[path = "../../workflow-runtime/tests/machines/maps.rs"]
mod maps;

use std::sync::Mutex;

use maps::Flow;
use workflow_objects::store::{FolderStore, MemoryStore, ObjectStore, Stores};
use workflow_runtime::engine::{Engine as _, StartRequest, Status, WaitsFor};
use workflow_runtime::machine::ReaderKind;
use workflow_runtime::objects::{Objects, ReadItems, WriteResults};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Builder, Fault, MemoryEngine, Outcome, Task, TaskContext, Value, value};

/// Records the inputs. Fails for the input `{"n": "bad"}`.
#[derive(Default)]
struct Desk(Mutex<Vec<String>>);

impl Invoke for Desk {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        self.0.lock().expect("it is not poisoned").push(input.to_string());
        Box::pin(async move {
            match input.get("n").and_then(Value::as_str) {
                Some("bad") => Err(Fault::new("Bad", "row")),
                _ => Ok(input),
            }
        })
    }
}

async fn run(stores: &Stores, map: i64, settings: Value, reload: bool) -> (Outcome, usize) {
    let desk = Desk::default();
    let builder = Builder::<Flow>::new().tasks(&desk).objects(stores.clone()).reload_at_every_completion(reload);
    let outcome = builder.run(value!({ "map": map, "settings": settings })).await;
    let invoked = desk.0.lock().expect("it is not poisoned").len();
    (outcome, invoked)
}

fn stores() -> Stores {
    let bucket = MemoryStore::new();
    bucket.insert("rows.csv", "n,m\n1,a\n2,b\nbad,c\n4,d\n");
    bucket.insert("more/1.json", "[1]");
    bucket.insert("more/2.json", "[2]");
    bucket.insert("open.csv", "n\n1\n\"2\n");
    Stores::new().with("b", bucket)
}

fn csv(key: &str) -> Value {
    value!({
        "reader": { "Bucket": "b", "Key": key },
        "config": { "InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW" },
    })
}

/// Returns the settings with further members.
fn with(mut settings: Value, more: Value) -> Value {
    if let (Some(members), Some(more)) = (settings.as_object_mut(), more.as_object()) {
        more.iter().for_each(|(name, value)| drop(members.insert(name.clone(), value.clone())));
    }
    settings
}

#[tokio::test]
async fn rows_are_processed_and_tolerated_failures_keep_their_place() {
    for reload in [false, true] {
        let settings = with(csv("rows.csv"), value!({ "tolerated_count": 1, "concurrency": 2 }));
        let (outcome, invoked) = run(&stores(), 1, settings, reload).await;
        let expected = value!([
            { "n": "1", "m": "a" }, { "n": "2", "m": "b" },
            { "Status": "FAILED", "Error": "Bad", "Cause": "row" }, { "n": "4", "m": "d" },
        ]);
        assert_eq!((outcome, invoked), (Ok(expected), 4), "{reload}");
    }
}

/// Another thread reads ahead. The last row is damaged.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_that_are_read_ahead_keep_their_order_and_the_fault_behind_them() {
    let rows: String = (0..4_500).map(|row| format!("{row}\n")).collect();
    for (end, is_whole) in [("", true), ("\"open", false)] {
        let bucket = MemoryStore::new();
        bucket.insert("rows.csv", format!("n\n{rows}{end}"));
        let stores = Stores::new().with("b", bucket);
        let desk = Desk::default();
        let input = value!({ "map": 1, "settings": csv("rows.csv") });
        let outcome = Builder::<Flow>::new().tasks(&desk).objects(stores).run(input).await;
        let expected: Vec<String> = (0..4_500).map(|row| format!(r#"{{"n":"{row}"}}"#)).collect();
        assert_eq!(*desk.0.lock().expect("it is not poisoned"), expected);
        match outcome {
            Ok(results) => assert_eq!((results.as_array().map(|all| all.len()), is_whole), (Some(4_500), true)),
            Err(fault) => assert_eq!((fault.error(), is_whole), (Some("States.ItemReaderFailed"), false)),
        }
    }
}

#[tokio::test]
async fn a_failure_that_is_not_tolerated_is_an_error_of_the_map() {
    let (outcome, _) = run(&stores(), 1, csv("rows.csv"), false).await;
    let fault = outcome.expect_err("it fails");
    assert_eq!(fault.error(), Some("States.ExceedToleratedFailureThreshold"));
    assert!(!fault.is_task_failure());
}

#[tokio::test]
async fn listed_objects_are_items() {
    let settings = value!({ "reader": { "Bucket": "b", "Prefix": "more/" } });
    let (outcome, _) = run(&stores(), 2, settings, true).await;
    let outcome = outcome.expect("it succeeds");
    let keys: Vec<_> = outcome.as_array().into_iter().flatten().filter_map(|item| item.get("Key")).collect();
    assert_eq!(keys, [&Value::from("more/1.json"), &Value::from("more/2.json")]);
}

/// Records the inputs, and removes the object of each one from the bucket: the object itself, or
/// the one whose last row the input is.
struct Mover(MemoryStore, Mutex<Vec<String>>);

impl Invoke for Mover {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        let key = ["Key", "remove"].iter().find_map(|name| input.get(*name)).and_then(Value::as_str);
        if let Some(key) = key {
            assert!(self.0.remove(key), "{key} is there");
        }
        self.1.lock().expect("it is not poisoned").push(input.to_string());
        Box::pin(async move { Ok(input) })
    }
}

async fn move_all(bucket: MemoryStore, settings: Value, reload: bool) -> (usize, usize) {
    let stores = Stores::new().with("b", bucket.clone());
    let mover = Mover(bucket, Mutex::default());
    let builder = Builder::<Flow>::new().tasks(&mover).objects(stores).reload_at_every_completion(reload);
    let outcome = builder.run(value!({ "map": 2, "settings": settings })).await;
    let results = outcome.expect("it succeeds").as_array().map_or(0, |results| results.len());
    let mut inputs = mover.1.into_inner().expect("it is not poisoned");
    inputs.sort();
    inputs.dedup();
    (results, inputs.len())
}

#[tokio::test]
async fn children_may_remove_their_objects() {
    for (reload, concurrency) in [(false, 10), (true, 1), (true, 3)] {
        let bucket = MemoryStore::new();
        (0..40).for_each(|at| drop(bucket.insert(format!("in/{at:02}"), "x")));
        let settings = value!({ "reader": { "Bucket": "b", "Prefix": "in/" }, "concurrency": concurrency });
        let moved = move_all(bucket.clone(), settings, reload).await;
        assert_eq!((moved, bucket.keys().len()), ((40, 40), 0), "{reload} {concurrency}");
    }
}

#[tokio::test]
async fn an_object_may_be_removed_when_its_last_row_has_started() {
    for (rows, reload) in [(1, true), (3, true), (3, false)] {
        let bucket = MemoryStore::new();
        for at in 0..20 {
            let row = |row: usize| match row + 1 == rows {
                true => format!("{{\"row\": {row}, \"remove\": \"in/{at:02}\"}}\n"),
                false => format!("{{\"row\": {row}, \"of\": {at}}}\n"),
            };
            bucket.insert(format!("in/{at:02}"), (0..rows).map(row).collect::<String>());
        }
        let settings = value!({
            "reader": { "Bucket": "b", "Prefix": "in/" },
            "config": { "InputType": "JSONL", "Transformation": "LOAD_AND_FLATTEN" },
            "concurrency": 1,
        });
        let moved = move_all(bucket.clone(), settings, reload).await;
        assert_eq!((moved, bucket.keys().len()), ((20 * rows, 20 * rows), 0), "{rows} {reload}");
    }
}

#[tokio::test]
async fn items_that_cannot_be_read_are_errors_of_the_reader() {
    let cause = |outcome: Outcome| {
        let fault = outcome.expect_err("it fails");
        assert_eq!(fault.error(), Some("States.ItemReaderFailed"));
        fault.cause().and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let (outcome, _) = run(&stores(), 1, csv("none.csv"), false).await;
    assert!(cause(outcome).starts_with("s3://b/none.csv does not exist"));
    // The row before the damage is processed.
    let (outcome, invoked) = run(&stores(), 1, csv("open.csv"), false).await;
    assert!(cause(outcome).starts_with("s3://b/open.csv, record 2"));
    assert_eq!(invoked, 1);
    let negative = with(csv("rows.csv"), value!({ "config": { "InputType": "JSONL", "MaxItems": (-1) } }));
    assert_eq!(cause(run(&stores(), 1, negative, false).await.0), "field MaxItems must be positive");
    let desk = Desk::default();
    let input = value!({ "map": 1, "settings": csv("rows.csv") });
    let outcome = Builder::<Flow>::new().tasks(&desk).run(input).await;
    assert!(cause(outcome).contains("the bucket \"b\""));
}

#[tokio::test]
async fn arguments_that_are_no_strings_are_refused() {
    let csv = || csv("rows.csv").get("config").cloned().expect("a configuration");
    for (map, reader, expected) in [
        (1, value!({ "Bucket": "b", "Key": 7 }), "the field Key must be a string, and is 7"),
        (1, value!({ "Bucket": null, "Key": "k" }), "the field Bucket must be a string, and is null"),
        (1, value!({ "Bucket": "b", "Key": ["k"] }), "the field Key must be a string, and is an array"),
        (1, value!({ "Bucket": "b", "Key": "k", "VersionId": 1 }), "the field VersionId must be a string, and is 1"),
        (2, value!({ "Bucket": "b", "Prefix": { "a": 1 } }), "the field Prefix must be a string, and is an object"),
    ] {
        let settings = match map {
            1 => value!({ "reader": reader, "config": csv() }),
            _ => value!({ "reader": reader }),
        };
        let fault = run(&stores(), map, settings, false).await.0.expect_err("it fails");
        assert_eq!(fault.error(), Some("States.ItemReaderFailed"));
        assert_eq!(fault.cause().and_then(Value::as_str), Some(expected));
    }
    let writer = value!({ "writer": { "Parameters": { "Bucket": "b", "Prefix": 1.5 }, "WriterConfig": {} } });
    let fault = run(&stores(), 1, with(self::csv("rows.csv"), writer), false).await.0.expect_err("it fails");
    assert_eq!(fault.error(), Some("States.ResultWriterFailed"));
    assert_eq!(fault.cause().and_then(Value::as_str), Some("the field Prefix must be a string, and is 1.5"));
}

#[tokio::test]
async fn results_are_written_in_the_order_of_the_items() {
    for reload in [false, true] {
        let stores = stores();
        let writer = value!({
            "tolerated_count": 1,
            "writer": {
                "Parameters": { "Bucket": "b", "Prefix": "out" },
                "WriterConfig": { "Transformation": "COMPACT", "OutputType": "JSONL" },
            },
        });
        let (outcome, _) = run(&stores, 1, with(csv("rows.csv"), writer), reload).await;
        let details = outcome.expect("it succeeds");
        let key = details.get("ResultWriterDetails").and_then(|details| details.get("Key")).and_then(Value::as_str);
        let key = key.expect("a manifest").to_owned();
        let manifest = Value::from_json(&object(&stores, &key).await).expect("JSON");
        let files = manifest.get("ResultFiles").expect("files");
        let file = |status: &str| {
            let key = files.get(status).and_then(|files| files.get(0)).and_then(|file| file.get("Key"));
            key.and_then(Value::as_str).map(str::to_owned)
        };
        assert_eq!(file("PENDING"), None);
        let succeeded = object(&stores, &file("SUCCEEDED").expect("a file")).await;
        let rows = ["{\"n\":\"1\",\"m\":\"a\"}", "{\"n\":\"2\",\"m\":\"b\"}", "{\"n\":\"4\",\"m\":\"d\"}"];
        assert_eq!(succeeded.lines().collect::<Vec<_>>(), rows);
        let failed = Value::from_json(&object(&stores, &file("FAILED").expect("a file")).await).expect("a line");
        assert_eq!(failed.get("Input").and_then(Value::as_str), Some(r#"{"n":"bad","m":"c"}"#));
    }
}

async fn object(stores: &Stores, key: &str) -> String {
    let store = stores.bucket("b").expect("a bucket");
    let mut download = store.get(key, Default::default()).await.expect("an object");
    let mut text = Vec::new();
    while let Some(part) = download.body.next().await.expect("bytes") {
        text.extend_from_slice(&part);
    }
    String::from_utf8(text).expect("text")
}

/// Never answers.
struct Waiting;

impl Invoke for Waiting {
    fn invoke<'a>(&'a self, _: &'static Task, _: Value, _: TaskContext) -> TaskFuture<'a> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn an_engine_in_memory_runs_and_cancels_children() {
    let input = || value!({ "map": 1, "settings": with(csv("rows.csv"), value!({ "tolerated_count": 1 })) });
    let (engine, run) = MemoryEngine::builder().workflow::<Flow>(Desk::default()).objects(stores()).open();
    let running = tokio::spawn(run);
    engine.start(StartRequest::new("flow", input()).id("one")).await.expect("it starts");
    let outcome = engine.attach("one").await.expect("it is kept").expect("it succeeds");
    assert_eq!(outcome.as_array().map(|results| results.len()), Some(4));
    assert_eq!(engine.describe("one.1-0").await.expect("the run").summary.status, Status::Succeeded);
    running.abort();

    let (engine, run) = MemoryEngine::builder().workflow::<Flow>(Waiting).objects(stores()).open();
    let running = tokio::spawn(run);
    engine.start(StartRequest::new("flow", input()).id("one")).await.expect("it starts");
    let counts = loop {
        tokio::task::yield_now().await;
        let Ok(run) = engine.describe("one.1-0").await else { continue };
        let counts = run.waiting.iter().find_map(|waits| match waits.waits_for {
            WaitsFor::Map(counts) if counts.running > 0 => Some(counts),
            _ => None,
        });
        if let Some(counts) = counts {
            break counts;
        }
    };
    assert_eq!((counts.pending, counts.running, counts.succeeded, counts.failed), (0, 4, 0, 0));
    engine.cancel("one", "enough").await.expect("it is cancelled");
    for id in ["one", "one.1-0"] {
        let fault = engine.attach(id).await.expect("it is kept").expect_err("it is cancelled");
        assert_eq!(fault.error(), Some("Execution.Cancelled"), "{id}");
    }
    // The children of a run that has ended are not kept.
    for id in ["one.1-0.1-0", "one.1-0.4-0"] {
        while engine.describe(id).await.is_ok() {
            tokio::task::yield_now().await;
        }
    }
    running.abort();
}

#[tokio::test]
async fn a_request_without_records_checks_the_target() {
    let request = |bucket: &str| {
        let arguments = value!({ "Bucket": bucket, "Prefix": "p" });
        WriteResults::new(arguments, Value::Null, "run".into(), "arn:run".into(), Vec::new())
    };
    let memory = MemoryStore::new();
    let root = std::env::temp_dir().join(format!("workflow-objects-check-{}", std::process::id()));
    std::fs::create_dir_all(&root).expect("the folder is created");
    std::fs::write(root.join("file"), "").expect("the file is written");
    let stores = Stores::new()
        .with("memory", memory.clone())
        .with("file", FolderStore::new(root.join("file")))
        .with("folder", FolderStore::new(root.join("folder")));
    for (bucket, is_right) in [("memory", true), ("folder", true), ("file", false), ("missing", false)] {
        let outcome = stores.write(&request(bucket)).await;
        assert_eq!(outcome.is_ok(), is_right, "{bucket}: {outcome:?}");
        assert!(outcome.err().is_none_or(|fault| fault.is(&["States.ResultWriterFailed"])), "{bucket}");
    }
    // Nothing is left.
    assert_eq!(memory.list("", None).next().await.expect("it is listed").map_or(0, |page| page.len()), 0);
    assert_eq!(std::fs::read_dir(root.join("folder")).map_or(0, |entries| entries.count()), 0);
    std::fs::remove_dir_all(root).expect("the folder is removed");
}

#[tokio::test]
async fn a_wrong_writer_fails_before_an_item_runs() {
    let writer = value!({ "writer": { "Parameters": { "Bucket": "missing", "Prefix": "p" } } });
    let (outcome, invoked) = run(&stores(), 1, with(csv("rows.csv"), writer), false).await;
    assert!(outcome.expect_err("it fails").is(&["States.ResultWriterFailed"]));
    assert_eq!(invoked, 0);
}

#[tokio::test]
async fn reading_continues_at_each_mark_when_what_is_before_it_is_gone() {
    let read = async |stores: &Stores, config: &Value, position: Value| {
        let arguments = value!({ "Bucket": "b", "Prefix": "in/" });
        let request = ReadItems::new(ReaderKind::ListObjects, arguments, config.clone(), 1_000, 1 << 20);
        let mut items = stores.open(&request.behind(position)).await.expect("it is opened");
        items.next(1_000, 1 << 20).await.expect("it is read")
    };
    let flat = value!({ "InputType": "JSONL", "Transformation": "LOAD_AND_FLATTEN" });
    for (config, rows) in [(Value::Null, 1), (flat, 2)] {
        let bucket = MemoryStore::new();
        (0..5).for_each(|at| drop(bucket.insert(format!("in/{at}"), "1\n2\n")));
        let stores = Stores::new().with("b", bucket.clone());
        let all = read(&stores, &config, Value::Null).await;
        assert_eq!((all.values.len(), all.marks.len(), all.is_last), (5 * rows, 5, true));
        for (at, (before, position)) in all.marks.iter().enumerate() {
            let rest = read(&stores, &config, position.clone()).await;
            assert_eq!((*before as usize, &rest.values), (at * rows, &all.values[at * rows..].to_vec()));
            bucket.remove(&format!("in/{at}"));
        }
    }
}
