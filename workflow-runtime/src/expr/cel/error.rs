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
    jq::Error::message(format!("a condition must be true or false, and is of the type {found}"))
}

/// Returns the error of a failed evaluation.
#[cold]
pub(super) fn evaluation(error: &ExecutionError) -> jq::Error {
    let mut message = match error {
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
