//! JSON strings: escapes, surrogates, and recovery from errors between quotes.

use super::super::Text;
use super::super::report::Report;
use super::tokens::Tokens;
use crate::diagnostics::{Diagnostic, codes::syntax as codes};
use crate::escape::shown;

/// A string that is being read.
struct Content {
    /// The offset of its opening quote.
    start: usize,
    value: String,
    breaks: Vec<(u32, u32)>,
    /// `true` after quotes or line breaks inside have been reported, which happens once for each
    /// string.
    inner_quotes: bool,
    line_breaks: bool,
}

impl Tokens<'_> {
    /// Reads the string whose opening quote is at the cursor.
    pub(super) fn string(&mut self, report: &mut Report) -> Text {
        let start = self.at;
        let mut content =
            Content { start, value: String::new(), breaks: Vec::new(), inner_quotes: false, line_breaks: false };
        self.at += 1;
        loop {
            let rest = self.rest();
            let plain = plain_length(rest.as_bytes());
            content.value.push_str(&rest[..plain]);
            self.at += plain;
            match rest.as_bytes().get(plain) {
                Some(b'"') if self.is_inner_quote(&content) => self.inner_quote(&mut content, report),
                Some(b'"') => {
                    self.at += 1;
                    break;
                }
                Some(b'\\') => self.escape(&mut content, report),
                Some(b'\n' | b'\r') if content.line_breaks || self.continues_on_next_line() => {
                    self.line_break(&mut content, report)
                }
                Some(byte) if !matches!(byte, b'\n' | b'\r') => self.control_character(*byte, &mut content, report),
                _ => {
                    self.unclosed(&mut content, report);
                    break;
                }
            }
        }
        Text {
            value: content.value,
            span: report.span(start, self.at),
            start: start as u32 + 1,
            breaks: content.breaks,
            is_substituted: false,
        }
    }

    /// Returns `true` if the quote at the cursor is part of the text, as in `"say "hi" there"`: a
    /// word follows it directly, which is impossible in JSON. After one such quote, only a quote
    /// before JSON punctuation ends the string.
    fn is_inner_quote(&self, content: &Content) -> bool {
        let after = &self.rest()[1..];
        if !content.inner_quotes {
            return after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'));
        }
        let next = after.trim_start_matches([' ', '\t']).chars().next();
        !matches!(next, None | Some(',' | ':' | '}' | ']' | '\n' | '\r'))
    }

    fn inner_quote(&mut self, content: &mut Content, report: &mut Report) {
        if !content.inner_quotes {
            content.inner_quotes = true;
            let span = report.span(self.at, self.at + 1);
            report.push(
                Diagnostic::new(&codes::WF0108, span, "unescaped double quote in a string")
                    .label("text follows this quote")
                    .related(report.span(content.start, content.start + 1), "the string starts here")
                    .help("write `\\\"` for a quote in the text")
                    .fix(span, "\\\""),
            );
        }
        content.value.push('"');
        self.at += 1;
    }

    /// Returns `true` if the string is meant to continue after the line break at the cursor: the
    /// next quote is one that ends a string.
    fn continues_on_next_line(&self) -> bool {
        let rest = self.rest();
        let mut escaped = false;
        for (at, byte) in rest.bytes().enumerate() {
            if byte == b'"' && !escaped {
                let next = rest[at + 1..].trim_start_matches([' ', '\t', '\n', '\r']).chars().next();
                return matches!(next, None | Some(',' | ':' | '}' | ']'));
            }
            escaped = byte == b'\\' && !escaped;
        }
        false
    }

    fn line_break(&mut self, content: &mut Content, report: &mut Report) {
        if !content.line_breaks {
            content.line_breaks = true;
            let span = report.span(self.at, self.at);
            report.push(
                Diagnostic::new(&codes::WF0110, span, "a string cannot contain a line break")
                    .label("the line ends here")
                    .related(report.span(content.start, content.start + 1), "the string starts here")
                    .help("write the string on one line, with `\\n` for the line break"),
            );
        }
        let length = if self.rest().starts_with("\r\n") { 2 } else { 1 };
        self.at += length;
        content.value.push('\n');
        self.resume(content);
    }

    fn control_character(&mut self, byte: u8, content: &mut Content, report: &mut Report) {
        let span = report.span(self.at, self.at + 1);
        let escape = if byte == b'\t' { "\\t".to_owned() } else { format!("\\u{byte:04x}") };
        report.push(
            Diagnostic::new(&codes::WF0110, span, format!("unescaped control character U+{byte:04X} in a string"))
                .help(format!("write `{escape}`"))
                .fix(span, escape),
        );
        content.value.push(char::from(byte));
        self.at += 1;
    }

    fn escape(&mut self, content: &mut Content, report: &mut Report) {
        let rest = self.rest();
        let meant = match rest.as_bytes().get(1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{C}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.code_point(content, report),
            _ => return self.unknown_escape(content, report),
        };
        content.value.push(meant);
        self.at += 2;
        self.resume(content);
    }

    /// Reads `\uXXXX`, or two of them that are a surrogate pair (RFC 8259, section 7).
    fn code_point(&mut self, content: &mut Content, report: &mut Report) {
        let rest = self.rest();
        let Some(first) = hexadecimal(rest) else {
            let digits = rest[2..].bytes().take(4).take_while(u8::is_ascii_hexdigit).count();
            let span = report.span(self.at, self.at + 2 + digits);
            report.push(
                Diagnostic::new(&codes::WF0109, span, "`\\u` is not followed by four hexadecimal digits")
                    .label(format!("{digits} of 4 digits"))
                    .help("write four digits, as in `\\u00e9`, or the character itself"),
            );
            content.value.push(char::REPLACEMENT_CHARACTER);
            self.at += 2 + digits;
            return self.resume(content);
        };
        let second = if (0xD800..0xDC00).contains(&first) { hexadecimal(&rest[6..]) } else { None };
        let pair = second.filter(|second| (0xDC00..0xE000).contains(second));
        let (code_point, length) = match pair {
            Some(second) => (0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00), 12),
            None => (first, 6),
        };
        let character = char::from_u32(code_point).unwrap_or_else(|| {
            let span = report.span(self.at, self.at + 6);
            let message = format!("unpaired surrogate `{}`", &rest[..6]);
            let missing = if first < 0xDC00 {
                "expected a low surrogate after it"
            } else {
                "expected a high surrogate before it"
            };
            report.push(
                Diagnostic::new(&codes::WF0109, span, message)
                    .label(missing)
                    .help("write both halves, as in `\\ud83d\\ude00`, or the character itself"),
            );
            char::REPLACEMENT_CHARACTER
        });
        content.value.push(character);
        self.at += length;
        self.resume(content);
    }

    /// Reports a backslash that escapes nothing, and takes it literally.
    fn unknown_escape(&mut self, content: &mut Content, report: &mut Report) {
        let next = self.rest()[1..].chars().next().filter(|c| !c.is_control());
        let span = report.span(self.at, self.at + 1 + next.map_or(0, char::len_utf8));
        let found = next.map(String::from).unwrap_or_default();
        let diagnostic = Diagnostic::new(&codes::WF0109, span, format!("`\\{found}` is not a JSON escape"));
        report.push(match next {
            Some('\'' | '`' | '$') => diagnostic.help(format!("write `{found}` alone")).fix(span, found),
            Some('x') => diagnostic.help("write `\\u00` and the two digits"),
            _ => diagnostic
                .help(format!("write `\\\\{found}` for a backslash"))
                .fix(report.span(self.at, self.at + 1), "\\\\"),
        });
        content.value.push('\\');
        self.at += 1;
    }

    /// Ends the string with its line. A comma at the end of the line is taken as the separator
    /// after the string.
    fn unclosed(&mut self, content: &mut Content, report: &mut Report) {
        let trimmed = content.value.trim_end_matches([' ', '\t']);
        let kept = trimmed.strip_suffix(',').unwrap_or(trimmed);
        let floor = content.breaks.last().map_or(0, |(value, _)| *value as usize);
        let cut = content.value.len() - kept.len().max(floor);
        content.value.truncate(content.value.len() - cut);
        self.at -= cut;
        let span = report.span(content.start, self.at);
        report.push(
            Diagnostic::new(
                &codes::WF0108,
                span,
                format!("the string `{}` has no closing quote", shown(&content.value)),
            )
            .label("the string starts here and is not closed on this line")
            .help("write `\"` at its end")
            .fix(report.span(self.at, self.at), "\""),
        );
    }

    /// Records that value and source are aligned again from here on.
    fn resume(&self, content: &mut Content) {
        content.breaks.push((content.value.len() as u32, self.at as u32));
    }
}

/// Returns the number of literal bytes at the start of `rest`. It is a plain loop, because the
/// compiler may run unoptimised, where this takes most of the reader's time.
fn plain_length(rest: &[u8]) -> usize {
    let mut length = 0;
    while length < rest.len() && !matches!(rest[length], b'"' | b'\\' | 0..0x20) {
        length += 1;
    }
    length
}

/// Returns the value of a `\uXXXX` at the start of `text`.
fn hexadecimal(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}
