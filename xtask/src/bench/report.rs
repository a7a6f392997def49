//! The lines of the report: what was measured, its limit, and whether it is kept.

/// Prints lines, and counts those whose limit is not kept.
#[derive(Debug, Default)]
pub struct Report {
    broken: usize,
}

impl Report {
    /// A heading.
    pub fn section(&self, name: &str) {
        println!("\n{name}");
    }

    /// A measured number that has a limit.
    pub fn limited(&mut self, what: &str, measured: f64, limit: f64, unit: &str) {
        self.line(what, measured, limit, unit, measured <= limit);
    }

    /// A measured number that must not be less than its limit.
    pub fn at_least(&mut self, what: &str, measured: f64, limit: f64, unit: &str) {
        self.line(what, measured, limit, unit, measured >= limit);
    }

    fn line(&mut self, what: &str, measured: f64, limit: f64, unit: &str, kept: bool) {
        self.broken += usize::from(!kept);
        let verdict = if kept { "ok" } else { "BROKEN" };
        let (measured, limit) = (number(measured), number(limit));
        println!("  {what:<58} {measured:>9} {unit:<6} limit {limit:>6}  {verdict}");
    }

    /// A measured number that others are made of.
    pub fn plain(&self, what: &str, measured: f64, unit: &str) {
        println!("  {what:<58} {:>9} {unit}", number(measured));
    }

    /// Fails where a limit is not kept.
    pub fn finish(self) -> Result<(), String> {
        match self.broken {
            0 => Ok(()),
            1 => Err("\nbench: 1 limit is not kept".to_owned()),
            broken => Err(format!("\nbench: {broken} limits are not kept")),
        }
    }
}

fn number(number: f64) -> String {
    let places = if number.abs() >= 100.0 { 0 } else { 2 };
    format!("{number:.places$}")
}

/// The one in the middle.
pub fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}
