//! The cost of an execution: its instructions and time, against the same logic written by hand and
//! as a plain function, and its memory.

use super::divan::{self, Table};
use super::report::BenchReport;

/// States that an execution of `pure.asl.json` enters: its circle of eleven 100 times, and three
/// around it.
const PURE_STATES: f64 = 1103.0;

/// Tasks that an execution of `chain.asl.json` runs. Each follows one Choice.
const COMMANDS: f64 = 100.0;

/// Executions that `waiting` holds at once.
const WAITING: f64 = 10_000.0;

/// Items of `iterations`, and the number of items in progress at the same time.
const ITEMS: f64 = 10_000.0;
const AT_ONCE: f64 = 64.0;

/// The most allocations of a run of the ten states.
const ALLOCATIONS: f64 = 83.0;

/// Workflows of which the instructions are counted, with the limits of their number and of the
/// ratio to the plain function.
const INSTRUCTIONS: [(&str, &str, f64, f64); 2] =
    [("ten", "ten states", 59_700.0, 3.60), ("linear", "linear", 16_600.0, 2.80)];

/// Runs all measurements.
pub fn run(report: &mut BenchReport) -> Result<(), String> {
    let table = divan::run("workflow-benchmarks", "", &["machine", "waiting", "workers"])?;
    report.section("Runs in memory (fastest sample)");
    let pure = |table: &Table| Ok(table.nanoseconds("pure_states/false")? / PURE_STATES);
    // A command follows a Choice, and both are states.
    let command = |table: &Table| Ok(table.nanoseconds("commands/false")? / COMMANDS - 2.0 * pure(table)?);
    for (payload, with) in [("false", ""), ("true", ", 90 KB of payload")] {
        let by_hand = table.nanoseconds(&format!("ten_by_hand/{payload}"))?;
        let generated = table.nanoseconds(&format!("ten_generated/{payload}"))?;
        report.plain(&format!("ten states by hand{with}"), by_hand / 1e3, "µs");
        report.limited(&format!("ten states, generated : by hand{with}"), generated / by_hand, 1.05, "x");
    }
    for (generated, plain, what) in [
        ("ten_generated", "ten_plain", "ten states, generated : plain function"),
        ("linear_generated", "linear_plain", "linear, generated : plain function"),
    ] {
        let of = |name: &str| table.nanoseconds(&format!("{name}/false"));
        report.plain(what, of(generated)? / of(plain)?, "x");
    }
    report.plain("a round of the calibration loop", table.round("machine")?, "ns");
    report.calibrated("a pure state", pure(&table)?, table.rounds("machine", pure)?, 100.0);
    report.calibrated("a command, beyond a pure state", command(&table)?, table.rounds("machine", command)?, 240.0);
    for (name, what) in [("ten_generated", "ten states"), ("pure_states", "pure states"), ("commands", "commands")] {
        let small = table.nanoseconds(&format!("{name}/false"))?;
        let large = table.nanoseconds(&format!("{name}/true"))?;
        report.limited(&format!("{what}, with 90 KB more : without"), large / small, 1.1, "x");
    }
    let (waiting, document) = (table.bytes("waiting")? / WAITING, table.bytes("documents")? / WAITING);
    report.plain("a waiting execution with its document and task", waiting, "bytes");
    report.limited("a waiting execution, its document apart", waiting - document, 1536.0, "bytes");
    let (few, many) = (table.bytes(&format!("iterating/{AT_ONCE}"))?, table.bytes(&format!("iterating/{ITEMS}"))?);
    report.plain("an iteration, of those at the same time", few / AT_ONCE, "bytes");
    report.limited("an iteration, of all", (many - few) / (ITEMS - AT_ONCE), 64.0, "bytes");
    let time = |table: &Table| Ok(table.nanoseconds(&format!("iterations/{ITEMS}"))? / ITEMS);
    let rounds = table.rounds("machine", time)?;
    report.calibrated("an iteration of 10,000, 64 at the same time", time(&table)?, rounds, 2_000.0);
    hand_over(&table, report)?;
    instructions(&table, report)
}

/// Reports the instructions and the allocations of a run.
fn instructions(table: &Table, report: &mut BenchReport) -> Result<(), String> {
    report.section("Instructions and allocations of a run");
    report.limited("allocations, ten states", table.allocations("ten")?, ALLOCATIONS, "");
    report.plain("allocations, ten states, plain function", table.allocations("ten_plain")?, "");
    let counted = divan::run_once("workflow-benchmarks", "", &["instructions"])?;
    for (name, what, limit, ratio) in INSTRUCTIONS {
        let (Some(run), Some(plain)) = (counted.instructions(name), counted.instructions(&format!("{name}-plain")))
        else {
            println!("  instructions are not counted: valgrind is not installed");
            return Ok(());
        };
        report.limited(&format!("instructions, {what}"), run, limit, "");
        report.plain(&format!("instructions, {what}, plain function"), plain, "");
        report.limited(&format!("{what}, generated : plain function"), run / plain, ratio, "x");
    }
    Ok(())
}

/// Reports the cost of running turns on worker threads. Measures nothing on systems other than
/// Linux.
fn hand_over(table: &Table, report: &mut BenchReport) -> Result<(), String> {
    let Ok(bare) = table.nanoseconds("bare-exchange") else {
        println!("  the hand-over to workers is not measured: it takes the kernel's times of threads");
        return Ok(());
    };
    let many = |table: &Table| table.nanoseconds("hand-over-64");
    let rounds = table.rounds("workers", many)?;
    report.calibrated("a hand-over to a worker, 64 executions", many(table)?, rounds, 1_000.0);
    report.plain("a bare exchange between two threads that sleep", bare, "ns");
    let alone = table.nanoseconds("hand-over-1")?;
    report.plain("a hand-over to a worker, one execution", alone, "ns");
    report.limited("a hand-over of one execution : a bare exchange", alone / bare, 1.5, "x");
    Ok(())
}
