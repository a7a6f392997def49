//! Templates of definitions in JSON, with places for texts.

use crate::input::Texts;
use std::fmt::Write;

/// Fills a template. `«3»` is the text of place 3 within a string of JSON, `«3'»` within a string
/// in single quotes inside one, and `«3f»` within a string in single quotes that also has
/// placeholders in braces.
pub(crate) fn fill(template: &str, texts: &Texts) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, place)) = rest.split_once('«') {
        filled.push_str(before);
        let Some((place, after)) = place.split_once('»') else { break };
        let digits = place.trim_end_matches(|c: char| !c.is_ascii_digit());
        let text = texts.get(digits.parse().unwrap_or_default());
        let escaped: &[char] = match &place[digits.len()..] {
            "'" => &['\\', '\''],
            "f" => &['\\', '\'', '{', '}'],
            _ => &[],
        };
        filled.push_str(&json(&quoted(text, escaped)));
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// Returns the text with a backslash before each of these characters.
pub(crate) fn quoted(text: &str, escaped: &[char]) -> String {
    let mut quoted = String::new();
    for c in text.chars() {
        if escaped.contains(&c) {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted
}

/// Escapes the text for a string of JSON.
pub(crate) fn json(text: &str) -> String {
    let mut json = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            ' '.. if c != '\u{7f}' => json.push(c),
            _ => _ = write!(json, "\\u{:04x}", u32::from(c)),
        }
    }
    json
}
