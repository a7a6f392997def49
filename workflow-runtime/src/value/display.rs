//! Printing of values as JSON, with bounded stack.

use std::fmt;
use std::io::Write;

use serde_core::Serialize;

use super::walk::Open;
use super::{Array, MAX_DEPTH, Object, Value};

/// Prints compact JSON, or several lines for `{:#}`.
///
/// A number has its shortest text that reads back the same. A double is distinguished from a whole
/// number: `1.0`. Only the characters that JSON demands are escaped.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self, f.alternate(), f)
    }
}

/// Prints JSON, as [`Display`](fmt::Display).
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
    /// Returns JSON on several lines, indented by two spaces.
    pub fn to_string_pretty(&self) -> String {
        format!("{self:#}")
    }
}

/// The number of bytes that are collected before they are passed on.
const CHUNK: usize = 8 * 1024;

fn write(value: &Value, pretty: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut out = Vec::new();
    let mut open = Vec::new();
    write_head(value, &mut open, &mut out)?;
    let mut first = !open.is_empty();
    while let Some(innermost) = open.last_mut() {
        if out.len() >= CHUNK {
            hand_on(&mut out, f)?;
        }
        let Some((key, value)) = innermost.next() else {
            let end = if matches!(innermost, Open::Array(_)) { b']' } else { b'}' };
            open.pop();
            if pretty && !first {
                new_line(open.len(), &mut out);
            }
            out.push(end);
            first = false;
            continue;
        };
        if !first {
            out.push(b',');
        }
        if pretty {
            new_line(open.len(), &mut out);
        }
        if let Some(key) = key {
            write_scalar(key.as_str(), &mut out)?;
            out.extend_from_slice(if pretty { b": " } else { b":" });
        }
        let depth = open.len();
        write_head(value, &mut open, &mut out)?;
        first = open.len() > depth;
    }
    hand_on(&mut out, f)
}

/// Prints a value. For an array or object, prints the opening bracket only.
fn write_head<'a>(value: &'a Value, open: &mut Vec<Open<'a>>, out: &mut Vec<u8>) -> fmt::Result {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(true) => out.extend_from_slice(b"true"),
        Value::Bool(false) => out.extend_from_slice(b"false"),
        Value::Int(value) => write_scalar(value, out)?,
        // `Debug` chooses the shortest form that reads back the same. It is valid JSON, and
        // stable.
        Value::Float(value) if value.is_finite() => write!(out, "{value:?}").map_err(|_| fmt::Error)?,
        Value::Float(_) => out.extend_from_slice(b"null"),
        Value::String(text) => write_scalar(text.as_str(), out)?,
        Value::Array(items) => {
            open.push(Open::array(items));
            out.push(b'[');
        }
        Value::Object(members) => {
            open.push(Open::object(members));
            out.push(b'{');
        }
    }
    Ok(())
}

/// Prints text or a whole number.
fn write_scalar<T: Serialize + ?Sized>(scalar: &T, out: &mut Vec<u8>) -> fmt::Result {
    serde_json::to_writer(out, scalar).map_err(|_| fmt::Error)
}

/// Starts a line. The indentation ends at the depth that text can have: a value nested a million
/// deep would take terabytes.
fn new_line(depth: usize, out: &mut Vec<u8>) {
    out.push(b'\n');
    out.resize(out.len() + 2 * depth.min(MAX_DEPTH), b' ');
}

fn hand_on(out: &mut Vec<u8>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(std::str::from_utf8(out).map_err(|_| fmt::Error)?)?;
    out.clear();
    Ok(())
}
