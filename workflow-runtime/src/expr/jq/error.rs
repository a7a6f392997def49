//! What a program raises, in jq's words.

use std::fmt;

use super::text;
use crate::fault::{Fault, names};
use crate::value::{EXCERPT, Value};

/// How an evaluation ends, if not with a value.
pub type Result<T = Value> = std::result::Result<T, Error>;

/// Why an evaluation ended without a value.
///
/// Kept behind a pointer, so that a [`Result`] is as small as a [`Value`].
pub struct Error(Box<Kind>);

enum Kind {
    /// `error(value)`, or what a function makes of input that it is not for.
    Raised(Value),
    /// `break` on its way to its label.
    Break(u32),
    /// The budget of what this names is used up.
    Exceeded(&'static str),
}

impl Error {
    /// `error(value)`.
    #[cold]
    pub fn raised(value: Value) -> Error {
        Error(Box::new(Kind::Raised(value)))
    }

    /// An error with a message.
    #[cold]
    pub fn message(text: impl Into<Value>) -> Error {
        Error::raised(text.into())
    }

    /// `break`, to the label of this number.
    #[cold]
    pub fn break_to(label: u32) -> Error {
        Error(Box::new(Kind::Break(label)))
    }

    /// The budget of `what` is used up. Nothing catches it but the end of the evaluation.
    #[cold]
    pub(super) fn exceeded(what: &'static str) -> Error {
        Error(Box::new(Kind::Exceeded(what)))
    }

    /// Whether it is a `break` to the label of this number.
    pub fn is_break_to(&self, label: u32) -> bool {
        matches!(*self.0, Kind::Break(to) if to == label)
    }

    /// What `catch` is given; what cannot be caught goes on.
    pub fn caught(self) -> Result<Value> {
        match *self.0 {
            Kind::Raised(value) => Ok(value),
            _ => Err(self),
        }
    }
}

/// The message is the cause; a value that was raised and is none, is the cause itself.
impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        match *error.0 {
            // A message is cut where it becomes the cause.
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

/// A value as messages tell it: its kind, and the beginning of its text.
pub(super) fn told(value: &Value) -> String {
    format!("{} ({})", value.kind(), text::beginning(value))
}

/// `string ("x") cannot be …`.
#[cold]
pub fn type_error(value: &Value, what: &str) -> Error {
    Error::message(format!("{} {what}", told(value)))
}

/// `string ("x") and number (1) cannot be …`.
#[cold]
pub fn type_error2(left: &Value, right: &Value, what: &str) -> Error {
    Error::message(format!("{} and {} {what}", told(left), told(right)))
}

/// `.[]` of what has no elements.
#[cold]
pub fn cannot_iterate(value: &Value) -> Error {
    Error::message(format!("Cannot iterate over {}", told(value)))
}

/// `.[key]` of what has no such keys.
#[cold]
pub fn cannot_index(value: &Value, key: &Value) -> Error {
    Error::message(format!("Cannot index {} with {}", value.kind(), told(key)))
}

/// `{(key): …}` of what is no string.
#[cold]
pub fn not_a_key(key: &Value) -> Error {
    Error::message(format!("Cannot use {} as object key", told(key)))
}

/// `path(…)` of an expression that makes a value of its own.
#[cold]
pub fn not_a_path(result: &Value) -> Error {
    Error::message(format!("Invalid path expression with result {}", text::beginning(result)))
}

/// `path(… | .[key])`, where what comes before makes a value of its own.
#[cold]
pub fn not_a_path_to_index(value: &Value, key: &Value) -> Error {
    let (key, value) = (text::beginning(key), text::beginning(value));
    Error::message(format!("Invalid path expression near attempt to access element {key} of {value}"))
}

/// `path(… | .[])`, where what comes before makes a value of its own.
#[cold]
pub fn not_a_path_to_iterate(value: &Value) -> Error {
    let value = text::beginning(value);
    Error::message(format!("Invalid path expression near attempt to iterate through {value}"))
}
