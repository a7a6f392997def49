//! URIs (ECMA-262 §19.2.6).

use super::super::call::argument;
use super::super::{Js, Result, Run, coerce, error, text};

const MARKS: &str = "-_.!~*'()";
const RESERVED: &str = ";/?:@&=+$,";

/// Implements `encodeURIComponent`.
pub fn encode_uri_component(_: &Run, arguments: &[Js]) -> Result {
    encode(arguments, |c| MARKS.contains(c))
}

/// Implements `encodeURI`.
pub fn encode_uri(_: &Run, arguments: &[Js]) -> Result {
    encode(arguments, |c| c == '#' || MARKS.contains(c) || RESERVED.contains(c))
}

fn encode(arguments: &[Js], kept: fn(char) -> bool) -> Result {
    let source = coerce::string(&argument(arguments, 0))?;
    text::reserve(source.len() * 3)?;
    let mut out = String::with_capacity(source.len());
    for c in source.chars() {
        if c.is_ascii_alphanumeric() || kept(c) {
            out.push(c);
        } else {
            c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
        }
    }
    Ok(Js::from(out))
}

/// Implements `decodeURIComponent`.
pub fn decode_uri_component(_: &Run, arguments: &[Js]) -> Result {
    decode(arguments, "")
}

/// Implements `decodeURI`.
pub fn decode_uri(_: &Run, arguments: &[Js]) -> Result {
    decode(arguments, ";/?:@&=+$,#")
}

fn decode(arguments: &[Js], kept: &str) -> Result {
    let source = coerce::string(&argument(arguments, 0))?;
    text::reserve(source.len())?;
    let mut out = String::with_capacity(source.len());
    let mut rest = source.as_str();
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (decoded, length) = sequence(rest.as_bytes()).ok_or_else(|| error::uri_error("URI malformed"))?;
        if kept.contains(decoded) {
            out.push_str(&rest[..length]);
        } else {
            out.push(decoded);
        }
        rest = &rest[length..];
    }
    out.push_str(rest);
    Ok(Js::from(out))
}

/// Decodes the escaped UTF-8 character at the start of a text. Returns the character and the
/// length of its escapes.
fn sequence(text: &[u8]) -> Option<(char, usize)> {
    let escape = |at: usize| {
        let [b'%', high, low] = text.get(3 * at..3 * at + 3)? else { return None };
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        Some((digit(high)? << 4 | digit(low)?) as u8)
    };
    let first = escape(0)?;
    let count = match first {
        0..0x80 => 1,
        0xc2..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..0xf5 => 4,
        _ => return None,
    };
    let bytes: Vec<u8> = (0..count).map(escape).collect::<Option<_>>()?;
    Some((std::str::from_utf8(&bytes).ok()?.chars().next()?, 3 * count))
}
