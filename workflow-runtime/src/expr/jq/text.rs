//! Values as text: `tojson`, and how messages tell them. Bounded stack, whatever the depth.

use super::{Result, budget, number};
use crate::value::{Array, Object, Str, Value};

/// An array or object that is being printed: what of it is still to come.
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

/// `tojson`.
pub fn tojson(value: &Value) -> Result<Value> {
    let mut out = String::new();
    print(value, &mut out, usize::MAX)?;
    Ok(Value::from(out))
}

/// `tostring`: a string is itself, anything else its JSON.
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

/// How many bytes a message tells of a value.
const TOLD: usize = 29;

/// The beginning of the JSON of a value, as messages have it: 29 bytes, the last of which are `...` and the closing
/// bracket if there are more.
pub fn beginning(value: &Value) -> String {
    let mut out = String::new();
    match value {
        // Only so much of a long string is looked at, and closed again.
        Value::String(text) if text.len() > TOLD + 1 => {
            let end = text.char_indices().nth(TOLD + 1).map_or(text.len(), |(at, _)| at);
            print_string(&text[..end], &mut out, usize::MAX);
        }
        // A few bytes more than are told, so that it is known that there are more.
        _ => drop(print(value, &mut out, TOLD)),
    }
    if out.len() <= TOLD {
        return out;
    }
    let close = match out.as_bytes()[0] {
        b'"' => "\"",
        b'[' => "]",
        b'{' => "}",
        _ => "",
    };
    out.truncate(floor_boundary(&out, TOLD - 3 - close.len()));
    out.push_str("...");
    out.push_str(close);
    out
}

/// Appends the JSON of a value. Stops some time after `most` bytes.
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

/// Prints a value, of an array or object only the bracket that opens it.
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

/// The last place up to `at` where a character begins or the text ends.
fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
