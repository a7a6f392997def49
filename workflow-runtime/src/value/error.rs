//! Errors of conversions between values and other data.

use std::fmt;

use serde_core::de::{self, Expected, Unexpected};
use serde_core::ser;

use super::Str;

/// An error of a conversion between values and other data, with its path.
///
/// ```
/// use std::collections::BTreeMap;
/// use workflow_runtime::value;
///
/// let order = value!({ "amounts": [2, "two"] });
/// let error = order.deserialize_into::<BTreeMap<String, Vec<u32>>>().unwrap_err();
/// assert_eq!(error.path(), "$.amounts[1]");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ValueError(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    message: String,
    /// The path, innermost step first. It grows while the error propagates.
    path: Vec<Step>,
}

#[derive(Clone, PartialEq, Eq)]
enum Step {
    Key(Str),
    Position(usize),
}

impl ValueError {
    pub(super) fn new(message: impl Into<String>) -> ValueError {
        ValueError(Box::new(Inner { message: message.into(), path: Vec::new() }))
    }

    /// Returns the error of nesting beyond the limit.
    pub(super) fn too_deep() -> ValueError {
        ValueError::new(TOO_DEEP)
    }

    /// Adds the key of the enclosing object to the path.
    pub(super) fn at_key(mut self, key: &str) -> ValueError {
        self.0.path.push(Step::Key(key.into()));
        self
    }

    /// Adds the position in the enclosing array to the path.
    pub(super) fn at_position(mut self, position: usize) -> ValueError {
        self.0.path.push(Step::Position(position));
        self
    }

    /// Returns the message, without the path.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the path, as JSONPath: `$.items[0].price`.
    pub fn path(&self) -> String {
        let mut path = String::from("$");
        for step in self.0.path.iter().rev() {
            path.push_str(&match step {
                Step::Position(position) => format!("[{position}]"),
                Step::Key(key) if is_name(key) => format!(".{key}"),
                Step::Key(key) => format!("['{}']", key.replace('\\', "\\\\").replace('\'', "\\'")),
            });
        }
        path
    }
}

/// The message for nesting beyond [`MAX_DEPTH`](super::MAX_DEPTH).
pub(super) const TOO_DEEP: &str = "arrays and objects are nested more than 127 levels deep";

fn is_name(key: &str) -> bool {
    !key.starts_with(|first: char| first.is_ascii_digit())
        && !key.is_empty()
        && key.chars().all(|char| char.is_alphanumeric() || char == '_')
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.path.is_empty() {
            true => f.write_str(self.message()),
            false => write!(f, "{} at `{}`", self.message(), self.path()),
        }
    }
}

impl fmt::Debug for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueError").field("message", &self.message()).field("path", &self.path()).finish()
    }
}

impl std::error::Error for ValueError {}

impl ser::Error for ValueError {
    fn custom<T: fmt::Display>(message: T) -> ValueError {
        ValueError::new(message.to_string())
    }
}

impl de::Error for ValueError {
    fn custom<T: fmt::Display>(message: T) -> ValueError {
        ValueError::new(message.to_string())
    }

    /// Returns a type error in the terms of JSON. The value is left out, because it may be
    /// confidential.
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> ValueError {
        let found = match found {
            Unexpected::Unit | Unexpected::Option => "null",
            Unexpected::Bool(_) => "a boolean",
            Unexpected::Signed(_) | Unexpected::Unsigned(_) => "a whole number",
            Unexpected::Float(_) => "a number with a fraction",
            Unexpected::Str(_) | Unexpected::Char(_) => "a string",
            Unexpected::Seq => "an array",
            Unexpected::Map => "an object",
            other => return ValueError::new(format!("expected {expected}, found {other}")),
        };
        ValueError::new(format!("expected {expected}, found {found}"))
    }
}
