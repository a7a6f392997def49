//! Children, and events between executions.

#[path = "../../../../workflow-runtime/tests/machines/errand.rs"]
pub(crate) mod errand;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use errand::Errand;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use workflow_restate::{Client, ClientError, Endpoint, Executions, Service};
use workflow_runtime::fault::names::{CANCELLED, TIMEOUT};
use workflow_runtime::machine::{Outcome, Task};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{CloudEvent, Fault, TaskContext, Value, value};

use crate::eventually;
use crate::server::server;
use crate::shop::Shop;
use crate::tasks::Desk;

/// Inbox capacity of an errand.
pub(crate) const INBOX_CAPACITY: u32 = 50;

/// Tasks of the errand, and of its children. A clone shares the records.
#[derive(Clone)]
pub(crate) struct Office {
    notes: Arc<Mutex<Notes>>,
    /// Permits of tasks that wait for one.
    pub permits: Arc<Semaphore>,
}

#[derive(Default)]
pub(crate) struct Notes {
    pub calls: Vec<String>,
    pub dropped: Vec<String>,
}

impl Default for Office {
    fn default() -> Office {
        Office { notes: Arc::default(), permits: Arc::new(Semaphore::new(0)) }
    }
}

/// Task that never ends.
struct Hanging(Office, String);

impl Drop for Hanging {
    fn drop(&mut self) {
        self.0.note(|notes| notes.dropped.push(self.1.clone()));
    }
}

impl Office {
    pub fn note<T>(&self, note: impl FnOnce(&mut Notes) -> T) -> T {
        note(&mut self.notes.lock().unwrap())
    }

    /// Returns the calls of a task of an execution.
    pub fn calls(&self, task: &str, execution: &str) -> usize {
        let (task, part) = (format!("{task} "), format!("/{execution}/"));
        self.note(|notes| notes.calls.iter().filter(|call| call.starts_with(&task) && call.contains(&part)).count())
    }

    async fn run(&self, key: &'static str, input: Value, cx: TaskContext) -> Outcome {
        self.note(|notes| notes.calls.push(format!("{key} {}", cx.idempotency_key())));
        match input.get("how").and_then(Value::as_str) {
            Some("permit") => self.permits.acquire().await.unwrap().forget(),
            Some("hang") => {
                let _hanging = Hanging(self.clone(), cx.execution_id().to_owned());
                std::future::pending().await
            }
            _ => {}
        }
        match input.get("fails").is_some() {
            true => Err(Fault::new("Broken", value!({ "by": key }))),
            false => Ok(key.into()),
        }
    }
}

impl Invoke for Office {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(self.run(task.key, input, cx))
    }
}

/// The errand and the shop, served together.
pub(crate) struct Served {
    pub office: Office,
    desk: Desk,
    pub errands: Executions,
    shops: Executions,
    version: &'static str,
    journal_limit: u64,
    address: String,
    pub server: JoinHandle<()>,
}

impl Served {
    /// Journals are so short that each wait is in another invocation.
    pub async fn start(version: &'static str) -> Option<Served> {
        Served::start_with(version, 3).await
    }

    pub async fn start_with(version: &'static str, journal_limit: u64) -> Option<Served> {
        let restate = server()?;
        let (office, desk, client) =
            (Office::default(), Desk::default(), Client::new(&restate.ingress, &restate.admin));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = serve(&office, &desk, version, journal_limit, listener);
        let names = client.replace(&format!("http://{address}")).await.unwrap();
        assert!(names.contains(&format!("errand-{version}.events")), "{names:?}");
        let errands = client.service(&format!("errand-{version}"));
        let shops = client.service(&format!("shop-{version}"));
        Some(Served { office, desk, errands, shops, version, journal_limit, address, server })
    }

    /// Crashes the endpoint, and serves again.
    pub async fn restart(&mut self) {
        self.server.abort();
        tokio::time::sleep(Duration::from_millis(50)).await;
        let listener = TcpListener::bind(&self.address).await.unwrap();
        self.server = serve(&self.office, &self.desk, self.version, self.journal_limit, listener);
    }

    pub async fn begin(&self, key: &str, input: Value) -> String {
        self.errands.start(key, input).await.unwrap().invocation
    }

    pub async fn ended(&self, key: &str) -> Outcome {
        let ended = tokio::time::timeout(Duration::from_secs(60), self.errands.attach(key)).await;
        ended.expect("it ends").unwrap()
    }

    pub async fn end(&self, key: &str) -> Value {
        self.ended(key).await.unwrap()
    }

    /// Waits until an execution has a wait of this kind, and returns it.
    pub async fn waits(&self, key: &str, member: &str) -> Value {
        eventually(async || {
            let status = self.errands.status(key).await.unwrap();
            status.get("waits")?.get(0)?.get(member).cloned()
        })
        .await
    }

    /// Waits until so many executions are subscribed.
    pub async fn listeners(&self, count: usize) {
        let objects = format!("{}.events", self.errands.name());
        let query = format!("SELECT key FROM state WHERE service_name = '{objects}' AND key = 'members'");
        let listeners = || server().unwrap().query(&query).matches("\"members\"").count();
        eventually(async || (listeners() == count).then_some(())).await;
    }

    fn invocations(&self, key: &str, handler: &str) -> usize {
        let query = format!("SELECT id FROM sys_invocation WHERE target = '{}/{key}/{handler}'", self.errands.name());
        server().unwrap().query(&query).matches("\"id\"").count()
    }
}

fn serve(office: &Office, desk: &Desk, version: &str, journal_limit: u64, listener: TcpListener) -> JoinHandle<()> {
    let idle = Duration::from_millis(300);
    let errand = Service::of::<Errand>(office.clone()).version(version).idle(idle).journal_limit(journal_limit);
    let errand = errand.events_kept(INBOX_CAPACITY);
    let shop = Service::of::<Shop>(desk.clone()).version(version).idle(idle);
    let endpoint = Endpoint::new().service(errand).service(shop);
    tokio::spawn(async move {
        let _refused = endpoint.serve(listener).await;
    })
}

/// Returns an event that differs from all others.
pub(crate) fn paid(data: impl Into<Value>) -> CloudEvent {
    static ID: AtomicU32 = AtomicU32::new(1);
    let id = ID.fetch_add(1, Ordering::Relaxed).to_string();
    CloudEvent::new(id, "/bank", "payment").subject("paid").data(data)
}

pub(crate) fn member(output: &Value, name: &str) -> Value {
    output.get(name).cloned().unwrap_or_default()
}

pub(crate) fn refused(sent: Result<(), ClientError>) -> u16 {
    match sent {
        Err(ClientError::Refused { status, .. }) => status,
        other => panic!("it is not refused: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn children_and_events_survive_the_ends_of_processes() {
    let Some(mut served) = Served::start("survive").await else { return };
    let input = value!({ "ask": { "do": "work", "how": "permit" }, "aside": 3, "events": 3 });
    served.begin("one", input).await;
    eventually(async || (served.office.calls("Work", "one.3-0") == 1).then_some(())).await;
    // A detached child runs as well.
    assert_eq!(served.ended("one.2-0").await, Ok("Later".into()));
    // An event that is not awaited yet is kept.
    served.errands.send("one", &paid(1)).await.unwrap();
    served.restart().await;
    served.errands.send("one", &paid(2)).await.unwrap();
    eventually(async || (served.office.calls("Work", "one.3-0") == 2).then_some(())).await;
    served.office.permits.add_permits(1);
    assert_eq!(served.ended("one.3-0").await, Ok("Work".into()));
    served.restart().await;

    // A refused event does not change that.
    assert_eq!(refused(served.errands.send("one", &CloudEvent::new("1", "/bank", "unknown")).await), 422);
    assert_eq!(refused(served.errands.send("one", &CloudEvent::new("", "/bank", "payment")).await), 400);
    assert_eq!(refused(served.errands.send("nobody", &paid(3)).await), 404);
    served.errands.send("one", &paid(3)).await.unwrap();
    let output = served.end("one").await;
    assert_eq!(member(&output, "got"), value!([1, 2, 3]));
    assert_eq!((member(&output, "answer"), member(&output, "detached")), ("Work".into(), "one.2-0".into()));
    assert_eq!(refused(served.errands.send("one", &paid(4)).await), 409);
    // The running task was repeated, and nothing else.
    assert_eq!((served.office.calls("Later", "one.2-0"), served.office.calls("Work", "one.3-0")), (1, 2));
    assert!(served.invocations("one", "segment") >= 2);
    served.listeners(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_status_shows_the_waits_of_an_execution() {
    let Some(served) = Served::start_with("status", 2_000).await else { return };
    let input = value!({ "workflow": "errand", "ask": { "do": "work", "how": "permit" }, "events": 1 });
    served.begin("one", input).await;
    // Before that, it waits for the start of a detached child.
    let waits = eventually(async || {
        let status = served.errands.status("one").await.unwrap();
        status.get("waits")?.get(0).filter(|waits| member(waits, "execution") == "one.3-0".into()).cloned()
    })
    .await;
    assert_eq!((member(&waits, "state"), member(&waits, "workflow")), ("Ask".into(), "errand".into()));
    assert!(waits.get("deadline").is_some(), "{waits}");
    served.office.permits.add_permits(1);
    let shipped = value!({ "name": "shipped", "type": "order.shipped", "attributes": { "tenant": "a" } });
    let expected = value!([{ "name": "paid", "subject": "Paid" }, (shipped)]);
    assert_eq!(served.waits("one", "events").await, expected);
    served.errands.send("one", &paid(1)).await.unwrap();
    assert_eq!(member(&served.end("one").await, "got"), value!([1]));
}

#[tokio::test(flavor = "multi_thread")]
async fn signals_at_the_same_time_lose_no_event() {
    let Some(served) = Served::start("at-once").await else { return };
    served.begin("one", value!({ "do": "wait", "events": 40 })).await;
    served.waits("one", "events").await;
    let sends = (0..40).map(|number| {
        let errands = served.errands.clone();
        tokio::spawn(async move { errands.send("one", &paid(number)).await.unwrap() })
    });
    for send in sends.collect::<Vec<_>>() {
        send.await.unwrap();
    }
    let output = served.end("one").await;
    let mut got: Vec<i64> = member(&output, "got").as_array().unwrap().iter().filter_map(Value::as_i64).collect();
    got.sort_unstable();
    assert_eq!(got, (0..40).collect::<Vec<_>>());
    assert!(served.invocations("one", "segment") >= 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_published_reaches_all_once_and_in_order() {
    let Some(mut served) = Served::start("publish").await else { return };
    let waits = |events: i64| value!({ "do": "wait", "events": events });
    for (key, input) in [("a", waits(20)), ("b", waits(20)), ("c", waits(1))] {
        served.begin(key, input).await;
    }
    served.begin("done", value!({ "do": "wait", "events": 1, "done": true })).await;
    served.listeners(4).await;
    assert_eq!(served.errands.publish(&paid(0)).await, Ok(4));
    assert_eq!(member(&served.end("c").await, "got"), value!([0]));
    // The child publishes an event before it ends.
    let done = served.end("done").await;
    let done = member(&done, "got");
    assert_eq!(done.get(0).and_then(|data| data.get("got")), Some(&value!([0])), "{done}");
    served.listeners(2).await;
    assert_eq!(served.errands.publish(&CloudEvent::new("1", "/bank", "unknown")).await, Ok(0));
    for number in 1..20 {
        if number == 10 {
            served.restart().await;
        }
        assert_eq!(served.errands.publish(&paid(number)).await, Ok(2));
    }
    for key in ["a", "b"] {
        let all: Vec<Value> = (0..20).map(Value::from).collect();
        assert_eq!(member(&served.end(key).await, "got"), workflow_runtime::Array::from(all).into());
    }
    served.listeners(0).await;
    let deep = (0..140).fold(Value::Null, |deep, _| value!([deep]));
    let nested = served.errands.publish(&paid(deep)).await;
    assert!(matches!(nested, Err(ClientError::Refused { status: 400, .. })), "{nested:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_was_killed_hears_of_nothing() {
    let Some(served) = Served::start("killed").await else { return };
    let invocation = served.begin("one", value!({ "do": "wait", "events": 1 })).await;
    served.listeners(1).await;
    server().unwrap().kill(&invocation);
    eventually(async || served.errands.outcome("one").await.unwrap()).await.unwrap_err();
    assert_eq!(served.errands.publish(&paid(0)).await, Ok(1));
    served.listeners(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_for_an_event_ends_at_its_time() {
    let Some(served) = Served::start("until").await else { return };
    served.begin("one", value!({ "do": "wait", "events": 1, "seconds": 1 })).await;
    assert_eq!(member(&served.end("one").await, "got"), value!(["time-out"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_child_ends_with_the_one_that_waits_for_it() {
    let Some(served) = Served::start("ends").await else { return };
    let hang = value!({ "do": "work", "how": "hang" });
    served.begin("late", value!({ "ask": hang.clone(), "patience": 1.0 })).await;
    let answer = member(&served.end("late").await, "answer");
    assert_eq!(member(&answer, "Error"), TIMEOUT.into());
    assert_eq!(served.ended("late.3-0").await.unwrap_err().error(), Some(CANCELLED));

    // One execution has its child by its own call, one by that of the invocation before.
    for (key, child, input) in [
        ("nested", "nested.2-0", value!({ "do": "nested", "how": "hang" })),
        ("asks", "asks.3-0", value!({ "ask": hang })),
    ] {
        served.begin(key, input).await;
        eventually(async || (served.office.calls("Work", child) == 1).then_some(())).await;
        served.errands.cancel(key).await.unwrap();
        assert_eq!(served.ended(key).await.unwrap_err().error(), Some(CANCELLED));
        assert_eq!(served.ended(child).await.unwrap_err().error(), Some(CANCELLED));
        eventually(async || served.office.note(|notes| notes.dropped.contains(&child.to_owned())).then_some(())).await;
    }
    served.listeners(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_execution_starts_another_workflow() {
    let Some(served) = Served::start("other").await else { return };
    // The child's key starts with the parent's service, because keys of two services may be equal.
    let child = "errand-other/one.3-0";
    served.begin("one", value!({ "workflow": "shop", "ask": { "card": "good" } })).await;
    let output = served.end("one").await;
    assert_eq!(member(&member(&output, "answer"), "receipt"), value!({ "attempt": 1 }));
    assert_eq!(served.desk.begun(child), ["reserve", "charge"]);
    assert_eq!(served.shops.outcome(child).await.unwrap(), Some(Ok(member(&output, "answer"))));

    served.begin("broken", value!({ "workflow": "shop", "ask": { "card": "broken" } })).await;
    let answer = member(&served.end("broken").await, "answer");
    assert_eq!(answer, value!({ "Error": "Broken", "Cause": "no line" }));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_started_is_a_fault_of_the_state() {
    let Some(served) = Served::start("faults").await else { return };
    let error = async |key: &str, input: Value| {
        served.begin(key, input).await;
        member(&member(&served.end(key).await, "answer"), "Error")
    };
    served.begin("taken.3-0", value!({ "do": "work" })).await;
    served.end("taken.3-0").await;
    assert_eq!(error("unknown", value!({ "workflow": "nothing" })).await, "Workflow.Unknown".into());
    assert_eq!(error("taken", value!({ "ask": { "do": "work" } })).await, "Execution.IdTaken".into());
    assert_eq!(error("failing", value!({ "ask": { "do": "work", "fails": true } })).await, "Broken".into());
    let answer = member(&served.end("failing").await, "answer");
    assert_eq!(member(&answer, "Cause"), value!({ "by": "Work" }));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_the_key_of_a_child_is_left_alone() {
    let Some(served) = Served::start_with("taken", 2_000).await else { return };
    let permit = || value!({ "do": "work", "how": "permit" });
    let keys = ["impatient", "waits", "stopped", "stopped-early"];
    for key in keys {
        let child = format!("{key}.3-0");
        served.begin(&child, permit()).await;
        eventually(async || (served.office.calls("Work", &child) == 1).then_some(())).await;
    }
    let early = served.begin("stopped-early", value!({ "ask": permit(), "events": 1 })).await;
    server().unwrap().cancel(&early);
    // It does not wait at all.
    served.begin("impatient", value!({ "ask": permit(), "patience": 0.001 })).await;
    let answer = member(&member(&served.end("impatient").await, "answer"), "Error");
    assert!([TIMEOUT.into(), "Execution.IdTaken".into()].contains(&answer), "{answer}");
    // These are cancelled, and wait for something else then.
    for key in ["waits", "stopped"] {
        let invocation = served.begin(key, value!({ "ask": permit(), "events": 1 })).await;
        let names = served.waits(key, "events").await;
        let names: Vec<Option<Value>> =
            names.as_array().expect("events").iter().map(|kind| kind.get("name").cloned()).collect();
        assert_eq!(names, [Some("paid".into()), Some("shipped".into())]);
        match key {
            "waits" => served.errands.send(key, &paid(1)).await.unwrap(),
            _ => server().unwrap().cancel(&invocation),
        }
    }
    let answer = member(&served.end("waits").await, "answer");
    assert_eq!(member(&answer, "Error"), "Execution.IdTaken".into());
    for key in ["stopped", "stopped-early"] {
        assert_eq!(served.ended(key).await.unwrap_err().error(), Some(CANCELLED));
    }
    // Their messages have arrived by then.
    tokio::time::sleep(Duration::from_millis(500)).await;
    served.office.permits.add_permits(keys.len());
    for key in keys {
        assert_eq!(served.ended(&format!("{key}.3-0")).await, Ok("Work".into()), "{key}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_the_key_of_a_child_is_not_taken_for_it() {
    // Another invocation continues in any case.
    let Some(served) = Served::start_with("same", 1).await else { return };
    let keys: Vec<String> = (0..12).map(|number| format!("same-{number}")).collect();
    for key in &keys {
        served.begin(&format!("{key}.3-0"), value!({ "do": "work", "how": "permit" })).await;
    }
    eventually(async || served.office.note(|notes| notes.calls.len() == keys.len()).then_some(())).await;
    let mut begun = Vec::new();
    for key in &keys {
        served.begin(key, value!({ "ask": { "do": "work" }, "events": 1 })).await;
        for number in 0..6 {
            let (errands, key) = (served.errands.clone(), key.clone());
            // An execution that has ended by then accepts none.
            begun.push(tokio::spawn(async move { errands.send(&key, &paid(number)).await }));
        }
    }
    for one in begun {
        let _ended = one.await.unwrap();
    }
    eventually(async || served.office.note(|notes| notes.calls.len() == 2 * keys.len()).then_some(())).await;
    served.office.permits.add_permits(keys.len());
    for key in &keys {
        let answer = member(&served.end(key).await, "answer");
        assert_eq!(member(&answer, "Error"), "Execution.IdTaken".into(), "{key}: {answer}");
        assert_eq!(served.ended(&format!("{key}.3-0")).await, Ok("Work".into()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_that_is_not_waited_for_notices_whose_key_it_is() {
    let Some(served) = Served::start("aside").await else { return };
    served.begin("taken.2-0", value!({ "do": "work" })).await;
    served.begin("taken", value!({ "ask": { "do": "work" } })).await;
    let fault = served.ended("taken").await.unwrap_err();
    assert_eq!(fault.error(), Some("Execution.IdTaken"), "{fault}");
    assert_eq!(served.ended("taken.2-0").await, Ok("Work".into()));
    assert_eq!(served.office.calls("Later", "taken.2-0"), 0);
}
