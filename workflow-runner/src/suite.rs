//! Runs of all cases of a file, with a report.

use workflow_runtime::Workflow;

use crate::cases::{self, Coverage};
use crate::duration;

/// The report of the runs.
pub struct Report {
    pub text: String,
    pub failed: bool,
}

/// Runs the cases of a file whose names contain `filter`.
pub fn run<W: Workflow>(file: &str, filter: Option<&str>) -> Result<Report, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {file}: {error}"))?;
    let runs = cases::read(file, &text).map_err(|problem| problem.to_string())?;
    let coverage = Coverage::new(W::DEFINITION);
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    let mut report = String::new();
    for run in &runs {
        if filter.is_some_and(|filter| !run.name.contains(filter)) {
            skipped += 1;
            continue;
        }
        let verdict = cases::check::<W>(run, &coverage);
        let took = duration::show(verdict.report.elapsed);
        if verdict.failures.is_empty() {
            passed += 1;
            report.push_str(&format!("ok      {} ({took})\n", run.name));
            continue;
        }
        failed += 1;
        report.push_str(&format!("FAILED  {} ({file}:{})\n", run.name, run.line));
        for failure in &verdict.failures {
            report.push_str(&format!("  {failure}\n"));
        }
    }
    let skipped = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
    report.push_str(&format!("\n{passed} passed, {failed} failed{skipped}\n"));
    report.push_str(&told(&coverage));
    Ok(Report { text: report, failed: failed > 0 })
}

/// Runs all cases of a file, and returns the report. The result is an error if a case failed or
/// the file cannot be used.
pub fn run_file<W: Workflow>(file: &str) -> Result<String, String> {
    let report = run::<W>(file, None)?;
    if report.failed { Err(report.text) } else { Ok(report.text) }
}

fn told(coverage: &Coverage) -> String {
    let (visited, missed) = coverage.states();
    let mut text = format!("states visited: {visited} of {}{}\n", visited + missed.len(), left_out(&missed));
    let (taken, missed) = coverage.transitions();
    let missed: Vec<String> = missed.iter().map(|(from, to)| format!("{from} → {to}")).collect();
    text.push_str(&format!("transitions taken: {taken} of {}{}\n", taken + missed.len(), left_out(&missed)));
    text
}

fn left_out(names: &[impl AsRef<str>]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    format!("; not {}", names.join(", "))
}
