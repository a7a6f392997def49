//! Conversion of doc attributes to doc comments.

use super::read::Raw;
use crate::escape::is_disruptive;

/// Returns the lines of the comment for an attribute body `doc = " text"`, or `None` if no comment
/// has the same meaning.
pub fn lines(body: &[Raw]) -> Option<Vec<String>> {
    let [Raw::Word(name), Raw::Op("="), Raw::Literal(literal)] = body else { return None };
    let text = if name == "doc" { unescape(literal)? } else { return None };
    let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    // Four slashes start an ordinary comment.
    lines.iter().all(|line| !line.starts_with('/') && line.chars().all(is_plain)).then_some(lines)
}

/// Returns `true` if a comment can contain a character. rustc refuses control characters and
/// bidirectional marks.
fn is_plain(c: char) -> bool {
    c == '\t' || !is_disruptive(c)
}

/// Returns the text of a string literal.
fn unescape(literal: &str) -> Option<String> {
    if let Some(raw) = literal.strip_prefix('r') {
        let raw = raw.trim_matches('#');
        return raw.strip_prefix('"')?.strip_suffix('"').map(str::to_owned);
    }
    let mut rest = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::with_capacity(rest.len());
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let mut chars = rest[at + 1..].chars();
        match chars.next()? {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            c @ ('\\' | '"' | '\'') => text.push(c),
            'u' => {
                let (digits, after) = chars.as_str().strip_prefix('{')?.split_once('}')?;
                text.push(char::from_u32(u32::from_str_radix(&digits.replace('_', ""), 16).ok()?)?);
                chars = after.chars();
            }
            // A comment cannot contain control characters. The emitter writes no line
            // continuations.
            _ => return None,
        }
        rest = chars.as_str();
    }
    text.push_str(rest);
    Some(text)
}
