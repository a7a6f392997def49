//! Lexer of jq.

use std::ops::Range;

/// A token with its byte range.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JqToken<'a> {
    pub at: Range<usize>,
    pub kind: JqTokenKind<'a>,
}

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JqTokenKind<'a> {
    /// A name or a keyword.
    Word(&'a str),
    /// `.name`, without the dot.
    Field(&'a str),
    /// `$name`, without the `$`.
    Variable(&'a str),
    /// `@name`, with the `@`.
    Format(&'a str),
    /// A number.
    Number(&'a str),
    /// The opening quote of a string.
    Quote,
    /// An operator or a bracket.
    Sign(&'static str),
    /// A character that cannot begin a token.
    Unknown(char),
    /// The end of the text.
    End,
}

/// The operators and brackets, longer ones first.
const SIGNS: &[&str] = &[
    "?//", "//=", "..", "|=", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">=", "//", ".", "[", "]", "(", ")", "{",
    "}", "|", ",", ":", ";", "=", "<", ">", "+", "-", "*", "/", "%", "?",
];

/// Returns the token at or after a byte. Skips blanks and comments.
pub(super) fn token(text: &str, at: usize) -> JqToken<'_> {
    let start = skip(text, at);
    let rest = &text[start..];
    let mut chars = rest.chars();
    let Some(first) = chars.next() else { return JqToken { at: start..start, kind: JqTokenKind::End } };
    let word = |from: usize| from + rest[from..].find(|c| !is_in_name(c)).unwrap_or(rest.len() - from);
    let begins_name = |at: usize| rest[at..].chars().next().is_some_and(|c| is_in_name(c) && !c.is_ascii_digit());
    let (end, kind) = match first {
        'a'..='z' | 'A'..='Z' | '_' => {
            let mut end = word(0);
            // `module::name`
            while rest[end..].starts_with("::") && begins_name(end + 2) {
                end = word(end + 2);
            }
            (end, JqTokenKind::Word(&rest[..end]))
        }
        '$' if begins_name(1) => (word(1), JqTokenKind::Variable(&rest[1..word(1)])),
        '@' if begins_name(1) => (word(1), JqTokenKind::Format(&rest[..word(1)])),
        '.' if begins_name(1) => (word(1), JqTokenKind::Field(&rest[1..word(1)])),
        '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => number(rest),
        '0'..='9' => number(rest),
        '"' => (1, JqTokenKind::Quote),
        _ => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => (sign.len(), JqTokenKind::Sign(sign)),
            None => (first.len_utf8(), JqTokenKind::Unknown(first)),
        },
    };
    JqToken { at: start..start + end, kind }
}

fn number(rest: &str) -> (usize, JqTokenKind<'_>) {
    let digits = |from: usize| from + rest[from..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - from);
    let mut end = digits(0);
    if rest[end..].starts_with('.') {
        end = digits(end + 1);
    }
    if rest[end..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    (end, JqTokenKind::Number(&rest[..end]))
}

fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Skips blanks and comments. A comment continues on the next line if its line ends in an odd
/// number of backslashes.
fn skip(text: &str, mut at: usize) -> usize {
    loop {
        at += text[at..].len() - text[at..].trim_start_matches([' ', '\t', '\n', '\r']).len();
        if !text[at..].starts_with('#') {
            return at;
        }
        loop {
            let line = text[at..].find('\n').map_or(text.len(), |end| at + end);
            let body = text[at..line].strip_suffix('\r').unwrap_or(&text[at..line]);
            let goes_on = body.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
            at = (line + 1).min(text.len());
            if !goes_on || at == text.len() {
                break;
            }
        }
    }
}
