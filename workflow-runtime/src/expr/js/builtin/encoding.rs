//! Base64 and bytes: `atob`, `btoa` and Node's `Buffer`.

use std::rc::Rc;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, URL_SAFE_NO_PAD};
use base64::engine::{DecodePaddingMode, GeneralPurpose as Engine};

use super::super::call::argument;
use super::super::object::{Obj, Special};
use super::super::{Js, Result, Run, Throw, coerce, error, literal, text};
use crate::value::Str;

/// The base64 alphabet. Padding is optional, and trailing bits are allowed.
const BASE64: Engine = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

fn buffer(bytes: impl Into<Rc<[u8]>>) -> Js {
    Js::Object(Obj::special(Special::Buffer(bytes.into())))
}

fn bytes_of(value: &Js) -> Option<Rc<[u8]>> {
    match value.as_object()?.special_part()? {
        Special::Buffer(bytes) => Some(bytes),
        _ => None,
    }
}

/// Implements `Buffer.from`.
pub fn buffer_from(_: &Run, arguments: &[Js]) -> Result {
    let source = argument(arguments, 0);
    if let Some(bytes) = bytes_of(&source) {
        return Ok(buffer(bytes));
    }
    match &source {
        Js::String(source) => {
            text::reserve(source.len())?;
            Ok(buffer(decode(source, &encoding(arguments, 1)?)?))
        }
        Js::Object(object) if object.is_array() => {
            let numbers = literal::iterate(&source)?;
            let bytes = numbers.iter().map(|number| Ok(coerce::uint32(coerce::number(number)?) as u8));
            Ok(buffer(bytes.collect::<Result<Vec<u8>>>()?))
        }
        _ => Err(error::type_error("The first argument must be of type string or an instance of Buffer or Array")),
    }
}

fn encoding(arguments: &[Js], position: usize) -> Result<Str> {
    match argument(arguments, position) {
        Js::String(encoding) => Ok(encoding),
        _ => Ok(Str::from_static("utf8")),
    }
}

/// Implements `Buffer.isBuffer`.
pub fn buffer_is_buffer(_: &Run, arguments: &[Js]) -> Result {
    Ok(Js::Bool(bytes_of(&argument(arguments, 0)).is_some()))
}

/// Implements `Buffer.byteLength`.
pub fn buffer_byte_length(run: &Run, arguments: &[Js]) -> Result {
    let buffer = buffer_from(run, arguments)?;
    Ok(Js::Number(bytes_of(&buffer).map_or(0, |bytes| bytes.len()) as f64))
}

/// Implements `Buffer.concat`.
pub fn buffer_concat(_: &Run, arguments: &[Js]) -> Result {
    let mut all = Vec::new();
    for item in literal::iterate(&argument(arguments, 0))? {
        let bytes = bytes_of(&item).ok_or_else(|| error::type_error("the list must hold Buffers"))?;
        text::reserve(bytes.len())?;
        all.extend_from_slice(&bytes);
    }
    Ok(buffer(all))
}

fn unknown(encoding: &str) -> Throw {
    error::type_error(format!("Unknown encoding: {encoding}"))
}

/// Converts text to bytes. As in Node, an invalid character ends the text or is skipped, depending
/// on the encoding.
fn decode(source: &str, encoding: &str) -> Result<Vec<u8>> {
    Ok(match encoding.to_ascii_lowercase().as_str() {
        "utf8" | "utf-8" => source.as_bytes().to_vec(),
        "base64" | "base64url" => {
            let mut digits: Vec<u8> = Vec::with_capacity(source.len());
            for byte in source.bytes() {
                match byte {
                    b'=' => break,
                    b'-' => digits.push(b'+'),
                    b'_' => digits.push(b'/'),
                    b'+' | b'/' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => digits.push(byte),
                    _ => {}
                }
            }
            // A single digit is less than a byte.
            if digits.len() % 4 == 1 {
                digits.pop();
            }
            BASE64.decode(digits).unwrap_or_default()
        }
        "hex" => {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            let pair = |pair: &[u8]| Some((digit(pair[0])? << 4 | digit(pair[1])?) as u8);
            source.as_bytes().chunks_exact(2).map_while(pair).collect()
        }
        "latin1" | "binary" | "ascii" => source.encode_utf16().map(|unit| unit as u8).collect(),
        _ => return Err(unknown(encoding)),
    })
}

/// Converts bytes to text.
pub(in crate::expr::js) fn encode(bytes: &[u8], encoding: &str) -> Result<Str> {
    text::reserve(bytes.len().saturating_mul(2))?;
    Ok(match encoding.to_ascii_lowercase().as_str() {
        "utf8" | "utf-8" => String::from_utf8_lossy(bytes).into(),
        "base64" => BASE64.encode(bytes).into(),
        "base64url" => URL_SAFE_NO_PAD.encode(bytes).into(),
        "hex" => bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into(),
        "latin1" | "binary" => bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into(),
        "ascii" => bytes.iter().map(|byte| char::from(byte & 0x7f)).collect::<String>().into(),
        _ => return Err(unknown(encoding)),
    })
}

/// Returns the exception of `atob` and `btoa`: a DOMException, represented as an Error of this
/// name.
#[cold]
fn invalid_character(message: &'static str) -> Throw {
    Throw::Value(error::make("InvalidCharacterError", Some(Js::text(message)), None))
}

/// Implements `atob`: returns a string of the bytes.
pub fn atob(_: &Run, arguments: &[Js]) -> Result {
    let source = coerce::string(&argument(arguments, 0))?;
    text::reserve(source.len().saturating_mul(2))?;
    let digits: String = source.chars().filter(|c| !matches!(c, ' ' | '\t' | '\n' | '\u{c}' | '\r')).collect();
    let padded = digits.len().is_multiple_of(4);
    let bare = digits.trim_end_matches('=');
    // Padding is absent or complete.
    let valid = bare.len() % 4 != 1 && (bare.len() == digits.len() || (padded && digits.len() - bare.len() <= 2));
    let bytes = if valid { BASE64.decode(bare).ok() } else { None };
    let bytes = bytes.ok_or_else(|| invalid_character("The string to be decoded is not correctly encoded."))?;
    Ok(Js::from(bytes.iter().map(|byte| char::from(*byte)).collect::<String>()))
}

/// Implements `btoa` for a string whose units are bytes.
pub fn btoa(_: &Run, arguments: &[Js]) -> Result {
    let source = coerce::string(&argument(arguments, 0))?;
    text::reserve(source.len().saturating_mul(2))?;
    let bytes: Option<Vec<u8>> = source.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
    let bytes = bytes.ok_or_else(|| invalid_character("The string contains characters outside of Latin1"))?;
    Ok(Js::from(BASE64.encode(bytes)))
}
