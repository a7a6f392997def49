//! Cuts JSON text into tokens. Words, quotes and signs that JSON does not have are reported here and become the tokens
//! that were meant.

use super::super::number;
use super::super::report::{BYTE_ORDER_MARK, Report, shown};
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
    line: Line,
    put_back: Vec<Token>,
}

impl<'t> Tokens<'t> {
    pub fn new(text: &'t str) -> Self {
        let at = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        Tokens { text, at, at_key: false, line: Line { start: at, first: at }, put_back: Vec::new() }
    }

    /// The next token; [`Kind::End`] for ever once the text or the report has ended.
    pub fn next(&mut self, report: &mut Report) -> Token {
        if report.stopped() {
            return self.end();
        }
        self.put_back.pop().unwrap_or_else(|| self.cut(report))
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

    fn number(&mut self, report: &mut Report) -> Kind {
        let start = self.at;
        let more = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-' | '_');
        let text = self.rest();
        let text = &text[..text.find(|c| !more(c)).unwrap_or(text.len())];
        let span = report.span(start, start + text.len());
        if number::is_json(text) {
            self.at += text.len();
            return Kind::Scalar(number::decimal(text, span, report));
        }
        let Some(mended) = number::mend(text) else { return self.word(report) };
        self.at += text.len();
        let message = format!("`{}` is not a number as JSON writes it", shown(text));
        let help = format!("write `{}`", shown(&mended));
        report.push(Diagnostic::new(&codes::E0111, span, message).help(help).fix(span, mended.clone()));
        Kind::Scalar(number::decimal(&mended, span, report))
    }

    /// A word without quotes: `null`, `true` and `false`, what other languages call these, or a string that lacks quotes.
    fn word(&mut self, report: &mut Report) -> Kind {
        let start = self.at;
        let rest = self.rest();
        let first = &rest[..rest.find(|c| ends_word(c) || is_blank(c)).unwrap_or(rest.len())];
        let literal = match first {
            "null" => Some((Tree::Null, None)),
            "true" => Some((Tree::Bool(true), None)),
            "false" => Some((Tree::Bool(false), None)),
            "True" | "TRUE" => Some((Tree::Bool(true), Some("true"))),
            "False" | "FALSE" => Some((Tree::Bool(false), Some("false"))),
            "None" | "Null" | "NULL" | "nil" | "undefined" => Some((Tree::Null, Some("null"))),
            _ => None,
        };
        if let Some((tree, meant)) = literal {
            self.at += first.len();
            if let Some(meant) = meant {
                let span = report.span(start, self.at);
                let message = format!("`{first}` is not a word of JSON");
                report.push(
                    Diagnostic::new(&codes::E0106, span, message).help(format!("write `{meant}`")).fix(span, meant),
                );
            }
            return Kind::Scalar(tree);
        }
        let length = self.word_length();
        self.at += length;
        let (word, span) = (&rest[..length], report.span(start, self.at));
        if matches!(word.trim_start_matches(['+', '-']), "NaN" | "nan" | "Infinity" | "inf" | "Inf") {
            let message = format!("JSON has no number `{word}`");
            report.push(Diagnostic::new(&codes::E0111, span, message).help("write a finite number, or `null`"));
            return Kind::Scalar(Tree::Null);
        }
        let quoted = quote(word);
        report.push(
            Diagnostic::new(&codes::E0106, span, format!("`{}` is not in double quotes", shown(word)))
                .help(format!("write `{}`", shown(&quoted)))
                .fix(span, quoted),
        );
        Kind::String(Text::verbatim(word, span, start))
    }

    /// How long the text without quotes at the cursor is: to a sign of JSON or the end of the line. A colon that is
    /// followed by more, as in `arn:aws:…`, belongs to an unquoted value.
    fn word_length(&self) -> usize {
        let rest = self.rest();
        let mut end = rest.len();
        let mut characters = rest.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            let next = characters.peek().map_or(' ', |(_, next)| *next);
            let colon_within = c == ':' && !self.at_key && !is_blank(next) && !ends_word(next);
            let comment = is_blank(c) && (next == '#' || rest[at + c.len_utf8()..].starts_with("//"));
            if at > 0 && ((ends_word(c) && !colon_within) || comment || (self.at_key && c == '=')) {
                end = at;
                break;
            }
        }
        rest[..end].trim_end_matches(is_blank).len().max(rest.chars().next().map_or(0, char::len_utf8))
    }

    /// A string between other quotes than JSON's, on one line.
    fn foreign_string(&mut self, quote_mark: char, report: &mut Report) -> Kind {
        let closers: &[char] = match quote_mark {
            '\'' => &['\''],
            '`' => &['`'],
            '«' => &['»'],
            '‘' | '’' => &['’', '‘'],
            _ => &['”', '“'],
        };
        let start = self.at;
        let content_start = start + quote_mark.len_utf8();
        let line = self.text[content_start..].split(['\n', '\r']).next().unwrap_or_default();
        let Some(length) = line.find(closers) else { return self.word(report) };
        let content = &line[..length];
        self.at = content_start + length + line[length..].chars().next().map_or(0, char::len_utf8);
        let span = report.span(start, self.at);
        let quoted = quote(content);
        report.push(
            Diagnostic::new(&codes::E0106, span, "a string of JSON is written in straight double quotes")
                .label(format!("not between `{quote_mark}`"))
                .help(format!("write `{}`", shown(&quoted)))
                .fix(span, quoted),
        );
        Kind::String(Text::verbatim(content, span, content_start))
    }
}

/// Whether `c` ends a word that lacks quotes.
fn ends_word(c: char) -> bool {
    matches!(c, '{' | '}' | '[' | ']' | ',' | ':' | '"' | '\n' | '\r')
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, BYTE_ORDER_MARK | '\u{200B}' | '\u{2060}') || (c.is_control() && c != '\u{7F}')
}

/// `text` as a string of JSON.
fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    crate::diagnostics::json::escape_into(text, &mut quoted);
    quoted.push('"');
    quoted
}
