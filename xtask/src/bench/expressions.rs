//! The times of expressions that are translated: jq compared with jaq, functions of compositions
//! with QuickJS, and JSONata with the evaluator, `jsonata-core`, and the package of npm.

use super::divan::{self, Table};
use super::report::BenchReport;
use super::{compositions, filters};
use crate::workspace::root;
use std::process::{Command, Stdio};

/// The variable with the folder of the package `jsonata` of npm. It is not measured without.
const PACKAGE: &str = "JSONATA";

/// An expression, and the least factors by which the translation must be faster.
struct Measure {
    name: &'static str,
    evaluator: f64,
    core: f64,
}

const MEASURES: &[Measure] = &[
    Measure { name: "condition", evaluator: 3.5, core: 4.0 },
    Measure { name: "selection", evaluator: 2.2, core: 2.5 },
    Measure { name: "merge", evaluator: 1.7, core: 3.0 },
];

const SIZES: [(&str, &str); 3] =
    [("expression", "150 bytes"), ("expression_1_kb", "1 KB"), ("expression_100_items", "100 items")];

/// Runs all measurements.
pub fn run(report: &mut BenchReport) -> Result<(), String> {
    let table =
        divan::run("workflow-benchmarks", "javascript,jq,jsonata", &["compositions", "filters", "expressions"])?;
    compositions::report(&table, report)?;
    filters::report(&table, report)?;
    jsonata(&table, report)
}

fn jsonata(table: &Table, report: &mut BenchReport) -> Result<(), String> {
    report.section("JSONata (fastest sample)");
    let package = by_package()?;
    for Measure { name, evaluator, core } in MEASURES {
        for (benchmark, size) in SIZES {
            let time = |suffix: &str| table.nanoseconds(&format!("{benchmark}{suffix}/{name}"));
            let translated = time("")?;
            report.plain(&format!("{name}, {size}, translated"), translated, "ns");
            let (label, ratio) = (format!("{name}, {size}, evaluator : translated"), time("_evaluated")? / translated);
            report.at_least(&label, ratio, *evaluator, "x");
            let (label, ratio) = (format!("{name}, {size}, jsonata-core : translated"), time("_by_core")? / translated);
            report.at_least(&label, ratio, *core, "x");
            if let Some(package) = &package {
                let time = package.nanoseconds(&format!("{benchmark}_by_js/{name}"))?;
                report.plain(&format!("{name}, {size}, the package of npm : translated"), time / translated, "x");
            }
        }
    }
    Ok(())
}

/// Measures the package of npm, if the variable has its folder.
fn by_package() -> Result<Option<Table>, String> {
    let Some(folder) = std::env::var_os(PACKAGE) else {
        println!("  the package of npm is not measured: `{PACKAGE}` does not have its folder");
        return Ok(None);
    };
    let mut command = Command::new("node");
    command.arg(root().join("benchmarks/expressions.js")).arg(folder).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| format!("cannot run node: {error}"))?;
    match output.status.success() {
        true => Ok(Some(divan::parse(&String::from_utf8_lossy(&output.stdout)))),
        false => Err(format!("benchmarks/expressions.js failed: {}", output.status)),
    }
}
