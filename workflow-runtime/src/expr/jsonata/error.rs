//! Errors of expressions.

use std::fmt;

use super::item::Item;
use crate::value::Value;

/// An error of an expression.
// On the heap, so that results are not larger than values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonataError(Box<Details>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Details {
    code: &'static str,
    message: String,
}

const _: () = assert!(size_of::<Result<Option<Item>>>() == size_of::<Value>());

/// The result of evaluation. Nothing (undefined) is `None` in the results of most functions.
pub type Result<T> = std::result::Result<T, JsonataError>;

impl JsonataError {
    /// Creates an error.
    #[cold]
    pub fn new(code: &'static str, message: impl Into<String>) -> JsonataError {
        JsonataError(Box::new(Details { code, message: message.into() }))
    }

    /// Returns the code of JSONata, such as `T2001`. It is empty for an exceeded limit and for an
    /// invalid regular expression.
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// Returns the message of JSONata, without the code.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the error of an evaluation that is nested too deeply.
    #[cold]
    pub(crate) fn depth() -> JsonataError {
        let message = "Stack overflow error: Check for non-terminating recursive function. Consider rewriting as \
                       tail-recursive";
        JsonataError::new("", message)
    }

    /// Returns the error of an evaluation that needs too much memory.
    #[cold]
    pub(crate) fn memory() -> JsonataError {
        JsonataError::new("", "Expression evaluation memory limit exceeded: Check for excessive memory usage")
    }

    /// Returns the error of an evaluation that takes too many steps.
    #[cold]
    pub(crate) fn steps() -> JsonataError {
        JsonataError::new("", "Expression evaluation timeout: Check for infinite loop")
    }
}

impl fmt::Display for JsonataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code() {
            "" => f.write_str(self.message()),
            code => write!(f, "{code}: {}", self.message()),
        }
    }
}

impl std::error::Error for JsonataError {}
