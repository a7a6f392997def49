//! The errors of the syntax.

use std::fmt;
use std::ops::Range;

/// An error in the text of an expression. See the example of [`parse`](crate::parse).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// The code of JSONata: `S0202`. It is empty for limits, which JSONata does not have.
    pub code: &'static str,
    /// The message without the code: `Expected "]", got ","`.
    pub message: String,
    /// The place in the text, in bytes. It is empty at the end of the text.
    pub at: Range<usize>,
    /// The text to write in place of syntax that other versions of JSONata have.
    pub help: Option<&'static str>,
}

impl SyntaxError {
    /// Returns an error that has a code of JSONata.
    pub(crate) fn new(code: &'static str, message: impl Into<String>, at: Range<usize>) -> Box<Self> {
        Box::new(Self { code, message: message.into(), at, help: None })
    }

    /// Returns an error for an expression that exceeds a limit.
    pub(crate) fn limit(message: impl Into<String>, at: Range<usize>) -> Box<Self> {
        Self::new("", message, at)
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.code.is_empty() {
            write!(formatter, "{}: ", self.code)?;
        }
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for SyntaxError {}
