//! Responses: results and faults.

use crate::support::{Reply, SECRET, Server, answer, get, named, ok, post};
use workflow_runtime::{Value, value};

async fn answered(reply: Reply) -> Result<Value, workflow_runtime::Fault> {
    let server = Server::start([reply]).await;
    let outcome = server.client().send(&get(), value!({ "id": 1 }), None, None).await;
    assert_eq!(server.lines().len(), 1, "a request is sent once");
    outcome
}

#[tokio::test]
async fn results() {
    assert_eq!(answered(ok("[1, null]")).await, Ok(value!([1, null])));
    assert_eq!(answered(answer("201 Created", "text/plain; charset=utf-8", "grün")).await, Ok(value!("grün")));
    assert_eq!(answered(ok("")).await, Ok(Value::Null));
    assert_eq!(answered(Reply::Answer("HTTP/1.1 204 No Content\r\n\r\n".to_owned())).await, Ok(Value::Null));
    let chunked = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[1\r\n2\r\n,2\r\n1\r\n]\r\n0\r\n\r\n";
    assert_eq!(answered(Reply::Answer(chunked.to_owned())).await, Ok(value!([1, 2])));
}

#[tokio::test]
async fn refusals_are_faults_that_handlers_can_distinguish() {
    let outcome = answered(answer("404 Not Found", "application/problem+json", r#"{"title": "no such thing"}"#)).await;
    assert_eq!(named(&outcome).0, "Http.StatusCode.404");
    let cause = outcome.unwrap_err().cause().cloned();
    assert_eq!(cause, Some(value!({ "status": 404, "body": { "title": "no such thing" } })));
    // A server that echoes its request.
    let echo = answer("500 Internal Server Error", "text/plain", &format!("Authorization: Bearer {SECRET}"));
    let outcome = answered(echo).await;
    assert_eq!(named(&outcome).0, "Http.StatusCode.500");
    let cause = outcome.unwrap_err().cause().cloned();
    assert_eq!(cause, Some(value!({ "status": 500, "body": "Authorization: Bearer …" })));
    let moved = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/elsewhere\r\nContent-Length: 0\r\n\r\n".to_owned();
    let outcome = answered(Reply::Answer(moved)).await;
    assert_eq!(outcome.unwrap_err().cause(), Some(&value!({ "status": 302, "body": null })));
}

#[tokio::test]
async fn one_attempt_is_one_request() {
    let replies = [answer("500 Oh", "application/json", "{}"), answer("503 Busy", "text/plain", ""), ok("1")];
    let server = Server::start(replies).await;
    let rest = server.client();
    let mut outcomes = Vec::new();
    for _ in 0..3 {
        let outcome = rest.send(&post(), value!({ "id": 1 }), None, Some("the/same/1-0")).await;
        outcomes.push(outcome.map_err(|fault| fault.error().unwrap_or_default().to_owned()));
    }
    let failed = |name: &str| Err(name.to_owned());
    assert_eq!(outcomes, [failed("Http.StatusCode.500"), failed("Http.StatusCode.503"), Ok(value!(1))]);
    let keys: Vec<Option<String>> =
        server.requests().iter().map(|request| request.header("idempotency-key").map(str::to_owned)).collect();
    assert_eq!(keys, vec![Some("the/same/1-0".to_owned()); 3]);
}

#[tokio::test]
async fn garbage_is_reported() {
    for (reply, expected) in [
        (ok("<html>"), "Http.InvalidResponse: `apis/bank.json#op`: the response is not JSON: "),
        (
            answer("200 OK", "application/xml", "<a/>"),
            "Http.InvalidResponse: `apis/bank.json#op`: the response has the type `application/xml`, which is neither JSON nor text",
        ),
        (
            Reply::Broken("SSH-2.0-OpenSSH_9.9\r\n".to_owned()),
            "Http.Socket: `apis/bank.json#op`: lost the connection to http://127.0.0.1:",
        ),
        (
            Reply::Broken("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[1".to_owned()),
            "Http.Socket: `apis/bank.json#op`: the connection was lost while the response was read",
        ),
        (Reply::Broken(String::new()), "Http.Socket: `apis/bank.json#op`: lost the connection to http://127.0.0.1:"),
    ] {
        let (_, message) = named(&answered(reply).await);
        assert!(message.starts_with(expected), "{message}");
    }
}

#[tokio::test]
async fn answers_that_are_too_large_are_not_read() {
    let announced = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2147483648\r\n\r\n[";
    let chunked = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    for reply in [Reply::Broken(announced.to_owned()), Reply::Endless(chunked.to_owned())] {
        let server = Server::start([reply]).await;
        let rest = server.builder().max_response_bytes(1 << 20).build().unwrap();
        let (_, message) = named(&rest.send(&get(), value!({ "id": 1 }), None, None).await);
        assert_eq!(message, "Http.TooLarge: `apis/bank.json#op`: the response is larger than 1048576 bytes");
    }
    // A fault contains the start of an error response.
    let endless = chunked.replace("200 OK", "502 Bad Gateway").replace("application/json", "text/html");
    let outcome = answered(Reply::Endless(endless)).await;
    assert_eq!(named(&outcome).0, "Http.StatusCode.502");
    let fault = outcome.unwrap_err();
    let body = fault.cause().and_then(|cause| cause.get("body")).and_then(Value::as_str).unwrap();
    assert_eq!(body.chars().count(), (16 << 10) + 1);
}
