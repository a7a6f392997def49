//! Services that cannot be reached, or are slow.

use std::time::{Duration, Instant};

use crate::support::{Reply, Server, answered, get, named, ok};
use tokio::net::TcpListener;
use workflow_connectors::Rest;
use workflow_connectors::rest::RestService;
use workflow_runtime::value;

#[tokio::test]
async fn nobody_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let rest =
        Rest::builder().service("bank", RestService::new(&address).credentials("token", "hidden")).build().unwrap();
    let (name, message) = named(&rest.send(&get(), value!({ "id": 1 }), None, None).await);
    assert_eq!(name, "Http.Socket");
    assert!(
        message.starts_with(&format!("Http.Socket: `apis/bank.json#op`: cannot connect to {address}: ")),
        "{message}"
    );
}

#[tokio::test]
async fn a_name_that_nobody_has() {
    let service = RestService::new("http://no-such-host.invalid").credentials("token", "hidden");
    let rest = Rest::builder().service("bank", service).build().unwrap();
    let outcome = rest.send(&get(), value!({ "id": 1 }), Some(Duration::from_secs(20)), None).await;
    assert!(["Http.Socket", "States.Timeout"].contains(&&*named(&outcome).0));
}

#[tokio::test]
async fn the_time_of_an_attempt_is_kept() {
    let late = Reply::Late(Duration::from_secs(30), answered("200 OK", "application/json", "1"));
    let slow = Reply::Endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_owned());
    for reply in [Reply::Silence, late, slow] {
        let server = Server::start([reply]).await;
        let rest = server.builder().max_response_bytes(usize::MAX).build().unwrap();
        let before = Instant::now();
        let outcome = rest.send(&get(), value!({ "id": 1 }), Some(Duration::from_millis(300)), None).await;
        assert_eq!(
            named(&outcome).1,
            "States.Timeout: `apis/bank.json#op`: no response within 300.0ms; the request may still be processed"
        );
        assert!(before.elapsed() < Duration::from_secs(10));
    }
    let server = Server::start([Reply::Silence]).await;
    let rest = server.builder().timeout(Duration::from_millis(200)).build().unwrap();
    let outcome = rest.send(&get(), value!({ "id": 1 }), Some(Duration::MAX), None).await;
    assert_eq!(named(&outcome).0, "States.Timeout");
}

#[tokio::test]
async fn a_late_answer_that_is_in_time_is_one() {
    let late = Reply::Late(Duration::from_millis(200), answered("200 OK", "application/json", "1"));
    let server = Server::start([late, ok("2")]).await;
    let rest = server.client();
    for expected in [1, 2] {
        let outcome = rest.send(&get(), value!({ "id": 1 }), Some(Duration::from_secs(20)), None).await;
        assert_eq!(outcome, Ok(value!(expected)));
    }
}
