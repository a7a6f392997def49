//! Events in memory: delivery by correlation key, and start events. Also a workflow with a
//! schedule.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::gather::each::Each;
use crate::gather::sale::Sale;
use crate::gather::set::Gather;
use crate::round::Round;
use workflow_runtime::clock::Clock;
use workflow_runtime::engine::{Engine, Publication, StartRequest};
use workflow_runtime::fault::names::INACTIVE;
use workflow_runtime::machine::{Definition, Program, Start, Task};
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::testing::VirtualClock;
use workflow_runtime::{
    Builder, CloudEvent, Hub, MemoryEngine, MemoryEngineBuilder, Object, TaskContext, Timestamp, Value, Workflow, value,
};

/// A task that returns the correlation key.
struct CorrelationKey;

impl Invoke for CorrelationKey {
    fn invoke<'a>(&'a self, _: &'static Task, _: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move { Ok(cx.correlation().into()) })
    }
}

/// Collects the outputs of executions.
#[derive(Clone, Default)]
struct Ends(Arc<Mutex<Vec<Value>>>);

impl Observer for Ends {
    fn observe(&mut self, event: &Event<'_>) {
        if let EventKind::ExecutionSucceeded { output } = event.kind {
            self.0.lock().unwrap().push(output.clone());
        }
    }
}

fn glove(id: &str, kind: &str, pair: &str) -> CloudEvent {
    CloudEvent::new(id, "/shop", format!("glove.{kind}")).extension("pair", pair)
}

fn order(id: &str, kind: &str, order: &str) -> CloudEvent {
    CloudEvent::new(id, "/shop", format!("order.{kind}")).extension("order", order)
}

#[test]
fn a_correlation_value_survives_a_snapshot() {
    let program = Program::of::<Each>();
    for (given, own) in [(None, "name"), (Some("17"), "17")] {
        let mut start = Start::new(Object::new());
        start.name = Some("name".into());
        start.correlation = given.map(Into::into);
        let mut execution = program.start(start);
        let now = Timestamp::default();
        use workflow_runtime::machine::Delivery::{Consumed, Declined, Queued};
        for (event, delivery) in [
            (order("0", "paid", "other"), Declined),
            (CloudEvent::new("0", "/shop", "order.paid"), Declined),
            (order("1", "paid", own), Queued),
            (order("2", "placed", "other"), Declined),
            (order("3", "placed", own), Consumed),
        ] {
            assert_eq!(execution.deliver(now, &event), delivery, "{event:?}");
            execution = program.load(&execution.save()).expect("it is one");
            assert_eq!(execution.info().correlation(), own);
        }
        assert_eq!(execution.result(), Some(&Ok(value!(["3", "1"]))));
    }
}

/// Runs a test on an engine. Returns the outputs of its executions.
async fn started(
    builder: MemoryEngineBuilder,
    clock: &VirtualClock,
    does: impl AsyncFnOnce(&MemoryEngine),
) -> Vec<Value> {
    let ends = Ends::default();
    let observer = ends.clone();
    let (engine, run) = builder.clock(clock.clone()).observer(move |_| Some(Box::new(observer.clone()))).open();
    let mut run = std::pin::pin!(run);
    let mut does = std::pin::pin!(does(&engine));
    std::future::poll_fn(|cx| {
        assert!(run.as_mut().poll(cx).is_pending());
        does.as_mut().poll(cx)
    })
    .await;
    ends.0.lock().unwrap().clone()
}

/// Publishes an event, which may start executions. Returns the number of executions that have it.
async fn publish(engine: &MemoryEngine, event: CloudEvent) -> usize {
    let publication = Publication::of(vec![event]).starting(Object::new());
    let reached = engine.publish(publication).await.expect("the engine is open");
    assert_eq!((reached.len(), reached[0].full), (1, 0));
    reached[0].executions + reached[0].started
}

/// Lets other tasks run for some turns.
async fn others() {
    for _ in 0..8 {
        let mut yielded = false;
        std::future::poll_fn(|cx| {
            cx.waker().wake_by_ref();
            match std::mem::replace(&mut yielded, true) {
                true => std::task::Poll::Ready(()),
                false => std::task::Poll::Pending,
            }
        })
        .await;
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(future)
}

fn workflow<W: Workflow>() -> MemoryEngineBuilder {
    MemoryEngine::builder().workflow::<W>(CorrelationKey)
}

#[test]
fn events_start_executions_that_collect_them() {
    let clock = VirtualClock::new().steered();
    let ends = block_on(started(workflow::<Gather>().workflow::<Each>(CorrelationKey), &clock, async |engine| {
        let publish = |event| publish(engine, event);
        assert_eq!(publish(CloudEvent::new("0", "/shop", "glove.left")).await, 0);
        assert_eq!(publish(glove("1", "left", "a")).await, 1);
        // The execution has not begun, or awaits the other kind: it receives both events.
        assert_eq!(publish(glove("2", "left", "a")).await, 1);
        assert_eq!(publish(glove("3", "right", "b")).await, 1);
        // A duplicate.
        assert_eq!(publish(glove("1", "left", "a")).await, 1);
        others().await;
        assert_eq!(publish(glove("4", "right", "a")).await, 1);
        // The execution has both kinds: the next event starts another execution, even before this
        // one has seen them.
        assert_eq!(publish(glove("5", "left", "a")).await, 1);
        others().await;
        assert_eq!(publish(glove("6", "worn", "a")).await, 2);
        assert_eq!(publish(glove("7", "worn", "c")).await, 0);
        others().await;
        // An execution of the other workflow for each event.
        assert_eq!(publish(order("1", "placed", "17")).await, 1);
        assert_eq!(publish(order("2", "placed", "17")).await, 1);
        others().await;
        assert_eq!(publish(order("3", "paid", "17")).await, 2);
        others().await;
    }));
    assert_eq!(ends, [value!(["1", "4", "a", "6"]), value!(["1", "3"]), value!(["2", "3"])]);
}

#[test]
fn an_execution_in_its_start_state_receives_the_event() {
    let clock = VirtualClock::new().steered();
    let ends = block_on(started(workflow::<Each>(), &clock, async |engine| {
        let publish = |event| publish(engine, event);
        let mut request = StartRequest::new(<Each as Workflow>::DEFINITION.name, Object::new()).id("own");
        request.correlation = Some("17".to_owned());
        engine.start(request).await.expect("it starts");
        others().await;
        assert_eq!(publish(order("1", "placed", "18")).await, 1);
        assert_eq!(publish(order("2", "placed", "17")).await, 1);
        assert_eq!(publish(order("3", "placed", "17")).await, 1);
        others().await;
        assert_eq!(publish(order("4", "paid", "17")).await, 2);
        let outcome = engine.attach("own").await.expect("it is kept");
        assert_eq!(outcome, Ok(value!(["2", "4"])));
        others().await;
    }));
    assert_eq!(ends, [value!(["2", "4"]), value!(["3", "4"])]);
}

#[test]
fn an_execution_that_reenters_its_start_state_receives_the_event() {
    let clock = VirtualClock::new().steered();
    let round = |id: &str, kind: &str| CloudEvent::new(id, "/bar", format!("round.{kind}")).extension("table", "9");
    let ends = block_on(started(workflow::<Round>(), &clock, async |engine| {
        let (filled, drunk) = ("filled", "drunk");
        for (id, kind) in [("1", filled), ("2", drunk), ("3", filled), ("4", drunk), ("5", filled), ("6", drunk)] {
            assert_eq!(publish(engine, round(id, kind)).await, 1, "{id}");
            others().await;
        }
        // An event that arrives early stays in the inbox, and the execution passes through the
        // other state at once.
        for (id, kind) in [("7", filled), ("8", drunk), ("9", drunk), ("10", filled), ("11", filled), ("12", drunk)] {
            assert_eq!(publish(engine, round(id, kind)).await, 1, "{id}");
            others().await;
        }
    }));
    assert_eq!(ends, [value!(["1", "3", "5"]), value!(["7", "10", "11"])]);
}

#[test]
fn a_workflow_can_be_started_inside_of_its_interval() {
    let clock = VirtualClock::new().steered();
    let bought = |id: &str| CloudEvent::new(id, "/shop", "sale.bought");
    let ends = block_on(started(workflow::<Sale>(), &clock, async |engine| {
        let publish = |event| publish(engine, event);
        assert_eq!(publish(bought("1")).await, 1);
        others().await;
        clock.advance(Duration::from_secs(24 * 3600 - 1));
        assert_eq!(publish(bought("2")).await, 1);
        others().await;
        clock.advance(Duration::from_secs(1));
        assert_eq!(publish(bought("3")).await, 0);
    }));
    assert_eq!(ends, [value!("1"), value!("2")]);
    // The time at which the first execution of a hub started counts as the deployment.
    let (hub, clock) = (Hub::new(), VirtualClock::new().steered());
    let run = |builder: Builder<Sale>| builder.clock(clock.clone()).tasks(&CorrelationKey).run(Object::new());
    let refused = |builder: Builder<Sale>| {
        let fault = block_on(run(builder)).expect_err("it is too late");
        assert_eq!(fault.error(), Some(INACTIVE));
        fault.cause().and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let mut first = std::pin::pin!(run(Builder::new().hub(&hub)));
    block_on(std::future::poll_fn(|cx| {
        assert!(first.as_mut().poll(cx).is_pending());
        std::task::Poll::Ready(())
    }));
    clock.advance(Duration::from_secs(24 * 3600));
    assert!(refused(Builder::new().hub(&hub)).contains("is no longer active"));
    let tomorrow = clock.now().plus(Duration::from_secs(24 * 3600));
    assert!(refused(Builder::new().deployed_at(tomorrow)).contains("is not yet active"));
}

/// The workflow of single events, with a time-out.
struct Hasty;

impl Workflow for Hasty {
    type State = <Each as Workflow>::State;
    const DEFINITION: &'static Definition = &HASTY;
}

static HASTY: Definition = Definition { timeout_seconds: Some(60), ..*Each::DEFINITION };

#[test]
fn an_execution_whose_time_is_over_takes_no_start_event() {
    for (waited, taken) in [(59, (1, 0)), (60, (0, 1))] {
        let clock = VirtualClock::new().steered();
        block_on(started(workflow::<Hasty>(), &clock, async |engine| {
            let mut request = StartRequest::new(HASTY.name, Object::new()).id("own");
            request.correlation = Some("17".to_owned());
            engine.start(request).await.expect("it starts");
            others().await;
            // The execution has not seen yet that its time is over.
            clock.advance(Duration::from_secs(waited));
            let publication = Publication::of(vec![order("1", "placed", "17")]).starting(Object::new());
            let reached = engine.publish(publication).await.expect("the engine is open");
            assert_eq!((reached[0].executions, reached[0].started), taken, "after {waited} s");
        }));
    }
}

#[test]
fn how_many_events_are_remembered_is_a_setting() {
    let clock = VirtualClock::new().steered();
    block_on(started(workflow::<Each>().remember_events(2), &clock, async |engine| {
        for (id, started) in [("1", 1), ("2", 1), ("1", 0), ("3", 1), ("1", 1)] {
            let publication = Publication::of(vec![order(id, "placed", "17")]).starting(Object::new());
            let reached = engine.publish(publication).await.expect("the engine is open");
            assert_eq!(reached[0].started, started, "{id}");
        }
    }));
}
