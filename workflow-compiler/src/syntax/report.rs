//! Where a reader puts what it finds, and what it may still spend.

use super::limits::{MAX_DEPTH, MAX_ERRORS, MAX_NODES};
use super::{Node, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Severity, codes::syntax as codes};
use crate::escape::comment;
use crate::source::{FileId, Span};

/// A mark that some editors put at the start of a file. It says nothing in UTF-8 and is passed over there.
pub const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// The findings of one reader in one file. After [`Report::fail`] it takes no more of them, so that a reader can
/// unwind without a word about what it did not read.
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

    /// Takes note of a finding. There are limits: the last error that is taken says that there may be more, and further
    /// warnings are dropped.
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
            self.fail(Diagnostic::new(&codes::E0113, span, message).help("mend the errors above first"));
        }
    }

    /// Takes note of a finding after which reading makes no sense.
    pub fn fail(&mut self, diagnostic: Diagnostic) {
        if !self.stopped {
            self.stopped = true;
            self.diagnostics.push(diagnostic);
        }
    }

    /// How many errors of this file were found.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Whether an error of this file was found.
    #[cfg(feature = "yaml")]
    pub fn has_errors(&self) -> bool {
        self.errors > 0 || self.stopped
    }

    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Pays for `count` values, the last of them at `span`; stops reading where there are too many.
    pub fn spend(&mut self, count: usize, span: Span) -> bool {
        self.nodes = self.nodes.saturating_add(count);
        if self.nodes > MAX_NODES {
            self.fail(
                Diagnostic::new(&codes::E0113, span, format!("the definition holds more than {MAX_NODES} values"))
                    .label("reading stopped here")
                    .help("split the definition, or use fewer aliases"),
            );
        }
        !self.stopped
    }

    /// Refuses a nesting of `depth` at `span`; stops reading there.
    pub fn check_depth(&mut self, depth: usize, span: Span) -> bool {
        if depth > MAX_DEPTH {
            self.fail(
                Diagnostic::new(&codes::E0113, span, format!("values are nested more than {MAX_DEPTH} levels deep"))
                    .label("reading stopped here")
                    .help("move inner workflows into definitions of their own"),
            );
        }
        !self.stopped
    }

    /// Refuses a text of more than `limit` bytes.
    pub fn check_size(&mut self, text: &str, limit: usize) -> bool {
        if text.len() > limit {
            let message = format!("the definition is {} bytes long; the limit is {limit}", text.len());
            self.fail(Diagnostic::new(&codes::E0113, self.span(0, 0), message).help("split the definition"));
        }
        !self.stopped
    }
}

/// A name from a definition as messages show it: bounded in length, on one line.
pub fn shown(name: &str) -> String {
    const MOST: usize = 60;
    let mut shown = comment(&name.chars().take(MOST).collect::<String>()).into_owned();
    if name.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}
