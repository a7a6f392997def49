//! What is evident of the type of a part, and what operators and methods always refuse.

use super::ast::{Kind, Method, Node, Operator};
use crate::diagnostics::codes::spel::E1304;
use crate::expr::Literal;
use crate::expr::flaw::Flaw;

/// A type of JSON, where the notation tells.
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
    /// As messages tell it.
    fn told(self) -> &'static str {
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

/// The type of a part; none where only the data tell.
pub(super) fn evident(node: &Node) -> Option<Evident> {
    match &node.kind {
        Kind::Literal(literal) => Some(match literal {
            Literal::Null => Evident::Null,
            Literal::Bool(_) => Evident::Boolean,
            Literal::Int(_) | Literal::Float(_) => Evident::Number,
            Literal::String(_) => Evident::String,
            Literal::Array(_) => Evident::Array,
            Literal::Object(_) => Evident::Object,
        }),
        Kind::List(_) => Some(Evident::Array),
        Kind::Path(path) => path.is_indefinite().then_some(Evident::Array),
        Kind::Name(_) | Kind::Variable(_) | Kind::Root | Kind::JsonPath { .. } => None,
        Kind::Member { .. } | Kind::Index { .. } => None,
        // It is null where the value is.
        Kind::Call { safe: true, .. } => None,
        Kind::Call { method, .. } => Some(match method {
            Method::Size | Method::Length => Evident::Number,
            Method::ToLowerCase | Method::ToUpperCase => Evident::String,
            Method::IsEmpty | Method::Contains | Method::StartsWith | Method::EndsWith => Evident::Boolean,
        }),
        Kind::Not(_) | Kind::And(_) | Kind::Or(_) => Some(Evident::Boolean),
        Kind::Negate(_) => Some(Evident::Number),
        Kind::Binary { operator, left, right } => match operator {
            Operator::Add => match (evident(left), evident(right)) {
                (Some(Evident::String), _) | (_, Some(Evident::String)) => Some(Evident::String),
                (Some(Evident::Number), Some(Evident::Number)) => Some(Evident::Number),
                _ => None,
            },
            Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Remainder => Some(Evident::Number),
            _ => Some(Evident::Boolean),
        },
        Kind::Choose { then, otherwise, .. } => evident(then).filter(|then| evident(otherwise) == Some(*then)),
        Kind::Elvis { .. } => None,
    }
}

/// Refuses a condition that is never true or false.
pub(super) fn check_test(node: &Node) -> Result<(), Flaw> {
    let Some(found) = evident(node).filter(|found| *found != Evident::Boolean) else { return Ok(()) };
    let flaw =
        Flaw::new(&E1304, node.at.clone(), format!("a condition must be true or false, and this is {}", found.told()));
    Err(flaw.help(match found {
        Evident::Array => "ask whether there is anything: `not $.items.isEmpty()`",
        _ => "compare it with something: `$.status eq 'done'`, `$.count gt 0`",
    }))
}

/// Refuses an operator that has a fault, or one answer, whatever the data are.
pub(super) fn check_operator(operator: Operator, left: &Node, right: &Node, written: &str) -> Result<(), Flaw> {
    let at = left.at.start..right.at.end;
    let (of_left, of_right) = (evident(left), evident(right));
    let told = |side: Option<Evident>| side.map_or("something", Evident::told);
    let given = format!("{} and {}", told(of_left), told(of_right));
    match operator {
        Operator::Equal | Operator::NotEqual => {
            let (Some(left_type), Some(right_type)) = (of_left, of_right) else { return Ok(()) };
            if left_type == right_type || left_type == Evident::Null || right_type == Evident::Null {
                return Ok(());
            }
            let flaw = Flaw::new(&E1304, at, format!("{given} are never equal"));
            Err(equality_help(flaw, left, right, written))
        }
        Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => {
            let has_order = |side: Option<Evident>| matches!(side, None | Some(Evident::Number | Evident::String));
            let fit = of_left.is_none() || of_right.is_none() || of_left == of_right;
            if has_order(of_left) && has_order(of_right) && fit {
                return Ok(());
            }
            let flaw =
                Flaw::new(&E1304, at, format!("two numbers or two strings have an order, and these are {given}"));
            Err(equality_help(flaw, left, right, written))
        }
        Operator::Matches => {
            let refused = |side| matches!(side, Some(Evident::Array | Evident::Object));
            let is_pattern = matches!(of_right, None | Some(Evident::String));
            if is_pattern && !refused(of_left) {
                return Ok(());
            }
            let flaw = Flaw::new(&E1304, at, format!("`matches` takes a string and a pattern, and these are {given}"));
            Err(flaw.help("write `$.id matches '[A-Z]+'`"))
        }
        Operator::Add => {
            let is_string = |side| side == Some(Evident::String);
            let may_add = |side| matches!(side, None | Some(Evident::Number | Evident::String));
            let both = of_left.is_some() && of_right.is_some();
            if is_string(of_left) || is_string(of_right) || !both || may_add(of_left) && may_add(of_right) {
                return Ok(());
            }
            let flaw = Flaw::new(
                &E1304,
                at,
                format!("`+` takes two numbers, or a string and anything, and these are {given}"),
            );
            Err(flaw.help("to add to a text, begin with one: `'' + …`"))
        }
        Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Remainder => {
            let may_count = |side| matches!(side, None | Some(Evident::Number));
            if may_count(of_left) && may_count(of_right) {
                return Ok(());
            }
            let flaw = Flaw::new(&E1304, at, format!("this takes two numbers, and these are {given}"));
            Err(flaw.help("numbers are written without quotes"))
        }
    }
}

fn equality_help(flaw: Flaw, left: &Node, right: &Node, written: &str) -> Flaw {
    let of_paths = |node: &Node| matches!(node.kind, Kind::Path(_));
    let selected = [left, right].into_iter().find(|node| of_paths(node) && evident(node) == Some(Evident::Array));
    let negated = [left, right].into_iter().any(|node| matches!(node.kind, Kind::Not(_)));
    match selected {
        Some(path) => {
            let several = "the path can lead to several values, and yields an array";
            match written[path.at.clone()].trim_matches(['(', ')', ' ']) {
                path if path.contains('\'') => {
                    flaw.help(format!("{several}; put it into parentheses, and take one: `(…)[0]`"))
                }
                path => flaw.help(format!("{several}; `#jsonPath(#root, '{path}')` yields the one there is")),
            }
        }
        None if negated => flaw.help("`not` belongs to what follows it at once; put the comparison into parentheses"),
        None => flaw.help("compare values of the same type; numbers are written without quotes"),
    }
}

/// Refuses a `-` before what is no number.
pub(super) fn check_negated(node: &Node) -> Result<(), Flaw> {
    match evident(node) {
        None | Some(Evident::Number) => Ok(()),
        Some(found) => {
            let message = format!("`-` takes a number, and this is {}", found.told());
            Err(Flaw::new(&E1304, node.at.clone(), message).help("numbers are written without quotes"))
        }
    }
}

/// Refuses a method of what has no such method, or an argument that it never takes.
pub(super) fn check_method(method: Method, of: &Node, arguments: &[Node]) -> Result<(), Flaw> {
    let name = method.name();
    let (fits, owners): (fn(Evident) -> bool, _) = match method {
        Method::Size | Method::Length | Method::IsEmpty => {
            (|of| matches!(of, Evident::String | Evident::Array | Evident::Object), "a string, an array or an object")
        }
        Method::Contains => (|of| matches!(of, Evident::String | Evident::Array), "a string or an array"),
        _ => (|of| of == Evident::String, "a string"),
    };
    let found = evident(of);
    if let Some(found) = found.filter(|found| !fits(*found)) {
        let message = format!("`{name}()` is a method of {owners}, and this is {}", found.told());
        return Err(Flaw::new(&E1304, of.at.clone(), message).help("call it on a value of such a type"));
    }
    let takes_text = found == Some(Evident::String) || matches!(method, Method::StartsWith | Method::EndsWith);
    for argument in arguments.iter().filter(|_| takes_text) {
        if let Some(other) = evident(argument).filter(|found| *found != Evident::String) {
            let message = format!("`{name}()` of a string takes a string, and this is {}", other.told());
            return Err(Flaw::new(&E1304, argument.at.clone(), message).help("put it into quotes"));
        }
    }
    Ok(())
}
