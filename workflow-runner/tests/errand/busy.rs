//! A server whose executions compute and never wait: it still answers, and ends on a signal.

use std::time::{Duration, Instant};

use workflow_runtime::{include_workflow, value};

#[cfg(unix)]
use crate::logged::until;
use crate::program::{Place, Program};

include_workflow!("tests/errand/flows/spin.asl.json");
include_workflow!("tests/errand/flows/deep.sw.json");

/// The number of computing executions: more than the machine has processors.
const SPINNING: usize = 8;

fn spin(server: &Program) {
    let input = value!({ "text": "x".repeat(9_000) }).to_string();
    for number in 0..SPINNING {
        assert_eq!(server.post(&format!("/spin?id=spin-{number}"), "", &input).status, 201);
    }
}

/// Returns `true` if the program runs in the folder of the test of the time limit.
pub fn is_limited() -> bool {
    std::env::current_dir().is_ok_and(|folder| folder.to_string_lossy().contains("errand-busy-limit-"))
}

/// The longest median time for `/health`. It is far above the expected time of a few milliseconds,
/// so that a busy machine keeps it, and far below the time that the server computes.
const HEALTHY: Duration = Duration::from_millis(500);

/// Checks that half of fifty answers of `/health` or more arrive in time. Prints the median, which
/// `cargo xtask bench server` compares with a narrower limit.
fn check_health(server: &Program, meanwhile: &str) {
    let ask = |_| {
        let started = Instant::now();
        assert_eq!(server.get("/health").status, 200);
        started.elapsed()
    };
    let mut health: Vec<Duration> = (0..50).map(ask).collect();
    health.sort_unstable();
    let median = health[health.len() / 2];
    println!("/health while {meanwhile}: {} ms", median.as_secs_f64() * 1e3);
    assert!(median < HEALTHY, "the median is {median:?}, and the longest time {:?}", health[health.len() - 1]);
}

/// Checks that the server answers in time.
pub fn a_server_answers_while_every_worker_computes() {
    let place = Place::new("busy");
    let server = place.serve(&[]);
    spin(&server);
    check_health(&server, "all workers compute");
    let started = Instant::now();
    assert_eq!(server.post("/errand?id=other", "", r#"{"do": "wait", "events": 1}"#).status, 201);
    // Its turn comes between the turns of the computing executions.
    server.until("/executions/other", |answer| answer.text("status") == "running");
    let took = started.elapsed();
    assert!(took < Duration::from_secs(10), "it took {took:?}");
    // The execution has not waited yet, so no progress of it is stored.
    assert_eq!(server.get("/executions/spin-0").text("status"), "queued");
}

#[cfg(unix)]
pub fn a_server_ends_in_time_while_every_worker_computes() {
    let place = Place::new("busy-end");
    let mut server = place.serve(&["--grace", "1s"]);
    spin(&server);
    let took = server.terminate();
    assert!(took < Duration::from_secs(10), "it took {took:?}");
}

/// Checks that a second signal does not wait for the grace. The turns of the executions compute
/// for over a minute.
#[cfg(unix)]
pub fn a_second_signal_ends_a_server_at_once() {
    for (first, second) in [("TERM", "TERM"), ("INT", "INT")] {
        let place = Place::new(&format!("busy-twice-{first}"));
        let (mut server, log) = place.serve_and_log(&["--grace", "300s"]);
        spin(&server);
        let mut lines = Vec::new();
        server.signal(first);
        until(&log, &mut lines, |line| line == "shutting down: waiting for running tasks");
        let started = Instant::now();
        server.signal(second);
        server.wait();
        let took = started.elapsed();
        assert!(took < Duration::from_secs(10), "it took {took:?}");
        until(&log, &mut lines, |line| line == "ended without waiting");
    }
}

/// Checks that a turn beyond the time limit ends, and that the execution fails with an error name.
pub fn an_execution_that_computes_for_too_long_fails() {
    let place = Place::new("busy-limit");
    let server = place.serve(&[]);
    let input = value!({ "text": "x".repeat(9_000) }).to_string();
    assert_eq!(server.post("/spin?id=spin", "", &input).status, 201);
    let result = server.get("/executions/spin/result?wait=60s");
    assert_eq!(result.text("status"), "failed");
    assert_eq!(result.at(&["outcome", "error"]).as_str(), Some("Workflow.TurnLimitExceeded"));
}

/// Checks that the server answers while it validates inputs against a schema that takes
/// exponential time, and that the validations end.
pub fn a_server_answers_while_it_checks_inputs() {
    let place = Place::new("busy-inputs");
    let server = place.serve(&[]);
    let shallow = value!({ "a": { "b": null } }).to_string();
    assert_eq!(server.post("/deep?id=shallow", "", &shallow).status, 201);
    let deep = format!("{}null{}", "{\"a\":".repeat(60), "}".repeat(60));
    let server = &server;
    std::thread::scope(|scope| {
        let posts: Vec<_> = (0..SPINNING).map(|_| scope.spawn(|| server.post("/deep", "", &deep))).collect();
        std::thread::sleep(Duration::from_millis(500));
        check_health(server, "it checks inputs");
        for post in posts {
            let answer = post.join().expect("an answer");
            assert_eq!(answer.status, 422, "{}", answer.body);
            assert!(answer.body.to_string().contains("takes too long"), "{}", answer.body);
        }
    });
}
