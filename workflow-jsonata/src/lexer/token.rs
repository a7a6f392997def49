//! The tokens, and how messages show them.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use crate::ast::{Number, Pattern};

/// A token with its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    /// The kind of the token.
    pub(crate) kind: TokenKind,
    /// The place in the text, in bytes.
    pub(crate) at: Range<usize>,
}

/// The kinds of tokens.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TokenKind {
    /// The end of the text.
    End,
    /// An operator, or one of the words `and`, `or`, `in`.
    Operator(&'static str),
    /// A name, plain or in backquotes.
    Name(Arc<str>),
    /// A variable, without `$`.
    Variable(Arc<str>),
    /// A string.
    String(Arc<str>),
    /// A number.
    Number(Number),
    /// `true` or `false`
    Bool(bool),
    /// `null`
    Null,
    /// A regular expression.
    Regex(Arc<Pattern>),
}

impl Token {
    /// Returns `true` if the token is this operator.
    pub(crate) fn is(&self, operator: &str) -> bool {
        matches!(self.kind, TokenKind::Operator(own) if own == operator)
    }

    /// Returns the token as messages show it: its value as JSON.
    pub(crate) fn shown(&self) -> String {
        match &self.kind {
            TokenKind::End => quote("(end)"),
            TokenKind::Operator(text) => quote(text),
            TokenKind::Name(text) | TokenKind::Variable(text) | TokenKind::String(text) => quote(text),
            TokenKind::Number(_) | TokenKind::Bool(_) | TokenKind::Null => self.value(),
            TokenKind::Regex(_) => "{}".to_owned(),
        }
    }

    /// Returns the text that the token adds to a signature.
    pub(crate) fn value(&self) -> String {
        match &self.kind {
            TokenKind::End => String::new(),
            TokenKind::Operator(text) => (*text).to_owned(),
            TokenKind::Name(text) | TokenKind::Variable(text) | TokenKind::String(text) => text.to_string(),
            TokenKind::Number(number) => number.to_string(),
            TokenKind::Bool(value) => value.to_string(),
            TokenKind::Null => "null".to_owned(),
            TokenKind::Regex(pattern) => format!("/{}/", pattern.text),
        }
    }
}

/// Returns a text as a string of JSON.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\0'..='\u{1f}' => {
                write!(quoted, "\\u{:04x}", u32::from(character)).expect("a string takes all that is written");
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
