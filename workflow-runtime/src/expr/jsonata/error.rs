//! Errors of expressions.

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
}
