//! The cost of an item of a distributed Map over a million rows of CSV: in memory, against
//! programs without an engine, and in SQLite.

use super::divan;
use super::report::BenchReport;

/// The numbers of rows in SQLite.
const FEW: f64 = 1e5;
const MANY: f64 = 1e6;

/// The limit for the ratio to a program in Rust without an engine. 2 is out of reach: an execution
/// for each row takes 2.6 times the instructions of a task for each row.
const TO_PEERS: f64 = 3.0;

/// The programs without an engine, by their names in the output.
const PEERS: [(&str, &str); 2] = [("tokio", "tokio, a task for each row"), ("threads", "a pool of threads")];

/// Runs all measurements.
pub fn run(report: &mut BenchReport) -> Result<(), String> {
    let table = divan::run_once("workflow-benchmarks", "maps", &["maps"])?;
    let time = |subject: &str| table.nanoseconds(&format!("{subject}-microseconds"));
    let resident = |subject: &str| table.nanoseconds(&format!("{subject}-resident"));
    report.section("Distributed Maps over a million rows of CSV");
    report.limited("an item, in memory", time("memory")?, 5.0, "us");
    if let Ok(bytes) = resident("memory") {
        report.limited("resident memory", bytes / 1e6, 64.0, "MB");
    }
    for (name, what) in PEERS {
        report.plain(&format!("an item, {what}"), time(name)?, "us");
        report.limited(&format!("in memory : {what}"), time("memory")? / time(name)?, TO_PEERS, "x");
    }
    match time("python") {
        Ok(python) => {
            report.plain("an item, Python, a pool of threads", python, "us");
            report.limited("in memory : Python", time("memory")? / python, 2.0, "x");
        }
        Err(_) => println!("  Python is not measured: it is not installed"),
    }
    report.at_least("items each second in SQLite, in batches of 100", 1e6 / time("sqlite-many")?, 20_000.0, "/s");
    let bytes = |subject: &str| table.nanoseconds(&format!("{subject}-bytes"));
    report.plain("most bytes of the database", bytes("sqlite-many")? / 1e6, "MB");
    let growth = (bytes("sqlite-many")? - bytes("sqlite")?) / (MANY - FEW);
    report.limited("bytes that an item adds to it", growth, 16.0, "bytes");
    if let Ok(bytes) = resident("sqlite-many") {
        report.plain("resident memory with SQLite", bytes / 1e6, "MB");
    }
    Ok(())
}
