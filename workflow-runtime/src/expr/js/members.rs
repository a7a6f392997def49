//! The members of an object some of which are not JSON.

use std::collections::HashMap;

use super::Js;
use crate::value::{Object, Str, Value};

/// Up to how many members a key is searched for one by one, as in [`Object`].
const LINEAR: usize = 32;

/// What a member or an element holds.
#[derive(Clone)]
pub(super) enum Slot {
    /// JSON that nothing has looked into yet.
    Json(Value),
    /// Anything.
    Js(Js),
}

impl Slot {
    /// The value. JSON that has an identity becomes an object here, once.
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

    /// The value, without giving it an identity: for tests of its kind.
    pub(super) fn is_nested(&self) -> bool {
        matches!(self, Slot::Json(Value::Array(_) | Value::Object(_)) | Slot::Js(Js::Object(_)))
    }
}

impl From<Js> for Slot {
    fn from(value: Js) -> Slot {
        Slot::Js(value)
    }
}

/// Members in the order in which they were made. No two have the same key.
#[derive(Clone, Default)]
pub(super) struct Members {
    slots: Vec<(Str, Slot)>,
    /// Where each key is, if there are many. Hashed with a random seed: keys come from outside.
    index: Option<Box<Index>>,
}

#[derive(Clone)]
struct Index(HashMap<Str, usize>);

impl Members {
    /// The members of a JSON object.
    pub(super) fn of_json(object: Object) -> Members {
        let slots = object.into_iter().map(|(key, value)| (key, Slot::Json(value))).collect();
        let mut members = Members { slots, index: None };
        members.build_index_if_wide();
        members
    }

    pub(super) fn with_capacity(capacity: usize) -> Members {
        Members { slots: Vec::with_capacity(capacity), index: None }
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

    /// Sets a member; returns what it was.
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

    /// Sets the member at a position that there is.
    pub(super) fn replace(&mut self, position: usize, slot: Slot) {
        self.slots[position].1 = slot;
    }

    /// Takes a member out; the others keep their order.
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

/// The keys in the order in which JavaScript enumerates them (ECMA-262 §10.1.11.1): array indices first, by number.
pub(super) fn ordered<'a>(keys: impl Iterator<Item = &'a Str>) -> Vec<Str> {
    let mut keys: Vec<Str> = keys.cloned().collect();
    // Nearly always there is none, and a digit in front tells.
    if keys.iter().any(|key| key.as_bytes().first().is_some_and(u8::is_ascii_digit)) {
        // Stable: what is no index stays in order, behind the indices.
        keys.sort_by_key(|key| array_index(key).map_or((true, 0), |index| (false, index)));
    }
    keys
}

/// The position that a key stands for: the digits of a number below 2^32 - 1, without leading zeros.
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
