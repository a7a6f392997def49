//! Texts of values whose length is not known before they are written.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use super::walk::Open;
use super::{EXCERPT, Str, Value};
use crate::budget;

/// The length of the longest text that an operation makes of a value outside of an evaluation, in bytes. Values share their
/// parts and texts do not: a few hundred bytes of memory can be more text than there are disks for.
#[cfg(any(feature = "asl", feature = "serverless-workflow", feature = "workflow-dsl"))]
pub(crate) const LONGEST_TEXT: usize = 64 << 20;

/// Appends a text, and counts it against the turn. Returns `false` when there is no budget for it: where the text would be
/// longer than [`LONGEST_TEXT`], the turn ends.
#[cfg(any(feature = "asl", feature = "serverless-workflow", feature = "workflow-dsl"))]
pub(crate) fn push_text(text: &mut String, more: &str) -> bool {
    let is_too_long =
        text.len().saturating_add(more.len()) > LONGEST_TEXT && budget::exhaust("a text of more than 64 MiB");
    if is_too_long || !budget::spend_text(more) {
        return false;
    }
    text.push_str(more);
    true
}

/// The text, or its beginning if it is longer than a message may be.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    match text.len() <= EXCERPT {
        true => Cow::Borrowed(text),
        false => Cow::Owned(format!("{}…", up_to(text, EXCERPT))),
    }
}

/// The beginning of a text, of no more than so many bytes.
fn up_to(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// As [`shortened`].
pub(crate) fn shortened_text(text: Str) -> Str {
    if text.len() <= EXCERPT { text } else { shortened(&text).into() }
}

/// The beginning of the JSON text of a value. Looks at no more of the value than it shows.
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
    /// Writes the text until there is more than is shown.
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

    /// Writes a string, or so much of it that there is more than is shown.
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
            while push_text(&mut text, &text.clone()) {}
            budget::is_spent() && text.len() <= LONGEST_TEXT
        });
        assert!(is_spent && took < Duration::from_secs(60), "{took:?}");
    }
}
