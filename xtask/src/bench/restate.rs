//! The cost of an event on Restate, among few and among many waiting executions.

use std::collections::BTreeMap;
use std::process::Stdio;

use super::report::BenchReport;
use crate::workspace::cargo;

/// The number of waiting executions, unless the variable `WAITING` has another one. 10,000 take
/// minutes to start.
const WAITING: &str = "1000";

/// The largest ratio of the cost of an event among many executions to that among 10.
const RATIO: f64 = 1.5;

/// Runs the measurement, and compares the costs.
pub fn run(report: &mut BenchReport) -> Result<(), String> {
    let waiting = std::env::var("WAITING").unwrap_or_else(|_| WAITING.to_owned());
    if !waiting.parse::<u64>().is_ok_and(|number| number > 10) {
        return Err(format!("`WAITING` must be a number above 10, found `{waiting}`"));
    }
    let mut command =
        cargo(["test", "--quiet", "--release", "--package", "workflow-restate", "--test", "restate", "--"]);
    command.args(["--nocapture", "an_event_costs"]).stderr(Stdio::inherit());
    command.env("WAITING", &waiting).env("WORKFLOW_REQUIRE_RESTATE", "1");
    let output = command.output().map_err(|error| format!("cannot run cargo: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(format!("the measurement failed: {}\n{text}", output.status));
    }
    let line = |line: &str| {
        let (name, number) = line.split_once(": ")?;
        Some((name.strip_prefix("events-")?.to_owned(), number.parse::<f64>().ok()?))
    };
    let measured: BTreeMap<String, f64> = text.lines().filter_map(line).collect();
    let number = |what: &str, waiting: &str| {
        let name = format!("{what} {waiting}");
        measured.get(&name).copied().ok_or_else(|| format!("the measurement reported no `{name}`"))
    };
    report.section("An event on Restate, for one of the executions that wait");
    for (what, unit) in [("time", "ms"), ("entries", ""), ("bytes", "bytes"), ("state", "bytes")] {
        let (few, many) = (number(what, "10")?, number(what, &waiting)?);
        let name = match what {
            "entries" => "journal entries",
            "bytes" => "bytes in journals",
            "state" => "the largest state of an object",
            other => other,
        };
        report.plain(&format!("{name}, 10 executions"), few, unit);
        report.plain(&format!("{name}, {waiting} executions"), many, unit);
        report.limited(&format!("{name}, {waiting} executions : 10"), many / few, RATIO, "x");
    }
    Ok(())
}
