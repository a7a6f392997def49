//! The syntax tree of SpEL. Nodes carry byte ranges of the text.

use crate::expr::Literal;
use crate::expr::jsonpath::Embedded;
use std::ops::Range;

/// A node of an expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SpelNode {
    pub kind: NodeKind,
    pub at: Range<usize>,
    /// The nesting depth of the node's descendants.
    pub height: usize,
}

/// The kind of a node.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum NodeKind {
    /// A constant.
    Literal(Literal),
    /// `{1, 2}`
    List(Vec<SpelNode>),
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
        of: Box<SpelNode>,
        path: PathText,
    },
    /// `of.name`, `of?.name` or `of['name']`
    Member {
        of: Box<SpelNode>,
        name: String,
    },
    /// `of[0]`
    Index {
        of: Box<SpelNode>,
        index: i64,
    },
    /// `of.method(arguments)`
    Call {
        of: Box<SpelNode>,
        method: Method,
        arguments: Vec<SpelNode>,
        /// `true` if the call was written with `?.`: on null it yields null.
        safe: bool,
    },
    Not(Box<SpelNode>),
    Negate(Box<SpelNode>),
    And(Vec<SpelNode>),
    Or(Vec<SpelNode>),
    Binary {
        operator: Operator,
        left: Box<SpelNode>,
        right: Box<SpelNode>,
    },
    /// `test ? then : otherwise`
    Choose {
        test: Box<SpelNode>,
        then: Box<SpelNode>,
        otherwise: Box<SpelNode>,
    },
    /// `left ?: right`
    Elvis {
        left: Box<SpelNode>,
        right: Box<SpelNode>,
    },
}

/// A path in quotes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PathText {
    /// The path, with doubled quotes resolved.
    pub value: String,
    /// The byte range between the quotes.
    pub at: Range<usize>,
}

/// A binary operator on values.
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

/// The supported methods.
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
    /// All methods by name.
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

    /// Returns the name.
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

    /// Returns the number of arguments.
    pub fn arity(self) -> usize {
        usize::from(matches!(self, Method::Contains | Method::StartsWith | Method::EndsWith))
    }

    /// Returns `true` if the method returns a boolean.
    pub fn is_test(self) -> bool {
        self.arity() == 1 || self == Method::IsEmpty
    }
}

impl SpelNode {
    /// Calls `visit` with each child.
    pub fn children(&self, visit: &mut dyn FnMut(&SpelNode)) {
        match &self.kind {
            NodeKind::Literal(_) | NodeKind::Name(_) | NodeKind::Variable(_) | NodeKind::Root | NodeKind::Path(_) => {}
            NodeKind::List(parts) | NodeKind::And(parts) | NodeKind::Or(parts) => parts.iter().for_each(visit),
            NodeKind::JsonPath { of, .. } | NodeKind::Member { of, .. } | NodeKind::Index { of, .. } => visit(of),
            NodeKind::Call { of, arguments, .. } => {
                visit(of);
                arguments.iter().for_each(visit);
            }
            NodeKind::Not(inner) | NodeKind::Negate(inner) => visit(inner),
            NodeKind::Binary { left, right, .. } | NodeKind::Elvis { left, right } => {
                [left, right].into_iter().for_each(|part| visit(part))
            }
            NodeKind::Choose { test, then, otherwise } => {
                [test, then, otherwise].into_iter().for_each(|part| visit(part))
            }
        }
    }
}
