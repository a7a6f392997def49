//! Compiled composition whose actions run on a local server.

use crate::support::{Reply, Server, answer, ok};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use workflow_connectors::OpenWhisk;
use workflow_runtime::machine::{Outcome, Task};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Builder, Fault, TaskContext, Value, include_workflow, value};

include_workflow!("flows/receipt.composer.json");
include_workflow!("flows/receipt.composer.json", name: "Hurried", default_task_timeout: 1);

use hurried::Hurried;
use receipt::Receipt;

#[tokio::test]
async fn a_composition_invokes_its_actions() {
    let server = Server::start([ok(r#"{"paid": 25}"#), ok(r#"{"page": 1}"#)]).await;
    let output = Builder::<Receipt>::new().tasks(&server.client()).run(value!({ "amount": 25 })).await;
    assert_eq!(output, Ok(value!({ "page": 1 })));
    let sent: Vec<(String, String)> =
        server.requests().into_iter().map(|request| (request.line, request.body)).collect();
    let line = |name: &str| format!("POST /api/v1/namespaces/_/actions/{name}?blocking=true&result=true");
    assert_eq!(
        sent,
        [(line("shop/pay"), r#"{"amount":25}"#.to_owned()), (line("print"), r#"{"paid":25}"#.to_owned()),]
    );
}

#[tokio::test]
async fn handlers_find_the_error_of_an_action_as_it_is() {
    for error in [value!("declined"), value!("States.Runtime"), value!(null), value!({ "code": [42] })] {
        let body = value!({ "error": error.clone(), "trace": "long" }).to_string();
        let server = Server::start([answer("502 Bad Gateway", "", &body)]).await;
        let output = Builder::<Receipt>::new().tasks(&server.client()).run(value!({})).await;
        assert_eq!(output, Ok(value!({ "refused": error })));
    }
}

#[tokio::test]
async fn handlers_find_what_went_wrong_with_the_call() {
    let server = Server::start([answer("404 Not Found", "", "")]).await;
    let output = Builder::<Receipt>::new().tasks(&server.client()).run(value!({})).await;
    let text = "OpenWhisk.NotFound: `shop/pay`: action not found (404)";
    assert_eq!(output, Ok(value!({ "refused": text })));
}

#[tokio::test]
async fn an_error_that_nothing_handles_ends_the_execution() {
    let server = Server::start([ok("{}"), answer("502 Bad Gateway", "", r#"{"error": "no paper"}"#)]).await;
    let output = Builder::<Receipt>::new().tasks(&server.client()).run(value!({})).await;
    assert_eq!(output.unwrap_err().error(), Some("no paper"));
}

/// Program with some actions of its own.
struct Shop(OpenWhisk);

impl receipt::Tasks for Shop {
    async fn shop_pay(&self, order: Value, _: TaskContext) -> Result<Value, Fault> {
        self.0.call("shop/pay", order).await
    }

    async fn print(&self, receipt: Value, _: TaskContext) -> Result<Value, Fault> {
        Ok(value!({ "printed": receipt }))
    }
}

#[tokio::test]
async fn methods_of_tasks_call_actions() {
    let server = Server::start([ok(r#"{"paid": 25}"#)]).await;
    let output = Receipt::run(&Shop(server.client()), value!({})).await;
    assert_eq!(output, Ok(value!({ "printed": { "paid": 25 } })));
}

/// Lets a call continue when the engine no longer waits for it, and reports its end.
struct Outlasting(OpenWhisk, UnboundedSender<Outcome>);

impl Invoke for Outlasting {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        let (openwhisk, message) = (self.0.clone(), self.1.clone());
        tokio::spawn(async move { message.send(openwhisk.invoke(task, input, cx).await) });
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn the_deadline_of_a_task_ends_its_call() {
    let server = Server::start([Reply::Silence]).await;
    let (message, mut outcomes) = unbounded_channel();
    let outlasting = Outlasting(server.client(), message);
    let output = Builder::<Hurried>::new().tasks(&outlasting).run(value!({})).await;
    assert_eq!(output, Ok(value!({ "refused": "States.Timeout" })));
    let fault = outcomes.recv().await.unwrap().unwrap_err();
    assert_eq!(fault.error(), Some("States.Timeout"));
    assert!(fault.to_string().contains("`shop/pay` did not complete within "), "{fault}");
    server.gone().await;
}
