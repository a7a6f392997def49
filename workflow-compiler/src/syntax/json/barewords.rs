//! Numbers, unquoted text, and text in foreign quotes.

use super::super::number;
use super::super::report::Report;
use super::super::{Text, Tree};
use super::tokens::{TokenKind, Tokens, is_blank};
use crate::diagnostics::{Diagnostic, codes::syntax as codes};
use crate::escape::shown;

impl Tokens<'_> {
    pub(super) fn number(&mut self, report: &mut Report) -> TokenKind {
        let start = self.at;
        let more = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-' | '_');
        let text = self.rest();
        let text = &text[..text.find(|c| !more(c)).unwrap_or(text.len())];
        let span = report.span(start, start + text.len());
        if number::is_json(text) {
            self.at += text.len();
            return TokenKind::Scalar(number::decimal(text, span, report));
        }
        let Some(spelling) = number::json_spelling(text) else { return self.word(report) };
        self.at += text.len();
        let message = format!("`{}` is not a JSON number", shown(text));
        let help = format!("write `{}`", shown(&spelling));
        report.push(Diagnostic::new(&codes::WF0111, span, message).help(help).fix(span, spelling.clone()));
        TokenKind::Scalar(number::decimal(&spelling, span, report))
    }

    /// Reads an unquoted word: `null`, `true` and `false`, their spellings in other languages, or
    /// a string without quotes.
    pub(super) fn word(&mut self, report: &mut Report) -> TokenKind {
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
                let message = format!("`{first}` is not a JSON literal");
                report.push(
                    Diagnostic::new(&codes::WF0106, span, message).help(format!("write `{meant}`")).fix(span, meant),
                );
            }
            return TokenKind::Scalar(tree);
        }
        let length = self.word_length();
        let is_part = self.in_braces || self.is_lone_key(length) || self.is_after_value();
        self.at += length;
        let (word, span) = (&rest[..length], report.span(start, self.at));
        if matches!(word.trim_start_matches(['+', '-']), "NaN" | "nan" | "Infinity" | "inf" | "Inf") {
            let message = format!("`{word}` is not a JSON number");
            report.push(Diagnostic::new(&codes::WF0111, span, message).help("write a finite number, or `null`"));
            return TokenKind::Scalar(Tree::Null);
        }
        let quoted = quote(word);
        let diagnostic = Diagnostic::new(&codes::WF0106, span, format!("`{}` is not in double quotes", shown(word)))
            .help(format!("write `{}`", shown(&quoted)));
        // A word that a bracket or a quote follows, as in `${Name}`, is incomplete.
        let is_incomplete = rest[length..].starts_with(['{', '[', '"']);
        report.push(if is_incomplete || is_part { diagnostic } else { diagnostic.fix(span, quoted) });
        TokenKind::String(Text::verbatim(word, span, start))
    }

    /// Returns the length of the unquoted text at the cursor, up to JSON punctuation or the end of
    /// the line. A colon with text after it, as in `arn:aws:…`, belongs to an unquoted value.
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

    /// Reads a string in foreign quotes, on one line.
    pub(super) fn foreign_string(&mut self, quote_mark: char, report: &mut Report) -> TokenKind {
        let closers: &[char] = match quote_mark {
            '\'' => &['\''],
            '`' => &['`'],
            '«' => &['»'],
            '‘' | '’' => &['’', '‘'],
            _ => &['”', '“'],
        };
        let start = self.at;
        let content_start = start + quote_mark.len_utf8();
        let rest = &self.text[content_start..];
        // The search stops at the closing quote, because a line can be long and contain many
        // strings.
        let end = rest.char_indices().find(|(_, c)| closers.contains(c) || matches!(c, '\n' | '\r'));
        let Some((length, closer)) = end.filter(|(_, c)| closers.contains(c)) else { return self.word(report) };
        let content = &rest[..length];
        self.at = content_start + length + closer.len_utf8();
        let span = report.span(start, self.at);
        let quoted = quote(content);
        // A backslash or a quote inside may or may not belong to the text.
        let is_escaped = content.contains('\\');
        let is_plain = !is_escaped && !content.contains(|c: char| c == '"' || c.is_control());
        let is_mended = is_plain && matches!(quote_mark, '“' | '”');
        let code = if is_mended { self.lenient_code(&codes::WF0106) } else { &codes::WF0106 };
        let diagnostic = Diagnostic::new(code, span, "a JSON string must be in straight double quotes")
            .label(format!("`{quote_mark}` is not a JSON quotation mark"))
            .help(format!("write `{}`", shown(&quoted)));
        report.push(if is_escaped || self.text_follows() { diagnostic } else { diagnostic.fix(span, quoted) });
        TokenKind::String(Text::verbatim(content, span, content_start))
    }
}

/// Returns `true` if `c` ends an unquoted word.
fn ends_word(c: char) -> bool {
    matches!(c, '{' | '}' | '[' | ']' | ',' | ':' | '"' | '\n' | '\r')
}

/// Returns `text` as a JSON string.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    crate::diagnostics::json::escape_into(text, &mut quoted);
    quoted.push('"');
    quoted
}
