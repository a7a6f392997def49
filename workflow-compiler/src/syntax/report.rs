//! Diagnostics of a reader, and its limits.

use super::limits::{MAX_DEPTH, MAX_NODES};
use super::{Node, Tree};
use crate::diagnostics::MAX_ERRORS;
use crate::diagnostics::{Diagnostic, Diagnostics, Severity, codes::syntax as codes};
use crate::source::{FileId, Span};

/// The byte order mark, which some editors write at the start of a file. It has no meaning in
/// UTF-8 and is skipped.
pub const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// The diagnostics of one reader in one file. After [`Report::fail`] it accepts no more of them,
/// so that a reader can unwind without reports about unread text.
pub struct Report<'d> {
    file: FileId,
    diagnostics: &'d mut Diagnostics,
    errors: usize,
    warnings: usize,
    nodes: usize,
    stopped: bool,
}

impl<'d> Report<'d> {
    pub fn new(file: FileId, diagnostics: &'d mut Diagnostics) -> Self {
        Report { file, diagnostics, errors: 0, warnings: 0, nodes: 0, stopped: false }
    }

    pub fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end)
    }

    pub fn null(&self, at: usize) -> Node {
        Node { span: self.span(at, at), tree: Tree::Null }
    }

    /// Adds a diagnostic, within limits: the last accepted error says that there may be more, and
    /// further warnings are dropped.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let span = diagnostic.span;
        let counted = match diagnostic.severity() {
            Severity::Error => &mut self.errors,
            Severity::Warning | Severity::Note => &mut self.warnings,
        };
        if self.stopped || *counted == MAX_ERRORS {
            return;
        }
        *counted += 1;
        self.diagnostics.push(diagnostic);
        if self.errors == MAX_ERRORS {
            let message = format!("more than {MAX_ERRORS} errors: the rest of the file was not read");
            self.fail(Diagnostic::new(&codes::WF0113, span, message).help("fix the errors above first"));
        }
    }

    /// Adds a diagnostic after which reading stops.
    pub fn fail(&mut self, diagnostic: Diagnostic) {
        if !self.stopped {
            self.stopped = true;
            self.diagnostics.push(diagnostic);
        }
    }

    /// Returns the number of errors in this file.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Returns `true` if this file has errors.
    #[cfg(feature = "yaml")]
    pub fn has_errors(&self) -> bool {
        self.errors > 0 || self.stopped
    }

    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Counts `count` values, the last of them at `span`. Stops reading if there are too many.
    /// Returns `true` to continue.
    pub fn spend(&mut self, count: usize, span: Span) -> bool {
        self.nodes = self.nodes.saturating_add(count);
        if self.nodes > MAX_NODES {
            self.fail(
                Diagnostic::new(&codes::WF0113, span, format!("the definition holds more than {MAX_NODES} values"))
                    .label("reading stopped here")
                    .help("move a part into another workflow, or use fewer aliases"),
            );
        }
        !self.stopped
    }

    /// Checks the nesting `depth` at `span`. Stops reading if it is too deep. Returns `true` to
    /// continue.
    pub fn check_depth(&mut self, depth: usize, span: Span) -> bool {
        if depth > MAX_DEPTH {
            self.fail(
                Diagnostic::new(&codes::WF0113, span, format!("values are nested more than {MAX_DEPTH} levels deep"))
                    .label("reading stopped here")
                    .help("move inner workflows into definitions of their own"),
            );
        }
        !self.stopped
    }

    /// Checks the size of a text against `limit` bytes. Stops reading if it is too large. Returns
    /// `true` to continue.
    pub fn check_size(&mut self, text: &str, limit: usize) -> bool {
        if text.len() > limit {
            let message = format!("the definition is {} bytes long, but the limit is {limit} bytes", text.len());
            self.fail(
                Diagnostic::new(&codes::WF0113, self.span(0, 0), message).help("move a part into another workflow"),
            );
        }
        !self.stopped
    }
}
