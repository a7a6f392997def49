//! Cuts JSON text into tokens. Words, quotes and signs that JSON does not have are reported here and become the tokens
//! that were meant.

use super::super::report::{BYTE_ORDER_MARK, Report};
use super::super::{Text, Tree};
use crate::diagnostics::{Diagnostic, codes::syntax as codes};

pub struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
    pub line: Line,
}

/// Where the line of a token starts, and where the first token on it does.
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

pub enum Kind {
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
    /// Whether a key is expected: an unquoted one ends at a colon, whereas an unquoted value may hold one (`arn:aws:…`).
    pub at_key: bool,
    /// Whether mistakes that have one way to mend them are mended.
    pub lenient: bool,
    line: Line,
    put_back: Vec<Token>,
}

impl<'t> Tokens<'t> {
    pub fn new(text: &'t str, lenient: bool) -> Self {
        let at = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        Tokens { text, at, at_key: false, lenient, line: Line { start: at, first: at }, put_back: Vec::new() }
    }

    /// The next token; [`Kind::End`] for ever once the text or the report has ended.
    pub fn next(&mut self, report: &mut Report) -> Token {
        if report.stopped() {
            return self.end();
        }
        self.put_back.pop().unwrap_or_else(|| self.cut(report))
    }

    /// What follows where nothing should: a sign, or a word that is not looked into.
    pub fn left(&mut self, report: &mut Report) -> Token {
        if report.stopped() || !self.put_back.is_empty() {
            return self.next(report);
        }
        self.skip_blanks(report);
        let rest = self.rest();
        if rest.starts_with(['{', '}', '[', ']', ':', ',']) {
            return self.next(report);
        }
        let word = &rest[..rest.find(is_blank).unwrap_or(rest.len())];
        let kind = if word.is_empty() { Kind::End } else { Kind::Scalar(Tree::Null) };
        Token { kind, start: self.at, end: self.at + word.len(), line: self.line }
    }

    /// Makes `token` the next one again.
    pub fn put_back(&mut self, token: Token) {
        self.put_back.push(token);
    }

    /// What the next token is, without taking it.
    pub fn peek(&mut self, report: &mut Report) -> &Token {
        let token = self.next(report);
        self.put_back.push(token);
        &self.put_back[self.put_back.len() - 1]
    }

    fn end(&self) -> Token {
        Token { kind: Kind::End, start: self.at, end: self.at, line: self.line }
    }

    fn cut(&mut self, report: &mut Report) -> Token {
        self.skip_blanks(report);
        let start = self.at;
        let Some(first) = self.rest().chars().next() else { return self.end() };
        let line = self.line;
        let kind = match first {
            '{' => self.sign(1, Kind::Open(Bracket::Brace)),
            '}' => self.sign(1, Kind::Close(Bracket::Brace)),
            '[' => self.sign(1, Kind::Open(Bracket::Square)),
            ']' => self.sign(1, Kind::Close(Bracket::Square)),
            ':' => self.sign(1, Kind::Colon),
            ',' => self.sign(1, Kind::Comma),
            '=' | ';' => self.wrong_sign(report),
            '"' => Kind::String(self.string(report)),
            '\'' | '`' | '‘' | '’' | '“' | '”' | '„' | '«' => self.foreign_string(first, report),
            '0'..='9' | '-' | '+' | '.' => self.number(report),
            '$' if self.lenient => self.expression(report),
            _ => self.word(report),
        };
        Token { kind, start, end: self.at, line }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn sign(&mut self, length: usize, kind: Kind) -> Kind {
        self.at += length;
        kind
    }

    /// `=`, `=>` and `;`, for `:` and `,`.
    fn wrong_sign(&mut self, report: &mut Report) -> Kind {
        let (length, code, meant, kind, role) = match self.rest() {
            rest if rest.starts_with("=>") => (2, &codes::E0105, ":", Kind::Colon, "a key and its value"),
            rest if rest.starts_with('=') => (1, &codes::E0105, ":", Kind::Colon, "a key and its value"),
            _ => (1, &codes::E0103, ",", Kind::Comma, "two values"),
        };
        let span = report.span(self.at, self.at + length);
        let found = &self.rest()[..length];
        report.push(
            Diagnostic::new(code, span, format!("`{found}` stands between {role}"))
                .help(format!("write `{meant}`"))
                .fix(span, meant),
        );
        self.sign(length, kind)
    }

    /// Passes over blanks, and over comments and blanks that JSON does not have, which are reported.
    fn skip_blanks(&mut self, report: &mut Report) {
        loop {
            self.skip_json_blanks();
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
                report
                    .push(Diagnostic::new(&codes::E0101, span, message).help("write an ordinary space").fix(span, " "));
                self.at += length;
                continue;
            };
            let span = report.span(self.at, self.at + length);
            report.push(
                Diagnostic::new(&codes::E0107, span, "JSON has no comments")
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

/// Whether `c` is a blank or otherwise invisible.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, BYTE_ORDER_MARK | '\u{200B}' | '\u{2060}') || (c.is_control() && c != '\u{7F}')
}
