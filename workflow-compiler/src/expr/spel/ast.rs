//! What an expression of SpEL says, as parsed: every part knows the bytes of the text it came from.

use crate::expr::Literal;
use crate::expr::jsonpath::Embedded;
use std::ops::Range;

/// A part of an expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub kind: Kind,
    pub at: Range<usize>,
    /// How deep the parts in it are nested.
    pub height: usize,
}

/// What a part is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// A constant.
    Literal(Literal),
    /// `{1, 2}`
    List(Vec<Node>),
    /// A bare name: a variable, or a member of the data.
    Name(String),
    /// `#name`
    Variable(String),
    /// `#root`, and `#this`.
    Root,
    /// A path from `$`.
    Path(Embedded),
    /// `#jsonPath(of, 'path')`
    JsonPath {
        of: Box<Node>,
        path: PathText,
    },
    /// `of.name`, `of?.name` or `of['name']`
    Member {
        of: Box<Node>,
        name: String,
    },
    /// `of[0]`
    Index {
        of: Box<Node>,
        index: i64,
    },
    /// `of.method(arguments)`
    Call {
        of: Box<Node>,
        method: Method,
        arguments: Vec<Node>,
        /// Whether it was written with `?.`: null has no method, and yields null.
        safe: bool,
    },
    Not(Box<Node>),
    Negate(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
    Binary {
        operator: Operator,
        left: Box<Node>,
        right: Box<Node>,
    },
    /// `test ? then : otherwise`
    Choose {
        test: Box<Node>,
        then: Box<Node>,
        otherwise: Box<Node>,
    },
    /// `left ?: right`
    Elvis {
        left: Box<Node>,
        right: Box<Node>,
    },
}

/// A path in quotes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PathText {
    /// The path, without what quotes escape.
    pub value: String,
    /// Its place between the quotes.
    pub at: Range<usize>,
}

/// An operator with two sides of which neither is a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Matches,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// The methods that values have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    IsEmpty,
    Size,
    Length,
    Contains,
    StartsWith,
    EndsWith,
    ToLowerCase,
    ToUpperCase,
}

impl Method {
    /// All of them, as they are written.
    pub const ALL: [(&'static str, Method); 8] = [
        ("isEmpty", Method::IsEmpty),
        ("size", Method::Size),
        ("length", Method::Length),
        ("contains", Method::Contains),
        ("startsWith", Method::StartsWith),
        ("endsWith", Method::EndsWith),
        ("toLowerCase", Method::ToLowerCase),
        ("toUpperCase", Method::ToUpperCase),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Method::IsEmpty => "isEmpty",
            Method::Size => "size",
            Method::Length => "length",
            Method::Contains => "contains",
            Method::StartsWith => "startsWith",
            Method::EndsWith => "endsWith",
            Method::ToLowerCase => "toLowerCase",
            Method::ToUpperCase => "toUpperCase",
        }
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        usize::from(matches!(self, Method::Contains | Method::StartsWith | Method::EndsWith))
    }

    /// Whether it says yes or no.
    pub fn is_test(self) -> bool {
        self.arity() == 1 || self == Method::IsEmpty
    }
}

impl Node {
    /// Calls `visit` with each part that it is made of.
    pub fn children(&self, visit: &mut dyn FnMut(&Node)) {
        match &self.kind {
            Kind::Literal(_) | Kind::Name(_) | Kind::Variable(_) | Kind::Root | Kind::Path(_) => {}
            Kind::List(parts) | Kind::And(parts) | Kind::Or(parts) => parts.iter().for_each(visit),
            Kind::JsonPath { of, .. } | Kind::Member { of, .. } | Kind::Index { of, .. } => visit(of),
            Kind::Call { of, arguments, .. } => {
                visit(of);
                arguments.iter().for_each(visit);
            }
            Kind::Not(inner) | Kind::Negate(inner) => visit(inner),
            Kind::Binary { left, right, .. } | Kind::Elvis { left, right } => {
                [left, right].into_iter().for_each(|part| visit(part))
            }
            Kind::Choose { test, then, otherwise } => [test, then, otherwise].into_iter().for_each(|part| visit(part)),
        }
    }
}
