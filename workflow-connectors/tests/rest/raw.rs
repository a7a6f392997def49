//! Requests written out in definitions, without a document.

use std::time::{Duration, Instant};

use crate::order::Order;
use crate::support::{Reply, SECRET, Server, answer, answered, named, ok};
use workflow_connectors::Rest;
use workflow_connectors::rest::RestService;
use workflow_runtime::operation::{Http, SecretHeader};
use workflow_runtime::{Fault, Value, value};

const PLAIN: Http = Http::new("GET", "https://api.example.com/orders/").goes_on();
const SECRETS: Http =
    PLAIN.secrets(&[SecretHeader::new("Authorization", "Bearer ", "token"), SecretHeader::new("X-Key", "", "KEY")]);

/// Sends a request to a path of a server.
async fn send(rest: &Rest, server: &Server, path: &str) -> Result<Value, Fault> {
    let input = value!({ "method": "GET", "url": format!("{}{path}", server.address) });
    rest.send_http(&SECRETS, input, Some(Duration::from_secs(20)), None, 1).await
}

async fn replied(replies: impl IntoIterator<Item = Reply>) -> Result<Value, Fault> {
    let server = Server::start(replies).await;
    let outcome = send(&server.client(), &server, "/v1/orders").await;
    assert_eq!(server.lines(), ["GET /v1/orders"], "a request is sent once");
    outcome
}

#[tokio::test]
async fn what_is_sent_is_what_the_input_says() {
    let server = Server::start([ok("{}"), ok("{}"), ok("{}")]).await;
    let rest = server.client();
    let input = value!({
        "method": "POST",
        "url": format!("{}/v1/orders?a=b", server.address),
        "query": { "q": "c d", "n": 1, "none": null },
        "headers": { "X-Trace": 7, "X-None": null, "authorization": "from data" },
        "body": { "items": [1, null] },
    });
    rest.send_http(&SECRETS, input, None, Some("shop/e1/0-1"), 3).await.unwrap();
    let body = value!({ "method": "PUT", "url": format!("{}/v1", server.address), "query": null, "body": null });
    rest.send_http(&PLAIN, body, None, None, 1).await.unwrap();
    let text = value!({
        "method": "PATCH",
        "url": format!("{}/v1/", server.address),
        "headers": { "Content-Type": "text/csv", "Idempotency-Key": "own", "X-Trace": ["a", "b"] },
        "body": "a;b",
    });
    rest.send_http(&PLAIN, text, None, Some("k"), 1).await.unwrap();
    let requests = server.requests();
    assert_eq!(requests[0].line, "POST /v1/orders?a=b&q=c%20d&n=1");
    assert_eq!(requests[0].body, r#"{"items":[1,null]}"#);
    let bearer = format!("Bearer {SECRET}");
    for (name, value) in [
        ("authorization", Some(&*bearer)),
        ("x-key", Some(SECRET)),
        ("x-trace", Some("7")),
        ("x-none", None),
        ("content-type", Some("application/json")),
        ("idempotency-key", Some("shop/e1/0-1")),
        ("workflow-attempt", Some("3")),
    ] {
        assert_eq!(requests[0].header(name), value, "{name}");
    }
    assert_eq!((&*requests[1].line, &*requests[1].body), ("PUT /v1", "null"));
    assert_eq!((requests[1].header("authorization"), requests[1].header("idempotency-key")), (None, None));
    assert_eq!((&*requests[2].body, requests[2].header("content-type")), ("a;b", Some("text/csv")));
    assert_eq!(requests[2].header("idempotency-key"), Some("own"));
    assert_eq!(requests[2].headers.iter().filter(|(name, _)| name == "x-trace").count(), 2);
}

#[tokio::test]
async fn results_are_status_headers_and_body() {
    let replied_with = |status: &str, kind: &str, body: &str| replied([answer(status, kind, body)]);
    let expected = |status: i64, kind: &str, length: &str, body: Value| {
        Ok(value!({ "status": status, "headers": { "content-type": kind, "content-length": length }, "body": body }))
    };
    let json = "application/json";
    assert_eq!(replied_with("200 OK", json, r#"{"id": 7}"#).await, expected(200, json, "9", value!({ "id": 7 })));
    assert_eq!(replied_with("201 Created", "text/html", "<p>").await, expected(201, "text/html", "3", value!("<p>")));
    assert_eq!(replied_with("202 Accepted", json, "").await, expected(202, json, "0", Value::Null));
    let cookies = "HTTP/1.1 204 No Content\r\nSet-Cookie: a=b\r\nVia: 1.1 a\r\nVIA: 1.1 b\r\n\r\n";
    let outcome = replied([Reply::Answer(cookies.to_owned())]).await;
    assert_eq!(outcome, Ok(value!({ "status": 204, "headers": { "via": "1.1 a, 1.1 b" }, "body": null })));
}

#[tokio::test]
async fn errors_are_faults_that_have_all_of_the_answer() {
    let server = Server::start([answer("500 Oh", "application/problem+json", r#"{"why": [1]}"#), ok("[2]")]).await;
    let rest = server.client();
    let outcome = send(&rest, &server, "/v1/orders").await;
    assert_eq!(named(&outcome).0, "Http.StatusCode.500");
    let headers = value!({ "content-type": "application/problem+json", "content-length": "12" });
    let expected = value!({ "status": 500, "headers": headers, "body": { "why": [1] } });
    assert_eq!(outcome.unwrap_err().cause(), Some(&expected));
    let again = send(&rest, &server, "/v1/orders").await.unwrap();
    assert_eq!((again.get("status"), again.get("body")), (Some(&value!(200)), Some(&value!([2]))));
    assert_eq!(server.lines().len(), 2);
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let other = Server::start([]).await;
    let to = format!("HTTP/1.1 307 Over There\r\nLocation: {}/v1/\r\nContent-Length: 0\r\n\r\n", other.address);
    let server = Server::start([Reply::Answer(to)]).await;
    let rest = Rest::builder().service("a", server.service()).service("b", other.service()).build().unwrap();
    let outcome = send(&rest, &server, "/v1/orders").await;
    assert_eq!(named(&outcome).0, "Http.StatusCode.307");
    let location = Value::from(format!("{}/v1/", other.address));
    let location_header = outcome.unwrap_err().cause().and_then(|cause| cause.get("headers")?.get("location").cloned());
    assert_eq!(location_header, Some(location));
    assert_eq!((server.lines().len(), other.lines().len()), (1, 0));
}

#[tokio::test]
async fn slow_servers_are_given_up() {
    let slow = Reply::Endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_owned());
    let late = Reply::Late(Duration::from_secs(30), answered("200 OK", "text/plain", "late"));
    for reply in [Reply::Silence, late, slow] {
        let server = Server::start([reply]).await;
        let rest = server.builder().max_response_bytes(usize::MAX).timeout(Duration::from_millis(300)).build().unwrap();
        let before = Instant::now();
        let (name, message) = named(&send(&rest, &server, "/v1/orders").await);
        assert_eq!(name, "States.Timeout");
        let expected =
            "`GET https://api.example.com/orders/…`: no response within 300.0ms; the request may still be processed";
        assert!(message.ends_with(expected), "{message}");
        assert!(before.elapsed() < Duration::from_secs(10));
    }
}

#[tokio::test]
async fn garbage_is_reported_as_such() {
    for (reply, expected, part) in [
        (Reply::Broken("what?\r\n\r\n".to_owned()), "Http.Socket", "lost the connection to http://127.0.0.1:"),
        (Reply::Broken(String::new()), "Http.Socket", "lost the connection to http://127.0.0.1:"),
        (Reply::Broken("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1".to_owned()), "Http.Socket", "was read"),
        (ok("<html>"), "Http.InvalidResponse", "the response is not JSON: "),
        (ok(&"[".repeat(100_000)), "Http.InvalidResponse", "the response is not JSON: "),
        (answer("200 OK", "text/plain; charset=utf-16", "a"), "Http.InvalidResponse", "only UTF-8 is supported"),
    ] {
        let outcome = replied([reply]).await;
        let (name, text) = named(&outcome);
        assert!(name == expected && text.contains(part), "{text}");
        if expected == "Http.InvalidResponse" {
            let (kind, problem) = unread(&outcome);
            assert!(kind.is_some_and(|kind| !kind.is_null()), "{outcome:?}");
            assert!(
                problem.starts_with("`GET https://api.example.com/orders/…`: ") && problem.contains(part),
                "{problem}"
            );
        }
    }
}

/// Returns the `Content-Type` and the problem of a success with an unreadable body.
fn unread(outcome: &Result<Value, Fault>) -> (Option<Value>, String) {
    let cause = outcome.as_ref().unwrap_err().cause().cloned().unwrap_or_default();
    assert_eq!((cause.get("status"), cause.get("body")), (Some(&value!(200)), Some(&Value::Null)), "{cause}");
    let kind = cause.get("headers").and_then(|headers| headers.get("content-type")).cloned();
    (kind, cause.get("problem").and_then(Value::as_str).unwrap_or_default().to_owned())
}

#[tokio::test]
async fn large_answers_are_not_read_to_their_end() {
    let most = 1 << 20;
    let head = |status: &str, more: &str| format!("HTTP/1.1 {status}\r\nContent-Type: text/plain\r\n{more}\r\n\r\n");
    // Two gigabytes, announced or not.
    for reply in [
        Reply::Broken(head("200 OK", "Content-Length: 2147483648")),
        Reply::Endless(head("200 OK", "Transfer-Encoding: chunked")),
    ] {
        let server = Server::start([reply]).await;
        let rest = server.builder().max_response_bytes(most).build().unwrap();
        let outcome = send(&rest, &server, "/v1/orders").await;
        assert_eq!(named(&outcome).0, "Http.TooLarge");
        let (kind, message) = unread(&outcome);
        assert_eq!(kind, Some(value!("text/plain")));
        assert!(message.ends_with(&format!("the response is larger than {most} bytes")), "{message}");
    }
    // A fault contains the start of an error response.
    let outcome = replied([Reply::Endless(head("503 Busy", "Transfer-Encoding: chunked"))]).await;
    assert_eq!(named(&outcome).0, "Http.StatusCode.503");
    let length = outcome.unwrap_err().cause().and_then(|cause| cause.get("body")?.as_str().map(str::len));
    assert!(length.is_some_and(|length| length > 10_000 && length <= (16 << 10) + '…'.len_utf8()), "{length:?}");
    let many = format!("X-Long: {}\r\n", "y".repeat(9000)).repeat(8);
    let outcome = replied([Reply::Answer(head("200 OK", &format!("{many}Content-Length: 0")))]).await;
    assert_eq!(named(&outcome).0, "Http.TooLarge");
    let (kind, message) = unread(&outcome);
    assert_eq!(kind, None);
    assert!(message.ends_with("the headers of the response are larger than 65536 bytes"), "{message}");
}

#[tokio::test]
async fn secrets_are_sent_to_nobody_but_the_service() {
    let body = format!(r#"{{"sent": ["Bearer {SECRET}"]}}"#);
    let echo = format!(
        "HTTP/1.1 401 No\r\nX-Sent: Bearer {SECRET}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let outcome = replied([Reply::Answer(echo)]).await;
    assert_eq!(named(&outcome).0, "Http.StatusCode.401");
    let cause = outcome.unwrap_err().cause().cloned().unwrap_or_default();
    assert_eq!(cause.get("headers").and_then(|headers| headers.get("x-sent")), Some(&value!("Bearer …")));
    assert_eq!(cause.get("body"), Some(&value!({ "sent": ["Bearer …"] })));
    // A successful response becomes data, which is stored and shown.
    let head = format!("HTTP/1.1 200 OK\r\nX-Sent: {SECRET}\r\nContent-Type:");
    for (kind, body, expected) in [
        ("application/json", format!(r#"{{"sent": ["Bearer {SECRET}"]}}"#), value!({ "sent": ["Bearer …"] })),
        ("application/json", format!(r#"[{{"{SECRET}": 1}}]"#), value!([{ "…": 1 }])),
        ("text/html", format!("<p>{SECRET}</p>"), value!("<p>…</p>")),
    ] {
        let answer = format!("{head} {kind}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let output = replied([Reply::Answer(answer)]).await.unwrap();
        assert_eq!(output.get("body"), Some(&expected));
        assert_eq!(output.get("headers").and_then(|headers| headers.get("x-sent")), Some(&value!("…")));
    }
    let kind = format!("image/{SECRET}");
    let (name, message) =
        named(&replied([Reply::Answer(format!("{head} {kind}; charset=a\r\nContent-Length: 1\r\n\r\na"))]).await);
    assert!(
        name == "Http.InvalidResponse" && message.contains("the response has the type `image/…; charset=a`"),
        "{message}"
    );
    let server = Server::start([]).await;
    let sent = async |service: RestService| {
        let rest = Rest::builder().service("the bank", service).build().unwrap();
        assert!(!format!("{rest:?}").contains("hidden"));
        named(&send(&rest, &server, "/v1/orders").await)
    };
    let bare = || RestService::new(&server.address);
    let (name, message) = sent(bare().credentials("token", "hidden")).await;
    assert_eq!(name, "Http.NotConfigured");
    let expected = format!("missing secret `KEY` for {}: set `WORKFLOW_REST_THE_BANK_KEY`", server.address);
    assert!(message.ends_with(&expected), "{message}");
    let (name, message) = sent(bare().credentials("token", "hidden\nX-Admin: 1").credentials("key", "hidden")).await;
    assert_eq!(name, "Http.NotConfigured");
    assert!(message.ends_with("the secret `token` contains characters that are not allowed in a header"), "{message}");
    // An invalid header name is not blamed on the secret.
    const NAMELESS: Http = PLAIN.secrets(&[SecretHeader::new("X Key", "", "token")]);
    const HOST: Http = PLAIN.secrets(&[SecretHeader::new("host", "", "token")]);
    for (operation, expected) in
        [(NAMELESS, "the header `X Key` is invalid"), (HOST, "the header `host` is reserved for the connection")]
    {
        let input = value!({ "method": "GET", "url": format!("{}/v1/orders", server.address) });
        let (name, message) = named(&server.client().send_http(&operation, input, None, None, 1).await);
        assert!(name == "Http.InvalidArguments" && message.ends_with(expected), "{message}");
    }
    assert!(server.lines().is_empty());
}

#[tokio::test]
async fn other_addresses_than_those_of_services_are_not_called() {
    let (server, other) = (Server::start([ok("1")]).await, Server::start([]).await);
    let rest = server.client();
    let of = |url: &str| {
        let input = value!({ "method": "GET", "url": url });
        let rest = rest.clone();
        async move { rest.send_http(&PLAIN, input, None, None, 1).await }
    };
    let port = server.address.rsplit_once(':').unwrap().1;
    for (url, variable) in [
        (format!("{}/v1/orders", other.address), "127_0_0_1"),
        (format!("{}/v10/orders", server.address), "127_0_0_1"),
        (format!("{}/", server.address), "127_0_0_1"),
        (format!("http://localhost:{port}/v1/orders"), "LOCALHOST"),
        (format!("https://127.0.0.1:{port}/v1/orders"), "127_0_0_1"),
        ("https://api.example.com/v1".to_owned(), "API_EXAMPLE_COM"),
        ("http://169.254.169.254/latest/meta-data/".to_owned(), "169_254_169_254"),
        ("http://2852039166/v1".to_owned(), "169_254_169_254"),
        ("http://[fd00:ec2::254]/v1".to_owned(), "FD00_EC2__254"),
    ] {
        let (name, message) = named(&of(&url).await);
        assert_eq!(name, "Http.NotConfigured", "{url}");
        let expected = format!("is not allowed: set `WORKFLOW_REST_{variable}_URL` to the allowed address");
        assert!(message.ends_with(&expected), "{message}");
    }
    let away = format!("{}/v1/../admin", server.address);
    assert_eq!(named(&of(&away).await).0, "Http.InvalidArguments");
    let header = value!({ "method": "GET", "url": format!("{}/v1", server.address), "headers": { "Host": "a" } });
    let (name, message) = named(&rest.send_http(&PLAIN, header, None, None, 1).await);
    assert!(
        name == "Http.InvalidArguments" && message.ends_with("the header `Host` is reserved for the connection"),
        "{message}"
    );
    assert!(server.lines().is_empty() && other.lines().is_empty());
    assert!(of(&format!("{}/v1/orders", server.address)).await.is_ok());
}

/// Metadata addresses belong to no service in any notation, so they are never allowed.
#[tokio::test]
async fn metadata_are_no_service() {
    for url in [
        "http://169.254.169.254",
        "http://0xa9fea9fe",
        "http://[::ffff:a9fe:a9fe]",
        "http://[64:ff9b::a9fe:a9fe]",
        "http://[64:ff9b:1::a9fe:a9fe]",
        "http://[fe80::1]",
        "http://100.100.100.200",
    ] {
        let message = Rest::builder().service("a", RestService::new(url)).build().unwrap_err().to_string();
        assert!(
            message.ends_with("a link-local or metadata address, which must be allowed explicitly"),
            "{url}: {message}"
        );
    }
}

#[tokio::test]
async fn requests_of_the_definition_are_checked_before_anything_runs() {
    use workflow_runtime::machine::Task;
    use workflow_runtime::operation::Operation;
    const TOKEN: &[SecretHeader] = &[SecretHeader::new("Authorization", "", "token")];
    static WHOLE: Operation = Operation::Http(Http::new("GET", "https://api.example.com:444/v1/a").secrets(TOKEN));
    static OPEN: Operation =
        Operation::Http(Http::new("GET", "https://api.example.com:444/v").goes_on().secrets(TOKEN));
    static HOST: Operation = Operation::Http(Http::new("GET", "https://api.exa").goes_on());
    let service = |url: &str, token: bool| match token {
        true => RestService::new(url).credentials("token", "hidden"),
        false => RestService::new(url),
    };
    let check = |operation: &'static Operation, services: &[(&str, bool)]| {
        let add = |builder, (at, (url, token)): (usize, &(&str, bool))| {
            workflow_connectors::rest::RestBuilder::service(builder, &format!("s{at}"), service(url, *token))
        };
        let rest = services.iter().enumerate().fold(Rest::builder(), add).build().unwrap();
        rest.check_task(&Task::new(0, "a", "", "A", 1).operation(operation)).map_err(|error| error.to_string())
    };
    let forbidden = |what: &str| {
        Err(format!(
            "`GET {what}`: the address https://api.example.com:444 is not allowed: set `WORKFLOW_REST_API_EXAMPLE_COM_URL` to the \
             allowed address"
        ))
    };
    let missing = |what: &str, service: &str| {
        Err(format!(
            "`GET {what}`: missing secret `token` for https://api.example.com:444: set `WORKFLOW_REST_{service}_TOKEN`"
        ))
    };
    let (whole, open) = ("https://api.example.com:444/v1/a", "https://api.example.com:444/v…");
    let (v1, v2) = ("https://api.example.com:444/v1", "https://api.example.com:444/v2");
    assert_eq!(check(&HOST, &[]), Ok(()));
    assert_eq!(check(&WHOLE, &[]), forbidden(whole));
    assert_eq!(check(&OPEN, &[("https://api.example.com/v1", true)]), forbidden(open));
    assert_eq!(check(&WHOLE, &[(v2, true)]), forbidden(whole));
    assert_eq!(check(&WHOLE, &[(v1, true), (v2, false)]), Ok(()));
    assert_eq!(check(&WHOLE, &[(v1, false), (v2, true)]), missing(whole, "S0"));
    assert_eq!(check(&OPEN, &[(v1, false), (v2, true)]), Ok(()));
    assert_eq!(check(&OPEN, &[(v2, false)]), missing(open, "S0"));
}

/// Calls as engines do.
#[tokio::test]
async fn a_task_is_a_request() {
    let server = Server::start([ok(r#"{"id": 7}"#)]).await;
    let rest = server.client();
    rest.check(&crate::order::DEFINITION).unwrap();
    let input = value!({ "method": "GET", "url": format!("{}/v1/orders", server.address), "query": {}, "headers": {} });
    let output = workflow_runtime::Builder::<Order>::new().name("e1").tasks(&rest).run(input).await.unwrap();
    assert_eq!((output.get("status"), output.get("body")), (Some(&value!(200)), Some(&value!({ "id": 7 }))));
    let requests = server.requests();
    let key = requests[0].header("idempotency-key").unwrap();
    assert!(key.starts_with("order/e1/"), "{key}");
    assert_eq!(requests[0].header("workflow-attempt"), Some("1"));
    assert_eq!(requests[0].header("authorization"), Some(&*format!("Bearer {SECRET}")));
}
