//! `String` (ECMA-262 §22.1.2).

use super::super::{Js, Result, Run, coerce, error, text};

/// Implements `String.fromCharCode`.
pub fn string_from_char_code(_: &Run, arguments: &[Js]) -> Result {
    let units = arguments.iter().map(|unit| Ok(coerce::uint32(coerce::number(unit)?) as u16));
    Ok(Js::String(text::of_units(&units.collect::<Result<Vec<u16>>>()?)))
}

/// Implements `String.fromCodePoint`.
pub fn string_from_code_point(_: &Run, arguments: &[Js]) -> Result {
    let mut out = String::new();
    for argument in arguments {
        let number = coerce::number(argument)?;
        let point = number as u32;
        if f64::from(point) != number || point > 0x10_ffff {
            return Err(error::range_error(format!("Invalid code point {}", coerce::string(argument)?.as_str())));
        }
        // A surrogate is not a `char`.
        out.push(char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    Ok(Js::from(out))
}
