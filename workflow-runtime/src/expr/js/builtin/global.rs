//! Functions of the global object (ECMA-262 §19.2).

use super::super::call::argument;
use super::super::{Js, Result, Run, budget, coerce, text};

/// Implements `isNaN`.
pub fn is_nan(_: &Run, arguments: &[Js]) -> Result {
    Ok(Js::Bool(coerce::number(&argument(arguments, 0))?.is_nan()))
}

/// Implements `isFinite`.
pub fn is_finite(_: &Run, arguments: &[Js]) -> Result {
    Ok(Js::Bool(coerce::number(&argument(arguments, 0))?.is_finite()))
}

/// Implements `parseFloat`: returns the number at the start of the text.
pub fn parse_float(_: &Run, arguments: &[Js]) -> Result {
    let text = coerce::string(&argument(arguments, 0))?;
    let whole_text = text.len();
    let text = text.trim_start_matches(text::is_space);
    let spaces = whole_text - text.len();
    let bytes = text.as_bytes();
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    if text[sign..].starts_with("Infinity") {
        return Ok(Js::Number(if bytes[0] == b'-' { f64::NEG_INFINITY } else { f64::INFINITY }));
    }
    let digits = |from: usize| bytes.get(from..).unwrap_or_default().iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(sign);
    let mut end = sign + whole;
    if bytes.get(end) == Some(&b'.') {
        let behind = digits(end + 1);
        if whole + behind > 0 {
            end += 1 + behind;
        }
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    budget::walk(spaces + end);
    Ok(Js::Number(text[..end].parse().unwrap_or(f64::NAN)))
}

/// Implements `parseInt`: returns the integer at the start of the text.
pub fn parse_int(_: &Run, arguments: &[Js]) -> Result {
    let text = coerce::string(&argument(arguments, 0))?;
    let mut radix = coerce::int32(coerce::number(&argument(arguments, 1))?);
    let length = text.len();
    let mut text = text.trim_start_matches(text::is_space);
    let negative = text.starts_with('-');
    text = text.strip_prefix(['+', '-']).unwrap_or(text);
    if (radix == 0 || radix == 16)
        && let Some(rest) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))
    {
        text = rest;
        radix = 16;
    }
    let radix = match radix {
        0 => 10,
        2..=36 => radix as u32,
        _ => return Ok(Js::Number(f64::NAN)),
    };
    let end = text.find(|c: char| !c.is_digit(radix)).unwrap_or(text.len());
    budget::walk(length - text.len() + end);
    let number = match &text[..end] {
        "" => f64::NAN,
        // Parsing the whole text rounds only once.
        digits if radix == 10 => digits.parse().unwrap_or(f64::NAN),
        digits => coerce::of_digits(digits.chars().filter_map(|c| c.to_digit(radix)), radix),
    };
    Ok(Js::Number(if negative { -number } else { number }))
}
