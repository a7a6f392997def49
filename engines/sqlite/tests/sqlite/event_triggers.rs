//! Start events: each starts one execution, unless an execution waits for it in its first state,
//! also across crashes of the process.

use std::time::Duration;

use crate::place::{Place, clock, process, until};
use workflow_runtime::testing::{Mocks, VirtualClock};
use workflow_runtime::{CloudEvent, Object, Value, include_workflow, value};
use workflow_sqlite::{Engine, Filter, Reached, Status, WaitsFor};

include_workflow!("tests/flows/parcel.workflow-dsl.json");
include_workflow!("tests/flows/pair.workflow-dsl.json");

async fn open(place: &Place, clock: &VirtualClock) -> Engine {
    let builder = Engine::at(place.file()).clock(clock.clone());
    let builder = builder.workflow::<parcel::Parcel>(Mocks::new()).workflow::<pair::Pair>(Mocks::new());
    builder.open().await.expect("it opens")
}

fn event(id: &str, kind: &str) -> CloudEvent {
    let source = if kind == "order.paid" { "/bank" } else { "/shop" };
    CloudEvent::new(id, source, kind).data(value!({ (kind): id }))
}

/// Publishes events. Returns, for each, the numbers of deliveries, starts and full inboxes.
async fn put(engine: &Engine, events: &[(&str, &str)]) -> Vec<(usize, usize, usize)> {
    let events = events.iter().map(|(id, kind)| event(id, kind)).collect();
    let reached = engine.publish_and_start(events, &Object::new()).await.expect("they are written");
    reached.into_iter().map(|Reached { executions, started, full, .. }| (executions, started, full)).collect()
}

/// Returns the ids of the executions of a workflow, oldest first.
fn ids(engine: &Engine, workflow: &str) -> Vec<String> {
    let mut filter = Filter::default();
    filter.workflow = Some(workflow.to_owned());
    let found = engine.list(&filter).expect("a list");
    found.into_iter().rev().map(|one| one.id).collect()
}

/// Waits until an execution waits for events in a state.
async fn waits(engine: &Engine, id: &str, state: &str) {
    until(&format!("`{id}` waits in `{state}`"), || {
        let described = engine.execution(id).and_then(|execution| execution.describe()).expect("it is there");
        described.waiting.iter().any(|one| one.state == state && matches!(one.waits_for, WaitsFor::Event(_)))
    })
    .await;
}

async fn output(engine: &Engine, id: &str) -> Value {
    engine.execution(id).expect("it is there").result().await.expect("an end").expect("it succeeds")
}

#[test]
fn an_event_starts_one_execution_as_often_as_it_comes() {
    let (place, clock) = (Place::new("starting-once"), clock());
    process(async {
        let engine = open(&place, &clock).await;
        // Publishing alone starts nothing, and no other execution has the event.
        let reached = engine.publish(event("1", "order.placed")).await.expect("it is written");
        assert_eq!((reached.executions, reached.started), (0, 0));
        assert_eq!(put(&engine, &[("1", "order.placed"), ("2", "glove.none")]).await, [(0, 1, 0), (0, 0, 0)]);
        assert_eq!(put(&engine, &[("1", "order.placed")]).await, [(1, 0, 0)]);
    });
    // The engine was only dropped: nothing is lost or doubled.
    process(async {
        let engine = open(&place, &clock).await;
        let found = ids(&engine, "parcel");
        let [id] = &found[..] else { panic!("one execution: {found:?}") };
        waits(&engine, id, "Payment").await;
        assert_eq!(put(&engine, &[("1", "order.placed")]).await, [(1, 0, 0)]);
        assert_eq!(put(&engine, &[("9", "order.paid")]).await, [(1, 0, 0)]);
        assert_eq!(output(&engine, id).await, value!({ "order.placed": "1", "order.paid": "9" }));
        let listed = engine.list(&Filter::default()).expect("a list");
        assert_eq!(listed[0].event, Some(("/shop".to_owned(), "1".to_owned())));
        // The event stays a duplicate as long as the execution is stored, also after the
        // deduplication time.
        clock.advance(Duration::from_secs(3 * 24 * 3600));
        assert_eq!(put(&engine, &[("2", "order.placed"), ("3", "order.placed")]).await, [(0, 1, 0), (0, 1, 0)]);
        assert_eq!(put(&engine, &[("1", "order.placed")]).await, [(1, 0, 0)]);
        engine.purge(Duration::from_secs(1)).await.expect("it is removed");
        clock.advance(Duration::from_secs(2 * 24 * 3600));
        assert_eq!(put(&engine, &[("4", "order.placed"), ("1", "order.placed")]).await, [(0, 1, 0), (0, 1, 0)]);
    });
}

#[test]
fn who_waits_for_it_in_its_first_state_gets_it_instead() {
    let (place, clock) = (Place::new("starting-instead"), clock());
    process(async {
        let engine = open(&place, &clock).await;
        engine.start::<parcel::Parcel>(Object::new()).id("own").submit().await.expect("it is put in");
        waits(&engine, "own", "Order").await;
        // It accepts one of two simultaneous events.
        assert_eq!(put(&engine, &[("1", "order.placed"), ("2", "order.placed")]).await, [(1, 0, 0), (0, 1, 0)]);
        waits(&engine, "own", "Payment").await;
        assert_eq!(put(&engine, &[("1", "order.placed"), ("2", "order.placed")]).await, [(1, 0, 0), (1, 0, 0)]);
        assert_eq!(ids(&engine, "parcel").len(), 2);
        // An execution that was just submitted is about to wait.
        engine.start::<parcel::Parcel>(Object::new()).id("next").submit().await.expect("it is put in");
        assert_eq!(put(&engine, &[("3", "order.placed")]).await, [(1, 0, 0)]);
        // An execution with a later start is not.
        let later = engine.start::<parcel::Parcel>(Object::new()).id("later").after(Duration::from_secs(600));
        later.submit().await.expect("it is put in");
        assert_eq!(put(&engine, &[("4", "order.placed")]).await, [(0, 1, 0)]);
    });
}

#[test]
fn an_event_that_is_awaited_later_too_is_kept_by_those_who_run() {
    let (place, clock) = (Place::new("starting-later"), clock());
    process(async {
        let engine = open(&place, &clock).await;
        assert_eq!(put(&engine, &[("1", "order.placed")]).await, [(0, 1, 0)]);
        let first = ids(&engine, "parcel").remove(0);
        waits(&engine, &first, "Payment").await;
        // An execution past its first state does not accept the next order. It does accept a
        // change, which also starts another one.
        assert_eq!(put(&engine, &[("2", "order.placed")]).await, [(0, 1, 0)]);
        assert_eq!(put(&engine, &[("3", "order.changed")]).await, [(2, 1, 0)]);
        assert_eq!(output(&engine, &first).await, value!({ "order.placed": "1", "order.changed": "3" }));
        assert_eq!(ids(&engine, "parcel").len(), 3);
    });
}

#[test]
fn an_event_that_has_started_one_is_not_taken_by_another_one() {
    let (place, clock) = (Place::new("starting-again"), clock());
    process(async {
        let engine = open(&place, &clock).await;
        assert_eq!(put(&engine, &[("1", "order.changed")]).await, [(0, 1, 0)]);
        let first = ids(&engine, "parcel").remove(0);
        waits(&engine, &first, "Payment").await;
        engine.start::<parcel::Parcel>(Value::Null).id("later").submit().await.expect("it starts");
        waits(&engine, "later", "Order").await;
        assert_eq!(put(&engine, &[("1", "order.changed")]).await, [(1, 0, 0)]);
        assert_eq!(put(&engine, &[("2", "order.placed")]).await, [(1, 0, 0)]);
        waits(&engine, "later", "Payment").await;
    });
}

#[test]
fn an_event_that_was_taken_from_a_publication_without_starts_starts_none_later() {
    let (place, clock) = (Place::new("starting-none"), clock());
    process(async {
        let engine = open(&place, &clock).await;
        engine.start::<parcel::Parcel>(Value::Null).id("one").submit().await.expect("it starts");
        waits(&engine, "one", "Order").await;
        let reached = engine.publish(event("1", "order.placed")).await.expect("it is written");
        assert_eq!(reached, Reached::new(1, 0, 0));
        waits(&engine, "one", "Payment").await;
        assert_eq!(put(&engine, &[("1", "order.placed")]).await, [(1, 0, 0)]);
        assert_eq!(ids(&engine, "parcel"), ["one"]);
        // It was not taken, and so it can still start one.
        assert_eq!(engine.publish(event("2", "order.placed")).await.expect("it is written"), Reached::new(0, 0, 0));
        assert_eq!(put(&engine, &[("2", "order.placed")]).await, [(0, 1, 0)]);
    });
}

#[test]
fn several_that_have_to_come_find_each_other() {
    let (place, clock) = (Place::new("starting-pair"), clock());
    process(async {
        let engine = open(&place, &clock).await;
        for (first, second) in [("glove.left", "glove.right"), ("glove.right", "glove.left")] {
            let before = ids(&engine, "pair").len();
            let counts = put(&engine, &[(&format!("{before}-1"), first)]).await;
            assert_eq!(counts, [(0, 1, 0)]);
            let id = ids(&engine, "pair").pop().expect("one");
            waits(&engine, &id, "Match").await;
            // Another event of the same kind starts another pair, which also accepts the next
            // event of the other kind.
            assert_eq!(put(&engine, &[(&format!("{before}-2"), first)]).await, [(0, 1, 0)]);
            let other = ids(&engine, "pair").pop().expect("one");
            waits(&engine, &other, "Match").await;
            assert_eq!(put(&engine, &[(&format!("{before}-3"), second)]).await, [(2, 0, 0)]);
            for (id, number) in [(id, 1), (other, 2)] {
                let expected = value!({ (first): format!("{before}-{number}"), (second): format!("{before}-3") });
                assert_eq!(output(&engine, &id).await, expected);
            }
        }
        let listed = engine.list(&Filter::default()).expect("a list");
        assert!(listed.len() == 4 && listed.iter().all(|one| one.status == Status::Succeeded), "{listed:?}");
    });
}
