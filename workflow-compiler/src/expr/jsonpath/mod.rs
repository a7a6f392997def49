//! JSONPath in its modes: reference paths (ASL), RFC 9535, Jayway, and the lenient dialect of
//! Serverless Workflow.
//!
//! A text is parsed to a tree with byte ranges (`ast`) and lowered to [`Expr`]. A path that can
//! lead to at most one value becomes an [`Expr::Find`], which yields that value or nothing. Any
//! other path becomes an [`Expr::Select`], which yields an array, or nothing if the data does not
//! fit the path. The dialect defines the meaning of an absent value by wrapping the expression in
//! a call.
//!
//! [`Mode::Jayway`] accepts all of RFC 9535, and the additions of Jayway's JsonPath that AWS Step
//! Functions accepts: `.[0]`, `.[?(…)]`, names with hyphens after a dot, operators such as `in`
//! and `=~`, bare words as strings in comparisons, `[(@.length-1)]`, `.length()`, trailing blanks.
//! Where the two disagree, Jayway's meaning applies: `['a','b']` at the end of a path yields one
//! object of the members, a filter on an object tests the object itself, and `==` converts between
//! numbers and strings.
//!
//! [`Mode::ServerlessWorkflow`] differs from [`Mode::Jayway`] in four points:
//! - A path alone as a condition does not hold if it leads to null or false.
//! - A member name applied to an array of one element applies to that element. Applied to any
//!   other array it leads nowhere.
//! - An indefinite path always yields an array, also if the data does not fit.
//! - Paths start only from the document, and `$.` is another notation for the document.

mod ast;
pub mod codes;
mod filter;
pub mod functions;
mod lower;
mod operand;
mod parse;
mod strings;

#[cfg(feature = "asl")]
pub(crate) use operand::number;

#[cfg(any(feature = "asl", feature = "serverless-workflow"))]
use super::cursor::Cursor;
use super::error::{ExprError, report_all, reported};
use super::{Expr, PathStep};
use crate::diagnostics::Diagnostics;
use crate::expr::jsonpath::codes::{WF0302, WF0306};
use crate::source::Span;
use crate::syntax::Text;
use ast::Query;

/// The most steps of a path. The values that programs read are not nested as deeply.
const MAX_SEGMENTS: usize = 128;
/// The greatest nesting of filters, parentheses and calls.
const MAX_NESTING: usize = 32;

/// The dialect of JSONPath.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A reference path of the Amazon States Language: a Jayway path to exactly one location.
    Reference,
    /// RFC 9535 without extensions.
    Rfc,
    /// Jayway's JsonPath as AWS uses it.
    Jayway,
    /// Jayway's JsonPath as used in the Serverless Workflow draft of June 2020.
    ServerlessWorkflow,
}

impl Mode {
    /// Returns `true` if an indefinite path leads nowhere when its definite prefix does not fit
    /// the data ([`Path::strict`](super::Path::strict)).
    fn is_strict(self) -> bool {
        matches!(self, Mode::Reference | Mode::Jayway)
    }
}

/// The roots that a dialect provides for paths.
pub trait Roots {
    /// Returns the document, `$`.
    fn document(&self) -> Expr;

    /// Returns the context object, `$$`.
    fn context(&self) -> Expr {
        Expr::Context
    }

    /// Reports the first step that selects an unknown member of the context object.
    fn check_context(&self, _steps: &[(PathStep, Span)], _diagnostics: &mut Diagnostics) {}

    /// Notes a path for later diagnostics: the value at its root, the definite steps at its
    /// beginning, the names behind them, and the span of the whole path.
    fn note_path(&self, _base: &Expr, _steps: Vec<(PathStep, Span)>, _names: Vec<(String, Span)>, _span: Span) {}

    /// Returns the variable `$name`. Returns `None` after reporting an unknown variable.
    fn variable(&self, name: &str, span: Span, diagnostics: &mut Diagnostics) -> Option<Expr>;
}

/// The root of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Root {
    /// `$`
    Document,
    /// `$$`
    Context,
    /// `$name`, without the `$`.
    Variable(String),
}

/// A parsed and lowered path.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonPath {
    /// The path as written, without surrounding blanks.
    pub text: String,
    /// The span of the path.
    pub span: Span,
    /// The root of the path.
    pub root: Root,
    /// The value at the root.
    pub base: Expr,
    /// The value that the path leads to: the base itself for `$`, a [`Maybe`](super::Type::Maybe)
    /// or [`MaybeValue`](super::Type::MaybeValue) for a definite path, an array for an indefinite
    /// path. A strict indefinite path may yield no array.
    pub expr: Expr,
    /// The steps of a definite path. For any other path that can be absent, its definite prefix. A
    /// final step with several names (`['a','b']`) is not part of the prefix.
    pub steps: Option<Vec<PathStep>>,
}

impl JsonPath {
    /// Returns the steps of a definite path whose text can be reconstructed from its steps:
    /// `$.items[0].id`, `$$.Execution.Id`.
    pub fn plain_steps(&self) -> Option<&[PathStep]> {
        let steps = self.steps.as_deref().filter(|steps| !steps.is_empty())?;
        let mut text = match &self.root {
            Root::Document => "$".to_owned(),
            Root::Context => "$$".to_owned(),
            Root::Variable(_) => return None,
        };
        for step in steps {
            match step {
                PathStep::Key(name) => text.extend([".", name]),
                PathStep::Index(index) => text.push_str(&format!("[{index}]")),
            }
        }
        let definite = matches!(&self.expr, Expr::Find(_));
        (definite && self.text == text).then_some(steps)
    }

    /// Returns the names of a plain path ([`JsonPath::plain_steps`]) from the document that
    /// consists of names only.
    pub fn plain_names(&self) -> Option<Vec<String>> {
        self.plain_steps().filter(|_| self.root == Root::Document).and_then(names)
    }

    /// Returns `true` if the path yields an array of all the values it selects.
    pub fn is_indefinite(&self) -> bool {
        match &self.expr {
            Expr::Select(_) => true,
            Expr::Call(call) => *call.function == functions::MEMBERS_OF_EACH,
            _ => false,
        }
    }

    /// Returns `true` if the path can yield nothing. An indefinite path that selects no value
    /// yields an empty array, unless it is strict and its definite prefix or the step after it
    /// does not apply to a value.
    pub fn can_be_absent(&self) -> bool {
        matches!(self.expr.ty(), super::Type::Maybe | super::Type::MaybeValue)
    }
}

/// Returns the names if all steps are names.
pub fn names(steps: &[PathStep]) -> Option<Vec<String>> {
    let name = |step: &PathStep| match step {
        PathStep::Key(name) => Some(name.clone()),
        PathStep::Index(_) => None,
    };
    steps.iter().map(name).collect()
}

/// Parses a string that is a path. Returns `None` after reporting an error.
pub fn parse(text: &Text, mode: Mode, roots: &dyn Roots, diagnostics: &mut Diagnostics) -> Option<JsonPath> {
    let (query, warnings) = parse::parse_path(&text.value, mode);
    report_all(warnings, text, diagnostics);
    finish(query, text, mode, roots, diagnostics)
}

/// Parses a string that is a reference path into the document, used as a target of assignment
/// (`ResultPath`).
pub fn parse_target(text: &Text, diagnostics: &mut Diagnostics) -> Option<Vec<PathStep>> {
    let (query, warnings) = parse::parse_path(&text.value, Mode::Reference);
    report_all(warnings, text, diagnostics);
    let query = reported(query.and_then(check_reference).and_then(check_root), text, diagnostics)?;
    Some(query.segments.iter().filter_map(lower::step).collect())
}

/// Parses a path that is an argument of an intrinsic function. The cursor is before the `$`, and
/// afterwards behind the path.
#[cfg(feature = "asl")]
pub(crate) fn parse_argument(
    cursor: &mut Cursor<'_>,
    text: &Text,
    roots: &dyn Roots,
    diagnostics: &mut Diagnostics,
) -> Option<JsonPath> {
    let mode = Mode::Jayway;
    let mut parser = parse::PathParser::new(cursor.clone(), mode, parse::Surroundings::Arguments);
    let query = parser.path();
    *cursor = parser.cursor;
    report_all(parser.warnings, text, diagnostics);
    finish(query, text, mode, roots, diagnostics)
}

/// A path inside a SpEL expression.
#[cfg(feature = "serverless-workflow")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Embedded(Query);

#[cfg(feature = "serverless-workflow")]
impl Embedded {
    /// Parses a path within an expression. The cursor is before the `$`, and afterwards behind the
    /// path.
    pub fn read(cursor: &mut Cursor<'_>, warnings: &mut Vec<ExprError>) -> Result<Self, Box<ExprError>> {
        let mut parser = parse::PathParser::new(cursor.clone(), Mode::ServerlessWorkflow, parse::Surroundings::Spel);
        let query = parser.path();
        *cursor = parser.cursor;
        warnings.append(&mut parser.warnings);
        query.map(Embedded)
    }

    /// Returns `true` if the notation of the path implies an array of selected values.
    pub fn is_indefinite(&self) -> bool {
        let Some((last, before)) = self.0.segments.split_last() else { return false };
        let picks = !last.descend && last.selectors.iter().all(|selector| matches!(selector, ast::Selector::Name(_)));
        !(before.iter().all(ast::Segment::is_definite) && (picks || last.is_definite()))
    }

    /// Lowers the path. `text` is the text that it was parsed from.
    pub fn lower(&self, text: &Text, roots: &dyn Roots, diagnostics: &mut Diagnostics) -> Option<JsonPath> {
        lower::lower(&self.0, text, Mode::ServerlessWorkflow, roots, diagnostics)
    }
}

fn finish(
    query: parse::PathParsed<Query>,
    text: &Text,
    mode: Mode,
    roots: &dyn Roots,
    diagnostics: &mut Diagnostics,
) -> Option<JsonPath> {
    let query = query.and_then(|query| if mode == Mode::Reference { check_reference(query) } else { Ok(query) });
    lower::lower(&reported(query, text, diagnostics)?, text, mode, roots, diagnostics)
}

/// Checks that a path is a reference path: no `*`, `..`, slices, filters, or several selectors
/// (ASL, "Reference Paths").
fn check_reference(query: Query) -> parse::PathParsed<Query> {
    if let Some(segment) = query.segments.iter().find(|segment| !segment.is_definite()) {
        let error = ExprError::new(&WF0302, segment.at.clone(), "this step can select several values");
        return Err(error.help("use only names and single indices: `$.order.items[0]`").into());
    }
    if query.method.is_some() {
        let error = ExprError::new(&WF0302, query.at, "a reference path cannot call a function");
        return Err(error.help("remove `.length()`").into());
    }
    Ok(query)
}

/// Checks that a target is within the document, because nothing else can be written to (ASL,
/// "Input and Output Processing").
fn check_root(query: Query) -> parse::PathParsed<Query> {
    let what = match &query.root {
        ast::QueryRoot::Document | ast::QueryRoot::Current => return Ok(query),
        ast::QueryRoot::Context => "a path cannot write to the context object",
        ast::QueryRoot::Variable { .. } => "a path cannot write to a variable",
    };
    let error = ExprError::new(&WF0306, query.at, what);
    Err(error.help("start the path with `$.`, or set a variable with `Assign`").into())
}

#[cfg(test)]
pub(crate) mod tests;
