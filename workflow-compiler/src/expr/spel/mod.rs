//! SpEL, the expression language of Spring, reduced to conditions on JSON data.
//!
//! A text is parsed to a tree with byte ranges (`ast`) and lowered to [`Expr`]. Operations beyond
//! paths and logic are calls of runtime functions (`workflow_runtime::__private::spel`). The
//! grammar and the precedences are those of Spring. Unsupported constructs are rejected by name.
//! Paths from `$` can be operands. These paths and the paths of `#jsonPath` are parsed in
//! [`Mode::ServerlessWorkflow`](super::jsonpath::Mode::ServerlessWorkflow).
//!
//! Values are JSON values rather than instances of classes. An absent member is null, and so is a
//! member of null. A condition on absent data is therefore false instead of an error.

mod ast;
pub mod codes;
pub mod functions;
mod lex;
mod lower;
mod parse;
mod types;

use super::error::{report_all, reported};
use super::{Expr, LocalId, PathStep};
use crate::diagnostics::Diagnostics;
use crate::schema::Schema;
use crate::source::Span;
use crate::syntax::Text;
use std::cell::RefCell;

/// The greatest nesting of expressions, and the most consecutive steps or operators.
const MAX_NESTING: usize = 64;
/// The most nodes of an expression. Nodes that are evaluated in two places count twice.
const MAX_PARTS: usize = 4096;

/// The meaning of the names in an expression.
#[derive(Debug)]
pub struct SpelScope<'a> {
    /// The data, which property paths and `$.path` start from.
    pub root: Expr,
    /// The variables with their values. Variables shadow members of the data.
    pub variables: &'a [(&'a str, Expr)],
    /// The schema of the data, if known.
    pub schema: Option<&'a Schema>,
    /// The paths of the expression, for later diagnostics.
    pub paths: &'a RefCell<Vec<SpelPath>>,
}

/// A path of an expression, for later diagnostics.
#[derive(Debug)]
pub struct SpelPath {
    /// The local where the path starts.
    pub base: LocalId,
    /// The definite steps at the beginning of the path, each with its span.
    pub steps: Vec<(PathStep, Span)>,
    /// The names of the members behind these steps, each with its span.
    pub names: Vec<(String, Span)>,
    /// The span of the whole path.
    pub span: Span,
}

/// The kind of result that an expression must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpelMode {
    /// Any value.
    Value,
    /// A boolean: the expression has [`Type::Bool`](super::Type::Bool).
    Test,
}

/// Parses and lowers an expression. Returns `None` after reporting an error.
pub fn read(text: &Text, scope: &SpelScope<'_>, mode: SpelMode, diagnostics: &mut Diagnostics) -> Option<Expr> {
    let (node, warnings) = parse::parse(&text.value);
    report_all(warnings, text, diagnostics);
    let node = reported(node, text, diagnostics)?;
    lower::lower(&node, text, scope, mode, diagnostics)
}

#[cfg(test)]
mod tests;
