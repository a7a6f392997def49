//! The elements of an array.

use std::mem;
use std::ops::{Deref, DerefMut};

use super::{Value, release};

/// The elements of an array: a `Vec<Value>` that is dropped without recursion, however deep it is
/// nested.
#[derive(Clone, Default)]
pub struct Array(Vec<Value>);

impl Array {
    /// Creates an array without elements.
    pub const fn new() -> Array {
        Array(Vec::new())
    }

    /// Returns the elements.
    pub fn into_vec(mut self) -> Vec<Value> {
        mem::take(&mut self.0)
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        release::parts(&mut self.0, |item| item, |item| item);
    }
}

impl Deref for Array {
    type Target = Vec<Value>;

    fn deref(&self) -> &Vec<Value> {
        &self.0
    }
}

impl DerefMut for Array {
    fn deref_mut(&mut self) -> &mut Vec<Value> {
        &mut self.0
    }
}

impl From<Vec<Value>> for Array {
    fn from(items: Vec<Value>) -> Array {
        Array(items)
    }
}

impl FromIterator<Value> for Array {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Array {
        Array(items.into_iter().collect())
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
        self.0.iter()
    }
}
