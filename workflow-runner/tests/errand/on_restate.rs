//! The HTTP server over executions on Restate. Without a Restate server, the tests report that
//! they were skipped. With `CI` or `WORKFLOW_REQUIRE_RESTATE` set, they fail then.

use std::time::Duration;

use workflow_runtime::{Value, value};

use crate::mapped::items;
use crate::program::{Answer, Place, Program, ask};

const EVENT: &str = "Content-Type: application/cloudevents+json\r\n";

/// Starts the program in this place with an HTTP server, unless there is no Restate server.
fn serve(place: &Place, more: &[&str]) -> Option<(Program, restate_testing::Server)> {
    let target = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder");
    let restate = restate_testing::server(target, None)?;
    let http = [&["--listen-http", "127.0.0.1:0"], more].concat();
    Some((place.serve_restate(&restate.ingress, &restate.admin, &http), restate))
}

/// Asks for an execution until it waits for something.
fn waiting(ask: &dyn Fn(&str, &str, &str) -> Answer, id: &str) -> Value {
    for _ in 0..300 {
        let answer = ask(&format!("GET /executions/{id}"), "", "");
        match answer.body.get("waiting").and_then(Value::as_array).and_then(|waits| waits.first()) {
            Some(wait) => return wait.clone(),
            None => std::thread::sleep(Duration::from_millis(100)),
        }
    }
    panic!("`{id}` waits for nothing")
}

pub fn the_routes_are_there_on_restate() {
    let place = Place::new("restate-http");
    let Some((served, _restate)) = serve(&place, &["--max-body", "1KB"]) else { return };
    let ask = |request: &str, head: &str, body: &str| ask(&served.address(), request, head, body).expect("an answer");
    assert_eq!(ask("GET /health", "", "").status, 200);
    let started = ask("POST /errand?id=over", "", "{\"do\": \"wait\", \"events\": 2}");
    assert_eq!((started.status, started.body.get("status")), (201, Some(&"running".into())), "{}", started.body);
    let again = ask("POST /errand?id=over", "", "{\"do\": \"wait\", \"events\": 2}");
    assert_eq!(again.status, 200, "{}", again.body);
    assert_eq!(waiting(&ask, "over").get("for"), Some(&"event".into()));

    let paid = |id: &str| {
        value!({"specversion": "1.0", "id": id, "source": "/bank", "type": "payment", "subject": "PAID", "data": id})
            .to_string()
    };
    let published = ask("POST /events", EVENT, &paid("1"));
    assert_eq!(published.status, 200, "{}", published.body);
    assert_eq!(published.body, value!({"executions": 1, "started": 0, "full": 0}));
    let refused = ask("POST /executions/over/events", EVENT, &paid("2").replace("PAID", "none"));
    assert_eq!(refused.status, 422, "{}", refused.body);
    let sent = ask("POST /executions/over/events", EVENT, &paid("2"));
    assert_eq!((sent.status, sent.body), (202, value!({"delivered": 1, "known": 0})));
    let ended = ask("GET /executions/over/result?wait=60s", "", "");
    assert_eq!(ended.status, 200, "{}", ended.body);
    let output = ended.body.get("outcome").and_then(|outcome| outcome.get("output")?.get("got"));
    assert_eq!(output, Some(&value!(["1", "2"])), "{}", ended.body);
    assert_eq!(ask("POST /executions/over/events", EVENT, &paid("3")).status, 409);
    assert_eq!(ask("POST /executions/over/cancel", "", "").status, 409);

    // An execution without an id has a random one.
    let started = ask("POST /errand", "", "{\"do\": \"wait\", \"events\": 1}");
    let id = started.body.get("id").and_then(Value::as_str).expect("an id").to_owned();
    let cancelled = ask(&format!("POST /executions/{id}/cancel?wait=60s"), "", "");
    assert_eq!((cancelled.status, cancelled.body.get("status")), (200, Some(&"cancelled".into())));

    for (request, head, body, status, help) in [
        ("GET /executions", "", "", 501, "restate invocations list"),
        ("GET /executions/over/history", "", "", 501, "restate invocations describe"),
        ("POST /executions/over/redrive", "", "", 409, ""),
        ("POST /executions/none/redrive", "", "", 404, ""),
        ("POST /executions/purge?older-than=1d", "", "", 501, "restate invocations purge"),
        ("POST /executions/over/cancel", "", "{\"cause\": \"late\"}", 501, "cancel without a cause"),
        ("POST /errand?delay=1d", "", "{}", 501, "begin the workflow with a wait"),
        ("POST /errand", "Idempotency-Key: 7\r\n", "{}", 501, "each id has one execution"),
        ("POST /callbacks/token/succeed", "", "{}", 501, "name the execution of the token"),
        ("POST /callbacks/token/succeed?execution=none", "", "{}", 404, ""),
        ("GET /executions/none", "", "", 404, ""),
        ("GET /executions/none/result", "", "", 404, ""),
        ("POST /executions/none/events", EVENT, &paid("4"), 404, ""),
        ("POST /other", "", "{}", 404, "the workflows are `errand`"),
        ("POST /errand?id=a%2Fb", "", "{}", 400, "omit `?id=`"),
    ] {
        let answer = ask(request, head, body);
        let shown = answer.body.get("help").and_then(Value::as_str).unwrap_or_default();
        assert!(answer.status == status && shown.contains(help), "{request}: {} {}", answer.status, answer.body);
    }
    let large = ask("POST /errand", "", &format!("\"{}\"", "x".repeat(2_000)));
    assert_eq!(large.status, 413, "{}", large.body);
}

pub fn outcomes_arrive_over_http_on_restate() {
    let place = Place::new("permit-restate");
    std::fs::write(place.file("token"), "s3cret").expect("a file");
    let Some((served, restate)) = serve(&place, &["--token-file", "token"]) else { return };
    let asked = |head: &str, request: &str, body: &str| ask(&served.address(), request, head, body).expect("an answer");
    let ask = |request: &str, head: &str, body: &str| {
        asked(&format!("Authorization: Bearer s3cret\r\n{head}"), request, body)
    };
    assert_eq!(asked("", "POST /permit?id=one", "{}").status, 401);
    assert_eq!(ask("POST /permit?id=one", "", "{}").status, 201);
    let wait = waiting(&ask, "one");
    assert_eq!((wait.get("for"), wait.get("token")), (Some(&"token".into()), None), "{wait}");
    let (_, shown, _) =
        place.run(&["show", "one", "--format", "json", "--engine", "restate", "--ingress", &restate.ingress]);
    let shown = Value::from_json(&shown).expect("JSON");
    let wait = shown.get("waiting").and_then(Value::as_array).and_then(|waits| waits.first()).expect("a wait");
    let token = wait.get("token").and_then(Value::as_str).expect("a token");
    // The token of a task is enough for its outcome, with the execution.
    let post = |kind: &str, of: &str, token: &str, body: &str| {
        asked("", &format!("POST /callbacks/{token}/{kind}?execution={of}"), body).status
    };
    assert_eq!(post("heartbeat", "one", token, ""), 204);
    assert_eq!(post("succeed", "one", "another", "7"), 404);
    assert_eq!(post("succeed", "two", token, "7"), 404);
    assert_eq!(post("succeed", "one", token, "7"), 204);
    let ended = ask("GET /executions/one/result?wait=60s", "", "");
    assert_eq!(ended.body.get("outcome"), Some(&value!({"output": 7})), "{}", ended.body);
    // Who has no token of the server does not learn that the execution has ended.
    assert_eq!(post("succeed", "one", token, "7"), 404);
}

pub fn a_map_run_is_changed_on_restate() {
    let place = Place::new("spread-restate");
    let Some((served, restate)) = serve(&place, &[]) else { return };
    assert_eq!(served.post("/spread?id=one", "", "[1, 2, 3, 4, 5, 6]").status, 201);
    let run = "/executions/one.1-0";
    served.until(run, |answer| items(answer) == Some((5, 1)));
    let update = |id: &str| {
        place.run(&["update", id, "--max-concurrency", "3", "--engine", "restate", "--ingress", &restate.ingress])
    };
    assert_eq!(update("one.1-0"), (0, "`one.1-0` was updated\n".to_owned(), String::new()));
    served.until(run, |answer| items(answer) == Some((3, 3)));
    let (status, _, error) = update("one");
    assert!(status == 2 && error.starts_with("error: the execution `one` is not the run of a"), "{error}");
    for (id, status) in [("one.1-0", 202), ("one", 422), ("none", 404)] {
        let answer = served.post(&format!("/executions/{id}/update"), "", r#"{"MaxConcurrency": 4}"#);
        assert_eq!(answer.status, status, "{id}: {}", answer.body);
    }
    served.until(run, |answer| items(answer) == Some((2, 4)));
}
