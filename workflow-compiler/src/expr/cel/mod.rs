//! CEL, the Common Expression Language. The compiler checks expressions, and the crate `cel`
//! evaluates them at run time.
//!
//! The crate parses the text within limits (`parse`). `check` resolves its names: functions and
//! macros, variables, and members of the data. Generated code contains the text.

mod check;
pub mod codes;
mod functions;
mod parse;
mod types;

use crate::diagnostics::Diagnostics;
use crate::schema::Schema;
use crate::syntax::Text;

/// A checked condition.
#[derive(Debug, Clone, PartialEq)]
pub struct CelCondition {
    /// The text.
    pub source: String,
    /// The variables that the expression reads.
    pub variables: Vec<String>,
    /// The members of the data that the expression reads.
    pub reads: Vec<String>,
}

/// Parses and checks a condition. `variables` are names that do not refer to members of the data.
/// `schema` describes the data. Returns `None` after reporting an error.
pub fn read(
    text: &Text,
    variables: &[&str],
    schema: Option<&Schema>,
    diagnostics: &mut Diagnostics,
) -> Option<CelCondition> {
    let program = match parse::parse(&text.value) {
        Ok(program) => program,
        Err(error) => {
            diagnostics.push(error.in_text(text));
            return None;
        }
    };
    let before = diagnostics.errors();
    let result = check::check(&program, &text.value, variables, schema);
    result.errors.into_iter().for_each(|error| diagnostics.push(error.in_text(text)));
    (diagnostics.errors() == before).then(|| CelCondition {
        source: text.value.clone(),
        variables: result.variables,
        reads: result.reads,
    })
}

#[cfg(test)]
mod tests;
