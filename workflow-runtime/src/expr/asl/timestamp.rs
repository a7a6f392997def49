//! Timestamps of the Amazon States Language: RFC 3339 with an upper-case `T`, and `Z` or an
//! offset.

use workflow_model::rfc3339;

use crate::budget;
use crate::value::Value;

/// A point in time: whole seconds since 1970-01-01T00:00:00Z, and nanoseconds after them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::expr) struct Instant {
    pub seconds: i64,
    pub nanos: u32,
}

/// Reads a value as a timestamp.
pub(super) fn of(value: &Value) -> Option<Instant> {
    let text = value.as_str()?;
    budget::spend_text(text);
    read(text)
}

/// Reads `2016-03-14T01:59:00Z` or `2016-03-14T01:59:00.123+01:00`. Decimals after the ninth are
/// dropped.
pub(in crate::expr) fn read(text: &str) -> Option<Instant> {
    let bytes = text.as_bytes();
    // Other times of RFC 3339 have a blank, lower-case letters or leap seconds.
    let is_narrow = bytes.get(10) == Some(&b'T') && bytes.get(17) != Some(&b'6') && bytes.last() != Some(&b'z');
    let (seconds, nanos) = is_narrow.then(|| rfc3339::read(text))??;
    Some(Instant { seconds, nanos })
}
