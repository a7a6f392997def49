//! Literals, spreading and patterns (ECMA-262 §13.2, §14.3.3).

use super::budget::charge;
use super::members::{Members, Slot};
use super::object::{Obj, Special};
use super::{Js, Result, error, property, text};
use crate::value::{Object, Str};

/// `{key: value, …}`. Of equal keys the last counts, at the place of the first.
pub fn object<const N: usize>(members: [(&'static str, Js); N]) -> Js {
    if let Some(json) = json_object(&members) {
        return Js::Object(Obj::of_scalars(json));
    }
    let mut made = Members::with_capacity(N);
    for (key, value) in members {
        made.insert(Str::from_static(key), value.into());
    }
    Js::Object(Obj::of_members(made))
}

/// The members as JSON, where all are scalars: most literals are results, which become JSON anyway.
fn json_object(members: &[(&'static str, Js)]) -> Option<Object> {
    if members.iter().any(|(_, value)| matches!(value, Js::Object(_) | Js::Undefined)) {
        return None;
    }
    let mut made = Object::with_capacity(members.len());
    for (key, value) in members {
        made.insert(Str::from_static(key), value.scalar()?);
    }
    Some(made)
}

/// `[value, …]`
pub fn array<const N: usize>(items: [Js; N]) -> Js {
    array_of(Vec::from(items))
}

/// An array of these elements.
pub(super) fn array_of(items: Vec<Js>) -> Js {
    Js::Object(Obj::of_items(items.into_iter().map(Slot::Js).collect()))
}

/// An object of these members, whose keys are all different.
pub(super) fn object_of(members: impl IntoIterator<Item = (Str, Slot)>) -> Js {
    let mut made = Members::default();
    for (key, slot) in members {
        made.insert(key, slot);
    }
    Js::Object(Obj::of_members(made))
}

/// `{...from}`: copies what is enumerable into an object (§7.3.25).
pub fn spread_object(into: &Js, from: &Js) -> Result<()> {
    let Js::Object(into) = into else { return Ok(()) };
    for (key, slot) in copies(from)? {
        into.set_member(key, slot);
    }
    Ok(())
}

/// The enumerable properties of a value, each ready for another place.
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

/// `[...from]`: appends what iterating yields.
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

/// `{a, b, ...rest}`: an object of the properties that are not named.
pub fn rest_of(object: &Js, named: &[&str]) -> Result {
    if object.is_nullish() {
        return Err(error::type_error(format!("Cannot destructure '{}'", error::describe(object))));
    }
    let rest = copies(object)?.into_iter().filter(|(key, _)| !named.contains(&key.as_str()));
    Ok(object_of(rest))
}

/// `[a, b, ...rest]` of an array that [`iterate`] made, from a position on; also the rest of the arguments.
pub fn rest_from(items: &Js, from: usize) -> Js {
    let mut items = items.as_object().map(Obj::item_copies).unwrap_or_default();
    Js::Object(Obj::of_items(items.split_off(from.min(items.len()))))
}

/// What iterating yields (§7.4): the elements of an array, the code points of a string, the bytes of a buffer.
///
/// All of it is read first: what a loop does to the array that it goes through is not seen by it.
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
