//! What an evaluation fails with, in words that tell no data.

use cel::ExecutionError;
use cel::objects::ValueType;

use crate::expr::jq;
use crate::fault::{Fault, names};

/// How much is told of what the library says, in characters.
const LONGEST: usize = 200;

/// The fault that everything which is wrong with an expression becomes.
#[cold]
pub(super) fn fault(cause: String) -> Fault {
    Fault::evaluation(names::QUERY_EVALUATION_ERROR, cause)
}

/// The expression yields something of this type.
#[cold]
pub(super) fn is_no_answer(found: &str) -> jq::Error {
    jq::Error::message(format!("a condition must be true or false, and is of the type {found}"))
}

/// What has gone wrong.
#[cold]
pub(super) fn evaluation(error: &ExecutionError) -> jq::Error {
    let told = match error {
        ExecutionError::NoSuchKey(key) => format!("there is no `{key}` in the map that it is looked for in"),
        ExecutionError::UndeclaredReference(name) => format!("the data have no member `{name}`"),
        ExecutionError::NoSuchOverload(overload) => overload.to_string(),
        ExecutionError::ValuesNotComparable(left, right) => {
            format!("the types {} and {} have no order", type_of(left), type_of(right))
        }
        ExecutionError::UnsupportedBinaryOperator(operator, left, right) => {
            format!("`{}` does not take the types {} and {}", sign(operator), type_of(left), type_of(right))
        }
        ExecutionError::UnexpectedType { got, want } => format!("{want} is expected, and {got} is given"),
        ExecutionError::UnsupportedTargetType { target } => format!("the type {} has no such use", type_of(target)),
        ExecutionError::NotSupportedAsMethod { method, target } => {
            format!("the type {} has no function `{method}`", type_of(target))
        }
        ExecutionError::UnsupportedKeyType(key) => format!("the type {} is none of keys", type_of(key)),
        ExecutionError::UnsupportedIndex(index, of) => {
            format!("the type {} has no elements by the type {}", type_of(of), type_of(index))
        }
        ExecutionError::DivisionByZero(_) => "the right side of `/` is zero".to_owned(),
        ExecutionError::RemainderByZero(_) => "the right side of `%` is zero".to_owned(),
        ExecutionError::Overflow(operator, ..) => format!("the result of `{}` is too large", sign(operator)),
        ExecutionError::IndexOutOfBounds(index) => match index {
            cel::Value::Int(index) => format!("there is no element {index}"),
            _ => "there is no such element".to_owned(),
        },
        ExecutionError::DuplicateKey(_) => "a map has the same key twice".to_owned(),
        other => other.to_string(),
    };
    let mut told = told;
    if let Some((at, _)) = told.char_indices().nth(LONGEST) {
        told.truncate(at);
        told.push('…');
    }
    jq::Error::message(told)
}

/// The name of a type, as CEL has it.
fn type_of(value: &cel::Value) -> String {
    match value.type_of() {
        ValueType::Float => "double".to_owned(),
        other => other.to_string(),
    }
}

/// The sign of an operator that the library names.
fn sign(name: &str) -> &str {
    match name {
        "add" => "+",
        "sub" => "-",
        "mul" => "*",
        "div" => "/",
        "rem" => "%",
        "minus" | "neg" | "negate" => "-",
        other => other,
    }
}
