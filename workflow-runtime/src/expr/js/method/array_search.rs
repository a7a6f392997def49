//! `Array.prototype`: methods that search elements (ECMA-262 §23.1.3).

use super::super::budget::{ELEMENT, walk_on};
use super::super::call::argument;
use super::super::object::Obj;
use super::super::operators::{same_value_zero, strict_equals};
use super::super::{Js, Result, Run, coerce};
use super::array::{Callback, this_array};

pub(super) fn at(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let object = this_array(this)?;
    let position = coerce::integer(&argument(arguments, 0))?;
    let position = if position < 0.0 { position + object.len() as f64 } else { position };
    Ok(if position < 0.0 { Js::Undefined } else { object.item(position as usize).unwrap_or_default() })
}

pub(super) fn every(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    Ok(Js::Bool(first(run, this, arguments, false, false)?.is_none()))
}

pub(super) fn some(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    Ok(Js::Bool(first(run, this, arguments, false, true)?.is_some()))
}

pub(super) fn find(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    Ok(first(run, this, arguments, false, true)?.map(|(_, item)| item).unwrap_or_default())
}

pub(super) fn find_index(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    Ok(position(first(run, this, arguments, false, true)?.map(|(at, _)| at)))
}

pub(super) fn find_last(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    Ok(first(run, this, arguments, true, true)?.map(|(_, item)| item).unwrap_or_default())
}

pub(super) fn find_last_index(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    Ok(position(first(run, this, arguments, true, true)?.map(|(at, _)| at)))
}

fn position(index: Option<usize>) -> Js {
    Js::Number(index.map_or(-1.0, |at| at as f64))
}

/// Returns the first or last element for which the truth of the function's result is `wanted`.
fn first(run: &Run, this: &Js, arguments: &[Js], backwards: bool, wanted: bool) -> Result<Option<(usize, Js)>> {
    let callback = Callback::new(run, this, arguments)?;
    let length = callback.items.len();
    for step in 0..length {
        let at = if backwards { length - 1 - step } else { step };
        let item = callback.item(at);
        if coerce::truthy(&callback.of(at, &item)?) == wanted {
            return Ok(Some((at, item)));
        }
    }
    Ok(None)
}

/// Returns the first position whose element fulfils the condition.
fn position_of(
    object: &Obj,
    mut positions: impl Iterator<Item = usize>,
    is_wanted: impl Fn(&Js) -> bool,
) -> Result<Option<usize>> {
    positions
        .find_map(|at| match walk_on(ELEMENT) {
            Ok(()) => is_wanted(&object.item(at).unwrap_or_default()).then_some(Ok(at)),
            Err(abort) => Some(Err(abort)),
        })
        .transpose()
}

pub(super) fn includes(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let (object, wanted) = (this_array(this)?, argument(arguments, 0));
    let start = coerce::position(arguments.get(1), object.len(), 0)?;
    let index = position_of(object, start..object.len(), |item| same_value_zero(item, &wanted))?;
    Ok(Js::Bool(index.is_some()))
}

pub(super) fn index_of(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let (object, wanted) = (this_array(this)?, argument(arguments, 0));
    let start = coerce::position(arguments.get(1), object.len(), 0)?;
    Ok(position(position_of(object, start..object.len(), |item| strict_equals(item, &wanted))?))
}

pub(super) fn last_index_of(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let (object, wanted) = (this_array(this)?, argument(arguments, 0));
    let length = object.len() as f64;
    // An explicit undefined position is 0, unlike a missing one.
    let start = arguments.get(1).map_or(Ok(length - 1.0), coerce::integer)?;
    let start = if start < 0.0 && arguments.len() > 1 { length + start } else { start.min(length - 1.0) };
    if start < 0.0 {
        return Ok(Js::Number(-1.0));
    }
    let positions = (0..=start as usize).rev();
    Ok(position(position_of(object, positions, |item| strict_equals(item, &wanted))?))
}
