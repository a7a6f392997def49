//! The names of the errors that retriers and catchers match, in a dialect.

use super::ErrorMatch;

/// The names by which pictures and `dump` show the predefined errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorNames {
    /// The name of [`ErrorMatch::Any`].
    pub any: &'static str,
    /// The name of [`ErrorMatch::AnyTask`].
    pub any_task: &'static str,
    /// The name of [`ErrorMatch::Timeout`].
    pub timeout: &'static str,
    /// The name of [`ErrorMatch::Heartbeat`].
    pub heartbeat: &'static str,
}

impl ErrorNames {
    /// The names of a dialect without error names of its own.
    pub const NEUTRAL: ErrorNames = ErrorNames {
        any: "any error",
        any_task: "any error of a task",
        timeout: "time-out",
        heartbeat: "missed heartbeat",
    };

    /// Returns the name of an error.
    pub fn name<'a>(&self, error: &'a ErrorMatch) -> &'a str {
        match error {
            ErrorMatch::Any => self.any,
            ErrorMatch::AnyTask => self.any_task,
            ErrorMatch::Timeout => self.timeout,
            ErrorMatch::Heartbeat => self.heartbeat,
            ErrorMatch::Named(name) => name,
        }
    }

    /// Returns the names of errors, separated by commas.
    pub fn list(&self, errors: &[ErrorMatch]) -> String {
        errors.iter().map(|error| self.name(error)).collect::<Vec<_>>().join(", ")
    }
}
