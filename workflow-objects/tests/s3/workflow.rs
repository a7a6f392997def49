//! A workflow whose items and results are on a server of S3.

#[path = "../../../workflow-runtime/tests/machines/maps.rs"]
mod maps;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use maps::Flow;
use workflow_objects::store::{ObjectStore, Stores};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Builder, Fault, Task, TaskContext, Value, include_workflow, value};

use crate::server::{Moto, SECRET, answer_all};
use crate::{get, put};

include_workflow!("tests/flows/copies.asl.json");

/// Returns each row, and counts them.
#[derive(Default)]
struct Copier(AtomicUsize);

impl copies::Tasks for Copier {
    async fn copy(&self, input: Value, _: TaskContext) -> Result<Value, Fault> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(input)
    }
}

/// Runs the workflow. Returns its outcome, and the number of invoked tasks.
async fn run(stores: &Stores, from: &str, key: &str, to: &str) -> (Result<Value, Fault>, usize) {
    let copier = Copier::default();
    let input = value!({ "from": from, "key": key, "to": to });
    let outcome = copies::Copies::builder(&copier).objects(stores.clone()).run(input).await;
    (outcome, copier.0.load(Ordering::Relaxed))
}

/// Checks that a run fails before a task is invoked.
async fn check_failure(stores: &Stores, [from, key, to]: [&str; 3], error: &str, cause: &str) {
    let (outcome, invoked) = run(stores, from, key, to).await;
    let fault = outcome.expect_err("it fails");
    assert_eq!(fault.error(), Some(error), "{fault}");
    let text = fault.cause().and_then(Value::as_str).unwrap_or_default();
    assert!(text.starts_with(cause), "{text}");
    assert_eq!(invoked, 0, "{fault}");
    for secret in [SECRET, "some-key", "Signature="] {
        assert!(!format!("{fault:?}").contains(secret), "{fault:?}");
    }
}

const READER: &str = "States.ItemReaderFailed";
const WRITER: &str = "States.ResultWriterFailed";

#[tokio::test]
async fn a_workflow_reads_from_and_writes_to_s3() {
    let Some(server) = Moto::start() else { return };
    for bucket in ["rows", "copies"] {
        let created = server.request("PUT", &format!("/{bucket}"), "").expect("the server answers");
        assert!(created.contains(" 200 "), "{created}");
    }
    let (rows, copies) = (server.bucket("rows"), server.bucket("copies"));
    let stores = Stores::new().with("rows", rows.clone()).with("copies", copies.clone());
    let stores = stores.with("missing", server.bucket("missing"));
    let text: String = (0..500).map(|number| format!("{number},row {number}\n")).collect();
    for key in ["a.csv", "a//b.csv"] {
        put(&rows, key, vec![format!("n,text\n{text}").into_bytes()]).await;
        let (outcome, invoked) = run(&stores, "rows", key, "copies").await;
        let details = outcome.expect("it succeeds");
        assert_eq!(invoked, 500);
        let manifest = details.get("ResultWriterDetails").and_then(|details| details.get("Key"));
        let manifest = manifest.and_then(Value::as_str).expect("a manifest");
        let manifest = Value::from_json_slice(&get(&copies, manifest, Default::default()).await).expect("JSON");
        let files = manifest.get("ResultFiles").and_then(|files| files.get("SUCCEEDED")).and_then(Value::as_array);
        let mut written = String::new();
        for file in files.expect("files") {
            let key = file.get("Key").and_then(Value::as_str).expect("a key");
            written += &String::from_utf8(get(&copies, key, Default::default()).await).expect("text");
        }
        let expected = (0..500).map(|number| format!("{{\"n\":\"{number}\",\"text\":\"row {number}\"}}\n"));
        assert_eq!(written, expected.collect::<String>());
    }
    check_failure(&stores, ["rows", "b.csv", "copies"], READER, "s3://rows/b.csv does not exist: ").await;
    check_failure(&stores, ["missing", "a.csv", "copies"], READER, "s3://missing/a.csv does not exist: ").await;
    check_failure(&stores, ["rows", "a.csv", "missing"], WRITER, "s3://missing/copies/").await;
    check_failure(&stores, ["rows", "a.csv", "unknown"], WRITER, "s3://unknown does not exist: there is no store")
        .await;
    // The attempts to write leave nothing.
    let uploads = server.request("GET", "/copies?uploads", "").expect("the server answers");
    assert!(uploads.contains("ListMultipartUploadsResult") && !uploads.contains("<Upload>"), "{uploads}");
    // From here on, the server wants to know the keys.
    let reset = server.request("POST", "/moto-api/reset-auth", "0").expect("the server answers");
    assert!(reset.contains(" 200 "), "{reset}");
    check_failure(&stores, ["rows", "a.csv", "copies"], WRITER, "s3://copies/copies/").await;
    let local = stores.with("local", workflow_objects::store::MemoryStore::new());
    check_failure(&local, ["rows", "a.csv", "local"], READER, "s3://rows/a.csv may not be read: ").await;
}

#[tokio::test]
async fn a_fault_of_a_workflow_repeats_no_key() {
    let answer = "<Error><Code>SignatureDoesNotMatch</Code><Message>It does not match.</Message>\
        <AWSAccessKeyId>some-key</AWSAccessKeyId><StringToSign>a-very-secret-key</StringToSign></Error>";
    let port = answer_all("403 Forbidden", answer);
    let store = workflow_objects::store::S3::new("rows").endpoint(&format!("http://127.0.0.1:{port}"));
    let store = store.region("us-east-1").credentials("some-key", SECRET, None).build().expect("it is complete");
    let local = workflow_objects::store::MemoryStore::new();
    local.insert("a.csv", "n\n1\n");
    let stores = Stores::new().with("rows", store).with("local", local);
    check_failure(&stores, ["rows", "a.csv", "local"], READER, "s3://rows/a.csv may not be read: ").await;
    check_failure(&stores, ["local", "a.csv", "rows"], WRITER, "s3://rows/copies/").await;
}

/// Returns each input with a text of 10 kB, or of 100 kB for numbers below 200, and records the
/// inputs. A file of the long ones has more bytes than a part of an upload.
#[derive(Default)]
struct Padder(Mutex<Vec<Value>>);

impl Invoke for Padder {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        self.0.lock().expect("it is not poisoned").push(input.clone());
        let len = if input.as_i64().is_some_and(|number| number < 200) { 100_000 } else { 10_000 };
        Box::pin(async move { Ok(value!({ "input": input, "text": "x".repeat(len) })) })
    }
}

/// Runs a Map of `Flow`. Returns its outcome, and the inputs of the tasks.
async fn run_map(stores: &Stores, map: i64, settings: Value, reload: bool) -> (Value, Vec<Value>) {
    let padder = Padder::default();
    let builder = Builder::<Flow>::new().tasks(&padder).objects(stores.clone()).reload_at_every_completion(reload);
    let outcome = builder.run(value!({ "map": map, "settings": settings })).await.expect("it succeeds");
    (outcome, padder.0.into_inner().expect("it is not poisoned"))
}

#[tokio::test]
async fn a_run_reads_pages_and_ranges_and_writes_parts() {
    let Some(server) = Moto::start() else { return };
    let created = server.request("PUT", "/pages", "").expect("the server answers");
    assert!(created.contains(" 200 "), "{created}");
    let store = server.bucket("pages");
    let stores = Stores::new().with("pages", store.clone());
    // A page has 1000 objects.
    const COUNT: i64 = 1010;
    for number in 0..COUNT {
        put(&store, &format!("l/{number:04}"), vec![format!("{number}\n").into_bytes()]).await;
    }
    let settings = value!({
        "reader": { "Bucket": "pages", "Prefix": "l/" },
        "config": { "InputType": "JSONL", "Transformation": "LOAD_AND_FLATTEN" },
        "writer": {
            "Parameters": { "Bucket": "pages", "Prefix": "out" },
            "WriterConfig": { "Transformation": "COMPACT", "OutputType": "JSONL" },
        },
    });
    let (_, inputs) = run_map(&stores, 2, settings, false).await;
    assert_eq!(inputs.len(), 1010);
    let mut lines = Vec::new();
    let mut largest = 0;
    let page = store.list("out/", None).next().await.expect("it is listed").expect("a page");
    for file in page.iter().filter(|file| file.key.ends_with(".jsonl")) {
        largest = largest.max(file.size);
        let text = String::from_utf8(get(&store, &file.key, Default::default()).await).expect("text");
        lines.extend(text.lines().map(|line| Value::from_json(line).expect("JSON")));
        // The ETag of an object that was written in parts has their number.
        assert!(file.size <= 8 * 1024 * 1024 || file.etag.contains('-'), "{file:?}");
    }
    assert!(largest > 8 * 1024 * 1024, "{largest}");
    let numbers: Vec<i64> = lines.iter().filter_map(|line| line.get("input")?.as_i64()).collect();
    assert_eq!(numbers, (0..COUNT).collect::<Vec<_>>());
    // A run that is loaded again reads on from its cursor.
    let rows: String = (0..100).map(|number| format!("{number}\n")).collect();
    put(&store, "rows.csv", vec![format!("n\n{rows}").into_bytes()]).await;
    let settings = value!({
        "reader": { "Bucket": "pages", "Key": "rows.csv" },
        "config": { "InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW" },
        "concurrency": 3,
    });
    let (outcome, _) = run_map(&stores, 1, settings, true).await;
    let numbers = outcome.as_array().into_iter().flatten().filter_map(|item| item.get("input")?.get("n")?.as_str());
    assert_eq!(numbers.collect::<Vec<_>>(), (0..100).map(|number| number.to_string()).collect::<Vec<_>>());
}
