//! Errors of an evaluation. Their messages contain no data.

use cel::ExecutionError;
use cel::objects::ValueType;

use crate::expr::jq;
use crate::fault::{Fault, names};

/// The length limit of a message of the library, in characters.
const LONGEST: usize = 200;

/// Returns the fault of every kind of expression error.
#[cold]
pub(super) fn fault(cause: String) -> Fault {
    Fault::evaluation(names::QUERY_EVALUATION_ERROR, cause)
}

/// Returns the error of an expression that yields a value of this type instead of a boolean.
#[cold]
pub(super) fn is_no_answer(found: &str) -> jq::Error {
    jq::Error::message(format!("a condition must be a boolean, found {found}"))
}

/// Returns the error of a failed evaluation.
#[cold]
pub(super) fn evaluation(error: &ExecutionError) -> jq::Error {
    let mut message = match error {
        ExecutionError::NoSuchKey(key) => format!("the map has no key `{key}`"),
        ExecutionError::UndeclaredReference(name) => format!("unknown member `{name}` of the data"),
        ExecutionError::NoSuchOverload(overload) => overload.to_string(),
        ExecutionError::ValuesNotComparable(left, right) => {
            format!("the types {} and {} cannot be ordered", type_of(left), type_of(right))
        }
        ExecutionError::UnsupportedBinaryOperator(operator, left, right) => {
            format!("`{}` is not defined for the types {} and {}", sign(operator), type_of(left), type_of(right))
        }
        ExecutionError::UnexpectedType { got, want } => format!("expected {want}, found {got}"),
        ExecutionError::UnsupportedTargetType { target } => format!("invalid use of the type {}", type_of(target)),
        ExecutionError::NotSupportedAsMethod { method, target } => {
            format!("the type {} has no function `{method}`", type_of(target))
        }
        ExecutionError::UnsupportedKeyType(key) => format!("the type {} is not allowed as a key", type_of(key)),
        ExecutionError::UnsupportedIndex(index, of) => {
            format!("the type {} cannot be indexed by the type {}", type_of(of), type_of(index))
        }
        ExecutionError::DivisionByZero(_) => "the right side of `/` is zero".to_owned(),
        ExecutionError::RemainderByZero(_) => "the right side of `%` is zero".to_owned(),
        ExecutionError::Overflow(operator, ..) => format!("the result of `{}` is too large", sign(operator)),
        ExecutionError::IndexOutOfBounds(index) => match index {
            cel::Value::Int(index) => format!("index {index} is out of bounds"),
            _ => "the index is out of bounds".to_owned(),
        },
        ExecutionError::DuplicateKey(_) => "duplicate key in a map".to_owned(),
        other => other.to_string(),
    };
    if let Some((at, _)) = message.char_indices().nth(LONGEST) {
        message.truncate(at);
        message.push('…');
    }
    jq::Error::message(message)
}

/// Returns the name of a type in CEL.
fn type_of(value: &cel::Value) -> String {
    match value.type_of() {
        ValueType::Float => "double".to_owned(),
        other => other.to_string(),
    }
}

/// Returns the sign of an operator from its name in the library.
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
