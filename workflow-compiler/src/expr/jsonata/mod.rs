//! JSONata. The compiler checks expressions, and the runtime evaluates them.
//!
//! The crate `workflow-jsonata` parses the text. Generated code contains the text.

pub mod codes;

use crate::diagnostics::Diagnostics;
use crate::diagnostics::suggest::nearest;
use crate::expr::error::ExprError;
use crate::syntax::Text;
use codes::{WF1701, WF1702, WF1751};
use std::ops::Range;
use workflow_jsonata::{FUNCTIONS, Problem, StatesMember};

/// A checked expression.
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
}

/// The type that a field needs of the value of its expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Yields {
    /// Any value but undefined.
    Any,
    /// An array.
    Array,
    /// A boolean.
    Boolean,
    /// A number.
    Number,
    /// A string.
    String,
}

/// A place of expressions: what `$states` has there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatesMembers {
    /// The input and the context object.
    Input,
    /// These, and the result.
    Result,
    /// The input, the context object, and the error output.
    ErrorOutput,
}

impl StatesMembers {
    fn names(self) -> &'static [&'static str] {
        match self {
            StatesMembers::Input => &["input", "context"],
            StatesMembers::Result => &["input", "context", "result"],
            StatesMembers::ErrorOutput => &["input", "context", "errorOutput"],
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
) -> Option<JsonataExpression> {
    let source = &text.value[at.clone()];
    let inside = |place: &Range<usize>| at.start + place.start..at.start + place.end;
    let node = match workflow_jsonata::parse(source) {
        Ok(node) => node,
        Err(error) => {
            let mut found = ExprError::new(&WF1701, inside(&error.at), error.message);
            found.help = error.help.map(str::to_owned);
            diagnostics.push(found.in_text(text));
            return None;
        }
    };
    let problems = workflow_jsonata::check(&node, members.names());
    for problem in &problems {
        let error = ExprError::new(&WF1702, inside(problem.at()), problem.to_string());
        diagnostics.push(error.help(help(problem, members)).in_text(text));
    }
    let facts = workflow_jsonata::facts(&node);
    for (name, place) in &facts.unknown_functions {
        let error = ExprError::new(&WF1751, inside(place), format!("there is no function `${name}`"));
        let near = nearest(name, FUNCTIONS.iter().copied()).map(|near| format!("did you mean `${near}`?"));
        let help = near.unwrap_or_else(|| "the call fails at run time with T1006".to_owned());
        diagnostics.push(error.help(help).in_text(text));
    }
    let members = facts.members.iter().map(|member| format!("states.{}", member.name()));
    let variables = members.chain(facts.variables.iter().map(|name| name.to_string())).collect();
    let source = source.to_owned();
    problems.is_empty().then(|| JsonataExpression { source, field: field.to_owned(), variables, yields })
}

/// Returns the help for a reference that has no value.
fn help(problem: &Problem, members: StatesMembers) -> String {
    let names: Vec<String> = members.names().iter().map(|name| format!("`$states.{name}`")).collect();
    let _ = problem;
    format!("read {}, or a variable", names.join(", "))
}
