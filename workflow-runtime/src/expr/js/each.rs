//! Loops over elements and keys. They see what their turns do to what they go through (ECMA-262 §23.1.5.1, §14.7.5.9).

use std::vec::IntoIter;

use super::object::Obj;
use super::{Js, Result, literal, property};
use crate::value::Str;

/// What `for (x of value)` goes through.
pub struct Each(From);

enum From {
    /// An array, as long as it is when the next element is asked for.
    Array(Obj, usize),
    /// What cannot change.
    List(IntoIter<Js>),
}

/// `for (x of value)`
pub fn each(value: &Js) -> Result<Each> {
    Ok(Each(match value {
        Js::Object(object) if object.is_array() => From::Array(object.clone(), 0),
        other => From::List(literal::iterate(other)?.into_iter()),
    }))
}

impl Iterator for Each {
    type Item = Js;

    fn next(&mut self) -> Option<Js> {
        match &mut self.0 {
            From::Array(array, next) => {
                let item = array.item(*next)?;
                *next += 1;
                Some(item)
            }
            From::List(list) => list.next(),
        }
    }
}

/// What `for (key in value)` goes through: the keys that were there when it began, but for those that are gone by then.
pub struct EachKey {
    object: Option<Obj>,
    keys: IntoIter<Str>,
}

/// `for (key in value)`
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
