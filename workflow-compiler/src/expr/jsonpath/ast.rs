//! What a JSONPath says, as parsed: every part knows the bytes of the text it came from.

use crate::expr::Literal;
use std::ops::Range;

/// A path.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Query {
    pub root: Root,
    pub segments: Vec<Segment>,
    /// A function of what the segments lead to, called like a method at the end (Jayway).
    pub method: Option<Method>,
    pub at: Range<usize>,
}

/// Where a path starts.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Root {
    /// `$`, the document; inside a filter, what the whole path starts from.
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
    /// Whether it was written with `..`.
    pub descend: bool,
    pub selectors: Vec<Selector>,
    pub at: Range<usize>,
}

/// What a segment selects.
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
pub(super) enum Method {
    /// `.length()`
    Length,
}

/// What a filter asks.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    Or(Vec<Condition>),
    And(Vec<Condition>),
    Not(Box<Condition>),
    /// Whether the path leads anywhere.
    Exists(Query),
    Compare {
        operator: Operator,
        left: Operand,
        right: Operand,
    },
    /// `match` and `search`, and `=~`.
    Matches(Pattern),
}

/// A test against a regular expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pattern {
    pub flavour: Flavour,
    pub subject: Operand,
    pub pattern: Operand,
}

/// Whose regular expressions, and how much of the text must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flavour {
    /// RFC 9535 `match`: the whole text, by RFC 9485.
    Match,
    /// RFC 9535 `search`: a part of the text, by RFC 9485.
    Search,
    /// Jayway's `=~`: the whole text; flags have been written into the pattern.
    Jayway,
}

/// What a comparison compares.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Operand {
    Literal { value: Literal, at: Range<usize> },
    Query(Query),
    Call(Call),
}

/// A call of a function of RFC 9535 that yields a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub function: ValueFunction,
    pub argument: Box<Operand>,
}

/// The functions of RFC 9535 that yield a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueFunction {
    Length,
    Count,
    Value,
}

/// How the two sides are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// Jayway's `===`: equal and of the same kind.
    Identical,
    /// Jayway's `!==`.
    NotIdentical,
    /// Jayway's `in`: the right side, a list, holds the left one.
    In,
    /// Jayway's `nin`.
    NotIn,
    /// Jayway's `subsetof`: the right list holds every element of the left one.
    SubsetOf,
    /// Jayway's `anyof`: the lists have an element in common.
    AnyOf,
    /// Jayway's `noneof`.
    NoneOf,
    /// Jayway's `size`: the left side has this many elements or characters.
    Size,
    /// Jayway's `empty`: whether the left side has none.
    Empty,
    /// Jayway's `contains`: the left list or string holds the right side.
    Contains,
}

impl Query {
    /// Whether it can lead to one value at most, by the notation alone (a singular query of RFC 9535).
    pub fn is_definite(&self) -> bool {
        self.segments.iter().all(Segment::is_definite)
    }
}

impl Segment {
    /// Whether it leads from one value to one other at most.
    pub fn is_definite(&self) -> bool {
        !self.descend && matches!(self.selectors[..], [Selector::Name(_) | Selector::Index(_)])
    }
}
