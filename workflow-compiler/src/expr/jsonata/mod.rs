//! JSONata. The compiler checks expressions, and translates what it can to functions of the
//! expression core (`lower`). The runtime evaluates the others from their text.
//!
//! The crate `workflow-jsonata` parses the text.

pub mod codes;
mod lower;
#[cfg(test)]
pub(crate) mod tests;
mod translate;

pub use translate::{Translation, translate};

use crate::diagnostics::Diagnostics;
use crate::diagnostics::suggest::nearest;
use crate::expr::error::ExprError;
use crate::source::Span;
use crate::syntax::Text;
use codes::{WF1801, WF1802, WF1803, WF1851};
use std::ops::Range;
use std::sync::Arc;
use workflow_jsonata::{FUNCTIONS, Facts, MAX_PATTERN, Node, PatternProblem, ProblemKind, is_function};

/// An expression of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonataExpression {
    /// The text between the delimiters.
    pub source: String,
    /// The field, as faults name it: `Output/total`.
    pub field: String,
    /// The values that the expression reads: members of `$states`, such as `states.input`, and
    /// variables.
    pub variables: Vec<String>,
    /// The type that the field needs.
    pub yields: Yields,
    /// The reason why the runtime evaluates the expression, if it is not translated.
    pub evaluated: Option<String>,
    /// The tree.
    tree: Arc<Node>,
    /// The function of the core, if the expression is translated.
    translation: Option<Arc<Translation>>,
}

impl JsonataExpression {
    /// Returns the tree, whose places are those in the text.
    pub fn tree(&self) -> &Node {
        &self.tree
    }
}

/// A checked expression. Its variables are not resolved.
#[derive(Debug)]
pub struct CheckedJsonata {
    /// The expression, with the members of `$states` as its only variables.
    pub expression: JsonataExpression,
    /// The variables and functions that the expression uses and does not bind itself.
    pub free: Vec<FreeName>,
    /// The span of the text.
    pub span: Span,
    /// The text around the expression.
    pub text: Text,
    /// The first byte of the expression in the text.
    pub start: usize,
}

/// A variable or function that an expression uses and does not bind itself.
#[derive(Debug)]
pub struct FreeName {
    /// The name, without `$`.
    pub name: String,
    /// The span of its first use.
    pub span: Span,
    /// `true` if the name is not that of a function, and the expression reads it as a value.
    pub is_variable: bool,
    /// `true` if the name is that of a function, and the expression calls it.
    pub is_function: bool,
}

/// The type that a field needs of the value of its expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Yields {
    /// Any value but undefined.
    Any,
    /// An array.
    Array,
    /// An array or an object: the items of a distributed Map.
    Items,
    /// A boolean.
    Boolean,
    /// A number.
    Number,
    /// An object.
    Object,
    /// A string.
    String,
}

/// The members that `$states` has in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatesMembers {
    /// The input and the context object.
    InputOnly,
    /// The input, the context object, and the result.
    WithResult,
    /// The input, the context object, and the error output.
    WithErrorOutput,
}

impl StatesMembers {
    fn names(self) -> &'static [&'static str] {
        match self {
            StatesMembers::InputOnly => &["input", "context"],
            StatesMembers::WithResult => &["input", "context", "result"],
            StatesMembers::WithErrorOutput => &["input", "context", "errorOutput"],
        }
    }
}

/// Parses and checks the expression at a place of a text. Returns `None` after reporting an error.
pub fn read(
    text: &Text,
    at: Range<usize>,
    members: StatesMembers,
    field: &str,
    yields: Yields,
    diagnostics: &mut Diagnostics,
) -> Option<CheckedJsonata> {
    let source = &text.value[at.clone()];
    let inside = |place: &Range<usize>| at.start + place.start..at.start + place.end;
    let node = match workflow_jsonata::parse(source) {
        Ok(node) => node,
        Err(error) => {
            let message = error.message.trim_end_matches('.');
            let mut found = ExprError::new(&WF1801, inside(&error.at), message);
            found.help = error.help.map(str::to_owned);
            diagnostics.push(found.in_text(text));
            return None;
        }
    };
    let problems = workflow_jsonata::check(&node, members.names());
    for problem in &problems {
        if diagnostics.is_exhausted(text.span) {
            return None;
        }
        // AWS ends the sentence with a period.
        let message = problem.kind.to_string();
        let code = if matches!(problem.kind, ProblemKind::Pattern { .. }) { &WF1803 } else { &WF1802 };
        let error = ExprError::new(code, inside(&problem.at), message.trim_end_matches('.'));
        diagnostics.push(error.help(help(&problem.kind, members)).in_text(text));
    }
    let facts = Facts::of(&node);
    for function in facts.unknown_functions() {
        let name = &function.name;
        let error = ExprError::new(&WF1851, inside(&function.at), format!("unknown function `${name}`"));
        let near = nearest(name, FUNCTIONS.iter().copied()).map(|near| format!("did you mean `${near}`?"));
        let help = near.unwrap_or_else(|| {
            "at run time the call fails with `T1006: Attempted to invoke a non-function`".to_owned()
        });
        diagnostics.push(error.help(help).in_text(text));
    }
    let read = facts.states.iter().filter(|member| members.names().contains(member));
    let variables = read.map(|member| format!("states.{member}")).collect();
    let free = facts.variables.iter().map(|variable| {
        let place = inside(&variable.at);
        FreeName {
            name: variable.name.to_string(),
            span: text.span_of(place.start, place.end),
            is_variable: variable.is_read && !variable.may_be_bound && !is_function(&variable.name),
            is_function: variable.is_callee && is_function(&variable.name),
        }
    });
    let free = free.collect();
    let (source, field) = (source.to_owned(), field.to_owned());
    let expression = JsonataExpression {
        source,
        field,
        variables,
        yields,
        evaluated: None,
        tree: Arc::new(node),
        translation: None,
    };
    problems.is_empty().then_some(CheckedJsonata {
        expression,
        free,
        span: text.span,
        text: text.clone(),
        start: at.start,
    })
}

/// Returns the help for a problem.
fn help(problem: &ProblemKind, members: StatesMembers) -> String {
    match problem {
        ProblemKind::TopLevel(name) if name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
            format!("write `$states.input.{name}` to read the input of the state")
        }
        ProblemKind::TopLevel(_) | ProblemKind::Root => "read `$states.input`, the input of the state".to_owned(),
        ProblemKind::NoField(_) => {
            let names: Vec<String> = members.names().iter().map(|name| format!("`$states.{name}`")).collect();
            format!("this field can read {}", names.join(", "))
        }
        ProblemKind::Pattern { kind, .. } => match kind {
            PatternProblem::Invalid => "the syntax is that of JavaScript".to_owned(),
            PatternProblem::Unsupported => "match the surrounding text too, and read the part from `groups`: a search \
                                            takes linear time, without look-around and back-references"
                .to_owned(),
            PatternProblem::TooLong => format!("a pattern has at most {} KiB: divide it", MAX_PATTERN >> 10),
        },
    }
}
