//! A cursor over the text of an expression.

use std::ops::Range;

/// Returns the control character that a letter stands for after a backslash, as in JSON.
pub(crate) fn control_escape(letter: char) -> Option<char> {
    Some(match letter {
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        _ => return None,
    })
}

/// Returns the character of two surrogates, or `None` unless the first is high and the second low.
pub(crate) fn surrogate_pair(first: u32, second: u32) -> Option<char> {
    char::decode_utf16([u16::try_from(first).ok()?, u16::try_from(second).ok()?])
        .next()?
        .ok()
        .filter(|c| *c > '\u{ffff}')
}

/// A position in a text that advances character by character.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the byte `at` of a text.
    pub fn new(text: &'a str, at: usize) -> Self {
        Cursor { text, at }
    }

    /// Returns the byte offset of the next character.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Returns the remaining text.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Returns the text between the byte `start` and the cursor.
    pub fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    /// Returns the byte range of the next character. The range is empty at the end of the text.
    pub fn here(&self) -> Range<usize> {
        self.at..self.at + self.peek().map_or(0, char::len_utf8)
    }

    /// Returns the next character without consuming it.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Consumes the next character.
    pub fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Consumes `wanted` and returns `true` if the remaining text begins with it.
    pub fn eat(&mut self, wanted: &str) -> bool {
        let is_next = self.rest().starts_with(wanted);
        if is_next {
            self.at += wanted.len();
        }
        is_next
    }

    /// Consumes characters while `belongs` holds, and returns them.
    pub fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Consumes four hexadecimal digits, and returns their value.
    pub fn hex4(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        self.eat(digits);
        u32::from_str_radix(digits, 16).ok()
    }

    /// Consumes blanks. Returns `true` if there were any.
    pub fn skip_blanks(&mut self) -> bool {
        !self.take_while(|c| matches!(c, ' ' | '\t' | '\n' | '\r')).is_empty()
    }

    /// Returns `true` at the end of the text.
    pub fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }
}
