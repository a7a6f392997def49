//! Iterations whose batches start children and publish events.

#[path = "../machines/trips.rs"]
mod machine;

use std::collections::BTreeSet;
use std::time::Duration;

use machine::Trips;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use workflow_restate::{Client, Endpoint, Executions, Service};
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::{Array, Value, value};

use crate::children::errand::Errand;
use crate::children::{Office, member};
use crate::eventually;
use crate::server::server;

/// Number of items of five batches.
const STOPS: i64 = 40;

/// The trips and the errand, served together.
struct Served {
    office: Office,
    trips: Executions,
    errands: Executions,
    version: &'static str,
    address: String,
    server: JoinHandle<()>,
}

impl Served {
    async fn start(version: &'static str) -> Option<Served> {
        let restate = server()?;
        let (office, client) = (Office::default(), Client::new(&restate.ingress, &restate.admin));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = serve(&office, version, listener);
        client.replace(&format!("http://{address}")).await.unwrap();
        let trips = client.service(&format!("trips-{version}"));
        let errands = client.service(&format!("errand-{version}"));
        Some(Served { office, trips, errands, version, address, server })
    }

    /// Crashes the endpoint, and serves again.
    async fn restart(&mut self) {
        self.server.abort();
        tokio::time::sleep(Duration::from_millis(50)).await;
        let listener = TcpListener::bind(&self.address).await.unwrap();
        self.server = serve(&self.office, self.version, listener);
    }

    /// Waits until so many tasks have started.
    async fn begun(&self, tasks: usize) {
        eventually(async || self.office.note(|notes| notes.calls.len() >= tasks).then_some(())).await;
    }

    fn invocations(&self, key: &str, handler: &str) -> usize {
        self.select(&format!("target = '{}/{key}/{handler}'", self.trips.name()))
    }

    /// Returns the number of unfinished invocations of the endpoint.
    fn under_way(&self) -> usize {
        let [trips, errands] = [self.trips.name(), self.errands.name()];
        self.select(&format!("target_service_name IN ('{trips}', '{errands}') AND status <> 'completed'"))
    }

    /// Returns the number of children that have ended.
    fn ended(&self) -> usize {
        let [trips, errands] = [self.trips.name(), self.errands.name()];
        self.select(&format!(
            "target_service_name IN ('{trips}', '{errands}') AND target_service_key <> 'hears' \
             AND target_handler_name = 'run' AND status = 'completed'"
        ))
    }

    fn select(&self, which: &str) -> usize {
        server().unwrap().query(&format!("SELECT id FROM sys_invocation WHERE {which}")).matches("\"id\"").count()
    }
}

/// Journals are so short that each batch continues in other invocations.
fn serve(office: &Office, version: &str, listener: TcpListener) -> JoinHandle<()> {
    let idle = Duration::from_millis(300);
    let trips = Service::of::<Trips>(office.clone()).version(version).idle(idle).batches(20, 8).journal_limit(12);
    let errand = Service::of::<Errand>(office.clone()).version(version).idle(idle);
    let endpoint = Endpoint::new().service(trips).service(errand);
    tokio::spawn(async move {
        let _refused = endpoint.serve(listener).await;
    })
}

fn stops(stop: impl Fn(i64) -> Value) -> Value {
    Array::from((0..STOPS).map(stop).collect::<Vec<_>>()).into()
}

#[tokio::test(flavor = "multi_thread")]
async fn batches_start_executions_and_send_events() {
    let Some(mut served) = Served::start("all").await else { return };
    served.errands.start("hears", value!({ "do": "wait", "events": STOPS, "done": true })).await.unwrap();
    eventually(async || {
        let status = served.errands.status("hears").await.unwrap();
        status.get("waits")?.get(0)?.get("events").cloned()
    })
    .await;

    let stop = |number: i64| match number % 8 {
        2 => value!({ "number": number, "how": "permit" }),
        5 => value!({ "number": number, "workflow": "errand", "do": "work", "how": "permit" }),
        _ => value!({ "number": number }),
    };
    served.trips.start("one", stops(stop)).await.unwrap();
    served.begun(80).await;
    // By now other invocations wait for the children of the batches, and the server has what needs
    // no permit: it would run again if the process ended before.
    eventually(async || (served.invocations("one", "segment") >= 5).then_some(())).await;
    eventually(async || (served.ended() == 70).then_some(())).await;
    served.restart().await;
    served.begun(90).await;
    served.office.permits.add_permits(10);

    let outputs = served.trips.attach("one").await.unwrap().unwrap();
    let answers: Vec<Value> = outputs.as_array().unwrap().iter().map(|output| member(output, "answer")).collect();
    let expected = (0..STOPS).map(|number| if number % 8 == 5 { "Work".into() } else { number.into() });
    assert_eq!(answers, expected.collect::<Vec<Value>>());
    let asides = outputs.as_array().unwrap().iter().map(|output| member(output, "aside"));
    let asides: BTreeSet<String> = asides.map(|id| id.as_str().unwrap().to_owned()).collect();
    assert_eq!(asides.len(), 40, "{asides:?}");
    for (number, output) in outputs.as_array().unwrap().iter().enumerate() {
        let aside = member(output, "aside");
        assert_eq!(served.trips.attach(aside.as_str().unwrap()).await.unwrap(), Ok(Value::from(number as i64)));
    }
    // Each execution is another one and has run once. Those that waited for a permit ran again.
    let (runs, executions) = served.office.note(|notes| (notes.calls.len(), BTreeSet::from_iter(notes.calls.clone())));
    assert_eq!((runs, executions.len()), (90, 80));
    assert_eq!(served.invocations("one", "batch"), 5);

    let heard = member(&served.errands.attach("hears").await.unwrap().unwrap(), "got");
    let mut heard: Vec<i64> = heard.as_array().unwrap().iter().filter_map(Value::as_i64).collect();
    heard.sort_unstable();
    assert_eq!(heard, (0..STOPS).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_batches_have_started_ends_with_them() {
    let Some(served) = Served::start("ends").await else { return };
    let hang = |number: i64| match number % 8 {
        3 => value!({ "number": number, "how": "hang" }),
        6 => value!({ "number": number, "workflow": "errand", "do": "work", "how": "hang" }),
        _ => value!({ "number": number }),
    };
    served.trips.start("unwanted", stops(hang)).await.unwrap();
    served.begun(80).await;
    served.trips.cancel("unwanted").await.unwrap();
    assert_eq!(served.trips.attach("unwanted").await.unwrap().unwrap_err().error(), Some(CANCELLED));
    eventually(async || (served.office.note(|notes| notes.dropped.len()) == 10).then_some(())).await;
    for child in served.office.note(|notes| notes.dropped.clone()) {
        let of = if child.starts_with("trips-ends/") { &served.errands } else { &served.trips };
        assert_eq!(of.attach(&child).await.unwrap().unwrap_err().error(), Some(CANCELLED), "{child}");
    }
    eventually(async || (served.under_way() == 0).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_of_what_a_batch_has_started_ends_the_others() {
    let Some(served) = Served::start("broken").await else { return };
    let stop = |number: i64| match number {
        3 => value!({ "number": number, "how": "permit", "fails": true }),
        4 | 30 => value!({ "number": number, "how": "hang" }),
        _ => value!({ "number": number }),
    };
    served.trips.start("broken", stops(stop)).await.unwrap();
    served.begun(80).await;
    served.office.permits.add_permits(1);
    assert_eq!(served.trips.attach("broken").await.unwrap().unwrap_err().error(), Some("Broken"));
    eventually(async || (served.office.note(|notes| notes.dropped.len()) == 2).then_some(())).await;
    eventually(async || (served.under_way() == 0).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redrive_does_not_accept_who_has_the_key_of_a_detached_child() {
    let Some(served) = Served::start("redriven").await else { return };
    for number in 1..=3 {
        let other = format!("taken.{number}-0");
        served.trips.start(&other, value!([])).await.unwrap();
        assert_eq!(served.trips.attach(&other).await.unwrap(), Ok(value!([])));
    }
    served.trips.start("taken", value!([{ "number": 1 }])).await.unwrap();
    for redrive in 0..3 {
        let fault = served.trips.attach("taken").await.unwrap().unwrap_err();
        assert_eq!(fault.error(), Some("Execution.IdTaken"), "{redrive}: {fault}");
        served.trips.redrive("taken").await.unwrap();
    }
    assert!(served.office.note(|notes| notes.calls.is_empty()));
}
