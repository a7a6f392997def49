//! Events that are for executions of one correlation value, those that collect what starts them, how long events are known, and
//! workflows that can be started for a while: across the ends of processes.

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

/// Yields the correlation value that it is told.
struct Told;

impl Invoke for Told {
    fn invoke<'a>(&'a self, _: &'static Task, _: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move { Ok(cx.correlation().into()) })
    }
}

fn builder(place: &Place, clock: &VirtualClock) -> Builder {
    Engine::at(place.file()).clock(clock.clone()).workflow::<Gather>(Told).workflow::<Each>(Told).workflow::<Sale>(Told)
}

async fn open(place: &Place, clock: &VirtualClock) -> Engine {
    builder(place, clock).open().await.expect("it opens")
}

/// An event of a type, with an attribute.
fn event(id: &str, kind: &str, (attribute, value): (&str, &str)) -> CloudEvent {
    CloudEvent::new(id, "/shop", kind).extension(attribute, value)
}

fn glove(id: &str, kind: &str, pair: &str) -> CloudEvent {
    event(id, &format!("glove.{kind}"), ("pair", pair))
}

/// How many have the event, and how many it has started.
async fn put(engine: &Engine, event: CloudEvent) -> (usize, usize) {
    let reached = engine.publish_and_start(vec![event], &Object::new()).await.expect("it is written");
    let Reached { executions, started, .. } = reached[0];
    (executions, started)
}

/// The ids of the executions of a workflow, the oldest first.
fn ids(engine: &Engine, workflow: &str) -> Vec<String> {
    let mut filter = Filter::default();
    filter.workflow = Some(workflow.to_owned());
    engine.list(&filter).expect("a list").into_iter().rev().map(|one| one.id).collect()
}

/// Waits until an execution waits for these events in a state.
async fn waits(engine: &Engine, id: &str, state: &str, events: &str) {
    until(&format!("`{id}` waits in `{state}` for {events}"), || {
        let told = engine.execution(id).and_then(|execution| execution.describe()).expect("it is there");
        told.waiting.iter().any(|one| one.state == state && one.waits_for == WaitsFor::Event(events.to_owned()))
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
        // One without the attribute is for nobody.
        assert_eq!(put(&engine, CloudEvent::new("0", "/shop", "glove.left")).await, (0, 0));
        assert_eq!(put(&engine, glove("1", "left", "a")).await, (0, 1));
        // It has not begun, or waits for the other one: what comes is for it.
        assert_eq!(put(&engine, glove("2", "left", "a")).await, (1, 0));
        assert_eq!(put(&engine, glove("3", "right", "b")).await, (0, 1));
        assert_eq!(put(&engine, glove("1", "left", "a")).await, (1, 0));
    });
    // It was only dropped.
    process(async {
        let engine = open(&place, &clock).await;
        let found = ids(&engine, "gather");
        let [a, b] = &found[..] else { panic!("two executions: {found:?}") };
        waits(&engine, a, "Gather", "right").await;
        waits(&engine, b, "Gather", "left").await;
        assert_eq!(put(&engine, glove("3", "right", "b")).await, (1, 0));
        assert_eq!(put(&engine, glove("4", "left", "b")).await, (1, 0));
        // It has both: the next is for another one, even before it was seen.
        assert_eq!(put(&engine, glove("5", "left", "b")).await, (0, 1));
        waits(&engine, b, "Wear", "worn").await;
        // Those of another value do not take it, and one keeps it that will wait for it.
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
        // Its time is over, whether it knows that already or not.
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
        // The execution's id, if nothing else is said.
        engine.start::<Each>(Object::new()).id("own").submit().await.expect("it is put in");
        engine.start::<Each>(Object::new()).id("said").correlate("17").submit().await.expect("it is put in");
        waits(&engine, "own", "Place", "placed").await;
        waits(&engine, "said", "Place", "placed").await;
        assert_eq!(put(&engine, order("1", "placed", "own")).await, (1, 0));
        assert_eq!(put(&engine, order("2", "placed", "17")).await, (1, 0));
        // An execution for each event, also of one value.
        assert_eq!(put(&engine, order("3", "placed", "17")).await, (0, 1));
        assert_eq!(put(&engine, order("4", "placed", "18")).await, (0, 1));
        // All of one value have what they wait for.
        assert_eq!(put(&engine, order("5", "paid", "17")).await, (2, 0));
        assert_eq!(output(&engine, "said").await, value!(["2", "5"]));
        let sent = |event: CloudEvent| engine.execution("own").map(|one| async move { one.send(event).await });
        let refused = sent(order("6", "paid", "18")).expect("it").await;
        assert_eq!(refused, Err(Error::UnwantedEvent("own".into())));
        sent(order("7", "paid", "own")).expect("it").await.expect("it is for it");
        assert_eq!(output(&engine, "own").await, value!(["1", "7"]));
        // With another value it is another request.
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
        let mut told = Vec::new();
        for (seconds, id) in [(0, "1"), (59, "1"), (0, "2"), (2, "1"), (58, "1"), (2, "2")] {
            clock.advance(Duration::from_secs(seconds));
            told.push(execution.send_all(vec![order(id, "paid")]).await.expect("it is written"));
        }
        // The third time it is 61 seconds after the first, and the fourth 58 after the third.
        assert_eq!(told, [1, 0, 1, 1, 0, 1]);
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
        // When it was deployed is kept.
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
        // One that is there is told, and goes on.
        let known = engine.start::<Sale>(Object::new()).id("second").submit().await.expect("it is there");
        assert!(!known.is_new());
        assert_eq!(put(&engine, bought("3")).await, (1, 0));
        assert_eq!(output(&engine, "second").await, value!("3"));
        assert_eq!(put(&engine, bought("4")).await, (0, 0));
    });
    process(async {
        // It was deployed once more, and hears what it did not listen to then.
        let engine = builder(&place, &clock).deployed_at(workflow_runtime::clock::Clock::now(&clock));
        let engine = engine.open().await.expect("it opens");
        assert_eq!(put(&engine, bought("4")).await, (0, 1));
        engine.start::<Sale>(Object::new()).id("third").submit().await.expect("it is put in");
    });
}
