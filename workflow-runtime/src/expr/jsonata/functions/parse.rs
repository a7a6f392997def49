//! `$parse`: JSON, with strings in single quotes, too.

use super::args::{self, Args};
use crate::expr::jsonata::error::{JsonataError, Result};
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::run::Evaluation;
use crate::value::{Array, MAX_DEPTH, Object, Str, Value};

/// Implements `$parse`.
pub(super) fn parse(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(text) = args::text(args, 0) else { return Ok(None) };
    run.charge_bytes(text.len())?;
    run.steps(text.len() as u64 / 8)?;
    let (levels, separators) = parts(text);
    run.reserve(levels, LEVEL)?;
    run.reserve(separators, PART)?;
    match document(text) {
        Some(value) => Ok(Some(Item::Value(value))),
        None => Err(JsonataError::new("D3137", "Invalid JSON")),
    }
}

/// The size of an element or a member, in bytes. An array has room for up to twice its elements.
const PART: usize = 2 * size_of::<(Str, Value)>();
/// The size of an array or object, in bytes. One that is not empty has room for four elements.
const LEVEL: usize = size_of::<Object>() + 2 * PART;

/// Returns the numbers of arrays and objects in a text, and of the commas that separate their
/// parts.
fn parts(text: &str) -> (usize, usize) {
    let (mut levels, mut separators) = (0, 0);
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'[' | b'{' => levels += 1,
            b',' => separators += 1,
            quote @ (b'"' | b'\'') => {
                while let Some(byte) = bytes.next()
                    && byte != quote
                {
                    if byte == b'\\' {
                        bytes.next();
                    }
                }
            }
            _ => {}
        }
    }
    (levels, separators)
}

/// Reads a text that is one value. Objects with two members of one name are invalid, and so are
/// numbers that no double can hold.
fn document(text: &str) -> Option<Value> {
    let mut reader = Reader { rest: text };
    let value = reader.document()?;
    reader.blanks();
    reader.rest.is_empty().then_some(value)
}

struct Reader<'a> {
    rest: &'a str,
}

/// An array or object whose parts are being read.
enum Open {
    Array(Vec<Value>),
    Object(Object, Str),
}

impl Reader<'_> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    fn skip(&mut self, token: &str) -> bool {
        let after = self.rest.strip_prefix(token);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// Reads a value and what is inside of it, without recursion.
    fn document(&mut self) -> Option<Value> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            self.blanks();
            let mut value = match self.rest.as_bytes().first()? {
                b'[' => {
                    self.rest = &self.rest[1..];
                    self.blanks();
                    if !self.skip("]") {
                        open.push(Open::Array(Vec::new()));
                        if open.len() > MAX_DEPTH {
                            return None;
                        }
                        continue;
                    }
                    Value::from(Array::new())
                }
                b'{' => {
                    self.rest = &self.rest[1..];
                    self.blanks();
                    if !self.skip("}") {
                        let name = self.name()?;
                        open.push(Open::Object(Object::new(), name));
                        if open.len() > MAX_DEPTH {
                            return None;
                        }
                        continue;
                    }
                    Value::from(Object::new())
                }
                _ => self.scalar()?,
            };
            // The value is put into the innermost part, which it may complete.
            loop {
                self.blanks();
                value = match open.pop() {
                    None => return Some(value),
                    Some(Open::Array(mut items)) => {
                        items.push(value);
                        if self.skip(",") {
                            open.push(Open::Array(items));
                            break;
                        }
                        self.skip("]").then(|| Value::from(Array::from(items)))?
                    }
                    Some(Open::Object(mut members, name)) => {
                        if members.insert(name, value).is_some() {
                            return None;
                        }
                        if self.skip(",") {
                            self.blanks();
                            let name = self.name()?;
                            open.push(Open::Object(members, name));
                            break;
                        }
                        self.skip("}").then(|| Value::from(members))?
                    }
                };
            }
        }
    }

    /// Reads the name of a member and the colon.
    fn name(&mut self) -> Option<Str> {
        let name = self.string()?;
        self.blanks();
        self.skip(":").then(|| name.into())
    }

    fn scalar(&mut self) -> Option<Value> {
        match self.rest.as_bytes().first()? {
            b'"' | b'\'' => self.string().map(Value::from),
            b'-' | b'0'..=b'9' => self.number(),
            _ if self.skip("null") => Some(Value::Null),
            _ if self.skip("true") => Some(Value::Bool(true)),
            _ if self.skip("false") => Some(Value::Bool(false)),
            _ => None,
        }
    }

    fn number(&mut self) -> Option<Value> {
        let length = self.rest.bytes().take_while(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte)).count();
        let (number, rest) = self.rest.split_at(length);
        self.rest = rest;
        match serde_json::from_str(number).ok()? {
            Value::Float(value) if value.fract() == 0.0 && value.abs() < EXACT => {
                // The cast is exact.
                Some(Value::Int(value as i64))
            }
            value => Some(value),
        }
    }

    /// Reads a string in quotes of either kind.
    fn string(&mut self) -> Option<String> {
        let quote = self.rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let mut rest = self.rest[1..].chars();
        let mut out = String::new();
        loop {
            match rest.next()? {
                c if c == quote => break,
                '\\' => out.push(escape(&mut rest)?),
                '\0'..='\u{1f}' => return None,
                c => out.push(c),
            }
        }
        self.rest = rest.as_str();
        Some(out)
    }
}

/// 2^53: whole numbers below are exact as doubles.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Reads what follows a backslash. Half of a character becomes U+FFFD.
fn escape(rest: &mut std::str::Chars<'_>) -> Option<char> {
    Some(match rest.next()? {
        c @ ('"' | '\'' | '\\' | '/') => c,
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => {
            let unit = hexadecimal(rest)?;
            let mut after = rest.clone();
            let low = (after.next() == Some('\\') && after.next() == Some('u')).then(|| hexadecimal(&mut after));
            match low.flatten() {
                Some(low @ 0xdc00..0xe000) if (0xd800..0xdc00).contains(&unit) => {
                    *rest = after;
                    char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00))?
                }
                _ => char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER),
            }
        }
        _ => return None,
    })
}

fn hexadecimal(rest: &mut std::str::Chars<'_>) -> Option<u32> {
    let mut value = 0;
    for _ in 0..4 {
        value = value * 16 + rest.next()?.to_digit(16)?;
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value;

    #[test]
    fn documents_are_json_with_quotes_of_either_kind() {
        for (text, expected) in [
            (r#"{"a":1,"b":[1,2,3]}"#, Some(value!({ "a": 1, "b": [1, 2, 3] }))),
            (" {'a': [ ] , \"b\": { } } ", Some(value!({ "a": [], "b": {} }))),
            ("1.0", Some(value!(1))),
            ("-0", Some(value!(0))),
            ("9223372036854775807", Some(value!(9_223_372_036_854_775_807_i64))),
            (r#""\u00e9\ud83d\ude00\ud800'\'""#, Some(value!("\u{e9}\u{1f600}\u{fffd}''"))),
            ("", None),
            ("  ", None),
            ("1 2", None),
            ("[1,]", None),
            ("{\"a\":1,}", None),
            ("{\"a\":1,\"a\":2}", None),
            ("{a:1}", None),
            ("NaN", None),
            ("1e400", None),
            ("01", None),
            ("\"\n\"", None),
            ("\"a", None),
            ("\"\\x\"", None),
        ] {
            assert_eq!(document(text), expected, "{text}");
        }
    }

    #[test]
    fn parts_in_strings_do_not_count() {
        assert_eq!(parts(r#"[1, {'a"': ",[{\"", "b": [2,3]}]"#), (3, 3));
    }

    #[test]
    fn nesting_is_limited() {
        let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
        assert!(document(&nested(MAX_DEPTH)).is_some());
        assert!(document(&nested(1_000_000)).is_none());
    }
}
