//! Texts of values whose length is not known before they are written.

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::walk::Open;
use super::{Str, Value};
use crate::budget;

/// The length of the longest message that is made of data or of a program's words, in bytes. What is behind that is `…`.
pub(crate) const LONGEST_MESSAGE: usize = 64 << 10;

/// The length of the longest text that an operation makes of a value outside of an evaluation, in bytes. Values share their
/// parts and texts do not: a few hundred bytes of memory can be more text than there are disks for.
#[cfg(any(feature = "asl", feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
pub(crate) const LONGEST_TEXT: usize = 64 << 20;

impl Value {
    /// Returns the JSON text. Counts it against the turn, and ends the turn where the text is longer than
    /// [`LONGEST_TEXT`]: the result is any then.
    #[cfg(any(feature = "asl", feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
    pub(crate) fn counted_text(&self) -> String {
        let mut text = String::new();
        push_counted(&mut text, self);
        text
    }

    /// Returns the JSON text, if it has no more than so many bytes.
    #[cfg(feature = "javascript")]
    pub(crate) fn text_within(&self, bytes: usize) -> Option<String> {
        let mut out = Within { text: String::new(), bytes };
        write!(out, "{self}").ok().map(|()| out.text)
    }

    /// The JSON text in a message: no more than [`LONGEST_MESSAGE`].
    pub(crate) fn beginning(&self) -> Beginning<'_> {
        self.beginning_within(LONGEST_MESSAGE)
    }

    /// The JSON text in a message: no more than so many bytes, and `…` where there are more.
    pub(crate) fn beginning_within(&self, bytes: usize) -> Beginning<'_> {
        Beginning { value: self, bytes }
    }
}

/// Appends the JSON text of a value, as [`Value::counted_text`].
#[cfg(any(feature = "asl", feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
pub(crate) fn push_counted(text: &mut String, value: &Value) {
    // What cannot be written any more ends the turn.
    let _ = write!(Counted(text), "{value}");
}

/// Appends a text. Returns `false` when there is no budget for it.
#[cfg(any(feature = "asl", feature = "serverless-workflow", feature = "workflow-dsl"))]
pub(crate) fn push_text(text: &mut String, more: &str) -> bool {
    Counted(text).write_str(more).is_ok()
}

#[cfg(any(feature = "asl", feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
struct Counted<'a>(&'a mut String);

#[cfg(any(feature = "asl", feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
impl fmt::Write for Counted<'_> {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        let is_too_long = self.0.len().saturating_add(more.len()) > LONGEST_TEXT && budget::exhaust();
        if is_too_long || !budget::spend_text(more) {
            return Err(fmt::Error);
        }
        self.0.push_str(more);
        Ok(())
    }
}

#[cfg(feature = "javascript")]
struct Within {
    text: String,
    bytes: usize,
}

#[cfg(feature = "javascript")]
impl fmt::Write for Within {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        if self.text.len() + more.len() > self.bytes || !budget::spend_text(more) {
            return Err(fmt::Error);
        }
        self.text.push_str(more);
        Ok(())
    }
}

/// The text, or its beginning if it is longer than a message may be.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    match text.len() <= LONGEST_MESSAGE {
        true => Cow::Borrowed(text),
        false => Cow::Owned(format!("{}…", up_to(text, LONGEST_MESSAGE))),
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
    if text.len() <= LONGEST_MESSAGE { text } else { shortened(&text).into() }
}

/// The beginning of the JSON text of a value. Looks at no more of the value than it shows.
pub(crate) struct Beginning<'a> {
    value: &'a Value,
    bytes: usize,
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

impl fmt::Debug for Beginning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
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
        assert_eq!(value.beginning().to_string(), value.to_string());
        assert_eq!(value.beginning_within(9).to_string(), r#"{"a":[1,2…"#);
        assert_eq!(Value::from("äöü").beginning_within(4).to_string(), "\"ä…");
        let long = Value::from(vec![Value::from("x".repeat(50 << 20)); 4]);
        let start = Instant::now();
        assert_eq!(long.beginning().to_string().len(), LONGEST_MESSAGE + '…'.len_utf8());
        assert_eq!(doubled(80).beginning().to_string().len(), LONGEST_MESSAGE + '…'.len_utf8());
        assert!(start.elapsed() < Duration::from_secs(5));
        assert_eq!(shortened(&"ä".repeat(LONGEST_MESSAGE)).len(), LONGEST_MESSAGE + '…'.len_utf8());
    }

    #[cfg(any(feature = "asl", feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
    #[test]
    fn a_text_that_is_too_long_ends_the_turn() {
        let (is_spent, took) = budget::run(Duration::from_secs(600), || {
            let text = doubled(60).counted_text();
            budget::is_spent() && text.len() <= LONGEST_TEXT
        });
        assert!(is_spent && took < Duration::from_secs(60), "{took:?}");
        assert_eq!(doubled(2).counted_text(), "[[1,1],[1,1]]");
    }
}
