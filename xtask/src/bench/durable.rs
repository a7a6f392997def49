//! The cost of executions in a database: steps against a bare loop that writes the same, late
//! steps against early ones, waiting executions, and deliveries among them.

use std::collections::BTreeMap;
use std::process::Stdio;

use super::report::BenchReport;
use crate::workspace::cargo;

/// The names of the deliveries in the output, and in the report.
const DELIVERIES: [(&str, &str); 6] = [
    ("correlated", "that one awaits by its key"),
    ("correlated-later", "that one may await later by its key"),
    ("start", "that one awaits in its first state by its key"),
    ("any-start", "that one awaits in its first state"),
    ("start-new", "that starts one"),
    ("all", "that all may await later"),
];

/// Runs all measurements.
pub fn run(report: &mut BenchReport) -> Result<(), String> {
    let mut command = cargo(["bench", "--quiet", "--package", "workflow-benchmarks", "--features", "durable"]);
    command.args(["--bench", "durable"]).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| format!("cannot run cargo: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(format!("the benchmarks failed: {}\n{text}", output.status));
    }
    let measurements = parse(&text);
    let number =
        |name: &str| measurements.get(name).copied().ok_or_else(|| format!("the benchmark reported no `{name}`"));
    report.section("Executions in SQLite, every step durable");
    report.plain("rows that a step writes", number("step-rows")?, "");
    report.plain("bytes in them", number("step-bytes")?, "bytes");
    for executions in ["1", "64"] {
        for (suffix, with) in [("", ""), ("-without-history", ", without history")] {
            let of = |what: &str| number(&format!("{what}-{executions}{suffix}"));
            let executions = format!("{executions} at once{with}");
            report.plain(&format!("steps, {executions}"), of("steps")?, "/s");
            report.plain(&format!("the same rows by a bare loop, {executions}"), of("bare")?, "/s");
            let what = format!("steps : bare loop, {executions}");
            report.at_least(&what, of("ratio")?, 0.6, "x");
        }
    }
    for executions in ["1", "64"] {
        let share = |what: &str| {
            let (with, without) = (format!("{what}-{executions}"), format!("{what}-{executions}-without-history"));
            Ok::<f64, String>(number(&with)? / number(&without)?)
        };
        report.plain(&format!("steps with history : without, {executions} at once"), share("steps")?, "x");
        report.plain("  of the bare loop", share("bare")?, "x");
        // A history has almost as many bytes as the rest of a step, whoever writes them.
        report.at_least("  steps : bare loop", share("ratio")?, 0.85, "x");
    }
    report.limited("bytes of step 100,000 : of step 100", number("bytes-late")? / number("bytes-early")?, 1.05, "x");
    match (number("instructions-early"), number("instructions-late")) {
        (Ok(early), Ok(late)) => {
            report.limited("instructions of step 100,000 : of step 100", late / early, 1.05, "x");
        }
        _ => println!("  instructions are not counted: valgrind is not installed"),
    }
    if let (Ok(early), Ok(late)) = (number("pages-early"), number("pages-late")) {
        report.plain("pages that SQLite writes for step 100", early, "");
        report.limited("pages of step 100,000 : of step 100", late / early, 1.05, "x");
    }
    if let (Ok(early), Ok(late)) = (number("statements-early"), number("statements-late")) {
        report.plain("instructions of SQLite for step 100", early, "");
        report.limited("those of step 100,000 : of step 100", late / early, 1.05, "x");
    }
    if let (Ok(early), Ok(late)) = (number("statements-early-default"), number("statements-late-default")) {
        report.plain("the same, where step 100 removes no events yet", late / early, "x");
    }
    report.plain("a restart that finds 10,000 waiting executions", number("recovery-seconds")? * 1e3, "ms");
    report.limited("memory of a waiting execution", number("waiting-bytes")?, 2048.0, "bytes");
    for (name, what) in DELIVERIES {
        let among = |waiting: &str| number(&format!("delivery-{name}-{waiting}"));
        let (Ok(few), Ok(some), Ok(many)) = (among("10"), among("1000"), among("10000")) else { continue };
        report.plain(&format!("an event {what}, among 10"), few, "us");
        report.plain("  among 1,000 : among 10", some / few, "x");
        match name {
            // Each of them receives the event.
            "all" => report.plain("  among 10,000 : among 10", many / few, "x"),
            _ => report.limited("  among 10,000 : among 10", many / few, 1.5, "x"),
        }
    }
    Ok(())
}

fn parse(text: &str) -> BTreeMap<&str, f64> {
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.filter_map(|(name, number)| Some((name, number.parse().ok()?))).collect()
}
