//! Statically evident types of nodes, and checks of operators and methods that always fail.

use super::ast::{Method, NodeKind, OperatorKind, SpelNode};
use crate::diagnostics::codes::expressions::WF0326;
use crate::expr::Literal;
use crate::expr::error::ExprError;

/// A type of JSON that the notation implies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Evident {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

impl Evident {
    /// Returns the type for messages.
    fn type_name(self) -> &'static str {
        match self {
            Evident::Null => "null",
            Evident::Boolean => "a boolean",
            Evident::Number => "a number",
            Evident::String => "a string",
            Evident::Array => "an array",
            Evident::Object => "an object",
        }
    }
}

/// Returns the type of a node, or `None` if it depends on the data.
pub(super) fn evident(node: &SpelNode) -> Option<Evident> {
    match &node.kind {
        NodeKind::Literal(literal) => Some(match literal {
            Literal::Null => Evident::Null,
            Literal::Bool(_) => Evident::Boolean,
            Literal::Int(_) | Literal::Float(_) => Evident::Number,
            Literal::String(_) => Evident::String,
            Literal::Array(_) => Evident::Array,
            Literal::Object(_) => Evident::Object,
        }),
        NodeKind::List(_) => Some(Evident::Array),
        NodeKind::Path(path) => path.is_indefinite().then_some(Evident::Array),
        NodeKind::Name(_) | NodeKind::Variable(_) | NodeKind::Root | NodeKind::JsonPath { .. } => None,
        NodeKind::Member { .. } | NodeKind::Index { .. } => None,
        // The call yields null for null.
        NodeKind::Call { safe: true, .. } => None,
        NodeKind::Call { method, .. } => Some(method.returns),
        NodeKind::Not(_) | NodeKind::And(_) | NodeKind::Or(_) => Some(Evident::Boolean),
        NodeKind::Negate(_) => Some(Evident::Number),
        NodeKind::Binary { operator, left, right } => match operator.kind {
            OperatorKind::Add => match (evident(left), evident(right)) {
                (Some(Evident::String), _) | (_, Some(Evident::String)) => Some(Evident::String),
                (Some(Evident::Number), Some(Evident::Number)) => Some(Evident::Number),
                _ => None,
            },
            OperatorKind::Arithmetic => Some(Evident::Number),
            _ => Some(Evident::Boolean),
        },
        NodeKind::Choose { then, otherwise, .. } => evident(then).filter(|then| evident(otherwise) == Some(*then)),
        NodeKind::Elvis { .. } => None,
    }
}

/// Rejects a condition that is never a boolean.
pub(super) fn check_test(node: &SpelNode) -> Result<(), ExprError> {
    let Some(actual) = evident(node).filter(|actual| *actual != Evident::Boolean) else { return Ok(()) };
    let message = format!("a condition must be a boolean, found {}", actual.type_name());
    let error = ExprError::new(&WF0326, node.at.clone(), message);
    Err(error.help(match actual {
        Evident::Array => "test for elements: `not $.items.isEmpty()`",
        _ => "compare the value, as in `$.status eq 'done'` or `$.count gt 0`",
    }))
}

/// Rejects an operator that fails, or has the same result, for all data.
pub(super) fn check_operator(
    operator: OperatorKind,
    left: &SpelNode,
    right: &SpelNode,
    written: &str,
) -> Result<(), ExprError> {
    let (of_left, of_right) = (evident(left), evident(right));
    let known: Vec<Evident> = [of_left, of_right].into_iter().flatten().collect();
    let found = known.iter().map(|known| known.type_name()).collect::<Vec<_>>().join(" and ");
    let may_be = |side: Option<Evident>, types: &[Evident]| side.is_none_or(|side| types.contains(&side));
    let both_may_be = |types: &[Evident]| may_be(of_left, types) && may_be(of_right, types);
    let scalars = [Evident::Number, Evident::String];
    let is_same = known.len() < 2 || of_left == of_right;
    let (fits, message, help) = match operator {
        OperatorKind::Equal | OperatorKind::NotEqual => {
            (is_same || known.contains(&Evident::Null), format!("{found} are never equal"), None)
        }
        OperatorKind::Order => {
            (is_same && both_may_be(&scalars), format!("expected two numbers or two strings, found {found}"), None)
        }
        OperatorKind::Matches => (
            may_be(of_right, &[Evident::String]) && !matches!(of_left, Some(Evident::Array | Evident::Object)),
            format!("`matches` takes a string and a pattern, found {found}"),
            Some("write `$.id matches '[A-Z]+'`"),
        ),
        OperatorKind::Add => (
            known.len() < 2 || known.contains(&Evident::String) || both_may_be(&scalars),
            format!("`+` takes two numbers, or a string and any value, found {found}"),
            Some("start a concatenation with a string: `'' + …`"),
        ),
        OperatorKind::Arithmetic => (
            both_may_be(&[Evident::Number]),
            format!("expected two numbers, found {found}"),
            Some("write numbers without quotes"),
        ),
    };
    if fits {
        return Ok(());
    }
    let error = ExprError::new(&WF0326, left.at.start..right.at.end, message);
    Err(match help {
        Some(help) => error.help(help),
        None => equality_help(error, left, right, written),
    })
}

fn equality_help(error: ExprError, left: &SpelNode, right: &SpelNode, written: &str) -> ExprError {
    let of_paths = |node: &SpelNode| matches!(node.kind, NodeKind::Path(_));
    let selected = [left, right].into_iter().find(|node| of_paths(node) && evident(node) == Some(Evident::Array));
    let negated = [left, right].into_iter().any(|node| matches!(node.kind, NodeKind::Not(_)));
    match selected {
        Some(path) => {
            let several = "the path can select several values and yields an array";
            match written[path.at.clone()].trim_matches(['(', ')', ' ']) {
                path if path.contains('\'') => error.help(format!("{several}: select one with `(…)[0]`")),
                path => error.help(format!("{several}: use `#jsonPath(#root, '{path}')` for a single value")),
            }
        }
        None if negated => error.help("put the comparison in parentheses: `not` applies only to the next operand"),
        None => error.help("compare values of the same type, and write numbers without quotes"),
    }
}

/// Rejects a negation of a value that is not a number.
pub(super) fn check_negated(node: &SpelNode) -> Result<(), ExprError> {
    match evident(node) {
        None | Some(Evident::Number) => Ok(()),
        Some(actual) => {
            let message = format!("`-` takes a number, found {}", actual.type_name());
            Err(ExprError::new(&WF0326, node.at.clone(), message).help("write numbers without quotes"))
        }
    }
}

/// Rejects a method that the value does not have, and an argument that the method never accepts.
pub(super) fn check_method(method: &Method, of: &SpelNode, arguments: &[SpelNode]) -> Result<(), ExprError> {
    let name = method.name;
    let actual = evident(of);
    if let Some(actual) = actual.filter(|actual| !method.owners.contains(actual)) {
        let owners: Vec<&str> = method.owners.iter().map(|owner| owner.type_name()).collect();
        let owners = match &owners[..] {
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            only => only.concat(),
        };
        let message = format!("`{name}()` is a method of {owners}, found {}", actual.type_name());
        return Err(ExprError::new(&WF0326, of.at.clone(), message).help(format!("call it on {owners}")));
    }
    let takes_text = actual == Some(Evident::String) || method.owners == [Evident::String];
    for argument in arguments.iter().filter(|_| takes_text) {
        if let Some(other) = evident(argument).filter(|actual| *actual != Evident::String) {
            let message = format!("`{name}()` of a string takes a string, found {}", other.type_name());
            return Err(ExprError::new(&WF0326, argument.at.clone(), message).help("put it in quotes"));
        }
    }
    Ok(())
}
