//! Correlation keys, start conditions that collect several events, deduplication, and relative
//! schedules, across crashes of the process.

use std::time::Duration;

use crate::gather::each::Each;
use crate::gather::sale::Sale;
use crate::gather::set::Gather;
use crate::place::{Place, clock, process, until};
use workflow_runtime::machine::Task;
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::testing::VirtualClock;
use workflow_runtime::{CloudEvent, Object, TaskContext, Value, value};
use workflow_sqlite::{Builder, Engine, Error, Filter, Reached, WaitsFor};

/// Returns the correlation key that its context has.
struct EchoCorrelation;

impl Invoke for EchoCorrelation {
    fn invoke<'a>(&'a self, _: &'static Task, _: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move { Ok(cx.correlation().into()) })
    }
}

fn builder(place: &Place, clock: &VirtualClock) -> Builder {
    Engine::at(place.file())
        .clock(clock.clone())
        .workflow::<Gather>(EchoCorrelation)
        .workflow::<Each>(EchoCorrelation)
        .workflow::<Sale>(EchoCorrelation)
}

async fn open(place: &Place, clock: &VirtualClock) -> Engine {
    builder(place, clock).open().await.expect("it opens")
}

/// Returns an event of a type, with an attribute.
fn event(id: &str, kind: &str, (attribute, value): (&str, &str)) -> CloudEvent {
    CloudEvent::new(id, "/shop", kind).extension(attribute, value)
}

fn glove(id: &str, kind: &str, pair: &str) -> CloudEvent {
    event(id, &format!("glove.{kind}"), ("pair", pair))
}

/// Publishes an event. Returns the numbers of deliveries and of starts.
async fn put(engine: &Engine, event: CloudEvent) -> (usize, usize) {
    let reached = engine.publish_and_start(vec![event], &Object::new()).await.expect("it is written");
    let Reached { executions, started, .. } = reached[0];
    (executions, started)
}

/// Returns the ids of the executions of a workflow, oldest first.
fn ids(engine: &Engine, workflow: &str) -> Vec<String> {
    let mut filter = Filter::default();
    filter.workflow = Some(workflow.to_owned());
    engine.list(&filter).expect("a list").into_iter().rev().map(|one| one.id).collect()
}

/// Waits until an execution waits for these events in a state.
async fn waits(engine: &Engine, id: &str, state: &str, events: &str) {
    until(&format!("`{id}` waits in `{state}` for {events}"), || {
        let described = engine.execution(id).and_then(|execution| execution.describe()).expect("it is there");
        described.waiting.iter().any(|one| match &one.waits_for {
            WaitsFor::Event(kinds) if one.state == state => {
                kinds.iter().map(|kind| &*kind.name).collect::<Vec<_>>().join(", ") == events
            }
            _ => false,
        })
    })
    .await;
}

async fn output(engine: &Engine, id: &str) -> Value {
    engine.execution(id).expect("it is there").result().await.expect("an end").expect("it succeeds")
}

#[test]
fn events_of_one_value_start_one_execution_that_collects_them() {
    let (place, clock) = (Place::new("correlation-collects"), clock());
    process(async {
        let engine = open(&place, &clock).await;
        // An event without the attribute is for no execution.
        assert_eq!(put(&engine, CloudEvent::new("0", "/shop", "glove.left")).await, (0, 0));
        assert_eq!(put(&engine, glove("1", "left", "a")).await, (0, 1));
        // The execution has not begun, or waits for the other event. Either accepts this one.
        assert_eq!(put(&engine, glove("2", "left", "a")).await, (1, 0));
        assert_eq!(put(&engine, glove("3", "right", "b")).await, (0, 1));
        assert_eq!(put(&engine, glove("1", "left", "a")).await, (1, 0));
    });
    // The engine was only dropped.
    process(async {
        let engine = open(&place, &clock).await;
        let found = ids(&engine, "gather");
        let [a, b] = &found[..] else { panic!("two executions: {found:?}") };
        waits(&engine, a, "Gather", "right").await;
        waits(&engine, b, "Gather", "left").await;
        assert_eq!(put(&engine, glove("3", "right", "b")).await, (1, 0));
        assert_eq!(put(&engine, glove("4", "left", "b")).await, (1, 0));
        // It has both: the next event starts another execution, even before it has processed them.
        assert_eq!(put(&engine, glove("5", "left", "b")).await, (0, 1));
        waits(&engine, b, "Wear", "worn").await;
        // Executions with another key do not receive it. One keeps it that will wait for it.
        assert_eq!(put(&engine, glove("6", "worn", "b")).await, (2, 0));
        assert_eq!(output(&engine, b).await, value!(["3", "4", "b", "6"]));
        assert_eq!(put(&engine, glove("7", "right", "a")).await, (1, 0));
        assert_eq!(put(&engine, glove("8", "worn", "c")).await, (0, 0));
        assert_eq!(put(&engine, glove("9", "worn", "a")).await, (1, 0));
        assert_eq!(output(&engine, a).await, value!(["1", "7", "a", "9"]));
        let last = ids(&engine, "gather").pop().expect("three");
        assert_eq!(put(&engine, glove("10", "right", "b")).await, (1, 0));
        assert_eq!(output(&engine, &last).await, value!(["5", "10", "b", "6"]));
    });
}

#[test]
fn each_event_has_its_time() {
    let (place, clock) = (Place::new("correlation-time"), clock());
    process(async {
        let engine = open(&place, &clock).await;
        assert_eq!(put(&engine, glove("1", "left", "a")).await, (0, 1));
        let first = ids(&engine, "gather").remove(0);
        waits(&engine, &first, "Gather", "right").await;
        clock.advance(Duration::from_secs(61));
        // It has timed out, whether or not it has noticed.
        assert_eq!(put(&engine, glove("2", "right", "a")).await, (0, 1));
        assert_eq!(output(&engine, &first).await, value!("too late"));
        let second = ids(&engine, "gather").pop().expect("two");
        waits(&engine, &second, "Gather", "left").await;
        assert_eq!(put(&engine, glove("3", "left", "a")).await, (1, 0));
        waits(&engine, &second, "Wear", "worn").await;
    });
}

#[test]
fn an_event_is_for_who_has_its_value() {
    let (place, clock) = (Place::new("correlation-value"), clock());
    let order = |id: &str, kind: &str, order: &str| event(id, &format!("order.{kind}"), ("order", order));
    process(async {
        let engine = open(&place, &clock).await;
        // The default key is the id of the execution.
        engine.start::<Each>(Object::new()).id("own").submit().await.expect("it is put in");
        engine.start::<Each>(Object::new()).id("said").correlate("17").submit().await.expect("it is put in");
        waits(&engine, "own", "Place", "placed").await;
        waits(&engine, "said", "Place", "placed").await;
        assert_eq!(put(&engine, order("1", "placed", "own")).await, (1, 0));
        assert_eq!(put(&engine, order("2", "placed", "17")).await, (1, 0));
        // Each event starts an execution, also several with one key.
        assert_eq!(put(&engine, order("3", "placed", "17")).await, (0, 1));
        assert_eq!(put(&engine, order("4", "placed", "18")).await, (0, 1));
        // All executions with the key receive it.
        assert_eq!(put(&engine, order("5", "paid", "17")).await, (2, 0));
        assert_eq!(output(&engine, "said").await, value!(["2", "5"]));
        let sent = |event: CloudEvent| engine.execution("own").map(|one| async move { one.send(event).await });
        let refused = sent(order("6", "paid", "18")).expect("it").await;
        let refused = refused.expect_err("it is for others").to_string();
        assert!(refused.contains("`paid` needs the correlation value `own` in `order`, found `18`"), "{refused}");
        sent(order("7", "paid", "own")).expect("it").await.expect("it is for it");
        assert_eq!(output(&engine, "own").await, value!(["1", "7"]));
        // Another key makes another request.
        let again = engine.start::<Each>(Object::new()).id("said").correlate("18").submit().await;
        assert!(matches!(again, Err(Error::IdTaken(_))));
    });
}

#[test]
fn how_long_events_are_known_is_a_setting() {
    let (place, clock) = (Place::new("correlation-known"), clock());
    let order = |id: &str, kind: &str| event(id, &format!("order.{kind}"), ("order", "x"));
    process(async {
        let engine = builder(&place, &clock).events_known_for(Duration::from_secs(60));
        let engine = engine.open().await.expect("it opens");
        engine.start::<Each>(Object::new()).id("x").submit().await.expect("it is put in");
        let execution = engine.execution("x").expect("it is there");
        let mut delivered = Vec::new();
        for (seconds, id) in [(0, "1"), (59, "1"), (0, "2"), (2, "1"), (58, "1"), (2, "2")] {
            clock.advance(Duration::from_secs(seconds));
            delivered.push(execution.send_all(vec![order(id, "paid")]).await.expect("it is written"));
        }
        // The third time is 61 seconds after the first, the fourth 58 after the third.
        assert_eq!(delivered, [1, 0, 1, 1, 0, 1]);
    });
}

#[test]
fn a_workflow_can_be_started_inside_of_its_interval() {
    let (place, clock) = (Place::new("correlation-schedule"), clock());
    let day = Duration::from_secs(24 * 3600);
    let bought = |id: &str| CloudEvent::new(id, "/shop", "sale.bought");
    process(async {
        let engine = open(&place, &clock).await;
        engine.start::<Sale>(Object::new()).id("first").submit().await.expect("it is put in");
        waits(&engine, "first", "Buy", "bought").await;
        let late = engine.start::<Sale>(Object::new()).id("late").after(day).submit().await;
        assert!(matches!(late, Err(Error::Inactive(_))));
    });
    clock.advance(day - Duration::from_secs(1));
    process(async {
        // The database stores the deployment time.
        let engine = open(&place, &clock).await;
        assert_eq!(put(&engine, bought("1")).await, (1, 0));
        assert_eq!(put(&engine, bought("2")).await, (0, 1));
        engine.start::<Sale>(Object::new()).id("second").submit().await.expect("it is put in");
        waits(&engine, "second", "Buy", "bought").await;
        clock.advance(Duration::from_secs(1));
        let refused = engine.start::<Sale>(Object::new()).id("third").submit().await;
        let Err(Error::Inactive(inactive)) = refused else { panic!("it is too late") };
        assert_eq!((inactive.interval, inactive.until, inactive.at), ("P1D", inactive.at, inactive.at));
        assert!(inactive.to_string().starts_with("`sale` is no longer active: it can be started from "));
        // An existing execution receives it, and continues.
        let known = engine.start::<Sale>(Object::new()).id("second").submit().await.expect("it is there");
        assert!(!known.is_new());
        assert_eq!(put(&engine, bought("3")).await, (1, 0));
        assert_eq!(output(&engine, "second").await, value!("3"));
        assert_eq!(put(&engine, bought("4")).await, (0, 0));
    });
    process(async {
        // After another deployment it receives what the schedule excluded before.
        let engine = builder(&place, &clock).deployed_at(workflow_runtime::clock::Clock::now(&clock));
        let engine = engine.open().await.expect("it opens");
        assert_eq!(put(&engine, bought("4")).await, (0, 1));
        engine.start::<Sale>(Object::new()).id("third").submit().await.expect("it is put in");
    });
}
