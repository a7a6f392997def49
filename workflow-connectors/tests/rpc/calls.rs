//! Calls: requests, responses, and failures.

use crate::server::{Server, answer};
use crate::{CHARGE, ECHO, echo, receipt};
use prost_reflect::bytes::Bytes;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tonic::{Code, Status};
use workflow_connectors::Rpc;
use workflow_connectors::rpc::RpcService;
use workflow_runtime::machine::Outcome;
use workflow_runtime::{Builder, Fault, Value, value};

async fn charge(rpc: &Rpc) -> Outcome {
    crate::charge(rpc, value!({ "account": "a", "cents": 5 })).await
}

fn named(outcome: Outcome) -> (String, String) {
    let fault: Fault = outcome.unwrap_err();
    let cause = fault.cause().and_then(Value::as_str).unwrap_or_default();
    (fault.error().unwrap_or_default().to_owned(), cause.to_owned())
}

async fn failing(code: Code, message: &'static str) -> Server {
    Server::start(move |_| async move { Err(Status::new(code, message)) }).await
}

#[tokio::test]
async fn a_call_has_metadata_a_deadline_and_a_key() {
    let server = Server::start(|call| async move {
        let is_charge = call.path.ends_with("/Charge");
        Ok(if is_charge { answer(CHARGE, &value!({ "id": "r" })) } else { Bytes::new() })
    })
    .await;
    let rpc = server.rpc();
    assert_eq!(charge(&rpc).await, Ok(value!({ "id": "r", "cents": "0" })));
    assert_eq!(echo(&rpc, value!({})).await, Ok(value!({})));
    let calls = server.calls();
    assert_eq!(calls[0].metadatum("authorization"), Some("Bearer hidden"));
    assert_eq!(calls[0].metadatum("x-tenant"), Some("secret"));
    assert_eq!(calls[0].metadatum("idempotency-key"), Some("charge/order%205/1-0"));
    let seconds = |at: usize| {
        let text = calls[at].metadatum("grpc-timeout").unwrap();
        let micros: u64 = text.strip_suffix('u').unwrap().parse().unwrap();
        micros.div_ceil(1_000_000)
    };
    // The limit of the connector, or that of the task.
    assert_eq!((seconds(0), seconds(1)), (60, 1));
    assert!(calls[0].metadatum("user-agent").unwrap().starts_with("workflow-connectors/"));
    assert_eq!(calls[0].request(CHARGE), value!({ "account": "a", "cents": "5" }));
    assert_eq!((&*calls[1].path, calls[1].request(ECHO)), ("/acme.Bank/Echo", value!({})));
}

#[tokio::test]
async fn a_status_is_a_fault() {
    for (code, name) in [
        (Code::NotFound, "Grpc.NotFound"),
        (Code::Unavailable, "Grpc.Unavailable"),
        (Code::DeadlineExceeded, "Grpc.DeadlineExceeded"),
        (Code::Cancelled, "Grpc.Cancelled"),
        (Code::OutOfRange, "Grpc.OutOfRange"),
        (Code::Unauthenticated, "Grpc.Unauthenticated"),
    ] {
        let server = failing(code, "says the service to `Bearer hidden` of secret").await;
        let fault = named(charge(&server.rpc()).await);
        assert_eq!(fault, (name.to_owned(), "says the service to `…` of …".to_owned()));
    }
}

#[tokio::test]
async fn what_is_no_request_is_not_sent() {
    let server = failing(Code::Internal, "it was sent").await;
    for (input, problem) in [
        (value!({ "account": 5 }), "expected a string, found a whole number at `$.account`"),
        (value!({ "acount": "a" }), "unrecognized field name 'acount'"),
        (value!({ "cents": "many" }), "invalid digit found in string at `$.cents`"),
        (value!([1]), "expected a map"),
    ] {
        let (name, cause) = named(crate::charge(&server.rpc(), input).await);
        assert_eq!(name, "Grpc.InvalidRequest");
        assert!(cause.starts_with("`acme.Bank/Charge`: ") && cause.contains(problem), "{cause}");
    }
    assert!(server.calls().is_empty());
    // Null is the empty request.
    assert_eq!(named(crate::charge(&server.rpc(), Value::Null).await).0, "Grpc.Internal");
}

#[tokio::test]
async fn messages_have_a_largest_size() {
    let server = Server::start(|_| async { Ok(answer(CHARGE, &value!({ "id": "x".repeat(2000) }))) }).await;
    let rpc = server.builder().max_message_bytes(1000).build().unwrap();
    let (name, cause) = named(charge(&rpc).await);
    assert_eq!((&*name, &*cause), ("Grpc.InvalidAnswer", "`acme.Bank/Charge`: the response is larger than 1000 bytes"));
    let input = value!({ "account": "x".repeat(2000) });
    let (name, cause) = named(crate::charge(&rpc, input).await);
    assert_eq!((&*name, &*cause), ("Grpc.InvalidRequest", "`acme.Bank/Charge`: the request is larger than 1000 bytes"));
    assert_eq!(server.calls().len(), 1);
}

#[tokio::test]
async fn an_invalid_answer_is_reported() {
    let server = Server::start(|_| async { Ok(Bytes::from_static(b"\x0a\xff")) }).await;
    let (name, cause) = named(charge(&server.rpc()).await);
    assert_eq!(name, "Grpc.InvalidAnswer");
    assert!(cause.starts_with("`acme.Bank/Charge`: invalid response: "), "{cause}");
}

#[tokio::test]
async fn a_call_ends_with_its_time() {
    let server = Server::start(|_| async { std::future::pending().await }).await;
    let began = Instant::now();
    let rpc = server.builder().timeout(Duration::from_millis(300)).build().unwrap();
    assert_eq!(named(charge(&rpc).await).0, "States.Timeout");
    assert!(began.elapsed() < Duration::from_secs(20));
    // An endless time-out works.
    let endless = failing(Code::Internal, "").await.builder().timeout(Duration::MAX).build().unwrap();
    assert_eq!(named(charge(&endless).await).0, "Grpc.Unreachable");
}

#[tokio::test]
async fn a_call_that_is_dropped_is_cancelled() {
    let server = Server::start(|_| async { std::future::pending().await }).await;
    let rpc = server.rpc();
    let call = tokio::spawn(async move { charge(&rpc).await });
    let until = |done: &dyn Fn() -> bool| done();
    for _ in 0..500 {
        if until(&|| !server.calls().is_empty()) {
            call.abort();
        }
        if server.dropped.load(Ordering::SeqCst) == 1 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the service goes on");
}

#[tokio::test]
async fn nobody_listens() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let service = RpcService::at(format!("http://{address}")).bearer("hidden");
    let rpc = Rpc::builder().others(service).build().unwrap();
    for _ in 0..2 {
        let (name, cause) = named(charge(&rpc).await);
        assert_eq!(name, "Grpc.Unreachable");
        assert!(cause.starts_with("`acme.Bank/Charge`: cannot connect: ") && cause.contains("refused"), "{cause}");
    }
}

/// The C library reads the number as an address: a name that resolves to a metadata address.
#[tokio::test]
async fn a_name_that_leads_to_metadata_leads_nowhere() {
    let service = |allow| RpcService::at("http://2852039166:1").plaintext(true).allow_link_local(allow);
    let message = async |allow| {
        let builder = Rpc::builder().others(service(allow)).timeout(Duration::from_millis(500));
        named(charge(&builder.build().unwrap()).await)
    };
    let (name, cause) = message(false).await;
    assert_eq!(name, "Grpc.Unreachable");
    assert!(cause.ends_with("`2852039166` is a link-local or metadata address"), "{cause}");
    assert!(!message(true).await.1.contains("metadata"));
}

#[tokio::test]
async fn a_connection_is_made_again() {
    let server = Server::start(|_| async { Ok(Bytes::new()) }).await;
    let (address, rpc) = (server.address, server.rpc());
    charge(&rpc).await.unwrap();
    server.stop().await;
    assert_eq!(named(charge(&rpc).await).0, "Grpc.Unreachable");
    let server = Server::start_at(address, |_| async { Ok(Bytes::new()) }).await;
    charge(&rpc).await.unwrap();
    assert_eq!(server.calls().len(), 1);
}

/// A connection belongs to the runtime that made it.
#[test]
fn a_runtime_that_has_ended_is_no_problem() {
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let own = runtime();
    let server = own.block_on(Server::start(|_| async { Ok(Bytes::new()) }));
    let rpc = server.rpc();
    let (stop, stopped) = std::sync::mpsc::channel();
    let serving = std::thread::spawn(move || {
        own.block_on(async {
            while stopped.try_recv().is_err() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
    });
    for _ in 0..3 {
        runtime().block_on(charge(&rpc)).unwrap();
    }
    stop.send(()).unwrap();
    serving.join().unwrap();
}

#[tokio::test]
async fn an_address_is_needed() {
    let rpc = Rpc::builder().service("acme.Shop", RpcService::at("localhost:1")).build().unwrap();
    let fault = named(charge(&rpc).await);
    let cause = "`acme.Bank/Charge`: the address of the service is unknown".to_owned();
    assert_eq!(fault, ("Grpc.NoAddress".to_owned(), cause.clone()));
    // The check reports it before a run.
    assert_eq!(rpc.check(&crate::charge::DEFINITION).unwrap_err().to_string(), cause);
    let rpc = Rpc::builder().others(RpcService::at("localhost:1")).build().unwrap();
    assert_eq!(rpc.check(&crate::charge::DEFINITION), Ok(()));
    assert_eq!(Rpc::builder().build().unwrap().check(&receipt::DEFINITION), Ok(()));
}

#[tokio::test]
async fn a_task_that_is_no_method_is_refused() {
    let rpc = Rpc::builder().build().unwrap();
    let output = Builder::<receipt::Receipt>::new().tasks(&rpc).run(value!({})).await.unwrap();
    let message = output.get("refused").and_then(Value::as_str).unwrap();
    assert!(message.starts_with("Grpc.NotAMethod: the task `shop/pay` (`shop/pay`) is not a gRPC method"), "{message}");
}
