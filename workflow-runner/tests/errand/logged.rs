//! The log of a server, in JSON and as text. It has no payloads, no causes and no tokens.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use workflow_runtime::machine::Task;
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Fault, TaskContext, Value, include_workflow, value};

use crate::program::Place;
use crate::{STRUCTURED, waits};

include_workflow!("tests/errand/flows/refund.asl.json");

/// The file whose presence lets the task succeed.
const PAID: &str = "paid-back";

/// A task that fails twice, with causes that must not be logged, and an error name that could
/// forge a line.
pub struct Refunds;

impl Invoke for Refunds {
    fn invoke<'a>(&'a self, _: &'static Task, _: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            match cx.attempt() {
                _ if std::path::Path::new(PAID).exists() => Ok("s3cret".into()),
                1 => Err(Fault::new("Busy", "s3cret")),
                _ => Err(Fault::new(format!("Declined\n{{\"forged\": {}}}", "x".repeat(10_000)), "s3cret")),
            }
        })
    }
}

/// Reads lines up to the first that satisfies the condition.
pub fn until(log: &Receiver<String>, lines: &mut Vec<String>, holds: impl Fn(&str) -> bool) {
    loop {
        let line = log.recv_timeout(Duration::from_secs(60));
        let line = line.unwrap_or_else(|error| panic!("no such line: {error} after {lines:#?}"));
        let found = holds(&line);
        lines.push(line);
        if found {
            return;
        }
    }
}

pub fn the_log_has_what_executions_and_requests_came_to() {
    let place = Place::new("logged");
    let (server, log) = place.serve_and_log(&["--log-format", "json"]);
    let post = |path: &str, head: &str, body: &str| server.post(path, head, body).status;
    let failed = server.post("/refund?id=one&wait=30s", "", r#"{"card": "s3cret"}"#);
    assert_eq!((failed.status, failed.text("status")), (201, "failed"), "{}", failed.body);
    assert_eq!(post("/executions/none/cancel", "", ""), 404);
    assert_eq!(post("/callbacks/s3cret/succeed", "", "{}"), 404);
    assert_eq!(post("/refund", "", r#"{"s3cret": 1, "s3cret": 2}"#), 400);
    assert_eq!(post("/executions/one/cancel", "", r#"{"s3cret": 1}"#), 400);
    assert_eq!(post("/refund", "Origin: http://example.org\r\n", "{}"), 403);
    waits(&server, "two", 3);
    let event = value!({"specversion": "1.0", "id": "1", "source": "/x", "type": "s3cret"}).to_string();
    assert_eq!(post("/executions/two/events", STRUCTURED, &event), 422);
    std::fs::write(place.file(PAID), "").expect("a file");
    assert_eq!(post("/executions/one/redrive?wait=30s", "", ""), 200);
    assert_eq!(post("/executions/two/cancel?wait=30s", "", r#"{"cause": "s3cret"}"#), 200);

    let mut lines = Vec::new();
    // The last two lines are of different threads.
    for _ in 0..2 {
        until(&log, &mut lines, |line| line.contains("cancellation requested") || line.contains("execution cancelled"));
    }
    let mut seen = Vec::new();
    for line in &lines {
        assert!(line.len() < 2_000 && !line.contains("s3cret"), "{line}");
        let mut line = Value::from_json(line).expect("JSON");
        let line = line.as_object_mut().expect("an object");
        let time = line.remove("timestamp").expect("a time");
        assert!(time.as_str().is_some_and(|time| time.parse::<workflow_runtime::Timestamp>().is_ok()), "{time}");
        assert_eq!(line.remove("target"), Some("workflow".into()));
        if let Some(seconds) = line.remove("seconds") {
            assert!(seconds.as_f64().is_some_and(|seconds| (0.0..60.0).contains(&seconds)), "{seconds}");
        }
        let message = line.remove("message").expect("a message");
        seen.push((message.as_str().unwrap_or_default().to_owned(), Value::from(line.clone())));
    }
    let declined = format!("Declined {{\"forged\": {}…", "x".repeat(200 - "Declined {\"forged\": …".chars().count()));
    let of = |state: bool, more: Value| {
        let mut line = value!({"level": "INFO", "workflow": "refund", "execution": "one"});
        let members = line.as_object_mut().expect("an object");
        if state {
            members.insert("state", "Pay back");
        }
        for (name, value) in more.as_object().expect("an object").iter() {
            members.insert(name.clone(), value.clone());
        }
        line
    };
    let refused = |method: &str, path: &str, status: i64, reason: &str| value!({"level": "WARN", "method": method, "path": path, "peer": "127.0.0.1", "status": status, "reason": reason});
    for (message, expected) in [
        ("execution started", of(false, value!({}))),
        ("task failed", of(true, value!({"task": "PayBack", "error": "Busy"}))),
        ("state retried", of(true, value!({"error": "Busy", "retry": 1, "delay": 1.0}))),
        ("task failed", of(true, value!({"task": "PayBack", "error": (declined.clone())}))),
        ("execution failed", of(true, value!({"level": "WARN", "error": declined}))),
        ("request refused", refused("POST", "/executions/none/cancel", 404, "execution `none` not found")),
        ("request refused", refused("POST", "/callbacks/…/succeed", 404, "no task waits for an outcome by this token")),
        ("request refused", refused("POST", "/refund", 400, "the body is not JSON")),
        ("request refused", refused("POST", "/executions/one/cancel", 400, "unknown member in the body")),
        ("request refused", refused("POST", "/refund", 403, "requests from web pages are not allowed")),
        (
            "request refused",
            refused(
                "POST",
                "/executions/two/events",
                422,
                "the execution `two` does not wait for this event: `paid` differs in `subject`; `done` differs in `type`; \
                 `shipped` differs in `type`, `tenant`",
            ),
        ),
        ("redrive requested", value!({"level": "INFO", "execution": "one"})),
        ("execution redriven", of(false, value!({"redrive": 1}))),
        ("execution succeeded", of(false, value!({}))),
        ("cancellation requested", value!({"level": "INFO", "execution": "two"})),
        ("execution cancelled", value!({"level": "INFO", "workflow": "errand", "execution": "two"})),
    ] {
        let found = seen.iter().any(|(seen, line)| seen == message && *line == expected);
        assert!(found, "{message} {expected}\nis not in\n{seen:#?}");
    }
}

pub fn the_log_of_text_is_made_of_lines() {
    let place = Place::new("logged-text");
    let (server, log) = place.serve_and_log(&[]);
    assert_eq!(server.post("/refund?id=one&wait=30s", "", "{}").text("status"), "failed");
    let mut lines = Vec::new();
    until(&log, &mut lines, |line| line.contains("execution failed"));
    let [started, _, retried, _, failed] = &lines[..] else { panic!("{lines:#?}") };
    assert!(started.ends_with(r#"INFO workflow: execution started workflow="refund" execution="one""#), "{started}");
    assert!(retried.ends_with(r#"state="Pay back" error="Busy" retry=1 delay=1.0"#), "{retried}");
    let expected =
        r#"WARN workflow: execution failed workflow="refund" execution="one" state="Pay back" error="Declined {"#;
    assert!(failed.contains(expected), "{failed}");
    assert_eq!(server.post("/errand?id=two", "", r#"{"do": "work"}"#).status, 201);
    // An execution without stored progress would start again, and not be resumed.
    server.until("/executions/two", |answer| answer.text("status") == "running");
    drop(server);
    let (server, log) = place.serve_and_log(&[]);
    let resumed = r#"INFO workflow: execution resumed workflow="errand" execution="two" restart=1"#;
    until(&log, &mut lines, |line| line.ends_with(resumed));
    drop(server);
    let (status, _, error) = place.run(&["serve", "--log-format", "xml"]);
    assert_eq!((status, &*error), (2, "error: `--log-format xml`: expected one of `text`, `json`\n"));
}

pub fn the_log_has_the_levels_of_a_variable() {
    let place = Place::new("logged-levels").with_levels("warn");
    let (server, log) = place.serve_and_log(&[]);
    assert_eq!(server.post("/refund?id=one&wait=30s", "", "{}").text("status"), "failed");
    let mut lines = Vec::new();
    until(&log, &mut lines, |line| line.contains("execution failed"));
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(lines[0].contains("WARN workflow: execution failed"), "{lines:#?}");
    drop(server);
    // An invalid value is a warning, and the default applies.
    let place = Place::new("logged-wrong-levels").with_levels("workflow=loud");
    let (server, log) = place.serve_and_log(&[]);
    assert_eq!(server.post("/refund?id=one&wait=30s", "", "{}").text("status"), "failed");
    let mut lines = Vec::new();
    until(&log, &mut lines, |line| line.contains("INFO workflow: execution started"));
    let warning = &lines[0];
    assert!(warning.starts_with("warning: `RUST_LOG=workflow=loud` is ignored: "), "{lines:#?}");
    assert!(warning.ends_with("; write a level such as `debug`, or `TARGET=LEVEL,…`"), "{lines:#?}");
}

#[cfg(feature = "restate")]
pub fn the_log_has_executions_on_restate() {
    let target = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder");
    let Some(restate) = restate_testing::server(target, None) else { return };
    let place = Place::new("logged-restate");
    let (_served, log) = place.serve_restate_and_log(&restate.ingress, &restate.admin, &["--log-format", "json"]);
    let run = ["run", "--id", "one", "--input", r#"{"do": "wait", "events": 0}"#];
    let (status, _, error) = place.run(&[&run[..], &["--engine", "restate", "--ingress", &restate.ingress]].concat());
    assert_eq!(status, 0, "{error}");
    let mut lines = Vec::new();
    until(&log, &mut lines, |line| line.contains("execution succeeded"));
    let lines: Vec<Value> = lines.iter().map(|line| Value::from_json(line).expect("JSON")).collect();
    let started = lines.iter().find(|line| line.get("message") == Some(&"execution started".into()));
    assert_eq!(started.and_then(|line| line.get("execution")), Some(&"one".into()), "{lines:?}");
}
