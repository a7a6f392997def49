//! Texts of documents, each within a limit.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::io::{self, Write};

use super::walk::Open;
use super::{Str, TooLarge, Value};
use crate::budget;

/// The largest part of a value that a message quotes, in bytes.
pub(crate) const EXCERPT: usize = 32 << 10;

impl Value {
    /// Returns its compact JSON text, of at most this many bytes. Documents that leave the process
    /// are written by this method or by [`write_json`](Value::write_json), because
    /// [`Display`](fmt::Display) has no limit.
    pub fn to_json(&self, limit: u64) -> Result<String, TooLarge> {
        let length = self.json_len(limit)?;
        let mut text = String::with_capacity(usize::try_from(length).unwrap_or_default());
        budget::spend_bytes(text.capacity());
        let written = fmt::Write::write_fmt(&mut text, format_args!("{self}"));
        debug_assert!(written.is_ok() && text.len() as u64 == length, "{length} bytes were counted of {text}");
        Ok(text)
    }

    /// Returns its JSON text on several lines, of at most this many bytes including line breaks
    /// and indentation.
    pub fn to_json_pretty(&self, limit: u64) -> Result<String, TooLarge> {
        let mut text = Bounded::new(self.json_len(limit)?, limit);
        match fmt::Write::write_fmt(&mut text, format_args!("{self:#}")) {
            Ok(()) => Ok(text.text),
            Err(fmt::Error) => Err(TooLarge { limit }),
        }
    }

    /// Writes its compact JSON text piece by piece, if it has at most this many bytes. A longer
    /// text is an error of the kind [`FileTooLarge`](io::ErrorKind::FileTooLarge) around
    /// [`TooLarge`], and nothing is written.
    pub fn write_json(&self, limit: u64, out: &mut impl Write) -> io::Result<()> {
        self.json_len(limit).map_err(|error| io::Error::new(io::ErrorKind::FileTooLarge, error))?;
        write!(out, "{self}")
    }

    /// Returns its compact JSON text if it has at most this many bytes, and otherwise its
    /// beginning and `…`. Reads no more of the value than that.
    pub fn excerpt(&self, bytes: usize) -> String {
        Beginning { value: self, bytes }.to_string()
    }
}

/// A text that ends at a limit.
struct Bounded {
    text: String,
    limit: usize,
}

impl Bounded {
    fn new(capacity: u64, limit: u64) -> Bounded {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Bounded { text: String::with_capacity(usize::try_from(capacity).unwrap_or(limit).min(limit)), limit }
    }
}

impl fmt::Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let available = self.limit - self.text.len();
        self.text.push_str(up_to(text, available));
        if text.len() <= available { Ok(()) } else { Err(fmt::Error) }
    }
}

/// Appends a text, and counts it against the turn's budget. Returns `false` when there is no
/// budget for it: a text longer than [`DOCUMENT_LIMIT`](super::DOCUMENT_LIMIT) exhausts the
/// budget.
#[cfg(any(feature = "asl", feature = "serverless-workflow", feature = "workflow-dsl"))]
pub(crate) fn push_text(text: &mut String, more: &str) -> bool {
    let is_too_long = (text.len() + more.len()) as u64 > super::DOCUMENT_LIMIT
        && budget::exhaust("the execution built a text of more than 64 MiB");
    if is_too_long || !budget::spend_text(more) {
        return false;
    }
    text.push_str(more);
    true
}

/// Returns the text, or its beginning if it is too long for a message.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    match text.len() <= EXCERPT {
        true => Cow::Borrowed(text),
        false => Cow::Owned(format!("{}…", up_to(text, EXCERPT))),
    }
}

/// Returns the beginning of a text, of at most this many bytes.
fn up_to(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns the text, or its beginning, as [`shortened`] does.
pub(crate) fn shortened_text(text: Str) -> Str {
    if text.len() <= EXCERPT { text } else { shortened(&text).into() }
}

/// The beginning of the JSON text of a value. Reads no more of the value than it shows.
pub(crate) struct Beginning<'a> {
    pub value: &'a Value,
    pub bytes: usize,
}

impl fmt::Display for Beginning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.write(&mut out)?;
        match out.len() <= self.bytes {
            true => f.write_str(&out),
            false => write!(f, "{}…", up_to(&out, self.bytes)),
        }
    }
}

impl Beginning<'_> {
    /// Writes the text until it exceeds the limit.
    fn write(&self, out: &mut String) -> fmt::Result {
        let mut open = Vec::new();
        self.write_head(self.value, &mut open, out)?;
        let mut first = true;
        while let Some(innermost) = open.last_mut() {
            if out.len() > self.bytes {
                return Ok(());
            }
            let Some((key, value)) = innermost.next() else {
                out.push(if matches!(innermost, Open::Array(_)) { ']' } else { '}' });
                open.pop();
                first = false;
                continue;
            };
            if !first {
                out.push(',');
            }
            if let Some(key) = key {
                self.write_string(key, out);
                out.push(':');
            }
            let depth = open.len();
            self.write_head(value, &mut open, out)?;
            first = open.len() > depth;
        }
        Ok(())
    }

    fn write_head<'a>(&self, value: &'a Value, open: &mut Vec<Open<'a>>, out: &mut String) -> fmt::Result {
        match value {
            Value::String(text) => self.write_string(text, out),
            Value::Array(items) => {
                open.push(Open::array(items));
                out.push('[');
            }
            Value::Object(members) => {
                open.push(Open::object(members));
                out.push('{');
            }
            scalar => write!(out, "{scalar}")?,
        }
        Ok(())
    }

    /// Writes a string, up to a length that exceeds the limit.
    fn write_string(&self, text: &str, out: &mut String) {
        let part = up_to(text, self.bytes.saturating_add(4));
        out.push_str(&serde_json::Value::from(part).to_string());
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn doubled(levels: usize) -> Value {
        (0..levels).fold(Value::Int(1), |inner, _| vec![inner.clone(), inner].into())
    }

    #[test]
    fn messages_show_the_beginning_of_a_value() {
        let value = crate::value!({"a": [1, 2.5, "x\n", null, []], "b": {}, "c": true});
        assert_eq!(value.excerpt(EXCERPT), value.to_string());
        assert_eq!(value.excerpt(9), r#"{"a":[1,2…"#);
        assert_eq!(Value::from("äöü").excerpt(4), "\"ä…");
        let long = Value::from(vec![Value::from("x".repeat(50 << 20)); 4]);
        let start = Instant::now();
        assert_eq!(long.excerpt(EXCERPT).len(), EXCERPT + '…'.len_utf8());
        assert_eq!(doubled(80).excerpt(EXCERPT).len(), EXCERPT + '…'.len_utf8());
        assert!(start.elapsed() < Duration::from_secs(5));
        assert_eq!(shortened(&"ä".repeat(EXCERPT)).len(), EXCERPT + '…'.len_utf8());
    }

    #[cfg(any(feature = "asl", feature = "serverless-workflow", feature = "workflow-dsl"))]
    #[test]
    fn a_text_that_is_too_long_ends_the_turn() {
        let (is_spent, took) = budget::run(Duration::MAX, Duration::from_secs(600), || {
            let mut text = "x".repeat(1 << 20);
            while {
                let more = text.clone();
                push_text(&mut text, &more)
            } {}
            budget::is_spent() && text.len() as u64 <= crate::value::DOCUMENT_LIMIT
        });
        assert!(is_spent && took < Duration::from_secs(60), "{took:?}");
    }
}
