//! Quoted strings and escapes in paths (RFC 9535 §2.3.1.1; ASL, "Reference Paths").

use super::Mode;
use super::parse::{PathParsed, syntax};
use crate::expr::cursor::Cursor;

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
    let value = match next {
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '/' | '\\' => next,
        c if c == quote || mode != Mode::Rfc => c,
        _ => return None,
    };
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
    let first = hex4(cursor)?;
    if !(0xd800..0xdc00).contains(&first) {
        return char::from_u32(first);
    }
    if !cursor.eat("\\u") {
        return None;
    }
    let second = hex4(cursor)?;
    if !(0xdc00..0xe000).contains(&second) {
        return None;
    }
    char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))
}

fn hex4(cursor: &mut Cursor<'_>) -> Option<u32> {
    let digits = cursor.rest().get(..4)?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    cursor.eat(digits);
    u32::from_str_radix(digits, 16).ok()
}
