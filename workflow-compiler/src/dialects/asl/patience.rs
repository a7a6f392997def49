//! Stops reading where there are more errors than anybody mends at once, so that a broken definition costs bounded time.

use crate::diagnostics::codes::syntax::E0113;
use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::source::Span;
use crate::syntax::limits::MAX_ERRORS;

/// How many errors there have been.
#[derive(Debug, Default)]
pub struct Patience {
    /// The findings that have been looked at.
    seen: usize,
    errors: usize,
}

impl Patience {
    /// Whether there are so many errors that what follows, at `span`, is not worth reading. The first time that is
    /// reported.
    pub fn is_exhausted(&mut self, span: Span, diagnostics: &mut Diagnostics) -> bool {
        let before = self.errors;
        for found in diagnostics.iter().skip(self.seen) {
            self.seen += 1;
            self.errors += usize::from(found.severity() == Severity::Error);
        }
        if before < MAX_ERRORS && self.errors >= MAX_ERRORS {
            let message = format!("more than {MAX_ERRORS} errors: the rest of the definition was not read");
            diagnostics.push(Diagnostic::new(&E0113, span, message).help("mend the errors above first"));
        }
        self.errors >= MAX_ERRORS
    }
}
