//! State machine whose functions are operations.

use crate::support::{SECRET, Server, answer, ok};
use workflow_connectors::Rest;
use workflow_connectors::rest::RestService;
use workflow_runtime::operation::Operation;
use workflow_runtime::{Builder, Fault, Value, include_workflow, value};

include_workflow!("flows/refund.sm4c.json");

async fn run(rest: &Rest) -> Result<Value, Fault> {
    Builder::<refund::Refund>::new().name("e1").tasks(rest).run(value!({ "account": "A/1", "amount": 12.5 })).await
}

#[tokio::test]
async fn functions_are_requests_and_handlers_know_what_became_of_them() {
    let server = Server::start([
        answer("503 Busy", "text/plain", "later"),
        ok(r#"{"id": "C-7"}"#),
        answer("204 No Content", "text/plain", ""),
        answer("402 Payment Required", "application/json", r#"{"why": "no money"}"#),
    ])
    .await;
    let rest = server.client();
    rest.check(&refund::DEFINITION).unwrap();
    assert_eq!(run(&rest).await, Ok(value!({ "account": "A/1", "amount": 12.5, "charge": { "id": "C-7" } })));
    let refused = value!({ "account": "A/1", "amount": 12.5, "charge": null, "refused": "no money" });
    assert_eq!(run(&rest).await, Ok(refused));
    let charge = "POST /v1/accounts/A%2F1/charges";
    assert_eq!(server.lines(), [charge, charge, "DELETE /v1/charges/C-7", charge]);
    let requests = server.requests();
    assert!(requests.iter().all(|request| request.header("authorization") == Some(&*format!("Bearer {SECRET}"))));
    let keys: Vec<Option<&str>> = requests.iter().map(|request| request.header("idempotency-key")).collect();
    assert!(keys[0].is_some_and(|key| key.starts_with("refund/e1/")), "{keys:?}");
    assert_eq!((keys[0], keys[2]), (keys[1], None));
}

#[tokio::test]
async fn a_missing_configuration_is_reported_before_anything_runs() {
    let rest = Rest::builder().build().unwrap();
    let message = rest.check(&refund::DEFINITION).unwrap_err().to_string();
    assert_eq!(
        message,
        "the service `bank` has no address: set `WORKFLOW_REST_BANK_URL`; its document names `https://bank.example.com/v1`"
    );
    let rest = Rest::builder().service("bank", RestService::new("http://127.0.0.1:1")).build().unwrap();
    let message = rest.check(&refund::DEFINITION).unwrap_err().to_string();
    assert_eq!(
        message,
        "the operation `charge` of the service `bank` needs credentials: `WORKFLOW_REST_BANK_TOKEN` (a token)"
    );
}

#[test]
fn the_definition_knows_the_operations() {
    let ids = refund::DEFINITION.tasks.iter().map(|task| match task.operation {
        Some(Operation::Rest(rest)) => (rest.service, rest.id, rest.method),
        other => panic!("{other:?}"),
    });
    assert_eq!(ids.collect::<Vec<_>>(), [("bank", "charge", "POST"), ("bank", "refund", "DELETE")]);
}
