//! Clients that follow executions: streams of events, tags of answers, and filters of lists.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use workflow_runtime::{Value, value};

use crate::program::{Place, Program};
use crate::{STRUCTURED, paid, waits};

/// A client that reads a stream of events.
struct Follower(BufReader<TcpStream>);

/// An event as the client receives it.
#[derive(Debug, PartialEq)]
struct Received {
    id: String,
    kind: String,
    data: Value,
}

impl Follower {
    /// Requests a stream in HTTP/1.0, whose body has no chunks. Returns the status, too.
    fn start(server: &Program, path: &str, head: &str) -> (u16, Follower) {
        let address = server.address();
        let mut stream = TcpStream::connect(&address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
        let request = format!("GET {path} HTTP/1.0\r\nHost: {address}\r\n{head}\r\n");
        stream.write_all(request.as_bytes()).expect("it is sent");
        let mut lines = BufReader::new(stream);
        let (mut status, mut line) = (0, String::new());
        while line != "\r\n" {
            line.clear();
            assert_ne!(lines.read_line(&mut line).expect("a head"), 0);
            if status == 0 {
                status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
            }
        }
        (status, Follower(lines))
    }

    /// Returns the next event; `None` at the end of the stream.
    fn next(&mut self) -> Option<Received> {
        let mut received = Received { id: String::new(), kind: String::new(), data: Value::Null };
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).expect("a line") == 0 {
                return None;
            }
            match line.trim_end().split_once(": ") {
                None if line == "\n" && received.data != Value::Null => return Some(received),
                None => {}
                Some(("id", id)) => received.id = id.to_owned(),
                Some(("event", kind)) => received.kind = kind.to_owned(),
                Some(("data", data)) => received.data = Value::from_json(data).expect("JSON"),
                Some(("retry", pause)) => assert_eq!(pause, "1000"),
                Some(_) => panic!("{line}"),
            }
        }
    }

    fn rest(mut self) -> Vec<Received> {
        std::iter::from_fn(|| self.next()).collect()
    }
}

fn history(server: &Program, id: &str) -> Vec<Value> {
    let events = server.get(&format!("/executions/{id}/history")).at(&["events"]);
    events.as_array().expect("events").iter().cloned().collect()
}

pub fn events_arrive_as_they_are_recorded_and_again_behind_the_last() {
    let place = Place::new("followed");
    let server = place.serve(&[]);
    waits(&server, "one", 1);
    let (status, mut follower) = Follower::start(&server, "/executions/one/events", "");
    assert_eq!(status, 200);
    let mut seen = Vec::new();
    while seen.last().is_none_or(|last: &Received| last.data.get("event") != Some(&"EventAwaited".into())) {
        seen.push(follower.next().expect("the execution waits for an event"));
    }
    assert_eq!(seen.len(), history(&server, "one").len(), "all that is recorded is there");
    assert_eq!(server.post("/executions/one/events", STRUCTURED, &paid("1", 1).to_string()).status, 202);
    seen.extend(follower.rest());
    let end = seen.pop().expect("an end");
    assert_eq!((end.kind.as_str(), end.data.get("status")), ("end", Some(&"succeeded".into())));
    let recorded = history(&server, "one");
    for ((received, event), id) in seen.iter().zip(&recorded).zip(1_u32..) {
        assert_eq!((&received.data, received.id.clone(), received.kind.as_str()), (event, id.to_string(), ""));
    }
    assert_eq!((seen.len(), end.id), (recorded.len(), recorded.len().to_string()));
    // A client that was cut off, and one that begins in the middle.
    for (path, head) in [("", "Last-Event-ID: 3\r\n"), ("?after=3", ""), ("?after=1", "Last-Event-ID: 3\r\n")] {
        let (status, follower) = Follower::start(&server, &format!("/executions/one/events{path}"), head);
        let rest = follower.rest();
        assert_eq!((status, rest[0].id.as_str(), rest.len()), (200, "4", recorded.len() - 3 + 1), "{path} {head}");
    }
    // Upon 204 a browser does not connect again.
    let last = format!("Last-Event-ID: {}\r\n", recorded.len());
    assert_eq!(server.text("GET /executions/one/events", &last).0, 204);
    for (request, head, expected) in [
        ("GET /executions/one/events", "Last-Event-ID: x\r\n", 400),
        ("GET /executions/one/events?after=x", "", 400),
        ("GET /executions/one/events?limit=1", "", 400),
        ("GET /executions/none/events", "", 404),
        ("HEAD /executions/one/events", "", 200),
        ("DELETE /executions/one/events", "", 405),
    ] {
        assert_eq!(server.text(request, head).0, expected, "{request} {head}");
    }
    let (_, head, body) = server.text("GET /executions/one/events", "");
    assert!(head.contains("content-type: text/event-stream") && head.contains("x-accel-buffering: no"), "{head}");
    assert!(head.contains("transfer-encoding: chunked") && body.ends_with("\r\n0\r\n\r\n"), "{head}\n{body}");
}

pub fn streams_show_no_tokens() {
    let place = Place::new("followed-tokens");
    let server = place.serve(&[]);
    assert_eq!(server.post("/ask?id=asked", "", "{}").status, 201);
    server.until("/executions/asked", |answer| answer.body.to_string().contains("token"));
    let (_, mut follower) = Follower::start(&server, "/executions/asked/events", "");
    let scheduled = std::iter::from_fn(|| follower.next())
        .find(|one| one.data.get("event") == Some(&"TaskScheduled".into()))
        .expect("a task is scheduled");
    let of_history = history(&server, "asked");
    assert!(of_history.contains(&scheduled.data), "{scheduled:?}");
    let (_, token, _) = place.run(&["show", "asked", "--format", "json"]);
    let token =
        Value::from_json(&token).expect("JSON").get("waiting").and_then(|all| all.get(0)?.get("token").cloned());
    let token = token.and_then(|token| token.as_str().map(str::to_owned)).expect("a token");
    assert!(!scheduled.data.to_string().contains(&token), "{scheduled:?}");
}

/// The streams of a server are bounded, do not hold its end up, and end with it.
#[cfg(unix)]
pub fn streams_have_places_and_end_with_the_server() {
    let place = Place::new("followed-crowd");
    let mut server = place.serve(&["--grace", "20s"]);
    waits(&server, "one", 1);
    let mut all: Vec<Follower> = (0..128)
        .map(|_| Follower::start(&server, "/executions/one/events", ""))
        .map(|(status, follower)| (status == 200).then_some(follower).expect("a place"))
        .collect();
    let (status, head, _) = server.text("GET /executions/one/events", "");
    assert_eq!(status, 503, "{head}");
    assert!(head.contains("retry-after: 5"), "{head}");
    assert_eq!(server.get("/executions/one/history").status, 200);
    // Places of clients that are gone are free again.
    drop(all.split_off(64));
    let again = (0..1_000).find_map(|_| {
        std::thread::sleep(Duration::from_millis(10));
        Some(Follower::start(&server, "/executions/one/events", "")).filter(|(status, _)| *status == 200)
    });
    assert!(again.is_some());
    let took = server.terminate();
    assert!(took < Duration::from_secs(10), "{took:?}");
    assert!(
        all.into_iter().all(|follower| follower.rest().iter().all(|one| one.kind.is_empty())),
        "no end of the execution"
    );
}

pub fn answers_have_tags() {
    let place = Place::new("followed-tags");
    let server = place.serve(&[]);
    waits(&server, "one", 1);
    server.until("/executions/one", |answer| answer.text("status") == "running");
    let tag_of = |head: &str| head.lines().find_map(|line| line.strip_prefix("etag: ")).map(str::to_owned);
    let paths = ["/executions/one", "/executions", "/executions/one/history"];
    let tags = paths.map(|path| {
        let (status, head, _) = server.text(&format!("GET {path}"), "");
        assert_eq!(status, 200);
        tag_of(&head).expect("a tag")
    });
    let ask = |path: &str, tag: &str| server.text(&format!("GET {path}"), &format!("If-None-Match: {tag}\r\n"));
    for (path, tag) in paths.iter().zip(&tags) {
        let (status, head, body) = ask(path, tag);
        assert_eq!((status, body.as_str(), tag_of(&head).as_ref()), (304, "", Some(tag)), "{path}");
        assert_eq!(ask(path, "\"other\"").0, 200);
    }
    assert_eq!(server.post("/executions/one/cancel?wait=30s", "", "").text("status"), "cancelled");
    for (path, tag) in paths.iter().zip(&tags) {
        let (status, head, _) = ask(path, tag);
        assert_eq!(status, 200, "{path}");
        assert_ne!(tag_of(&head).as_ref(), Some(tag), "{path}");
    }
}

pub fn lists_are_filtered_and_have_pages() {
    let place = Place::new("followed-lists");
    let server = place.serve(&[]);
    let input = value!({"do": "wait", "events": 1}).to_string();
    for id in ["a", "b", "c"] {
        let key = format!("Idempotency-Key: key-{id}\r\n");
        assert_eq!(server.post(&format!("/errand?id={id}"), &key, &input).status, 201);
        server.until(&format!("/executions/{id}"), |answer| answer.text("status") == "running");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(server.post("/executions/a/cancel?wait=30s", "", "").status, 200);
    assert_eq!(server.post("/executions/b/cancel?wait=30s", "", "").status, 200);
    waits(&server, "later&delay=1h", 1);
    let time = |id: &str, name: &str| {
        let answer = server.get(&format!("/executions/{id}"));
        answer.text(name).replace('+', "%2B")
    };
    let (started, ended) = (time("b", "started"), time("b", "ended"));
    for (query, expected) in [
        ("".to_owned(), "later c b a"),
        ("key=key-b".to_owned(), "b"),
        ("key=none".to_owned(), ""),
        (format!("started-since={started}"), "c b"),
        (format!("started-until={started}"), "a"),
        (format!("ended-since={ended}"), "b"),
        (format!("ended-until={ended}"), "a"),
        (format!("started-since={started}&ended-since={ended}&status=cancelled&workflow=errand"), "b"),
        (format!("started-since={ended}"), ""),
        (format!("started-until={ended}&limit=2"), "c b"),
        (format!("started-until={ended}&limit=2&before=b"), "a"),
    ] {
        let list = server.get(&format!("/executions?{query}"));
        let ids = list.at(&["executions"]);
        let ids: Vec<&str> = ids.as_array().into_iter().flatten().filter_map(|one| one.get("id")?.as_str()).collect();
        assert_eq!((list.status, ids.join(" ").as_str()), (200, expected), "{query}");
        let next = if query.ends_with("limit=2") { value!("b") } else { Value::Null };
        assert_eq!(list.at(&["next"]), next, "{query}");
    }
    for (query, status) in
        [("started-since=noon", 400), ("ended-until=", 400), ("created-since=2026-01-01T00:00:00Z", 400)]
    {
        assert_eq!(server.get(&format!("/executions?{query}")).status, status, "{query}");
    }
}
