//! Values that fields select, with the text of their paths for messages.

use super::absence::{follow, follow_steps, missing_path, require_path};
use super::place::{At, ReferencePath};
use crate::fault::Fault;
use crate::value::Value;
use std::fmt;

/// The value that a field selects, if there is one, and the text of the field.
#[derive(Clone, Copy)]
pub struct Selection<'a> {
    /// The value.
    pub(super) found: Option<&'a Value>,
    /// The value that the path starts from.
    base: &'a Value,
    path: Written,
}

/// The text of a path or another expression.
#[derive(Clone, Copy)]
pub(super) enum Written {
    /// A path of these names.
    Names(&'static [&'static str]),
    /// A path of these steps.
    Steps(&'static [At]),
    /// Any other text. The steps of a path explain why it selects nothing.
    Text(&'static str, &'static [At]),
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Written::Names(names) => write!(f, "$.{}", names.join(".")),
            Written::Steps(steps) => ReferencePath(steps).fmt(f),
            Written::Text(text, _) => f.write_str(text),
        }
    }
}

impl<'a> Selection<'a> {
    /// Returns the text of the path.
    pub(super) fn path(&self) -> Written {
        self.path
    }

    /// Returns the value, or the fault of [`require_path`].
    pub(super) fn required(&self) -> Result<&'a Value, Fault> {
        match self.path {
            Written::Names(names) => self
                .found
                .ok_or_else(|| missing_path(self.base, &names.iter().map(|name| At::Key(name)).collect::<Vec<_>>())),
            Written::Steps(steps) => self.found.ok_or_else(|| missing_path(self.base, steps)),
            Written::Text(text, steps) => require_path(self.found, self.base, text, steps),
        }
    }
}

/// Selects the value at a path of names.
pub fn at<'a>(document: &'a Value, names: &'static [&'static str]) -> Selection<'a> {
    Selection { found: follow(document, names), base: document, path: Written::Names(names) }
}

/// Selects the value at any other definite path from the document.
pub fn at_steps<'a>(document: &'a Value, steps: &'static [At]) -> Selection<'a> {
    Selection { found: follow_steps(document, steps), base: document, path: Written::Steps(steps) }
}

/// Returns what any other path has found, from the value that it starts from. The steps are those
/// of its definite beginning.
pub fn selected<'a>(
    found: Option<&'a Value>,
    base: &'a Value,
    path: &'static str,
    steps: &'static [At],
) -> Selection<'a> {
    Selection { found, base, path: Written::Text(path, steps) }
}

/// Returns a value that is always present (an intrinsic function, a placeholder, `$`, an
/// indefinite path), with its text for messages.
pub fn computed<'a>(value: &'a Value, text: &'static str) -> Selection<'a> {
    Selection { found: Some(value), base: value, path: Written::Text(text, &[]) }
}
