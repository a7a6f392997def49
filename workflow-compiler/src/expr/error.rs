//! Errors relative to the text of an expression, before they become diagnostics of the definition.

use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::syntax::Text;
#[cfg(feature = "serverless-workflow")]
use crate::{expr::PathStep, schema::Schema, schema::codes::WF1253, syntax::shown};
use std::ops::Range;

/// An error inside one string of a definition.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ExprError {
    pub code: &'static Code,
    /// The byte range within the unescaped text.
    pub at: Range<usize>,
    pub message: String,
    pub help: Option<String>,
    /// The text to write in place of the bytes `at`.
    pub replacement: Option<String>,
}

impl ExprError {
    pub fn new(code: &'static Code, at: Range<usize>, message: impl Into<String>) -> Self {
        ExprError { code, at, message: message.into(), help: None, replacement: None }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub fn replace_by(mut self, replacement: impl Into<String>) -> Self {
        self.replacement = Some(replacement.into());
        self
    }

    /// Returns the diagnostic with its span in the definition.
    pub fn in_text(self, text: &Text) -> Diagnostic {
        let span = text.span_of(self.at.start, self.at.end);
        let help = self.help.or_else(|| default_help(self.code).map(str::to_owned));
        let diagnostic = Diagnostic::new(self.code, span, self.message).maybe_help(help);
        match self.replacement {
            // A replacement with quotes or backslashes would need escaping inside the JSON string.
            Some(replacement) if !replacement.contains(['"', '\\']) && !text.is_substituted => {
                diagnostic.fix(span, replacement)
            }
            _ => diagnostic,
        }
    }
}

/// Returns what has been parsed, or `None` after reporting the error.
pub(crate) fn reported<T>(
    parsed: Result<T, impl Into<Box<ExprError>>>,
    text: &Text,
    diagnostics: &mut Diagnostics,
) -> Option<T> {
    parsed.map_err(|error| diagnostics.push(error.into().in_text(text))).ok()
}

/// Reports errors or warnings.
pub(crate) fn report_all(errors: Vec<ExprError>, text: &Text, diagnostics: &mut Diagnostics) {
    errors.into_iter().for_each(|error| diagnostics.push(error.in_text(text)));
}

/// Returns an error if the schema rules out the path `steps`. `unwrap_singletons` means that names
/// are read through arrays of one element.
#[cfg(feature = "serverless-workflow")]
pub(crate) fn impossible_path(
    schema: Option<&Schema>,
    steps: &[PathStep],
    unwrap_singletons: bool,
    written: &str,
    at: Range<usize>,
) -> Option<ExprError> {
    let schema = schema?;
    let why = schema.rules_out(steps, unwrap_singletons)?;
    let error = ExprError::new(&WF1253, at, format!("`{}` never has a value: {why}", shown(written)));
    Some(error.help(format!("the schema of the data is `{}`", schema.name())))
}

/// Returns the general help for a code, used if the error has no more precise help.
fn default_help(code: &Code) -> Option<&'static str> {
    Some(match code.id {
        "WF0301" => {
            "steps of a path are `.name`, `['a name']`, `[0]`, `[1:3]`, `[*]`, `..name` and `[?(@.price > 10)]`"
        }
        "WF0303" => {
            "the functions are `length(value)`, `count(path)`, `value(path)`, `match(value, 'pattern')` and \
             `search(value, 'pattern')`"
        }
        "WF0304" => "write a regular expression such as `[A-Z]+`, without look-around and back references",
        "WF0310" => "write only an intrinsic function, such as `States.Format('{} of {}', $.part, 7)`",
        "WF1301" => "write values and operators, such as `$.status eq 'done' and $.count gt 0`, and strings in quotes",
        "WF1801" => "write an expression of JSONata 2.0.6, such as `{% $sum($states.input.lines.(price * count)) %}`",
        "WF0315" => "a backslash can only precede `'`, `{`, `}` or `\\`",
        _ => return None,
    })
}
