//! The elements of an array.

use std::mem;
use std::ops::{Deref, DerefMut};

use super::length::Length;
use super::{Value, release};

/// The elements of an array: a `Vec<Value>` that is dropped without recursion, however deep it is
/// nested.
///
/// ```
/// use workflow_runtime::{Array, Value};
///
/// let mut lines = Array::new();
/// lines.push("first".into());
/// lines.push(2.into());
/// assert_eq!(Value::from(lines).to_string(), r#"["first",2]"#);
/// ```
#[derive(Clone, Default)]
pub struct Array {
    items: Vec<Value>,
    /// The length of its JSON text. Every way to change the elements forgets it.
    pub(super) length: Length,
}

impl Array {
    /// Creates an array without elements.
    pub const fn new() -> Array {
        Array { items: Vec::new(), length: Length::new() }
    }

    /// Returns the elements.
    pub fn into_vec(mut self) -> Vec<Value> {
        mem::take(&mut self.items)
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        release::parts(&mut self.items, |item| item, |item| item);
    }
}

impl Deref for Array {
    type Target = Vec<Value>;

    fn deref(&self) -> &Vec<Value> {
        &self.items
    }
}

impl DerefMut for Array {
    fn deref_mut(&mut self) -> &mut Vec<Value> {
        self.length.forget();
        &mut self.items
    }
}

impl From<Vec<Value>> for Array {
    fn from(items: Vec<Value>) -> Array {
        Array { items, length: Length::new() }
    }
}

impl FromIterator<Value> for Array {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Array {
        Array::from(items.into_iter().collect::<Vec<Value>>())
    }
}

impl IntoIterator for Array {
    type Item = Value;
    type IntoIter = std::vec::IntoIter<Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<'a> IntoIterator for &'a Array {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}
