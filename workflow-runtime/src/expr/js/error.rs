//! Thrown values and error objects (ECMA-262 §20.5).

use super::object::{ErrorData, Obj, Special};
use super::{Js, Result, Throw, text};
use crate::value::Str;
use crate::value::text::shortened;

/// The text of an error up to this length, in bytes, is not counted.
const SHORT: usize = 1024;

/// Creates an error of a class: `Error`, `TypeError`, … Its `stack` starts with at most 64 KiB of
/// the message.
pub(super) fn make(kind: &'static str, message: Option<Js>, cause: Option<Js>) -> Js {
    let head = match &message {
        Some(Js::String(text)) if !text.is_empty() => format!("{kind}: {}", shortened(text)),
        _ => kind.to_owned(),
    };
    let stack = Js::from(format!("{head}\n    at <function>"));
    Js::Object(Obj::special(Special::Error(ErrorData { kind, message, cause, stack })))
}

fn throw(kind: &'static str, message: impl Into<Str>) -> Throw {
    let message = message.into();
    super::budget::spend(message.len());
    Throw::Value(make(kind, Some(Js::String(message)), None))
}

/// Returns a thrown TypeError.
#[cold]
pub fn type_error(message: impl Into<Str>) -> Throw {
    throw("TypeError", message)
}

/// Returns a thrown RangeError.
#[cold]
pub fn range_error(message: impl Into<Str>) -> Throw {
    throw("RangeError", message)
}

/// Returns a thrown SyntaxError.
#[cold]
pub fn syntax_error(message: impl Into<Str>) -> Throw {
    throw("SyntaxError", message)
}

/// Returns a thrown URIError.
#[cold]
pub(super) fn uri_error(message: impl Into<Str>) -> Throw {
    throw("URIError", message)
}

/// Returns the error of a name that is not in scope.
#[cold]
pub fn reference_error(name: &str) -> Throw {
    throw("ReferenceError", format!("{name} is not defined"))
}

/// Returns the error of an assignment to a constant.
#[cold]
pub fn constant_assignment(_name: &str) -> Throw {
    type_error("Assignment to constant variable.")
}

/// Returns the error of a call of a value that is not a function.
#[cold]
pub(super) fn not_a_function(text: &str) -> Throw {
    type_error(format!("{text} is not a function"))
}

/// Describes a value for a message.
pub(super) fn describe(value: &Js) -> String {
    match value {
        Js::String(text) => format!("\"{}\"", shortened(text)),
        Js::Object(object) => match object.special_part() {
            Some(Special::Function(function)) => format!("function {}", function.name),
            Some(Special::Error(_)) => {
                text_of(value).map_or_else(|_| String::from("an error"), |text| shortened(&text).into_owned())
            }
            _ => String::from("#<Object>"),
        },
        other => super::coerce::string(other).map_or_else(|_| String::new(), |text| text.to_string()),
    }
}

/// Implements `Error.prototype.toString` (§20.5.3.4) for any object.
pub(super) fn text_of(error: &Js) -> Result<Str> {
    let part = |key: &str, default: &'static str| match super::property::get(error, key)? {
        Js::Undefined => Ok(Str::from_static(default)),
        value => super::coerce::string(&value),
    };
    let name = part("name", "Error")?;
    let message = part("message", "")?;
    Ok(match (name.is_empty(), message.is_empty()) {
        (true, _) => message,
        (_, true) => name,
        _ => {
            let length = name.len() + 2 + message.len();
            // Short errors of the runtime itself must work even if the budget is exhausted.
            if length > SHORT {
                text::reserve(length)?;
            }
            format!("{}: {}", name.as_str(), message.as_str()).into()
        }
    })
}
