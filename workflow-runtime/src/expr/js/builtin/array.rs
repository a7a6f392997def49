//! `Array` (ECMA-262 §23.1.2).

use super::super::budget::charge;
use super::super::call::{argument, as_function};
use super::super::members::Slot;
use super::super::object::Obj;
use super::super::{Js, Result, Run, coerce, error, literal, property};

/// Implements `Array(…)`, also with `new`. The elements of an array made with a length are
/// undefined, not holes.
pub fn array(_: &Run, arguments: &[Js]) -> Result {
    match arguments {
        [Js::Number(length)] => {
            let count = coerce::uint32(*length);
            if f64::from(count) != *length {
                return Err(error::range_error("Invalid array length"));
            }
            undefined(count as usize)
        }
        items => Ok(literal::array_of(items.to_vec())),
    }
}

fn undefined(length: usize) -> Result {
    charge(length.saturating_mul(size_of::<Slot>()))?;
    Ok(Js::Object(Obj::of_items((0..length).map(|_| Slot::Js(Js::Undefined)).collect())))
}

/// Implements `Array.of`.
pub fn array_of(_: &Run, arguments: &[Js]) -> Result {
    Ok(literal::array_of(arguments.to_vec()))
}

/// Implements `Array.isArray`.
pub fn array_is_array(_: &Run, arguments: &[Js]) -> Result {
    Ok(Js::Bool(argument(arguments, 0).as_object().is_some_and(Obj::is_array)))
}

/// Implements `Array.from` for iterable values and for objects with a length.
pub fn array_from(run: &Run, arguments: &[Js]) -> Result {
    let source = argument(arguments, 0);
    let function = match argument(arguments, 1) {
        Js::Undefined => None,
        value => Some(as_function(&value).ok_or_else(|| error::not_a_function(&error::describe(&value)))?),
    };
    let items = match &source {
        Js::Undefined | Js::Null => return Err(error::type_error("undefined or null is not iterable")),
        Js::String(_) => literal::iterate(&source)?,
        Js::Object(object) if object.is_array() => literal::iterate(&source)?,
        Js::Object(_) => like_an_array(run, &source)?,
        _ => Vec::new(),
    };
    let Some(function) = function else { return Ok(literal::array_of(items)) };
    let receiver = argument(arguments, 2);
    let mut mapped = Vec::with_capacity(items.len());
    for (at, item) in items.into_iter().enumerate() {
        mapped.push(run.nested(|| (function.call)(run, &receiver, &[item, Js::Number(at as f64)]))?);
    }
    Ok(literal::array_of(mapped))
}

fn like_an_array(run: &Run, source: &Js) -> Result<Vec<Js>> {
    // `ToLength` (§7.1.20)
    let length = coerce::integer(&property::get(source, "length")?)?.clamp(0.0, 9_007_199_254_740_991.0);
    if length >= f64::from(u32::MAX) {
        return Err(error::range_error("Invalid array length"));
    }
    charge((length as usize).saturating_mul(size_of::<Slot>()))?;
    let mut items = Vec::new();
    for at in 0..length as u32 {
        run.tick()?;
        items.push(property::get_at(source, &Js::Number(f64::from(at)))?);
    }
    Ok(items)
}
