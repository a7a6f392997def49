//! Errors of expressions.

use std::fmt;

/// An error of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonataError {
    /// The code of JSONata, such as `T2001`. It is empty for an exceeded limit and
    /// for an invalid regular expression.
    pub code: &'static str,
    /// The message of JSONata, without the code.
    pub message: String,
}

/// The result of evaluation. Nothing (undefined) is `None` in the results of most functions.
pub type Result<T> = std::result::Result<T, JsonataError>;

impl JsonataError {
    /// Creates an error.
    pub fn new(code: &'static str, message: impl Into<String>) -> JsonataError {
        JsonataError { code, message: message.into() }
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
        match self.code {
            "" => f.write_str(&self.message),
            code => write!(f, "{code}: {}", self.message),
        }
    }
}

impl std::error::Error for JsonataError {}
