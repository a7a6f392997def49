//! The length of the JSON text of documents, and its limits.
//!
//! A document shares its parts. Sixty steps of `{"a": v, "b": v}` make one of a few hundred bytes whose text has 2^60 leaves.
//! So its text is counted before it is written. Each array and object remembers its length, so that a part that is shared, or
//! that did not change since it was counted, is not gone through again.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Value;
use super::walk::Open;
use crate::budget;

/// The bytes of JSON text that a document may have where it leaves the process, unless another limit is set: 64 MiB.
pub const DOCUMENT_LIMIT: u64 = 64 << 20;

/// The bytes of JSON text that are written of a document whatever limit is set: 1 GiB.
pub const TEXT_LIMIT: u64 = 1 << 30;

/// The length of the JSON text of an array or object, once it was counted. A clone has it, too.
#[derive(Default)]
pub(super) struct Length(AtomicU64);

impl Length {
    pub(super) const fn new() -> Length {
        Length(AtomicU64::new(0))
    }

    /// Forgets the length, because the array or object can change from now on.
    pub(super) fn forget(&mut self) {
        *self.0.get_mut() = 0;
    }

    fn get(&self) -> Option<u64> {
        // An array or object has two brackets.
        Some(self.0.load(Ordering::Relaxed)).filter(|length| *length > 0)
    }

    /// Every thread that counts finds the same length, so their order is no matter.
    fn set(&self, length: u64) {
        self.0.store(length, Ordering::Relaxed);
    }
}

impl Clone for Length {
    fn clone(&self) -> Length {
        Length(AtomicU64::new(self.0.load(Ordering::Relaxed)))
    }
}

/// A document whose JSON text has more bytes than its limit. Nothing of it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge {
    /// The limit, in bytes.
    pub limit: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it has more than {} bytes as JSON", self.limit)
    }
}

impl std::error::Error for TooLarge {}

impl Value {
    /// Returns the bytes of its compact JSON text.
    ///
    /// The time is linear in the parts that were not counted since they changed, and in the limit at most.
    pub fn json_len(&self, limit: u64) -> Result<u64, TooLarge> {
        count(self, limit).ok_or(TooLarge { limit })
    }

    /// Returns `true` if its JSON text has more bytes than this.
    pub(crate) fn is_longer_than(&self, bytes: u64) -> bool {
        count(self, bytes).is_none()
    }
}

/// Counts the bytes of the text that [`Display`](fmt::Display) writes; `None` if there are more than the limit.
///
/// Every step but the return to a part that is remembered adds at least one byte, and the count goes up to the limit.
fn count(value: &Value, limit: u64) -> Option<u64> {
    let mut counter = Counter { total: 0, limit };
    let mut open: Vec<Part<'_>> = Vec::new();
    counter.enter(value, &mut open)?;
    while let Some(innermost) = open.last_mut() {
        match innermost.rest.next() {
            Some((key, value)) => {
                if innermost.comma {
                    counter.add(1)?;
                }
                innermost.comma = true;
                if let Some(key) = key {
                    counter.text(key)?;
                    counter.add(1)?;
                }
                counter.enter(value, &mut open)?;
            }
            None => {
                let part = open.pop()?;
                part.length.set(counter.total - part.start);
            }
        }
    }
    Some(counter.total)
}

/// An array or object that is being counted.
struct Part<'a> {
    rest: Open<'a>,
    /// Whether a comma stands before the next element or member.
    comma: bool,
    length: &'a Length,
    start: u64,
}

struct Counter {
    total: u64,
    limit: u64,
}

impl Counter {
    fn add(&mut self, bytes: u64) -> Option<()> {
        self.total = self.total.checked_add(bytes)?;
        (self.total <= self.limit).then_some(())
    }

    /// Counts a scalar, or the brackets of an array or object, which is opened then.
    fn enter<'a>(&mut self, value: &'a Value, open: &mut Vec<Part<'a>>) -> Option<()> {
        let (rest, length) = match value {
            Value::Null | Value::Bool(true) => return self.add(4),
            Value::Bool(false) => return self.add(5),
            Value::Int(number) => return self.add(digits(*number)),
            Value::Float(number) => return self.add(float(*number)),
            Value::String(text) => return self.text(text),
            Value::Array(items) => (Open::array(items), &items.length),
            Value::Object(members) => (Open::object(members), &members.length),
        };
        if let Some(known) = length.get() {
            return self.add(known);
        }
        budget::spend(rest.len() + 1);
        let start = self.total;
        self.add(2)?;
        open.push(Part { rest, comma: false, length, start });
        Some(())
    }

    /// Counts a string: its quotes, its bytes, and what JSON escapes of it.
    fn text(&mut self, text: &str) -> Option<()> {
        // Escapes only add to it, so that one which does not fit is not gone through.
        self.add(text.len() as u64 + 2)?;
        budget::spend_text(text);
        let escapes: u64 = text.bytes().map(|byte| u64::from(ESCAPES[usize::from(byte)])).sum();
        self.add(escapes)
    }
}

/// The bytes that the escape of a byte has more than the byte.
const ESCAPES: [u8; 256] = {
    let mut more = [0; 256];
    let mut byte = 0;
    while byte < 0x20 {
        more[byte] = 5;
        byte += 1;
    }
    let short = b"\"\\\x08\t\n\x0c\r";
    let mut at = 0;
    while at < short.len() {
        more[short[at] as usize] = 1;
        at += 1;
    }
    more
};

fn digits(number: i64) -> u64 {
    let digits = number.unsigned_abs().checked_ilog10().unwrap_or(0) + 1;
    u64::from(digits) + u64::from(number < 0)
}

fn float(number: f64) -> u64 {
    struct Length(u64);
    impl fmt::Write for Length {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 += text.len() as u64;
            Ok(())
        }
    }
    if !number.is_finite() {
        return 4;
    }
    let mut length = Length(0);
    let _infallible = fmt::Write::write_fmt(&mut length, format_args!("{number:?}"));
    length.0
}
