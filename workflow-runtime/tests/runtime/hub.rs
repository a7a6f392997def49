//! The hub of executions in memory: events to executions of one id, and factories of observers.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Waker};

use crate::errand::Errand;
use workflow_runtime::observe::{Event, Observer};
use workflow_runtime::testing::{Mocks, Reply, VirtualClock, block_on};
use workflow_runtime::{Builder, CloudEvent, Fault, Hub, Value, value};

type Run<'a> = Pin<Box<dyn Future<Output = Result<Value, Fault>> + Send + 'a>>;

fn run<'a>(hub: &Hub, mocks: &'a Mocks, input: Value) -> Run<'a> {
    Box::pin(Builder::<Errand>::new().name("same").clock(VirtualClock::new()).hub(hub).tasks(mocks).run(input))
}

/// Polls an execution. Returns `true` if it has ended.
fn has_ended(run: &mut Run<'_>) -> bool {
    run.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready()
}

#[test]
fn an_event_is_sent_to_the_oldest_execution_of_an_id() {
    let (hub, mocks) = (Hub::new(), Mocks::new());
    let send = |id: &str| hub.send("same", CloudEvent::new(id, "/bank", "x").subject("Paid"));
    assert!(!send("0"));
    let wait = || run(&hub, &mocks, value!({ "do": "wait", "events": 1 }));
    let (mut first, mut second) = (wait(), wait());
    assert!(!has_ended(&mut first) && !has_ended(&mut second));
    assert!(!hub.send("sam", CloudEvent::new("1", "/bank", "x").subject("Paid")));
    assert!(send("1"));
    assert!(!has_ended(&mut second) && has_ended(&mut first));
    assert!(send("2"));
    assert!(has_ended(&mut second));
    assert!(!send("3"));
    let published = hub.publish(CloudEvent::new("4", "/bank", "x").subject("Paid"));
    assert_eq!(published, 0);
}

/// An observer that counts itself.
struct Counted;

impl Observer for Counted {
    fn observe(&mut self, _: &Event<'_>) {}
}

#[test]
fn a_factory_of_observers_may_use_the_hub() {
    let (hub, made) = (Hub::new(), Arc::new(AtomicUsize::new(0)));
    let (own, count) = (hub.clone(), made.clone());
    let hub = hub.observer(move || {
        count.fetch_add(1, Ordering::Relaxed);
        let count = count.clone();
        let _same = own.clone().observer(move || {
            count.fetch_add(1, Ordering::Relaxed);
            Counted
        });
        Counted
    });
    // The observers that a factory adds observe the children that start later.
    for expected in [1, 3] {
        let mocks = Mocks::new().task("Work", [Reply::ok("done")]);
        let outcome = block_on(run(&hub, &mocks, value!({ "do": "nested" }))).expect("it ends");
        assert_eq!((outcome, made.load(Ordering::Relaxed)), (Ok("done".into()), expected));
    }
}
