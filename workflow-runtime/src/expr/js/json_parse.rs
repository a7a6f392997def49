//! `JSON.parse` (ECMA-262 §25.5.1). It accepts input that a parser of data may reject: numbers
//! beyond the range of doubles, lone surrogates, any depth.

use super::budget::charge;
use super::{Result, Throw, error};
use crate::value::{Array, Object, Str, Value};

/// The estimated size of an element or a member, in bytes.
const PART: usize = 64;

/// Parses a text. Uses bounded stack.
pub(super) fn parse(text: &str) -> Result<Value> {
    charge(text.len())?;
    let mut reader = Reader { text, at: 0 };
    let mut open: Vec<Open> = Vec::new();
    let mut value = reader.enter(&mut open)?;
    while let Some(innermost) = open.last_mut() {
        if let Some(value) = value.take() {
            innermost.add(value);
        }
        charge(PART)?;
        reader.skip_space();
        if reader.take(innermost.end()) {
            value = open.pop().map(Open::close);
            continue;
        }
        reader.next_part(innermost)?;
        value = reader.enter(&mut open)?;
    }
    reader.skip_space();
    if reader.at < text.len() {
        return Err(reader.unexpected());
    }
    Ok(value.unwrap_or_default())
}

/// An array or object that is being parsed.
enum Open {
    Array(Vec<Value>),
    /// An object, and the key of the member that is being parsed.
    Object(Object, Str),
}

impl Open {
    fn add(&mut self, value: Value) {
        match self {
            Open::Array(items) => items.push(value),
            Open::Object(members, key) => {
                members.insert(std::mem::take(key), value);
            }
        }
    }

    fn end(&self) -> u8 {
        if matches!(self, Open::Array(_)) { b']' } else { b'}' }
    }

    fn is_empty(&self) -> bool {
        match self {
            Open::Array(items) => items.is_empty(),
            Open::Object(members, _) => members.is_empty(),
        }
    }

    fn close(self) -> Value {
        match self {
            Open::Array(items) => Array::from(items).into(),
            Open::Object(members, _) => members.into(),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let matches = self.peek() == Some(byte);
        self.at += usize::from(matches);
        matches
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    #[cold]
    fn unexpected(&self) -> Throw {
        match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some(c) => error::syntax_error(format!("Unexpected token '{c}' in JSON at position {}", self.at)),
            None => error::syntax_error("Unexpected end of JSON input"),
        }
    }

    /// Advances to the next element or member. Its value follows.
    fn next_part(&mut self, of: &mut Open) -> Result<()> {
        if !of.is_empty() {
            if !self.take(b',') {
                return Err(self.unexpected());
            }
            self.skip_space();
        }
        if let Open::Object(_, key) = of {
            if self.peek() != Some(b'"') {
                return Err(self.unexpected());
            }
            *key = self.string()?;
            self.skip_space();
            if !self.take(b':') {
                return Err(self.unexpected());
            }
        }
        Ok(())
    }

    /// Parses a scalar, or opens an array or object.
    fn enter(&mut self, open: &mut Vec<Open>) -> Result<Option<Value>> {
        self.skip_space();
        Ok(Some(match self.peek() {
            Some(b'{') => {
                self.at += 1;
                open.push(Open::Object(Object::new(), Str::default()));
                return Ok(None);
            }
            Some(b'[') => {
                self.at += 1;
                open.push(Open::Array(Vec::new()));
                return Ok(None);
            }
            Some(b'"') => Value::String(self.string()?),
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            _ => self.number()?,
        }))
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value> {
        if !self.text[self.at..].starts_with(word) {
            return Err(self.unexpected());
        }
        self.at += word.len();
        Ok(value)
    }

    fn digits(&mut self) -> Result<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected()) } else { Ok(()) }
    }

    fn number(&mut self) -> Result<Value> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        let whole = !matches!(self.peek(), Some(b'.' | b'e' | b'E'));
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        let digits = &self.text[start..self.at];
        if whole
            && digits != "-0"
            && let Ok(number) = digits.parse()
        {
            return Ok(Value::Int(number));
        }
        // A number beyond the range of doubles is infinite, as in an engine.
        Ok(Value::Float(digits.parse().unwrap_or(f64::NAN)))
    }

    /// Parses a string from its opening quote.
    fn string(&mut self) -> Result<Str> {
        self.at += 1;
        let start = self.at;
        let run = self.plain();
        if self.take(b'"') {
            return Ok(self.text[start..start + run].into());
        }
        // A string with escapes is converted to UTF-16 units, of which two can form a pair.
        let mut units: Vec<u16> = self.text[start..self.at].encode_utf16().collect();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(String::from_utf16_lossy(&units).into());
                }
                Some(b'\\') => {
                    self.at += 1;
                    units.push(self.escape()?);
                }
                _ => return Err(self.unexpected()),
            }
            let start = self.at;
            self.plain();
            units.extend(self.text[start..self.at].encode_utf16());
        }
    }

    /// Skips characters without special meaning. Returns their length in bytes.
    fn plain(&mut self) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        let run = rest.iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1f)).count();
        self.at += run;
        run
    }

    fn escape(&mut self) -> Result<u16> {
        let Some(byte) = self.peek() else { return Err(self.unexpected()) };
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => u16::from(byte),
            b'b' => 8,
            b'f' => 12,
            b'n' => 10,
            b'r' => 13,
            b't' => 9,
            b'u' => {
                let digits = self.text.as_bytes().get(self.at..self.at + 4).unwrap_or_default();
                let unit = digits
                    .iter()
                    .try_fold(0, |unit, digit| char::from(*digit).to_digit(16).map(|digit| unit << 4 | digit as u16));
                let unit = unit.filter(|_| digits.len() == 4).ok_or_else(|| self.unexpected())?;
                self.at += 4;
                unit
            }
            _ => {
                self.at -= 1;
                return Err(self.unexpected());
            }
        })
    }
}
