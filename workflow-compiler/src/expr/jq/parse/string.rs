//! Parser of strings and their interpolations.

use super::{Parsed, Parser};
use crate::diagnostics::render::floor_char_boundary;
use crate::expr::cursor::{Cursor, control_escape, surrogate_pair};
use crate::expr::error::ExprError;
use crate::expr::jq::ast::{StringPiece, Term, TermKind};
use crate::expr::jq::codes::WF0340;
use crate::expr::jq::lex::token;

impl Parser<'_> {
    /// Parses a string. Its quote is the next token.
    pub(super) fn string(&mut self, format: Option<&str>) -> Parsed<Term> {
        let start = self.next.at.start;
        let mut at = self.next.at.end;
        let mut pieces = Vec::new();
        let mut text = String::new();
        loop {
            let rest = &self.text[at..];
            let plain = rest.find(['"', '\\']).unwrap_or(rest.len());
            text.push_str(&rest[..plain]);
            at += plain;
            match self.text[at..].bytes().next() {
                Some(b'"') => break,
                Some(_) if self.text[at + 1..].starts_with('(') => {
                    if !text.is_empty() {
                        pieces.push(StringPiece::Text(std::mem::take(&mut text)));
                    }
                    self.next = token(self.text, at + 2);
                    pieces.push(StringPiece::Term(self.query()?));
                    if !self.is(")") {
                        return Err(self.unexpected("`)`"));
                    }
                    at = self.next.at.end;
                }
                Some(_) => at = self.escape(at, &mut text)?,
                None => {
                    let error = ExprError::new(&WF0340, start..start + 1, "unclosed string");
                    return Err(error.help("close it with `\"`"));
                }
            }
        }
        if !text.is_empty() {
            pieces.push(StringPiece::Text(text));
        }
        self.end = at + 1;
        self.next = token(self.text, self.end);
        let format = format.map(str::to_owned);
        self.term_from(start, TermKind::Text(format, pieces))
    }

    /// Parses the escape at a byte, and returns the byte after it.
    fn escape(&self, at: usize, text: &mut String) -> Parsed<usize> {
        let mut cursor = Cursor::new(self.text, at + 1);
        let error = |end: usize, message: &str| ExprError::new(&WF0340, at..end, message);
        let letter = cursor.bump().unwrap_or_default();
        match (letter, control_escape(letter)) {
            ('"' | '\\' | '/', _) => text.push(letter),
            (_, Some(control)) => text.push(control),
            ('u', _) => {
                let Some(first) = cursor.hex4() else {
                    let end = floor_char_boundary(self.text, at + 6);
                    return Err(error(end, "`\\u` must be followed by four hexadecimal digits"));
                };
                let mut ahead = cursor.clone();
                let second = if ahead.eat("\\u") { ahead.hex4() } else { None };
                let pair = second.and_then(|second| surrogate_pair(first, second));
                if pair.is_some() {
                    cursor = ahead;
                }
                // An unpaired surrogate stands for no character.
                text.push(pair.or(char::from_u32(first)).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            _ => {
                let help = "a backslash can only precede `\"`, `\\`, `/`, `b`, `f`, `n`, `r`, `t`, `u` or `(`";
                return Err(error(cursor.at(), "unknown escape").help(help));
            }
        }
        Ok(cursor.at())
    }
}
