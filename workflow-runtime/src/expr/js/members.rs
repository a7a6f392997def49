//! The members of an object that can hold values other than JSON.

use std::collections::HashMap;

use super::Js;
use crate::value::{Object, Str, Value};

/// The maximum number of members for a linear search, as in [`Object`].
const LINEAR: usize = 32;

/// The content of a member or an element.
#[derive(Clone)]
pub(super) enum Slot {
    /// JSON that was never read.
    Json(Value),
    /// Any value.
    Js(Js),
}

impl Slot {
    /// Returns the value. Nested JSON becomes an object with an identity here, once.
    pub(super) fn read(&mut self) -> Js {
        match self {
            Slot::Js(value) => value.clone(),
            Slot::Json(json) => match Js::of_scalar(json) {
                Some(scalar) => scalar,
                None => {
                    let value = Js::from(json.take());
                    *self = Slot::Js(value.clone());
                    value
                }
            },
        }
    }

    /// Returns `true` for an array or object, without giving it an identity.
    pub(super) fn is_nested(&self) -> bool {
        matches!(self, Slot::Json(Value::Array(_) | Value::Object(_)) | Slot::Js(Js::Object(_)))
    }
}

impl From<Js> for Slot {
    fn from(value: Js) -> Slot {
        Slot::Js(value)
    }
}

/// MemberTable in insertion order with unique keys.
#[derive(Clone, Default)]
pub(super) struct MemberTable {
    slots: Vec<(Str, Slot)>,
    /// The positions of the keys if there are many members. The hash is randomly seeded, because
    /// keys can come from outside.
    index: Option<Box<Index>>,
}

#[derive(Clone)]
struct Index(HashMap<Str, usize>);

impl MemberTable {
    /// Returns the members of a JSON object.
    pub(super) fn of_json(object: Object) -> MemberTable {
        let slots = object.into_iter().map(|(key, value)| (key, Slot::Json(value))).collect();
        let mut members = MemberTable { slots, index: None };
        members.build_index_if_wide();
        members
    }

    pub(super) fn with_capacity(capacity: usize) -> MemberTable {
        MemberTable { slots: Vec::with_capacity(capacity), index: None }
    }

    pub(super) fn position(&self, key: &str) -> Option<usize> {
        match &self.index {
            None => self.slots.iter().position(|(name, _)| name.as_str() == key),
            Some(index) => index.0.get(key).copied(),
        }
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Slot> {
        let position = self.position(key)?;
        Some(&mut self.slots[position].1)
    }

    /// Sets a member. Returns its previous content.
    pub(super) fn insert(&mut self, key: Str, slot: Slot) -> Option<Slot> {
        if let Some(position) = self.position(&key) {
            return Some(std::mem::replace(&mut self.slots[position].1, slot));
        }
        if let Some(index) = &mut self.index {
            index.0.insert(key.clone(), self.slots.len());
        }
        self.slots.push((key, slot));
        self.build_index_if_wide();
        None
    }

    /// Sets the member at an existing position.
    pub(super) fn replace(&mut self, position: usize, slot: Slot) {
        self.slots[position].1 = slot;
    }

    /// Removes a member. The others keep their order.
    pub(super) fn remove(&mut self, key: &str) -> Option<Slot> {
        let position = self.position(key)?;
        let (key, slot) = self.slots.remove(position);
        if let Some(index) = &mut self.index {
            index.0.remove(&key);
            for other in index.0.values_mut().filter(|other| **other > position) {
                *other -= 1;
            }
        }
        Some(slot)
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &Str> {
        self.slots.iter().map(|(key, _)| key)
    }

    fn build_index_if_wide(&mut self) {
        if self.slots.len() > LINEAR && self.index.is_none() {
            let positions = self.slots.iter().enumerate().map(|(position, (key, _))| (key.clone(), position));
            self.index = Some(Box::new(Index(positions.collect())));
        }
    }
}

/// Returns the keys in JavaScript's enumeration order (ECMA-262 §10.1.11.1): array indices first,
/// in ascending order.
pub(super) fn ordered<'a>(keys: impl Iterator<Item = &'a Str>) -> Vec<Str> {
    let mut keys: Vec<Str> = keys.cloned().collect();
    // Objects rarely have index keys, and the first character rules most keys out.
    if keys.iter().any(|key| key.as_bytes().first().is_some_and(u8::is_ascii_digit)) {
        // The sort is stable: keys that are not indices keep their order after the indices.
        keys.sort_by_key(|key| array_index(key).map_or((true, 0), |index| (false, index)));
    }
    keys
}

/// Returns the array index of a key: the digits of a number below 2^32 - 1, without leading zeros.
pub(super) fn array_index(key: &str) -> Option<u32> {
    let bytes = key.as_bytes();
    if bytes.len() > 10 || !bytes.first()?.is_ascii_digit() || (bytes[0] == b'0' && bytes.len() > 1) {
        return None;
    }
    if !bytes.iter().all(u8::is_ascii_digit) {
        return None;
    }
    key.parse().ok().filter(|index| *index < u32::MAX)
}
