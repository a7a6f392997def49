//! Escapes in addresses: `%20`.

use super::args::{self, Args};
use super::{limits, message};
use crate::expr::jsonata::convert;
use crate::expr::jsonata::error::{JsonataError, Result};
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::run::Evaluation;
use std::fmt::Write;

/// The characters besides letters and digits that no function escapes.
const UNRESERVED: &[u8] = b"-_.!~*'()";
/// The characters that separate the components of an address.
const RESERVED: &[u8] = b";/?:@&=+$,#";

/// Implements `$encodeUrl`, which leaves the separators of an address.
pub(super) fn encode_url(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    encode(run, args, |byte| UNRESERVED.contains(&byte) || RESERVED.contains(&byte))
}

/// Implements `$encodeUrlComponent`.
pub(super) fn encode_component(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    encode(run, args, |byte| UNRESERVED.contains(&byte))
}

fn encode(run: &mut Evaluation, args: Args<'_>, is_kept: fn(u8) -> bool) -> Result<Option<Item>> {
    let Some(text) = args::text(args, 0) else { return Ok(None) };
    let escaped = text.bytes().filter(|byte| !byte.is_ascii_alphanumeric() && !is_kept(*byte)).count() as u64;
    let mut out = String::with_capacity(limits::reserve(run, text.len() as u64 + 2 * escaped)?);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || is_kept(byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    Ok(Some(convert::text(out)))
}

/// Implements `$decodeUrl`, which leaves escapes of separators. Bytes must be UTF-8.
pub(super) fn decode_url(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(text) = args::text(args, 0) else { return Ok(None) };
    limits::reserve(run, text.len() as u64)?;
    let decoded = decode(text, |byte| RESERVED.contains(&byte), false);
    match decoded.and_then(|bytes| String::from_utf8(bytes).ok()) {
        Some(decoded) => Ok(Some(convert::text(decoded))),
        None => Err(malformed("decodeUrl", text)),
    }
}

/// Implements `$decodeUrlComponent`. A plus sign is a blank, and bytes that are not UTF-8 become
/// U+FFFD.
pub(super) fn decode_component(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(text) = args::text(args, 0) else { return Ok(None) };
    limits::reserve(run, text.len() as u64)?;
    match decode(text, |_| false, true) {
        Some(bytes) => Ok(Some(convert::text(String::from_utf8_lossy(&bytes)))),
        None => Err(malformed("decodeUrlComponent", text)),
    }
}

/// Replaces escapes by their bytes. Returns nothing for an escape without two digits.
fn decode(text: &str, is_kept: fn(u8) -> bool, plus_is_blank: bool) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match first {
            b'%' => {
                let [high, low, after @ ..] = rest else { return None };
                let digit = |byte: &u8| char::from(*byte).to_digit(16);
                // Two digits fit in a byte.
                let byte = (digit(high)? * 16 + digit(low)?) as u8;
                if is_kept(byte) {
                    out.extend([b'%', *high, *low]);
                } else {
                    out.push(byte);
                }
                rest = after;
            }
            b'+' if plus_is_blank => out.push(b' '),
            other => out.push(*other),
        }
    }
    Some(out)
}

fn malformed(function: &str, text: &str) -> JsonataError {
    JsonataError::new("D3140", format!("Malformed URL passed to ${function}(): {}", message::text(text)))
}
