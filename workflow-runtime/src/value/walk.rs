//! Traversal of nested values with an explicit stack.

use super::{Array, Object, Str, Value, object};

/// The rest of an array or object that has been entered.
pub(super) enum Open<'a> {
    Array(std::slice::Iter<'a, Value>),
    Object(object::Iter<'a>),
}

impl<'a> Open<'a> {
    pub(super) fn array(items: &'a Array) -> Open<'a> {
        Open::Array(items.iter())
    }

    pub(super) fn object(members: &'a Object) -> Open<'a> {
        Open::Object(members.iter())
    }

    /// Returns the number of elements or members that remain.
    pub(super) fn len(&self) -> usize {
        match self {
            Open::Array(rest) => rest.len(),
            Open::Object(rest) => rest.len(),
        }
    }

    /// Returns the next element, or the next member with its key.
    pub(super) fn next(&mut self) -> Option<(Option<&'a Str>, &'a Value)> {
        match self {
            Open::Array(rest) => rest.next().map(|value| (None, value)),
            Open::Object(rest) => rest.next().map(|(key, value)| (Some(key), value)),
        }
    }
}
