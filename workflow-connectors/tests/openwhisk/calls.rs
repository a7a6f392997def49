//! Calls of actions on a local server: requests, responses, and failures.

use std::time::{Duration, Instant};

use crate::support::{KEY, Reply, Server, answer, ok};
use workflow_connectors::OpenWhisk;
use workflow_runtime::{Fault, Value, value};

const PAY: &str = "POST /api/v1/namespaces/_/actions/pay?blocking=true&result=true";
const RECORD: &str = "GET /api/v1/namespaces/_/activations/a1b2";

/// Calls `pay` with these replies. A fault must not contain the key.
async fn pay(replies: impl IntoIterator<Item = Reply>) -> (Result<Value, Fault>, Vec<String>) {
    let server = Server::start(replies).await;
    let outcome = server.client().call("pay", value!({})).await;
    if let Err(fault) = &outcome {
        assert_contains_no_key(&format!("{fault} {fault:?}"));
    }
    (outcome, server.lines())
}

fn assert_contains_no_key(text: &str) {
    assert!(!text.contains("hidden") && !text.contains("MjNiYzQ2YjE6"), "{text}");
}

fn named(outcome: &Result<Value, Fault>) -> (&str, String) {
    let fault = outcome.as_ref().unwrap_err();
    (fault.error().unwrap_or_default(), fault.to_string())
}

#[tokio::test]
async fn parameters_are_posted_and_the_result_comes_back() {
    let server = Server::start((0..4).map(|_| ok(r#"{"paid": 9007199254740993}"#))).await;
    let openwhisk = server.builder().namespace("home").build().unwrap();
    let paid = openwhisk.call("/_/shop/pay", value!({ "amount": 1.5, "to": "Zoë" })).await;
    assert_eq!(paid, Ok(value!({ "paid": 9007199254740993_i64 })));
    openwhisk.call("/whisk.system/utils/echo", value!(null)).await.unwrap();
    openwhisk.call("pay", value!([1])).await.unwrap();
    openwhisk.call("a b.app", value!({})).await.unwrap();
    let requests = server.requests();
    let lines: Vec<&str> = requests.iter().map(|request| &*request.line).collect();
    assert_eq!(
        lines,
        [
            "POST /api/v1/namespaces/home/actions/shop/pay?blocking=true&result=true",
            "POST /api/v1/namespaces/whisk.system/actions/utils/echo?blocking=true&result=true",
            "POST /api/v1/namespaces/home/actions/pay?blocking=true&result=true",
            "POST /api/v1/namespaces/home/actions/a%20b.app?blocking=true&result=true",
        ]
    );
    let bodies: Vec<&str> = requests.iter().map(|request| &*request.body).collect();
    assert_eq!(bodies, [r#"{"amount":1.5,"to":"Zoë"}"#, "{}", r#"{"value":[1]}"#, "{}"]);
    for request in &requests {
        // Header, in lower case as the server stores it.
        let key = "basic MjNiYzQ2YjE6aGlkZGVuLTEyM3pPM3ha".to_ascii_lowercase();
        assert!(request.headers.contains(&format!("authorization: {key}")), "{}", request.headers);
        assert!(request.headers.contains("content-type: application/json"), "{}", request.headers);
    }
}

#[tokio::test]
async fn a_malformed_name_is_refused_before_anything_is_sent() {
    let server = Server::start([]).await;
    let outcome = server.client().call("shop//pay", value!({})).await;
    assert_eq!(named(&outcome).0, "OpenWhisk.InvalidName");
    assert!(named(&outcome).1.contains("its package is empty"));
    assert_eq!(server.lines().len(), 0);
}

#[tokio::test]
async fn the_error_of_an_action_comes_back_without_its_siblings() {
    let body = r#"{"error": {"code": 42}, "trace": "long"}"#;
    let (outcome, lines) = pay([answer("502 Bad Gateway", "X-OpenWhisk-Activation-Id: a1b2\r\n", body)]).await;
    assert_eq!(outcome.unwrap_err().to_error(), value!({ "code": 42 }));
    assert_eq!(lines, [PAY]);
}

#[tokio::test]
async fn what_the_platform_says_of_a_result_that_is_no_dictionary_is_an_error_of_the_action() {
    let body = r#"{"error": "The action did not return a dictionary."}"#;
    let (outcome, _) = pay([answer("502 Bad Gateway", "", body)]).await;
    assert_eq!(outcome.unwrap_err().to_error(), value!("The action did not return a dictionary."));
    // Later platforms allow an array as the result.
    assert_eq!(pay([ok("[1, 2]")]).await.0, Ok(value!([1, 2])));
}

#[tokio::test]
async fn a_missing_action_is_named() {
    let body = r#"{"code": "tid", "error": "The requested resource does not exist."}"#;
    let (outcome, lines) = pay([answer("404 Not Found", "", body)]).await;
    let text = "OpenWhisk.NotFound: `pay`: action not found (404): The requested resource does not exist.";
    assert_eq!(outcome.unwrap_err().to_string(), text);
    assert_eq!(lines, [PAY]);
}

#[tokio::test]
async fn a_refused_key_is_not_shown_even_if_the_platform_returns_it() {
    for status in ["401 Unauthorized", "403 Forbidden"] {
        let body = format!(r#"{{"error": "not {KEY}, Basic MjNiYzQ2YjE6aGlkZGVuLTEyM3pPM3ha"}}"#);
        let (outcome, lines) = pay([answer(status, "", &body)]).await;
        assert_eq!(named(&outcome).0, "OpenWhisk.Unauthorized");
        assert!(named(&outcome).1.contains("the API key") && named(&outcome).1.ends_with("not …, Basic …"));
        assert_eq!(lines, [PAY]);
    }
    let server = Server::start([]).await;
    assert_contains_no_key(&format!("{:?} {:?}", server.builder(), server.client()));
}

#[tokio::test]
async fn a_run_that_takes_longer_is_asked_for_until_it_is_over() {
    let record = r#"{"activationId": "a1b2", "logs": [], "response": {"result": {"paid": true}, "success": true}}"#;
    let accepted = || answer("202 Accepted", "", r#"{"activationId": "a1b2"}"#);
    let not_yet = || answer("404 Not Found", "", r#"{"error": "The requested resource does not exist."}"#);
    let (outcome, lines) = pay([accepted(), not_yet(), ok(record)]).await;
    assert_eq!(outcome, Ok(value!({ "paid": true })));
    assert_eq!(lines, [PAY, RECORD, RECORD]);

    // Polling has no effect, so it survives failures that an invocation does not.
    let failed = r#"{"response": {"result": {"error": ["no", 1]}, "success": false, "status": "application error"}}"#;
    let broken = || answer("500 Internal Server Error", "Retry-After: 0\r\n", "");
    let (outcome, lines) = pay([accepted(), broken(), ok(failed)]).await;
    assert_eq!(outcome.unwrap_err().to_error(), value!(["no", 1]));
    assert_eq!(lines, [PAY, RECORD, RECORD]);
}

#[tokio::test]
async fn a_run_that_is_not_over_in_time_is_named() {
    let server = Server::start([
        answer("202 Accepted", "", r#"{"activationId": "a1b2"}"#),
        answer("503 Service Unavailable", "", ""),
    ])
    .await;
    // The run ends between the first and the second poll.
    let openwhisk = server.builder().timeout(Duration::from_millis(290)).build().unwrap();
    let outcome = openwhisk.call("pay", value!({})).await;
    assert_eq!(
        named(&outcome),
        (
            "States.Timeout",
            "States.Timeout: `pay` did not complete within 290.0ms, and may still run as the activation `a1b2`; the last request for its outcome failed: the platform responded with status 503"
                .to_owned()
        )
    );
}

#[tokio::test]
async fn what_was_not_carried_out_is_sent_once_more() {
    let throttled = || answer("429 Too Many Requests", "Retry-After: 0\r\n", r#"{"error": "Too many requests."}"#);
    let (outcome, lines) = pay([throttled(), throttled(), ok("{}")]).await;
    assert_eq!((outcome, lines.len()), (Ok(value!({})), 3));

    let (outcome, lines) = pay([answer("503 Service Unavailable", "", ""), ok("{}")]).await;
    assert_eq!((outcome, lines.len()), (Ok(value!({})), 2));

    let (outcome, lines) = pay((0..4).map(|_| throttled())).await;
    assert_eq!(named(&outcome).0, "OpenWhisk.Throttled");
    assert!(named(&outcome).1.ends_with("too many requests (429): Too many requests."));
    assert_eq!(lines.len(), 4);
}

#[tokio::test]
async fn nobody_waits_longer_than_there_is_time() {
    let server = Server::start([answer("429 Too Many Requests", "Retry-After: 3600\r\n", "")]).await;
    let begun = Instant::now();
    let outcome = server.client().call("pay", value!({})).await;
    assert_eq!(named(&outcome).0, "OpenWhisk.Throttled");
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn what_may_have_run_is_sent_once() {
    for status in ["500 Internal Server Error", "502 Bad Gateway", "504 Gateway Timeout", "408 Request Timeout"] {
        let (outcome, lines) = pay([answer(status, "Retry-After: 0\r\n", "")]).await;
        assert_eq!((named(&outcome).0, lines.len()), ("OpenWhisk.Failed", 1), "{status}");
        assert!(named(&outcome).1.contains(&status[..3]) && named(&outcome).1.contains("may have run"));
    }
    let half = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"paid\":";
    for broken in ["", "HTTP/1.1 200 OK\r\nContent-", half, "no HTTP at all\r\n\r\n"] {
        let (outcome, lines) = pay([Reply::Broken(broken.to_owned())]).await;
        assert_eq!((named(&outcome).0, lines.len()), ("OpenWhisk.Disconnected", 1), "{broken}");
        assert!(named(&outcome).1.contains("the action may have run"), "{}", named(&outcome).1);
    }
}

#[tokio::test]
async fn a_connection_that_is_used_again_and_breaks_is_no_reason_to_send_again() {
    let server = Server::start([ok("{}"), Reply::Broken(String::new())]).await;
    let openwhisk = server.client();
    openwhisk.call("pay", value!({})).await.unwrap();
    let outcome = openwhisk.call("pay", value!({})).await;
    assert_eq!((named(&outcome).0, server.lines().len()), ("OpenWhisk.Disconnected", 2));
}

#[tokio::test]
async fn a_host_where_nobody_listens_is_tried_again() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let openwhisk = OpenWhisk::builder().api_host(format!("http://{address}")).api_key(KEY).retries(1);
    let begun = Instant::now();
    let outcome = openwhisk.build().unwrap().call("pay", value!({})).await;
    assert_eq!(named(&outcome).0, "OpenWhisk.Unreachable");
    assert!(named(&outcome).1.contains("cannot connect to http://127.0.0.1:"));
    assert!(begun.elapsed() >= Duration::from_millis(100));
}

#[tokio::test]
async fn a_slow_answer_is_not_waited_for() {
    let server = Server::start([Reply::Silence]).await;
    let openwhisk = server.builder().timeout(Duration::from_millis(150)).build().unwrap();
    let outcome = openwhisk.call("pay", value!({})).await;
    let text = "States.Timeout: `pay` did not complete within 150.0ms, and may still run";
    assert_eq!(named(&outcome), ("States.Timeout", text.to_owned()));
}

#[tokio::test]
async fn who_no_longer_waits_gives_the_request_up() {
    let server = Server::start([Reply::Silence]).await;
    let openwhisk = server.client();
    let mut call = Box::pin(openwhisk.call("pay", value!({})));
    tokio::select! {
        outcome = &mut call => panic!("{outcome:?}"),
        () = server.arrived() => drop(call),
    }
    server.gone().await;
}

#[tokio::test]
async fn answers_are_read_up_to_a_limit() {
    let announced = Reply::Broken("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n{".to_owned());
    let chunks = format!(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{}",
        "21\r\n{0123456789012345678901234567890}\r\n".repeat(40)
    );
    for huge in [announced, Reply::Broken(chunks)] {
        let server = Server::start([huge]).await;
        let outcome = server.builder().max_response_bytes(1000).build().unwrap().call("pay", value!({})).await;
        let text = "OpenWhisk.InvalidResponse: `pay`: the response is larger than 1000 bytes";
        assert_eq!(named(&outcome), ("OpenWhisk.InvalidResponse", text.to_owned()));
    }
    let server = Server::start([ok("[1234567]"), ok("[12345678]")]).await;
    let openwhisk = server.builder().max_response_bytes(9).build().unwrap();
    assert_eq!(openwhisk.call("pay", value!({})).await, Ok(value!([1234567])));
    assert_eq!(named(&openwhisk.call("pay", value!({})).await).0, "OpenWhisk.InvalidResponse");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let other = Server::start([]).await;
    let headers = format!("Location: {}/elsewhere\r\n", other.address);
    for status in ["301 Moved Permanently", "307 Temporary Redirect"] {
        let (outcome, lines) = pay([answer(status, &headers, "")]).await;
        assert_eq!((named(&outcome).0, lines.len()), ("OpenWhisk.Rejected", 1));
        assert!(named(&outcome).1.contains("unexpected redirect"));
    }
    assert_eq!(other.lines().len(), 0);
}

#[tokio::test]
async fn a_result_that_is_not_json_is_reported() {
    for body in ["{\"paid\":", "<html>", "\u{feff}{}"] {
        let (outcome, _) = pay([ok(body)]).await;
        assert_eq!(named(&outcome).0, "OpenWhisk.InvalidResponse");
        assert!(named(&outcome).1.contains("the result is not JSON: "), "{}", named(&outcome).1);
    }
    let deep = "[".repeat(100_000);
    assert_eq!(named(&pay([ok(&deep)]).await.0).0, "OpenWhisk.InvalidResponse");
}
