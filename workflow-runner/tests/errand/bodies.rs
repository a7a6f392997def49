//! JSON from outside in which an object has a key twice.

use workflow_runtime::Value;

use crate::program::{Answer, Place};
use crate::remote::asks;
use crate::{BATCHED, BINARY, STRUCTURED, waits};

fn is_refused(answer: &Answer, key: &str) {
    let error = answer.body.get("error").and_then(Value::as_str).unwrap_or_default();
    let named = error.contains(&format!("duplicate key `{key}` at line 1 column "));
    assert!(answer.status == 400 && named, "{} {}", answer.status, answer.body);
}

pub fn keys_that_are_there_twice_are_refused() {
    let place = Place::new("twice");
    let server = place.serve(&[]);
    is_refused(&server.post("/errand?id=twice", "", r#"{"do": "wait", "do": "work"}"#), "do");
    is_refused(&server.post("/errand?id=twice", "", r#"{"a": [{"b": 1, "\u0062": 2}]}"#), "b");
    assert_eq!(server.get("/executions/twice").status, 404);
    waits(&server, "once", 1);
    let event = r#"{"specversion": "1.0", "id": "1", "id": "2", "source": "/a", "type": "payment", "subject": "paid"}"#;
    is_refused(&server.post("/events", STRUCTURED, event), "id");
    is_refused(&server.post("/executions/once/events", BATCHED, &format!("[{event}]")), "id");
    let binary = format!("{BINARY}ce-id: 1\r\nContent-Type: application/json\r\n");
    is_refused(&server.post("/executions/once/events", &binary, r#"{"sum": 1, "sum": 2}"#), "sum");
    // A body is read only for the token of a waiting task.
    let path = format!("/callbacks/{}", asks(&place, &server, "asked"));
    is_refused(&server.post(&format!("{path}/succeed"), "", r#"{"a": true, "a": false}"#), "a");
    is_refused(&server.post(&format!("{path}/fail"), "", r#"{"error": "A", "error": "B"}"#), "error");
    is_refused(&server.post("/executions/once/cancel", "", r#"{"cause": "a", "cause": "b"}"#), "cause");
    server.until("/executions/once", |answer| answer.text("status") == "running");
}

pub fn arguments_in_which_keys_are_there_twice_are_refused() {
    let place = Place::new("arguments");
    let twice = r#"{"do": "wait", "do": "aside"}"#;
    std::fs::write(place.file("twice.json"), twice).expect("a file");
    let event = ["--type", "payment", "--source", "/bank"];
    for arguments in [
        vec!["run", "--memory", "--input", twice],
        vec!["run", "--memory", "--input", "twice.json"],
        [&["publish", "--data", twice][..], &event].concat(),
        [&["publish", "--data-file", "twice.json"][..], &event].concat(),
        vec!["publish", "--event", twice],
        vec!["run", "--memory", "--set", r#"a={"do": 1, "do": 2}"#],
    ] {
        let (status, _, errors) = place.run(&arguments);
        assert!(status == 2 && errors.contains("duplicate key `do`"), "{arguments:?}: {status} {errors}");
    }
}
