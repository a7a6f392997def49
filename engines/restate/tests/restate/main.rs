//! Tests with a Restate server that they start. Without a server, they report that they were
//! skipped; with `CI` or `WORKFLOW_REQUIRE_RESTATE` set, they fail.

mod batches;
mod bounds;
mod children;
mod correlation;
mod credit;
mod ends;
mod event_triggers;
mod events;
mod inboxes;
mod late;
mod map_runs;
mod races;
mod redrives;
mod scale;
mod server;

mod sink;
mod tasks;
mod trips;
mod uncorrelated;

#[cfg(feature = "identity")]
mod identity;
#[cfg(feature = "tls")]
mod tls;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use server::server;
use tasks::Desk;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use workflow_restate::{Client, ClientError, Endpoint, Executions, Service};
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::{Fault, Value, Workflow, value};

workflow_runtime::include_workflow!("tests/flows/answer.asl.json");
workflow_runtime::include_workflow!("tests/flows/shop.asl.json");
workflow_runtime::include_workflow!("tests/flows/gather.asl.json");
workflow_runtime::include_workflow!("tests/flows/approval.asl.json");
workflow_runtime::include_workflow!("tests/flows/patience.asl.json");
workflow_runtime::include_workflow!("tests/flows/countdown.asl.json");
workflow_runtime::include_workflow!("tests/flows/parcels.asl.json");
workflow_runtime::include_workflow!("tests/flows/twice.asl.json");
workflow_runtime::include_workflow!("tests/flows/rescue.asl.json");

mod changed {
    workflow_runtime::include_workflow!("tests/flows/changed/patience.asl.json");
}

use approval::Approval;
use countdown::Countdown;
use gather::Gather;
use patience::Patience;
use rescue::Rescue;
use shop::Shop;

/// Time after which waiting executions leave the process.
const IDLE: Duration = Duration::from_millis(300);

/// Served workflow, with another version for each test, so that tests do not interfere.
struct Served {
    desk: Desk,
    executions: Executions,
    address: String,
    server: JoinHandle<()>,
    service: Arc<dyn Fn() -> Service + Send + Sync>,
}

impl Served {
    /// Serves a workflow. Returns `None` without a Restate server.
    async fn start<W: Workflow>(set_up: impl Fn(Service) -> Service + Send + Sync + 'static) -> Option<Served> {
        static VERSION: AtomicU32 = AtomicU32::new(1);
        let restate = server()?;
        let version = VERSION.fetch_add(1, Ordering::Relaxed).to_string();
        let desk = Desk::default();
        let tasks = desk.clone();
        let service = move || set_up(Service::of::<W>(tasks.clone()).version(&version).idle(IDLE));
        let client = Client::new(&restate.ingress, &restate.admin);
        let executions = client.service(service().name());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = serve(service(), listener);
        // A port may be one at which another test has registered a service.
        client.replace(&format!("http://{address}")).await.unwrap();
        Some(Served { desk, executions, address, server, service: Arc::new(service) })
    }

    /// Crashes the endpoint, and serves again.
    async fn restart(&mut self) {
        self.server.abort();
        tokio::time::sleep(Duration::from_millis(50)).await;
        let listener = TcpListener::bind(&self.address).await.unwrap();
        self.server = serve((self.service)(), listener);
    }

    async fn run(&self, key: &str, input: Value) -> Result<Value, Fault> {
        assert!(!self.executions.start(key, input).await.unwrap().existed);
        self.executions.attach(key).await.unwrap()
    }

    /// Returns the first token that an execution hands out.
    async fn token(&self, key: &str) -> String {
        eventually(async || self.desk.tokens(key).first().cloned()).await
    }
}

fn serve(service: Service, listener: TcpListener) -> JoinHandle<()> {
    tokio::spawn(async move {
        let _refused = Endpoint::new().service(service).serve(listener).await;
    })
}

/// Waits for a value for up to five minutes, because other tests may run at the same time.
async fn eventually<T>(mut look: impl AsyncFnMut() -> Option<T>) -> T {
    for _ in 0..12_000 {
        if let Some(found) = look().await {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("it does not happen");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sequence_retries_and_catches() {
    let Some(served) = Served::start::<Shop>(|service| service).await else { return };
    let done = served.run("plain", value!({ "card": "good" })).await.unwrap();
    assert_eq!(done, value!({ "card": "good", "reservation": "reserved", "receipt": { "attempt": 1 } }));
    let done = served.run("retried", value!({ "card": "busy" })).await.unwrap();
    assert_eq!(done.get("receipt"), Some(&value!({ "attempt": 3 })));
    assert_eq!(served.desk.begun("retried"), ["reserve", "charge", "charge", "charge"]);
    let done = served.run("caught", value!({ "card": "declined" })).await.unwrap();
    assert_eq!(done.get("problem").unwrap().get("Error"), Some(&value!("Declined")));
    assert_eq!(done.get("released"), Some(&value!("released")));
    let fault = served.run("failed, with a ü", value!({ "card": "broken" })).await.unwrap_err();
    assert_eq!(fault, Fault::new("Broken", "no line"));
}

#[tokio::test(flavor = "multi_thread")]
async fn branches_and_iterations_run_at_the_same_time() {
    let Some(served) = Served::start::<Gather>(|service| service).await else { return };
    let items = workflow_runtime::Array::from((0..20).map(Value::from).collect::<Vec<_>>());
    let done = served.run("wide", value!({ "items": items })).await.unwrap();
    assert_eq!(done.get(0), Some(&value!("left")));
    assert_eq!(done.get(1).unwrap().get(19), Some(&Value::from(38)));
    // The other branch has slept meanwhile.
    assert_eq!(served.desk.begun("wide").last(), Some(&"left"));
}

#[tokio::test(flavor = "multi_thread")]
async fn there_is_one_execution_for_a_key() {
    let Some(served) = Served::start::<Shop>(|service| service).await else { return };
    let first = served.executions.start("one", value!({ "card": "good" })).await.unwrap();
    let second = served.executions.start("one", value!({ "card": "broken" })).await.unwrap();
    assert_eq!((first.existed, second.existed), (false, true));
    assert_eq!(first.invocation, second.invocation);
    assert!(served.executions.attach("one").await.unwrap().is_ok());
    assert!(served.executions.outcome("one").await.unwrap().unwrap().is_ok());
    assert_eq!(served.desk.begun("one"), ["reserve", "charge"]);
    let unknown = served.executions.attach("another").await.unwrap_err();
    assert!(matches!(unknown, ClientError::Refused { status: 404, .. }), "{unknown:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outcome_arrives_by_token() {
    let Some(mut served) = Served::start::<Approval>(|service| service).await else { return };
    let executions = served.executions.clone();
    for key in ["accepted", "refused", "patient"] {
        executions.start(key, value!({})).await.unwrap();
    }
    let (accepted, refused) = (served.token("accepted").await, served.token("refused").await);
    let status = eventually(async || {
        let status = executions.status("accepted").await.unwrap();
        (!status.get("waits")?.is_null()).then_some(status)
    });
    let status = status.await;
    assert_eq!(status.get("status"), Some(&value!("running")));
    let wait = status.get("waits").unwrap().get(0).unwrap();
    assert_eq!((wait.get("state"), wait.get("token")), (Some(&value!("Ask")), Some(&accepted.as_str().into())));
    for stranger in
        [executions.succeed("accepted", "no token", 1).await, executions.heartbeat("refused", &accepted).await]
    {
        assert!(matches!(stranger, Err(ClientError::Refused { status: 404, .. })), "{stranger:?}");
    }
    let nobody = executions.succeed("nobody", &accepted, 1).await.unwrap_err();
    assert!(matches!(nobody, ClientError::Refused { status: 404, .. }), "{nobody:?}");
    served.restart().await;
    let query = format!("SELECT status FROM sys_invocation WHERE target = '{}/accepted/run'", executions.name());
    eventually(async || server().unwrap().query(&query).contains("suspended").then_some(())).await;
    executions.succeed("accepted", &accepted, value!({ "by": "hand" })).await.unwrap();
    assert_eq!(executions.attach("accepted").await.unwrap(), Ok(value!({ "by": "hand" })));
    let again = executions.succeed("accepted", &accepted, 2).await.unwrap_err();
    assert!(matches!(again, ClientError::Refused { status: 409, .. }), "{again:?}");
    assert_eq!(executions.status("accepted").await.unwrap().get("status"), Some(&value!("succeeded")));
    executions.fail("refused", &refused, &Fault::new("Refused", "too much")).await.unwrap();
    assert_eq!(executions.attach("refused").await.unwrap(), Ok(value!("too much")));

    // Heartbeats keep it waiting for longer than its time-out of 3 seconds.
    let patient = served.token("patient").await;
    for _ in 0..5 {
        executions.heartbeat("patient", &patient).await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    assert_eq!(executions.outcome("patient").await.unwrap(), None);
    assert_eq!(executions.attach("patient").await.unwrap(), Ok(value!("silent")));
    assert_eq!(executions.status("patient").await.unwrap().get("status"), Some(&value!("succeeded")));
    assert_eq!(executions.status("nobody").await.unwrap().get("status"), Some(&value!("unknown")));
    assert_eq!(served.desk.tokens("patient").len(), 1, "the token is handed out once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_given_up() {
    let Some(served) = Served::start::<Patience>(|service| service).await else { return };
    let late = served.run("late", value!({ "how": "timeout" })).await.unwrap_err();
    assert_eq!(late, Fault::timeout());
    let quiet = served.run("quiet", value!({ "how": "heartbeat" })).await.unwrap_err();
    assert_eq!((&quiet, quiet.is_heartbeat_timeout()), (&Fault::heartbeat_timeout(), true));
    let panicked = served.run("panicked", value!({ "how": "panic" })).await.unwrap_err();
    assert_eq!(panicked, Fault::new("States.TaskFailed", "the task panicked: out of paper"));

    // The time-out of the execution.
    let hanging = served.run("hanging", value!({ "how": "hang" })).await.unwrap_err();
    assert_eq!(hanging, Fault::timeout());
    assert!(["late", "quiet", "hanging"].iter().all(|key| served.desk.was_dropped(key)));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_execution_is_cancelled() {
    let Some(served) = Served::start::<Patience>(|service| service).await else { return };
    let executions = &served.executions;
    executions.start("unwanted", value!({ "how": "hang" })).await.unwrap();
    eventually(async || (!served.desk.begun("unwanted").is_empty()).then_some(())).await;
    executions.cancel("unwanted").await.unwrap();
    let fault = executions.attach("unwanted").await.unwrap().unwrap_err();
    assert_eq!(fault.error(), Some(CANCELLED));
    assert!(served.desk.was_dropped("unwanted"));
    assert_eq!(executions.status("unwanted").await.unwrap().get("status"), Some(&value!("cancelled")));
    executions.cancel("unwanted").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_loop_goes_on_as_new() {
    let Some(mut served) = Served::start::<Countdown>(|service| service.journal_limit(20)).await else { return };
    let executions = served.executions.clone();
    executions.start("long", value!({ "left": 200 })).await.unwrap();
    let token = served.token("long").await;
    eventually(async || (served.desk.begun("long").len() > 60).then_some(())).await;
    // The invocation that runs it reports its waits.
    let states = async |key: &str| {
        let status = executions.status(key).await.unwrap();
        assert_eq!(status.get("status"), Some(&value!("running")));
        let waits = status.get("waits").unwrap().as_array().unwrap().clone();
        waits.iter().map(|wait| wait.get("state").unwrap().as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for _ in 0..3 {
        let entered = states("long").await;
        assert!(entered.iter().any(|state| state == "Ask") && entered.len() <= 2, "{entered:?}");
    }
    served.restart().await;
    executions.heartbeat("long", &token).await.unwrap();
    eventually(async || (served.desk.begun("long").len() > 200).then_some(())).await;
    eventually(async || (states("long").await == ["Ask"]).then_some(())).await;
    executions.succeed("long", &token, "asked").await.unwrap();
    assert_eq!(executions.attach("long").await.unwrap(), Ok(value!([{ "left": 0 }, "asked"])));
    assert_eq!(served.desk.tokens("long").len(), 1, "the token is handed out once");
    let runs = served.desk.runs("long");
    assert_eq!(runs.len(), 201);
    assert!(runs.iter().sum::<u32>() <= 203, "only what was under way is run again: {runs:?}");

    let query = "SELECT journal_size FROM sys_invocation WHERE target";
    let answer = server().unwrap().query(&format!("{query} = '{}/long/segment'", executions.name()));
    let sizes =
        answer.split("\"journal_size\":").skip(1).map(|rest| rest.split(['}', ',']).next().unwrap().parse::<u32>());
    let sizes = sizes.map(Result::unwrap).collect::<Vec<_>>();
    assert!(sizes.len() > 10 && sizes.iter().all(|size| *size < 40), "{sizes:?}");

    // An execution that continues in another invocation can be cancelled like any other.
    executions.start("endless", value!({ "left": 1_000_000 })).await.unwrap();
    eventually(async || (served.desk.begun("endless").len() > 100).then_some(())).await;
    executions.cancel("endless").await.unwrap();
    assert_eq!(executions.attach("endless").await.unwrap().unwrap_err().error(), Some(CANCELLED));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_begun_in_a_long_journal_does_not_wait_for_what_was_cancelled() {
    let Some(served) = Served::start::<Rescue>(|service| service.journal_limit(1)).await else { return };
    let rescued = tokio::time::timeout(Duration::from_secs(60), served.run("rescued", value!({ "card": "broken" })));
    assert_eq!(rescued.await.expect("it ends"), Ok("released".into()));
    assert!(served.desk.was_dropped("rescued"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_done_is_not_done_again() {
    let Some(mut served) = Served::start::<Gather>(|service| service.journal_limit(20)).await else { return };
    let items = workflow_runtime::Array::from((0..60).map(Value::from).collect::<Vec<_>>());
    for key in ["a", "b", "c", "d"] {
        served.executions.start(key, value!({ "items": items.clone() })).await.unwrap();
    }
    const RESTARTS: u32 = 4;
    for _ in 0..RESTARTS {
        tokio::time::sleep(Duration::from_millis(200)).await;
        served.restart().await;
    }
    for key in ["a", "b", "c", "d"] {
        let done = served.executions.attach(key).await.unwrap().unwrap();
        assert_eq!(
            done.get(1).unwrap().as_array().unwrap().iter().map(|item| item.as_i64().unwrap()).sum::<i64>(),
            3540
        );
        let runs = served.desk.runs(key);
        assert_eq!(runs.len(), 61);
        // At most three tasks of an iteration and one other run.
        assert!(runs.iter().sum::<u32>() <= 61 + 4 * RESTARTS, "{runs:?}");
    }
}

/// Observer that records the entered states.
struct Visits(Arc<Mutex<Vec<String>>>);

impl Observer for Visits {
    fn observe(&mut self, event: &Event<'_>) {
        if matches!(event.kind, EventKind::StateEntered { .. }) {
            self.0.lock().unwrap().push(event.state.to_owned());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn observers_are_notified_once() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let observed = seen.clone();
    let set_up = move |service: Service| {
        let seen = observed.clone();
        service.start_with(move |start| start.observers.push(Box::new(Visits(seen.clone()))))
    };
    let Some(mut served) = Served::start::<Approval>(set_up).await else { return };
    served.executions.start("watched", value!({})).await.unwrap();
    let token = served.token("watched").await;
    eventually(async || {
        let status = served.executions.status("watched").await.unwrap();
        (!status.get("waits")?.is_null()).then_some(())
    })
    .await;
    served.restart().await;
    served.executions.fail("watched", &token, &Fault::new("Refused", "no")).await.unwrap();
    assert_eq!(served.executions.attach("watched").await.unwrap(), Ok(value!("no")));
    assert_eq!(*seen.lock().unwrap(), ["Ask", "Refused"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_else_is_registered_at_an_address_is_noticed() {
    let Some(restate) = server() else { return };
    let client = Client::new(&restate.ingress, &restate.admin);
    // A port of 127.0.0.1 may be one at which another test has registered a service.
    let address = TcpListener::bind("127.0.0.9:0").await.unwrap().local_addr().unwrap().to_string();
    let desk = Desk::default();
    // Serves for a while. Returns the error, if it ended.
    let serve = async |service: Service, patience: u64| {
        let listener = TcpListener::bind(&address).await.unwrap();
        let endpoint = Endpoint::new().service(service).register(&client, format!("http://{address}"));
        let served = tokio::time::timeout(Duration::from_secs(patience), endpoint.serve(listener)).await;
        served.ok().map(Result::unwrap_err)
    };
    // A repeated registration changes nothing.
    for _ in 0..2 {
        assert_eq!(serve(Service::of::<Shop>(desk.clone()).version("former"), 1).await, None);
    }
    let other = Service::of::<Gather>(desk.clone()).version("latter");
    let expected = format!("another deployment is registered at http://{address}: shop-former");
    assert_eq!(serve(other, 20).await, Some(ClientError::Refused { status: 409, message: expected }));
    // The refused service was not registered.
    let stranger = client.service("gather-latter").start("one", value!({})).await.unwrap_err();
    assert!(matches!(stranger, ClientError::Refused { status: 404, .. }), "{stranger:?}");
    // A registration recognises by this text that the ingress does not have a service.
    for (service, is_missing) in [("gather-latter", true), ("shop-former", false)] {
        let answer = restate.call(&format!("/{service}/any/-"), "");
        assert_eq!(answer.contains("make sure to register"), is_missing, "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_of_another_definition_is_not_replayed() {
    let Some(served) = Served::start::<Patience>(|service| service).await else { return };
    let executions = served.executions.clone();
    executions.start("changed", value!({ "how": "hang" })).await.unwrap();
    eventually(async || (!served.desk.begun("changed").is_empty()).then_some(())).await;
    served.server.abort();
    tokio::time::sleep(Duration::from_millis(50)).await;
    // Another definition under the same name: nothing runs, and operators see why.
    let desk = Desk::default();
    let version = executions.name().rsplit('-').next().unwrap();
    let other = Service::of::<changed::patience::Patience>(desk.clone()).version(version);
    assert_eq!(other.name(), executions.name());
    let _server = serve(other, TcpListener::bind(&served.address).await.unwrap());
    let name = executions.name().to_owned();
    let query = format!("SELECT last_failure FROM sys_invocation WHERE target = '{name}/changed/run'");
    let failure = eventually(async || {
        let failure = server().unwrap().query(&query);
        failure.contains("cannot continue").then_some(failure)
    });
    let failure = failure.await;
    for part in [Patience::DEFINITION, changed::patience::Patience::DEFINITION].map(|it| format!("{:016x}", it.hash)) {
        assert!(failure.contains(&part), "{failure}");
    }
    assert_eq!(executions.outcome("changed").await.unwrap(), None);
    // No process can report its waits.
    assert_eq!(executions.status("changed").await.unwrap(), value!({ "status": "running", "waits": null }));
    assert!(desk.begun("changed").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn long_journals_are_replayed() {
    let Some(mut served) = Served::start::<Countdown>(|service| service.journal_limit(u64::MAX)).await else { return };
    let executions = served.executions.clone();
    let keys: Vec<String> = (0..3).map(|number| format!("long-{number}")).collect();
    for key in &keys {
        executions.start(key, value!({ "left": 2500 })).await.unwrap();
    }
    for key in &keys {
        eventually(async || (served.desk.begun(key).len() > 2500).then_some(())).await;
    }
    // All at once, over one connection.
    served.restart().await;
    for key in &keys {
        let token = served.token(key).await;
        executions.succeed(key, &token, "asked").await.unwrap();
    }
    for key in &keys {
        assert_eq!(executions.attach(key).await.unwrap(), Ok(value!([{ "left": 0 }, "asked"])));
        assert!(served.desk.begun(key).len() <= 2502, "only what was under way is run again");
    }
}
