//! The identity of starts over HTTP: ids, keys and events.

use workflow_runtime::value;

use crate::STRUCTURED;
use crate::program::Place;

pub fn a_request_that_is_not_clear_is_refused() {
    let place = Place::new("unclear");
    let server = place.serve(&[]);
    let twice = "Idempotency-Key: a\r\nIdempotency-Key: b\r\n";
    let answer = server.post("/parcel", twice, "{}");
    assert_eq!((answer.status, answer.text("error")), (400, "duplicate header `idempotency-key`"));
    // The request has a `Host` already.
    for path in ["/parcel", "/health"] {
        let answer = server.post(path, "Host: localhost\r\n", "{}");
        assert_eq!((answer.status, answer.text("error")), (400, "duplicate header `host`"));
    }
    assert_eq!(server.get("/executions").at(&["executions"]), value!([]));
}

pub fn ids_are_safe_in_paths() {
    let place = Place::new("ids");
    let server = place.serve(&[]);
    for (id, reason) in [
        ("", "is empty"),
        ("..", "a relative path"),
        (".", "a relative path"),
        ("%20", "white space"),
        ("a%2Fb", "contains `/`"),
        ("a%5Cb", "contains `\\\\`"),
        ("a%3Fb", "contains `?`"),
        ("a%0Ab", "contains `\\n`"),
        ("a%252Fb", "contains `%`"),
        ("event%20urn:x%207", "starts with `event `"),
    ] {
        let answer = server.post(&format!("/parcel?id={id}"), "", "{}");
        assert!(answer.status == 400 && answer.text("error").contains(reason), "{id}: {}", answer.body);
    }
    let answer = server.post("/parcel?id=order-%C3%BC7", "", "{}");
    assert_eq!((answer.status, answer.text("id")), (201, "order-ü7"), "{}", answer.body);
    assert_eq!(server.get("/executions/order-%C3%BC7").text("id"), "order-ü7");
    let (status, _, error) = place.run(&["run", "--memory", "--id", "a/b"]);
    assert!(status == 2 && error.contains("`--id`: the id `a/b` contains `/`"), "{error}");
    let (status, _, error) = place.run(&["run", "--db", "other.db", "--id", "a/b"]);
    assert!(status == 2 && error.contains("the id `a/b` contains `/`"), "{error}");
}

pub fn a_key_that_is_chosen_stands_for_no_event() {
    let place = Place::new("preempted");
    let server = place.serve(&[]);
    // The delay keeps the execution from taking the event itself.
    let answer = server.post("/parcel?delay=1h", "Idempotency-Key: event /ward 777\r\n", "{}");
    assert_eq!(answer.status, 201, "{}", answer.body);
    let event = r#"{"specversion": "1.0", "id": "777", "source": "/ward", "type": "order.placed"}"#;
    let answer = server.post("/events", STRUCTURED, event);
    assert_eq!((answer.status, answer.at(&["started"])), (200, 1.into()), "{}", answer.body);
    let listed = server.get("/executions?workflow=parcel").at(&["executions"]);
    assert_eq!(listed.get(0).and_then(|one| one.get("event")), Some(&value!({ "source": "/ward", "id": "777" })));
    assert_eq!(listed.get(1).and_then(|one| one.get("key")), Some(&"event /ward 777".into()));
}
