//! Correlation keys, relative schedules, and deduplication.

#[path = "../../../../workflow-runtime/tests/machines/gather.rs"]
pub mod events;

use std::time::Duration;

use events::each::Each;
use events::sale::Sale;
use events::set::Gather;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use workflow_restate::{Client, Endpoint, Executions, Service};
use workflow_runtime::fault::names::INACTIVE;
use workflow_runtime::machine::{Outcome, Task};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{CloudEvent, TaskContext, Timestamp, Value, value};

use crate::children::errand::Errand;
use crate::children::{Office, member, paid, refused};
use crate::eventually;
use crate::server::server;

/// Returns the correlation key that its context has.
struct EchoCorrelation;

impl Invoke for EchoCorrelation {
    fn invoke<'a>(&'a self, _: &'static Task, _: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move { Ok(cx.correlation().into()) })
    }
}

/// Serves a service. Returns its address and its executions.
async fn serve(address: &str, service: Service) -> Option<(String, JoinHandle<()>, Executions)> {
    let restate = server()?;
    let listener = TcpListener::bind(address).await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let name = service.name().to_owned();
    let served = tokio::spawn(async move {
        let _never = Endpoint::new().service(service).workflow::<Each>(EchoCorrelation).serve(listener).await;
    });
    let client = Client::new(&restate.ingress, &restate.admin);
    let names = client.replace(&format!("http://{address}")).await.unwrap();
    assert!(names.contains(&name), "{names:?}");
    Some((address, served, client.service(&name)))
}

async fn ended(executions: &Executions, key: &str) -> Outcome {
    let ended = tokio::time::timeout(Duration::from_secs(60), executions.attach(key)).await;
    ended.expect("it ends").unwrap()
}

async fn waits(executions: &Executions, key: &str) {
    let waits = async || {
        let status = executions.status(key).await.ok()?;
        status.get("waits")?.as_array().is_some_and(|waits| !waits.is_empty()).then_some(())
    };
    eventually(waits).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn events_reach_executions_of_their_value() {
    for (version, journal) in [("long", 2_000), ("short", 3)] {
        let set_up = || Service::of::<Gather>(EchoCorrelation).version(version).journal_limit(journal);
        let Some((address, served, all)) = serve("127.0.0.1:0", set_up()).await else { return };
        all.start_correlated("one", value!({}), Some("a b/ü")).await.unwrap();
        all.start("two", value!({})).await.unwrap();
        waits(&all, "one").await;
        waits(&all, "two").await;
        let glove = |id: &str, kind: &str, pair: &str| {
            CloudEvent::new(id, "/shop", format!("glove.{kind}")).extension("pair", pair)
        };
        assert_eq!(refused(all.send("one", &glove("0", "left", "two")).await), 422);
        assert_eq!(refused(all.send("two", &CloudEvent::new("0", "/shop", "glove.left")).await), 422);
        all.send("one", &glove("1", "left", "a b/ü")).await.unwrap();
        all.publish(&glove("2", "left", "two")).await.unwrap();
        // Early, and once.
        all.publish(&glove("3", "worn", "a b/ü")).await.unwrap();
        all.send("one", &glove("3", "worn", "a b/ü")).await.unwrap();
        served.abort();
        tokio::time::sleep(Duration::from_millis(50)).await;
        let (_, served, all) = serve(&address, set_up()).await.unwrap();
        all.publish(&glove("4", "right", "a b/ü")).await.unwrap();
        assert_eq!(ended(&all, "one").await, Ok(value!(["1", "4", "a b/ü", "3"])));
        assert_eq!(all.outcome("two").await, Ok(None));
        all.send("two", &glove("5", "right", "two")).await.unwrap();
        all.publish(&glove("6", "worn", "two")).await.unwrap();
        assert_eq!(ended(&all, "two").await, Ok(value!(["2", "5", "two", "6"])));
        served.abort();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workflow_can_be_started_inside_of_its_interval() {
    let long_ago = Timestamp::from_micros(Timestamp::now().as_micros() - 2 * 24 * 3_600_000_000);
    let late = Service::of::<Sale>(EchoCorrelation).version("late").deployed_at(long_ago);
    let Some((_, served, late)) = serve("127.0.0.1:0", late).await else { return };
    late.start("one", value!({})).await.unwrap();
    let fault = ended(&late, "one").await.unwrap_err();
    assert_eq!(fault.error(), Some(INACTIVE));
    let cause = fault.cause().and_then(Value::as_str).unwrap_or_default();
    assert!(cause.starts_with("`sale` is no longer active: ") && cause.contains("(`P1D`)"), "{cause}");
    served.abort();
    // The first start is the deployment time.
    let (_, served, now) = serve("127.0.0.1:0", Service::of::<Sale>(EchoCorrelation).version("now")).await.unwrap();
    for key in ["one", "two"] {
        now.start(key, value!({})).await.unwrap();
        waits(&now, key).await;
        now.send(key, &CloudEvent::new(key, "/shop", "sale.bought")).await.unwrap();
        assert_eq!(ended(&now, key).await, Ok(value!(key)));
    }
    served.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn how_long_events_are_known_is_a_setting() {
    let service = Service::of::<Errand>(Office::default()).version("known").events_known_for(Duration::from_secs(2));
    let Some((_, served, all)) = serve("127.0.0.1:0", service).await else { return };
    all.start("one", value!({ "do": "wait", "events": 2 })).await.unwrap();
    waits(&all, "one").await;
    let event = paid(1);
    all.send("one", &event).await.unwrap();
    // It would be the second one.
    all.send("one", &event).await.unwrap();
    assert_eq!(all.outcome("one").await, Ok(None));
    tokio::time::sleep(Duration::from_millis(2_100)).await;
    all.send("one", &event).await.unwrap();
    assert_eq!(member(&ended(&all, "one").await.unwrap(), "got"), value!([1, 1]));
    served.abort();
}
