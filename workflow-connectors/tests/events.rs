//! Events sent to a local server: deliveries, retries, and faults.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use workflow_connectors::HttpSink;
use workflow_runtime::event::EventSink as _;
use workflow_runtime::{Builder, CloudEvent, Fault, Value, include_workflow, value};

/// Starts a server with these status lines and headers, one connection each. An empty text sends
/// nothing.
struct Server {
    address: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    async fn start(answers: &[&'static str]) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}/default", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (kept, answers) = (requests.clone(), answers.to_vec());
        tokio::spawn(async move {
            for answer in answers {
                let (mut stream, _) = listener.accept().await.expect("a connection");
                let request = read(&mut stream).await;
                kept.lock().unwrap().push(request);
                match answer {
                    "" => drop(tokio::spawn(async move {
                        tokio::time::sleep(Duration::from_secs(60)).await;
                        drop(stream);
                    })),
                    answer => {
                        let answer = format!("HTTP/1.1 {answer}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
                        stream.write_all(answer.as_bytes()).await.expect("it is read");
                    }
                }
            }
        });
        Server { address, requests }
    }

    fn sink(&self) -> HttpSink {
        let sink = HttpSink::new(&self.address).expect("an address").timeout(Duration::from_millis(300));
        sink.token("s3cret").expect("a token").patience(Duration::from_secs(5))
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

/// Reads a request with its whole body.
async fn read(stream: &mut TcpStream) -> String {
    let (mut text, mut buffer) = (String::new(), [0; 4096]);
    loop {
        let length = stream.read(&mut buffer).await.expect("a request");
        text.push_str(std::str::from_utf8(&buffer[..length]).expect("it is text"));
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let announced = head.lines().find_map(|line| line.strip_prefix("content-length: ")).expect("a length");
        if length == 0 || body.len() == announced.parse::<usize>().expect("a number") {
            return text;
        }
    }
}

fn event() -> CloudEvent {
    CloudEvent::new("e-1", "/clinic", "clinic.discharged").subject("Discharged").data(value!({ "id": 7 }))
}

fn body(request: &str) -> Value {
    Value::from_json(request.split_once("\r\n\r\n").expect("a body").1).expect("it is JSON")
}

fn cause(outcome: Result<(), Fault>) -> String {
    let fault = outcome.expect_err("it is not delivered");
    assert_eq!(fault.error(), Some("Event.NotDelivered"));
    let message = format!("{fault} {fault:?}");
    assert!(!message.contains("s3cret") && !message.contains("/default"), "{message}");
    fault.to_string()
}

include_workflow!("flows/closed.sw.json", correlate: { orderId = "$.order.id" });

struct Nothing;

impl closed::Tasks for Nothing {}

/// Another execution can wait for the event ([R14](docs/serverless-workflow.md#r14)). CloudEvents
/// has attribute names in lower case.
#[tokio::test]
async fn what_an_execution_produces_has_its_correlation_value() {
    let server = Server::start(&["202 Accepted", "202 Accepted"]).await;
    let close = async |builder: Builder<closed::Closed>, id: &str| {
        let input = value!({ "order": { "id": id, "sum": 17 } });
        builder.sink(server.sink()).tasks(closed::Closed::bind(&Nothing)).run(input).await.expect("it succeeds");
    };
    close(Builder::<closed::Closed>::new(), "o-1").await;
    close(Builder::<closed::Closed>::new().correlate("o 2 \u{e9}"), "o-1").await;
    let attributes = |request: &String| {
        let event = CloudEvent::from_value(&body(request)).expect("an event");
        assert_eq!((&*event.kind, &*event.source, &event.data), ("order.closed", "/shop", &value!({ "sum": 17 })));
        assert!(!event.extensions.contains_key("orderId"));
        event.attribute("orderid")
    };
    let message: Vec<_> = server.requests().iter().map(attributes).collect();
    assert_eq!(message, [Some("o-1".into()), Some("o 2 \u{e9}".into())]);
}

#[tokio::test]
async fn an_event_arrives_in_the_structured_mode() {
    let server = Server::start(&["202 Accepted"]).await;
    server.sink().send(&event()).await.expect("it is taken");
    let requests = server.requests();
    let (head, _) = requests[0].split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("POST /default HTTP/1.1"), "{head}");
    assert!(head.contains("content-type: application/cloudevents+json; charset=utf-8"), "{head}");
    assert!(head.contains("authorization: Bearer s3cret"), "{head}");
    assert_eq!(body(&requests[0]), event().to_value());
}

#[tokio::test]
async fn it_is_sent_again_with_its_id_where_that_may_help() {
    let server =
        Server::start(&["503 Service Unavailable", "", "429 Too Many Requests\r\nretry-after: 0", "200 OK"]).await;
    server.sink().send(&event()).await.expect("it is taken");
    let ids: Vec<_> = server.requests().iter().map(|request| body(request).get("id").cloned()).collect();
    assert_eq!(ids, vec![Some("e-1".into()); 4]);
}

#[tokio::test]
async fn what_does_not_help_is_not_tried_again() {
    for (answer, message) in
        [("404 Not Found", "404 Not Found"), ("302 Found\r\nlocation: http://127.0.0.1:1/", "302 Found")]
    {
        let server = Server::start(&[answer, "200 OK"]).await;
        assert!(cause(server.sink().send(&event()).await).contains(message));
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn patience_has_an_end() {
    let server = Server::start(&["500 Internal Server Error"; 20]).await;
    let sink = server.sink().patience(Duration::from_millis(400));
    assert!(cause(sink.send(&event()).await).contains("500"));
    assert_eq!(server.requests().len(), 3);
    // Nobody listens at a port that was released.
    let address = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let sink = HttpSink::new(&format!("http://{address}/default")).unwrap().patience(Duration::ZERO);
    assert!(cause(sink.send(&event()).await).contains("cannot reach the sink"));
}

#[test]
fn addresses_and_tokens_that_cannot_be_used_are_refused() {
    for (address, message) in [
        ("broker", "is not a URL"),
        ("ftp://broker.example.com", "must start with http:// or https://"),
        ("https://me:hidden@broker.example.com", "use a token instead"),
        ("http://169.254.169.254/hidden", "which must be allowed explicitly"),
        ("http://[64:ff9b:1::a9fe:a9fe]/hidden", "which must be allowed explicitly"),
    ] {
        let error = HttpSink::new(address).expect_err(address).to_string();
        assert!(error.contains(message) && !error.contains("hidden"), "{error}");
    }
    assert!(HttpSink::new("http://localhost").unwrap().token("a\nb").is_err());
    let large = HttpSink::new("http://localhost").unwrap().token("x".repeat(20_000)).unwrap_err();
    assert_eq!(large.to_string(), "the token of the sink has 20000 bytes; the maximum is 16384");
    assert!(HttpSink::at_link_local("http://169.254.1.1").is_ok());
}
