//! The engine in memory, with observers that ask it and observers that panic, and with detached
//! children that outlast their parents.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, OnceLock};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::errand::Errand;
use crate::maps::Flow;
use workflow_runtime::engine::{Engine, Filter, StartRequest, StartTime, Status};
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::testing::{Mocks, Reply, VirtualClock, alongside, block_on};
use workflow_runtime::{Builder, Fault, Hub, MemoryEngine, MemoryEngineBuilder, Task, TaskContext, Value, value};

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

/// Tasks that return their input, except `"fail"`, and `"wait"`, which never ends.
struct Desk;

impl Invoke for Desk {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            match input.as_str() {
                Some("fail") => Err(Fault::new("Spilled", "it")),
                Some("wait") => std::future::pending().await,
                _ => Ok(input),
            }
        })
    }
}

#[test]
fn only_the_run_of_a_distributed_map_is_kept() {
    let settings = |items: Value| value!({ "items": items, "concurrency": 2, "tolerated_count": 1 });
    let nested = |items: Value| value!({ "map": 0, "settings": { "items": items, "concurrency": 2 } });
    let failed = "States.ExceedToleratedFailureThreshold";
    for (map, items, expected) in [
        (0, value!([1, 2, 3]), value!([1, 2, 3])),
        (0, value!([1, "fail", 3]), value!([1, "Spilled", 3])),
        (3, value!([(nested(value!([1]))), (nested(value!([2, 3])))]), value!([[1], [2, 3]])),
        // The task that waits is cancelled after its run has failed.
        (3, value!([(nested(value!(["wait", "fail"]))), (nested(value!([2, 3])))]), value!([failed, [2, 3]])),
    ] {
        let clock = VirtualClock::new().steered();
        let (engine, run) = MemoryEngine::builder().workflow::<Flow>(Desk).clock(clock).keep_ended(4).open();
        let test = async {
            let none = value!({ "map": 0, "settings": { "items": [] } });
            engine.start(StartRequest::new("flow", none).id("other")).await.expect("it starts");
            engine.attach("other").await.expect("it is kept").expect("it ends well");
            let input = value!({ "map": map, "settings": (settings(items.clone())) });
            engine.start(StartRequest::new("flow", input).id("one")).await.expect("it starts");
            let output = engine.attach("one").await.expect("it is kept").expect("it ends well");
            let results = output.as_array().expect("an array").iter();
            let results: Value = results.map(|result| result.get("Error").unwrap_or(result).clone()).collect();
            assert_eq!(results, expected);
            others().await;
            let kept = engine.list(&Filter::default()).await.expect("the engine is open");
            let mut kept: Vec<String> = kept.into_iter().map(|summary| summary.id).collect();
            kept.sort();
            assert_eq!(kept, ["one", "one.1-0", "other", "other.1-0"], "{items}");
        };
        block_on(alongside(test, run)).expect("it ends");
    }
}

/// Tasks that note where they run. Those with an odd input wait for a while, and 4 panics.
#[derive(Default)]
struct Places(Mutex<Vec<[String; 3]>>);

impl Invoke for Places {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        let place = [cx.execution_id().to_owned(), cx.idempotency_key(), cx.correlation().to_owned()];
        self.0.lock().expect("it is not poisoned").push(place);
        Box::pin(async move {
            match input.as_i64() {
                Some(4) => panic!("a task"),
                Some(number) if number % 2 == 1 => others().await,
                _ => {}
            }
            Ok(input)
        })
    }
}

#[test]
fn each_child_of_a_run_begins_anew_also_after_others_that_ended_at_once() {
    let places = Places::default();
    let settings = value!({ "items": [0, 2, 1, 4, 6, 3, 8, 10], "concurrency": 3, "tolerated_count": 1 });
    let builder = Builder::<Flow>::new().name("one").correlate("ward-7").tasks(&places);
    let results =
        block_on(builder.run(value!({ "map": 0, "settings": settings }))).expect("it ends").expect("it succeeds");
    let numbers: Vec<_> = results.as_array().expect("an array").iter().map(Value::as_i64).collect();
    assert_eq!(numbers, [Some(0), Some(2), Some(1), None, Some(6), Some(3), Some(8), Some(10)]);
    let mut places = places.0.into_inner().expect("it is not poisoned");
    places.sort();
    let expected = (1..=8).map(|number| {
        let id = format!("one.1-0.{number}-0");
        [id.clone(), format!("flow/{id}/1-0"), "ward-7".to_owned()]
    });
    assert_eq!(places, expected.collect::<Vec<_>>());
}

/// Tasks with long outputs, or that fail. Counts them.
struct Long {
    fails: bool,
    calls: AtomicUsize,
}

impl Invoke for Long {
    fn invoke<'a>(&'a self, _: &'static Task, _: Value, _: TaskContext) -> TaskFuture<'a> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let outcome = if self.fails { Err(Fault::new("Spilled", "it")) } else { Ok("x".repeat(400).into()) };
        Box::pin(async move { outcome })
    }
}

#[test]
fn no_child_begins_after_one_that_ends_its_run() {
    for (fails, expected) in [(false, 3), (true, 1)] {
        let tasks = Long { fails, calls: AtomicUsize::new(0) };
        let items: Value = (0..40).collect();
        let builder = Builder::<Flow>::new().data_limit(1_000).tasks(&tasks);
        let run = builder.run(value!({ "map": 0, "settings": { "items": (items) } }));
        block_on(run).expect("it ends").expect_err("it fails");
        assert_eq!(tasks.calls.load(Ordering::SeqCst), expected, "{fails}");
    }
}
