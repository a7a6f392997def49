//! `Array.prototype`: methods that change an array or return a changed copy (ECMA-262 §23.1.3).

use super::super::budget::{ELEMENT, charge, walk};
use super::super::call::argument;
use super::super::members::Slot;
use super::super::object::Obj;
use super::super::property::check_frozen;
use super::super::{Js, Result, Run, coerce, error};
use super::array::this_array;

/// Returns the array that a method changes.
fn writable_array(this: &Js) -> Result<&Obj> {
    let object = this_array(this)?;
    check_frozen(object, "length")?;
    Ok(object)
}

/// Converts values to elements. Registers the array as a potential part of a cycle.
fn tracked_slots(object: &Obj, items: &[Js]) -> Result<Vec<Slot>> {
    charge(size_of_val(items))?;
    Ok(items
        .iter()
        .map(|item| {
            let slot = Slot::Js(item.clone());
            object.track_cycle(&slot);
            slot
        })
        .collect())
}

fn length(object: &Obj) -> Js {
    Js::Number(object.len() as f64)
}

pub(super) fn push(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let object = writable_array(this)?;
    for item in arguments {
        object.set_item(object.len(), item.clone());
    }
    Ok(length(object))
}

pub(super) fn pop(_: &Run, this: &Js, _: &[Js]) -> Result {
    Ok(writable_array(this)?.pop().unwrap_or_default())
}

pub(super) fn shift(_: &Run, this: &Js, _: &[Js]) -> Result {
    let object = writable_array(this)?;
    if object.len() == 0 {
        return Ok(Js::Undefined);
    }
    walk(object.len());
    Ok(object.edit(|items| items.remove(0)).read())
}

pub(super) fn unshift(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let object = writable_array(this)?;
    let slots = tracked_slots(object, arguments)?;
    walk(object.len());
    object.edit(|items| items.splice(0..0, slots).for_each(drop));
    Ok(length(object))
}

pub(super) fn reverse(_: &Run, this: &Js, _: &[Js]) -> Result {
    let object = writable_array(this)?;
    walk(ELEMENT * object.len());
    object.edit(|items| items.reverse());
    Ok(this.clone())
}

pub(super) fn to_reversed(_: &Run, this: &Js, _: &[Js]) -> Result {
    let mut items = this_array(this)?.item_copies();
    items.reverse();
    Ok(Js::Object(Obj::of_items(items)))
}

pub(super) fn fill(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let object = writable_array(this)?;
    let value = Slot::Js(argument(arguments, 0));
    let start = coerce::position(arguments.get(1), object.len(), 0)?;
    let end = coerce::position(arguments.get(2), object.len(), object.len())?;
    object.track_cycle(&value);
    walk(ELEMENT * end.saturating_sub(start));
    let old = object.edit(|items| {
        let range = items.get_mut(start..end.max(start)).unwrap_or_default();
        range.iter_mut().map(|item| std::mem::replace(item, value.clone())).collect::<Vec<_>>()
    });
    drop(old);
    Ok(this.clone())
}

pub(super) fn copy_within(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let object = writable_array(this)?;
    let length = object.len();
    let target = coerce::position(arguments.first(), length, 0)?;
    let start = coerce::position(arguments.get(1), length, 0)?;
    let end = coerce::position(arguments.get(2), length, length)?;
    let copies = object.item_copies();
    let from = copies.get(start..end.max(start)).unwrap_or_default();
    walk(ELEMENT * from.len());
    for (at, slot) in (target..length).zip(from) {
        object.set_item(at, slot.clone());
    }
    Ok(this.clone())
}

/// Returns the range of elements that `splice` removes.
fn spliced(length: usize, arguments: &[Js]) -> Result<std::ops::Range<usize>> {
    let start = coerce::position(arguments.first(), length, 0)?;
    let count = match arguments {
        [] => 0,
        [_] => length - start,
        [_, count, ..] => coerce::integer(count)?.clamp(0.0, (length - start) as f64) as usize,
    };
    Ok(start..start + count)
}

pub(super) fn splice(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let object = writable_array(this)?;
    let range = spliced(object.len(), arguments)?;
    let slots = tracked_slots(object, arguments.get(2..).unwrap_or_default())?;
    walk(object.len());
    // Computing the range can have changed the array.
    let removed = object.edit(|items| {
        let end = range.end.min(items.len());
        items.splice(range.start.min(end)..end, slots).collect()
    });
    Ok(Js::Object(Obj::of_items(removed)))
}

pub(super) fn to_spliced(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let object = this_array(this)?;
    let range = spliced(object.len(), arguments)?;
    let mut items = object.item_copies();
    let end = range.end.min(items.len());
    let added = arguments.get(2..).unwrap_or_default();
    charge(size_of_val(added))?;
    items.splice(range.start.min(end)..end, added.iter().cloned().map(Slot::Js)).for_each(drop);
    Ok(Js::Object(Obj::of_items(items)))
}

pub(super) fn with(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let object = this_array(this)?;
    let position = coerce::integer(&argument(arguments, 0))?;
    let position = if position < 0.0 { position + object.len() as f64 } else { position };
    let mut items = object.item_copies();
    let item = (position >= 0.0).then(|| items.get_mut(position as usize)).flatten();
    *item.ok_or_else(|| error::range_error("Invalid index"))? = Slot::Js(argument(arguments, 1));
    Ok(Js::Object(Obj::of_items(items)))
}
