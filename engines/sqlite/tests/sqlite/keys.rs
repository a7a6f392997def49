//! Identity of starts: ids, idempotency keys, and start events.

use crate::place::{Place, clock, process};
use workflow_runtime::testing::{Mocks, VirtualClock};
use workflow_runtime::{CloudEvent, Object, Value, include_workflow, value};
use workflow_sqlite::{Engine, Error, Filter};

include_workflow!("tests/flows/parcel.workflow-dsl.json");

use parcel::Parcel;

async fn open(place: &Place, clock: &VirtualClock) -> Engine {
    Engine::at(place.file()).clock(clock.clone()).workflow::<Parcel>(Mocks::new()).open().await.expect("it opens")
}

fn placed(id: &str) -> CloudEvent {
    CloudEvent::new(id, "/shop", "order.placed").data(value!({ "order.placed": id }))
}

/// Publishes an event. Returns the numbers of deliveries and of starts.
async fn put(engine: &Engine, id: &str) -> (usize, usize) {
    let reached = engine.publish_and_start(vec![placed(id)], &Object::new()).await.expect("it is written");
    (reached[0].executions, reached[0].started)
}

#[test]
fn a_key_that_is_chosen_stands_for_no_event() {
    let (place, clock) = (Place::new("keys-events"), clock());
    process(async {
        let engine = open(&place, &clock).await;
        let start = async |key: &str, input: Value| {
            let later = std::time::Duration::from_secs(3_600);
            engine.start::<Parcel>(input).key(key).after(later).submit().await
        };
        // Before the event, and after it.
        let chosen = start("event /shop 1", value!({ "own": true })).await.expect("a start");
        assert_eq!(put(&engine, "1").await, (0, 1));
        assert_eq!(put(&engine, "2").await, (0, 1));
        let other = start("event /shop 2", value!({})).await.expect("a start");
        assert!(chosen.is_new() && other.is_new());
        // Each is a duplicate when it is repeated.
        let again = start("event /shop 1", value!({ "own": true })).await.expect("the same start");
        assert_eq!((again.is_new(), again.id()), (false, chosen.id()));
        let reused = start("event /shop 1", value!({ "own": false })).await;
        assert!(matches!(reused, Err(Error::KeyReused { key, .. }) if key == "event /shop 1"));
        assert_eq!((put(&engine, "1").await, put(&engine, "2").await), ((1, 0), (1, 0)));
        let listed = engine.list(&Filter::all()).expect("a list");
        let starts: Vec<_> = listed.iter().rev().map(|one| (one.key.as_deref(), one.event.clone())).collect();
        let event = |id: &str| Some(("/shop".to_owned(), id.to_owned()));
        assert_eq!(
            starts,
            [(Some("event /shop 1"), None), (None, event("1")), (None, event("2")), (Some("event /shop 2"), None)]
        );
    });
}

#[test]
fn the_same_request_is_one_that_is_equal() {
    let (place, clock) = (Place::new("keys-equal"), clock());
    process(async {
        let engine = open(&place, &clock).await;
        let start = async |input: Value| engine.start::<Parcel>(input).key("k").submit().await.map(|one| one.is_new());
        assert_eq!(start(value!({ "a": 1, "b": { "c": [true, 2], "d": null } })).await, Ok(true));
        assert_eq!(start(value!({ "b": { "d": null, "c": [true, 2.0] }, "a": 1.0 })).await, Ok(false));
        for other in [
            value!({ "a": 1, "b": { "c": [2, true], "d": null } }),
            value!({ "a": 1, "b": { "c": [true, 2] } }),
            value!({ "a": "1", "b": { "c": [true, 2], "d": null } }),
        ] {
            assert!(matches!(start(other).await, Err(Error::KeyReused { .. })));
        }
    });
}

#[test]
fn an_id_is_safe_in_a_path() {
    let (place, clock) = (Place::new("keys-ids"), clock());
    process(async {
        let engine = open(&place, &clock).await;
        let start = async |id: &str| engine.start::<Parcel>(value!({})).id(id).submit().await;
        for id in ["order-ü7", "Bestellung Nr. 7", "注文", "a.b:c"] {
            assert!(start(id).await.expect("a start").is_new(), "{id}");
        }
        let longest = "x".repeat(256);
        for id in ["", ".", "..", " ", " a", "a/b", "a\\b", "a?b", "a#b", "a%20b", "a\nb", "event /shop 1", &longest] {
            assert!(matches!(start(id).await, Err(Error::InvalidId(_))), "{id}");
        }
        assert_eq!(engine.list(&Filter::all()).expect("a list").len(), 4);
    });
    // Executions of earlier versions continue, and a repeated request finds them.
    let connection = rusqlite::Connection::open(place.file()).expect("a database");
    connection.execute("UPDATE executions SET id = 'a/b' WHERE id = '注文'", []).expect("it is changed");
    drop(connection);
    process(async {
        let engine = open(&place, &clock).await;
        let again = engine.start::<Parcel>(value!({})).id("a/b").submit().await.expect("the same start");
        assert!(!again.is_new());
        let other = engine.start::<Parcel>(value!({ "a": 1 })).id("a/b").submit().await;
        assert_eq!(other.map(|one| one.is_new()), Err(Error::IdTaken("a/b".to_owned())));
        again.cancel("").await.expect("it is cancelled");
    });
}
