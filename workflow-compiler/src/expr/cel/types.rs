//! Statically evident types of CEL expressions.

use super::functions;
use cel::common::ast::{Expr, IdedExpr, LiteralValue, operators};

/// Returns the CEL type that the outermost operation implies, if any.
pub(super) fn evident(of: &IdedExpr) -> Option<&'static str> {
    match &of.expr {
        Expr::Literal(literal) => Some(match literal {
            LiteralValue::Boolean(_) => "bool",
            LiteralValue::Bytes(_) => "bytes",
            LiteralValue::Double(_) => "double",
            LiteralValue::Int(_) => "int",
            LiteralValue::Null => "null",
            LiteralValue::String(_) => "string",
            LiteralValue::UInt(_) => "uint",
        }),
        Expr::List(_) => Some("list"),
        Expr::Map(_) => Some("map"),
        Expr::Select(select) => select.test.then_some("bool"),
        Expr::Comprehension(of) => match &of.result.expr {
            Expr::Ident(_) => evident(&of.accu_init),
            _ => evident(&of.result),
        },
        Expr::Call(call) => match (call.func_name.as_str(), &call.args[..]) {
            (operators::LOGICAL_AND | operators::LOGICAL_OR | operators::LOGICAL_NOT, _) => Some("bool"),
            (operators::EQUALS | operators::NOT_EQUALS | operators::IN, _) => Some("bool"),
            (operators::LESS | operators::LESS_EQUALS, _) => Some("bool"),
            (operators::GREATER | operators::GREATER_EQUALS, _) => Some("bool"),
            (operators::CONDITIONAL, [_, then, otherwise]) => {
                evident(then).filter(|found| evident(otherwise) == Some(found))
            }
            (operators::ADD, [left, right]) => evident(left).or_else(|| evident(right)).filter(|found| {
                // `+` is closed over these types only. Timestamps and durations yield other types.
                matches!(*found, "int" | "uint" | "double" | "string" | "bytes" | "list")
            }),
            (operators::MULTIPLY | operators::DIVIDE | operators::MODULO, [left, right]) => {
                Some(evident(left).or_else(|| evident(right)).unwrap_or("a number"))
            }
            (name, _) => functions::find(name).and_then(|function| function.yields),
        },
        _ => None,
    }
}

/// Returns `true` for a numeric type.
pub(super) fn is_number(name: &str) -> bool {
    matches!(name, "int" | "uint" | "double" | "a number")
}

/// Returns a type for messages.
pub(super) fn type_name(name: &str) -> String {
    match name {
        "null" | "a number" => name.to_owned(),
        "int" => "an int".to_owned(),
        "bytes" => "bytes".to_owned(),
        name => format!("a {name}"),
    }
}
