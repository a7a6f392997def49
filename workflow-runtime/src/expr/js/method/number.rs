//! `Number.prototype` (ECMA-262 §21.1.3).

use super::super::call::argument;
use super::super::{Js, Result, Run, coerce, digits, error};
use super::Method;

pub(super) static METHODS: &[Method] = super::methods! {
    "toExponential" 1 to_exponential,
    "toFixed" 1 to_fixed,
    "toPrecision" 1 to_precision,
    "toString" 1 to_string,
    "valueOf" 0 value_of,
};

fn this_number(this: &Js) -> Result<f64> {
    match this {
        Js::Number(number) => Ok(*number),
        _ => Err(error::type_error("this is not a number")),
    }
}

/// Checks that a number of digits is in its range.
fn count(value: f64, range: std::ops::RangeInclusive<f64>, method: &str) -> Result<usize> {
    if range.contains(&value) {
        return Ok(value as usize);
    }
    Err(error::range_error(format!("{method}() argument must be between {} and {}", range.start(), range.end())))
}

fn to_fixed(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let number = this_number(this)?;
    let fraction = count(coerce::integer(&argument(arguments, 0))?, 0.0..=100.0, "toFixed")?;
    Ok(Js::String(match number.abs() < 1e21 {
        true => digits::fixed(number, fraction),
        false => coerce::number_text(number),
    }))
}

fn to_precision(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let number = this_number(this)?;
    let precision = argument(arguments, 0);
    if matches!(precision, Js::Undefined) {
        return Ok(Js::String(coerce::number_text(number)));
    }
    let precision = coerce::integer(&precision)?;
    if !number.is_finite() {
        return Ok(Js::String(coerce::number_text(number)));
    }
    Ok(Js::String(digits::precise(number, count(precision, 1.0..=100.0, "toPrecision")?)))
}

fn to_exponential(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let number = this_number(this)?;
    let digit_count = argument(arguments, 0);
    let fraction = coerce::integer(&digit_count)?;
    if !number.is_finite() {
        return Ok(Js::String(coerce::number_text(number)));
    }
    let fraction = count(fraction, 0.0..=100.0, "toExponential")?;
    let fraction = if matches!(digit_count, Js::Undefined) { None } else { Some(fraction) };
    Ok(Js::String(digits::exponential(number, fraction)))
}

fn to_string(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let number = this_number(this)?;
    let radix = match argument(arguments, 0) {
        Js::Undefined => 10.0,
        radix => coerce::integer(&radix)?,
    };
    if !(2.0..=36.0).contains(&radix) {
        return Err(error::range_error("toString() radix must be between 2 and 36"));
    }
    Ok(Js::String(match number.is_finite() {
        true => digits::in_radix(number, radix as u32),
        false => coerce::number_text(number),
    }))
}

fn value_of(_: &Run, this: &Js, _: &[Js]) -> Result {
    this_number(this).map(Js::Number)
}
