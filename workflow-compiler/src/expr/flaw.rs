//! What is wrong with an expression, by the bytes of its text, until it is shown in the definition.

use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::Text;
use std::ops::Range;

/// A finding inside the text of one string of a definition.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Flaw {
    pub code: &'static Code,
    /// Bytes of the unescaped text.
    pub at: Range<usize>,
    pub message: String,
    pub help: Option<String>,
    /// What to write in place of the bytes `at`.
    pub replacement: Option<String>,
}

impl Flaw {
    pub fn new(code: &'static Code, at: Range<usize>, message: impl Into<String>) -> Self {
        Flaw { code, at, message: message.into(), help: None, replacement: None }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub fn replace_by(mut self, replacement: impl Into<String>) -> Self {
        self.replacement = Some(replacement.into());
        self
    }

    /// The finding at its place in the definition.
    pub fn in_text(self, text: &Text) -> Diagnostic {
        let span = text.span_of(self.at.start, self.at.end);
        let diagnostic = Diagnostic::new(self.code, span, self.message).maybe_help(self.help);
        match self.replacement {
            // What replaces a part of a JSON string is itself written in one.
            Some(replacement) if !replacement.contains(['"', '\\']) => diagnostic.fix(span, replacement),
            _ => diagnostic,
        }
    }
}
