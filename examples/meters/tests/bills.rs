//! Tests of a month in memory: bills, batches that fail, and readings that cannot be read.

use meters::meters::Meters;
use meters::{Office, Report};
use workflow_objects::store::{FolderStore, MemoryStore, Stores};
use workflow_runtime::{Fault, Value, value};

async fn run(stores: &Stores, batch: i64) -> Result<Value, Fault> {
    let input = value!({ "month": "2026-10", "centsPerUnit": 31, "batch": batch });
    Meters::builder(&Office).objects(stores.clone()).run(input).await
}

/// Returns the readings in the folder of this package, and a bucket for the bills.
fn folder() -> Stores {
    let readings = FolderStore::new(concat!(env!("CARGO_MANIFEST_DIR"), "/readings"));
    Stores::new().with("readings", readings).with("bills", MemoryStore::new())
}

/// Returns a file of readings, and a bucket for the bills.
fn file(rows: &str) -> Stores {
    let readings = MemoryStore::new();
    readings.insert("2026-10/a.csv", format!("meter,before,after\n{rows}"));
    Stores::new().with("readings", readings).with("bills", MemoryStore::new())
}

#[tokio::test]
async fn all_files_are_billed_but_the_batch_with_a_bad_reading() {
    let stores = folder();
    let billed = run(&stores, 5).await.expect("it is billed");
    assert_eq!(billed.get("month"), Some(&"2026-10".into()));
    let manifest = billed.get("manifest").and_then(Value::as_str).expect("a manifest");
    let report = Report::read(&stores, manifest).await.expect("a report");
    let failures = vec!["meter n-013: it has counted backwards".to_owned()];
    assert_eq!(report, Report { bills: 55, units: UNITS, cents: UNITS * 31, failures });
}

/// The units of the files, without the batch that fails.
const UNITS: u64 = 13_015;

#[tokio::test]
async fn too_many_bad_readings_fail_the_month() {
    // A batch of 20 is a third of the readings.
    let fault = run(&folder(), 20).await.expect_err("it fails");
    assert_eq!(fault.error(), Some("TooManyBadReadings"));
    assert_eq!(fault.cause(), Some(&"The specified tolerated failure threshold was exceeded".into()));
}

#[tokio::test]
async fn a_reading_that_is_no_number_is_named() {
    for (row, cause) in [
        ("m,1,many", "meter m: \"many\" is not a number of units"),
        ("m,,2", "meter m: \"\" is not a number of units"),
        ("m,0,18446744073709551615", "meter m: the price is too large"),
    ] {
        let rows: String = (0..19).map(|meter| format!("m-{meter},1,2\n")).collect();
        let stores = file(&format!("{rows}{row}\n"));
        let billed = run(&stores, 1).await.expect("it is billed");
        let manifest = billed.get("manifest").and_then(Value::as_str).expect("a manifest");
        let report = Report::read(&stores, manifest).await.expect("a report");
        assert_eq!(report, Report { bills: 19, units: 19, cents: 589, failures: vec![cause.to_owned()] });
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_read_fails_the_month() {
    let fault = run(&file("m-1,1,2\nm-2,\"3,4\n"), 1).await.expect_err("it fails");
    assert_eq!(fault.error(), Some("States.ItemReaderFailed"));
    let cause = fault.cause().and_then(Value::as_str).unwrap_or_default();
    assert_eq!(cause, "s3://readings/2026-10/a.csv, record 2 from byte 27: a quoted field does not end");
}
