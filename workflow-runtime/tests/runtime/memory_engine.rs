//! The engine in memory, with observers that ask it and observers that panic, and with detached
//! children that outlast their parents.

use std::sync::{Arc, Barrier, Mutex, OnceLock};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::errand::Errand;
use workflow_runtime::engine::{Engine, StartRequest, StartTime, Status};
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::testing::{Mocks, Reply, VirtualClock, alongside, block_on};
use workflow_runtime::{Hub, MemoryEngine, MemoryEngineBuilder, Value, value};

/// An observer that is a closure.
struct Closure<F>(F);

impl<F: FnMut(&Event<'_>) + Send> Observer for Closure<F> {
    fn observe(&mut self, event: &Event<'_>) {
        (self.0)(event);
    }
}

/// An observer that panics whenever it can.
struct Panicking;

impl Observer for Panicking {
    fn observe(&mut self, _: &Event<'_>) {
        panic!("an event");
    }
}

impl Drop for Panicking {
    fn drop(&mut self) {
        panic!("the end");
    }
}

/// Tasks of an errand whose detached child fails after seven seconds.
fn mocks() -> Mocks {
    let late = Reply::error("Late", "too late").after(Duration::from_secs(7));
    Mocks::new().task("Later", [late]).workflow("other", [Reply::ok("yes")])
}

fn builder(clock: &VirtualClock) -> MemoryEngineBuilder {
    let mocks = Arc::new(mocks());
    let stand_ins = mocks.share(Hub::new());
    MemoryEngine::builder().workflow::<Errand>(mocks).stand_ins(&stand_ins).clock(clock.clone())
}

/// Lets other futures run for some turns.
async fn others() {
    let mut turns = 8;
    std::future::poll_fn(|cx| {
        cx.waker().wake_by_ref();
        turns -= 1;
        if turns == 0 { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

async fn start(engine: &MemoryEngine, input: Value) {
    engine.start(StartRequest::new("errand", input).id("one")).await.expect("it starts");
}

#[test]
fn an_observer_may_ask_the_engine_about_its_execution() {
    let (clock, asked) = (VirtualClock::new().steered(), Arc::new(Mutex::new(Vec::new())));
    let (own, answers) = (Arc::new(OnceLock::<MemoryEngine>::new()), asked.clone());
    let of_it = own.clone();
    let observe = move |id: &str| -> Option<Box<dyn Observer>> {
        let (engine, answers, id) = (of_it.get()?.clone(), answers.clone(), id.to_owned());
        Some(Box::new(Closure(move |event: &Event<'_>| {
            if matches!(event.kind, EventKind::ExecutionStarted { .. }) {
                let (summary, _) = block_on(engine.summary(&id)).expect("it is ready").expect("it is there");
                let counts = block_on(engine.counts()).expect("it is ready").expect("the engine is open");
                answers.lock().unwrap().push((summary.status, counts.executions.len()));
            }
        })))
    };
    let (engine, run) = builder(&clock).observer(observe).open();
    assert!(own.set(engine.clone()).is_ok());
    let test = async {
        start(&engine, value!({ "do": "wait", "events": 0 })).await;
        engine.attach("one").await.expect("it is kept").expect("it ends well");
    };
    block_on(alongside(test, run)).expect("it ends");
    assert_eq!(*asked.lock().unwrap(), [(Status::Running, 1)]);
}

#[test]
fn the_failure_of_a_child_is_reported_after_the_engine_has_removed_its_parent() {
    for kept in [0, 10] {
        let (clock, failures) = (VirtualClock::new().steered(), Arc::new(Mutex::new(Vec::new())));
        let seen = failures.clone();
        let collect = move |_: &str| -> Option<Box<dyn Observer>> {
            let seen = seen.clone();
            Some(Box::new(Closure(move |event: &Event<'_>| {
                if let EventKind::ChildFailed { fault, .. } = event.kind {
                    let reported = (event.workflow, event.execution.to_owned(), fault.error().map(str::to_owned));
                    seen.lock().unwrap().push(reported);
                }
            })))
        };
        let builder = builder(&clock).keep_ended(kept).observer(|_| panic!("no observer"));
        let (engine, run) = builder.observer(|_| Some(Box::new(Panicking))).observer(collect).open();
        let test = async {
            start(&engine, value!({ "workflow": "other", "events": 0 })).await;
            engine.attach("one").await.expect("it is kept").expect("it ends well");
            assert_eq!(engine.summary("one").await.is_ok(), kept > 0);
            clock.advance(Duration::from_secs(7));
            others().await;
        };
        block_on(alongside(test, run)).expect("it ends");
        let expected = [("errand", "one".to_owned(), Some("Late".to_owned()))];
        assert_eq!(*failures.lock().unwrap(), expected, "{kept} are kept");
    }
}

#[test]
fn a_delayed_start_that_is_cancelled_while_the_engine_takes_it_waits_for_nothing() {
    const ROUNDS: usize = 500;
    let clock = VirtualClock::new().steered();
    let (engine, run) = builder(&clock).open();
    let mut run = std::pin::pin!(run);
    let mut poll = || assert!(run.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    let together = Barrier::new(2);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..ROUNDS {
                together.wait();
                block_on(engine.cancel(&round.to_string(), "")).expect("it is ready").expect("it is cancelled");
                together.wait();
            }
        });
        for round in 0..ROUNDS {
            let mut request = StartRequest::new("errand", value!({})).id(round.to_string());
            request.time = StartTime::After(Duration::from_secs(60));
            block_on(engine.start(request)).expect("it is ready").expect("it starts");
            together.wait();
            poll();
            together.wait();
        }
    });
    poll();
    assert!(!clock.jump(), "a cancelled execution waits for its time");
}
