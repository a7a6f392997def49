//! `String.prototype` (ECMA-262 §22.1.3): the table, and methods that derive strings from a
//! string. Regular expressions are not supported here.

use super::super::call::argument;
use super::super::object::Obj;
use super::super::{Js, Result, Run, budget, coerce, error, literal, text};
use super::{Method, string_search as search};
use crate::value::Str;

pub(super) static METHODS: &[Method] = super::methods! {
    "at" 1 at,
    "charAt" 1 char_at,
    "charCodeAt" 1 char_code_at,
    "codePointAt" 1 code_point_at,
    "concat" 1 concat,
    "endsWith" 1 search::ends_with,
    "includes" 1 search::includes,
    "indexOf" 1 search::index_of,
    "isWellFormed" 0 is_well_formed,
    "lastIndexOf" 1 search::last_index_of,
    "localeCompare" 1 search::locale_compare,
    "padEnd" 1 pad_end,
    "padStart" 1 pad_start,
    "repeat" 1 repeat,
    "replace" 2 search::replace,
    "replaceAll" 2 search::replace_all,
    "slice" 2 slice,
    "split" 2 split,
    "startsWith" 1 search::starts_with,
    "substr" 2 substr,
    "substring" 2 substring,
    "toLocaleLowerCase" 0 to_lower_case,
    "toLocaleUpperCase" 0 to_upper_case,
    "toLowerCase" 0 to_lower_case,
    "toString" 0 value_of,
    "toUpperCase" 0 to_upper_case,
    "toWellFormed" 0 value_of,
    "trim" 0 trim,
    "trimEnd" 0 trim_end,
    "trimLeft" 0 trim_start,
    "trimRight" 0 trim_end,
    "trimStart" 0 trim_start,
    "valueOf" 0 value_of,
};

/// Returns the text that a method was called on.
pub(super) fn this_text(this: &Js) -> Result<Str> {
    if this.is_nullish() {
        return Err(error::type_error("String.prototype method called on null or undefined"));
    }
    coerce::string(this)
}

fn value_of(_: &Run, this: &Js, _: &[Js]) -> Result {
    this_text(this).map(Js::String)
}

fn is_well_formed(_: &Run, _: &Js, _: &[Js]) -> Result {
    Ok(Js::Bool(true))
}

/// Returns the unit at a position, which can be any number.
fn unit(text: &Str, position: f64) -> Option<u16> {
    if position < 0.0 || position >= text::MAX_LENGTH as f64 { None } else { text::unit_at(text, position as usize) }
}

fn text_of_unit(unit: Option<u16>) -> Option<Js> {
    unit.map(|unit| Js::String(text::of_units(&[unit])))
}

fn at(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let text = this_text(this)?;
    let position = coerce::integer(&argument(arguments, 0))?;
    let position = if position < 0.0 { position + text::length(&text) as f64 } else { position };
    Ok(text_of_unit(unit(&text, position)).unwrap_or_default())
}

fn char_at(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let text = this_text(this)?;
    Ok(text_of_unit(unit(&text, coerce::integer(&argument(arguments, 0))?)).unwrap_or(Js::text("")))
}

fn char_code_at(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let text = this_text(this)?;
    let unit = unit(&text, coerce::integer(&argument(arguments, 0))?);
    Ok(Js::Number(unit.map_or(f64::NAN, f64::from)))
}

fn code_point_at(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let text = this_text(this)?;
    let position = coerce::integer(&argument(arguments, 0))?;
    let Some(first) = unit(&text, position) else { return Ok(Js::Undefined) };
    let second = unit(&text, position + 1.0);
    let pair = char::decode_utf16([first].into_iter().chain(second)).next();
    Ok(Js::Number(match pair {
        Some(Ok(c)) => f64::from(u32::from(c)),
        _ => f64::from(first),
    }))
}

fn concat(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let mut out = this_text(this)?;
    for argument in arguments {
        out = text::concat(&out, &coerce::string(argument)?)?;
    }
    Ok(Js::String(out))
}

fn repeat(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let text = this_text(this)?;
    let count = coerce::integer(&argument(arguments, 0))?;
    if count < 0.0 || count.is_infinite() {
        return Err(error::range_error("Invalid count value"));
    }
    if text.is_empty() {
        return Ok(Js::String(text));
    }
    let count = count as usize;
    text::reserve(text.len().saturating_mul(count))?;
    Ok(Js::from(text.repeat(count)))
}

fn pad_start(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let (text, padding) = padding(this, arguments)?;
    Ok(Js::String(text::concat(&padding, &text)?))
}

fn pad_end(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let (text, padding) = padding(this, arguments)?;
    Ok(Js::String(text::concat(&text, &padding)?))
}

fn padding(this: &Js, arguments: &[Js]) -> Result<(Str, Str)> {
    let text = this_text(this)?;
    let wanted = coerce::integer(&argument(arguments, 0))?;
    let filler = match argument(arguments, 1) {
        Js::Undefined => Str::from_static(" "),
        filler => coerce::string(&filler)?,
    };
    let missing = wanted - text::length(&text) as f64;
    if missing <= 0.0 || filler.is_empty() {
        return Ok((text, Str::default()));
    }
    if missing > text::MAX_LENGTH as f64 {
        return Err(error::range_error("Invalid string length"));
    }
    let missing = missing as usize;
    text::reserve(missing)?;
    let padding = if filler.is_ascii() {
        filler.chars().cycle().take(missing).collect::<String>().into()
    } else {
        text::of_units(&text::units(&filler).into_iter().cycle().take(missing).collect::<Vec<_>>())
    };
    Ok((text, padding))
}

fn slice(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let text = this_text(this)?;
    let length = text::length(&text);
    let start = coerce::position(arguments.first(), length, 0)?;
    let end = coerce::position(arguments.get(1), length, length)?;
    Ok(Js::String(text::slice(&text, start, end.max(start))))
}

fn substring(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let text = this_text(this)?;
    let length = text::length(&text);
    let limited = |value: Option<&Js>, absent: usize| -> Result<usize> {
        match value {
            None | Some(Js::Undefined) => Ok(absent),
            Some(value) => Ok(coerce::integer(value)?.clamp(0.0, length as f64) as usize),
        }
    };
    let (start, end) = (limited(arguments.first(), 0)?, limited(arguments.get(1), length)?);
    Ok(Js::String(text::slice(&text, start.min(end), start.max(end))))
}

fn substr(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let text = this_text(this)?;
    let length = text::length(&text);
    let start = coerce::position(arguments.first(), length, 0)?;
    let count = match argument(arguments, 1) {
        Js::Undefined => length - start,
        count => coerce::integer(&count)?.clamp(0.0, (length - start) as f64) as usize,
    };
    Ok(Js::String(text::slice(&text, start, start + count)))
}

fn to_lower_case(_: &Run, this: &Js, _: &[Js]) -> Result {
    let text = this_text(this)?;
    text::reserve(text.len())?;
    Ok(Js::from(text.to_lowercase()))
}

fn to_upper_case(_: &Run, this: &Js, _: &[Js]) -> Result {
    let text = this_text(this)?;
    text::reserve(text.len())?;
    Ok(Js::from(text.to_uppercase()))
}

fn trim(_: &Run, this: &Js, _: &[Js]) -> Result {
    Ok(trimmed(&this_text(this)?, |text| text.trim_matches(text::is_space)))
}

fn trim_start(_: &Run, this: &Js, _: &[Js]) -> Result {
    Ok(trimmed(&this_text(this)?, |text| text.trim_start_matches(text::is_space)))
}

fn trim_end(_: &Run, this: &Js, _: &[Js]) -> Result {
    Ok(trimmed(&this_text(this)?, |text| text.trim_end_matches(text::is_space)))
}

fn trimmed(text: &Str, trim: fn(&str) -> &str) -> Js {
    let part = trim(text);
    budget::walk(text.len() - part.len());
    if part.len() == text.len() {
        return Js::String(text.clone());
    }
    budget::spend(part.len());
    Js::from(part)
}

/// The estimated size of an element that is a short string, in bytes.
const PIECE: usize = 96;

/// Implements `split` (§22.1.3.23).
fn split(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let text = this_text(this)?;
    let limit = match argument(arguments, 1) {
        Js::Undefined => u32::MAX,
        limit => coerce::uint32(coerce::number(&limit)?),
    } as usize;
    let separator = match argument(arguments, 0) {
        Js::Undefined if limit > 0 => return Ok(literal::array([Js::String(text)])),
        separator => coerce::string(&separator)?,
    };
    budget::walk(text.len());
    let count = if separator.is_empty() { text::length(&text) } else { text.matches(separator.as_str()).count() + 1 };
    budget::charge(count.min(limit).saturating_mul(PIECE).saturating_add(text.len()))?;
    let parts: Vec<Js> = if separator.is_empty() {
        let units = text.encode_utf16().take(limit);
        units.map(|unit| Js::String(text::of_units(&[unit]))).collect()
    } else {
        text.split(separator.as_str()).take(limit).map(Js::from).collect()
    };
    Ok(Js::Object(Obj::of_items(parts.into_iter().map(Into::into).collect())))
}
