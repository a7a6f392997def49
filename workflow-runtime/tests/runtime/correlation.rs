//! Events in memory: delivery by correlation key, and start events. Also a workflow with a
//! schedule.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::gather::each::Each;
use crate::gather::sale::Sale;
use crate::gather::set::Gather;
use crate::round::Round;
use workflow_runtime::clock::Clock;
use workflow_runtime::engine::driver::Environment;
use workflow_runtime::engine::turns::Turns;
use workflow_runtime::fault::names::INACTIVE;
use workflow_runtime::machine::{Outcome, Program, Start, Task};
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::testing::VirtualClock;
use workflow_runtime::{Builder, CloudEvent, Hub, Object, TaskContext, Timestamp, Value, value};

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

/// Runs the executions that events start, with an action alongside. Returns their outputs.
async fn started(hub: &Hub, clock: &VirtualClock, does: impl AsyncFnOnce()) -> Vec<Value> {
    let ends = Ends::default();
    let observer = ends.clone();
    let hub = hub.clone().observer(move || observer.clone());
    let environment = Environment {
        clock: Arc::new(clock.clone()),
        callbacks: None,
        tasks_at_once: usize::MAX,
        hub: None,
        sink: None,
        turns: Turns::default(),
    };
    let mut runs = std::pin::pin!(hub.run_started(environment));
    let mut does = std::pin::pin!(does());
    std::future::poll_fn(|cx| {
        assert!(runs.as_mut().poll(cx).is_pending());
        does.as_mut().poll(cx)
    })
    .await;
    ends.0.lock().unwrap().clone()
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

#[test]
fn events_start_executions_that_collect_them() {
    let (hub, clock) =
        (Hub::new().workflow::<Gather>(CorrelationKey).workflow::<Each>(CorrelationKey), VirtualClock::new().steered());
    // The workflow is not served yet.
    assert_eq!(hub.publish(glove("0", "left", "a")), 0);
    let ends = block_on(started(&hub, &clock, async || {
        assert_eq!(hub.publish(CloudEvent::new("0", "/shop", "glove.left")), 0);
        assert_eq!(hub.publish(glove("1", "left", "a")), 1);
        // The execution has not begun, or awaits the other kind: it receives both events.
        assert_eq!(hub.publish(glove("2", "left", "a")), 1);
        assert_eq!(hub.publish(glove("3", "right", "b")), 1);
        assert_eq!(hub.publish(glove("1", "left", "a")), 0);
        others().await;
        assert_eq!(hub.publish(glove("4", "right", "a")), 1);
        // The execution has both kinds: the next event starts another execution, even before this
        // one has seen them.
        assert_eq!(hub.publish(glove("5", "left", "a")), 1);
        others().await;
        assert_eq!(hub.publish(glove("6", "worn", "a")), 2);
        assert_eq!(hub.publish(glove("7", "worn", "c")), 0);
        others().await;
        // An execution of the other workflow for each event.
        assert_eq!(hub.publish(order("1", "placed", "17")), 1);
        assert_eq!(hub.publish(order("2", "placed", "17")), 1);
        others().await;
        assert_eq!(hub.publish(order("3", "paid", "17")), 2);
        others().await;
    }));
    assert_eq!(ends, [value!(["1", "4", "a", "6"]), value!(["1", "3"]), value!(["2", "3"])]);
}

#[test]
fn an_execution_in_its_start_state_receives_the_event() {
    let (hub, clock) = (Hub::new().workflow::<Each>(CorrelationKey), VirtualClock::new().steered());
    let own = hub.clone();
    let ends = block_on(started(&hub, &clock, async || {
        let run = Builder::<Each>::new()
            .hub(&own)
            .clock(clock.clone())
            .correlate("17")
            .tasks(&CorrelationKey)
            .run(Object::new());
        let mut run = std::pin::pin!(run);
        let publish = async {
            others().await;
            assert_eq!(own.publish(order("1", "placed", "18")), 1);
            assert_eq!(own.publish(order("2", "placed", "17")), 1);
            assert_eq!(own.publish(order("3", "placed", "17")), 1);
            others().await;
            assert_eq!(own.publish(order("4", "paid", "17")), 2);
        };
        let mut publish = std::pin::pin!(publish);
        let mut published = false;
        let outcome: Outcome = std::future::poll_fn(|cx| {
            published |= !published && publish.as_mut().poll(cx).is_ready();
            run.as_mut().poll(cx)
        })
        .await;
        assert_eq!(outcome, Ok(value!(["2", "4"])));
        others().await;
    }));
    assert_eq!(ends, [value!(["3", "4"])]);
}

#[test]
fn an_execution_that_reenters_its_start_state_receives_the_event() {
    let (hub, clock) = (Hub::new().workflow::<Round>(CorrelationKey), VirtualClock::new().steered());
    let round = |id: &str, kind: &str| CloudEvent::new(id, "/bar", format!("round.{kind}")).extension("table", "9");
    let ends = block_on(started(&hub, &clock, async || {
        let (filled, drunk) = ("filled", "drunk");
        for (id, kind) in [("1", filled), ("2", drunk), ("3", filled), ("4", drunk), ("5", filled), ("6", drunk)] {
            assert_eq!(hub.publish(round(id, kind)), 1, "{id}");
            others().await;
        }
        // An event that arrives early stays in the inbox, and the execution passes through the
        // other state at once.
        for (id, kind) in [("7", filled), ("8", drunk), ("9", drunk), ("10", filled), ("11", filled), ("12", drunk)] {
            assert_eq!(hub.publish(round(id, kind)), 1, "{id}");
            others().await;
        }
    }));
    assert_eq!(ends, [value!(["1", "3", "5"]), value!(["7", "10", "11"])]);
}

#[test]
fn a_workflow_can_be_started_inside_of_its_interval() {
    let clock = VirtualClock::new().steered();
    let hub = Hub::new().workflow::<Sale>(CorrelationKey);
    let bought = |id: &str| CloudEvent::new(id, "/shop", "sale.bought");
    let refused = |builder: Builder<Sale>| {
        let fault = block_on(builder.clock(clock.clone()).tasks(&CorrelationKey).run(Object::new()))
            .expect_err("it is too late");
        assert_eq!(fault.error(), Some(INACTIVE));
        fault.cause().and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let ends = block_on(started(&hub, &clock, async || {
        assert_eq!(hub.publish(bought("1")), 1);
        others().await;
        clock.advance(Duration::from_secs(24 * 3600 - 1));
        assert_eq!(hub.publish(bought("2")), 1);
        others().await;
        clock.advance(Duration::from_secs(1));
        assert_eq!(hub.publish(bought("3")), 0);
    }));
    assert_eq!(ends, [value!("1"), value!("2")]);
    // The time at which the first execution of a hub started counts as the deployment.
    assert!(refused(Builder::new().hub(&hub)).contains("is no longer active"));
    let tomorrow = clock.now().plus(Duration::from_secs(24 * 3600));
    assert!(refused(Builder::new().deployed_at(tomorrow)).contains("is not yet active"));
}

#[test]
fn how_many_events_are_remembered_is_a_setting() {
    let (hub, clock) = (Hub::new().workflow::<Each>(CorrelationKey).remember_events(2), VirtualClock::new().steered());
    block_on(started(&hub, &clock, async || {
        let deliveries: Vec<usize> = ["1", "2", "1", "3", "1"].map(|id| hub.publish(order(id, "placed", "17"))).into();
        assert_eq!(deliveries, [1, 1, 0, 1, 1]);
    }));
}
