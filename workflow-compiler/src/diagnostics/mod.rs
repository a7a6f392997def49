//! What the compiler says about a definition: coded, placed, with a way to mend it.

pub mod codes;
pub mod fixes;
pub mod json;
pub mod render;
pub mod suggest;
mod width;

use crate::source::Span;
use crate::syntax::limits::MAX_ERRORS;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; shown by `check` and build scripts only.
    Note,
    /// Legal and probably wrong; can be allowed by code.
    Warning,
    /// The definition is refused.
    Error,
}

/// An entry of the table of codes, from which `explain` and the documentation are made.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `E0203`: the letter gives the severity, the first two digits the area.
    pub id: &'static str,
    /// `unknown_state`: the name of the lint, as Rust constants for warnings are named (upper case
    /// there).
    pub name: &'static str,
    /// What is wrong, in one line.
    pub title: &'static str,
    /// Why it is wrong and how to mend it, in Markdown, with a bad and a good example.
    pub explanation: &'static str,
}

impl Code {
    /// The severity that the first letter stands for.
    pub fn severity(&self) -> Severity {
        match self.id.as_bytes()[0] {
            b'E' => Severity::Error,
            b'W' => Severity::Warning,
            _ => Severity::Note,
        }
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// Its entry in the table of codes.
    pub code: &'static Code,
    /// What is wrong: lower case, no final period, names in backticks.
    pub message: String,
    /// The place it is about.
    pub span: Span,
    /// The words at the caret.
    pub label: Option<String>,
    /// Further places, each with its words.
    pub related: Vec<(Span, String)>,
    /// How to mend it.
    pub help: Option<String>,
    /// The replacement of a span that would mend it, where a machine can apply it. What
    /// [`fixes::is_certain`] says of it tells whether somebody should look at it first.
    pub fix: Option<(Span, String)>,
}

impl Diagnostic {
    /// A finding of `code` at `span`.
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        let message = message.into();
        debug_assert!(!message.ends_with('.'), "messages do not end with a period: {message}");
        Diagnostic { code, message, span, label: None, related: Vec::new(), help: None, fix: None }
    }

    /// Sets the words at the caret.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Sets the line that names the way to mend it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the line that names the way to mend it, where there is one.
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Adds a further place.
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// Says what to write in place of `span`.
    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fix = Some((span, replacement.into()));
        self
    }

    /// The severity of its code.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

/// Collects what the phases find; a phase reports all it finds, and boundaries between phases
/// stop.
///
/// There are limits, so that a broken definition costs bounded time: phases stop where
/// [`Diagnostics::is_exhausted`] says so, and further warnings are dropped.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    /// Whether it was said that there are more errors.
    exhausted: bool,
}

impl Diagnostics {
    /// Takes note of a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let is_error = diagnostic.severity() == Severity::Error;
        let counted = if is_error { &mut self.errors } else { &mut self.warnings };
        *counted += 1;
        if is_error || *counted <= MAX_ERRORS {
            self.list.push(diagnostic);
        }
    }

    /// How many errors were found so far.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Whether anything found refuses the definition.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether there are more errors than anybody mends at once, so that what follows, at `span`,
    /// is not worth a look. The first time that is reported.
    pub fn is_exhausted(&mut self, span: Span) -> bool {
        let exhausted = self.errors >= MAX_ERRORS;
        if exhausted && !self.exhausted {
            self.exhausted = true;
            let message = format!("more than {MAX_ERRORS} errors: the rest of the definition was not checked");
            self.push(Diagnostic::new(&codes::syntax::E0113, span, message).help("mend the errors above first"));
        }
        exhausted
    }

    /// What was found so far.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Everything found, in source order, each finding once.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|found| (found.span.file, found.span.start, found.code.id));
        self.list.dedup();
        self.list
    }
}
