//! The relations of executions of Serverless Workflow with each other and with their callers: a
//! correlation key from the input, events for other executions
//! ([R14](docs/serverless-workflow.md#r14)), refused starts
//! ([R20](docs/serverless-workflow.md#r20), [R26](docs/serverless-workflow.md#r26)), and
//! termination ([R16](docs/serverless-workflow.md#r16)).

use std::path::PathBuf;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::net::TcpListener;
use workflow_restate::{Client, Endpoint, Service};
use workflow_runtime::event::EventSink;
use workflow_runtime::machine::{Outcome, Program, Start};
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::testing::{Mocks, Reply, run};
use workflow_runtime::{Builder, CloudEvent, Fault, Hub, Value, Workflow, include_workflow, value};
use workflow_sqlite::{Engine, Error};

include_workflow!("serverless/order.sw.json", correlate: { orderId = "$.order.id" });
include_workflow!("serverless/bill.sw.json");
include_workflow!("serverless/signs.sw.json");
include_workflow!("serverless/guard.sw.json");
include_workflow!("serverless/alarm.sw.json");
include_workflow!("serverless/pair.sw.json", correlate: { pair = "$.name" });

use alarm::Alarm;
use bill::Bill;
use guard::Guard;
use order::Order;
use pair::Pair;
use signs::Signs;
// The macro makes types from schemas as a build script does.
use signs::schemas::Input;

struct Nothing;

impl order::Tasks for Nothing {}
impl bill::Tasks for Nothing {}

/// A sink that keeps events.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<CloudEvent>>>);

impl EventSink for Kept {
    fn send<'a>(
        &'a self,
        event: &'a CloudEvent,
    ) -> std::pin::Pin<Box<dyn Future<Output = Result<(), Fault>> + Send + 'a>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event.clone());
        Box::pin(async { Ok(()) })
    }
}

impl Kept {
    /// Returns the type of each event and the order that it is for, sorted.
    fn sent(&self) -> Vec<(String, Option<Value>)> {
        let events = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sent: Vec<_> =
            events.iter().map(|event| (event.kind.to_string(), event.attribute("orderid"))).collect();
        sent.sort_by_key(|(kind, order)| format!("{kind} {order:?}"));
        sent
    }
}

/// An observer that must not receive an event, because the execution is refused.
struct Silence;

impl Observer for Silence {
    fn observe(&mut self, event: &Event<'_>) {
        panic!("{:?}", event.kind);
    }
}

fn ordered(id: impl Into<Value>, sum: i64) -> Value {
    value!({ "order": { "id": (id.into()), "sum": sum } })
}

fn all_sent() -> Vec<(String, Option<Value>)> {
    let kinds = ["closed", "ordered", "paid"].into_iter();
    kinds.flat_map(|kind| ["17", "18"].map(|order| (kind.to_owned(), Some(order.into())))).collect()
}

fn sums(outcomes: [Outcome; 2]) -> [Option<i64>; 2] {
    outcomes.map(|outcome| outcome.expect("it succeeds").get("paid").and_then(Value::as_i64))
}

#[tokio::test]
async fn in_memory_one_execution_waits_for_what_another_one_produces() {
    let (hub, kept) = (Hub::new(), Kept::default());
    let order = |id: Value, sum| {
        let builder = Order::builder(&Nothing).hub(&hub).sink(kept.clone());
        async move { builder.run(ordered(id, sum)).await }
    };
    let bill = |order: &str| {
        let builder = Builder::<Bill>::new().hub(&hub).sink(kept.clone()).correlate(order);
        async move { builder.tasks(Bill::bind(&Nothing)).run(value!({})).await }
    };
    // The bills wait before there are orders. A number as a correlation key equals its text.
    let (first, second) = (pin!(bill("17")), pin!(bill("18")));
    let mut bills = pin!(async { tokio::join!(first, second) });
    std::future::poll_fn(|cx| {
        assert!(bills.as_mut().poll(cx).is_pending());
        std::task::Poll::Ready(())
    })
    .await;
    let (seventeen, eighteen, _) = tokio::join!(order(17.into(), 170), order("18".into(), 180), bills);
    assert_eq!(sums([seventeen, eighteen]), [Some(170), Some(180)]);
    assert_eq!(kept.sent(), all_sent());
}

/// A folder that is removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("workflow-tests-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn in_a_database_one_execution_waits_for_what_another_one_produces() {
    let (folder, kept) = (Folder::new("correlation"), Kept::default());
    let builder = Engine::at(folder.0.join("executions.db")).sink(kept.clone());
    let builder =
        builder.workflow::<Order>(Order::bind(Arc::new(Nothing))).workflow::<Bill>(Bill::bind(Arc::new(Nothing)));
    let engine = builder.open().await.expect("it opens");
    for order in ["17", "18"] {
        engine.start::<Bill>(value!({})).correlate(order).submit().await.expect("it is kept");
    }
    let first = engine.start::<Order>(ordered(17, 170)).key("a").submit().await.expect("it is kept");
    // The same submission again yields the same execution.
    let again = engine.start::<Order>(ordered(17, 170)).key("a").submit().await.expect("it is there");
    assert_eq!((again.id(), again.is_new()), (first.id(), false));
    // An explicit correlation key has precedence over that of the input.
    let second = engine.start::<Order>(ordered("none", 180)).correlate("18").submit().await.expect("it is kept");
    let ends = async { [first.result().await.expect("an end"), second.result().await.expect("an end")] };
    let ends = tokio::time::timeout(Duration::from_secs(60), ends).await.expect("they end");
    assert_eq!(sums(ends), [Some(170), Some(180)]);
    assert_eq!(kept.sent(), all_sent());

    // An invalid correlation key, and an input that is not an object, start nothing.
    let before = engine.list(&workflow_sqlite::Filter::all()).expect("a list").len();
    for (input, problem) in [
        (ordered(value!([1]), 1), "`$.order.id` of the input is not a valid correlation key: it is of type array"),
        (ordered("", 1), "it is empty"),
        (value!([1]), "the input of a workflow must be an object, found array"),
    ] {
        match engine.start::<Order>(input).submit().await {
            Err(Error::InputRefused { problem: message, .. }) => assert!(message.contains(problem), "{message}"),
            Err(other) => panic!("{other}"),
            Ok(execution) => panic!("it is {}", execution.id()),
        }
    }
    assert_eq!(engine.list(&workflow_sqlite::Filter::all()).expect("a list").len(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn on_restate_one_execution_waits_for_what_another_one_produces() {
    let Some(restate) = crate::restate() else { return };
    let client = Client::new(&restate.ingress, &restate.admin);
    let kept = Kept::default();
    let orders = Service::of::<Order>(Order::bind(Arc::new(Nothing))).sink(kept.clone());
    let bills = Service::of::<Bill>(Bill::bind(Arc::new(Nothing))).sink(kept.clone());
    let (orders_name, bills_name) = (orders.name().to_owned(), bills.name().to_owned());
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let serving = tokio::spawn(Endpoint::new().service(orders).service(bills).serve(listener));
    client.register(&address).await.expect("the server takes the services");
    let (orders, bills) = (client.service(&orders_name), client.service(&bills_name));
    for order in ["17", "18"] {
        let id = format!("bill {order}");
        bills.start_correlated(&id, value!({}), Some(order)).await.expect("a start");
        let waits = async || {
            let status = bills.status(&id).await.ok()?;
            status.get("waits")?.as_array().is_some_and(|waits| !waits.is_empty()).then_some(())
        };
        let waiting = async {
            while waits().await.is_none() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), waiting).await.expect("it waits");
    }
    orders.start("a", ordered(17, 170)).await.expect("a start");
    orders.start_correlated("b", ordered("none", 180), Some("18")).await.expect("a start");
    let end = async |id: &str| {
        let end = tokio::time::timeout(Duration::from_secs(60), orders.attach(id)).await;
        end.expect("it ends").expect("an outcome")
    };
    assert_eq!(sums([end("a").await, end("b").await]), [Some(170), Some(180)]);
    assert_eq!(kept.sent(), all_sent());
    for (id, input) in [("c", value!([1])), ("d", ordered(value!([1]), 1))] {
        orders.start(id, input).await.expect("a start");
        assert_eq!(end(id).await.expect_err("it is refused").error(), Some("States.Runtime"));
    }
    serving.abort();
}

#[tokio::test]
async fn an_input_that_is_refused_starts_nothing() {
    for input in [value!([1]), value!("text"), value!(7), ordered(value!({}), 1)] {
        let outcome = Order::builder(&Nothing).observer(Silence).run(input.clone()).await;
        let fault = outcome.expect_err("it is refused");
        assert_eq!(fault.error(), Some("States.Runtime"), "{fault}");
        // An engine without this check gets an execution that has failed.
        assert_eq!(Program::of::<Order>().start(Start::new(input)).result(), Some(&Err(fault)));
    }
    // The input `null` counts as the empty object, which has no correlation key.
    assert_eq!(Order::DEFINITION.correlation(&Value::Null, None, Some("own".into())), Some("own".into()));
    assert!(Order::DEFINITION.admit(&Value::Null).is_ok());
    let read =
        |given: Option<&str>| Order::DEFINITION.correlation(&ordered(17, 1), given.map(Into::into), Some("own".into()));
    assert_eq!((read(None), read(Some("given"))), (Some("17".into()), Some("given".into())));
    assert_eq!(order::METADATA, r#"{"metadata":{"team":"shop"}}"#);
}

/// Runs an execution that events have started, with these data.
fn signs(degrees: Value, beats: Value) -> (Outcome, Vec<String>) {
    let event = |kind: &str, data: Value| CloudEvent::new(kind, "/ward", kind).data(data).extension("patient", "ada");
    let mocks = Mocks::new()
        .event(Duration::from_secs(1), event("pulse", beats))
        .event(Duration::from_secs(2), event("temperature", degrees))
        .task("assess", [Reply::ok(value!({ "assessed": true }))]);
    let report = run(Builder::<Signs>::new().correlate("ada"), &mocks, value!({}));
    let visited = report.visited.iter().map(|state| state.to_string()).collect();
    (report.outcome, visited)
}

#[test]
fn what_events_carry_that_start_an_execution_must_fit_the_schema_of_its_input() {
    let (outcome, visited) = signs(value!({ "degrees": 39.5 }), value!({ "beats": 88 }));
    assert_eq!(outcome.expect("it succeeds").get("handled"), Some(&value!(true)));
    assert_eq!(visited, ["Read", "Handled"]);
    for (degrees, beats) in
        [(value!({ "degrees": "hot" }), value!({ "beats": 88 })), (value!({ "degrees": 39 }), value!(88))]
    {
        let (outcome, visited) = signs(degrees, beats);
        let fault = outcome.expect_err("it is refused");
        assert_eq!(fault.error(), Some("Schema.Violation"));
        assert!(fault.to_string().contains("the data of the start events does not match"), "{fault}");
        // Nothing handles the error.
        assert_eq!(visited, ["Read"]);
    }
    // An explicit input is checked when the execution starts, and not again.
    let mocks = Mocks::new()
        .event(Duration::from_secs(1), CloudEvent::new("1", "/ward", "pulse").extension("patient", "ada"))
        .event(Duration::from_secs(1), CloudEvent::new("2", "/ward", "temperature").extension("patient", "ada"))
        .task("assess", [Reply::ok(value!({}))]);
    let report = run(Builder::<Signs>::new().correlate("ada"), &mocks, Value::from(Input { degrees: 37.0, beats: 60 }));
    assert!(report.outcome.is_ok(), "{report:?}");
    assert!(run(Builder::<Signs>::new(), &Mocks::new(), value!({ "degrees": 37 })).outcome.is_err());
}

/// Returns the end of a run, the tasks that its sub-flow has called, and the states of the run.
fn round(look: Reply) -> (String, Vec<String>, Vec<String>) {
    let called = Arc::new(Mutex::new(Vec::new()));
    let child = Mocks::new()
        .task("look", [look.after(Duration::from_secs(1))])
        .task("watch", [Reply::ok(value!({ "watched": true })).after(Duration::from_secs(60))])
        .task("report", [Reply::ok(value!({ "reported": true }))]);
    let kept = called.clone();
    let hub = Hub::new().workflow::<Alarm>(child).observer(move || Calls(kept.clone()));
    let mocks = Mocks::new().task("file", [Reply::ok(value!({ "filed": true }))]);
    let report = run(Builder::<Guard>::new().hub(&hub), &mocks, value!({}));
    let visited = report.visited.iter().map(|state| state.to_string()).collect();
    let called = called.lock().unwrap_or_else(PoisonError::into_inner).clone();
    (report.outcome.expect("it ends").to_string(), called, visited)
}

/// An observer that notes the results of tasks.
struct Calls(Arc<Mutex<Vec<String>>>);

impl Observer for Calls {
    fn observe(&mut self, event: &Event<'_>) {
        if let EventKind::TaskSucceeded { task, .. } = event.kind {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(task.key.to_owned());
        }
    }
}

/// Running work in the other branch is completed and nothing new begins, in the sub-flow and
/// around it: [R16](docs/serverless-workflow.md#r16).
#[test]
fn a_branch_of_a_subflow_ends_the_run_that_waits_for_it() {
    let (output, called, visited) = round(Reply::ok(value!({ "fire": true })));
    assert_eq!(output, r#"{"fire":true,"left":true}"#);
    assert_eq!((called, visited), (vec!["look".to_owned(), "watch".to_owned()], vec!["Round".to_owned()]));
    let (output, called, visited) = round(Reply::ok(value!({ "fire": false })));
    assert_eq!(output, r#"{"fire":false,"stayed":true,"watched":true,"reported":true,"filed":true}"#);
    assert_eq!((called.len(), visited.len()), (3, 2));
}

/// An error names the state where it arose, also if an outer state handles it:
/// [R6](docs/serverless-workflow.md#r6).
#[test]
fn an_error_names_its_origin() {
    let (output, ..) = round(Reply::error("Blind", "no eyes"));
    let output = Value::from_json(&output).expect("JSON");
    assert_eq!(output.get("blind"), Some(&value!(true)));
    assert_eq!(
        output.get("error").and_then(|error| error.get("trace")),
        Some(&value!("in the action `look` of the state `Look`, in the state `Both`"))
    );
}

/// An event from a branch reaches its own execution, and no execution with another correlation
/// key.
#[test]
fn a_branch_waits_for_what_another_one_produces() {
    let hub = Hub::new();
    let other = CloudEvent::new("1", "/pair", "ready").extension("pair", "bob").data(value!({ "by": "bob" }));
    let mocks = Mocks::new().event(Duration::from_millis(500), other);
    let report = run(Builder::<Pair>::new().hub(&hub), &mocks, value!({ "name": "ada" }));
    assert_eq!(report.outcome, Ok(value!({ "name": "ada", "said": true, "by": "ada" })));
    assert_eq!(report.elapsed, Duration::from_secs(1));
}
