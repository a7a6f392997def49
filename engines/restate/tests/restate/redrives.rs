//! Redrives of executions that have failed.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use workflow_restate::{Client, ClientError, Engine, Executions, Service};
use workflow_runtime::engine::{Engine as _, EngineError, Status};
use workflow_runtime::fault::names::EXCEED_TOLERATED_FAILURE_THRESHOLD;
use workflow_runtime::machine::{Outcome, Task};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Fault, TaskContext, Value, Workflow, include_workflow, value};

use crate::map_runs::{RUN, Rows, Served, results, rows};
use crate::server::server;
use crate::{IDLE, eventually, serve};

include_workflow!("../sqlite/tests/flows/beside.asl.json");
include_workflow!("tests/flows/asked.asl.json");

fn refused(answer: Result<(), ClientError>) -> u16 {
    match answer {
        Err(ClientError::Refused { status, .. }) => status,
        other => panic!("{other:?}"),
    }
}

fn error_of(outcome: &Outcome) -> Option<&str> {
    outcome.as_ref().err().and_then(|fault| fault.error())
}

/// Serves a workflow with these tasks. Returns `None` without a server of Restate.
async fn run<W: Workflow>(tasks: impl Invoke + 'static) -> Option<(Client, Executions, JoinHandle<()>)> {
    let restate = server()?;
    let service = Service::of::<W>(tasks).version("redrives").idle(IDLE);
    let client = Client::new(&restate.ingress, &restate.admin);
    let executions = client.service(service.name());
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("the listener has an address"));
    let server = serve(service, listener);
    client.replace(&address).await.expect("the server registers the service");
    Some((client, executions, server))
}

/// Returns the numbers of items of the ended run.
async fn items(served: &Served) -> [i64; 4] {
    let status = served.executions.status(RUN).await.unwrap();
    let of = |name: &str| status.get("items").and_then(|items| items.get(name)?.as_i64()).unwrap_or(-1);
    ["pending", "running", "succeeded", "failed"].map(of)
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_rows_run_again_and_completed_rows_do_not() {
    let rows_of_seven = Rows::with_permits(1_000);
    let set_up = |service: Service| service.journal_limit(20);
    let Some(served) = Served::start(rows_of_seven, set_up).await else { return };
    served.rows.bad.lock().unwrap().insert("7".to_owned());
    served.begin(rows(30), value!({ "concurrency": 1 })).await;
    assert_eq!(error_of(&served.end().await), Some(EXCEED_TOLERATED_FAILURE_THRESHOLD));
    assert_eq!(items(&served).await, [22, 0, 7, 1]);
    assert_eq!(refused(served.executions.redrive("nobody").await), 404);
    // It fails again at the same row.
    served.executions.redrive("one").await.unwrap();
    assert_eq!(error_of(&served.end().await), Some(EXCEED_TOLERATED_FAILURE_THRESHOLD));
    served.rows.bad.lock().unwrap().clear();
    let redrives = futures_util::future::join_all((0..6).map(|_| served.executions.redrive("one"))).await;
    assert_eq!(redrives.iter().filter(|redriven| redriven.is_ok()).count(), 1, "{redrives:?}");
    assert_eq!(served.end().await, Ok(results(30)));
    assert_eq!(items(&served).await, [0, 0, 30, 0]);
    let runs = rows(30).map(|row| (row.clone(), if row == "7" { 3 } else { 1 }));
    assert_eq!(served.rows.runs(), runs.collect());
    let status = served.executions.status("one").await.unwrap();
    assert_eq!(status, value!({ "status": "succeeded", "redrives": 2 }));
    assert_eq!(refused(served.executions.redrive("one").await), 409);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redrive_with_a_writer_continues_after_crashes() {
    let set_up = |service: Service| service.journal_limit(20);
    let Some(mut served) = Served::start(Rows::with_permits(1_000), set_up).await else { return };
    served.rows.bad.lock().unwrap().extend(["3", "4", "30"].map(str::to_owned));
    let settings = value!({
        "writer": { "Parameters": { "Bucket": "rows", "Prefix": "out" }, "WriterConfig": { "OutputType": "JSONL" } },
        "concurrency": 4,
        "tolerated_count": 2,
    });
    served.begin(rows(60), settings).await;
    assert_eq!(error_of(&served.end().await), Some(EXCEED_TOLERATED_FAILURE_THRESHOLD));
    let before = written(&served);
    assert_eq!(before.values().map(Vec::len).sum::<usize>(), 60);
    assert!(!before["SUCCEEDED"].is_empty() && !before["PENDING"].is_empty(), "{before:?}");
    let runs_before = served.rows.runs();
    served.rows.bad.lock().unwrap().clear();
    // Each crash happens while rows run.
    served.rows.permits.forget_permits(1_000);
    let begun = served.rows.ended.load(Ordering::Relaxed);
    served.executions.redrive("one").await.unwrap();
    for crash in 1..=2 {
        served.rows.permits.add_permits(6);
        eventually(async || (served.rows.ended.load(Ordering::Relaxed) >= begun + crash * 6).then_some(())).await;
        served.restart().await;
    }
    assert_eq!(served.executions.outcome("one").await, Ok(None));
    served.rows.permits.add_permits(1_000);
    let output = served.end().await.unwrap();
    assert_eq!(items(&served).await, [0, 0, 60, 0]);
    assert!(output.get("ResultWriterDetails").is_some(), "{output}");
    let mut after = written(&served);
    let mut succeeded = after.remove("SUCCEEDED").unwrap();
    succeeded.sort();
    let mut all: Vec<String> = rows(60).collect();
    all.sort();
    assert_eq!(succeeded, all);
    assert!(after.values().all(Vec::is_empty), "{after:?}");
    for row in &before["SUCCEEDED"] {
        assert_eq!(served.rows.runs()[row], runs_before[row], "{row}");
    }
}

/// Returns the rows of the records that the manifest lists, by their statuses.
fn written(served: &Served) -> BTreeMap<String, Vec<String>> {
    let run = std::fs::read_dir(served.folder.join("out")).unwrap().next().unwrap().unwrap();
    let text = |path: &std::path::Path| std::fs::read_to_string(path).unwrap();
    let manifest = Value::from_json(&text(&run.path().join("manifest.json"))).unwrap();
    let mut rows = BTreeMap::new();
    for (status, files) in manifest.get("ResultFiles").and_then(Value::as_object).unwrap() {
        let of: &mut Vec<String> = rows.entry(status.to_string()).or_default();
        for file in files.as_array().unwrap().iter() {
            let records = text(&served.folder.join(file.get("Key").and_then(Value::as_str).unwrap()));
            let input = |line: &str| Value::from_json(Value::from_json(line).unwrap().get("Input")?.as_str()?).ok();
            let row = |line: &str| input(line)?.get("n")?.as_str().map(str::to_owned);
            of.extend(records.lines().map(|line| row(line).unwrap()));
        }
    }
    rows
}

/// Processes items until one waits, beside a task that fails. Both succeed once they are mended.
#[derive(Clone, Default)]
struct Both(Arc<Memory>);

#[derive(Default)]
struct Memory {
    fails: AtomicBool,
    is_mended: AtomicBool,
    inputs: Mutex<Vec<Value>>,
}

impl Invoke for Both {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        let Memory { fails, is_mended, inputs } = &*self.0;
        Box::pin(async move {
            let is_mended = || is_mended.load(Ordering::SeqCst);
            if task.key == "each" {
                inputs.lock().unwrap().push(input.clone());
                match input.as_i64() {
                    Some(4) if !is_mended() => std::future::pending().await,
                    _ => return Ok(input),
                }
            }
            while !is_mended() && !fails.load(Ordering::SeqCst) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            if is_mended() { Ok("well".into()) } else { Err(Fault::new("Spilled", "it")) }
        })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_was_aborted_beside_a_failure_continues_where_it_was() {
    let both = Both::default();
    let Some((client, executions, server)) = run::<beside::Beside>(both.clone()).await else { return };
    let engine = Engine::new(client).service(beside::Beside::DEFINITION, executions.name());
    let items: Value = (0..7).collect();
    executions.start("one", items.clone()).await.unwrap();
    let inputs = || both.0.inputs.lock().unwrap().clone();
    eventually(async || (inputs().len() == 5).then_some(())).await;
    let running = engine.redrive("one").await;
    assert!(
        matches!(running, Err(EngineError::NotNow { status: Status::Running, asked: "redriven", .. })),
        "{running:?}"
    );
    both.0.fails.store(true, Ordering::SeqCst);
    assert_eq!(error_of(&executions.attach("one").await.unwrap()), Some("Spilled"));
    both.0.is_mended.store(true, Ordering::SeqCst);
    engine.redrive("one").await.unwrap();
    assert_eq!(engine.attach("one").await.unwrap(), Ok(value!([(items), "well"])));
    assert_eq!(inputs(), [0, 1, 2, 3, 4, 4, 5, 6].map(Value::from));
    let described = engine.describe("one").await.unwrap();
    assert_eq!((described.summary.status, described.redrives), (Status::Succeeded, 1));
    let over = engine.redrive("one").await;
    assert!(matches!(over, Err(EngineError::NotNow { status: Status::Succeeded, .. })), "{over:?}");
    server.abort();
}

/// Weighs parcels until one fails, and hands out a token.
#[derive(Clone, Default)]
struct Scales(Arc<Weighed>);

#[derive(Default)]
struct Weighed {
    is_mended: AtomicBool,
    tasks: Mutex<Vec<String>>,
    token: Mutex<Option<String>>,
}

impl Scales {
    fn token(&self) -> Option<String> {
        self.0.token.lock().unwrap().clone()
    }
}

impl Invoke for Scales {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            let place = input.get("place").or_else(|| input.get("Payload")?.get("place")).cloned().unwrap_or_default();
            self.0.tasks.lock().unwrap().push(format!("{} {place}", task.key));
            if let Some(token) = cx.token() {
                *self.0.token.lock().unwrap() = Some(token.to_owned());
            }
            while task.key == "weigh" && place == Value::from(1) && self.token().is_none() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            match task.key == "weigh" && place == Value::from(1) && !self.0.is_mended.load(Ordering::SeqCst) {
                true => Err(Fault::new("Torn", "it")),
                false => Ok(7.into()),
            }
        })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_execution_that_waited_for_a_token_is_not_redriven() {
    let scales = Scales::default();
    let Some((_, executions, server)) = run::<crate::parcels::Parcels>(scales.clone()).await else { return };
    let reason = "a task that waits for its token had failed or had no outcome yet";
    let refused_for_the_token = |redriven: Result<(), ClientError>| {
        assert!(
            matches!(&redriven, Err(ClientError::Refused { status: 422, message }) if message.contains(reason)),
            "{redriven:?}"
        );
    };
    // A sibling fails while the token has no outcome.
    let input = value!({ "sender": "s", "limit": 2, "parcels": [{ "ask": true }, { "kind": "plain" }] });
    executions.start("sibling", input).await.unwrap();
    assert_eq!(error_of(&executions.attach("sibling").await.unwrap()), Some("Torn"));
    scales.0.is_mended.store(true, Ordering::SeqCst);
    refused_for_the_token(executions.redrive("sibling").await);
    // The outcome of the token is a failure.
    *scales.0.token.lock().unwrap() = None;
    executions.start("token", value!({ "sender": "s", "limit": 2, "parcels": [{ "ask": true }] })).await.unwrap();
    let token = eventually(async || scales.token()).await;
    executions.fail("token", &token, &Fault::new("Refused", "by hand")).await.unwrap();
    assert_eq!(error_of(&executions.attach("token").await.unwrap()), Some("Refused"));
    refused_for_the_token(executions.redrive("token").await);
    let status = executions.status("token").await.unwrap();
    assert_eq!(status, value!({ "status": "failed" }));
    server.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_child_that_cannot_be_redriven_fails_with_the_reason() {
    let scales = Scales::default();
    let Some((_, executions, server)) = run::<asked::Asked>(scales.clone()).await else { return };
    executions.start("one", value!([7])).await.unwrap();
    assert_eq!(error_of(&executions.attach("one").await.unwrap()), Some("Torn"));
    scales.0.is_mended.store(true, Ordering::SeqCst);
    executions.redrive("one").await.unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(60), executions.attach("one")).await;
    let output = ended.expect("it ends").unwrap().unwrap();
    assert_eq!(output.get(1), Some(&7.into()), "{output}");
    let child = output.get(0).and_then(|children| children.get(0));
    let of = |name: &str| child.and_then(|child| child.get(name)?.as_str()).unwrap_or_default();
    assert_eq!(of("Error"), "States.Runtime", "{output}");
    assert!(of("Cause").contains("a task that waits for its token"), "{output}");
    server.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redrive_does_not_take_over_who_has_the_key_of_a_child() {
    let Some(served) = Served::start(Rows::with_permits(1_000), |service| service).await else { return };
    std::fs::write(served.folder.join("none.csv"), "n").unwrap();
    let settings = value!({
        "reader": { "Bucket": "rows", "Key": "none.csv" },
        "config": { "InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW" },
    });
    served.executions.start(RUN, value!({ "map": 1, "settings": settings })).await.unwrap();
    let other = served.executions.attach(RUN).await.unwrap();
    assert!(other.is_ok(), "{other:?}");
    served.begin(rows(3), value!({})).await;
    assert_eq!(error_of(&served.end().await), Some("Execution.IdTaken"));
    for _ in 0..2 {
        served.executions.redrive("one").await.unwrap();
        assert_eq!(error_of(&served.end().await), Some("Execution.IdTaken"));
    }
    assert_eq!(served.executions.attach(RUN).await.unwrap(), other);
    // The parent may fail before it notices.
    let path = format!("/{}/{RUN}/signal", served.executions.name());
    let refused = server().unwrap().call(&path, r#"{"redrive":true,"by":"x/y","try":"7"}"#);
    assert!(refused.contains(" 422 ") && refused.contains("a client has started it"), "{refused}");
    assert!(served.rows.runs().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redrive_by_a_parent_needs_the_name_of_a_try() {
    let Some(served) = Served::start(Rows::with_permits(1_000), |service| service).await else { return };
    served.begin(["bad".to_owned()].into_iter(), value!({})).await;
    assert!(served.end().await.is_err());
    let path = format!("/{}/one/signal", served.executions.name());
    for signal in [r#"{"redrive":true,"by":"x/y"}"#, r#"{"redrive":true,"by":"x/y","try":""}"#] {
        let refused = server().unwrap().call(&path, signal);
        assert!(refused.contains(" 400 ") && refused.contains("needs the name of the parent's try"), "{refused}");
    }
    let path_of_status = format!("/{}/one/status", served.executions.name());
    let refused = server().unwrap().call(&path_of_status, r#"{"outcome":{"try":"7"}}"#);
    assert!(refused.contains(" 404 ") && refused.contains("has no try `7`"), "{refused}");
    // The run of the Map belongs to another parent.
    let path = format!("/{}/{RUN}/signal", served.executions.name());
    let refused = server().unwrap().call(&path, r#"{"redrive":true,"by":"x/y","try":"7"}"#);
    assert!(refused.contains(" 422 ") && refused.contains("another execution has started it"), "{refused}");
}
