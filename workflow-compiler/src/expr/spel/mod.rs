//! SpEL, the expression language of Spring, as far as conditions on JSON data need it.
//!
//! Text → tree (`ast`, with places) → [`Expr`]. What goes beyond paths and logic is a call of a function of the runtime
//! (`workflow_runtime::__private::spel`). The grammar is Spring's, with its precedences; what there is not is refused by name.
//! Paths from `$` stand in expressions as they are; they and the paths of `#jsonPath` are those of
//! [`Mode::Lenient`](super::jsonpath::Mode::Lenient).
//!
//! Where Spring knows classes, there are values of JSON: an absent member is null, and so is a member of null, so that a condition
//! on what is not there does not hold, rather than to fail.

mod ast;
pub mod functions;
mod lex;
mod lower;
mod parse;
mod types;

use super::Expr;
use crate::diagnostics::Diagnostics;
use crate::schema::Schema;
use crate::syntax::Text;

/// How deep the parts of an expression nest, and how many steps or sums follow each other.
const MAX_NESTING: usize = 64;
/// How many parts an expression has, where those that are evaluated in two places count twice.
const MAX_PARTS: usize = 4096;

/// What the names of an expression stand for.
#[derive(Debug)]
pub struct Scope<'a> {
    /// The data: what property paths and `$.path` begin with.
    pub root: Expr,
    /// Variables, each with what it stands for. They win over members of the data.
    pub variables: &'a [(&'a str, Expr)],
    /// What the data are known to fit.
    pub schema: Option<&'a Schema>,
}

/// What is wanted of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// It yields a value.
    Value,
    /// It yields a boolean: the expression is one of [`Type::Bool`](super::Type::Bool).
    Test,
}

/// Reads an expression. What is wrong with it is reported, and `None` returned then.
pub fn read(text: &Text, scope: &Scope<'_>, mode: Mode, diagnostics: &mut Diagnostics) -> Option<Expr> {
    let (node, warnings) = parse::parse(&text.value);
    for warning in warnings {
        diagnostics.push(warning.in_text(text));
    }
    match node {
        Ok(node) => lower::lower(&node, text, scope, mode, diagnostics),
        Err(flaw) => {
            diagnostics.push(flaw.in_text(text));
            None
        }
    }
}

#[cfg(test)]
mod tests;
