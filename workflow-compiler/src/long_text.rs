//! Emission of texts that may be long.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// The greatest width of a literal, in characters. A longer text is divided.
const MAX_WIDTH: usize = 88;

/// Emits a text of any length as a constant expression: a literal, or `concat!` of literals that
/// fit on a line of their own. Texts of several lines are divided between lines where possible.
pub fn emit_text(text: &str) -> LongText<'_> {
    LongText(text)
}

/// A text as an expression. It prints itself into the code around it, because each stream of
/// tokens between the two costs time.
pub struct LongText<'a>(&'a str);

impl ToTokens for LongText<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match divide(self.0).as_slice() {
            [] => "".to_tokens(tokens),
            [whole] => whole.to_tokens(tokens),
            parts => tokens.extend(quote!(::core::concat!(#(#parts),*))),
        }
    }
}

/// Divides a text into parts that have at most [`MAX_WIDTH`] characters as literals.
fn divide(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    // The start of the current part, and its width so far.
    let (mut start, mut width) = (0, 0);
    for line in text.split_inclusive('\n') {
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        let line_width = width_of(line);
        if width + line_width > MAX_WIDTH && width > 0 {
            parts.push(&text[start..at]);
            (start, width) = (at, 0);
        }
        width += line_width;
        if width > MAX_WIDTH {
            width = 0;
            for (offset, char) in line.char_indices() {
                let char_width = width_of_char(char);
                if width + char_width > MAX_WIDTH {
                    parts.push(&text[start..at + offset]);
                    (start, width) = (at + offset, 0);
                }
                width += char_width;
            }
        }
    }
    if start < text.len() {
        parts.push(&text[start..]);
    }
    parts
}

/// Returns the number of characters of a text within a literal.
fn width_of(text: &str) -> usize {
    // Nearly all texts are plain: a loop over bytes saves time, as in `crate::escape`.
    let bytes = text.as_bytes();
    let (mut plain, mut breaks) = (0, 0);
    while plain + breaks < bytes.len() {
        match bytes[plain + breaks] {
            b'\n' => breaks += 1,
            byte if is_plain(byte) => plain += 1,
            _ => return text.chars().map(width_of_char).sum(),
        }
    }
    // A line break is written with two characters.
    plain + 2 * breaks
}

fn width_of_char(char: char) -> usize {
    if u8::try_from(char).is_ok_and(is_plain) { 1 } else { char.escape_debug().len() }
}

/// Returns `true` for a character that a literal shows as it is.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_is_a_literal() {
        assert_eq!(emit_text("a\nb").to_token_stream().to_string(), r#""a\nb""#);
        assert_eq!(emit_text("").to_token_stream().to_string(), r#""""#);
    }

    #[test]
    fn a_long_text_is_divided_between_lines() {
        let text = format!("{}\n{}\n{}", "a".repeat(50), "b".repeat(50), "c".repeat(20));
        let parts = divide(&text);
        assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), [51, 71]);
        assert_eq!(parts.concat(), text);
        assert!(emit_text(&text).to_token_stream().to_string().contains("concat ! (\"aaa"));
    }

    #[test]
    fn a_long_line_is_divided_at_the_width_of_its_literal() {
        let text = format!("x\n{}\ny", "\u{1f600}\"\t".repeat(60));
        let parts = divide(&text);
        assert_eq!(parts.concat(), text);
        assert!(parts.iter().all(|part| width_of(part) <= MAX_WIDTH), "{parts:?}");
        assert!(parts.len() < 10, "{parts:?}");
    }
}
