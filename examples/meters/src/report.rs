//! The summary of a month, from the files that the Map has written.

use std::error::Error;

use serde::Deserialize;
use workflow_objects::store::{ObjectStore, Stores, Wanted};
use workflow_runtime::Value;

use crate::Bill;

/// The summary of a month.
#[derive(Debug, Default, PartialEq)]
pub struct Report {
    /// The number of bills.
    pub bills: u64,
    /// The units of all bills.
    pub units: u64,
    /// The price of all bills.
    pub cents: u64,
    /// The causes why batches were not billed.
    pub failures: Vec<String>,
}

/// The manifest, as far as the report needs it.
#[derive(Deserialize)]
struct Manifest {
    #[serde(rename = "ResultFiles")]
    files: ResultFiles,
}

#[derive(Deserialize)]
struct ResultFiles {
    #[serde(rename = "SUCCEEDED")]
    succeeded: Vec<ResultFile>,
    #[serde(rename = "FAILED")]
    failed: Vec<ResultFile>,
}

#[derive(Deserialize)]
struct ResultFile {
    #[serde(rename = "Key")]
    key: String,
}

/// The record of a batch that failed.
#[derive(Deserialize)]
struct Failure {
    #[serde(rename = "Cause")]
    cause: String,
}

impl Report {
    /// Reads the files that a manifest lists, one line after the other.
    ///
    /// # Errors
    /// A file cannot be read, or is not what the Map writes.
    pub async fn read(stores: &Stores, manifest: &str) -> Result<Report, Box<dyn Error + Send + Sync>> {
        let store = stores.bucket("bills")?;
        let mut text = Vec::new();
        let mut download = store.get(manifest, Wanted::default()).await?;
        while let Some(part) = download.body.next().await? {
            text.extend_from_slice(&part);
        }
        let manifest: Manifest = Value::from_json_slice(&text)?.deserialize_into()?;
        let mut report = Report::default();
        for file in manifest.files.succeeded {
            lines(&*store, &file.key, |line| {
                let bill: Bill = line.deserialize_into()?;
                report.bills += 1;
                report.units += bill.units;
                report.cents += bill.cents;
                Ok(())
            })
            .await?;
        }
        for file in manifest.files.failed {
            lines(&*store, &file.key, |line| {
                let failure: Failure = line.deserialize_into()?;
                report.failures.push(failure.cause);
                Ok(())
            })
            .await?;
        }
        Ok(report)
    }
}

/// Calls a function with each line of a file.
async fn lines(
    store: &dyn ObjectStore,
    key: &str,
    mut each: impl FnMut(Value) -> Result<(), Box<dyn Error + Send + Sync>>,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut download = store.get(key, Wanted::default()).await?;
    let mut rest: Vec<u8> = Vec::new();
    while let Some(part) = download.body.next().await? {
        let mut pieces = part.split(|byte| *byte == b'\n');
        rest.extend_from_slice(pieces.next().unwrap_or_default());
        for piece in pieces {
            each(Value::from_json_slice(&rest)?)?;
            rest.clear();
            rest.extend_from_slice(piece);
        }
    }
    // Each line ends with a line feed, so that nothing is left.
    Ok(())
}
