//! Printing values as JSON, with bounded stack.

use std::fmt::{self, Write};

use super::walk::Open;
use super::{Array, MAX_DEPTH, Object, Str, Value};

/// Compact JSON; with `{:#}`, over several lines.
///
/// A number is printed as the shortest text that reads back the same, and one that is kept as a double is told from a
/// whole one: `1.0`. Only what JSON demands is escaped.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pretty = f.alternate();
        write(self, pretty, f)
    }
}

/// As [`Display`](fmt::Display).
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl Value {
    /// JSON over several lines, indented by two spaces.
    pub fn to_string_pretty(&self) -> String {
        format!("{self:#}")
    }
}

fn write(value: &Value, pretty: bool, out: &mut impl Write) -> fmt::Result {
    let mut open = Vec::new();
    write_head(value, &mut open, out)?;
    let mut first = !open.is_empty();
    while let Some(innermost) = open.last_mut() {
        let Some((key, value)) = innermost.next() else {
            let end = if matches!(innermost, Open::Array(_)) { ']' } else { '}' };
            open.pop();
            if pretty && !first {
                new_line(open.len(), out)?;
            }
            out.write_char(end)?;
            first = false;
            continue;
        };
        if !first {
            out.write_char(',')?;
        }
        if pretty {
            new_line(open.len(), out)?;
        }
        if let Some(key) = key {
            write_string(key, out)?;
            out.write_str(if pretty { ": " } else { ":" })?;
        }
        let depth = open.len();
        write_head(value, &mut open, out)?;
        first = open.len() > depth;
    }
    Ok(())
}

/// Prints a value, of an array or object only the bracket that opens it.
fn write_head<'a>(value: &'a Value, open: &mut Vec<Open<'a>>, out: &mut impl Write) -> fmt::Result {
    match value {
        Value::Null => out.write_str("null"),
        Value::Bool(true) => out.write_str("true"),
        Value::Bool(false) => out.write_str("false"),
        Value::Int(value) => write!(out, "{value}"),
        // The form that `Debug` chooses is the shortest that reads back the same, and valid JSON.
        Value::Float(value) if value.is_finite() => write!(out, "{value:?}"),
        Value::Float(_) => out.write_str("null"),
        Value::String(text) => write_string(text, out),
        Value::Array(items) => {
            open.push(Open::array(items));
            out.write_char('[')
        }
        Value::Object(members) => {
            open.push(Open::object(members));
            out.write_char('{')
        }
    }
}

/// Indents no further than text can be nested: what a loop nested a million deep would take terabytes.
fn new_line(depth: usize, out: &mut impl Write) -> fmt::Result {
    out.write_char('\n')?;
    (0..depth.min(MAX_DEPTH)).try_for_each(|_| out.write_str("  "))
}

fn write_string(text: &Str, out: &mut impl Write) -> fmt::Result {
    out.write_char('"')?;
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0x08 => "\\b",
            0x0c => "\\f",
            0..0x20 => "",
            _ => continue,
        };
        // Only ASCII is escaped, so that both ends are boundaries of characters.
        out.write_str(&text[plain..at])?;
        plain = at + 1;
        match escape {
            "" => write!(out, "\\u{byte:04x}")?,
            escape => out.write_str(escape)?,
        }
    }
    out.write_str(&text[plain..])?;
    out.write_char('"')
}
