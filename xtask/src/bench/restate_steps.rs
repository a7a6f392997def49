//! Steps of executions on Restate, against a bare loop that writes the same journal entries.

use std::collections::BTreeMap;
use std::process::Stdio;

use super::report::BenchReport;
use crate::workspace::cargo;

/// The smallest ratio of the engine's steps to those of the bare loop.
const RATIO: f64 = 0.5;

/// Runs the measurement.
pub fn run(report: &mut BenchReport) -> Result<(), String> {
    let mut command = cargo(["bench", "--quiet", "--package", "workflow-benchmarks", "--features", "restate"]);
    command.args(["--bench", "restate"]).env("WORKFLOW_REQUIRE_RESTATE", "1").stderr(Stdio::inherit());
    let output = command.output().map_err(|error| format!("cannot run cargo: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(format!("the benchmark failed: {}\n{text}", output.status));
    }
    let line = |line: &str| {
        let (name, number) = line.split_once(' ')?;
        Some((name.to_owned(), number.parse::<f64>().ok()?))
    };
    let measured: BTreeMap<String, f64> = text.lines().filter_map(line).collect();
    let number = |name: &str| measured.get(name).copied().ok_or_else(|| format!("the benchmark reported no `{name}`"));
    report.section("Executions on Restate, 128 clients");
    report.plain("journal entries of an execution with 20 steps", number("ours-entries")?, "");
    report.plain("bytes in them", number("ours-bytes")?, "bytes");
    report.plain("bytes in the same entries of a bare loop", number("bare-bytes")?, "bytes");
    report.plain("steps", number("ours")?, "/s");
    report.plain("steps of the bare loop", number("bare")?, "/s");
    report.at_least("steps : bare loop", number("ratio")?, RATIO, "x");
    Ok(())
}
