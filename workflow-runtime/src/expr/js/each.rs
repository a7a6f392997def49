//! Loops over elements and keys. A loop sees the changes that its iterations make to the array or
//! object (ECMA-262 §23.1.5.1, §14.7.5.9).

use std::vec::IntoIter;

use super::object::Obj;
use super::{Js, Result, literal, property};
use crate::value::Str;

/// The iterator of `for (x of value)`.
pub struct Each(Source);

enum Source {
    /// An array, whose length is read for each element.
    Array(Obj, usize),
    /// Values that cannot change during the loop.
    List(IntoIter<Js>),
}

/// Implements `for (x of value)`.
pub fn each(value: &Js) -> Result<Each> {
    Ok(Each(match value {
        Js::Object(object) if object.is_array() => Source::Array(object.clone(), 0),
        other => Source::List(literal::iterate(other)?.into_iter()),
    }))
}

impl Iterator for Each {
    type Item = Js;

    fn next(&mut self) -> Option<Js> {
        match &mut self.0 {
            Source::Array(array, next) => {
                let item = array.item(*next)?;
                *next += 1;
                Some(item)
            }
            Source::List(list) => list.next(),
        }
    }
}

/// The iterator of `for (key in value)`: the keys at the start of the loop, without keys that are
/// removed before their iteration.
pub struct EachKey {
    object: Option<Obj>,
    keys: IntoIter<Str>,
}

/// Implements `for (key in value)`.
pub fn each_key(value: &Js) -> EachKey {
    EachKey { object: value.as_object().cloned(), keys: property::keys(value).into_iter() }
}

impl Iterator for EachKey {
    type Item = Str;

    fn next(&mut self) -> Option<Str> {
        let object = &self.object;
        self.keys.find(|key| object.as_ref().is_none_or(|object| property::has_own(object, key)))
    }
}
