//! The formats `@text`, `@json`, `@csv` and so on.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::number::is_nan;
use super::{Error, Result, budget, text, type_error};
use crate::uri;
use crate::value::Value;

/// Returns the text that `@html`, `@uri` and similar formats apply to. These formats take any
/// value.
fn text_of(value: &Value) -> Result<String> {
    let mut out = String::new();
    text::push(&mut out, value)?;
    Ok(out)
}

/// Implements `format(name)`.
pub fn format(value: &Value, name: &Value) -> Result<Value> {
    let Value::String(name) = name else { return Err(type_error(name, "is not a valid format")) };
    match name.as_str() {
        "text" => super::tostring(value),
        "json" => super::tojson(value),
        "csv" => csv(value),
        "tsv" => tsv(value),
        "html" => html(value),
        "uri" => uri(value),
        "urid" => urid(value),
        "sh" => sh(value),
        "base64" => base64(value),
        "base64d" => base64d(value),
        "base32" => base32(value),
        "base32d" => base32d(value),
        name => Err(Error::message(format!("{name} is not a valid format"))),
    }
}

/// Replaces characters of a text.
fn escape(text: &str, out: &mut String, escaped: impl Fn(char) -> Option<&'static str>) -> Result<()> {
    let start = out.len();
    for c in text.chars() {
        match escaped(c) {
            Some(escape) => out.push_str(escape),
            None => out.push(c),
        }
    }
    budget::charge(out.len() - start)
}

/// Implements `@csv`.
pub fn csv(value: &Value) -> Result<Value> {
    row(value, ",", "\"", "cannot be csv-formatted, only array", |c| match c {
        '"' => Some("\"\""),
        '\0' => Some("\\0"),
        _ => None,
    })
}

/// Implements `@tsv`.
pub fn tsv(value: &Value) -> Result<Value> {
    row(value, "\t", "", "cannot be tsv-formatted, only array", |c| match c {
        '\t' => Some("\\t"),
        '\r' => Some("\\r"),
        '\n' => Some("\\n"),
        '\\' => Some("\\\\"),
        '\0' => Some("\\0"),
        _ => None,
    })
}

fn row(
    value: &Value,
    separator: &str,
    quote: &str,
    refusal: &str,
    escaped: impl Fn(char) -> Option<&'static str>,
) -> Result<Value> {
    let Value::Array(cells) = value else { return Err(type_error(value, refusal)) };
    let mut out = String::new();
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            budget::charge(separator.len())?;
            out.push_str(separator);
        }
        match cell {
            Value::Null => {}
            number if is_nan(number) => {}
            Value::String(text) => {
                out.push_str(quote);
                escape(text, &mut out, &escaped)?;
                out.push_str(quote);
            }
            Value::Array(_) | Value::Object(_) => return Err(type_error(cell, "is not valid in a csv row")),
            scalar => text::push(&mut out, scalar)?,
        }
    }
    Ok(Value::from(out))
}

/// Implements `@html`.
pub fn html(value: &Value) -> Result<Value> {
    let mut out = String::new();
    escape(&text_of(value)?, &mut out, |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '\'' => Some("&apos;"),
        '"' => Some("&quot;"),
        '\0' => Some("\\0"),
        _ => None,
    })?;
    Ok(Value::from(out))
}

/// Implements `@uri`.
pub fn uri(value: &Value) -> Result<Value> {
    let out = uri::encode(&text_of(value)?);
    budget::charge(out.len())?;
    Ok(Value::from(out))
}

/// Implements `@urid`.
pub fn urid(value: &Value) -> Result<Value> {
    let text = text_of(value)?;
    uri::decode(&text).map(Value::from).ok_or_else(|| type_error(&Value::from(text), "is not a valid uri encoding"))
}

/// Implements `@sh`.
pub fn sh(value: &Value) -> Result<Value> {
    let mut out = String::new();
    let mut word = |at: usize, value: &Value| {
        if at > 0 {
            out.push(' ');
        }
        match value {
            Value::String(text) => {
                out.push('\'');
                escape(text, &mut out, |c| match c {
                    '\'' => Some("'\\''"),
                    '\0' => Some("\\0"),
                    _ => None,
                })?;
                out.push('\'');
                budget::charge(2)
            }
            Value::Array(_) | Value::Object(_) => Err(type_error(value, "can not be escaped for shell")),
            scalar => text::push(&mut out, scalar),
        }
    };
    match value {
        Value::Array(words) => words.iter().enumerate().try_for_each(|(at, value)| word(at, value))?,
        value => word(0, value)?,
    }
    Ok(Value::from(out))
}

/// The base64 alphabet of jq. Padding is optional.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Implements `@base64`.
pub fn base64(value: &Value) -> Result<Value> {
    let text = text_of(value)?;
    budget::charge(text.len() / 3 * 4 + 4)?;
    Ok(Value::from(BASE64.encode(text)))
}

/// Implements `@base64d`. Invalid UTF-8 becomes U+FFFD. Everything after the first `=` is ignored.
pub fn base64d(value: &Value) -> Result<Value> {
    let text = text_of(value)?;
    let digits = text.split('=').next().unwrap_or_default();
    if !digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/') {
        return Err(type_error(&Value::from(text), "is not valid base64 data"));
    }
    match BASE64.decode(digits) {
        Ok(bytes) => Ok(Value::from(text_of_bytes(&bytes))),
        Err(_) => Err(type_error(&Value::from(text), "trailing base64 byte found")),
    }
}

const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Implements `@base32`.
pub fn base32(value: &Value) -> Result<Value> {
    let text = text_of(value)?;
    let mut out = String::with_capacity(text.len().div_ceil(5) * 8);
    budget::charge(out.capacity())?;
    for group in text.as_bytes().chunks(5) {
        let bits = group.iter().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte)) << (8 * (5 - group.len()));
        let digits = (group.len() * 8).div_ceil(5);
        for at in 0..8 {
            let digit = BASE32[(bits >> (35 - 5 * at) & 31) as usize];
            out.push(if at < digits { char::from(digit) } else { '=' });
        }
    }
    Ok(Value::from(out))
}

/// Implements `@base32d`.
pub fn base32d(value: &Value) -> Result<Value> {
    let text = text_of(value)?;
    let (mut bits, mut bit_count) = (0u64, 0);
    let mut decoded = Vec::new();
    for byte in text.trim_end_matches('=').bytes() {
        let digit = BASE32.iter().position(|digit| *digit == byte);
        let Some(digit) = digit else { return Err(type_error(&Value::from(&*text), "is not valid base32 data")) };
        bits = bits << 5 | digit as u64;
        bit_count += 5;
        if bit_count >= 8 {
            bit_count -= 8;
            decoded.push((bits >> bit_count) as u8);
            bits &= (1 << bit_count) - 1;
        }
    }
    Ok(Value::from(text_of_bytes(&decoded)))
}

/// Converts bytes to text. Each invalid sequence becomes one U+FFFD. A sequence has the length
/// that its first byte announces, or ends before the first byte that does not continue it.
fn text_of_bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(first) = rest.first() {
        let announced = match first {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => 1,
        };
        let goes_on = |byte: &&u8| (0x80..0xc0).contains(*byte);
        let len = match rest.len() < announced {
            true => rest.len(),
            false => 1 + rest[1..announced].iter().take_while(goes_on).count(),
        };
        let (sequence, after) = rest.split_at(len);
        text.push_str(std::str::from_utf8(sequence).unwrap_or("\u{fffd}"));
        rest = after;
    }
    text
}
