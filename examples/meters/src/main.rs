//! Bills a month: `meters [FOLDER [BILLS [BATCH]]]`. The rows are in files in `FOLDER/2026-10`,
//! and billed in batches of this size. The bills are written to the folder BILLS.

use std::error::Error;
use std::process::ExitCode;

use meters::meters::Meters;
use meters::{Office, Report};
use workflow_objects::store::{FolderStore, Stores};
use workflow_runtime::{Value, value};

#[tokio::main]
async fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let readings = arguments.next().unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/readings").to_owned());
    let bills = arguments.next().unwrap_or_else(|| "target/meters/bills".to_owned());
    let batch = arguments.next().unwrap_or_else(|| "5".to_owned());
    let Ok(batch) = batch.parse::<u32>() else {
        eprintln!("failed: the size of a batch is not a number: {batch:?}");
        return ExitCode::FAILURE;
    };
    match run(&readings, &bills, batch).await {
        Ok(report) => {
            println!("{} bills: {} kWh, {} cents", report.bills, report.units, report.cents);
            report.failures.iter().for_each(|cause| println!("not billed: {cause}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("failed: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(readings: &str, bills: &str, batch: u32) -> Result<Report, Box<dyn Error + Send + Sync>> {
    let stores = Stores::new().with("readings", FolderStore::new(readings)).with("bills", FolderStore::new(bills));
    let input = value!({ "month": "2026-10", "centsPerUnit": 31, "batch": batch });
    let billed = Meters::builder(&Office).objects(stores.clone()).run(input).await?;
    let manifest = billed.get("manifest").and_then(Value::as_str).unwrap_or_default();
    Report::read(&stores, manifest).await
}
