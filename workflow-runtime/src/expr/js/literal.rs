//! Literals, spread and destructuring (ECMA-262 §13.2, §14.3.3).

use super::budget::charge;
use super::members::{MemberTable, Slot};
use super::object::{Obj, Special};
use super::{Js, Result, error, property, text};
use crate::value::{Object, Str};

/// Implements `{key: value, …}`. Of equal keys, the last value counts, at the position of the
/// first.
pub fn object<const N: usize>(members: [(&'static str, Js); N]) -> Js {
    if let Some(json) = json_object(&members) {
        return Js::Object(Obj::of_scalars(json));
    }
    let mut object = MemberTable::with_capacity(N);
    for (key, value) in members {
        object.insert(Str::from_static(key), value.into());
    }
    Js::Object(Obj::of_members(object))
}

/// Returns the members as JSON if all are scalars. Most literals are results, which become JSON
/// anyway.
fn json_object(members: &[(&'static str, Js)]) -> Option<Object> {
    if members.iter().any(|(_, value)| matches!(value, Js::Object(_) | Js::Undefined)) {
        return None;
    }
    let mut object = Object::with_capacity(members.len());
    for (key, value) in members {
        object.insert(Str::from_static(key), value.scalar()?);
    }
    Some(object)
}

/// Implements `[value, …]`.
pub fn array<const N: usize>(items: [Js; N]) -> Js {
    array_of(Vec::from(items))
}

/// Creates an array of these elements.
pub(super) fn array_of(items: Vec<Js>) -> Js {
    Js::Object(Obj::of_items(items.into_iter().map(Slot::Js).collect()))
}

/// Creates an object of these members, whose keys must be distinct.
pub(super) fn object_of(members: impl IntoIterator<Item = (Str, Slot)>) -> Js {
    let mut object = MemberTable::default();
    for (key, slot) in members {
        object.insert(key, slot);
    }
    Js::Object(Obj::of_members(object))
}

/// Implements `{...from}`: copies the enumerable properties into an object (§7.3.25).
pub fn spread_object(into: &Js, from: &Js) -> Result<()> {
    let Js::Object(into) = into else { return Ok(()) };
    for (key, slot) in copies(from)? {
        into.set_member(key, slot);
    }
    Ok(())
}

/// Returns the enumerable properties of a value, copied for another object.
pub(super) fn copies(from: &Js) -> Result<Vec<(Str, Slot)>> {
    let Js::Object(object) = from else {
        return property::keys(from)
            .into_iter()
            .map(|key| Ok((key.clone(), property::get(from, &key)?.into())))
            .collect();
    };
    charge(64 * object.len())?;
    Ok(match object.special_part() {
        _ if object.is_array() => {
            let positions = property::own_keys(object);
            positions.into_iter().zip(object.item_copies()).collect()
        }
        Some(Special::Buffer(_)) => {
            let keys = property::own_keys(object);
            keys.into_iter().filter_map(|key| Some((key.clone(), property::own(object, &key)?.into()))).collect()
        }
        _ => object.copies(),
    })
}

/// Implements `[...from]`: appends the values of an iteration.
pub fn spread_array(into: &Js, from: &Js) -> Result<()> {
    let Js::Object(into) = into else { return Ok(()) };
    let slots = match from {
        Js::Object(object) if object.is_array() => {
            charge(size_of::<Slot>() * object.len())?;
            object.item_copies()
        }
        _ => iterate(from)?.into_iter().map(Slot::Js).collect(),
    };
    into.edit(|items| items.extend(slots));
    Ok(())
}

/// Implements `{}` as a pattern: fails for undefined and null (§7.2.1).
pub fn require_object_coercible(value: &Js) -> Result<()> {
    match value.is_nullish() {
        true => Err(error::type_error(format!("Cannot destructure '{}'", error::describe(value)))),
        false => Ok(()),
    }
}

/// Implements `{a, b, ...rest}`: returns an object of the properties that are not named.
pub fn rest_of(object: &Js, named: &[&str]) -> Result {
    require_object_coercible(object)?;
    let rest = copies(object)?.into_iter().filter(|(key, _)| !named.contains(&key.as_str()));
    Ok(object_of(rest))
}

/// Implements `[a, b, ...rest]` for an array that [`iterate`] has made: returns the elements from
/// a position. Also used for rest parameters.
pub fn rest_from(items: &Js, from: usize) -> Js {
    let mut items = items.as_object().map(Obj::item_copies).unwrap_or_default();
    Js::Object(Obj::of_items(items.split_off(from.min(items.len()))))
}

/// Returns the values of an iteration (§7.4): the elements of an array, the code points of a
/// string, the bytes of a buffer.
///
/// The values are read in advance, so that the iteration does not see later changes of the array.
pub fn iterate(value: &Js) -> Result<Vec<Js>> {
    match value {
        Js::String(text) => {
            charge(text::length(text).saturating_mul(64))?;
            Ok(text.chars().map(|c| Js::from(&*c.encode_utf8(&mut [0; 4]))).collect())
        }
        Js::Object(object) if object.is_array() => {
            charge(object.len().saturating_mul(size_of::<Slot>()))?;
            Ok(object.items())
        }
        Js::Object(object) => match object.special_part() {
            Some(Special::Buffer(bytes)) => {
                charge(bytes.len().saturating_mul(size_of::<Slot>()))?;
                Ok(bytes.iter().map(|byte| Js::Number(f64::from(*byte))).collect())
            }
            _ => Err(not_iterable(value)),
        },
        _ => Err(not_iterable(value)),
    }
}

#[cold]
fn not_iterable(value: &Js) -> super::Throw {
    error::type_error(format!("{} is not iterable", error::describe(value)))
}
