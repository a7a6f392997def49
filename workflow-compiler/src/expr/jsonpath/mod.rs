//! JSONPath in its modes: reference path (ASL), RFC 9535, Jayway, and Jayway read leniently.
//!
//! Text → tree (`ast`, with places) → [`Expr`]. A path that can lead to one value at most becomes an [`Expr::Find`], which
//! yields that value or none; any other becomes an [`Expr::Select`], which yields an array, or none where the data do
//! not fit the path. What absence means is for the dialect to say, by wrapping the expression in a call.
//!
//! [`Mode::Jayway`] accepts all of RFC 9535 and what AWS Step Functions accepts through Jayway's JsonPath beside it: `.[0]`,
//! `.[?(…)]`, names with hyphens after a dot, operators such as `in` and `=~`, bare words for strings in comparisons,
//! `[(@.length-1)]`, `.length()`, blanks at the end. Where both give a text a meaning and the meanings differ, it takes
//! Jayway's: `['a','b']` at the end of a path makes one object of the members, a filter applied to an object tests the
//! object itself, and `==` converts between numbers and strings.
//!
//! [`Mode::Lenient`] is that, with four differences. A path alone as a condition does not hold where it leads to null or false. The name of a member is taken from an array of one element as if it were
//! that element, and leads nowhere from any other array. A path that does not fit the data selects nothing: an indefinite
//! one is always an array. Paths start from the document only, and `$.` is the document, too.

mod ast;
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
use super::flaw::Flaw;
use super::{Expr, Step};
use crate::diagnostics::Diagnostics;
use crate::diagnostics::codes::expressions::{E0302, E0306};
use crate::source::Span;
use crate::syntax::Text;
use ast::Query;

/// The largest number of steps of a path. No value that a program reads is nested deeper.
const MAX_SEGMENTS: usize = 128;
/// How deep filters, parentheses and calls nest.
const MAX_NESTING: usize = 32;

/// Which JSONPath.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A reference path of the Amazon States Language: a Jayway path that names one place.
    Reference,
    /// RFC 9535, and nothing else.
    Rfc,
    /// Jayway's JsonPath as AWS uses it.
    Jayway,
    /// Jayway's JsonPath as the draft of Serverless Workflow of June 2020 uses it.
    Lenient,
}

impl Mode {
    /// Whether a path leads nowhere where its beginning does not fit the data ([`Path::strict`](super::Path::strict)).
    fn is_strict(self) -> bool {
        matches!(self, Mode::Reference | Mode::Jayway)
    }
}

/// What paths can start from, as the dialect has it.
pub trait Roots {
    /// The document: `$`.
    fn document(&self) -> Expr;

    /// The context object: `$$`.
    fn context(&self) -> Expr {
        Expr::Context
    }

    /// A variable: `$name`. `None` where there is none such, which has been reported then.
    fn variable(&self, name: &str, span: Span, diagnostics: &mut Diagnostics) -> Option<Expr>;
}

/// Where a path starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Root {
    /// `$`
    Document,
    /// `$$`
    Context,
    /// `$name`, without the `$`.
    Variable(String),
}

/// A path that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonPath {
    /// The path as written, without blanks around it.
    pub text: String,
    /// Its place.
    pub span: Span,
    /// What it starts from.
    pub root: Root,
    /// The value that it starts from.
    pub base: Expr,
    /// What it leads to: the base itself (`$`), a [`Maybe`](super::Type::Maybe) or
    /// [`MaybeValue`](super::Type::MaybeValue) of a definite path, or the array of what an indefinite one selects, if it
    /// leads anywhere.
    pub expr: Expr,
    /// The steps of a definite path; of one that can be absent the definite steps that it begins with: without the last
    /// one where that picks several members (`['a','b']`).
    pub steps: Option<Vec<Step>>,
}

impl JsonPath {
    /// The steps, where the path is written in the plain way, so that its text can be made of them again:
    /// `$.items[0].id`, `$$.Execution.Id`.
    pub fn plain_steps(&self) -> Option<&[Step]> {
        let steps = self.steps.as_deref().filter(|steps| !steps.is_empty())?;
        let mut text = match &self.root {
            Root::Document => "$".to_owned(),
            Root::Context => "$$".to_owned(),
            Root::Variable(_) => return None,
        };
        for step in steps {
            match step {
                Step::Key(name) => text.extend([".", name]),
                Step::Index(index) => text.push_str(&format!("[{index}]")),
            }
        }
        let definite = matches!(&self.expr, Expr::Find(_));
        (definite && self.text == text).then_some(steps)
    }

    /// The names, where [`JsonPath::plain_steps`] leads from the document through names only.
    pub fn plain_names(&self) -> Option<Vec<String>> {
        self.plain_steps().filter(|_| self.root == Root::Document).and_then(names)
    }

    /// Whether it leads to an array of all that it selects, if it leads anywhere.
    pub fn is_indefinite(&self) -> bool {
        match &self.expr {
            Expr::Select(_) => true,
            Expr::Call(call) => *call.function == functions::MEMBERS_OF_EACH,
            _ => false,
        }
    }

    /// Whether it can lead nowhere. (An indefinite path that selects nothing yields an empty array, unless a step of its
    /// definite beginning, or the one after that, meets a value that it cannot be taken from.)
    pub fn can_be_absent(&self) -> bool {
        matches!(self.expr.ty(), super::Type::Maybe | super::Type::MaybeValue)
    }
}

/// The names, where the steps are names only.
pub fn names(steps: &[Step]) -> Option<Vec<String>> {
    let name = |step: &Step| match step {
        Step::Key(name) => Some(name.clone()),
        Step::Index(_) => None,
    };
    steps.iter().map(name).collect()
}

/// Reads a string that is a path. What is wrong with it is reported, and `None` returned then.
pub fn parse(text: &Text, mode: Mode, roots: &dyn Roots, diagnostics: &mut Diagnostics) -> Option<JsonPath> {
    let (query, warnings) = parse::whole(&text.value, mode);
    for warning in warnings {
        diagnostics.push(warning.in_text(text));
    }
    finish(query, text, mode, roots, diagnostics)
}

/// Reads a string that is a reference path into the document, to write to (`ResultPath`).
pub fn parse_target(text: &Text, diagnostics: &mut Diagnostics) -> Option<Vec<Step>> {
    let (query, warnings) = parse::whole(&text.value, Mode::Reference);
    for warning in warnings {
        diagnostics.push(warning.in_text(text));
    }
    match query.and_then(check_reference).and_then(check_root) {
        Ok(query) => Some(query.segments.iter().filter_map(lower::step).collect()),
        Err(flaw) => {
            diagnostics.push(flaw.in_text(text));
            None
        }
    }
}

/// Reads the path that an argument of an intrinsic function is; the cursor stands before the `$`, and after the path then.
#[cfg(feature = "asl")]
pub(crate) fn parse_argument(
    cursor: &mut Cursor<'_>,
    text: &Text,
    roots: &dyn Roots,
    diagnostics: &mut Diagnostics,
) -> Option<JsonPath> {
    let mode = Mode::Jayway;
    let mut parser = parse::Parser::new(cursor.clone(), mode, parse::Within::Arguments);
    let query = parser.path();
    *cursor = parser.cursor;
    for warning in parser.warnings {
        diagnostics.push(warning.in_text(text));
    }
    finish(query, text, mode, roots, diagnostics)
}

/// A path that stands in an expression of SpEL.
#[cfg(feature = "serverless-workflow")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Embedded(Query);

#[cfg(feature = "serverless-workflow")]
impl Embedded {
    /// Reads the path that an expression goes on with; the cursor stands before the `$`, and after the path then.
    pub fn read(cursor: &mut Cursor<'_>, warnings: &mut Vec<Flaw>) -> Result<Self, Box<Flaw>> {
        let mut parser = parse::Parser::new(cursor.clone(), Mode::Lenient, parse::Within::Spel);
        let query = parser.path();
        *cursor = parser.cursor;
        warnings.append(&mut parser.warnings);
        query.map(Embedded)
    }

    /// Whether it yields an array of all that it selects, by its notation.
    pub fn is_indefinite(&self) -> bool {
        let Some((last, before)) = self.0.segments.split_last() else { return false };
        let picks = !last.descend && last.selectors.iter().all(|selector| matches!(selector, ast::Selector::Name(_)));
        !(before.iter().all(ast::Segment::is_definite) && (picks || last.is_definite()))
    }

    /// What it leads to, in the text that it was read from.
    pub fn lower(&self, text: &Text, roots: &dyn Roots, diagnostics: &mut Diagnostics) -> Option<JsonPath> {
        lower::lower(&self.0, text, Mode::Lenient, roots, diagnostics)
    }
}

fn finish(
    query: parse::Parsed<Query>,
    text: &Text,
    mode: Mode,
    roots: &dyn Roots,
    diagnostics: &mut Diagnostics,
) -> Option<JsonPath> {
    let query = query.and_then(|query| if mode == Mode::Reference { check_reference(query) } else { Ok(query) });
    match query {
        Ok(query) => lower::lower(&query, text, mode, roots, diagnostics),
        Err(flaw) => {
            diagnostics.push(flaw.in_text(text));
            None
        }
    }
}

/// A reference path names one place: no `*`, `..`, slices, filters, or several selectors (ASL, "Reference Paths").
fn check_reference(query: Query) -> parse::Parsed<Query> {
    if let Some(segment) = query.segments.iter().find(|segment| !segment.is_definite()) {
        let flaw = Flaw::new(&E0302, segment.at.clone(), "this step can lead to several places");
        return Err(flaw.help("a reference path is made of names and single positions: `$.order.items[0]`").into());
    }
    if query.method.is_some() {
        let flaw = Flaw::new(&E0302, query.at, "a reference path names a place, and a function is none");
        return Err(flaw.help("leave out `.length()`").into());
    }
    Ok(query)
}

/// Only the document can be written to (ASL, "Input and Output Processing").
fn check_root(query: Query) -> parse::Parsed<Query> {
    let what = match &query.root {
        ast::Root::Document | ast::Root::Current => return Ok(query),
        ast::Root::Context => "the context object cannot be written to",
        ast::Root::Variable { .. } => "a variable cannot be written to by a path",
    };
    let flaw = Flaw::new(&E0306, query.at, what);
    Err(flaw.help("start the path with `$.`; variables are set by `Assign`").into())
}

#[cfg(test)]
pub(crate) mod tests;
