//! Strings as sequences of UTF-16 units (ECMA-262 §6.1.4), stored as UTF-8.
//!
//! In ASCII text, units are bytes and nothing is converted. A lone surrogate cannot be represented
//! and becomes U+FFFD ([Q14](docs/composer.md#q14)).

use std::cell::RefCell;
use std::cmp::Ordering;
use std::ptr;

use super::budget::{charge, spend, walk};
use super::{Result, error};
use crate::value::Str;

/// The maximum length of a string in units, as in V8.
pub(super) const MAX_LENGTH: usize = (1 << 29) - 24;

/// The length, in bytes, from which the units of the last accessed text are cached. Without the
/// cache, a loop over the positions of a long text would take quadratic time.
const LONG: usize = 256;

thread_local! {
    static LAST: RefCell<Option<(Str, Units)>> = const { RefCell::new(None) };
}

/// The units of a text, or `None` for ASCII text.
type Units = Option<Vec<u16>>;

/// Calls `look` with the units of a long text, which are computed once.
fn with_units<R>(text: &Str, look: impl FnOnce(&Units) -> R) -> R {
    LAST.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|(last, _)| !ptr::eq(last.as_str(), text.as_str())) {
            *last = None;
        }
        let make = || {
            walk(text.len());
            (text.clone(), if text.is_ascii() { None } else { Some(units(text)) })
        };
        look(&last.get_or_insert_with(make).1)
    })
}

/// Clears the cache of the last accessed text.
pub(super) fn forget() {
    // When the thread ends, the cache may be destroyed.
    let _ = LAST.try_with(|last| last.take());
}

/// Returns the length in units.
pub(super) fn length(text: &Str) -> usize {
    if text.len() >= LONG {
        return with_units(text, |units| units.as_ref().map_or(text.len(), Vec::len));
    }
    units_in(text)
}

/// Returns `true` if units are bytes.
fn is_ascii(text: &Str) -> bool {
    if text.len() >= LONG { with_units(text, Option::is_none) } else { text.is_ascii() }
}

/// Returns the length of a part of a text in units.
pub(super) fn units_in(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(char::len_utf16).sum() }
}

/// Returns the units of a text.
pub(super) fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// Converts units to text.
pub(super) fn of_units(units: &[u16]) -> Str {
    String::from_utf16_lossy(units).into()
}

/// Returns the unit at a position.
pub(super) fn unit_at(text: &Str, position: usize) -> Option<u16> {
    if text.len() >= LONG {
        let ascii = || text.as_bytes().get(position).copied().map(u16::from);
        return with_units(text, |units| units.as_ref().map_or_else(ascii, |units| units.get(position).copied()));
    }
    if text.is_ascii() {
        return text.as_bytes().get(position).copied().map(u16::from);
    }
    text.encode_utf16().nth(position)
}

/// Returns the text between two positions in units, where `start <= end <= length`.
pub(super) fn slice(text: &Str, start: usize, end: usize) -> Str {
    if start == 0 && end >= text.len() {
        return text.clone();
    }
    let part = if text.len() >= LONG {
        with_units(text, |units| match units {
            None => text.get(start..end).unwrap_or_default().into(),
            Some(units) => of_units(units.get(start..end.min(units.len())).unwrap_or_default()),
        })
    } else {
        short_slice(text, start, end)
    };
    spend(part.len());
    part
}

fn short_slice(text: &str, start: usize, end: usize) -> Str {
    if text.is_ascii() {
        return text.get(start..end).unwrap_or_default().into();
    }
    let mut part = String::new();
    let mut at = 0;
    for c in text.chars() {
        let next = at + c.len_utf16();
        if at >= end {
            break;
        }
        match next.min(end).saturating_sub(at.max(start)) {
            0 => {}
            taken if taken == c.len_utf16() => part.push(c),
            // One half of a surrogate pair.
            _ => part.push(char::REPLACEMENT_CHARACTER),
        }
        at = next;
    }
    part.into()
}

/// Converts a position in bytes to a position in units.
pub(super) fn units_before(text: &Str, byte: usize) -> usize {
    if is_ascii(text) {
        return byte.min(text.len());
    }
    walk(byte);
    units_in(text.get(..byte).unwrap_or(text))
}

/// Returns the position, in bytes, of the first occurrence of a text at or after `start`.
pub(super) fn find(text: &str, start: usize, wanted: &str) -> Option<usize> {
    let offset = text[start..].find(wanted);
    walk(offset.unwrap_or(text.len() - start) + wanted.len());
    offset.map(|at| start + at)
}

/// Converts a position in units to a position in bytes. Returns `true` if the position is inside a
/// surrogate pair; the returned position is then after the pair.
pub(super) fn byte_of(text: &Str, position: usize) -> (usize, bool) {
    if is_ascii(text) {
        return (position.min(text.len()), false);
    }
    walk(position);
    let mut at = 0;
    for (byte, c) in text.char_indices() {
        if at >= position {
            return (byte, at > position);
        }
        at += c.len_utf16();
    }
    (text.len(), at > position)
}

/// Compares by units (§7.2.13).
pub(super) fn compare(left: &str, right: &str) -> Ordering {
    let common = left.bytes().zip(right.bytes()).position(|(left, right)| left != right);
    walk(common.unwrap_or(left.len().min(right.len())));
    match common {
        None => left.len().cmp(&right.len()),
        // The first different byte of UTF-8 decides, except for surrogate pairs, which sort below
        // U+E000 to U+FFFF.
        Some(at) => {
            let (left, right) = (left.as_bytes()[at], right.as_bytes()[at]);
            match (left >= 0xf0, right >= 0xf0) {
                (true, false) if right >= 0xee => Ordering::Less,
                (false, true) if left >= 0xee => Ordering::Greater,
                _ => left.cmp(&right),
            }
        }
    }
}

/// Concatenates two texts.
pub(super) fn concat(left: &Str, right: &Str) -> Result<Str> {
    if left.is_empty() {
        return Ok(right.clone());
    }
    if right.is_empty() {
        return Ok(left.clone());
    }
    reserve(left.len() + right.len())?;
    let mut text = String::with_capacity(left.len() + right.len());
    text.push_str(left);
    text.push_str(right);
    Ok(text.into())
}

/// Counts the memory of a string that is about to be allocated.
pub(super) fn reserve(bytes: usize) -> Result<()> {
    if bytes > MAX_LENGTH {
        return Err(error::range_error("Invalid string length"));
    }
    charge(bytes)
}

/// Returns `true` for white space and line terminators (§12.2, §12.3).
pub(super) fn is_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}
