//! The length of the JSON text of documents, and its limits.
//!
//! A document shares its parts. Sixty steps of `{"a": v, "b": v}` make a document of a few hundred
//! bytes whose text has 2^60 leaves. The length is therefore computed before the text is written.
//! Each array and object remembers its length, so that a shared or unchanged part is counted once.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use super::walk::Open;
use super::{Array, Object, Value};
use crate::budget::{self, STRIDE};

/// The default limit of the JSON text of a document that leaves the process: 64 MiB.
pub const DOCUMENT_LIMIT: u64 = 64 << 20;

/// The limit of the JSON text of a document under any settings: 1 GiB.
pub const TEXT_LIMIT: u64 = 1 << 30;

/// The length of the JSON text of an array or object, once it was counted, or an estimate that it
/// does not exceed. A clone keeps it.
#[derive(Default)]
pub(super) struct Length(AtomicU64);

/// The most bytes of an array or object without parts, and of a comma.
const EMPTY: u64 = 3;

/// The bit that distinguishes an estimate from a length.
const ESTIMATE: u64 = 1 << 63;

/// The estimate from which an insertion makes the length unknown, so that it is estimated anew.
const MOST_GROWN: u64 = 1 << 20;

impl Length {
    pub(super) const fn new() -> Length {
        Length(AtomicU64::new(0))
    }

    /// Forgets the length, because the caller may change the array or object.
    pub(super) fn forget(&mut self) {
        *self.0.get_mut() = 0;
    }

    /// Accounts for a member that is added or replaces another. `more` returns a length that the
    /// member and its comma do not exceed, if one is known.
    #[inline]
    pub(super) fn grow(&mut self, more: impl FnOnce() -> Option<u64>) {
        let known = *self.0.get_mut() & !ESTIMATE;
        if known > 0 {
            let grown = more().map_or(u64::MAX, |more| known.saturating_add(more));
            // A replaced member still counts. A bound on the sum keeps repeated replacements from
            // inflating it.
            *self.0.get_mut() = if grown < MOST_GROWN { grown | ESTIMATE } else { 0 };
        }
    }

    pub(super) fn get(&self) -> Option<u64> {
        // An array or object has two brackets.
        Some(self.0.load(Ordering::Relaxed)).filter(|length| *length > 0 && length & ESTIMATE == 0)
    }

    /// Returns a length that the text and a comma do not exceed, if one is known.
    #[inline]
    fn bound(&self) -> Option<u64> {
        Some(self.0.load(Ordering::Relaxed)).filter(|length| *length > 0).map(|length| (length & !ESTIMATE) + 1)
    }

    /// Remembers and returns an estimate of the length and of a comma, unless it is beyond reason.
    #[inline]
    fn estimate(&self, bound: u64) -> Option<u64> {
        if bound >= ESTIMATE {
            return None;
        }
        self.0.store(bound | ESTIMATE, Ordering::Relaxed);
        Some(bound)
    }

    // All threads compute the same length and estimate, and either is right, so that the order of
    // their stores does not matter.
    fn set(&self, length: u64) {
        self.0.store(length, Ordering::Relaxed);
    }
}

impl Clone for Length {
    fn clone(&self) -> Length {
        Length(AtomicU64::new(self.0.load(Ordering::Relaxed)))
    }
}

/// The error of a document whose JSON text exceeds its limit. Nothing was written.
///
/// ```
/// use workflow_runtime::{TooLarge, value};
///
/// let order = value!({ "id": 7 });
/// assert_eq!(order.to_json(1_000), Ok(r#"{"id":7}"#.to_owned()));
/// assert_eq!(order.to_json(4), Err(TooLarge { limit: 4 }));
/// ```
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
    /// The time is linear in the parts that changed since they were counted, and bounded by the
    /// limit.
    pub fn json_len(&self, limit: u64) -> Result<u64, TooLarge> {
        let length = match self {
            Value::Array(items) => items.length.get(),
            Value::Object(members) => members.length.get().or_else(|| count_record(members, limit)),
            _ => None,
        };
        length.filter(|length| *length <= limit).or_else(|| count(self, limit)).ok_or(TooLarge { limit })
    }

    /// Returns `true` if its JSON text has more bytes than this.
    #[inline]
    pub(crate) fn is_longer_than(&self, bytes: u64) -> bool {
        known_bound(self).is_none_or(|bound| bound > bytes) && self.is_counted_longer_than(bytes)
    }

    #[inline(never)]
    fn is_counted_longer_than(&self, bytes: u64) -> bool {
        match self.counted() {
            Some(length) => length > bytes,
            None => !surely_fits(self, bytes) && count(self, bytes).is_none(),
        }
    }

    /// Returns the length of an array or object that was counted.
    fn counted(&self) -> Option<u64> {
        match self {
            Value::Array(items) => items.length.get(),
            Value::Object(members) => members.length.get(),
            _ => None,
        }
    }
}

/// The most parts of a document that are estimated anew.
const FEW: usize = 1024;

/// The most members of a new part that is estimated when it is added.
const FEW_MEMBERS: usize = 16;

/// The most levels of such a document.
const LEVELS: u32 = 16;

/// The most bytes of a scalar that is no text, and of a comma: a double has 17 digits, a sign, a
/// point, and an exponent or a few zeros.
const SCALAR: u64 = 32;

/// Returns `true` if the JSON text certainly has at most this many bytes. This takes less time
/// than to count the text, and each part remembers the estimate as it remembers its length.
#[inline]
fn surely_fits(value: &Value, limit: u64) -> bool {
    let mut left = FEW;
    bound_of_new(value, LEVELS, &mut left).is_some_and(|bound| bound <= limit)
}

/// Returns a length that a part and the comma after it do not exceed, unless that takes a look at
/// its own parts.
#[inline]
fn known_bound(value: &Value) -> Option<u64> {
    match value {
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => Some(SCALAR),
        Value::String(text) => Some(bound_of_text(text)),
        Value::Array(items) => items.length.bound(),
        Value::Object(members) => members.length.bound(),
    }
}

/// Returns a length that a part and the comma after it do not exceed. Looks at the members of a
/// small object. `None` for an array, a larger object, or a member whose length is not known.
#[inline]
pub(super) fn bound_of_part(value: &Value) -> Option<u64> {
    match (known_bound(value), value) {
        (None, Value::Object(members)) => bound_of_members(members, 1, &mut { FEW_MEMBERS }),
        (known, _) => known,
    }
}

/// Returns a length that an array or object whose length is not known and the comma after it do
/// not exceed; `None` if there are too many new parts.
fn bound_of_new(value: &Value, levels: u32, left: &mut usize) -> Option<u64> {
    match value {
        Value::Array(items) => bound_of_items(items, levels, left),
        Value::Object(members) => bound_of_members(members, levels, left),
        scalar => known_bound(scalar),
    }
}

fn bound_of_items(items: &Array, levels: u32, left: &mut usize) -> Option<u64> {
    let levels = levels.checked_sub(1)?;
    *left = left.checked_sub(items.len())?;
    let mut total = EMPTY;
    for item in items {
        total = total.saturating_add(known_bound(item).or_else(|| bound_of_new(item, levels, left))?);
    }
    items.length.estimate(total)
}

#[inline(never)]
fn bound_of_members(members: &Object, levels: u32, left: &mut usize) -> Option<u64> {
    let levels = levels.checked_sub(1)?;
    *left = left.checked_sub(members.len())?;
    let mut total = EMPTY;
    for (key, value) in members {
        let bound = known_bound(value).or_else(|| bound_of_new(value, levels, left))?;
        total = total.saturating_add(bound_of_text(key)).saturating_add(bound);
    }
    members.length.estimate(total)
}

/// Returns a length that a text and a comma or colon do not exceed: a byte becomes at most six.
#[inline]
pub(super) fn bound_of_text(text: &str) -> u64 {
    (text.len() as u64).saturating_mul(6).saturating_add(3)
}

/// Returns the length of the text that [`Display`](fmt::Display) writes; `None` above the limit.
///
/// Every step but the end of a part adds at least one byte, and a remembered part is one step, so
/// that the limit bounds the time.
fn count(value: &Value, limit: u64) -> Option<u64> {
    let mut counter = Counter { total: 0, limit };
    let Some(mut innermost) = counter.enter(value)? else { return Some(counter.total) };
    // A document without nested parts needs no list, which would be allocated for each command.
    let mut outer: Vec<Part<'_>> = Vec::new();
    loop {
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
                if let Some(part) = counter.enter(value)? {
                    outer.push(std::mem::replace(&mut innermost, part));
                }
            }
            None => {
                innermost.length.set(counter.total - innermost.start);
                match outer.pop() {
                    Some(part) => innermost = part,
                    None => return Some(counter.total),
                }
            }
        }
    }
}

/// The most members of an object that is counted as a record.
const RECORD: usize = 64;

/// Returns the length of an object whose members are short texts without escapes, as the rows of
/// tables are. `None` if it has others.
fn count_record(members: &Object, limit: u64) -> Option<u64> {
    if members.len() > RECORD {
        return None;
    }
    // The brackets, and the commas between the members.
    let mut total = 1 + members.len().max(1) as u64;
    for (key, value) in members {
        let Value::String(value) = value else { return None };
        if key.len() >= STRIDE || value.len() >= STRIDE || !is_plain(key.as_bytes()) || !is_plain(value.as_bytes()) {
            return None;
        }
        // Four quotes and a colon.
        total += (key.len() + value.len() + 5) as u64;
    }
    budget::spend(members.len() + 1);
    (total <= limit).then(|| {
        members.length.set(total);
        total
    })
}

/// An array or object that is being counted.
struct Part<'a> {
    rest: Open<'a>,
    /// Set if a comma precedes the next element or member.
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

    /// Counts a scalar, or the brackets of an array or object, whose inside it returns unless its
    /// length is known.
    fn enter<'a>(&mut self, value: &'a Value) -> Option<Option<Part<'a>>> {
        let (rest, length) = match value {
            Value::Null | Value::Bool(true) => return self.add(4).map(|()| None),
            Value::Bool(false) => return self.add(5).map(|()| None),
            Value::Int(number) => return self.add(digits(*number)).map(|()| None),
            Value::Float(number) => return self.add(float(*number)).map(|()| None),
            Value::String(text) => return self.text(text).map(|()| None),
            Value::Array(items) => (Open::array(items), &items.length),
            Value::Object(members) => (Open::object(members), &members.length),
        };
        if let Some(known) = length.get() {
            return self.add(known).map(|()| None);
        }
        budget::spend(rest.len() + 1);
        let start = self.total;
        self.add(2)?;
        Some(Some(Part { rest, comma: false, length, start }))
    }

    /// Counts a string: its quotes, its bytes and its escapes.
    fn text(&mut self, text: &str) -> Option<()> {
        // Escapes only add to the length: a text that does not fit without them is not scanned.
        self.add(text.len() as u64 + 2)?;
        budget::spend_text(text);
        if is_plain(text.as_bytes()) {
            return Some(());
        }
        let escapes: u64 = text.bytes().map(|byte| u64::from(ESCAPES[usize::from(byte)])).sum();
        self.add(escapes)
    }
}

/// Returns `true` if a text certainly has no escapes. Compares eight bytes at a time.
#[inline]
fn is_plain(text: &[u8]) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = ONES << 7;
    // The highest bit of a byte is set if the byte is below 0x20, a quote or a backslash, and
    // perhaps if the byte before it is.
    let has_escapes = |block: [u8; 8]| {
        let block = u64::from_le_bytes(block);
        let is_zero = |block: u64| block.wrapping_sub(ONES) & !block;
        let below = block.wrapping_sub(ONES * 0x20) & !block;
        (below | is_zero(block ^ (ONES * 0x22)) | is_zero(block ^ (ONES * 0x5c))) & HIGHS != 0
    };
    if let Some(last) = text.last_chunk::<8>() {
        let (blocks, _) = text.as_chunks::<8>();
        return !has_escapes(*last) && !blocks.iter().any(|block| has_escapes(*block));
    }
    // Bytes of a shorter text count several times.
    let [a, b, c, d, e, f, g, h] = match (text.first_chunk::<4>(), text.last_chunk::<4>(), text) {
        (Some([a, b, c, d]), Some([e, f, g, h]), _) => [a, b, c, d, e, f, g, h],
        (.., [a, b, c]) => [a, b, c, a, b, c, a, b],
        (.., [a, b]) => [a, b, a, b, a, b, a, b],
        (.., [a]) => [a; 8],
        _ => return true,
    };
    !has_escapes([*a, *b, *c, *d, *e, *f, *g, *h])
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
