//! The members of an object, in the order they were inserted.

use std::collections::HashMap;
use std::mem;

use super::length::{Length, bound_of_part, bound_of_text};
use super::{Str, Value, release};
use crate::growth;

/// The largest number of members that are searched one by one. Larger objects have an index.
///
/// Measured (`benches/value.rs`) with keys of one length that differ at the end only, in ns per
/// lookup, per copy of the object and per build of it:
///
/// | members | one by one: lookup | copy | build | index: lookup | copy | build |
/// |---|---|---|---|---|---|---|
/// | 8 | 8 | 89 | 237 | 17 | – | – |
/// | 16 | 11 | 156 | 475 | 17 | – | – |
/// | 24 | 13 | 239 | 757 | 18 | 454 | 1,420 |
/// | 32 | 16 | 308 | 1,045 | 18 | 570 | 2,640 |
/// | 64 | – | – | – | 18 | 1,100 | 4,920 |
const LINEAR: usize = 32;

/// The members of an object, in the order they were inserted. Keys are distinct.
///
/// ```
/// use workflow_runtime::Object;
///
/// let mut order = Object::new();
/// order.insert("id", 7);
/// order.insert("customer", "Ada");
/// assert_eq!(order.get("id"), Some(&7.into()));
/// assert_eq!(order.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["id", "customer"]);
/// ```
#[derive(Default)]
pub struct Object {
    members: Vec<(Str, Value)>,
    /// The positions of the keys, if the object is large. Hashed with a random seed: keys come
    /// from outside.
    index: Option<Box<Index>>,
    /// The length of its JSON text. Every way to change the members forgets it, or adds to it.
    pub(super) length: Length,
}

/// Copies the members, with places for two more: most copies are made to add members.
impl Clone for Object {
    fn clone(&self) -> Object {
        let mut members = Vec::with_capacity(self.members.len() + 2);
        members.extend_from_slice(&self.members);
        Object { members, index: self.index.clone(), length: self.length.clone() }
    }
}

/// Returns `true` if a member has this name. Keys of the same length often start alike and end
/// differently, so that the ends are compared first. Short keys are compared without a call.
#[inline(always)]
fn is_key(name: &str, key: &str) -> bool {
    if name.len() != key.len() {
        return false;
    }
    let (name, key) = (name.as_bytes(), key.as_bytes());
    if let (Some(name_end), Some(key_end)) = (name.last_chunk::<8>(), key.last_chunk::<8>()) {
        return name_end == key_end && (name.len() == 8 || is_longer_key(name, key));
    }
    if let (Some(name_end), Some(key_end)) = (name.last_chunk::<4>(), key.last_chunk::<4>()) {
        return name_end == key_end && name.first_chunk::<4>() == key.first_chunk::<4>();
    }
    name.last() == key.last() && name.first() == key.first() && name.get(1) == key.get(1)
}

/// Compares keys of more than eight bytes, of which the last eight are equal.
#[inline]
fn is_longer_key(name: &[u8], key: &[u8]) -> bool {
    // Equal constants of a program often have one address.
    std::ptr::eq(name.as_ptr(), key.as_ptr())
        || name.first_chunk::<8>() == key.first_chunk::<8>() && (name.len() <= 16 || name == key)
}

#[derive(Clone)]
struct Index(HashMap<Str, usize>);

impl Index {
    #[inline(never)]
    fn position(&self, key: &str) -> Option<usize> {
        self.0.get(key).copied()
    }
}

impl Object {
    /// Creates an object without members.
    pub const fn new() -> Object {
        Object { members: Vec::new(), index: None, length: Length::new() }
    }

    /// Creates an object without members, with capacity for some.
    pub fn with_capacity(capacity: usize) -> Object {
        Object { members: Vec::with_capacity(capacity), index: None, length: Length::new() }
    }

    /// Creates an object of members with distinct keys. The caller makes sure of that: a release
    /// build checks nothing.
    #[doc(hidden)]
    pub fn from_distinct(members: Vec<(Str, Value)>) -> Object {
        let mut object = Object { members, index: None, length: Length::new() };
        object.build_index_if_wide();
        debug_assert!(
            object.keys().enumerate().all(|(at, key)| object.position(key) == Some(at)),
            "duplicate key in an object"
        );
        object
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns `true` if there are no members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Returns the value of a member.
    #[inline]
    pub fn get(&self, key: &str) -> Option<&Value> {
        // As `position`, without the check of the bounds.
        match &self.index {
            None => self.members.iter().find(|(name, _)| is_key(name, key)).map(|(_, value)| value),
            Some(index) => Some(&self.members[index.position(key)?].1),
        }
    }

    /// Returns the value of a member for modification.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        let position = self.position(key)?;
        self.length.forget();
        Some(&mut self.members[position].1)
    }

    /// Returns `true` if the member exists.
    pub fn contains_key(&self, key: &str) -> bool {
        self.position(key).is_some()
    }

    /// Returns the member at a position.
    pub fn get_index(&self, position: usize) -> Option<(&Str, &Value)> {
        self.members.get(position).map(|(key, value)| (key, value))
    }

    /// Returns the position of a member.
    // Inlined, so that comparisons with a constant key compare constants.
    #[inline]
    pub fn position(&self, key: &str) -> Option<usize> {
        match &self.index {
            None => self.members.iter().position(|(name, _)| is_key(name, key)),
            Some(index) => index.position(key),
        }
    }

    /// Sets a member and returns its previous value. An existing member keeps its position, and a
    /// new member becomes the last.
    pub fn insert(&mut self, key: impl AsRef<str> + Into<Str>, value: impl Into<Value>) -> Option<Value> {
        let value = value.into();
        match self.position(key.as_ref()) {
            Some(position) => {
                self.length.grow(|| bound_of_part(&value));
                Some(mem::replace(&mut self.members[position].1, value))
            }
            None => {
                self.push(key.into(), value);
                None
            }
        }
    }

    /// Returns the value of a member for modification. A missing member is added at the end, as
    /// null.
    pub fn entry(&mut self, key: impl AsRef<str> + Into<Str>) -> &mut Value {
        let position = match self.position(key.as_ref()) {
            Some(position) => position,
            None => self.push(key.into(), Value::Null),
        };
        self.length.forget();
        &mut self.members[position].1
    }

    /// Removes a member. The others keep their order.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let position = self.position(key)?;
        self.length.forget();
        let (key, value) = self.members.remove(position);
        if let Some(index) = &mut self.index {
            index.0.remove(&key);
            for other in index.0.values_mut().filter(|other| **other > position) {
                *other -= 1;
            }
        }
        Some(value)
    }

    /// Removes the members for which the function returns `false`.
    pub fn retain(&mut self, mut keep: impl FnMut(&Str, &mut Value) -> bool) {
        self.length.forget();
        self.members.retain_mut(|(key, value)| keep(key, value));
        self.index = None;
        self.build_index_if_wide();
    }

    /// Returns the members, in order.
    pub fn iter(&self) -> Iter<'_> {
        self.members.iter().map(|(key, value)| (key, value))
    }

    /// Returns the keys, in the order of the members.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Str> + ExactSizeIterator {
        self.members.iter().map(|(key, _)| key)
    }

    /// Returns the values, in the order of the members.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Value> + ExactSizeIterator {
        self.members.iter().map(|(_, value)| value)
    }

    /// Returns the values for modification, in the order of the members.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Value> + ExactSizeIterator {
        self.length.forget();
        self.members.iter_mut().map(|(_, value)| value)
    }

    /// Returns the members.
    pub(super) fn into_members(mut self) -> Vec<(Str, Value)> {
        mem::take(&mut self.members)
    }

    /// Appends a member whose key is new, and returns its position.
    pub(super) fn push(&mut self, key: Str, value: Value) -> usize {
        self.length.grow(|| Some(bound_of_part(&value)?.saturating_add(bound_of_text(&key))));
        let position = self.members.len();
        if position >= LINEAR || self.index.is_some() {
            return self.push_to_index(key, value);
        }
        if position == self.members.capacity() {
            growth::enlarge(&mut self.members, (2 * position).max(4));
        }
        self.members.push((key, value));
        position
    }

    /// Appends a member to an object that has an index, or has one from now on.
    #[cold]
    fn push_to_index(&mut self, key: Str, value: Value) -> usize {
        let position = self.members.len();
        if let Some(index) = &mut self.index {
            index.0.insert(key.clone(), position);
        }
        self.members.push((key, value));
        self.build_index_if_wide();
        position
    }

    #[inline]
    fn build_index_if_wide(&mut self) {
        if self.members.len() > LINEAR && self.index.is_none() {
            self.build_index();
        }
    }

    #[cold]
    fn build_index(&mut self) {
        let positions = self.members.iter().enumerate().map(|(position, (key, _))| (key.clone(), position));
        self.index = Some(Box::new(Index(positions.collect())));
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        release::parts(&mut self.members, |(_, value)| value, |(_, value)| value);
    }
}

/// The last of several members with the same key counts. It gets the position of the first.
impl FromIterator<(Str, Value)> for Object {
    fn from_iter<I: IntoIterator<Item = (Str, Value)>>(members: I) -> Object {
        let mut object = Object::new();
        object.extend(members);
        object
    }
}

impl Extend<(Str, Value)> for Object {
    fn extend<I: IntoIterator<Item = (Str, Value)>>(&mut self, members: I) {
        let members = members.into_iter();
        self.members.reserve(members.size_hint().0);
        for (key, value) in members {
            self.insert(key, value);
        }
    }
}

/// The iterator over the members of an object, in order.
pub type Iter<'a> = std::iter::Map<std::slice::Iter<'a, (Str, Value)>, fn(&'a (Str, Value)) -> (&'a Str, &'a Value)>;

impl<'a> IntoIterator for &'a Object {
    type Item = (&'a Str, &'a Value);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl IntoIterator for Object {
    type Item = (Str, Value);
    type IntoIter = std::vec::IntoIter<(Str, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_members().into_iter()
    }
}
