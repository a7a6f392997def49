//! The length of the JSON text of documents, and its limits.
//!
//! A document shares its parts. Sixty steps of `{"a": v, "b": v}` make a document of a few hundred
//! bytes whose text has 2^60 leaves. The length is therefore computed before the text is written,
//! and counts each shared part once.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use super::Value;
use super::walk::Open;
use crate::budget;

/// The default limit of the JSON text of a document that leaves the process: 64 MiB.
pub const DOCUMENT_LIMIT: u64 = 64 << 20;

/// The limit of the JSON text of a document under any settings: 1 GiB.
pub const TEXT_LIMIT: u64 = 1 << 30;

/// The length from which the length of a shared part is remembered. Counting a shorter part again
/// is as fast.
const SHORT: u64 = 64;

/// The error of a document whose JSON text exceeds its limit. Nothing was written.
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
    /// Returns the length of its compact JSON text, in bytes.
    ///
    /// The time is linear in the distinct parts, however often they are shared, and bounded by the
    /// limit.
    pub fn json_len(&self, limit: u64) -> Result<u64, TooLarge> {
        count(self, limit).ok_or(TooLarge { limit })
    }

    /// Returns `true` if its JSON text has more bytes than this.
    pub(crate) fn is_longer_than(&self, bytes: u64) -> bool {
        count(self, bytes).is_none()
    }
}

/// Returns the length of the text that [`Display`](fmt::Display) writes; `None` above the limit.
///
/// Every step but the return to a remembered part adds at least one byte, so that the limit bounds
/// the time.
fn count(value: &Value, limit: u64) -> Option<u64> {
    let mut counter = Counter { total: 0, limit, lengths: HashMap::default() };
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
                counter.leave(&part);
            }
        }
    }
    Some(counter.total)
}

/// An array or object that is being counted.
struct Part<'a> {
    rest: Open<'a>,
    /// Set if a comma precedes the next element or member.
    comma: bool,
    /// Its address, if it is shared.
    shared: Option<usize>,
    start: u64,
}

struct Counter {
    total: u64,
    limit: u64,
    /// The lengths of shared parts, by address. The document is borrowed, so that addresses are
    /// stable.
    lengths: HashMap<usize, u64, BuildHasherDefault<Address>>,
}

impl Counter {
    fn add(&mut self, bytes: u64) -> Option<()> {
        self.total = self.total.checked_add(bytes)?;
        (self.total <= self.limit).then_some(())
    }

    /// Counts a scalar, or the brackets of an array or object, which it then opens.
    fn enter<'a>(&mut self, value: &'a Value, open: &mut Vec<Part<'a>>) -> Option<()> {
        let (rest, shared) = match value {
            Value::Null | Value::Bool(true) => return self.add(4),
            Value::Bool(false) => return self.add(5),
            Value::Int(number) => return self.add(digits(*number)),
            Value::Float(number) => return self.add(float(*number)),
            Value::String(text) => return self.text(text),
            Value::Array(items) => (Open::array(items), address(items)),
            Value::Object(members) => (Open::object(members), address(members)),
        };
        if let Some(length) = shared.and_then(|address| self.lengths.get(&address)) {
            return self.add(*length);
        }
        budget::spend(rest.len() + 1);
        let start = self.total;
        self.add(2)?;
        open.push(Part { rest, comma: false, shared, start });
        Some(())
    }

    fn leave(&mut self, part: &Part<'_>) {
        let length = self.total - part.start;
        if let Some(address) = part.shared.filter(|_| length >= SHORT) {
            self.lengths.insert(address, length);
        }
    }

    /// Counts a string: its quotes, its bytes and its escapes.
    fn text(&mut self, text: &str) -> Option<()> {
        // Escapes only add to the length: a text that does not fit without them is not scanned.
        self.add(text.len() as u64 + 2)?;
        budget::spend_text(text);
        let escapes: u64 = text.bytes().map(|byte| u64::from(ESCAPES[usize::from(byte)])).sum();
        self.add(escapes)
    }
}

/// The additional bytes of the escape of a byte.
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

/// Returns the address of a part that is shared.
fn address<T>(part: &Arc<T>) -> Option<usize> {
    (Arc::strong_count(part) > 1).then(|| Arc::as_ptr(part).addr())
}

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

/// A hasher of addresses, which come from the allocator and not from outside.
#[derive(Default)]
struct Address(u64);

impl Hasher for Address {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_usize(usize::from(*byte)));
    }

    fn write_usize(&mut self, address: usize) {
        self.0 = (self.0 ^ address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
