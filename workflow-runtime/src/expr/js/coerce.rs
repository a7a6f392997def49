//! Conversions between types (ECMA-262 §7.1).

use super::budget::{Run, deeper, walk};
use super::call::invoke;
use super::members::array_index;
use super::object::{Obj, Special};
use super::{Js, Result, error, text};
use crate::value::Str;

/// The preferred type of a primitive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hint {
    Default,
    Number,
    String,
}

/// Implements `ToBoolean` (§7.1.2).
pub fn truthy(value: &Js) -> bool {
    match value {
        Js::Undefined | Js::Null => false,
        Js::Bool(value) => *value,
        Js::Number(value) => *value != 0.0 && !value.is_nan(),
        Js::String(text) => !text.is_empty(),
        Js::Object(_) => true,
    }
}

/// Implements `ToNumber` (§7.1.4).
pub fn number(value: &Js) -> Result<f64> {
    Ok(match value {
        Js::Number(value) => *value,
        Js::Undefined => f64::NAN,
        Js::Null => 0.0,
        Js::Bool(value) => f64::from(u8::from(*value)),
        Js::String(text) => number_of_text(text),
        Js::Object(_) => return number(&primitive(value, Hint::Number)?),
    })
}

/// Implements `StringToNumber` (§7.1.4.1.1).
pub(super) fn number_of_text(text: &str) -> f64 {
    walk(text.len());
    let text = text.trim_matches(text::is_space);
    match text.as_bytes() {
        [] => 0.0,
        [b'0', b'x' | b'X', digits @ ..] => whole_of_digits(digits, 16),
        [b'0', b'o' | b'O', digits @ ..] => whole_of_digits(digits, 8),
        [b'0', b'b' | b'B', digits @ ..] => whole_of_digits(digits, 2),
        _ => decimal(text),
    }
}

fn decimal(text: &str) -> f64 {
    match text {
        "Infinity" | "+Infinity" => f64::INFINITY,
        "-Infinity" => f64::NEG_INFINITY,
        // Rust accepts further texts, such as `inf`.
        _ if text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')) => {
            text.parse().unwrap_or(f64::NAN)
        }
        _ => f64::NAN,
    }
}

fn whole_of_digits(digits: &[u8], radix: u32) -> f64 {
    let value = |digit: &u8| char::from(*digit).to_digit(radix);
    if digits.is_empty() || !digits.iter().all(|digit| value(digit).is_some()) {
        return f64::NAN;
    }
    of_digits(digits.iter().filter_map(value), radix)
}

/// Returns the number of digits. The result is rounded once if the radix is a power of two, as in
/// engines.
pub(super) fn of_digits(digits: impl Iterator<Item = u32>, radix: u32) -> f64 {
    let bits = radix.is_power_of_two().then(|| radix.trailing_zeros());
    let Some(bits) = bits else {
        return digits.fold(0.0, |number, digit| number * f64::from(radix) + f64::from(digit));
    };
    let mut digits = digits.skip_while(|digit| *digit == 0);
    // The leading bits, as many as fit, and a flag for any bit set after them.
    let (mut head, mut dropped, mut rest) = (0u128, 0i32, false);
    for digit in digits.by_ref() {
        if head >> 112 == 0 {
            head = head << bits | u128::from(digit);
        } else {
            dropped = dropped.saturating_add(bits as i32);
            rest |= digit != 0;
        }
    }
    let number = (head << 1 | u128::from(rest)) as f64;
    // The exponent is small, or the result is infinite.
    if dropped > 2000 { f64::INFINITY } else { number * 2.0_f64.powi(dropped - 1) }
}

/// Implements `ToString` (§7.1.17).
pub fn string(value: &Js) -> Result<Str> {
    Ok(match value {
        Js::String(text) => text.clone(),
        Js::Undefined => Str::from_static("undefined"),
        Js::Null => Str::from_static("null"),
        Js::Bool(true) => Str::from_static("true"),
        Js::Bool(false) => Str::from_static("false"),
        Js::Number(value) => number_text(*value),
        Js::Object(_) => return string(&primitive(value, Hint::String)?),
    })
}

/// Implements `Number::toString` (§6.1.6.1.20).
pub fn number_text(number: f64) -> Str {
    if number == 0.0 {
        return Str::from_static("0");
    }
    ryu_js::Buffer::new().format(number).into()
}

/// Implements `ToPropertyKey` (§7.1.19). Symbols are not supported.
pub fn property_key(value: &Js) -> Result<Str> {
    let key = string(value)?;
    walk(key.len());
    Ok(key)
}

/// Returns the array index of a key without converting the key to text.
pub(super) fn index_of(key: &Js) -> Option<u32> {
    match key {
        Js::Number(number) => {
            let index = *number as u32;
            (f64::from(index) == *number && index < u32::MAX).then_some(index)
        }
        Js::String(text) => array_index(text),
        _ => None,
    }
}

/// Implements `ToInt32` (§7.1.6).
pub fn int32(number: f64) -> i32 {
    uint32(number) as i32
}

/// Implements `ToUint32` (§7.1.7).
pub fn uint32(number: f64) -> u32 {
    // Most numbers fit, and the casts are exact.
    if number.abs() <= 9_007_199_254_740_992.0 {
        return number as i64 as u32;
    }
    if !number.is_finite() {
        return 0;
    }
    number.trunc().rem_euclid(4_294_967_296.0) as u32
}

/// Implements `ToIntegerOrInfinity` (§7.1.5).
pub(super) fn integer(value: &Js) -> Result<f64> {
    let number = number(value)?;
    Ok(if number.is_nan() { 0.0 } else { number.trunc() + 0.0 })
}

/// Returns a position between 0 and a length. A negative position counts from the end (`slice`,
/// `splice`, `fill`, …).
pub(super) fn position(value: Option<&Js>, length: usize, absent: usize) -> Result<usize> {
    let position = match value {
        None | Some(Js::Undefined) => return Ok(absent),
        Some(value) => integer(value)?,
    };
    let length = length as f64;
    Ok(if position < 0.0 { (length + position).max(0.0) } else { position.min(length) } as usize)
}

/// Implements `ToPrimitive` (§7.1.1).
pub(super) fn primitive(value: &Js, hint: Hint) -> Result {
    let Js::Object(object) = value else { return Ok(value.clone()) };
    let text_first = match hint {
        Hint::Default => object.time().is_some(),
        Hint::Number => false,
        Hint::String => true,
    };
    for text in [text_first, !text_first] {
        let key = if text { "toString" } else { "valueOf" };
        let result = match object.member(key) {
            Some(Js::Object(function)) if function.as_function().is_some() => {
                invoke(&Run::of_thread(), &Js::Object(function), value, &[])?
            }
            Some(_) => continue,
            None if text => Js::String(object_text(object)?),
            None => match object.time() {
                Some(time) => Js::Number(time),
                None => continue,
            },
        };
        if !matches!(result, Js::Object(_)) {
            return Ok(result);
        }
    }
    Err(error::type_error("Cannot convert object to primitive value"))
}

/// Returns the result of the built-in `toString` of an object.
pub(super) fn object_text(object: &Obj) -> Result<Str> {
    if object.is_array() {
        return deeper(|| super::method::array::joined(object, ","));
    }
    Ok(match object.special_part() {
        None => Str::from_static("[object Object]"),
        Some(Special::Function(function)) => format!("function {}() {{ [native code] }}", function.name).into(),
        Some(Special::Error(_)) => error::text_of(&Js::Object(object.clone()))?,
        Some(Special::Date(time)) => super::date::text(time),
        Some(Special::Buffer(bytes)) => String::from_utf8_lossy(&bytes).into(),
    })
}
