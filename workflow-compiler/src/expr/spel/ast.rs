//! The syntax tree of SpEL. Nodes carry byte ranges of the text.

use super::functions;
use super::types::Evident;
use crate::expr::jsonpath::Embedded;
use crate::expr::{Function, Literal};
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
        method: &'static Method,
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
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Operator {
    pub kind: OperatorKind,
    pub function: &'static Function,
}

/// The kind of an operator, which determines its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OperatorKind {
    Equal,
    NotEqual,
    /// `lt` and the other tests of order.
    Order,
    Matches,
    Add,
    /// `-` and the other operators that take numbers only.
    Arithmetic,
}

/// A supported method.
#[derive(Debug, PartialEq)]
pub(super) struct Method {
    pub name: &'static str,
    /// `true` if the method takes an argument.
    pub has_argument: bool,
    pub returns: Evident,
    /// The types that have the method.
    pub owners: &'static [Evident],
    pub function: &'static Function,
    /// `true` if the function takes the name of the method after its operands.
    pub passes_name: bool,
}

/// The supported methods.
pub(super) static METHODS: [Method; 8] = [
    method("isEmpty", Evident::Boolean, SIZED, &functions::IS_EMPTY),
    size("size"),
    size("length"),
    method("toLowerCase", Evident::String, TEXT, &functions::TO_LOWER_CASE),
    method("toUpperCase", Evident::String, TEXT, &functions::TO_UPPER_CASE),
    test("contains", &[Evident::String, Evident::Array], &functions::CONTAINS),
    test("startsWith", TEXT, &functions::STARTS_WITH),
    test("endsWith", TEXT, &functions::ENDS_WITH),
];

const TEXT: &[Evident] = &[Evident::String];
const SIZED: &[Evident] = &[Evident::String, Evident::Array, Evident::Object];

const fn method(
    name: &'static str,
    returns: Evident,
    owners: &'static [Evident],
    function: &'static Function,
) -> Method {
    Method { name, has_argument: false, returns, owners, function, passes_name: false }
}

/// Creates a name of the method that returns the size.
const fn size(name: &'static str) -> Method {
    Method { passes_name: true, ..method(name, Evident::Number, SIZED, &functions::SIZE) }
}

/// Creates a test that takes an argument.
const fn test(name: &'static str, owners: &'static [Evident], function: &'static Function) -> Method {
    Method { has_argument: true, ..method(name, Evident::Boolean, owners, function) }
}

impl Method {
    /// Returns the method of this name.
    pub fn find(name: &str) -> Option<&'static Method> {
        METHODS.iter().find(|method| method.name == name)
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
