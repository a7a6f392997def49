//! `cargo xtask bench`: measures the numbers that the project promises, each with its limit.

mod build_cost;
mod compositions;
mod cpu;
mod definition;
mod divan;
mod durable;
mod expressions;
mod filters;
mod maps;
mod peers;
mod report;
mod restate;
mod restate_steps;
mod runs;
mod scratch;
mod server;
mod size;

pub use cpu::as_wrapper;

use crate::workspace::target_folder;
use report::BenchReport;

/// A group of measurements.
type Part = fn(&mut BenchReport) -> Result<(), String>;

/// Runs all measurements, or the named ones. Fails if a number is beyond its limit. Without names,
/// skips those on Restate if there is no server. `peers` has no limits, installs other tools, and
/// only runs if it is named.
pub fn run(arguments: &[String]) -> Result<(), String> {
    if let [part] = arguments
        && part == "peers"
    {
        return peers::run();
    }
    let mut report = BenchReport::default();
    let parts: [(&str, Part); 9] = [
        ("run", runs::run),
        ("expressions", expressions::run),
        ("durable", durable::run),
        ("map", maps::run),
        ("server", server::run),
        ("restate", restate::run),
        ("restate-steps", restate_steps::run),
        ("size", size::run),
        ("build", build_cost::run),
    ];
    if let Some(unknown) = arguments.iter().find(|name| !parts.iter().any(|(part, _)| part == name)) {
        return Err(format!(
            "unknown part `{unknown}`: expected run, expressions, durable, map, server, restate, restate-steps, size or build; or peers alone"
        ));
    }
    for (name, part) in parts {
        if arguments.is_empty()
            && name.starts_with("restate")
            && let Err(problem) = restate_testing::find(&target_folder())
        {
            println!("skipped the part {name}: no Restate server: {problem}");
            continue;
        }
        if arguments.is_empty() || arguments.iter().any(|argument| argument == name) {
            part(&mut report)?;
        }
    }
    report.finish()
}
