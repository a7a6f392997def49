//! Expectations, and what is reported if an engine does not meet them.

use std::fmt::{self, Debug};

use workflow_runtime::engine::EngineError;

use crate::Verdict;

/// The way in which an engine breaks a promise.
///
/// ```
/// use workflow_engine_suite::Violation;
///
/// assert_eq!(Violation::new("the event is lost").to_string(), "the event is lost");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation(String);

impl Violation {
    /// Creates a violation with this message.
    pub fn new(message: impl Into<String>) -> Violation {
        Violation(message.into())
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Violation {}

impl From<EngineError> for Violation {
    fn from(error: EngineError) -> Violation {
        Violation(format!("the engine refuses a request that it must accept: {error}"))
    }
}

/// Expects two values to be equal.
pub(crate) fn equal<T: PartialEq<U> + Debug, U: Debug>(what: &str, found: T, expected: U) -> Verdict {
    match found == expected {
        true => Ok(()),
        false => Err(Violation(format!("{what}: expected {expected:?}, found {found:?}"))),
    }
}

/// Expects a condition to hold.
pub(crate) fn holds(what: &str, condition: bool) -> Verdict {
    if condition { Ok(()) } else { Err(Violation(format!("not so: {what}"))) }
}

/// Expects a refusal of this kind.
pub(crate) fn refused<T: Debug>(
    what: &str,
    answer: Result<T, EngineError>,
    kind: impl Fn(&EngineError) -> bool,
) -> Verdict {
    match answer {
        Err(error) if kind(&error) => Ok(()),
        Err(error) => Err(Violation(format!("{what}: refused for another reason: {error:?}"))),
        Ok(answer) => Err(Violation(format!("{what}: not refused, but answered {answer:?}"))),
    }
}
