//! Statically evident types of nodes, and checks of operators and methods that always fail.

use super::ast::{Method, NodeKind, Operator, SpelNode};
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
        NodeKind::Call { method, .. } => Some(match method {
            Method::Size | Method::Length => Evident::Number,
            Method::ToLowerCase | Method::ToUpperCase => Evident::String,
            Method::IsEmpty | Method::Contains | Method::StartsWith | Method::EndsWith => Evident::Boolean,
        }),
        NodeKind::Not(_) | NodeKind::And(_) | NodeKind::Or(_) => Some(Evident::Boolean),
        NodeKind::Negate(_) => Some(Evident::Number),
        NodeKind::Binary { operator, left, right } => match operator {
            Operator::Add => match (evident(left), evident(right)) {
                (Some(Evident::String), _) | (_, Some(Evident::String)) => Some(Evident::String),
                (Some(Evident::Number), Some(Evident::Number)) => Some(Evident::Number),
                _ => None,
            },
            Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Remainder => Some(Evident::Number),
            _ => Some(Evident::Boolean),
        },
        NodeKind::Choose { then, otherwise, .. } => evident(then).filter(|then| evident(otherwise) == Some(*then)),
        NodeKind::Elvis { .. } => None,
    }
}

/// Rejects a condition that is never a boolean.
pub(super) fn check_test(node: &SpelNode) -> Result<(), ExprError> {
    let Some(actual) = evident(node).filter(|actual| *actual != Evident::Boolean) else { return Ok(()) };
    let error = ExprError::new(
        &WF0326,
        node.at.clone(),
        format!("a condition must be a boolean, found {}", actual.type_name()),
    );
    Err(error.help(match actual {
        Evident::Array => "test for elements: `not $.items.isEmpty()`",
        _ => "compare the value, as in `$.status eq 'done'` or `$.count gt 0`",
    }))
}

/// Rejects an operator that fails, or has the same result, for all data.
pub(super) fn check_operator(
    operator: Operator,
    left: &SpelNode,
    right: &SpelNode,
    written: &str,
) -> Result<(), ExprError> {
    let at = left.at.start..right.at.end;
    let (of_left, of_right) = (evident(left), evident(right));
    let known: Vec<&str> = [of_left, of_right].into_iter().flatten().map(Evident::type_name).collect();
    let operand_types = known.join(" and ");
    match operator {
        Operator::Equal | Operator::NotEqual => {
            let (Some(left_type), Some(right_type)) = (of_left, of_right) else { return Ok(()) };
            if left_type == right_type || left_type == Evident::Null || right_type == Evident::Null {
                return Ok(());
            }
            let error = ExprError::new(&WF0326, at, format!("{operand_types} are never equal"));
            Err(equality_help(error, left, right, written))
        }
        Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => {
            let has_order = |side: Option<Evident>| matches!(side, None | Some(Evident::Number | Evident::String));
            let fit = of_left.is_none() || of_right.is_none() || of_left == of_right;
            if has_order(of_left) && has_order(of_right) && fit {
                return Ok(());
            }
            let error =
                ExprError::new(&WF0326, at, format!("expected two numbers or two strings, found {operand_types}"));
            Err(equality_help(error, left, right, written))
        }
        Operator::Matches => {
            let refused = |side| matches!(side, Some(Evident::Array | Evident::Object));
            let is_pattern = matches!(of_right, None | Some(Evident::String));
            if is_pattern && !refused(of_left) {
                return Ok(());
            }
            let error =
                ExprError::new(&WF0326, at, format!("`matches` takes a string and a pattern, found {operand_types}"));
            Err(error.help("write `$.id matches '[A-Z]+'`"))
        }
        Operator::Add => {
            let is_string = |side| side == Some(Evident::String);
            let may_add = |side| matches!(side, None | Some(Evident::Number | Evident::String));
            let both = of_left.is_some() && of_right.is_some();
            if is_string(of_left) || is_string(of_right) || !both || may_add(of_left) && may_add(of_right) {
                return Ok(());
            }
            let error = ExprError::new(
                &WF0326,
                at,
                format!("`+` takes two numbers, or a string and any value, found {operand_types}"),
            );
            Err(error.help("start a concatenation with a string: `'' + …`"))
        }
        Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Remainder => {
            let may_count = |side| matches!(side, None | Some(Evident::Number));
            if may_count(of_left) && may_count(of_right) {
                return Ok(());
            }
            let error = ExprError::new(&WF0326, at, format!("expected two numbers, found {operand_types}"));
            Err(error.help("write numbers without quotes"))
        }
    }
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
pub(super) fn check_method(method: Method, of: &SpelNode, arguments: &[SpelNode]) -> Result<(), ExprError> {
    let name = method.name();
    let (fits, owners): (fn(Evident) -> bool, _) = match method {
        Method::Size | Method::Length | Method::IsEmpty => {
            (|of| matches!(of, Evident::String | Evident::Array | Evident::Object), "a string, an array or an object")
        }
        Method::Contains => (|of| matches!(of, Evident::String | Evident::Array), "a string or an array"),
        _ => (|of| of == Evident::String, "a string"),
    };
    let actual = evident(of);
    if let Some(actual) = actual.filter(|actual| !fits(*actual)) {
        let message = format!("`{name}()` is a method of {owners}, found {}", actual.type_name());
        return Err(ExprError::new(&WF0326, of.at.clone(), message).help(format!("call it on {owners}")));
    }
    let takes_text = actual == Some(Evident::String) || matches!(method, Method::StartsWith | Method::EndsWith);
    for argument in arguments.iter().filter(|_| takes_text) {
        if let Some(other) = evident(argument).filter(|actual| *actual != Evident::String) {
            let message = format!("`{name}()` of a string takes a string, found {}", other.type_name());
            return Err(ExprError::new(&WF0326, argument.at.clone(), message).help("put it in quotes"));
        }
    }
    Ok(())
}
