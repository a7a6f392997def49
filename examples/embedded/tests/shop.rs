//! Tests of the shop: requests, executions that continue after a restart, and shared resources.

use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use embedded::order::Order;
use embedded::server::routes;
use embedded::stock::{Line, Stock};
use tower::ServiceExt as _;
use workflow_runtime::testing::{self, Mocks, Reply};
use workflow_runtime::{Builder, Value, value};
use workflow_sqlite::{Engine, Error};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

async fn shop(folder: &Path) -> (Engine, Router) {
    let stock = Stock::open(folder.join("stock.db")).expect("a stock");
    let engine = embedded::open(folder.join("shop.db"), &stock).await.expect("a database");
    (engine.clone(), routes(engine, stock))
}

/// Sends a request. Returns the status and the body.
async fn ask(shop: &Router, method: &str, path: &str, key: &str, body: &str) -> (u16, Value) {
    let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
    let request = if key.is_empty() { request } else { request.header("idempotency-key", key) };
    let response = shop.clone().oneshot(request.body(Body::from(body.to_owned())).expect("a request")).await;
    let response = response.expect("an answer");
    let status = response.status().as_u16();
    let body = to_bytes(response.into_body(), 1 << 20).await.expect("a body");
    let body = if body.is_empty() { Value::Null } else { json(&body) };
    (status, body)
}

fn json(body: &[u8]) -> Value {
    Value::from_json(std::str::from_utf8(body).expect("text")).expect("JSON")
}

/// Sends a request until its answer is the expected one.
async fn until(shop: &Router, path: &str, expected: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..1_000 {
        let (_, body) = ask(shop, "GET", path, "", "").await;
        if expected(&body) {
            return body;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{path} does not become what the test expects");
}

#[tokio::test]
async fn an_order_waits_for_its_packer_across_a_restart() {
    let folder = folder("embedded");
    let (engine, server) = shop(&folder).await;
    let stock = Stock::open(":memory:").expect("a stock");
    let second = embedded::open(folder.join("shop.db"), &stock).await;
    assert!(matches!(second, Err(Error::InUse { .. })));
    let (status, _) = ask(&server, "POST", "/restock", "", r#"{"item": "cup", "pieces": 5, "seconds": 0}"#).await;
    assert_eq!(status, 202);
    until(&server, "/stock/cup", |count| count == &5.into()).await;
    // The same key with the same input is the same order.
    let cups = r#"{"item": "cup", "pieces": 2}"#;
    let (_, started) = ask(&server, "POST", "/orders", "order-7", cups).await;
    let (_, again) = ask(&server, "POST", "/orders", "order-7", cups).await;
    assert_eq!(started, again);
    let (status, _) = ask(&server, "POST", "/orders", "order-7", r#"{"item": "cup", "pieces": 3}"#).await;
    assert_eq!(status, 422);
    let parcels = until(&server, "/parcels", |parcels| parcels.get(0).is_some()).await;
    // A delivery is on its way when the server ends.
    ask(&server, "POST", "/restock", "", r#"{"item": "pot", "pieces": 1, "seconds": 2}"#).await;
    engine.shut_down(Duration::from_secs(5)).await;
    drop((engine, server));

    let (engine, server) = shop(&folder).await;
    let token = parcels.get(0).and_then(|parcel| parcel.get("token")?.as_str()).expect("a token").to_owned();
    let packed = format!("/parcels/{token}/packed");
    assert_eq!(ask(&server, "POST", &packed, "", "").await.0, 204);
    assert_eq!(ask(&server, "POST", &packed, "", "").await.0, 404);
    let order = format!("/executions/{}", started.get("id").and_then(Value::as_str).expect("an id"));
    let ended = until(&server, &order, |order| order.get("status") != Some(&"running".into())).await;
    let expected =
        value!({ "status": "succeeded", "outcome": { "output": { "item": "cup", "pieces": 2, "packed": true } } });
    assert_eq!(ended, expected);
    assert_eq!(ask(&server, "GET", "/parcels", "", "").await.1, value!([]));
    until(&server, "/stock/pot", |count| count == &1.into()).await;
    assert_eq!(ask(&server, "GET", "/stock/cup", "", "").await.1, 3.into());

    let (_, started) = ask(&server, "POST", "/orders", "", r#"{"item": "cup", "pieces": 9}"#).await;
    let order = format!("/executions/{}", started.get("id").and_then(Value::as_str).expect("an id"));
    let ended = until(&server, &order, |order| order.get("status") == Some(&"failed".into())).await;
    assert_eq!(ended.get("outcome"), Some(&value!({ "error": "SoldOut" })));
    assert_eq!(ask(&server, "GET", "/executions/none", "", "").await.0, 404);
    engine.shut_down(Duration::from_secs(5)).await;
    let _ = std::fs::remove_dir_all(folder);
}

#[tokio::test]
async fn a_repeated_task_changes_the_stock_once() {
    let stock = Stock::open(":memory:").expect("a stock");
    let cups = |pieces| Line { item: "cup".to_owned(), pieces };
    for _ in 0..2 {
        stock.add("a".to_owned(), cups(5)).await.expect("added");
        stock.take("b".to_owned(), cups(4)).await.expect("taken");
    }
    assert_eq!(stock.count("cup".to_owned()).await, Ok(1));
    let fault = stock.take("c".to_owned(), cups(2)).await.expect_err("one is left");
    assert_eq!(fault.error(), Some("SoldOut"));
}

#[test]
fn mocks_need_no_stock() {
    let mocks = Mocks::new()
        .task("Reserve", [Reply::error("StockClosed", "locked"), Reply::ok(Value::Null)])
        .task("sqs:sendMessage", [Reply::ok(true)]);
    let report = testing::run(Builder::<Order>::new(), &mocks, value!({ "item": "cup", "pieces": 1 }));
    assert_eq!(report.outcome, Ok(value!({ "item": "cup", "pieces": 1, "packed": true })));
}
