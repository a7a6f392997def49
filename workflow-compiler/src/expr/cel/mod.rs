//! CEL, the Common Expression Language. The compiler checks expressions, and the crate `cel`
//! evaluates them at run time.
//!
//! The crate parses the text within limits (`parse`). `check` resolves its names: functions and
//! macros, variables, and members of the data. Generated code contains the text.

mod check;
pub mod codes;
mod functions;
mod parse;
mod shapes;
mod types;

use crate::diagnostics::Diagnostics;
use crate::expr::error::{report_all, reported};
use crate::schema::Schema;
use crate::syntax::Text;
use parse::ParsedExpression;
use std::sync::Arc;

/// A checked condition.
#[derive(Debug, Clone)]
pub struct CelCondition {
    /// The text.
    pub source: String,
    /// The variables that the expression reads.
    pub variables: Vec<String>,
    /// The members of the data that the expression reads.
    pub reads: Vec<String>,
    /// The parsed text.
    program: Arc<ParsedExpression>,
}

impl PartialEq for CelCondition {
    fn eq(&self, other: &CelCondition) -> bool {
        self.source == other.source && self.variables == other.variables
    }
}

/// Parses and checks a condition. `variables` are names that do not refer to members of the data.
/// `schema` describes the data. Returns `None` after reporting an error.
pub fn read(
    text: &Text,
    variables: &[&str],
    schema: Option<&Schema>,
    diagnostics: &mut Diagnostics,
) -> Option<CelCondition> {
    let program = reported(parse::parse(&text.value), text, diagnostics)?;
    let before = diagnostics.errors();
    let result = check::check(&program, &text.value, variables, schema);
    report_all(result.errors, text, diagnostics);
    (diagnostics.errors() == before).then(|| CelCondition {
        source: text.value.clone(),
        variables: result.variables,
        reads: result.reads,
        program: Arc::new(program),
    })
}

#[cfg(test)]
mod tests;
