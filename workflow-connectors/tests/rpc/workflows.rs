//! Compiled state machines whose functions are methods.

use crate::charge::{self, Charge};
use crate::echo::Echo;
use crate::server::{Server, answer};
use crate::{CHARGE, ECHO};
use std::time::Duration;
use tonic::{Code, Status};
use workflow_connectors::Rpc;
use workflow_runtime::{Builder, Fault, TaskContext, Value, value};

async fn bank() -> Server {
    Server::start(|call| async move {
        let request = call.request(CHARGE);
        match request.get("account").and_then(Value::as_str) {
            Some("a") => {
                let cents = request.get("cents").cloned().unwrap_or_default();
                Ok(answer(CHARGE, &value!({ "id": "r1", "cents": cents, "chargedAt": "2026-01-31T12:00:00Z" })))
            }
            Some(other) => Err(Status::new(Code::NotFound, format!("there is no account {other}"))),
            None => Err(Status::new(Code::InvalidArgument, "whose account?")),
        }
    })
    .await
}

fn receipt(input: Value) -> Value {
    let mut output = input;
    let receipt = value!({ "id": "r1", "cents": "9007199254740993", "chargedAt": "2026-01-31T12:00:00Z" });
    output.as_object_mut().unwrap().insert("receipt", receipt);
    output
}

#[tokio::test]
async fn all_tasks_are_left_to_it() {
    let server = bank().await;
    let input = value!({ "account": "a", "cents": 9007199254740993_i64 });
    let output = Builder::<Charge>::new().tasks(&server.rpc()).run(input.clone()).await;
    assert_eq!(output, Ok(receipt(input)));
    let calls = server.calls();
    assert_eq!((calls.len(), &*calls[0].path), (1, "/acme.Bank/Charge"));
}

#[tokio::test]
async fn handlers_receive_the_status() {
    let server = bank().await;
    let output =
        Builder::<Charge>::new().tasks(&server.rpc()).run(value!({ "account": "b", "cents": 1 })).await.unwrap();
    assert_eq!(output.get("refused"), Some(&"there is no account b".into()));
    let fault = Builder::<Charge>::new().tasks(&server.rpc()).run(value!({ "cents": 1 })).await.unwrap_err();
    assert_eq!(fault.error(), Some("Grpc.InvalidArgument"));
}

/// Program with tasks of its own.
struct Shop(Rpc);

impl charge::Tasks for Shop {
    async fn charge(&self, mut request: Value, cx: TaskContext) -> Result<Value, Fault> {
        request.as_object_mut().unwrap().insert("account", "a");
        self.0.call(request, &cx).await
    }
}

#[tokio::test]
async fn a_method_of_the_program_calls_it() {
    let server = bank().await;
    let input = value!({ "account": "whose", "cents": "9007199254740993" });
    let output = Charge::run(&Shop(server.rpc()), input.clone()).await;
    assert_eq!(output, Ok(receipt(input)));
}

#[tokio::test]
async fn a_time_out_of_the_definition_gives_the_call_up() {
    let server = Server::start(|_| async { std::future::pending().await }).await;
    let output = Builder::<Echo>::new().tasks(&server.rpc()).run(value!({ "content": { "text": "a" } })).await.unwrap();
    assert_eq!(output.get("echoed"), Some(&Value::Null));
    assert_eq!(server.calls()[0].request(ECHO), value!({ "content": { "text": "a" } }));
    for _ in 0..500 {
        if server.dropped.load(std::sync::atomic::Ordering::SeqCst) == 1 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the service goes on");
}
