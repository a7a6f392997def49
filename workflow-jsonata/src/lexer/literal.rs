//! The literals: strings, numbers and regular expressions.

use std::sync::Arc;

use super::Lexer;
use super::token::quote;
use crate::ast::{Number, Pattern};
use crate::error::SyntaxError;

impl Lexer<'_> {
    /// Reads a string. Half of a surrogate pair becomes U+FFFD.
    pub(super) fn string(&mut self, delimiter: u8) -> Result<Arc<str>, Box<SyntaxError>> {
        let start = self.position;
        self.position += 1;
        let mut value = String::new();
        loop {
            let rest = &self.text[self.position..];
            let Some(length) = rest.bytes().position(|byte| byte == delimiter || byte == b'\\') else {
                self.position = self.text.len();
                let message = "String literal must be terminated by a matching quote";
                return Err(SyntaxError::new("S0101", message, start..self.text.len()));
            };
            value.push_str(&rest[..length]);
            self.position += length;
            if self.byte(0) == Some(delimiter) {
                self.position += 1;
                return Ok(value.into());
            }
            value.push(self.escape()?);
        }
    }

    /// Reads an escape sequence, with the second half of a pair if there is one.
    fn escape(&mut self) -> Result<char, Box<SyntaxError>> {
        let start = self.position;
        let character = self.text[start + 1..].chars().next();
        self.position += 1 + character.map_or(0, char::len_utf8);
        match character {
            Some(plain @ ('"' | '\\' | '/')) => Ok(plain),
            Some('b') => Ok('\u{8}'),
            Some('f') => Ok('\u{c}'),
            Some('n') => Ok('\n'),
            Some('r') => Ok('\r'),
            Some('t') => Ok('\t'),
            Some('u') => {
                let Some(unit) = self.unit() else {
                    let message = "The escape sequence \\u must be followed by 4 hex digits";
                    return Err(SyntaxError::new("S0104", message, start..self.position));
                };
                Ok(self.complete(unit))
            }
            other => {
                let shown = quote(&other.map(String::from).unwrap_or_default());
                let message = format!("Unsupported escape sequence: \\{shown}");
                Err(SyntaxError::new("S0103", message, start..self.position))
            }
        }
    }

    /// Reads four hexadecimal digits. Fewer are read where the text ends.
    fn unit(&mut self) -> Option<u32> {
        let bytes = &self.text.as_bytes()[self.position..];
        let digits = &bytes[..bytes.len().min(4)];
        let mut unit = 0;
        for digit in digits {
            unit = unit * 16 + char::from(*digit).to_digit(16)?;
        }
        self.position += digits.len();
        (!digits.is_empty()).then_some(unit)
    }

    /// Returns the character of a unit of UTF-16, or of the pair that it begins.
    fn complete(&mut self, unit: u32) -> char {
        if (0xd800..0xdc00).contains(&unit) && self.text[self.position..].starts_with("\\u") {
            let start = self.position;
            self.position += 2;
            if let Some(second @ 0xdc00..0xe000) = self.unit() {
                let code = 0x10000 + ((unit - 0xd800) << 10) + (second - 0xdc00);
                return char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
            }
            self.position = start;
        }
        char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// Reads a number: no zeros at its begin, a fraction and an exponent with digits.
    pub(super) fn number(&mut self) -> Result<Number, Box<SyntaxError>> {
        let start = self.position;
        if self.byte(0) == Some(b'0') {
            self.position += 1;
        } else {
            self.position += self.digits(0);
        }
        if self.byte(0) == Some(b'.') && self.digits(1) > 0 {
            self.position += 1 + self.digits(1);
        }
        if matches!(self.byte(0), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.byte(1), Some(b'+' | b'-')));
            let digits = self.digits(1 + sign);
            if digits > 0 {
                self.position += 1 + sign + digits;
            }
        }
        let text = &self.text[start..self.position];
        Number::read(text).ok_or_else(|| {
            let message = format!("Number out of range: {}", quote(text));
            SyntaxError::new("S0102", message, start..self.position)
        })
    }

    /// Returns how many digits stand at a distance from the position.
    fn digits(&self, distance: usize) -> usize {
        let rest = &self.text.as_bytes()[self.position + distance..];
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    }

    /// Reads a regular expression. A slash inside of brackets does not end it.
    pub(super) fn regex(&mut self) -> Result<Arc<Pattern>, Box<SyntaxError>> {
        let start = self.position;
        let mut depth = 0_i64;
        let mut backslashes = 0_usize;
        let rest = &self.text[start + 1..];
        for (place, byte) in rest.bytes().enumerate() {
            match byte {
                b'/' if depth == 0 && backslashes.is_multiple_of(2) => {
                    return self.finish_regex(&rest[..place]);
                }
                b'(' | b'[' | b'{' if backslashes == 0 => depth += 1,
                b')' | b']' | b'}' if backslashes == 0 => depth -= 1,
                _ => {}
            }
            backslashes = if byte == b'\\' { backslashes + 1 } else { 0 };
        }
        Err(SyntaxError::new("S0302", "No terminating / in regular expression", start..self.text.len()))
    }

    /// Reads the flags of a regular expression.
    fn finish_regex(&mut self, pattern: &str) -> Result<Arc<Pattern>, Box<SyntaxError>> {
        let start = self.position;
        self.position += 1 + pattern.len() + 1;
        if pattern.is_empty() {
            let message = "Empty regular expressions are not allowed";
            return Err(SyntaxError::new("S0301", message, start..self.position));
        }
        let (mut ignores_case, mut is_multiline) = (false, false);
        while let Some(flag @ (b'i' | b'm')) = self.byte(0) {
            ignores_case |= flag == b'i';
            is_multiline |= flag == b'm';
            self.position += 1;
        }
        Ok(Arc::new(Pattern { text: pattern.to_owned(), ignores_case, is_multiline }))
    }
}
