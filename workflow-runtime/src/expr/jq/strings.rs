//! Functions of strings: search, splitting, trimming, conversion to numbers.

use super::number::{count, float, number};
use super::{Error, Result, budget, index, slice, type_error};
use crate::value::{Str, Value};

/// Splits a string at a separator, or into characters if the separator is empty. An empty string
/// has no parts.
pub(super) fn split_text(text: &str, separator: &str) -> Result<Value> {
    let mut parts = Vec::new();
    if separator.is_empty() {
        for c in text.chars() {
            budget::charge_elements(2)?;
            parts.push(Value::from(&*c.encode_utf8(&mut [0; 4])));
        }
    } else if !text.is_empty() {
        budget::read(text)?;
        for part in text.split(separator) {
            budget::charge(part.len() + 2 * budget::ELEMENT)?;
            parts.push(Value::from(part));
        }
    }
    Ok(Value::from(parts))
}

/// Implements `split(separator)`.
pub fn split(value: &Value, separator: &Value) -> Result<Value> {
    match (value, separator) {
        (Value::String(text), Value::String(separator)) => split_text(text, separator),
        _ => Err(Error::message("split input and separator must be strings")),
    }
}

/// Implements `startswith(start)`.
pub fn startswith(value: &Value, start: &Value) -> Result<bool> {
    match (value, start) {
        (Value::String(text), Value::String(start)) => {
            budget::read(start)?;
            Ok(text.starts_with(start.as_str()))
        }
        _ => Err(Error::message("startswith() requires string inputs")),
    }
}

/// Implements `endswith(end)`.
pub fn endswith(value: &Value, end: &Value) -> Result<bool> {
    match (value, end) {
        (Value::String(text), Value::String(end)) => {
            budget::read(end)?;
            Ok(text.ends_with(end.as_str()))
        }
        _ => Err(Error::message("endswith() requires string inputs")),
    }
}

/// Returns a part of a string, or the string itself if the part is all of it.
fn part(text: &Str, part: &str) -> Result<Value> {
    if part.len() == text.len() {
        return Ok(Value::String(text.clone()));
    }
    budget::charge(part.len())?;
    Ok(Value::from(part))
}

/// Implements `ltrimstr(start)`.
pub fn ltrimstr(value: &Value, start: &Value) -> Result<Value> {
    match (value, start) {
        (Value::String(text), Value::String(start)) => {
            budget::read(start)?;
            part(text, text.strip_prefix(start.as_str()).unwrap_or(text))
        }
        _ => startswith(value, start).map(|_| Value::Null),
    }
}

/// Implements `rtrimstr(end)`.
pub fn rtrimstr(value: &Value, end: &Value) -> Result<Value> {
    match (value, end) {
        (Value::String(text), Value::String(end)) => {
            budget::read(end)?;
            part(text, text.strip_suffix(end.as_str()).unwrap_or(text))
        }
        _ => endswith(value, end).map(|_| Value::Null),
    }
}

/// Implements `trimstr(both)`.
pub fn trimstr(value: &Value, both: &Value) -> Result<Value> {
    rtrimstr(&ltrimstr(value, both)?, both)
}

fn trimmed(value: &Value, trim: fn(&str) -> &str) -> Result<Value> {
    match value {
        // jq trims Unicode white space.
        Value::String(text) => {
            budget::read(text)?;
            part(text, trim(text))
        }
        _ => Err(Error::message("trim input must be a string")),
    }
}

/// Implements `trim`.
pub fn trim(value: &Value) -> Result<Value> {
    trimmed(value, str::trim)
}

/// Implements `ltrim`.
pub fn ltrim(value: &Value) -> Result<Value> {
    trimmed(value, str::trim_start)
}

/// Implements `rtrim`.
pub fn rtrim(value: &Value) -> Result<Value> {
    trimmed(value, str::trim_end)
}

fn recased(value: &Value, change: fn(&str) -> String) -> Result<Value> {
    match value {
        Value::String(text) => {
            budget::charge(text.len())?;
            Ok(Value::from(change(text)))
        }
        _ => Err(not_exploded()),
    }
}

#[cold]
fn not_exploded() -> Error {
    Error::message("explode input must be a string")
}

/// Implements `ascii_downcase`.
pub fn ascii_downcase(value: &Value) -> Result<Value> {
    recased(value, str::to_ascii_lowercase)
}

/// Implements `ascii_upcase`.
pub fn ascii_upcase(value: &Value) -> Result<Value> {
    recased(value, str::to_ascii_uppercase)
}

/// Implements `explode`.
pub fn explode(value: &Value) -> Result<Value> {
    match value {
        Value::String(text) => {
            budget::charge_elements(text.len())?;
            Ok(text.chars().map(|c| Value::from(u32::from(c))).collect())
        }
        _ => Err(not_exploded()),
    }
}

/// Implements `implode`.
pub fn implode(value: &Value) -> Result<Value> {
    let Value::Array(codes) = value else { return Err(Error::message("implode input must be an array")) };
    budget::charge(codes.len())?;
    let character = |code: &Value| match code.as_f64() {
        Some(number) if !number.is_nan() => {
            let code = u32::try_from(number.trunc() as i64).ok().and_then(char::from_u32);
            Ok(code.unwrap_or(char::REPLACEMENT_CHARACTER))
        }
        _ => Err(type_error(code, "can't be imploded, unicode codepoint needs to be numeric")),
    };
    codes.iter().map(character).collect::<Result<String>>().map(Value::from)
}

/// Implements `indices(wanted)`: returns the positions of a string in a string, an element in an
/// array, or an array in an array.
pub fn indices(value: &Value, wanted: &Value) -> Result<Value> {
    match (value, wanted) {
        (Value::String(text), Value::String(wanted)) => string_indices(text, wanted),
        (Value::Array(_), Value::Array(_)) => index(value, wanted),
        (Value::Array(_), _) => index(value, &Value::from(vec![wanted.clone()])),
        _ => index(value, wanted),
    }
}

/// Returns positions in characters, including overlapping ones.
fn string_indices(text: &str, wanted: &str) -> Result<Value> {
    budget::read(text)?;
    let mut positions = Vec::new();
    let (mut from, mut counted, mut characters) = (0, 0, 0);
    while let Some(at) = text.get(from..).filter(|_| !wanted.is_empty()).and_then(|rest| rest.find(wanted)) {
        budget::charge(at + budget::ELEMENT)?;
        let at = from + at;
        characters += text[counted..at].chars().count();
        counted = at;
        positions.push(count(characters));
        from = at + text[at..].chars().next().map_or(1, char::len_utf8);
    }
    Ok(Value::from(positions))
}

/// Implements `index(wanted)`: returns the first of [`indices`].
pub fn index_(value: &Value, wanted: &Value) -> Result<Value> {
    index(&indices(value, wanted)?, &Value::Int(0))
}

/// Implements `rindex(wanted)`: returns the last of [`indices`].
pub fn rindex(value: &Value, wanted: &Value) -> Result<Value> {
    index(&slice(&indices(value, wanted)?, &Value::Int(-1), &Value::Null)?, &Value::Int(0))
}

/// Implements `tonumber`.
pub fn tonumber(value: &Value) -> Result<Value> {
    match value {
        Value::Int(_) | Value::Float(_) => Ok(value.clone()),
        Value::String(text) => {
            budget::read(text)?;
            read_number(text).ok_or_else(|| type_error(value, "cannot be parsed as a number"))
        }
        _ => Err(type_error(value, "cannot be parsed as a number")),
    }
}

/// Parses a number as jq's JSON parser does: digits with an optional point anywhere, an optional
/// exponent, or a name of a number that is not finite.
pub(super) fn read_number(text: &str) -> Option<Value> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    match unsigned.to_ascii_lowercase().as_str() {
        "nan" | "snan" => return Some(float(f64::NAN)),
        "inf" | "infinity" => return Some(float(f64::INFINITY * sign)),
        _ => {}
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let valid = digits(whole) && digits(behind) && whole.len() + behind.len() > 0;
    if !valid || !exponent.is_none_or(|exponent| !exponent.is_empty() && digits(exponent)) {
        return None;
    }
    if let Ok(number) = text.parse() {
        return Some(Value::Int(number));
    }
    match text.parse::<f64>() {
        // The number stays a double, as in a parsed document.
        Ok(number) if number.is_finite() && (mantissa.contains('.') || exponent.is_some()) => {
            Some(Value::Float(number))
        }
        Ok(value) => Some(number(value)),
        Err(_) => None,
    }
}

/// Implements `toboolean`.
pub fn toboolean(value: &Value) -> Result<Value> {
    match value {
        Value::Bool(_) => Ok(value.clone()),
        Value::String(text) if text == "true" => Ok(Value::Bool(true)),
        Value::String(text) if text == "false" => Ok(Value::Bool(false)),
        _ => Err(type_error(value, "cannot be parsed as a boolean")),
    }
}
