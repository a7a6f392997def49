//! CEL, the Common Expression Language: what is wrong with an expression is found out here, and the crate `cel` evaluates it at run time.
//!
//! The crate reads the text (`parse`, within limits), and `check` looks its names up: those of functions and macros, of variables,
//! and of members of the data. What is left is the text.

mod check;
mod functions;
mod parse;
mod types;

use crate::diagnostics::Diagnostics;
use crate::schema::Schema;
use crate::syntax::Text;

/// An expression that can be evaluated, and is true or false.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    /// The text.
    pub source: String,
    /// The variables that it names, of those that it was offered.
    pub variables: Vec<String>,
    /// The members of the data that it names.
    pub reads: Vec<String>,
}

/// Reads a condition. `variables` are the names that stand for something else than members of the data, which is known to fit `schema`.
/// What is wrong with it is reported, and `None` returned then.
pub fn read(
    text: &Text,
    variables: &[&str],
    schema: Option<&Schema>,
    diagnostics: &mut Diagnostics,
) -> Option<Expression> {
    let program = match parse::parse(&text.value) {
        Ok(program) => program,
        Err(flaw) => {
            diagnostics.push(flaw.in_text(text));
            return None;
        }
    };
    let before = diagnostics.errors();
    let found = check::check(&program, &text.value, variables, schema);
    found.flaws.into_iter().for_each(|flaw| diagnostics.push(flaw.in_text(text)));
    (diagnostics.errors() == before).then(|| Expression {
        source: text.value.clone(),
        variables: found.variables,
        reads: found.reads,
    })
}

#[cfg(test)]
mod tests;
