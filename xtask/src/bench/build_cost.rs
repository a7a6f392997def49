//! Build times of generated definitions: the expansion of the macro, and rustc for the package
//! that uses it.

use super::cpu::{measure_rustc, seconds_of_children};
use super::report::BenchReport;
use super::scratch::{CALIBRATION, CHECKED, EXPRESSIONS, LIBRARY, PATHS, SHAPES, SIZES, Scratch, UNCHECKED};
use super::scratch::{built, expanded, filters};
use crate::workspace::{read, succeed};
use std::path::Path;
use std::process::Command;

/// Repetitions of each measurement. The least counts: other work of the machine only adds to it.
const TIMES: usize = 5;

/// The largest ratio between the cost of a state among 1,000 and among 100. In runs of the same
/// code, that of rustc was between 0.98 and 1.28.
const GROWTH: f64 = 1.3;

/// The limit for an expression, in seconds.
const EXPRESSION: f64 = 3.5e-3;

/// The limit for a first build of a library with the macro and all that it depends on, in user
/// seconds of all processes.
const FIRST_BUILD: f64 = 42.0;

/// The limit for the inference of shapes, as a part of the rest of an expansion.
const SHAPES_SHARE: f64 = 0.2;

/// The limit for rustc's check of [`PATHS`] paths into a type, in seconds.
const PATH_CHECKS: f64 = 0.1;

/// A measurement, and its limits in seconds for the smaller and the larger definition.
struct Measure {
    what: &'static str,
    package: fn(usize) -> String,
    command: &'static [&'static str],
    limits: [f64; 2],
}

const MEASURES: &[Measure] = &[
    Measure { what: "expansion, dev", package: expanded, command: &["check"], limits: [0.035, 0.4] },
    Measure { what: "expansion, optimised", package: expanded, command: &["check", "--release"], limits: [0.02, 0.2] },
    Measure { what: "rustc, check", package: built, command: &["check"], limits: [0.4, 3.0] },
    Measure { what: "rustc, build", package: built, command: &["build"], limits: [0.6, 6.0] },
];

/// Runs all measurements.
pub fn run(report: &mut BenchReport) -> Result<(), String> {
    let scratch = Scratch::write()?;
    report.section("Build through the macro, on the processor; rustc with its expansion");
    let [small, large] = SIZES;
    let package = |_| CALIBRATION.to_owned();
    let calibration = Measure { what: "the calibration package", package, command: &["check"], limits: [0.0; 2] };
    let round = seconds(&scratch, &calibration, 0)?;
    report.plain("the calibration package, rustc, check", round * 1e3, "ms");
    let first = first_build(&scratch)?;
    report.calibrated_build(
        "a library with the macro, first dev build with all crates",
        first,
        first / round,
        FIRST_BUILD,
    );
    for measure in MEASURES {
        let one = seconds(&scratch, measure, small)?;
        if (measure.package)(small) == expanded(small) {
            let shapes = seconds_of(&scratch, measure, small, SHAPES)?;
            let what = format!("{}, {small} states, the inference of shapes : the rest", measure.what);
            report.limited(&what, shapes / (one - shapes), SHAPES_SHARE, "x");
        }
        report.calibrated_build(&format!("{}, {small} states", measure.what), one, one / round, measure.limits[0]);
        let other = seconds(&scratch, measure, large)?;
        report.calibrated_build(&format!("{}, {large} states", measure.what), other, other / round, measure.limits[1]);
        let growth = other / one / (large / small) as f64;
        report.limited(&format!("{}, a state among {large} : among {small}", measure.what), growth, GROWTH, "x");
    }
    let measure = |package| Measure { what: "paths", package, command: &["check"], limits: [0.0; 2] };
    let checked = seconds(&scratch, &measure(|_| CHECKED.to_owned()), 0)?;
    let unchecked = seconds(&scratch, &measure(|_| UNCHECKED.to_owned()), 0)?;
    let checks = checked - unchecked;
    report.calibrated_build(&format!("{PATHS} paths into a type, rustc, check"), checks, checks / round, PATH_CHECKS);
    let [few, many] = EXPRESSIONS;
    let measure = Measure { what: "jq expressions", package: filters, command: &["build"], limits: [0.0; 2] };
    let (one, other) = (seconds(&scratch, &measure, few)?, seconds(&scratch, &measure, many)?);
    let each = (other - one) / (many - few) as f64;
    if each <= 0.0 {
        return Err(format!("{many} jq expressions take {other} s to build, and {few} take {one} s"));
    }
    report.calibrated_build("a jq expression with its part of a state, rustc, build", each, each / round, EXPRESSION);
    Ok(())
}

/// Returns the user seconds of a first build of a library with the macro, in an empty folder. The
/// crates are downloaded before.
fn first_build(scratch: &Scratch) -> Result<f64, String> {
    let target = scratch.folder.join("first");
    if target.exists() {
        std::fs::remove_dir_all(&target).map_err(|error| format!("cannot empty {}: {error}", target.display()))?;
    }
    let run = |arguments: &[&str]| {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(arguments).current_dir(&scratch.folder);
        command.env("CARGO_INCREMENTAL", "0").env("CARGO_TARGET_DIR", &target);
        succeed(&mut command, &format!("building {LIBRARY}"))
    };
    run(&["fetch", "--quiet"])?;
    let spent = || seconds_of_children().ok_or("the CPU time of a build is measured on Linux only");
    let before = spent()?;
    run(&["build", "--quiet", "--package", LIBRARY])?;
    Ok(spent()? - before)
}

/// Returns the least of several builds, in seconds. The package's dependencies are built first.
fn seconds(scratch: &Scratch, measure: &Measure, size: usize) -> Result<f64, String> {
    seconds_of(scratch, measure, size, "")
}

/// Returns the least of several builds, of the lines that begin with the package and a part.
fn seconds_of(scratch: &Scratch, measure: &Measure, size: usize, part: &str) -> Result<f64, String> {
    let package = (measure.package)(size);
    let spent = scratch.folder.join("report");
    build(scratch, measure, &package, &spent)?;
    let mut all = Vec::new();
    for _ in 0..TIMES {
        // The file is missing if nothing had to be built.
        let _ = std::fs::remove_file(&spent);
        scratch.touch(&package)?;
        build(scratch, measure, &package, &spent)?;
        let report = read(&spent)?;
        let name = format!("{package}{part} ");
        let own = report.lines().filter_map(|line| line.strip_prefix(name.as_str())?.trim().parse::<f64>().ok());
        all.extend(own);
    }
    all.into_iter().reduce(f64::min).ok_or_else(|| format!("nothing was measured for {package}"))
}

fn build(scratch: &Scratch, measure: &Measure, package: &str, spent: &Path) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(measure.command).args(["--quiet", "--package", package]).current_dir(&scratch.folder);
    command.env("CARGO_INCREMENTAL", "0").env("CARGO_TARGET_DIR", scratch.folder.join("target"));
    match (measure.package)(0) == expanded(0) {
        true => command.env("WORKFLOW_BENCH_EXPANSION", spent),
        false => measure_rustc(&mut command, spent)?,
    };
    succeed(&mut command, &format!("building {package}"))
}
