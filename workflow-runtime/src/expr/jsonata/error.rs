//! Errors of expressions.

use std::fmt;

/// An error of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The code of JSONata, such as `T2001`. It is empty for an exceeded limit.
    pub code: &'static str,
    /// The message of JSONata, without the code.
    pub message: String,
}

/// The result of evaluation. Nothing (undefined) is `None` in the results of most functions.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Creates an error.
    pub fn new(code: &'static str, message: impl Into<String>) -> Error {
        Error { code, message: message.into() }
    }

    /// Returns the error of an evaluation that is nested too deeply.
    #[cold]
    pub(crate) fn depth() -> Error {
        let message = "Stack overflow error: Check for non-terminating recursive function. Consider rewriting as \
                       tail-recursive";
        Error::new("", message)
    }

    /// Returns the error of an evaluation that needs too much memory.
    #[cold]
    pub(crate) fn memory() -> Error {
        Error::new("", "Expression evaluation memory limit exceeded: Check for excessive memory usage")
    }

    /// Returns the error of an evaluation that takes too many steps.
    #[cold]
    pub(crate) fn steps() -> Error {
        Error::new("", "Expression evaluation timeout: Check for infinite loop")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            "" => f.write_str(&self.message),
            code => write!(f, "{code}: {}", self.message),
        }
    }
}

impl std::error::Error for Error {}
