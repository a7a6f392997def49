//! The times of functions of compositions, translated, compared with QuickJS. QuickJS is measured
//! twice: with a new context for each call, as the runtime runs functions that are not translated,
//! and at its fastest, with one context and a function that is compiled once.

use super::divan::Table;
use super::report::BenchReport;

/// Calls of a function in an execution.
const CALLS: f64 = 100.0;

/// States that the loop enters: four in each of its 1,000 passes, and four to leave it.
const STATES: f64 = 4004.0;

/// A function, and the least factor by which it must be faster than the engine.
struct Measure {
    name: &'static str,
    what: &'static str,
    on_engine: f64,
    on_reused_engine: Option<f64>,
}

const MEASURES: &[Measure] = &[
    Measure { name: "increment", what: "params.count++", on_engine: 10.0, on_reused_engine: Some(10.0) },
    Measure { name: "predicate", what: "a predicate on 1 KB", on_engine: 100.0, on_reused_engine: None },
];

/// Reports the measurements.
pub fn report(table: &Table, report: &mut BenchReport) -> Result<(), String> {
    report.section("Functions of compositions (fastest sample)");
    for measure in MEASURES {
        let name = measure.name;
        let call = |how: &str| table.nanoseconds(&format!("{how}/{name}")).map(|time| time / CALLS);
        let (translated, engine, reused) = (call("translated")?, call("on_engine")?, call("on_reused_engine")?);
        let what = measure.what;
        report.plain(&format!("{what}, translated"), translated, "ns");
        report.plain(&format!("{what}, on the engine"), engine / 1e3, "µs");
        report.plain(&format!("{what}, on a reused engine"), reused / 1e3, "µs");
        report.at_least(&format!("{what}, the engine : translated"), engine / translated, measure.on_engine, "x");
        let label = format!("{what}, a reused engine : translated");
        match measure.on_reused_engine {
            Some(limit) => report.at_least(&label, reused / translated, limit, "x"),
            None => report.plain(&label, reused / translated, "x"),
        }
    }
    let state = |table: &Table| Ok(table.nanoseconds("countdown_loop")? / STATES);
    let rounds = table.rounds("compositions", state)?;
    report.calibrated("a state of a loop with Push, two Tasks and a Choice", state(table)?, rounds, 200.0);
    Ok(())
}
