//! Bills for the readings of electricity meters, which are rows of CSV files in a folder.
//!
//! The macro compiles `flows/meters.asl.json` to the module [`meters`]. Its distributed Map reads
//! the rows, bills them in batches, and writes the bills and the failures to files.

mod report;

pub use report::Report;

use serde::{Deserialize, Serialize};
use workflow_runtime::{Fault, TaskContext};

workflow_runtime::include_workflow!(
    "flows/meters.asl.json",
    tasks: {
        "BillReadings" => bill_readings(Batch) -> Vec<Bill>,
    },
);

/// The input of a child execution: readings, and the tariff for all of them.
#[derive(Debug, Deserialize)]
pub struct Batch {
    /// The tariff.
    #[serde(rename = "BatchInput")]
    pub tariff: Tariff,
    /// The readings.
    #[serde(rename = "Items")]
    pub readings: Vec<Reading>,
}

/// The price of electricity.
#[derive(Debug, Deserialize)]
pub struct Tariff {
    /// The price of a unit, which is a kilowatt-hour.
    #[serde(rename = "centsPerUnit")]
    pub cents_per_unit: u64,
}

/// A row of a file. All fields of CSV are text.
#[derive(Debug, Deserialize)]
pub struct Reading {
    /// The meter.
    pub meter: String,
    /// The units on the meter at the beginning of the month.
    pub before: String,
    /// The units on the meter at its end.
    pub after: String,
}

/// The bill of a meter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bill {
    /// The meter.
    pub meter: String,
    /// The units that were used.
    pub units: u64,
    /// The price.
    pub cents: u64,
}

/// The office that writes the bills.
#[derive(Debug, Default)]
pub struct Office;

impl meters::Tasks for Office {
    /// Bills a batch. The batch fails if a meter has counted backwards: a person must read it
    /// again.
    async fn bill_readings(&self, batch: Batch, _cx: TaskContext) -> Result<Vec<Bill>, Fault> {
        batch.readings.iter().map(|reading| bill(reading, batch.tariff.cents_per_unit)).collect()
    }
}

fn bill(reading: &Reading, cents_per_unit: u64) -> Result<Bill, Fault> {
    let bad = |problem: &str| Fault::new("BadReading", format!("meter {}: {problem}", reading.meter));
    let units = |text: &str| text.trim().parse::<u64>().map_err(|_| bad(&format!("{text:?} is not a number of units")));
    let (before, after) = (units(&reading.before)?, units(&reading.after)?);
    let units = after.checked_sub(before).ok_or_else(|| bad("it has counted backwards"))?;
    let cents = units.checked_mul(cents_per_unit).ok_or_else(|| bad("the price is too large"))?;
    Ok(Bill { meter: reading.meter.clone(), units, cents })
}
