//! Errors that a program raises, with jq's messages.

use std::fmt;

use super::text;
use crate::fault::{Fault, names};
use crate::value::{EXCERPT, Value};

/// The result of an evaluation.
pub type Result<T = Value> = std::result::Result<T, Error>;

/// The reason why an evaluation ended without a value.
///
/// The reason is boxed, so that a [`Result`] is as small as a [`Value`].
pub struct Error(Box<Kind>);

enum Kind {
    /// An error raised by `error(value)`, or by a function for an invalid input.
    Raised(Value),
    /// A `break` that has not reached its label.
    Break(u32),
    /// The exhausted budget of this name.
    Exceeded(&'static str),
}

impl Error {
    /// Returns the error that `error(value)` raises.
    #[cold]
    pub fn raised(value: Value) -> Error {
        Error(Box::new(Kind::Raised(value)))
    }

    /// Returns an error with a message.
    #[cold]
    pub fn message(text: impl Into<Value>) -> Error {
        Error::raised(text.into())
    }

    /// Returns a `break` to the label of this number.
    #[cold]
    pub fn break_to(label: u32) -> Error {
        Error(Box::new(Kind::Break(label)))
    }

    /// Returns the error of an exhausted budget. Only the end of the evaluation catches it.
    #[cold]
    pub(super) fn exceeded(what: &'static str) -> Error {
        Error(Box::new(Kind::Exceeded(what)))
    }

    /// Returns `true` for a `break` to the label of this number.
    pub fn is_break_to(&self, label: u32) -> bool {
        matches!(*self.0, Kind::Break(to) if to == label)
    }

    /// Returns the value for `catch`, or the error itself if it cannot be caught.
    pub fn caught(self) -> Result<Value> {
        match *self.0 {
            Kind::Raised(value) => Ok(value),
            _ => Err(self),
        }
    }
}

/// The message of the error becomes the cause. A raised value that is not a message becomes the
/// cause itself.
impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        match *error.0 {
            // A message is shortened when it becomes the cause.
            Kind::Raised(value) => Fault::evaluation(names::QUERY_EVALUATION_ERROR, super::finish(value)),
            _ => Fault::evaluation(names::QUERY_EVALUATION_ERROR, error.to_string()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Kind::Raised(Value::String(message)) => f.write_str(message),
            Kind::Raised(value) => write!(f, "{} (not a string)", value.excerpt(EXCERPT)),
            Kind::Break(_) => f.write_str("break"),
            Kind::Exceeded(what) => write!(f, "the expression used up its budget of {what}"),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Error").field(&self.to_string()).finish()
    }
}

/// Describes a value for a message: its type, and the beginning of its text.
pub(super) fn describe(value: &Value) -> String {
    format!("{} ({})", value.kind(), text::beginning(value))
}

/// Returns the error `string ("x") cannot be …`.
#[cold]
pub fn type_error(value: &Value, what: &str) -> Error {
    Error::message(format!("{} {what}", describe(value)))
}

/// Returns the error `string ("x") and number (1) cannot be …`.
#[cold]
pub fn type_error2(left: &Value, right: &Value, what: &str) -> Error {
    Error::message(format!("{} and {} {what}", describe(left), describe(right)))
}

/// Returns the error of `.[]` for a value without elements.
#[cold]
pub fn cannot_iterate(value: &Value) -> Error {
    Error::message(format!("Cannot iterate over {}", describe(value)))
}

/// Returns the error of `.[key]` for a value without keys of this type.
#[cold]
pub fn cannot_index(value: &Value, key: &Value) -> Error {
    Error::message(format!("Cannot index {} with {}", value.kind(), describe(key)))
}

/// Returns the error of `{(key): …}` for a key that is not a string.
#[cold]
pub fn not_a_key(key: &Value) -> Error {
    Error::message(format!("Cannot use {} as object key", describe(key)))
}

/// Returns the error of `path(…)` for an expression that constructs a value.
#[cold]
pub fn not_a_path(result: &Value) -> Error {
    Error::message(format!("Invalid path expression with result {}", text::beginning(result)))
}

/// Returns the error of `path(… | .[key])` after an expression that constructs a value.
#[cold]
pub fn not_a_path_to_index(value: &Value, key: &Value) -> Error {
    let (key, value) = (text::beginning(key), text::beginning(value));
    Error::message(format!("Invalid path expression near attempt to access element {key} of {value}"))
}

/// Returns the error of `path(… | .[])` after an expression that constructs a value.
#[cold]
pub fn not_a_path_to_iterate(value: &Value) -> Error {
    let value = text::beginning(value);
    Error::message(format!("Invalid path expression near attempt to iterate through {value}"))
}
