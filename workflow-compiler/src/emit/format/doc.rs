//! Reads the text of a doc attribute, for a comment that says the same.

use super::read::Raw;

/// The lines of the comment for the body of an attribute, `doc = " text"`. None where a comment could not say it, or
/// would say something else.
pub fn lines(body: &[Raw]) -> Option<Vec<String>> {
    let [Raw::Word(name), Raw::Op("="), Raw::Literal(literal)] = body else { return None };
    let text = if name == "doc" { unescape(literal)? } else { return None };
    let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    // Four slashes are an ordinary comment.
    lines.iter().all(|line| !line.starts_with('/') && line.chars().all(is_plain)).then_some(lines)
}

/// Returns `true` if a character may stand in a comment. A control character is not text, U+2028 and U+2029 end a line for
/// some editors, and rustc refuses those that change the direction of the text behind them.
pub(super) fn is_plain(c: char) -> bool {
    let is_misleading =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (c == '\t' || !c.is_control()) && !is_misleading
}

/// The text of a string literal.
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
            // Control characters, and lines that go on: a comment cannot say them, or the emitter does not write them.
            _ => return None,
        }
        rest = chars.as_str();
    }
    text.push_str(rest);
    Some(text)
}
