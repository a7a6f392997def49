//! Iterations over many items, in batches that are invocations of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use workflow_restate::{Client, Executions, Service};
use workflow_runtime::fault::names;
use workflow_runtime::machine::{Outcome, Task};
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Array, Builder, Callbacks, Fault, TaskContext, Value, value};

use crate::parcels::Parcels;
use crate::server::server;
use crate::{eventually, serve};

/// Signal for a token, and its value.
type Answer = Arc<dyn Fn(&TaskContext, Value) + Send + Sync>;

/// Tasks that weigh, print and ask. A clone shares the records.
#[derive(Clone, Default)]
struct Depot {
    notes: Arc<Mutex<Notes>>,
    answer: Option<Answer>,
}

#[derive(Default)]
struct Notes {
    /// Inputs and number of runs of each call, by its key.
    runs: BTreeMap<String, (u32, String)>,
    tokens: BTreeSet<String>,
    at_once: usize,
    most_at_once: usize,
    /// Events in each branch.
    events: BTreeMap<String, Vec<String>>,
    dropped: usize,
}

/// Running task.
struct Running(Depot);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.note(|notes| notes.at_once -= 1);
    }
}

/// Task that never ends.
struct Hanging(Depot);

impl Drop for Hanging {
    fn drop(&mut self) {
        self.0.note(|notes| notes.dropped += 1);
    }
}

impl Depot {
    fn note<T>(&self, note: impl FnOnce(&mut Notes) -> T) -> T {
        note(&mut self.notes.lock().unwrap())
    }

    /// Returns the inputs, whatever the keys.
    fn calls(&self) -> Vec<String> {
        let mut calls: Vec<String> = self.note(|notes| notes.runs.values().map(|(_, call)| call.clone()).collect());
        calls.sort_unstable();
        calls
    }

    /// Returns the number of runs of all calls.
    fn runs(&self) -> u32 {
        self.note(|notes| notes.runs.values().map(|(runs, _)| runs).sum())
    }

    async fn run(&self, key: &'static str, input: Value, cx: TaskContext) -> Outcome {
        if let Some(token) = cx.token() {
            self.note(|notes| notes.tokens.insert(token.to_owned()));
            let place = input.get("Payload").and_then(|payload| payload.get("place")).cloned().unwrap_or_default();
            let answer = self.answer.clone().expect("how to answer");
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(50)).await;
                answer(&cx, value!({ "place": place }));
            });
            return Ok(Value::Null);
        }
        self.note(|notes| {
            let call = format!("{key} {input}, attempt {}", cx.attempt());
            let run = notes.runs.entry(format!("{} {}", cx.idempotency_key(), cx.attempt())).or_insert((0, call));
            run.0 += 1;
            notes.at_once += 1;
            notes.most_at_once = notes.most_at_once.max(notes.at_once);
        });
        let _running = Running(self.clone());
        tokio::time::sleep(Duration::from_millis(5)).await;
        let parcel = input.get("parcel").unwrap_or(&input);
        let number = parcel.get("number").cloned().unwrap_or_default();
        match parcel.get("kind").and_then(Value::as_str) {
            Some("busy") if cx.attempt() < 2 => Err(Fault::new("Busy", "later")),
            Some("broken") => Err(Fault::new("Broken", number)),
            Some("hang") => {
                let _hanging = Hanging(self.clone());
                std::future::pending().await
            }
            _ => Ok(number),
        }
    }
}

impl Invoke for Depot {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(self.run(task.key, input, cx))
    }
}

/// Observer that records the events of each branch.
struct Watcher(Depot);

impl Observer for Watcher {
    fn observe(&mut self, event: &Event<'_>) {
        let path = event.path.iter().map(|step| format!("{}[{}]", step.state, step.index)).collect::<Vec<_>>();
        let what = match &event.kind {
            EventKind::StateEntered { input } if event.state != "Ask" => format!("entered with {input}"),
            EventKind::StateExited { output } => format!("exited with {output}"),
            EventKind::TaskFailed { fault, .. } => format!("failed: {fault}"),
            other => other.name().to_owned(),
        };
        let line = format!("{} {what}", event.state);
        self.0.note(|notes| notes.events.entry(path.join("/")).or_default().push(line));
    }
}

async fn in_memory(input: Value) -> (Outcome, Depot) {
    let callbacks = Callbacks::new();
    let answered = callbacks.clone();
    let answer: Answer = Arc::new(move |cx, answer| answered.succeed(cx.token().unwrap(), answer).unwrap());
    let depot = Depot { answer: Some(answer), ..Depot::default() };
    let builder = Builder::<Parcels>::new().callbacks(&callbacks).observer(Watcher(depot.clone()));
    (builder.tasks(&depot).run(input).await, depot)
}

/// Served workflow, with batches of 40 from 61 items on.
struct Served {
    depot: Depot,
    executions: Executions,
    address: String,
    server: JoinHandle<()>,
    service: Box<dyn Fn() -> Service>,
}

impl Served {
    async fn start(name: &'static str, journal_limit: u64) -> Option<Served> {
        let restate = server()?;
        let client = Client::new(&restate.ingress, &restate.admin);
        let executions = client.service(&format!("parcels-{name}"));
        let answered = executions.clone();
        let answer: Answer = Arc::new(move |cx, answer| {
            let (executions, key, token) =
                (answered.clone(), cx.execution_id().to_owned(), cx.token().unwrap().to_owned());
            tokio::spawn(async move {
                // A token that is handed out again after a crash is answered again.
                let _has_one = executions.succeed(&key, &token, answer).await;
            });
        });
        let depot = Depot { answer: Some(answer), ..Depot::default() };
        let tasks = depot.clone();
        let service = move || {
            let watched = tasks.clone();
            let service = Service::of::<Parcels>(tasks.clone()).version(name).batches(60, 40);
            let service = service.idle(Duration::from_millis(300)).journal_limit(journal_limit);
            service.start_with(move |start| start.observers.push(Box::new(Watcher(watched.clone()))))
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = serve(service(), listener);
        client.replace(&format!("http://{address}")).await.unwrap();
        Some(Served { depot, executions, address, server, service: Box::new(service) })
    }

    async fn run(&self, key: &str, input: Value) -> Outcome {
        self.executions.start(key, input).await.unwrap();
        self.executions.attach(key).await.unwrap()
    }

    /// Crashes the endpoint, and serves again.
    async fn restart(&mut self) {
        self.server.abort();
        tokio::time::sleep(Duration::from_millis(50)).await;
        self.server = serve((self.service)(), TcpListener::bind(&self.address).await.unwrap());
    }

    /// Returns the number of invocations of a handler for an execution.
    fn invocations(&self, key: &str, handler: &str) -> usize {
        let query =
            format!("SELECT id FROM sys_invocation WHERE target = '{}/{key}/{handler}'", self.executions.name());
        server().unwrap().query(&query).matches("\"id\"").count()
    }
}

fn parcels(count: i64, parcel: impl Fn(i64) -> Value) -> Array {
    (0..count).map(parcel).collect::<Vec<_>>().into()
}

/// Some calls are retried, some are labels, some ask a person.
fn mixed(number: i64) -> Value {
    match number % 50 {
        1 => value!({ "number": number, "kind": "busy" }),
        3 => value!({ "number": number, "labels": ["a", "b", "c"] }),
        5 => value!({ "number": number, "ask": true }),
        _ => value!({ "number": number }),
    }
}

fn one_with(kind: &'static str, which: i64) -> impl Fn(i64) -> Value {
    move |number| match number == which {
        true => value!({ "number": number, "kind": kind }),
        false => value!({ "number": number }),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn batches_do_what_the_whole_does() {
    let Some(served) = Served::start("many", 2_000).await else { return };
    let input = value!({ "sender": "Ada", "limit": 0, "parcels": parcels(2_000, mixed) });
    let (expected, whole) = in_memory(input.clone()).await;
    assert_eq!(expected.as_ref().unwrap().as_array().unwrap().len(), 2_000);
    let outcome = served.run("all", input).await;
    assert!(outcome == expected, "another outcome");
    assert_eq!(served.invocations("all", "batch"), 50);
    let (calls, expected) = (served.depot.calls(), whole.calls());
    assert!(calls == expected, "other calls: {} and {}", calls.len(), expected.len());
    assert_eq!(served.depot.runs() as usize, calls.len());
    assert_eq!(served.depot.note(|notes| notes.tokens.len()), 40);
    let (events, expected) =
        (served.depot.note(|notes| notes.events.clone()), whole.note(|notes| notes.events.clone()));
    for (path, expected) in &expected {
        for (line, expected) in events.get(path).into_iter().flatten().zip(expected) {
            assert_eq!(line, expected, "{path}");
        }
        assert_eq!(events.get(path).map(Vec::len), Some(expected.len()), "{path}");
    }
    assert_eq!(events.len(), expected.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_run_at_the_same_time_than_may() {
    for (name, limit) in [("one-by-one", 7), ("two-by-two", 90)] {
        let Some(served) = Served::start(name, 2_000).await else { return };
        let input = value!({ "sender": "Ada", "limit": limit, "parcels": parcels(200, one_with("", -1)) });
        let (expected, _) = in_memory(input.clone()).await;
        assert_eq!(served.run("limited", input).await, expected);
        let most = served.depot.note(|notes| notes.most_at_once);
        assert!(most > 0 && most <= limit, "{most} of {limit}");
        assert_eq!(served.invocations("limited", "batch"), 5);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_ends_the_other_batches() {
    let Some(served) = Served::start("failing", 2_000).await else { return };
    // An item of the first batch hangs until the batch is cancelled.
    let kinds = |number: i64| match number {
        7 => value!({ "number": number, "kind": "hang" }),
        155 => value!({ "number": number, "kind": "broken" }),
        _ => value!({ "number": number }),
    };
    let input = value!({ "sender": "Ada", "limit": 0, "parcels": parcels(200, kinds) });
    let outcome = served.run("strict", input).await;
    assert_eq!(outcome, Ok(value!({ "Error": "Broken", "Cause": 155 })));
    eventually(async || (served.depot.note(|notes| notes.dropped) == 1).then_some(())).await;

    let few = |number: i64| one_with("broken", number / 50 * 50)(number);
    for (key, tolerated) in [("enough", 4), ("too-few", 3)] {
        let input = value!({ "limit": 0, "tolerated": tolerated, "parcels": parcels(200, few) });
        let outcome = served.run(key, input.clone()).await;
        assert_eq!(outcome, in_memory(input).await.0);
        match outcome {
            Ok(outputs) => {
                assert_eq!((tolerated, outputs.get(50), outputs.get(51)), (4, Some(&Value::Null), Some(&51.into())))
            }
            Err(fault) => {
                assert_eq!((tolerated, fault.error()), (3, Some(names::EXCEED_TOLERATED_FAILURE_THRESHOLD)));
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_cancels_an_execution_cancels_its_batches() {
    let Some(served) = Served::start("unwanted", 2_000).await else { return };
    let input = value!({ "sender": "Ada", "limit": 0, "parcels": parcels(100, |number| one_with("hang", number / 40 * 40)(number)) });
    served.executions.start("unwanted", input).await.unwrap();
    eventually(async || (served.depot.note(|notes| notes.at_once) == 3).then_some(())).await;
    served.executions.cancel("unwanted").await.unwrap();
    assert_eq!(served.executions.attach("unwanted").await.unwrap().unwrap_err().error(), Some(names::CANCELLED));
    eventually(async || (served.depot.note(|notes| notes.dropped) == 3).then_some(())).await;
    let query = format!(
        "SELECT id FROM sys_invocation WHERE target_service_name = '{}' AND status <> 'completed'",
        served.executions.name()
    );
    eventually(async || (!server().unwrap().query(&query).contains("\"id\"")).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn batches_go_on_as_new_and_after_a_crash() {
    const RESTARTS: u32 = 4;
    let Some(mut served) = Served::start("crashing", 15).await else { return };
    let input = value!({ "sender": "Ada", "limit": 9, "parcels": parcels(400, mixed) });
    let (expected, whole) = in_memory(input.clone()).await;
    served.executions.start("crashing", input).await.unwrap();
    for restart in 1..=RESTARTS {
        let depot = served.depot.clone();
        eventually(async || (depot.runs() > restart * 60).then_some(())).await;
        served.restart().await;
    }
    assert_eq!(served.executions.attach("crashing").await.unwrap(), expected);
    let (calls, runs) = (served.depot.calls(), served.depot.runs());
    assert!(calls == whole.calls(), "other calls: {}", calls.len());
    assert!(runs <= calls.len() as u32 + RESTARTS * 9 * 3, "only what was under way is run again: {runs}");
    assert_eq!(served.invocations("crashing", "batch"), 10);
    let segments = served.invocations("crashing", "segment");
    assert!(segments >= 10, "{segments}");
}
