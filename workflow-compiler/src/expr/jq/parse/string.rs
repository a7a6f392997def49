//! Parser of strings and their interpolations.

use super::{Parsed, Parser};
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
        let rest = &self.text[at + 1..];
        let simple = match rest.chars().next() {
            Some(c @ ('"' | '\\' | '/')) => Some(c),
            Some('b') => Some('\u{8}'),
            Some('f') => Some('\u{c}'),
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some('u') => None,
            other => {
                let end = at + 1 + other.map_or(0, char::len_utf8);
                let error = ExprError::new(&WF0340, at..end, "unknown escape");
                return Err(
                    error.help("a backslash can only precede `\"`, `\\`, `/`, `b`, `f`, `n`, `r`, `t`, `u` or `(`")
                );
            }
        };
        if let Some(c) = simple {
            text.push(c);
            return Ok(at + 2);
        }
        let unit = |from: usize| {
            let digits = self.text.get(from..from + 4).filter(|digits| digits.bytes().all(|c| c.is_ascii_hexdigit()));
            digits.and_then(|digits| u32::from_str_radix(digits, 16).ok())
        };
        let Some(first) = unit(at + 2) else {
            let end = (at + 2..=self.text.len()).rev().find(|end| *end <= at + 6 && self.text.is_char_boundary(*end));
            let error =
                ExprError::new(&WF0340, at..end.unwrap_or(at + 2), "`\\u` must be followed by four hexadecimal digits");
            return Err(error);
        };
        let low = match first {
            0xd800..=0xdbff if self.text[at + 6..].starts_with("\\u") => {
                unit(at + 8).filter(|low| (0xdc00..=0xdfff).contains(low))
            }
            _ => None,
        };
        if let Some(low) = low {
            text.extend(char::from_u32(0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00)));
            return Ok(at + 12);
        }
        // An unpaired surrogate stands for no character.
        text.push(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        Ok(at + 6)
    }
}
