//! The date of a run, and the load of the machine.

use std::process::Command;

/// The conditions at one time.
pub struct Conditions {
    date: String,
    /// The mean number of running processes over the last minute, if the system has it.
    load: Option<f64>,
}

impl Conditions {
    /// Returns the conditions now.
    pub fn now() -> Conditions {
        let date = Command::new("date").args(["--utc", "+%F"]).output();
        let date = date.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
        let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        Conditions { date, load: text.split_whitespace().next().and_then(|number| number.parse().ok()) }
    }

    /// Returns a paragraph about a run from these conditions to others.
    pub fn until(&self, end: &Conditions) -> String {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let load = match (self.load, end.load) {
            (Some(before), Some(after)) => format!(", with a load of {before:.1} before and {after:.1} after the run"),
            _ => String::new(),
        };
        format!(
            "\nMeasured on {} on {cores} cores{load}.\nThe ratios count rather than the times: the engines took turns, \
             and the best sample of each counts.\n",
            end.date
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_a_date_and_a_load() {
        let at = |load| Conditions { date: "2026-01-31".to_owned(), load };
        let text = at(Some(0.25)).until(&at(Some(3.0)));
        assert!(text.starts_with("\nMeasured on 2026-01-31 on "), "{text}");
        assert!(text.contains(", with a load of 0.2 before and 3.0 after the run.\n"), "{text}");
        assert!(!at(None).until(&at(Some(3.0))).contains("load"));
        assert_eq!(Conditions::now().date.len(), 10);
    }
}
