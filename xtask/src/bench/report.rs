//! The lines of the report: the measurement, its limit, and the verdict.

/// The time of a round of the calibration loop (`benchmarks/src/calibration.rs`), in nanoseconds,
/// on the machine for which the limits are stated: that of `benchmarks/README.md`. It is the time
/// in the fastest of ten processes.
const ROUND: f64 = 48.5;

/// The CPU time in seconds that rustc takes to check the calibration package (`scratch.rs`) on
/// this machine. A machine that takes twice the time is allowed twice the limits.
const PACKAGE: f64 = 0.45;

/// Prints lines, and counts the measurements beyond their limit.
#[derive(Debug, Default)]
pub struct BenchReport {
    broken: usize,
}

impl BenchReport {
    /// Prints a heading.
    pub fn section(&self, name: &str) {
        println!("\n{name}");
    }

    /// Reports a number that must not exceed its limit.
    pub fn limited(&mut self, what: &str, measured: f64, limit: f64, unit: &str) {
        self.line(what, measured, limit, unit, measured <= limit);
    }

    /// Reports a number that must not be below its limit.
    pub fn at_least(&mut self, what: &str, measured: f64, limit: f64, unit: &str) {
        self.line(what, measured, limit, unit, measured >= limit);
    }

    /// Reports a time in nanoseconds, and the time where a round of the calibration loop takes
    /// [`ROUND`], which must not exceed the limit. The time is `rounds` rounds of the loop.
    pub fn calibrated(&mut self, what: &str, nanoseconds: f64, rounds: f64, limit: f64) {
        self.plain(what, nanoseconds, "ns");
        self.limited(&format!("  where a round of the calibration loop takes {ROUND} ns"), rounds * ROUND, limit, "ns");
    }

    /// Reports a time of the compiler in seconds, and the time where the calibration package takes
    /// [`PACKAGE`], which must not exceed the limit in seconds. The time is `packages` times that
    /// of the package.
    pub fn calibrated_build(&mut self, what: &str, seconds: f64, packages: f64, limit: f64) {
        self.plain(what, seconds * 1e3, "ms");
        let condition = format!("  where the calibration package takes {} ms", PACKAGE * 1e3);
        self.limited(&condition, packages * PACKAGE * 1e3, limit * 1e3, "ms");
    }

    fn line(&mut self, what: &str, measured: f64, limit: f64, unit: &str, kept: bool) {
        self.broken += usize::from(!kept);
        let verdict = if kept { "ok" } else { "BROKEN" };
        let (measured, limit) = (number(measured), number(limit));
        println!("  {what:<58} {measured:>9} {unit:<6} limit {limit:>6}  {verdict}");
    }

    /// Reports a number without a limit, from which others are computed.
    pub fn plain(&self, what: &str, measured: f64, unit: &str) {
        println!("  {what:<58} {:>9} {unit}", number(measured));
    }

    /// Fails if a measurement was beyond its limit.
    pub fn finish(self) -> Result<(), String> {
        match self.broken {
            0 => Ok(()),
            1 => Err("\nbench: 1 limit exceeded".to_owned()),
            broken => Err(format!("\nbench: {broken} limits exceeded")),
        }
    }
}

fn number(number: f64) -> String {
    let places = if number.abs() >= 100.0 { 0 } else { 2 };
    format!("{number:.places$}")
}
