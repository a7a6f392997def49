//! What is wrong with an expression, by the bytes of its text, until it is shown in the definition.

use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::Text;
#[cfg(feature = "serverless-workflow")]
use crate::{diagnostics::codes::serverless_workflow::W1203, expr::Step, schema::Schema, syntax::shown};
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
        let help = self.help.or_else(|| usual_help(self.code).map(str::to_owned));
        let diagnostic = Diagnostic::new(self.code, span, self.message).maybe_help(help);
        match self.replacement {
            // What replaces a part of a JSON string is itself written in one.
            Some(replacement) if !replacement.contains(['"', '\\']) => diagnostic.fix(span, replacement),
            _ => diagnostic,
        }
    }
}

/// That a path into data leads nowhere, if the schema that they fit lets nothing be there. `through`: names are read through
/// arrays of one element.
#[cfg(feature = "serverless-workflow")]
pub(crate) fn ruled_out(
    schema: Option<&Schema>,
    steps: &[Step],
    through: bool,
    written: &str,
    at: Range<usize>,
) -> Option<Flaw> {
    let schema = schema?;
    let why = schema.rules_out(steps, through)?;
    let flaw = Flaw::new(&W1203, at, format!("`{}` leads nowhere: {why}", shown(written)));
    Some(flaw.help(format!("the data fit the schema `{}` here", schema.name())))
}

/// What helps where nothing more precise can be said.
fn usual_help(code: &Code) -> Option<&'static str> {
    Some(match code.id {
        "E0301" => "steps of a path are `.name`, `['a name']`, `[0]`, `[1:3]`, `[*]`, `..name` and `[?(@.price > 10)]`",
        "E0303" => {
            "the functions are `length(value)`, `count(path)`, `value(path)`, `match(value, 'pattern')` and \
             `search(value, 'pattern')`"
        }
        "E0304" => "write a regular expression such as `[A-Z]+`, without look-around and back references",
        "E0310" => "an intrinsic function is written `States.Format('{} of {}', $.part, 7)`, with nothing around it",
        "E1301" => {
            "an expression is made of values and operators, such as `$.status eq 'done' and $.count gt 0`; text stands in quotes"
        }
        "E0315" => "a backslash stands only before `'`, `{`, `}` and `\\`",
        _ => return None,
    })
}
