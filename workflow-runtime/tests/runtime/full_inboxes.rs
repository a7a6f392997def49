//! Events from executions to full inboxes in memory, which are declined and reported.

use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use crate::errand::Errand;
use workflow_runtime::engine::{Engine, EngineError, StartRequest};
use workflow_runtime::machine::INBOX_CAPACITY;
use workflow_runtime::testing::{Mocks, Reply, VirtualClock, alongside, block_on};
use workflow_runtime::{Builder, CloudEvent, Hub, MemoryEngine, Value, value};

/// The ids of executions that have declined an event.
#[derive(Clone, Default)]
struct Declined(Arc<Mutex<Vec<String>>>);

impl Declined {
    fn add(&self, problem: &EngineError) {
        match problem {
            EngineError::InboxFull(id) => self.0.lock().unwrap().push(id.clone()),
            other => panic!("{other}"),
        }
    }

    fn ids(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// As many events as an inbox holds.
fn fill() -> Vec<CloudEvent> {
    (0..INBOX_CAPACITY).map(|number| CloudEvent::new(number.to_string(), "/bank", "x").subject("Paid")).collect()
}

fn mocks() -> Mocks {
    Mocks::new().workflow("other", [Reply::ok("yes").after(Duration::from_secs(7))])
}

/// The input of an execution that awaits a child before it awaits events.
fn busy() -> Value {
    value!({ "workflow": "other", "ask": 5, "events": 1 })
}

/// The input of an execution that publishes an event at once.
fn publishing() -> Value {
    value!({ "do": "wait", "events": 0 })
}

/// Lets the execution beside begin.
async fn one_has_begun() {
    let mut has_yielded = false;
    std::future::poll_fn(|cx| {
        cx.waker().wake_by_ref();
        if std::mem::replace(&mut has_yielded, true) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

#[test]
fn a_hub_reports_a_full_inbox() {
    let (clock, declined, mocks) = (VirtualClock::new().steered(), Declined::default(), mocks());
    let problems = declined.clone();
    let hub = mocks.share(Hub::new()).on_problem(move |problem| problems.add(problem));
    let run = |name: &'static str, input: Value| {
        Builder::<Errand>::new().name(name).clock(clock.clone()).hub(&hub).tasks(&mocks).run(input)
    };
    let publish = async {
        one_has_begun().await;
        run("before", publishing()).await.expect("it ends well");
        assert_eq!(declined.ids(), [""; 0]);
        // The inbox has the event from before.
        let delivered: usize = fill().into_iter().map(|event| hub.publish(event)).sum();
        assert_eq!(delivered, INBOX_CAPACITY - 1);
        run("after", publishing()).await.expect("it ends well");
    };
    let one = run("one", busy());
    block_on(alongside(publish, async { drop(one.await) })).expect("it ends");
    assert_eq!(declined.ids(), ["one"]);
}

#[test]
fn an_engine_in_memory_reports_a_full_inbox() {
    let (declined, mocks) = (Declined::default(), Arc::new(mocks()));
    let problems = declined.clone();
    let builder = MemoryEngine::builder().workflow::<Errand>(mocks.clone()).stand_ins(&mocks.share(Hub::new()));
    let builder = builder.clock(VirtualClock::new().steered()).on_problem(move |problem| {
        problems.add(problem);
        panic!("the execution that publishes must not notice");
    });
    let (engine, run) = builder.open();
    let test = async {
        engine.start(StartRequest::new("errand", busy()).id("one")).await.expect("it starts");
        assert_eq!(engine.send("one", fill()).await.expect("they fit"), INBOX_CAPACITY);
        engine.start(StartRequest::new("errand", publishing()).id("two")).await.expect("it starts");
        engine.attach("two").await.expect("it is kept").expect("it ends well");
    };
    block_on(alongside(test, run)).expect("it ends");
    assert_eq!(declined.ids(), ["one"]);
}
