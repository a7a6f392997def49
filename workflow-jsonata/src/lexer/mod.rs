//! The tokens of an expression.

mod literal;
mod token;

pub(crate) use token::{Token, TokenKind, quote};

use crate::error::SyntaxError;

/// Operators of two characters.
const PAIRS: [&str; 7] = ["..", ":=", "!=", ">=", "<=", "**", "~>"];

/// The operators of one character, a character each. They end names.
const SINGLES: &str = ".[]{}(),@#;:?+-*/%|=<>^&!~";

/// A reader of tokens.
pub(crate) struct Lexer<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Lexer<'a> {
    /// Returns a reader at the begin of a text.
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, position: 0 }
    }

    /// Reads the next token. A `/` begins a regular expression unless an operand stands before it.
    pub(crate) fn next(&mut self, is_after_operand: bool) -> Result<Token, Box<SyntaxError>> {
        self.skip_blanks()?;
        let start = self.position;
        let Some(first) = self.byte(0) else {
            return Ok(Token { kind: TokenKind::End, at: start..start });
        };
        let kind = match first {
            b'/' if !is_after_operand => TokenKind::Regex(self.regex()?),
            b'"' | b'\'' => TokenKind::String(self.string(first)?),
            b'0'..=b'9' => TokenKind::Number(self.number()?),
            b'`' => TokenKind::Name(self.quoted_name()?.into()),
            _ => match operator(&self.text[start..]) {
                Some(operator) => {
                    self.position += operator.len();
                    TokenKind::Operator(operator)
                }
                None => self.name(),
            },
        };
        Ok(Token { kind, at: start..self.position })
    }

    /// Returns the byte before a place.
    pub(crate) fn before(&self, place: usize) -> Option<u8> {
        self.text.as_bytes().get(place.checked_sub(1)?).copied()
    }

    /// Returns the byte at a distance from the position.
    fn byte(&self, distance: usize) -> Option<u8> {
        self.text.as_bytes().get(self.position + distance).copied()
    }

    fn skip_blanks(&mut self) -> Result<(), Box<SyntaxError>> {
        loop {
            match self.byte(0) {
                Some(byte) if is_blank(byte) => self.position += 1,
                Some(b'/') if self.byte(1) == Some(b'*') => {
                    let start = self.position;
                    let Some(length) = self.text[start + 2..].find("*/") else {
                        let message = "Comment has no closing tag";
                        return Err(SyntaxError::new("S0106", message, start..start + 2));
                    };
                    self.position = start + 2 + length + 2;
                }
                _ => return Ok(()),
            }
        }
    }

    fn quoted_name(&mut self) -> Result<&'a str, Box<SyntaxError>> {
        let start = self.position;
        let rest = &self.text[start + 1..];
        let Some(length) = rest.find('`') else {
            let message = "Quoted property name must be terminated with a backquote (`)";
            return Err(SyntaxError::new("S0105", message, start..self.text.len()));
        };
        self.position = start + 1 + length + 1;
        Ok(&rest[..length])
    }

    fn name(&mut self) -> TokenKind {
        let rest = &self.text[self.position..];
        let length = rest.bytes().position(ends_name).unwrap_or(rest.len());
        self.position += length;
        let name = &rest[..length];
        if let Some(variable) = name.strip_prefix('$') {
            return TokenKind::Variable(variable.into());
        }
        match name {
            "and" => TokenKind::Operator("and"),
            "or" => TokenKind::Operator("or"),
            "in" => TokenKind::Operator("in"),
            "true" => TokenKind::Bool(true),
            "false" => TokenKind::Bool(false),
            "null" => TokenKind::Null,
            _ => TokenKind::Name(name.into()),
        }
    }
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b)
}

fn ends_name(byte: u8) -> bool {
    is_blank(byte) || SINGLES.as_bytes().contains(&byte)
}

/// Returns the operator that a text begins with, if it is one of characters.
fn operator(text: &str) -> Option<&'static str> {
    if let Some(pair) = PAIRS.iter().find(|pair| text.starts_with(**pair)) {
        return Some(pair);
    }
    let first = text.chars().next()?;
    let place = SINGLES.find(first)?;
    SINGLES.get(place..=place)
}
