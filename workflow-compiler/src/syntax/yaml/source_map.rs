//! Source positions of the characters of YAML scalars. The parser reports only the value of a
//! scalar, its start and its end, and often reports the end too late.

use saphyr_parser::ScalarStyle;

use super::super::Text;
use crate::source::{FileId, Span};

/// The properties, blanks and comments before a node.
pub struct Properties {
    /// The start of the node itself.
    pub content: usize,
    /// The range of its tag.
    pub tag: Option<(usize, usize)>,
}

/// Skips the tag and the anchor at `from` (YAML 1.2.2, section 6.9).
pub fn properties(text: &str, from: usize) -> Properties {
    let mut at = from;
    let mut tag = None;
    loop {
        let rest = &text[at..];
        let length = match rest.chars().next() {
            Some(' ' | '\t' | '\n' | '\r') => 1,
            Some('#') => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            Some('&') => property_length(rest),
            Some('!') => {
                let length = match rest.starts_with("!<") {
                    true => rest.find('>').map_or(rest.len(), |end| end + 1),
                    false => property_length(rest),
                };
                tag = Some((at, at + length));
                length
            }
            _ => return Properties { content: at, tag },
        };
        at += length;
    }
}

fn property_length(rest: &str) -> usize {
    rest.find([' ', '\t', '\n', '\r', ',', '[', ']', '{', '}']).unwrap_or(rest.len())
}

/// Joins the value of a scalar with the positions of its characters. The scalar is written in
/// `style` from the byte `start` on, and ends before the byte `end`.
pub fn place(value: String, style: ScalarStyle, text: &str, start: usize, end: usize, file: FileId) -> Text {
    let end = end.max(start);
    let mut breaks = Vec::new();
    let (start, first, end) = match style {
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
            let content = start + 1;
            let close = align_quoted(&value, style, text, content, &mut breaks);
            let end = close.map_or(start + text[start..end].trim_end().len(), |close| close + 1);
            (start, content.min(end), end)
        }
        ScalarStyle::Plain | ScalarStyle::Literal | ScalarStyle::Folded => {
            let end = start + text[start..end].trim_end().len();
            align_lines(&value, text, start, end, &mut breaks);
            (start, start, end)
        }
    };
    let span = Span::new(file, start, end);
    Text { value, span, start: first as u32, breaks, is_substituted: false }
}

/// Returns the start of the content of a literal or folded scalar whose header (`|`, `>-`) may be
/// at `from`.
pub fn block_content(text: &str, from: usize) -> usize {
    let Some(newline) = text[from..].find('\n') else { return text.len() };
    let after = from + newline + 1;
    let rest = &text[after..];
    after + (rest.len() - rest.trim_start().len())
}

/// Aligns a value with its lines: each line of the source, without its blanks, occurs in the
/// value.
fn align_lines(value: &str, text: &str, start: usize, end: usize, breaks: &mut Vec<(u32, u32)>) {
    let mut in_value = 0;
    let mut in_text = start;
    for line in text[start..end].split_inclusive(['\n', '\r']) {
        let words = line.trim_matches([' ', '\t', '\n', '\r']);
        if !words.is_empty() {
            let rest = &value[in_value..];
            in_value += rest.len() - rest.trim_start_matches([' ', '\t', '\n']).len();
            if !value[in_value..].starts_with(words) {
                // The positions of the rest are unknown.
                return breaks.push((in_value as u32, end as u32));
            }
            let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
            let source = in_text + indent;
            if in_value > 0 || source > start {
                breaks.push((in_value as u32, source as u32));
            }
            in_value += words.len();
        }
        in_text += line.len();
    }
}

/// Aligns a value with the text between quotes, from the byte `at` on. Returns the offset of the
/// closing quote if everything matches.
fn align_quoted(
    value: &str,
    style: ScalarStyle,
    text: &str,
    mut at: usize,
    breaks: &mut Vec<(u32, u32)>,
) -> Option<usize> {
    let single = style == ScalarStyle::SingleQuoted;
    let mut in_value = 0;
    loop {
        let rest = text.get(at..)?;
        let c = rest.chars().next()?;
        let next = value[in_value..].chars().next();
        let folded = line_fold(rest);
        let (written, meant) = match c {
            '\'' if single && rest.starts_with("''") => (2, next?.len_utf8()),
            '\'' if single => return next.is_none().then_some(at),
            '"' if !single => return next.is_none().then_some(at),
            '\\' if !single => match rest[1..].chars().next()? {
                // An escaped line break and the blanks before the next line's text contribute
                // nothing.
                '\n' | '\r' => (1 + rest[1..].len() - rest[1..].trim_start_matches([' ', '\t', '\n', '\r']).len(), 0),
                'x' => (4, next?.len_utf8()),
                'u' => (6, next?.len_utf8()),
                'U' => (10, next?.len_utf8()),
                escaped => (1 + escaped.len_utf8(), next?.len_utf8()),
            },
            _ => match folded {
                Some((length, 1)) => (length, next.filter(|next| *next == ' ')?.len_utf8()),
                Some((length, lines)) => (length, lines - 1),
                None if next == Some(c) => {
                    at += c.len_utf8();
                    in_value += c.len_utf8();
                    continue;
                }
                None => return None,
            },
        };
        if meant == 0 {
            breaks.push((in_value as u32, at as u32));
        }
        at += written;
        in_value += meant;
        if !value.is_char_boundary(in_value) {
            return None;
        }
        breaks.push((in_value as u32, at as u32));
    }
}

/// Returns the length of the blanks at the start of `rest` and the number of line breaks in them,
/// if there is any.
fn line_fold(rest: &str) -> Option<(usize, usize)> {
    if !rest.starts_with([' ', '\t', '\n', '\r']) {
        return None;
    }
    let length = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    let blanks = &rest[..length];
    let lines = blanks.matches('\n').count() + blanks.matches('\r').count() - blanks.matches("\r\n").count();
    (lines > 0).then_some((length, lines))
}
