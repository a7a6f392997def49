//! Values as text: `tojson`, and excerpts for messages. Bounded stack for any depth.

use super::{Result, budget, number};
use crate::value::{Array, Object, Str, Value};

/// An array or object that is being printed, with its remaining parts.
enum Open<'a> {
    Array(std::slice::Iter<'a, Value>),
    Object(<&'a Object as IntoIterator>::IntoIter),
}

impl<'a> Open<'a> {
    fn array(items: &'a Array) -> Open<'a> {
        Open::Array(items.iter())
    }

    fn next(&mut self) -> Option<(Option<&'a Str>, &'a Value)> {
        match self {
            Open::Array(rest) => rest.next().map(|value| (None, value)),
            Open::Object(rest) => rest.next().map(|(key, value)| (Some(key), value)),
        }
    }
}

/// Implements `tojson`.
pub fn tojson(value: &Value) -> Result<Value> {
    let mut out = String::new();
    print(value, &mut out, usize::MAX)?;
    Ok(Value::from(out))
}

/// Implements `tostring`: returns a string unchanged, and any other value as JSON.
pub fn tostring(value: &Value) -> Result<Value> {
    match value {
        Value::String(_) => Ok(value.clone()),
        _ => tojson(value),
    }
}

/// Appends the text of a value, as string interpolation does.
pub fn push(out: &mut String, value: &Value) -> Result<()> {
    match value {
        Value::String(text) => {
            budget::charge(text.len())?;
            out.push_str(text);
            Ok(())
        }
        _ => print(value, out, usize::MAX),
    }
}

/// The length limit of a value in a message, in bytes.
const EXCERPT_LENGTH: usize = 29;

/// Returns the beginning of the JSON of a value for a message: at most 29 bytes. A shortened text
/// ends with `...` and the closing bracket.
pub fn beginning(value: &Value) -> String {
    let mut out = String::new();
    match value {
        // Only the beginning of a long string is printed.
        Value::String(text) if text.len() > EXCERPT_LENGTH + 1 => {
            let end = text.char_indices().nth(EXCERPT_LENGTH + 1).map_or(text.len(), |(at, _)| at);
            print_string(&text[..end], &mut out, usize::MAX);
        }
        // A few bytes more than the limit show that the text continues.
        _ => drop(print(value, &mut out, EXCERPT_LENGTH)),
    }
    if out.len() <= EXCERPT_LENGTH {
        return out;
    }
    let close = match out.as_bytes()[0] {
        b'"' => "\"",
        b'[' => "]",
        b'{' => "}",
        _ => "",
    };
    out.truncate(floor_boundary(&out, EXCERPT_LENGTH - 3 - close.len()));
    out.push_str("...");
    out.push_str(close);
    out
}

/// Appends the JSON of a value. Stops soon after `most` bytes.
fn print(value: &Value, out: &mut String, most: usize) -> Result<()> {
    let start = out.len();
    let mut charged = start;
    let mut open = Vec::new();
    print_head(value, &mut open, out, most);
    let mut first = true;
    while let Some(innermost) = open.last_mut() {
        if out.len() - charged >= 4096 {
            budget::charge(out.len() - charged)?;
            charged = out.len();
        }
        if out.len() - start > most {
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
            print_string(key, out, most);
            out.push(':');
        }
        let depth = open.len();
        print_head(value, &mut open, out, most);
        first = open.len() > depth;
    }
    budget::charge(out.len() - charged)
}

/// Prints a scalar, or the opening bracket of an array or object.
fn print_head<'a>(value: &'a Value, open: &mut Vec<Open<'a>>, out: &mut String, most: usize) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Int(_) | Value::Float(_) => number::print(value, out),
        Value::String(text) => print_string(text, out, most),
        Value::Array(items) => {
            out.push('[');
            open.push(Open::array(items));
        }
        Value::Object(members) => {
            out.push('{');
            open.push(Open::Object(members.iter()));
        }
    }
}

fn print_string(text: &str, out: &mut String, most: usize) {
    let text = &text[..floor_boundary(text, most.saturating_add(1))];
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c < ' ' || c == '"' || c == '\\' || c == '\u{7f}') {
        out.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x08 => out.push_str("\\b"),
            0x0c => out.push_str("\\f"),
            other => out.push_str(&format!("\\u{other:04x}")),
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
}

/// Returns the last character boundary at or before `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
