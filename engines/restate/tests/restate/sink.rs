//! Events sent to a sink.

use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use workflow_runtime::event::EventSink;
use workflow_runtime::{CloudEvent, Fault, Value, value};

use crate::children::errand::Errand;
use crate::children::member;
use crate::server::server;
use crate::{Served, eventually};

/// Sink that records its events. A clone is the same sink.
#[derive(Clone, Default)]
struct Sink {
    given: Arc<Mutex<Vec<CloudEvent>>>,
    /// Number of events to refuse next, and number of events to leave unanswered after those.
    refuses: Arc<AtomicU32>,
    hangs: Arc<AtomicU32>,
}

impl Sink {
    /// Returns the ids of the events of an execution, in order.
    fn ids(&self, key: &str) -> Vec<String> {
        let given = self.given.lock().unwrap();
        let of = given.iter().filter(|event| member(&event.data, "key") == key.into());
        of.map(|event| event.id.to_string()).collect()
    }
}

impl EventSink for Sink {
    fn send<'a>(&'a self, event: &'a CloudEvent) -> Pin<Box<dyn Future<Output = Result<(), Fault>> + Send + 'a>> {
        let counts_down = |left: &AtomicU32| {
            left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
        };
        self.given.lock().unwrap().push(event.clone());
        let (refuses, hangs) = (counts_down(&self.refuses), counts_down(&self.hangs));
        Box::pin(async move {
            match (refuses, hangs) {
                (true, _) => Err(Fault::new("Event.NotDelivered", "nobody is there")),
                (false, true) => std::future::pending().await,
                (false, false) => Ok(()),
            }
        })
    }
}

fn input(key: &str, again: i64) -> Value {
    value!({ "do": "wait", "key": key, "again": again })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sink_is_given_an_event_until_it_has_it() {
    // Each wait is in another invocation.
    for journal_limit in [2_000, 1] {
        let sink = Sink::default();
        let given = sink.clone();
        let set_up = move |service: workflow_restate::Service| service.journal_limit(journal_limit).sink(given.clone());
        let Some(mut served) = Served::start::<Errand>(set_up).await else { return };

        // The process crashes while the sink has not answered.
        sink.hangs.store(1, Ordering::SeqCst);
        served.executions.start("hangs", input("hangs", 0)).await.unwrap();
        eventually(async || (sink.ids("hangs").len() == 1).then_some(())).await;
        assert_eq!(served.executions.outcome("hangs").await.unwrap(), None);
        served.restart().await;
        assert!(served.executions.attach("hangs").await.unwrap().is_ok());
        let ids = sink.ids("hangs");
        assert!(ids.len() == 2 && ids[0] == ids[1], "{ids:?}");

        // A refusal of the sink is a fault of the state, which may publish the event again.
        sink.refuses.store(2, Ordering::SeqCst);
        let fault = served.run("refused", input("refused", 0)).await.unwrap_err();
        assert_eq!((fault.error(), sink.ids("refused").len()), (Some("Event.NotDelivered"), 1));
        assert!(served.run("again", input("again", 1)).await.is_ok());
        let ids = sink.ids("again");
        assert!(ids.len() == 2 && ids[0] != ids[1], "{ids:?}");

        // A retried state publishes the same event, which executions receive once.
        let hears = value!({ "do": "wait", "done": true, "events": 2 });
        served.executions.start("hears", hears).await.unwrap();
        eventually(async || served.executions.status("hears").await.unwrap().get("waits")?.get(0).cloned()).await;
        sink.refuses.store(2, Ordering::SeqCst);
        let retried = value!({ "do": "wait", "key": "retried", "retries": 1, "again": 1 });
        assert!(served.run("retried", retried).await.is_ok());
        let ids = sink.ids("retried");
        assert!(ids.len() == 3 && ids[0] == ids[1] && ids[1] != ids[2], "{ids:?}");
        let heard = served.executions.attach("hears").await.unwrap().unwrap();
        let retries: Vec<_> =
            heard.get("got").and_then(Value::as_array).unwrap().iter().map(|data| member(data, "again")).collect();
        assert_eq!(retries, [1.into(), 0.into()]);

        // It keeps what it has.
        served.restart().await;
        assert!(served.executions.attach("again").await.unwrap().is_ok());
        assert_eq!([sink.ids("again").len(), sink.ids("retried").len()], [2, 3]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_waits_for_a_sink_that_an_execution_does_not_need_any_more() {
    let sink = Sink::default();
    let given = sink.clone();
    let Some(served) = Served::start::<Errand>(move |service| service.sink(given.clone())).await else { return };
    sink.hangs.store(1, Ordering::SeqCst);
    served.executions.start("one", input("one", 0)).await.unwrap();
    eventually(async || (sink.ids("one").len() == 1).then_some(())).await;
    served.executions.cancel("one").await.unwrap();
    let fault = served.executions.attach("one").await.unwrap().unwrap_err();
    assert_eq!(fault.error(), Some(workflow_runtime::fault::names::CANCELLED));
    let query = format!("SELECT id FROM sys_invocation WHERE target = '{}/one/run'", served.executions.name());
    let under_way = format!("{query} AND status <> 'completed'");
    eventually(async || (!server().unwrap().query(&under_way).contains("\"id\"")).then_some(())).await;
}
