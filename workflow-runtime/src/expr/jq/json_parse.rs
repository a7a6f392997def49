//! `fromjson`: JSON as jq parses it, with jq's messages.

use super::{Error, Result, budget, strings};
use crate::value::{Object, Str, Value};

/// The nesting limit of arrays and objects.
const DEEPEST: usize = 10_000;

type Step<T = ()> = std::result::Result<T, &'static str>;

/// An open array or object, or the key of a member without a value so far.
enum Open {
    Array(Vec<Value>),
    Object(Object),
    Key(Str),
}

#[derive(Default)]
struct Parser {
    open: Vec<Open>,
    /// The last complete value, not yet added to an array or object.
    next: Option<Value>,
    /// The bytes of the current number, name or string.
    token: Vec<u8>,
    /// The complete values outside of arrays and objects.
    done: Vec<Value>,
}

/// Implements `fromjson`.
pub fn fromjson(value: &Value) -> Result<Value> {
    let Value::String(text) = value else { return Err(super::type_error(value, "only strings can be parsed")) };
    budget::charge(text.len())?;
    parse(text).map_err(|problem| {
        // jq shows the text up to the first NUL character.
        let excerpt = text.split('\0').next().unwrap_or_default();
        match budget::charge(excerpt.len()) {
            Ok(()) => Error::message(format!("{problem} (while parsing '{excerpt}')")),
            Err(exceeded) => exceeded,
        }
    })?
}

/// Parses a text. The outer error is a syntax error, the inner error an exhausted budget.
fn parse(text: &str) -> std::result::Result<Result<Value>, String> {
    let mut parser = Parser::default();
    let (mut line, mut column) = (1, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in text.strip_prefix('\u{feff}').unwrap_or(text).bytes() {
        column += 1;
        if byte == b'\n' {
            line += 1;
            column = 0;
        }
        if let Err(exceeded) = budget::charge(budget::ELEMENT / 2) {
            return Ok(Err(exceeded));
        }
        let step = if in_string {
            match byte {
                b'"' if !escaped => {
                    in_string = false;
                    parser.string()
                }
                _ => {
                    escaped = byte == b'\\' && !escaped;
                    parser.token.push(byte);
                    Ok(())
                }
            }
        } else {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => parser.word(),
                b'"' => {
                    in_string = true;
                    parser.word()
                }
                b'[' | b',' | b']' | b'{' | b':' | b'}' => parser.word().and_then(|()| parser.structure(byte)),
                _ => {
                    parser.token.push(byte);
                    Ok(())
                }
            }
        };
        step.map_err(|problem| format!("{problem} at line {line}, column {column}"))?;
        parser.take_done();
    }
    let at_end = |problem: &str| format!("{problem} at EOF at line {line}, column {column}");
    if in_string {
        return Err(at_end("Unfinished string"));
    }
    parser.word().map_err(at_end)?;
    if !parser.open.is_empty() {
        return Err(at_end("Unfinished JSON term"));
    }
    parser.take_done();
    match parser.done.len() {
        0 => Err("Expected JSON value".to_owned()),
        1 => Ok(Ok(parser.done.remove(0))),
        _ => Err("Unexpected extra JSON values".to_owned()),
    }
}

impl Parser {
    /// Stores a complete value outside of arrays and objects. More than two values are not kept,
    /// because two are an error already.
    fn take_done(&mut self) {
        if self.open.is_empty() && self.done.len() < 2 {
            self.done.extend(self.next.take());
        } else if self.open.is_empty() {
            self.next = None;
        }
    }

    fn value(&mut self, value: Value) -> Step {
        match self.next {
            Some(_) => Err("Expected separator between values"),
            None => {
                self.next = Some(value);
                Ok(())
            }
        }
    }

    /// Ends a number or name.
    fn word(&mut self) -> Step {
        if self.token.is_empty() {
            return Ok(());
        }
        let token = std::mem::take(&mut self.token);
        let named = |name: &[u8], value: Value| if token == name { Ok(value) } else { Err("Invalid literal") };
        let value = match token.as_slice() {
            [b't', ..] => named(b"true", Value::Bool(true)),
            [b'f', ..] => named(b"false", Value::Bool(false)),
            [b'n', b'u', ..] => named(b"null", Value::Null),
            [b'\'', ..] => Err("Invalid string literal; expected \", but got '"),
            number => {
                let number = std::str::from_utf8(number).ok().and_then(strings::read_number);
                number.ok_or("Invalid numeric literal")
            }
        };
        self.value(value?)
    }

    fn string(&mut self) -> Step {
        let token = std::mem::take(&mut self.token);
        let text = unescape(&token)?;
        self.value(Value::from(text))
    }

    fn structure(&mut self, byte: u8) -> Step {
        match byte {
            b'[' | b'{' => {
                if self.open.len() >= DEEPEST {
                    return Err("Exceeds depth limit for parsing");
                }
                if self.next.is_some() {
                    return Err("Expected separator between values");
                }
                self.open.push(if byte == b'[' { Open::Array(Vec::new()) } else { Open::Object(Object::new()) });
                Ok(())
            }
            b':' => {
                let Some(key) = &self.next else { return Err("Expected string key before ':'") };
                if !matches!(self.open.last(), Some(Open::Object(_))) {
                    return Err("':' not as part of an object");
                }
                let Value::String(key) = key else { return Err("Object keys must be strings") };
                self.open.push(Open::Key(key.clone()));
                self.next = None;
                Ok(())
            }
            b',' => {
                let Some(value) = self.next.take() else { return Err("Expected value before ','") };
                match self.open.last_mut() {
                    None => Err("',' not as part of an object or array"),
                    Some(Open::Array(items)) => {
                        items.push(value);
                        Ok(())
                    }
                    Some(Open::Key(_)) => {
                        self.member(value);
                        Ok(())
                    }
                    Some(Open::Object(_)) => Err("Objects must consist of key:value pairs"),
                }
            }
            b']' => {
                let Some(Open::Array(items)) = self.open.last_mut() else { return Err("Unmatched ']'") };
                match self.next.take() {
                    Some(value) => items.push(value),
                    None if !items.is_empty() => return Err("Expected another array element"),
                    None => {}
                }
                self.next = Some(Value::from(std::mem::take(items)));
                self.open.pop();
                Ok(())
            }
            _ => self.end_of_object(),
        }
    }

    fn end_of_object(&mut self) -> Step {
        if self.open.is_empty() {
            return Err("Unmatched '}'");
        }
        match self.next.take() {
            Some(value) => match self.open.last() {
                Some(Open::Key(_)) => self.member(value),
                _ => return Err("Objects must consist of key:value pairs"),
            },
            None => match self.open.last() {
                Some(Open::Object(members)) if members.is_empty() => {}
                Some(Open::Object(_)) => return Err("Expected another key-value pair"),
                _ => return Err("Unmatched '}'"),
            },
        }
        if let Some(Open::Object(members)) = self.open.pop() {
            self.next = Some(members.into());
        }
        Ok(())
    }

    /// Adds the member of the last key.
    fn member(&mut self, value: Value) {
        if let (Some(Open::Key(key)), Some(Open::Object(members))) = (self.open.pop(), self.open.last_mut()) {
            members.insert(key, value);
        }
    }
}

fn hex(digits: Option<&[u8]>) -> Option<u32> {
    let digits = std::str::from_utf8(digits?).ok()?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

fn unescape(token: &[u8]) -> Step<String> {
    let mut text = Vec::with_capacity(token.len());
    let mut at = 0;
    while let Some(byte) = token.get(at) {
        at += 1;
        if *byte < 0x20 {
            return Err("Invalid string: control characters from U+0000 through U+001F must be escaped");
        }
        if *byte != b'\\' {
            text.push(*byte);
            continue;
        }
        let Some(escape) = token.get(at) else { return Err("Expected escape character at end of string") };
        at += 1;
        match escape {
            b'\\' | b'"' | b'/' => text.push(*escape),
            b'b' => text.push(8),
            b'f' => text.push(12),
            b't' => text.push(b'\t'),
            b'n' => text.push(b'\n'),
            b'r' => text.push(b'\r'),
            b'u' => {
                if token.len() < at + 4 {
                    return Err("Invalid \\uXXXX escape");
                }
                let mut code = hex(token.get(at..at + 4)).ok_or("Invalid characters in \\uXXXX escape")?;
                at += 4;
                if (0xd800..0xdc00).contains(&code) {
                    let low = match token.get(at..at + 2) {
                        Some(b"\\u") => hex(token.get(at + 2..at + 6)),
                        _ => None,
                    };
                    let low = low.filter(|low| (0xdc00..0xe000).contains(low));
                    let low = low.ok_or("Invalid \\uXXXX\\uXXXX surrogate pair escape")?;
                    at += 6;
                    code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
                }
                let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => return Err("Invalid escape"),
        }
    }
    // The text was cut only at ASCII characters.
    String::from_utf8(text).map_err(|_| "Invalid escape")
}
