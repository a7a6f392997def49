//! Quoted strings and escapes in paths (RFC 9535 §2.3.1.1; ASL, "Reference Paths").

use super::Mode;
use super::parse::{PathParsed, syntax};
use crate::expr::cursor::{Cursor, control_escape, surrogate_pair};

/// Parses a string in single or double quotes. The cursor is before the quote.
pub(super) fn quoted(cursor: &mut Cursor<'_>, mode: Mode) -> PathParsed<String> {
    let start = cursor.at();
    let quote = cursor.bump().unwrap_or('\'');
    let mut value = String::new();
    loop {
        let at = cursor.here();
        match cursor.bump() {
            None => {
                let error = syntax(start..start + 1, "unclosed string");
                return Err(error.help(format!("close it with `{quote}`")).into());
            }
            Some(c) if c == quote => return Ok(value),
            Some('\\') => match escaped(cursor, quote, mode) {
                Some(c) => value.push(c),
                None => {
                    let end = cursor.here().end;
                    return Err(syntax(at.start..end, "unknown escape").into());
                }
            },
            Some(c) if c < ' ' && mode == Mode::Rfc => {
                return Err(syntax(at, "unescaped control character in a string").into());
            }
            Some(c) => value.push(c),
        }
    }
}

/// Parses the character after a backslash. In Jayway an unknown escape stands for the character
/// itself.
fn escaped(cursor: &mut Cursor<'_>, quote: char, mode: Mode) -> Option<char> {
    let next = cursor.peek()?;
    if next == 'u' {
        cursor.bump();
        return unicode(cursor);
    }
    let is_itself = matches!(next, '/' | '\\') || next == quote || mode != Mode::Rfc;
    let value = control_escape(next).or(is_itself.then_some(next))?;
    cursor.bump();
    Some(value)
}

/// Parses the character after a backslash in a name after a dot. `\uD800\uDF46` is one character.
pub(super) fn escaped_in_name(cursor: &mut Cursor<'_>) -> Option<char> {
    if cursor.peek() == Some('u') {
        let mut ahead = cursor.clone();
        ahead.bump();
        if let Some(c) = unicode(&mut ahead) {
            *cursor = ahead;
            return Some(c);
        }
    }
    cursor.bump()
}

/// Parses four hexadecimal digits, and a second `\u` escape after a high surrogate.
fn unicode(cursor: &mut Cursor<'_>) -> Option<char> {
    let first = cursor.hex4()?;
    match first {
        0xd800..0xdc00 if cursor.eat("\\u") => surrogate_pair(first, cursor.hex4()?),
        _ => char::from_u32(first),
    }
}
