//! Runs of distributed Maps over a folder of files.

#[path = "../../../../workflow-runtime/tests/machines/maps.rs"]
mod maps;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use maps::Flow;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use workflow_objects::store::{FolderStore, Stores};
use workflow_restate::{Client, ClientError, Executions, Service};
use workflow_runtime::engine::MapUpdate;
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::machine::{Outcome, Task};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Fault, TaskContext, Value, value};

use crate::scale::number;
use crate::server::server;
use crate::{IDLE, eventually, serve};

/// The key of the run of the Map of the execution `one`.
pub const RUN: &str = "one.1-0";

/// Tasks that count their runs for each row. A clone shares the records.
#[derive(Clone)]
pub struct Rows {
    runs: Arc<Mutex<BTreeMap<String, u32>>>,
    pub ended: Arc<AtomicU32>,
    /// Permits of the tasks.
    pub permits: Arc<Semaphore>,
    /// Rows whose tasks fail.
    pub bad: Arc<Mutex<BTreeSet<String>>>,
}

impl Rows {
    pub fn with_permits(permits: usize) -> Rows {
        let bad = Arc::new(Mutex::new(["bad".to_owned()].into()));
        Rows { runs: Arc::default(), ended: Arc::default(), permits: Arc::new(Semaphore::new(permits)), bad }
    }

    pub fn runs(&self) -> BTreeMap<String, u32> {
        self.runs.lock().unwrap().clone()
    }
}

impl Invoke for Rows {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            let row = input.get("n").and_then(Value::as_str).unwrap_or_default().to_owned();
            *self.runs.lock().unwrap().entry(row.clone()).or_default() += 1;
            self.permits.acquire().await.unwrap().forget();
            self.ended.fetch_add(1, Ordering::Relaxed);
            match self.bad.lock().unwrap().contains(&row) {
                true => Err(Fault::new("Bad", "row")),
                false => Ok(input),
            }
        })
    }
}

/// The served workflow, and the folder of its bucket.
pub struct Served {
    pub rows: Rows,
    pub folder: PathBuf,
    service: Arc<dyn Fn() -> Service + Send + Sync>,
    pub executions: Executions,
    address: String,
    server: JoinHandle<()>,
}

impl Served {
    pub async fn start(rows: Rows, set_up: impl Fn(Service) -> Service + Send + Sync + 'static) -> Option<Served> {
        static VERSION: AtomicU32 = AtomicU32::new(1);
        let restate = server()?;
        let version = format!("maps-{}", VERSION.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{version}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (tasks, bucket) = (rows.clone(), folder.clone());
        let service = move || {
            let stores = Stores::new().with("rows", FolderStore::new(&bucket));
            set_up(Service::of::<Flow>(tasks.clone()).version(&version).idle(IDLE).objects(stores))
        };
        let client = Client::new(&restate.ingress, &restate.admin);
        let executions = client.service(service().name());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = serve(service(), listener);
        client.replace(&format!("http://{address}")).await.unwrap();
        Some(Served { rows, folder, service: Arc::new(service), executions, address, server })
    }

    /// Crashes the endpoint, and serves again.
    pub async fn restart(&mut self) {
        self.server.abort();
        tokio::time::sleep(IDLE).await;
        let listener = TcpListener::bind(&self.address).await.unwrap();
        self.server = serve((self.service)(), listener);
    }

    /// Starts a Map over the rows of a table, with these further settings.
    pub async fn begin(&self, rows: impl Iterator<Item = String>, more: Value) {
        let text = std::iter::once("n".to_owned()).chain(rows).collect::<Vec<_>>().join("\n");
        std::fs::write(self.folder.join("rows.csv"), text).unwrap();
        let mut settings = value!({
            "reader": { "Bucket": "rows", "Key": "rows.csv" },
            "config": { "InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW" },
        });
        for (name, setting) in more.as_object().into_iter().flat_map(|more| more.iter()) {
            settings.as_object_mut().unwrap().insert(name.clone(), setting.clone());
        }
        self.executions.start("one", value!({ "map": 1, "settings": settings })).await.unwrap();
    }

    pub async fn end(&self) -> Outcome {
        self.executions.attach("one").await.unwrap()
    }

    /// Returns the numbers of items, once the run answers.
    pub async fn counts(&self) -> Option<Value> {
        let status = self.executions.status(RUN).await.unwrap();
        status.get("waits")?.get(0)?.get("map").cloned()
    }

    /// Returns a number of the invocations of a handler.
    fn number(&self, of: &str, handler: &str) -> f64 {
        number(&format!(
            "SELECT COALESCE({of}, 0) AS n FROM sys_invocation WHERE target_service_name = '{}' AND target_service_key = '{RUN}' \
             AND target_handler_name = '{handler}'",
            self.executions.name()
        ))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.server.abort();
        let _gone = std::fs::remove_dir_all(&self.folder);
    }
}

/// Returns the names of rows.
pub fn rows(count: u32) -> impl Iterator<Item = String> {
    (0..count).map(|row| row.to_string())
}

/// Returns the results of rows.
pub fn results(count: u32) -> Value {
    Value::from(rows(count).map(|row| value!({ "n": row })).collect::<Vec<_>>())
}

#[tokio::test(flavor = "multi_thread")]
async fn each_row_runs_once_and_journals_stay_short() {
    let limit = 40;
    let set_up = move |service: Service| service.journal_limit(limit);
    let Some(served) = Served::start(Rows::with_permits(1_000), set_up).await else { return };
    served.begin(rows(200), value!({})).await;
    assert_eq!(served.end().await, Ok(results(200)));
    assert_eq!(served.rows.runs(), rows(200).map(|row| (row, 1)).collect());
    let segments = served.number("COUNT(*)", "segment");
    let longest = served.number("MAX(journal_size)", "run").max(served.number("MAX(journal_size)", "segment"));
    // A child has three entries, of which two count. Half as many children as the limit are
    // attached to at the beginning, and as many are asked for in the end.
    assert!(segments > 3.0 && longest < 6.0 * limit as f64, "{segments} {longest}");
}

#[tokio::test(flavor = "multi_thread")]
async fn results_are_written_in_the_order_of_the_rows() {
    let Some(served) = Served::start(Rows::with_permits(1_000), |service| service.journal_limit(10)).await else {
        return;
    };
    let writer = value!({
        "tolerated_count": 1,
        "writer": {
            "Parameters": { "Bucket": "rows", "Prefix": "out" },
            "WriterConfig": { "Transformation": "COMPACT", "OutputType": "JSONL" },
        },
    });
    served.begin(rows(20).chain(["bad".to_owned()]).chain(rows(3)), writer).await;
    let details = served.end().await.unwrap();
    let key = details.get("ResultWriterDetails").and_then(|details| details.get("Key")?.as_str().map(str::to_owned));
    let file = |key: &str| std::fs::read_to_string(served.folder.join(key)).unwrap();
    let manifest = Value::from_json(&file(&key.unwrap())).unwrap();
    let written = |status: &str| {
        let written = manifest.get("ResultFiles").and_then(|files| files.get(status)?.get(0)?.get("Key")).unwrap();
        file(written.as_str().unwrap())
    };
    let expected = rows(20).chain(rows(3)).map(|row| format!("{{\"n\":\"{row}\"}}"));
    assert_eq!(written("SUCCEEDED").lines().collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    assert_eq!(written("FAILED").lines().count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn completed_rows_do_not_run_again_after_a_crash() {
    let Some(mut served) = Served::start(Rows::with_permits(12), |service| service.journal_limit(20)).await else {
        return;
    };
    served.begin(rows(30), value!({ "concurrency": 4 })).await;
    // The number of pending ones is known if the invocation has read items.
    eventually(async || {
        let counts = served.counts().await?;
        let found = ["running", "succeeded", "failed"].map(|name| counts.get(name).and_then(Value::as_i64));
        (found == [Some(4), Some(12), Some(0)]).then_some(())
    })
    .await;
    eventually(async || (served.rows.runs().len() == 16).then_some(())).await;
    let before = served.rows.runs();
    served.restart().await;
    served.rows.permits.add_permits(1_000);
    assert_eq!(served.end().await, Ok(results(30)));
    let runs = served.rows.runs();
    let again = before.keys().filter(|row| runs[*row] > 1).count();
    assert_eq!((before.len(), runs.len(), again), (16, 30, 4), "{runs:?}");
    assert!(runs.values().all(|runs| *runs <= 2), "{runs:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_row_is_lost_in_crashes() {
    const CRASHES: u32 = 5;
    let Some(mut served) = Served::start(Rows::with_permits(0), |service| service.journal_limit(60)).await else {
        return;
    };
    served.begin(rows(240), value!({ "concurrency": 8 })).await;
    for crash in 1..=CRASHES {
        served.rows.permits.add_permits(30);
        eventually(async || (served.rows.ended.load(Ordering::Relaxed) >= crash * 30).then_some(())).await;
        served.restart().await;
    }
    served.rows.permits.add_permits(1_000);
    assert_eq!(served.end().await, Ok(results(240)));
    let runs = served.rows.runs();
    assert_eq!(runs.len(), 240);
    // At most the rows that ran at a crash run again.
    let again: u32 = runs.values().map(|runs| runs - 1).sum();
    assert!(again <= CRASHES * 8, "{again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_execution_cancels_the_run_and_its_children() {
    let Some(served) = Served::start(Rows::with_permits(3), |service| service.journal_limit(20)).await else { return };
    served.begin(rows(30), value!({ "concurrency": 6 })).await;
    eventually(async || (served.counts().await?.get("succeeded") == Some(&3.into())).then_some(())).await;
    served.executions.cancel("one").await.unwrap();
    let fault = served.end().await.unwrap_err();
    assert_eq!(fault.error(), Some(CANCELLED));
    let running = format!(
        "SELECT COUNT(*) AS n FROM sys_invocation WHERE target_service_name = '{}' AND status <> 'completed'",
        served.executions.name()
    );
    eventually(async || (number(&running) == 0.0).then_some(())).await;
    assert_eq!((served.rows.runs().len(), served.rows.ended.load(Ordering::Relaxed)), (9, 3));
    for key in [RUN.to_owned(), format!("{RUN}.9-0")] {
        let fault = served.executions.attach(&key).await.unwrap().unwrap_err();
        assert_eq!(fault.error(), Some(CANCELLED), "{key}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_map_fails_when_rows_cannot_be_read_and_when_too_many_fail() {
    let Some(served) = Served::start(Rows::with_permits(1_000), |service| service).await else { return };
    served.begin(rows(3).chain(["bad".to_owned()]), value!({})).await;
    let fault = served.end().await.unwrap_err();
    assert_eq!(fault.error(), Some("States.ExceedToleratedFailureThreshold"));
    let settings = value!({
        "reader": { "Bucket": "rows", "Key": "none.csv" },
        "config": { "InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW" },
    });
    served.executions.start("two", value!({ "map": 1, "settings": settings })).await.unwrap();
    let fault = served.executions.attach("two").await.unwrap().unwrap_err();
    assert_eq!(fault.error(), Some("States.ItemReaderFailed"));
    assert!(fault.cause().and_then(Value::as_str).unwrap().starts_with("s3://rows/none.csv does not exist"), "{fault}");
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_limits_hold_after_a_crash_and_in_further_invocations() {
    let Some(mut served) = Served::start(Rows::with_permits(0), |service| service.journal_limit(20)).await else {
        return;
    };
    served.begin(rows(60), value!({ "concurrency": 2 })).await;
    eventually(async || (served.rows.runs().len() == 2).then_some(())).await;
    let update = |most| served.executions.update_map(RUN, MapUpdate::new().max_concurrency(most));
    update(8).await.unwrap();
    eventually(async || (served.rows.runs().len() == 8).then_some(())).await;
    update(4).await.unwrap();
    served.restart().await;
    let again = || served.rows.runs().values().filter(|runs| **runs == 2).count();
    eventually(async || (again() == 8).then_some(())).await;
    // Four more than those that ran have ended: the others are as many as may run.
    served.rows.permits.add_permits(44);
    eventually(async || {
        let counts = served.counts().await?;
        let found = ["running", "succeeded"].map(|name| counts.get(name).and_then(Value::as_i64));
        (found == [Some(4), Some(44)]).then_some(())
    })
    .await;
    tokio::time::sleep(IDLE).await;
    assert_eq!(served.rows.runs().len(), 48);
    assert!(served.number("COUNT(*)", "segment") >= 1.0);
    let update = |most| served.executions.update_map(RUN, MapUpdate::new().max_concurrency(most));
    update(0).await.unwrap();
    eventually(async || (served.rows.runs().len() > 48).then_some(())).await;
    served.rows.permits.add_permits(1_000);
    assert_eq!(served.end().await, Ok(results(60)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lowered_limit_holds_for_children_that_wait_for_others() {
    // The journal limit allows ten children at once.
    let Some(served) = Served::start(Rows::with_permits(0), |service| service.journal_limit(20)).await else {
        return;
    };
    served.begin(rows(60), value!({ "concurrency": 40 })).await;
    eventually(async || (served.rows.runs().len() == 10).then_some(())).await;
    served.executions.update_map(RUN, MapUpdate::new().max_concurrency(2)).await.unwrap();
    served.rows.permits.add_permits(9);
    eventually(async || (served.counts().await?.get("succeeded") == Some(&9.into())).then_some(())).await;
    tokio::time::sleep(IDLE).await;
    assert_eq!(served.rows.runs().len(), 11);
    served.rows.permits.add_permits(1_000);
    assert_eq!(served.end().await, Ok(results(60)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_changed_while_its_process_is_gone() {
    let Some(mut served) = Served::start(Rows::with_permits(0), |service| service).await else { return };
    served.begin(rows(9), value!({ "concurrency": 2 })).await;
    eventually(async || (served.rows.runs().len() == 2).then_some(())).await;
    served.server.abort();
    // Executions that have begun remain with the former address.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let other = serve((served.service)(), listener);
    let restate = server().unwrap();
    Client::new(&restate.ingress, &restate.admin).register(&address).await.unwrap();
    let update = MapUpdate::new().max_concurrency(5);
    let unknown = served.executions.update_map("one", update).await;
    assert!(matches!(unknown, Err(ClientError::Refused { status: 503, .. })), "{unknown:?}");
    served.executions.update_map(RUN, update).await.unwrap();
    served.restart().await;
    eventually(async || (served.rows.runs().len() == 5).then_some(())).await;
    served.rows.permits.add_permits(1_000);
    assert_eq!(served.end().await, Ok(results(9)));
    other.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_run_is_changed_and_only_within_limits() {
    let Some(served) = Served::start(Rows::with_permits(0), |service| service).await else { return };
    served.begin(rows(2).chain(["bad".to_owned()]), value!({})).await;
    eventually(async || (served.rows.runs().len() == 3).then_some(())).await;
    let status = |refused: Result<(), ClientError>| match refused {
        Err(ClientError::Refused { status, .. }) => status,
        other => panic!("{other:?}"),
    };
    let one = MapUpdate::new().tolerated_failure_count(1);
    let of = async |key: &str, update| status(served.executions.update_map(key, update).await);
    let child = format!("{RUN}.1-0");
    for other in ["one", child.as_str()] {
        assert_eq!(of(other, one).await, 422, "{other}");
    }
    assert_eq!(of("nobody", one).await, 404);
    for wrong in [MapUpdate::new(), MapUpdate::new().tolerated_failure_percentage(101.0)] {
        assert_eq!(of(RUN, wrong).await, 400);
    }
    let updates = (0..8).map(|most| MapUpdate::new().max_concurrency(most)).chain([one]);
    let updates = updates.map(|update| served.executions.update_map(RUN, update));
    let updated = futures_util::future::join_all(updates).await;
    assert!(updated.iter().all(Result::is_ok), "{updated:?}");
    served.rows.permits.add_permits(3);
    // The failure is tolerated.
    let output = served.end().await.unwrap();
    assert_eq!(output.get(2).and_then(|failed| failed.get("Error")), Some(&"Bad".into()));
    assert_eq!(of(RUN, one).await, 409);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_starts_no_part_of_a_workflow() {
    let Some(served) = Served::start(Rows::with_permits(1_000), |service| service).await else { return };
    served.begin(rows(2), value!({})).await;
    assert_eq!(served.end().await, Ok(results(2)));
    let service = served.executions.name();
    let (one, nobody) = (format!("{service}/one"), format!("{service}/nobody"));
    let (map, entry) = (("workflow-entry", "-2"), ("workflow-entry", "0"));
    let settings = value!({
        "reader": { "Bucket": "rows", "Key": "rows.csv" },
        "config": { "InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW" },
    });
    for (key, headers) in [
        ("map", &[map][..]),
        ("entry", &[entry]),
        ("parent", &[map, ("workflow-parent", &one)]),
        ("guess", &[map, ("workflow-parent", &one), ("workflow-secret", "0")]),
        ("nobody", &[map, ("workflow-parent", &nobody), ("workflow-secret", "")]),
        ("elsewhere", &[map, ("workflow-parent", "elsewhere/one"), ("workflow-secret", "0")]),
    ] {
        let path = format!("/{service}/{key}/run");
        let answer = server().unwrap().call_with(&path, headers, &settings.to_string());
        assert!(answer.starts_with("HTTP/1.1 403") && answer.contains("only an execution"), "{key}: {answer}");
    }
    assert_eq!(served.rows.runs(), rows(2).map(|row| (row, 1)).collect());
    let answer = server().unwrap().call(&format!("/{service}/one/prove"), "0");
    assert!(answer.starts_with("HTTP/1.1 40"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_may_need_more_reads_than_an_invocation_makes() {
    let Some(served) = Served::start(Rows::with_permits(1_000), |service| service.journal_limit(2)).await else {
        return;
    };
    served.begin(rows(7_000), value!({ "batcher": { "MaxItemsPerBatch": 3_500 } })).await;
    let ended = tokio::time::timeout(Duration::from_secs(300), served.end()).await;
    let batches = ended.expect("the run comes further").unwrap();
    let counts = batches.as_array().unwrap().iter().map(|batch| batch.get("Items").unwrap().as_array().unwrap().len());
    assert_eq!(counts.collect::<Vec<_>>(), [3_500, 3_500]);
    assert!(served.number("COUNT(*)", "segment") >= 1.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn listed_objects_are_processed_in_batches() {
    let Some(served) = Served::start(Rows::with_permits(1_000), |service| service.journal_limit(2)).await else {
        return;
    };
    std::fs::create_dir_all(served.folder.join("in")).unwrap();
    for name in ["a", "b", "c"] {
        std::fs::write(served.folder.join("in").join(name), name).unwrap();
    }
    let settings = value!({
        "reader": { "Bucket": "rows", "Prefix": "in/" },
        "batcher": { "MaxItemsPerBatch": 2, "BatchInput": 7 },
    });
    served.executions.start("one", value!({ "map": 2, "settings": settings })).await.unwrap();
    let batches = served.end().await.unwrap();
    let keys = |batch: &Value| -> Vec<Value> {
        let items = batch.get("Items").unwrap().as_array().unwrap();
        items.iter().map(|item| item.get("Key").unwrap().clone()).collect()
    };
    let found: Vec<_> = batches.as_array().unwrap().iter().map(keys).collect();
    assert_eq!(found, [vec!["in/a".into(), "in/b".into()], vec!["in/c".into()]] as [Vec<Value>; 2]);
    assert!(batches.as_array().unwrap().iter().all(|batch| batch.get("BatchInput") == Some(&7.into())));
}

#[tokio::test(flavor = "multi_thread")]
async fn children_with_long_inputs_wait_for_each_other() {
    let Some(served) = Served::start(Rows::with_permits(0), |service| service).await else { return };
    let long_rows = || (0..4).map(|row| row.to_string().repeat(3 << 20));
    served.begin(long_rows(), value!({})).await;
    eventually(async || (served.rows.runs().len() >= 3).then_some(())).await;
    tokio::time::sleep(4 * IDLE).await;
    assert_eq!(served.rows.runs().len(), 3);
    served.rows.permits.add_permits(4);
    let expected = Value::from(long_rows().map(|row| value!({ "n": row })).collect::<Vec<_>>());
    assert!(served.end().await == Ok(expected));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_server_would_refuse_fails_the_run() {
    let Some(served) = Served::start(Rows::with_permits(1_000), |service| service).await else { return };
    // Each byte has six as JSON.
    served.begin(std::iter::once("\u{1}".repeat(6 << 20)), value!({})).await;
    let fault = served.end().await.unwrap_err();
    let cause = fault.cause().and_then(Value::as_str).unwrap_or_default();
    assert_eq!(fault.error(), Some("States.ItemReaderFailed"), "{cause}");
    assert!(
        cause.starts_with("s3://rows/rows.csv: the items at the beginning have more than 31457280 bytes"),
        "{cause}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_the_server_would_refuse_has_failed() {
    let Some(served) = Served::start(Rows::with_permits(1_000), |service| service).await else { return };
    let long_rows = (10..45).map(|row| row.to_string().repeat(1 << 19));
    served.begin(long_rows, value!({ "batcher": { "MaxItemsPerBatch": 1_000 } })).await;
    let fault = served.end().await.unwrap_err();
    assert_eq!(fault.error(), Some("States.ExceedToleratedFailureThreshold"));
    assert_eq!(served.rows.runs().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_with_many_bytes_is_continued_and_long_results_fail_the_run() {
    let Some(served) = Served::start(Rows::with_permits(1_000), |service| service).await else { return };
    served.begin((10..45).map(|row| row.to_string().repeat(1 << 19)), value!({})).await;
    let fault = served.end().await.unwrap_err();
    let cause = fault.cause().and_then(Value::as_str).unwrap_or_default();
    assert_eq!(fault.error(), Some("States.DataLimitExceeded"), "{cause}");
    assert!(cause.ends_with("Write the results of the Map with a ResultWriter."), "{cause}");
    // 35 MiB of items, inputs and results each.
    assert!(served.number("COUNT(*)", "segment") >= 1.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_speed_of_a_map_is_printed() {
    let count: u32 = std::env::var("ITEMS").ok().and_then(|count| count.parse().ok()).unwrap_or(300);
    let Some(served) = Served::start(Rows::with_permits(1_000_000), |service| service).await else { return };
    let begun = Instant::now();
    let writer = value!({ "writer": { "Parameters": { "Bucket": "rows", "Prefix": "out" } } });
    served.begin(rows(count), writer).await;
    assert!(served.end().await.unwrap().get("ResultWriterDetails").is_some());
    let time = begun.elapsed().as_secs_f64();
    println!("map-items-per-second {count}: {:.0}", f64::from(count) / time);
    for handler in ["run", "segment"] {
        println!("map-{handler}-invocations {count}: {}", served.number("COUNT(*)", handler));
        println!("map-{handler}-entries {count}: {}", served.number("MAX(journal_size)", handler));
    }
    assert_eq!(served.rows.runs(), rows(count).map(|row| (row, 1)).collect());
}
