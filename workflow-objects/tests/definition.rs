//! A definition with a distributed Map: reader, selector, batches, tolerated failures and writer.

use workflow_objects::store::{MemoryStore, Stores};
use workflow_runtime::{Fault, TaskContext, Value, include_workflow, value};

include_workflow!("tests/flows/rows.asl.json");

/// Charges orders. The batch with the order 3 fails.
struct Bank;

impl rows::Tasks for Bank {
    async fn charge(&self, input: Value, _: TaskContext) -> Result<Value, Fault> {
        let text = |name: &str| input.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        assert_eq!(text("machine"), "arn:aws:states:local:000000000000:stateMachine:rows/charges");
        assert_eq!(text("execution").len(), 36);
        let batch = input.get("batch").expect("a batch");
        assert_eq!(batch.get("BatchInput").map(Value::to_string), Some(r#"{"file":"orders.csv"}"#.to_owned()));
        let items = batch.get("Items").cloned().unwrap_or_default();
        let has =
            |order: &str| items.as_array().into_iter().flatten().any(|item| item.get("order") == Some(&order.into()));
        if has("3") { Err(Fault::new("Declined", "no funds")) } else { Ok(items) }
    }
}

async fn run(file: &str, most: i64) -> (Stores, Result<Value, Fault>) {
    let bucket = MemoryStore::new();
    bucket.insert("orders.csv", "id,amount\n1,10\n2,20\n3,30\n4,40\n5,50\n6,60\n");
    let stores = Stores::new().with("orders", bucket);
    let input = value!({ "file": file, "most": most, "currency": "EUR" });
    let outcome = rows::Rows::builder(&Bank).objects(stores.clone()).run(input).await;
    (stores, outcome)
}

async fn object(stores: &Stores, key: &str) -> String {
    let store = stores.bucket("orders").expect("a bucket");
    let mut download = store.get(key, Default::default()).await.expect("an object");
    let mut text = Vec::new();
    while let Some(part) = download.body.next().await.expect("bytes") {
        text.extend_from_slice(&part);
    }
    String::from_utf8(text).expect("text")
}

#[tokio::test]
async fn a_file_of_orders_is_charged_in_batches() {
    let (stores, outcome) = run("orders.csv", 5).await;
    let outcome = outcome.expect("it succeeds");
    let manifest = outcome.get("manifest").and_then(Value::as_str).expect("a manifest").to_owned();
    let folder = manifest.strip_suffix("manifest.json").expect("a folder");
    let charged = object(&stores, &format!("{folder}SUCCEEDED_0.jsonl")).await;
    let lines: Vec<&str> = charged.lines().collect();
    assert_eq!(lines[0], r#"{"order":"1","from":"s3://orders/orders.csv","number":0,"currency":"EUR"}"#);
    assert_eq!(lines.len(), 3);
    assert!(lines[2].starts_with(r#"{"order":"5""#), "{}", lines[2]);
    let failed = Value::from_json(&object(&stores, &format!("{folder}FAILED_0.jsonl")).await).expect("a record");
    assert_eq!(failed.get("Error"), Some(&"Declined".into()));
}

#[tokio::test]
async fn a_file_that_does_not_exist_is_caught() {
    let (_, outcome) = run("none.csv", 5).await;
    let outcome = outcome.expect("it is caught");
    assert_eq!(outcome.get("error").and_then(|error| error.get("Error")), Some(&"States.ItemReaderFailed".into()));
}
