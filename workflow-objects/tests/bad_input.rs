//! Bad input of whole runs: the fault names the object and the position, the data behind it are
//! not read, and the results of the items before it are written.

#[path = "../../workflow-runtime/tests/machines/maps.rs"]
mod maps;

use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use maps::Flow;
use workflow_objects::Bytes;
use workflow_objects::store::{
    Download, MemoryStore, ObjectInfo, ObjectStore, Parts, Pending, StoreError, StoreErrorKind, Stores, Upload, Wanted,
};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Builder, Outcome, Task, TaskContext, Value, value};

/// The size of the pieces of an object that is made while it is read.
const PIECE: usize = 64 * 1024;

/// A long object, which is made while it is read: a beginning, and a byte many times.
struct Long {
    beginning: &'static str,
    byte: u8,
    size: usize,
    /// The number of bytes that were read.
    read: Arc<AtomicU64>,
}

impl ObjectStore for Long {
    fn get<'a>(&'a self, _key: &'a str, _wanted: Wanted<'a>) -> Pending<'a, Result<Download, StoreError>> {
        let body =
            Pieces { beginning: Some(self.beginning), byte: self.byte, left: self.size, read: self.read.clone() };
        Box::pin(async move { Ok(Download { size: self.size as u64, etag: "e".into(), body: Box::new(body) }) })
    }

    fn list(&self, prefix: &str, after: Option<&str>) -> Box<dyn Parts<Vec<ObjectInfo>>> {
        MemoryStore::new().list(prefix, after)
    }

    fn put<'a>(&'a self, _key: &'a str) -> Pending<'a, Result<Box<dyn Upload>, StoreError>> {
        Box::pin(async { Err(StoreError::new(StoreErrorKind::Denied, "it is read-only")) })
    }
}

struct Pieces {
    beginning: Option<&'static str>,
    byte: u8,
    left: usize,
    read: Arc<AtomicU64>,
}

impl Parts<Bytes> for Pieces {
    fn next(&mut self) -> Pending<'_, Result<Option<Bytes>, StoreError>> {
        let piece = match self.beginning.take() {
            Some(beginning) => Bytes::from(beginning),
            None => {
                let length = self.left.min(PIECE);
                self.left -= length;
                Bytes::from(vec![self.byte; length])
            }
        };
        self.read.fetch_add(piece.len() as u64, Ordering::Relaxed);
        Box::pin(async move { Ok(Some(piece).filter(|piece| !piece.is_empty())) })
    }
}

/// A store that allows nothing.
struct Denied;

fn denied(what: &str, key: &str) -> StoreError {
    StoreError::new(StoreErrorKind::Denied, format!("cannot {what} {key:?}"))
}

impl ObjectStore for Denied {
    fn get<'a>(&'a self, key: &'a str, _wanted: Wanted<'a>) -> Pending<'a, Result<Download, StoreError>> {
        Box::pin(async move { Err(denied("read", key)) })
    }

    fn list(&self, _prefix: &str, _after: Option<&str>) -> Box<dyn Parts<Vec<ObjectInfo>>> {
        Box::new(Denied)
    }

    fn put<'a>(&'a self, key: &'a str) -> Pending<'a, Result<Box<dyn Upload>, StoreError>> {
        Box::pin(async move { Err(denied("write", key)) })
    }
}

impl Parts<Vec<ObjectInfo>> for Denied {
    fn next(&mut self) -> Pending<'_, Result<Option<Vec<ObjectInfo>>, StoreError>> {
        Box::pin(async { Err(denied("list", "the bucket")) })
    }
}

/// Returns each input, and records it. Changes the store `b` with the first one.
struct Desk {
    inputs: Mutex<Vec<Value>>,
    change: Option<(MemoryStore, &'static str)>,
}

impl Invoke for Desk {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        self.inputs.lock().expect("it is not poisoned").push(input.clone());
        if let Some((store, key)) = &self.change {
            store.remove(key);
        }
        Box::pin(async move { Ok(input) })
    }
}

const GET: i64 = 1;
const LIST: i64 = 2;

/// The outcome of a run, and what it left.
struct Ran {
    outcome: Outcome,
    /// The inputs of the children in the result files, with those that never started.
    written: Vec<Value>,
    /// The inputs of the tasks.
    invoked: Vec<Value>,
}

impl Ran {
    /// Returns the cause. The error is that of a reader.
    fn cause(&self) -> &str {
        let fault = self.outcome.as_ref().expect_err("the run fails");
        assert_eq!(fault.error(), Some("States.ItemReaderFailed"), "{fault}");
        assert!(!fault.is_task_failure());
        fault.cause().and_then(Value::as_str).unwrap_or_default()
    }
}

/// Runs a Map that writes its results to the bucket `out`.
async fn run(stores: Stores, map: i64, key: &str, config: Value, reload: bool, desk: Desk) -> Ran {
    let out = MemoryStore::new();
    let settings = value!({
        "reader": { "Bucket": "b", "Key": key, "Prefix": key },
        "config": config,
        "writer": {
            "Parameters": { "Bucket": "out", "Prefix": "r" },
            "WriterConfig": { "Transformation": "NONE", "OutputType": "JSONL" },
        },
        "concurrency": 2,
    });
    let builder = Builder::<Flow>::new().tasks(&desk).objects(stores.with("out", out.clone()));
    let input = value!({ "map": map, "settings": settings });
    let outcome = builder.reload_at_every_completion(reload).run(input).await;
    let mut written = Vec::new();
    for object in out.list("r/", None).next().await.expect("it is listed").unwrap_or_default() {
        let file = out.bytes(&object.key).expect("it is there");
        let text = String::from_utf8(file.to_vec()).expect("text");
        // The manifest is one more line, without an input.
        for line in text.lines() {
            let record = Value::from_json(line).expect("a line is JSON");
            let input = record.get("Input").and_then(Value::as_str);
            written.extend(input.map(|input| Value::from_json(input).expect("an input is JSON")));
        }
    }
    Ran { outcome, written, invoked: desk.inputs.into_inner().expect("it is not poisoned") }
}

fn desk() -> Desk {
    Desk { inputs: Mutex::default(), change: None }
}

fn bucket(key: &str, object: impl Into<Bytes>) -> Stores {
    let store = MemoryStore::new();
    store.insert(key, object.into());
    Stores::new().with("b", store)
}

fn csv() -> Value {
    value!({ "InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW" })
}

fn lines() -> Value {
    value!({ "InputType": "JSONL" })
}

fn json() -> Value {
    value!({ "InputType": "JSON" })
}

/// Checks the cause of an object, and that the results have each of the items before the damage.
async fn check(key: &str, object: &[u8], config: Value, good: &[Value], expected: &str) {
    for reload in [false, true] {
        let ran = run(bucket(key, object.to_vec()), GET, key, config.clone(), reload, desk()).await;
        let cause = ran.cause();
        match expected.strip_suffix('…') {
            Some(start) => assert!(cause.starts_with(start), "{cause}"),
            None => assert_eq!(cause, expected),
        }
        assert_eq!(ran.written, good, "{expected}");
        assert!(ran.invoked.iter().all(|input| good.contains(input)), "{expected}");
    }
}

#[tokio::test]
async fn rows_with_too_few_and_too_many_fields_are_items() {
    let object = "\u{feff}a,b\n1\n2,3,4\n\n5,\n";
    let expected = [value!({ "a": "1", "b": "" }), value!({ "a": "2", "b": "3" }), value!({ "a": "5", "b": "" })];
    let ran = run(bucket("a", object), GET, "a", csv(), false, desk()).await;
    assert!(ran.outcome.is_ok(), "{:?}", ran.outcome);
    assert_eq!(ran.written, expected);
    assert_eq!(ran.invoked, expected);
}

#[tokio::test]
async fn bad_rows_lose_no_row_before_them() {
    let good = [value!({ "a": "1", "b": "2" }), value!({ "a": "3", "b": "4" })];
    for (object, expected) in [
        (&b"a,b\n1,2\n3,4\n5,\"6\n7,8\n"[..], "s3://b/a, record 3 from byte 12: a quoted field does not end"),
        (b"a,b\n1,2\n3,4\n5,\xff\n7,8\n", "s3://b/a, record 3 from byte 12: the row is not UTF-8"),
        (b"\xef\xbb\xbfa,b\n1,2\n3,4\n\xff,6\n", "s3://b/a, record 3 from byte 15: the row is not UTF-8"),
    ] {
        check("a", object, csv(), &good, expected).await;
    }
    check("a", b"a,b,a\n1,2,3\n", csv(), &[], "CSV headers cannot contain duplicates.").await;
    check("a", b"\xff\xfea\0\n\0", csv(), &[], "s3://b/a, record 1 from byte 0: the row is not UTF-8").await;
}

#[tokio::test]
async fn bad_json_loses_no_item_before_it() {
    let good = [value!(1), value!(2)];
    check("a", b"1\n2\n{\n3\n", lines(), &good, "s3://b/a, record 3 from byte 4: the line is not JSON: …").await;
    check("a", b"1\n2\n\"\xff\"\n", lines(), &good, "s3://b/a, record 3 from byte 4: the line is not UTF-8").await;
    check("a", b"[1, 2, ", json(), &good, "s3://b/a, record 3 from byte 5: the JSON ends too early").await;
    check("a", b"[1, 2, nul]", json(), &good, "s3://b/a, record 3 from byte 5: it is not JSON: …").await;
    for object in [&b"{\"Hello\": \"world\"}"[..], b"7", b"\"text\""] {
        check("a", object, json(), &[], "Attempting to map over non-iterable node.").await;
    }
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).expect("a vector takes all");
    encoder.finish().expect("a vector takes all")
}

#[tokio::test]
async fn a_byte_order_mark_in_a_small_compressed_object_is_no_text() {
    let ran = run(bucket("a.gz", gzip("\u{feff}a\n1\n")), GET, "a.gz", csv(), false, desk()).await;
    assert_eq!(ran.written, [value!({ "a": "1" })]);
}

#[tokio::test]
async fn truncated_gzip_loses_no_line_before_its_end() {
    let text: String = (0..3000).map(|number| format!("{}\n", number * 7919)).collect();
    let whole = gzip(&text);
    let ran = run(bucket("a.gz", whole[..whole.len() - 1].to_vec()), GET, "a.gz", lines(), false, desk()).await;
    assert!(ran.cause().starts_with("s3://b/a.gz, record "), "{}", ran.cause());
    assert!(ran.cause().contains(": the gzip data is damaged or ends too early: "), "{}", ran.cause());
    let expected: Vec<Value> = (0..).take(ran.written.len()).map(|number: i64| Value::from(number * 7919)).collect();
    assert_eq!(ran.written, expected);
    assert!(ran.written.len() > 2900, "{}", ran.written.len());
}

#[tokio::test]
async fn what_is_behind_an_endless_record_is_not_read() {
    let row = value!({ "a": "1", "b": "2" });
    let table = [
        (
            "a,b\n1,2\n3,",
            b'x',
            csv(),
            row.clone(),
            "s3://b/a, record 2 from byte 8: the row is longer than 16777216 bytes",
        ),
        ("a,b\n1,2\n3,\"", b'\n', csv(), row, "s3://b/a, record 2 from byte 8: the row is longer than 16777216 bytes"),
        ("1\n", b' ', lines(), value!(1), "s3://b/a, record 2 from byte 2: the line is longer than 16777216 bytes"),
        ("[1, \"", b'x', json(), value!(1), "s3://b/a, record 2 from byte 2: an item of the JSON is longer than…"),
    ];
    for (beginning, byte, config, good, expected) in table {
        let read = Arc::new(AtomicU64::new(0));
        let long = Long { beginning, byte, size: 100_000_000, read: read.clone() };
        let ran = run(Stores::new().with("b", long), GET, "a", config, false, desk()).await;
        let start = expected.trim_end_matches('…');
        assert!(ran.cause().starts_with(start), "{}", ran.cause());
        assert_eq!(ran.written, [good]);
        // The longest record, and pieces that were read ahead.
        let read = read.load(Ordering::Relaxed);
        assert!(read < 17 * 1024 * 1024, "{read} bytes were read: {expected}");
    }
}

#[tokio::test]
async fn what_is_not_there_or_not_allowed_is_named() {
    let listed = || value!({ "Transformation": "NONE" });
    let empty = || Stores::new().with("b", MemoryStore::new());
    let denied = || Stores::new().with("b", Denied);
    for (stores, map, config, expected) in [
        (empty(), GET, csv(), "s3://b/a does not exist: there is no object \"a\""),
        (Stores::new(), GET, csv(), "s3://b/a does not exist: there is no store for the bucket \"b\": add it to …"),
        (Stores::new(), LIST, listed(), "s3://b does not exist: there is no store for the bucket \"b\": add it to …"),
        (denied(), GET, csv(), "s3://b/a may not be read: cannot read \"a\""),
        (denied(), LIST, listed(), "s3://b may not be read: cannot list \"the bucket\""),
    ] {
        let ran = run(stores, map, "a", config, false, desk()).await;
        match expected.strip_suffix('…') {
            None => assert_eq!(ran.cause(), expected),
            Some(start) => assert!(ran.cause().starts_with(start), "{}", ran.cause()),
        }
        assert_eq!((ran.written.len(), ran.invoked.len()), (0, 0));
    }
}

#[tokio::test]
async fn an_object_that_is_removed_while_the_listing_is_read_loses_no_item_before_it() {
    let store = MemoryStore::new();
    // More than a run reads ahead.
    let first: String = (0..5000).map(|number| format!("{number}\n")).collect();
    store.insert("f/1", first);
    store.insert("f/2", "5000\n");
    let desk = Desk { inputs: Mutex::default(), change: Some((store.clone(), "f/2")) };
    let config = value!({ "Transformation": "LOAD_AND_FLATTEN", "InputType": "JSONL" });
    let ran = run(Stores::new().with("b", store), LIST, "f/", config, false, desk).await;
    assert_eq!(ran.cause(), "s3://b/f/2 does not exist: there is no object \"f/2\"");
    let expected: Vec<Value> = (0..5000).map(|number: i64| Value::from(number)).collect();
    assert_eq!(ran.written, expected);
}
