//! A place in the text of an expression that moves forward.

use std::ops::Range;

/// Reads a text character by character.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// At the byte `at` of a text.
    pub fn new(text: &'a str, at: usize) -> Self {
        Cursor { text, at }
    }

    /// The byte it stands before.
    pub fn at(&self) -> usize {
        self.at
    }

    /// What is left.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The bytes from `start` to here.
    pub fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    /// The range of the next character; empty at the end.
    pub fn here(&self) -> Range<usize> {
        self.at..self.at + self.peek().map_or(0, char::len_utf8)
    }

    /// The next character.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Takes the next character.
    pub fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Takes `wanted` if it comes next.
    pub fn eat(&mut self, wanted: &str) -> bool {
        let found = self.rest().starts_with(wanted);
        if found {
            self.at += wanted.len();
        }
        found
    }

    /// Takes characters while they belong.
    pub fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Takes blanks; whether there were any.
    pub fn skip_blanks(&mut self) -> bool {
        !self.take_while(|c| matches!(c, ' ' | '\t' | '\n' | '\r')).is_empty()
    }

    /// Whether nothing is left.
    pub fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }
}
