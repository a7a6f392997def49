//! The lines of the report: what was measured, its limit, and whether it is kept.

/// Prints lines, and counts those over their limit.
#[derive(Debug, Default)]
pub struct Report {
    over: usize,
}

impl Report {
    /// A heading.
    pub fn section(&self, name: &str) {
        println!("\n{name}");
    }

    /// A measured number that has a limit.
    pub fn limited(&mut self, what: &str, measured: f64, limit: f64, unit: &str) {
        let kept = measured <= limit;
        self.over += usize::from(!kept);
        let verdict = if kept { "ok" } else { "OVER" };
        let (measured, limit) = (number(measured), number(limit));
        println!("  {what:<58} {measured:>9} {unit:<6} limit {limit:>6}  {verdict}");
    }

    /// A measured number that others are made of.
    pub fn plain(&self, what: &str, measured: f64, unit: &str) {
        println!("  {what:<58} {:>9} {unit}", number(measured));
    }

    /// Fails where a limit is not kept.
    pub fn finish(self) -> Result<(), String> {
        match self.over {
            0 => Ok(()),
            1 => Err("\nbench: 1 line is over its limit".to_owned()),
            over => Err(format!("\nbench: {over} lines are over their limits")),
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
