//! The syntax tree of a path. Nodes carry byte ranges of the text.

use crate::expr::{Function, Literal};
use std::ops::Range;

/// A path.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Query {
    pub root: QueryRoot,
    pub segments: Vec<Segment>,
    /// The function at the end of the path, called like a method (Jayway).
    pub method: Option<PathMethod>,
    pub at: Range<usize>,
}

/// The root of a path.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum QueryRoot {
    /// `$`, the document. Inside a filter, the root of the whole path.
    Document,
    /// `$$`, the context object.
    Context,
    /// `$name`, a variable.
    Variable { name: String, at: Range<usize> },
    /// `@`, the value under test.
    Current,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Segment {
    /// `true` if the segment was written with `..`.
    pub descend: bool,
    pub selectors: Vec<Selector>,
    pub at: Range<usize>,
}

/// A selector of a segment.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Selector {
    Name(String),
    Index(i64),
    Slice { start: Option<i64>, end: Option<i64>, step: i64 },
    Wildcard,
    Filter(Condition),
}

/// A function called at the end of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathMethod {
    /// `.length()`
    Length,
}

/// The condition of a filter.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    Or(Vec<Condition>),
    And(Vec<Condition>),
    Not(Box<Condition>),
    /// A path that has to lead to a value.
    Exists(Query),
    Compare {
        comparison: Comparison,
        left: Operand,
        right: Operand,
    },
    /// `match` and `search`, and `=~`.
    Matches(RegexTest),
}

/// A test against a regular expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RegexTest {
    pub flavour: RegexOperator,
    pub subject: Operand,
    pub pattern: Operand,
}

/// The semantics of a regular expression, and the portion of the text that must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RegexOperator {
    /// `match` of RFC 9535: the whole text, by RFC 9485.
    Match,
    /// `search` of RFC 9535: a part of the text, by RFC 9485.
    Search,
    /// Jayway's `=~`: the whole text. The pattern includes the flags.
    Jayway,
}

/// An operand of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Operand {
    Literal { value: Literal, at: Range<usize> },
    Query(Query),
    Call(ValueFunction, Box<Operand>),
}

/// The functions of RFC 9535 that yield a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueFunction {
    Length,
    Count,
    Value,
}

/// A comparison: a test of two operands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Comparison {
    pub function: &'static Function,
    pub form: ComparisonForm,
}

/// The relation between the operator and the function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ComparisonForm {
    /// The operator is the function.
    Plain,
    /// The operator holds if the function does not.
    Negated,
    /// The operands are exchanged.
    Exchanged,
}

impl Query {
    /// Returns `true` if the notation allows at most one value (a singular query of RFC 9535).
    pub fn is_definite(&self) -> bool {
        self.segments.iter().all(Segment::is_definite)
    }
}

impl Segment {
    /// Returns `true` if the segment leads from one value to at most one value.
    pub fn is_definite(&self) -> bool {
        !self.descend && matches!(self.selectors[..], [Selector::Name(_) | Selector::Index(_)])
    }
}
