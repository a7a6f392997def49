//! The time in which a server answers while its executions compute.

use std::process::Stdio;

use super::report::BenchReport;
use crate::workspace::cargo;

/// The largest median time for `/health`, in milliseconds.
const HEALTHY: f64 = 100.0;

/// Runs the tests that measure the median time of `/health`. Their own limit is wider, so that
/// they pass on a busy machine.
pub fn run(report: &mut BenchReport) -> Result<(), String> {
    let mut command = cargo(["test", "--quiet", "--package", "workflow-runner", "--features", "durable,restate,http"]);
    command.args(["--test", "errand", "--", "a_server_answers_while"]).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| format!("cannot run cargo: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(format!("the tests failed: {}\n{text}", output.status));
    }
    report.section("A server whose executions compute, medians");
    let mut rows = 0;
    for line in text.lines().filter(|line| line.starts_with("/health while ")) {
        let row = line.strip_suffix(" ms").and_then(|line| line.rsplit_once(": "));
        let (what, median) = row.ok_or_else(|| format!("the tests printed `{line}`"))?;
        report.limited(what, median.parse().map_err(|_| format!("the tests printed `{line}`"))?, HEALTHY, "ms");
        rows += 1;
    }
    if rows == 2 { Ok(()) } else { Err(format!("the tests reported {rows} measurements, expected 2")) }
}
