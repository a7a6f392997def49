//! Diagnostics of the compiler: a code, a message, a span, and usually a help or a fix.

pub mod codes;
pub mod fixes;
pub mod json;
pub mod render;
pub mod suggest;

use crate::source::Span;

/// The number of errors after which the rest of a file is not read, and of warnings after which
/// further warnings are dropped.
pub const MAX_ERRORS: usize = 100;

/// Severity of a diagnostic.
///
/// See the example of [`Diagnostic`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// An observation. Only `check` shows it.
    Note,
    /// A legal construct that is probably a mistake. It can be allowed by code or name.
    Warning,
    /// A mistake for which the definition is refused. Options can turn a few errors into warnings.
    Error,
}

/// Entry of a table of codes. `explain` shows it, and `docs/diagnostics.md` is generated from
/// it.
///
/// See the example of [`Diagnostic`].
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Identifier such as `WF0203`. The first two digits are the area. Numbers from 50 on are
    /// warnings and notes.
    pub id: &'static str,
    /// Severity of every diagnostic with this code.
    pub severity: Severity,
    /// Name such as `unknown_state`. The Rust constant of a warning has the same name in upper
    /// case.
    pub name: &'static str,
    /// Summary of the problem, in one line.
    pub title: &'static str,
    /// Reason for the diagnostic and its remedy, in Markdown, with a bad and a good example. The
    /// text ends with a line break.
    pub explanation: &'static str,
}

/// One diagnostic: an error, a warning or a note about a span of a definition.
///
/// ```
/// # #[cfg(feature = "asl")] {
/// use workflow_compiler::{Options, Severity, Source, compile};
///
/// let text = r#"{ "StartAt": "Done", "States": { "End": { "Type": "Succeed" } } }"#;
/// let output = compile(Source::new("done.asl.json", text), &Options::default());
/// let found = &output.diagnostics[0];
/// assert_eq!((found.code.id, found.severity()), ("WF0201", Severity::Error));
/// let position = output.sources.position(found.span);
/// println!("{}:{}: {}", position.line, position.column, found.message);
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// Entry in a table of codes.
    pub code: &'static Code,
    /// Description of the problem: lower case, no final period, names in backticks.
    pub message: String,
    /// Span of the problem.
    pub span: Span,
    /// Text at the caret.
    pub label: Option<String>,
    /// Further spans, each with its text.
    pub related: Vec<(Span, String)>,
    /// Remedy in words.
    pub help: Option<String>,
    /// Span and its replacement, if a program can apply the fix. Unless [`fixes::is_certain`]
    /// returns `true`, a person should review the fix.
    pub fix: Option<(Span, String)>,
    /// The entry of the options that causes the problem. It has no span: the macro knows where its
    /// arguments are.
    pub argument: Option<BindingKey>,
    /// `true` for an error that the options turn into a warning.
    pub is_allowed: bool,
}

/// An entry of [`Options`](crate::Options) as the macro names it, such as `Charge` in `tasks`.
///
/// ```
/// # #[cfg(feature = "asl")] {
/// use workflow_compiler::{Options, Source, TaskBinding, compile};
///
/// let text = r#"{ "StartAt": "Done", "States": { "Done": { "Type": "Succeed" } } }"#;
/// let charge = TaskBinding { task: "Charge".to_owned(), method: "charge".to_owned(), input: None, output: None };
/// let options = Options { tasks: vec![charge], ..Options::default() };
/// let output = compile(Source::new("done.asl.json", text), &options);
/// let key = output.diagnostics[0].argument.as_ref().unwrap();
/// assert_eq!((key.argument, &*key.key), ("tasks", "Charge"));
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BindingKey {
    /// The argument of the macro: `tasks`, `functions` or `correlate`. Empty if the key is an
    /// argument itself.
    pub argument: &'static str,
    /// The key in the argument, or the argument itself: `output`.
    pub key: String,
}

impl Diagnostic {
    /// Creates a diagnostic of `code` at `span`. The message has no final period.
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        let message = message.into();
        debug_assert!(!message.ends_with('.'), "messages do not end with a period: {message}");
        Diagnostic {
            code,
            message,
            span,
            label: None,
            related: Vec::new(),
            help: None,
            fix: None,
            argument: None,
            is_allowed: false,
        }
    }

    /// Sets the entry of the options that causes the problem.
    pub fn argument(mut self, argument: &'static str, key: impl Into<String>) -> Self {
        self.argument = Some(BindingKey { argument, key: key.into() });
        self
    }

    /// Sets the text at the caret.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Sets the help line, which names the remedy.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the help line if `help` is `Some`.
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Adds a further span with its text.
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// Sets the fix: the `replacement` of `span`.
    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fix = Some((span, replacement.into()));
        self
    }

    /// Returns the severity of the code, or of a warning if the options allow the error.
    pub fn severity(&self) -> Severity {
        if self.is_allowed { Severity::Warning } else { self.code.severity }
    }
}

/// Collector of the diagnostics of all phases. A phase reports everything that it finds. After
/// errors, compilation stops at the end of a phase.
///
/// Limits bound the time that a broken definition costs: a phase stops when
/// [`Diagnostics::is_exhausted`] returns `true`, and further warnings are dropped.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    /// The error about the limit was reported.
    exhausted: bool,
    /// The errors that the options turn into warnings.
    allowed: Vec<&'static Code>,
}

impl Diagnostics {
    /// Turns errors with these codes into warnings. The codes of warnings and notes have no
    /// effect.
    pub fn allow(&mut self, codes: impl IntoIterator<Item = &'static Code>) {
        self.allowed = codes.into_iter().filter(|code| code.severity == Severity::Error).collect();
    }

    /// Returns `true` if an error with this code is only a warning.
    pub fn allows(&self, code: &'static Code) -> bool {
        self.allowed.contains(&code)
    }

    /// Adds a diagnostic. Warnings and notes beyond `MAX_ERRORS` are dropped.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.is_allowed |= self.allows(diagnostic.code);
        let is_error = diagnostic.severity() == Severity::Error;
        let counted = if is_error { &mut self.errors } else { &mut self.warnings };
        *counted += 1;
        if is_error || *counted <= MAX_ERRORS {
            self.list.push(diagnostic);
        }
    }

    /// Returns the number of errors so far.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Returns `true` if an error refuses the definition.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Returns `true` if the limit of `MAX_ERRORS` errors is reached, so that the text from
    /// `span` on is not checked. The first call that returns `true` reports the limit at `span`.
    pub fn is_exhausted(&mut self, span: Span) -> bool {
        let exhausted = self.errors >= MAX_ERRORS;
        if exhausted && !self.exhausted {
            self.exhausted = true;
            let message = format!("more than {MAX_ERRORS} errors: the rest of the definition was not checked");
            self.push(Diagnostic::new(&codes::syntax::WF0113, span, message).help("fix the errors above first"));
        }
        exhausted
    }

    /// Iterates over the diagnostics so far, in the order of their reports.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Returns the diagnostics in source order, without duplicates.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|found| (found.span.file, found.span.start, found.code.id));
        self.list.dedup();
        self.list
    }
}
