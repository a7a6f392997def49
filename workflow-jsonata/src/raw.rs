//! The tree as the grammar has it, before paths are put together.

use std::ops::Range;
use std::sync::Arc;

use crate::ast::{BinaryOperator, Number, Pattern, Signature};

/// A part of an expression as the grammar has it.
#[derive(Debug)]
pub(crate) struct Raw {
    /// The place in the text, in bytes.
    pub(crate) at: Range<usize>,
    /// The kind of the part.
    pub(crate) kind: RawKind,
    /// The levels of the tree below this part, with its own.
    pub(crate) depth: usize,
    /// `true` if `[]` follows the part.
    pub(crate) keeps_array: bool,
}

/// The kinds of parts.
#[derive(Debug)]
pub(crate) enum RawKind {
    /// The end of the text in place of an operand.
    End,
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(Arc<str>),
    /// A regular expression.
    Regex(Arc<Pattern>),
    /// A variable, without `$`.
    Variable(Arc<str>),
    /// A name.
    Name(Arc<str>),
    /// `*`
    Wildcard,
    /// `**`
    Descendants,
    /// `%`
    Parent,
    /// `?` as an argument.
    Placeholder,
    /// An operation.
    Operation(Operation),
    /// `-operand`
    Negate(Box<Raw>),
    /// `(parts)`
    Block(Vec<Raw>),
    /// `step.step`, with at least two steps.
    Dot(Vec<Raw>),
    /// `base[predicate]`
    Filter(Box<Raw>, Box<Raw>),
    /// `base{members}`
    Group(Box<Raw>, Vec<(Raw, Raw)>),
    /// `base^(terms)`; a term is `true` if it is descending.
    Sort(Box<Raw>, Vec<(bool, Raw)>),
    /// `base@$name`
    Focus(Box<Raw>, Arc<str>),
    /// `base#$name`
    Index(Box<Raw>, Arc<str>),
    /// `left ~> right`
    Apply(Box<Raw>, Box<Raw>),
    /// `function($params)<signature>{body}`
    Lambda(Box<RawLambda>),
    /// `|pattern|update, delete|`
    Transform(Box<(Raw, Raw)>, Option<Box<Raw>>),
}

/// The kinds of parts whose operands may have slots that seek an ancestor outside of the part.
#[derive(Debug)]
pub(crate) enum Operation {
    /// `[items]`
    Array(Vec<Raw>),
    /// `{members}`
    Object(Vec<(Raw, Raw)>),
    /// `$name := value`
    Bind(Arc<str>, Box<Raw>),
    /// `left operator right`
    Binary(BinaryOperator, Box<Raw>, Box<Raw>),
    /// `callee(args)`
    Call(Box<Raw>, Vec<Raw>),
    /// `callee(args)` where an argument is [`RawKind::Placeholder`].
    Partial(Box<Raw>, Vec<Raw>),
    /// `test ? then : otherwise`
    Condition(Box<(Raw, Raw)>, Option<Box<Raw>>),
}

/// A function as the grammar has it.
#[derive(Debug)]
pub(crate) struct RawLambda {
    /// The names of the parameters, without `$`.
    pub(crate) params: Vec<Arc<str>>,
    /// The signature.
    pub(crate) signature: Option<Signature>,
    /// The body.
    pub(crate) body: Raw,
}

impl Raw {
    /// Marks the part that `[]` follows. Predicates between the two do not matter.
    pub(crate) fn keep_array(&mut self) {
        let mut part = self;
        while let RawKind::Filter(base, _) = &mut part.kind {
            part = base;
        }
        part.keeps_array = true;
    }
}

/// Returns the depth of the deepest part.
pub(crate) fn deepest<'a>(parts: impl IntoIterator<Item = &'a Raw>) -> usize {
    parts.into_iter().map(|part| part.depth).max().unwrap_or(0)
}

/// Returns the depth of the deepest key or value.
pub(crate) fn deepest_member(members: &[(Raw, Raw)]) -> usize {
    members.iter().map(|(key, value)| key.depth.max(value.depth)).max().unwrap_or(0)
}
