//! Tokens of JSON text. Barewords, quotes and punctuation that JSON does not have are reported
//! here and become the intended tokens.

use super::super::report::{BYTE_ORDER_MARK, Report};
use super::super::{Text, Tree};
use crate::diagnostics::{Diagnostic, codes::syntax as codes};

pub struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
    pub line: Line,
    /// `true` if the token itself is an error, so that its end, and its being one value, are
    /// uncertain.
    pub wrong: bool,
}

/// The line of a token: the offsets of its start and of its first token.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Line {
    pub start: usize,
    pub first: usize,
}

impl Line {
    pub fn indent(self) -> usize {
        self.first - self.start
    }
}

pub enum TokenKind {
    Open(Bracket),
    Close(Bracket),
    Colon,
    Comma,
    String(Text),
    /// `null`, a boolean or a number.
    Scalar(Tree),
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bracket {
    Brace,
    Square,
}

impl Bracket {
    pub fn opener(self) -> char {
        if self == Bracket::Brace { '{' } else { '[' }
    }

    pub fn closer(self) -> char {
        if self == Bracket::Brace { '}' } else { ']' }
    }
}

pub struct Tokens<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// `true` if a key is expected. An unquoted key ends at a colon, but an unquoted value may
    /// contain one (`arn:aws:…`).
    pub at_key: bool,
    /// `true` if a value without a key is expected between braces.
    pub in_braces: bool,
    /// `true` if errors with a single correction are corrected.
    pub lenient: bool,
    line: Line,
    /// The end of the last token, if it ends a value.
    value_end: Option<usize>,
    put_back: Vec<Token>,
}

impl<'t> Tokens<'t> {
    pub fn new(text: &'t str, lenient: bool) -> Self {
        let at = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        let line = Line { start: at, first: at };
        Tokens { text, at, at_key: false, in_braces: false, lenient, line, value_end: None, put_back: Vec::new() }
    }

    /// Returns the next token, or [`TokenKind::End`] once the text or the report has ended.
    pub fn next(&mut self, report: &mut Report) -> Token {
        if report.stopped() {
            return self.end();
        }
        self.put_back.pop().unwrap_or_else(|| self.cut(report))
    }

    /// Returns the next token after the end of the outermost value: punctuation, or a word that is
    /// not analysed.
    pub fn next_trailing(&mut self, report: &mut Report) -> Token {
        if report.stopped() || !self.put_back.is_empty() {
            return self.next(report);
        }
        self.skip_blanks(report);
        let rest = self.rest();
        if rest.starts_with(['{', '}', '[', ']', ':', ',']) {
            return self.next(report);
        }
        let word = &rest[..rest.find(is_blank).unwrap_or(rest.len())];
        let kind = if word.is_empty() { TokenKind::End } else { TokenKind::Scalar(Tree::Null) };
        Token { kind, start: self.at, end: self.at + word.len(), line: self.line, wrong: false }
    }

    /// Makes `token` the next one again.
    pub fn put_back(&mut self, token: Token) {
        self.put_back.push(token);
    }

    /// Returns the next token without consuming it.
    pub fn peek(&mut self, report: &mut Report) -> &Token {
        let token = self.next(report);
        self.put_back.push(token);
        &self.put_back[self.put_back.len() - 1]
    }

    fn end(&self) -> Token {
        Token { kind: TokenKind::End, start: self.at, end: self.at, line: self.line, wrong: false }
    }

    fn cut(&mut self, report: &mut Report) -> Token {
        self.skip_blanks(report);
        let start = self.at;
        let Some(first) = self.rest().chars().next() else { return self.end() };
        let (line, errors) = (self.line, report.errors());
        let kind = match first {
            '{' => self.sign(1, TokenKind::Open(Bracket::Brace)),
            '}' => self.sign(1, TokenKind::Close(Bracket::Brace)),
            '[' => self.sign(1, TokenKind::Open(Bracket::Square)),
            ']' => self.sign(1, TokenKind::Close(Bracket::Square)),
            ':' => self.sign(1, TokenKind::Colon),
            ',' => self.sign(1, TokenKind::Comma),
            '=' | ';' => self.wrong_sign(report),
            '"' => TokenKind::String(self.string(report)),
            '\'' | '`' | '‘' | '’' | '“' | '”' | '„' | '«' => self.foreign_string(first, report),
            '0'..='9' | '-' | '+' | '.' => self.number(report),
            '$' if self.lenient => self.expression(report),
            _ => self.word(report),
        };
        let ends_value = matches!(kind, TokenKind::String(_) | TokenKind::Scalar(_) | TokenKind::Close(_));
        self.value_end = ends_value.then_some(self.at);
        Token { kind, start, end: self.at, line, wrong: report.errors() > errors }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Returns `true` if a key is expected, and no colon follows the `length` bytes at the cursor.
    /// They may not be a key.
    pub(super) fn is_lone_key(&self, length: usize) -> bool {
        let after = self.text[self.at + length..].trim_start_matches(is_blank);
        self.at_key && !after.starts_with([':', '='])
    }

    /// Returns `true` if a value ends before the cursor, on the same line and without a comma. The
    /// text at the cursor may be part of that value.
    pub(super) fn is_after_value(&self) -> bool {
        self.value_end.is_some_and(|end| !self.text[end..self.at].contains(['\n', '\r']))
    }

    /// Returns `true` if unquoted text continues after the cursor, where a value seems to end. The
    /// value may be part of that text.
    pub(super) fn text_follows(&self) -> bool {
        let rest = self.rest();
        let next = rest.trim_start_matches([' ', '\t']);
        let Some(first) = next.chars().next() else { return false };
        let is_sign = matches!(first, ',' | ':' | ';' | '=' | '{' | '}' | '[' | ']' | '"' | '#');
        if is_sign || is_blank(first) || next.starts_with("//") || next.starts_with("/*") {
            return false;
        }
        let is_value = matches!(first, '0'..='9' | '-' | '+' | '.' | '$')
            || matches!(first, '\'' | '`' | '‘' | '’' | '“' | '”' | '„' | '«')
            || ["null", "true", "false"].iter().any(|word| next.starts_with(word));
        next.len() == rest.len() || !is_value
    }

    fn sign(&mut self, length: usize, kind: TokenKind) -> TokenKind {
        self.at += length;
        kind
    }

    /// Reads `=`, `=>` and `;` as `:` and `,`.
    fn wrong_sign(&mut self, report: &mut Report) -> TokenKind {
        let (length, code, meant, kind, role) = match self.rest() {
            rest if rest.starts_with("=>") => (2, &codes::WF0105, ":", TokenKind::Colon, "a key and its value"),
            rest if rest.starts_with('=') => (1, &codes::WF0105, ":", TokenKind::Colon, "a key and its value"),
            _ => (1, &codes::WF0103, ",", TokenKind::Comma, "two values"),
        };
        let span = report.span(self.at, self.at + length);
        let found = &self.rest()[..length];
        report.push(
            Diagnostic::new(code, span, format!("unexpected `{found}` between {role}"))
                .help(format!("write `{meant}`"))
                .fix(span, meant),
        );
        self.sign(length, kind)
    }

    /// Skips blanks, and reports comments and blanks that JSON does not have.
    fn skip_blanks(&mut self, report: &mut Report) {
        loop {
            self.skip_json_blanks();
            // Tokens of JSON begin with these characters, and nothing that is skipped does.
            let next = self.text.as_bytes().get(self.at);
            if next.is_none_or(|byte| byte.is_ascii_graphic() && !matches!(byte, b'/' | b'#')) {
                return;
            }
            let rest = self.rest();
            let length = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find(['\n', '\r']).unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                let foreign = |c: char| !matches!(c, ' ' | '\t' | '\n' | '\r') && is_blank(c);
                let length = rest.len() - rest.trim_start_matches(foreign).len();
                if length == 0 {
                    return;
                }
                let span = report.span(self.at, self.at + length);
                let code_point = rest.chars().next().map_or(0, u32::from);
                let message = format!("unexpected invisible character U+{code_point:04X}");
                report.push(
                    Diagnostic::new(&codes::WF0101, span, message).help("write an ordinary space").fix(span, " "),
                );
                self.at += length;
                continue;
            };
            let span = report.span(self.at, self.at + length);
            report.push(
                Diagnostic::new(&codes::WF0107, span, "JSON has no comments")
                    .label("this is not part of JSON")
                    .help("remove it, or move it into a `Comment` field")
                    .fix(span, ""),
            );
            self.at += length;
        }
    }

    fn skip_json_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        let mut line = None;
        while self.at < bytes.len() && matches!(bytes[self.at], b' ' | b'\t' | b'\n' | b'\r') {
            if bytes[self.at] == b'\n' {
                line = Some(self.at + 1);
            }
            self.at += 1;
        }
        if let Some(start) = line {
            self.line = Line { start, first: self.at };
        }
    }
}

/// Returns `true` if `c` is a blank or otherwise invisible.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, BYTE_ORDER_MARK | '\u{200B}' | '\u{2060}') || (c.is_control() && c != '\u{7F}')
}
