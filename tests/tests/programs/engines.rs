//! The same definitions on every engine: in memory, in a database, and on Restate. The outcomes,
//! the events of each branch and the calls of tasks are the same.
//!
//! Without a Restate server, its part reports that it was skipped. With `CI` or
//! `WORKFLOW_REQUIRE_RESTATE` set, it fails instead.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use restate_testing::Server;
use tokio::net::TcpListener;
use workflow_restate::{Client, Endpoint, Service};
use workflow_runtime::machine::{Outcome, Task};
use workflow_runtime::observe::History;
use workflow_runtime::task::{Invoke, TaskFuture, task_future};
use workflow_runtime::{
    Builder, Callbacks, CloudEvent, Fault, Hub, TaskContext, Value, Workflow, include_workflow, value,
};
use workflow_sqlite::Engine;

include_workflow!("engines/journey.asl.json");
include_workflow!("engines/broken.asl.json");
include_workflow!("engines/ledger.composer.json");
include_workflow!("engines/parcel.sm4c.json");
include_workflow!(
    "engines/application.workflow-dsl.json",
    subflows: ["engines/visa.workflow-dsl.json", "engines/visa_new.workflow-dsl.json", "engines/visa_own.workflow-dsl.json"],
);
include_workflow!("engines/visa.workflow-dsl.json");
include_workflow!("engines/visa_new.workflow-dsl.json");
include_workflow!("engines/visa_own.workflow-dsl.json");

use crate::errand::Errand;
use application::Application;
use broken::Broken;
use journey::Journey;
use ledger::Ledger;
use parcel::Parcel;
use visa::Visa;
use visa_new::VisaNew;
use visa_own::VisaOwn;

/// The observable results of an execution.
#[derive(Debug, PartialEq)]
struct Seen {
    outcome: Outcome,
    /// The events of each branch of the execution and of its child executions, in order.
    history: BTreeMap<String, Vec<String>>,
    /// The calls of tasks: task, input, key and attempt, sorted. Calls in branches have no order.
    calls: Vec<String>,
}

/// A function that answers the token of a task. For a task without a token, it sends an event to
/// the parent execution.
type Answer = Arc<dyn Fn(&TaskContext, Value) + Send + Sync>;

/// The tasks of all definitions.
#[derive(Clone, Default)]
struct Desk(Arc<Notes>);

#[derive(Default)]
struct Notes {
    calls: Mutex<Vec<String>>,
    answer: OnceLock<Answer>,
}

impl Invoke for Desk {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        let call = cx.idempotency_key().rsplit('/').next().unwrap_or_default().to_owned();
        let noted = format!("{} {input}, attempt {} of {call}", task.key, cx.attempt());
        self.0.calls.lock().unwrap_or_else(PoisonError::into_inner).push(noted);
        task_future(async move {
            match task.key {
                "book" if cx.attempt() < 3 => Err(Fault::new("Busy", "later")),
                "insure" => Err(Fault::new("Refused", value!({ "risk": "high" }))),
                "fold" => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    Ok(input)
                }
                "sqs:sendMessage" => {
                    let answer = self.0.answer.get().expect("how to answer").clone();
                    // The answer comes from outside, a little later.
                    tokio::spawn(async move {
                        tokio::time::sleep(Duration::from_millis(100)).await;
                        answer(&cx, value!({ "leave": true }));
                    });
                    Ok(Value::Null)
                }
                "Work" => {
                    let answer = self.0.answer.get().expect("how to send").clone();
                    tokio::spawn(async move {
                        answer(&cx, 1.into());
                        // The event comes long after the task has ended, when the execution waits
                        // for it.
                        tokio::time::sleep(Duration::from_millis(600)).await;
                        answer(&cx, 2.into());
                    });
                    tokio::time::sleep(Duration::from_millis(300)).await;
                    Ok(input)
                }
                "bill" => {
                    let answer = self.0.answer.get().expect("how to send").clone();
                    tokio::spawn(async move {
                        // The event comes long after the parent has begun to wait for it. Earlier
                        // events would be lost.
                        tokio::time::sleep(Duration::from_millis(600)).await;
                        answer(&cx, input.get("sum").cloned().unwrap_or_default());
                    });
                    Ok(Value::Null)
                }
                "register" if cx.attempt() < 2 => Err(Fault::new("Busy", "later")),
                "register" => Ok(value!({ "number": 7 })),
                "stamp" => {
                    let answer = self.0.answer.get().expect("how to send").clone();
                    let fee = input.get("body").and_then(|body| body.get("fee")).cloned().unwrap_or_default();
                    tokio::spawn(async move {
                        // The event comes long after the parent has begun to wait for it, so that
                        // nothing else happens at the same time.
                        tokio::time::sleep(Duration::from_millis(900)).await;
                        answer(&cx, fee);
                    });
                    Ok(
                        value!({ "status": 201, "headers": {}, "body": { "stamp": (input.get("url").cloned().unwrap_or_default()) } }),
                    )
                }
                "/bank/pay" if input.get("amount").and_then(Value::as_i64) > Some(50) => {
                    Ok(value!({ "error": "too much" }))
                }
                _ => Ok(input),
            }
        })
    }
}

impl Desk {
    fn answering(answer: impl Fn(&TaskContext, Value) + Send + Sync + 'static) -> Desk {
        let desk = Desk::default();
        let _ = desk.0.answer.set(Arc::new(answer));
        desk
    }

    fn seen(&self, outcome: Outcome, lines: &[String]) -> Seen {
        let mut calls = self.0.calls.lock().unwrap_or_else(PoisonError::into_inner).clone();
        calls.sort_unstable();
        Seen { outcome, history: by_branch(lines), calls }
    }
}

/// Groups the lines of a history by branch.
fn by_branch(lines: &[String]) -> BTreeMap<String, Vec<String>> {
    let mut branches: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in lines {
        let line = Value::from_json(line).expect("JSON");
        let word = |key: &str| line.get(key).map(Value::to_string).unwrap_or_default();
        let words = ["event", "state", "task", "error", "input", "output", "retry"].map(word);
        let of_others = ["events", "data", "child", "call", "detached"].map(word);
        // On Restate, the name of an execution begins with the service of its parent if that is
        // another service.
        let execution = word("execution").rsplit('/').next().unwrap_or_default().replace('"', "");
        let branch = format!("{execution} {}", word("path"));
        branches.entry(branch).or_default().push(words.into_iter().chain(of_others).collect::<Vec<_>>().join(" "));
    }
    branches
}

/// A buffer whose clones share the bytes.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Lines {
    fn read(&self) -> Vec<String> {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        String::from_utf8(bytes).expect("text").lines().map(str::to_owned).collect()
    }
}

/// Returns an event from a child to its parent execution. The database deduplicates events by id
/// and source. SM4C finds the definition by type and source, without a subject.
fn paid(cx: &TaskContext, data: Value) -> CloudEvent {
    let event = CloudEvent::new(data.to_string(), "/bank", "payment").data(data);
    if parent(cx) == "parcel" { event } else { event.subject("paid") }
}

/// Returns the id of the parent execution.
fn parent(cx: &TaskContext) -> String {
    let parent = cx.execution_id().rsplit_once('.').expect("it was started by another one").0;
    parent.rsplit('/').next().unwrap_or_default().to_owned()
}

/// The other workflows that a test needs.
#[derive(Clone, Copy)]
struct Beside {
    hub: fn(Hub, &Desk) -> Hub,
    engine: fn(workflow_sqlite::Builder, &Desk) -> workflow_sqlite::Builder,
    services: fn(&str, &Desk) -> Vec<Service>,
}

/// No other workflows.
const ALONE: Beside = Beside { hub: |hub, _| hub, engine: |engine, _| engine, services: |_, _| Vec::new() };

/// The workflows that can be sub-flows.
const SUB_FLOWS: Beside = Beside {
    hub: |hub, desk| {
        hub.workflow::<VisaOwn>(desk.clone()).workflow::<VisaNew>(desk.clone()).workflow::<Visa>(desk.clone())
    },
    engine: |engine, desk| {
        engine.workflow::<VisaOwn>(desk.clone()).workflow::<VisaNew>(desk.clone()).workflow::<Visa>(desk.clone())
    },
    services: |version, desk| {
        let services = [
            Service::of::<VisaOwn>(desk.clone()),
            Service::of::<VisaNew>(desk.clone()),
            Service::of::<Visa>(desk.clone()),
        ];
        services.map(|service| service.version(version)).into()
    },
};

async fn in_memory<W: Workflow>(name: &str, input: Value, beside: Beside) -> Seen {
    let (callbacks, lines) = (Callbacks::new(), Lines::default());
    let recorded = lines.clone();
    let hub = Hub::new().observer(move || History::new(recorded.clone()));
    let (answered, events) = (callbacks.clone(), hub.clone());
    let desk = Desk::answering(move |cx, answer| match cx.token() {
        Some(token) => answered.succeed(token, answer).expect("known"),
        None => assert!(events.send(&parent(cx), paid(cx, answer))),
    });
    let hub = (beside.hub)(hub, &desk);
    let builder =
        Builder::<W>::new().name(name.to_owned()).hub(&hub).callbacks(&callbacks).observer(History::new(lines.clone()));
    let outcome = builder.tasks(&desk).run(input).await;
    desk.seen(outcome, &lines.read())
}

async fn in_database<W: Workflow>(name: &str, input: Value, others: &[&str], beside: Beside) -> Seen {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("engines-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let engine = Arc::new(OnceLock::<Engine>::new());
    let answered = engine.clone();
    let desk = Desk::answering(move |cx, answer| {
        let (engine, cx) = (answered.get().expect("an engine").clone(), cx.clone());
        tokio::spawn(async move {
            match cx.token() {
                Some(token) => engine.succeed(token, answer).await.expect("known"),
                None => {
                    engine.execution(&parent(&cx)).expect("known").send(paid(&cx, answer)).await.expect("waited for")
                }
            }
        });
    });
    let set_up = (beside.engine)(Engine::at(folder.join("test.db")).workflow::<W>(desk.clone()), &desk);
    let opened = set_up.open().await.expect("a database");
    let engine = engine.get_or_init(|| opened);
    let execution = engine.start::<W>(input).id(name).submit().await.expect("a start");
    let outcome = execution.result().await.expect("an end");
    let mut lines = execution.history().expect("a history");
    for other in others {
        let other = engine.execution(other).expect("it was started");
        let _ended = other.result().await.expect("an end");
        lines.extend(other.history().expect("a history"));
    }
    engine.shut_down(Duration::from_secs(1)).await;
    let _ = std::fs::remove_dir_all(&folder);
    desk.seen(outcome, &lines)
}

async fn on_restate<W: Workflow>(restate: &Server, name: &str, input: Value, others: &[&str], beside: Beside) -> Seen {
    let (client, lines) = (Client::new(&restate.ingress, &restate.admin), Lines::default());
    let executions = Arc::new(OnceLock::<workflow_restate::Executions>::new());
    let answered = executions.clone();
    let desk = Desk::answering(move |cx, answer| {
        let (answered, cx) = (answered.clone(), cx.clone());
        tokio::spawn(async move {
            let executions = answered.get().expect("a service");
            match cx.token() {
                Some(token) => executions.succeed(cx.execution_id(), token, answer).await.expect("known"),
                None => executions.send(&parent(&cx), &paid(&cx, answer)).await.expect("waited for"),
            }
        });
    });
    let observed = |service: Service| {
        let recorded = lines.clone();
        // The observer is registered once: it exists in every replay, and receives only new
        // events.
        service.start_with(move |start| start.observers.push(Box::new(History::new(recorded.clone()))))
    };
    let service = observed(Service::of::<W>(desk.clone()).version(name));
    let executions = executions.get_or_init(|| client.service(service.name()));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let sub_flows = (beside.services)(name, &desk).into_iter().map(observed);
    let endpoint = sub_flows.fold(Endpoint::new().service(service), Endpoint::service);
    let serving = tokio::spawn(endpoint.serve(listener));
    client.register(&address).await.expect("the server takes the service");
    executions.start(name, input).await.expect("a start");
    let outcome = executions.attach(name).await.expect("an end");
    for other in others {
        let _ended = executions.attach(other).await.expect("an end");
    }
    serving.abort();
    desk.seen(outcome, &lines.read())
}

/// Runs a workflow on every engine.
async fn check<W: Workflow>(name: &str, input: Value) -> Seen {
    check_with::<W>(name, input, &[]).await
}

/// Runs a workflow on every engine, with its child workflows.
async fn check_with<W: Workflow>(name: &str, input: Value, others: &[&str]) -> Seen {
    check_beside::<W>(name, input, others, ALONE).await
}

/// Runs a workflow on every engine, with its child workflows and with other workflows.
async fn check_beside<W: Workflow>(name: &str, input: Value, others: &[&str], beside: Beside) -> Seen {
    let expected = in_memory::<W>(name, input.clone(), beside).await;
    assert_eq!(in_database::<W>(name, input.clone(), others, beside).await, expected, "{name} in a database");
    if let Some(restate) = crate::restate() {
        // The parent waits for child executions on other services.
        let others = if (beside.services)(name, &Desk::default()).is_empty() { others } else { &[] };
        assert_eq!(on_restate::<W>(restate, name, input, others, beside).await, expected, "{name} on Restate");
    }
    expected
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_agree_on_retries_branches_waits_and_callbacks() {
    let input = value!({ "traveller": "Ada", "things": ["hat", "book", "map"] });
    let seen = check::<Journey>("journey", input).await;
    let output = seen.outcome.expect("it ends well");
    assert_eq!(output.get("confirmed"), Some(&value!({ "leave": true })));
    assert_eq!(seen.calls.len(), 3 + 1 + 3 + 1 + 1, "{:#?}", seen.calls);
    assert_eq!(seen.history.len(), 6, "the top level, two branches, and three iterations: {:#?}", seen.history);
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_agree_on_branches_that_fail() {
    let seen = check::<Broken>("broken", value!({})).await;
    assert_eq!(seen.outcome.expect_err("it fails").error(), Some("Refused"));
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_agree_on_compositions() {
    let seen = check::<Ledger>("spent", value!({ "amount": 30 })).await;
    assert_eq!(seen.outcome, Ok(value!({ "amount": 30, "total": 70 })));
    let seen = check::<Ledger>("refunded", value!({ "amount": 60 })).await;
    assert_eq!(seen.outcome, Ok(value!({ "refunded": "too much", "amount": 0, "total": 40 })));
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_agree_on_state_machines() {
    let input = value!({ "things": ["hat", "book", "map"], "sum": 7 });
    let seen = check_with::<Parcel>("parcel", input, &["parcel.3-0"]).await;
    let output = seen.outcome.expect("it ends well");
    let packed = value!([{ "thing": "hat" }, { "thing": "book" }, { "thing": "map" }]);
    assert_eq!(output.get("packed").and_then(|packed| packed.get("things")), Some(&packed));
    assert_eq!(output.get("busy"), Some(&value!(2)));
    // The handled errors of both attempts precede the fault.
    assert_eq!(output.get("log"), Some(&value!(["Workflow.Unknown", "Workflow.Unknown"])));
    assert_eq!((output.get("refused"), output.get("risk")), (Some(&value!(2)), Some(&value!("high"))));
    assert_eq!(output.get("paid"), Some(&value!(7)));
    assert_eq!(seen.calls.len(), 3 + 3 + 2 + 1, "{:#?}", seen.calls);
    let ids: std::collections::BTreeSet<&str> =
        seen.calls.iter().filter_map(|call| call.rsplit_once("attempt ")).map(|(_, id)| id).collect();
    assert_eq!(ids.len(), seen.calls.len(), "no attempt of a call is made twice: {:#?}", seen.calls);
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_agree_on_sub_flows_by_id_and_version() {
    let input = value!({ "name": "Ada", "fee": 12 });
    let others = ["application.2-0", "application.3-0"];
    let seen = check_beside::<Application>("application", input.clone(), &others, SUB_FLOWS).await;
    let output = seen.outcome.expect("it ends well");
    let stamp = "https://office.example.com/stamps/Ada";
    assert_eq!(output.get("visa"), Some(&value!({ "applicant": "Ada", "stamp": (stamp) })));
    assert_eq!(output.get("latest"), Some(&value!({ "approved": true })), "the latest one that is a child");
    assert_eq!((output.get("number"), output.get("payment")), (Some(&value!(7)), Some(&value!(12))));
    assert_eq!(seen.calls.len(), 2 + 1, "{:#?}", seen.calls);
    assert_eq!(seen.history.len(), 3, "three executions: {:#?}", seen.history);

    let seen = check::<Application>("deserted", input.clone()).await;
    let fault = seen.outcome.expect_err("there is no such workflow");
    assert_eq!(fault.error(), Some("Workflow.Unknown"));
    let why = fault.cause().and_then(|cause| cause.get("cause")).cloned();
    assert_eq!(why, Some(value!("unknown workflow `visa@1.0`")));
    let stern = Beside {
        hub: |hub, desk| hub.workflow::<VisaOwn>(desk.clone()).workflow::<VisaNew>(desk.clone()),
        engine: |engine, desk| engine.workflow::<VisaOwn>(desk.clone()).workflow::<VisaNew>(desk.clone()),
        services: |version, desk| {
            [Service::of::<VisaOwn>(desk.clone()), Service::of::<VisaNew>(desk.clone())]
                .map(|service| service.version(version))
                .into()
        },
    };
    let seen = check_beside::<Application>("outdated", input, &[], stern).await;
    let fault = seen.outcome.expect_err("there is another version only");
    let why = fault.cause().and_then(|cause| cause.get("cause")).cloned();
    assert_eq!(why, Some(value!("unknown version 1.0 of `visa`, found 1.10")));
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_agree_on_events_and_on_executions_that_others_start() {
    let input = value!({ "ask": { "do": "work" }, "aside": 3, "events": 2 });
    let seen = check_with::<Errand>("errand", input, &["errand.2-0", "errand.3-0"]).await;
    let output = seen.outcome.expect("it ends well");
    assert_eq!(output.get("got"), Some(&value!([1, 2])));
    assert_eq!(output.get("answer"), Some(&value!({ "do": "work" })));
    assert_eq!(output.get("detached"), Some(&value!("errand.2-0")));
    assert_eq!(seen.calls.len(), 2, "{:#?}", seen.calls);
    assert_eq!(seen.history.len(), 3, "three executions: {:#?}", seen.history);

    let unknown = value!({ "workflow": "nothing", "events": 0 });
    let seen = check_with::<Errand>("stranger", unknown, &["stranger.2-0"]).await;
    let answer = seen.outcome.expect("it ends well").get("answer").cloned();
    assert_eq!(answer.expect("an answer").get("Error"), Some(&value!("Workflow.Unknown")));
}
