//! Conversion of the event parser's marks, which count characters, to byte offsets.

use saphyr_parser::Marker;

use super::super::report::BYTE_ORDER_MARK;

/// The distance in characters between indexed byte offsets.
const STEP: usize = 16;

/// The offsets of the lines and characters of a text.
pub struct Marks<'t> {
    text: &'t str,
    /// The index of the first character of each line. The parser ends lines at `\n`, `\r` and
    /// `\r\n`.
    lines: Vec<u32>,
    /// The byte offset of every `STEP`th character. Empty if the text is ASCII.
    bytes: Vec<u32>,
}

impl<'t> Marks<'t> {
    pub fn new(text: &'t str) -> Self {
        let mut lines = vec![0];
        let mut previous = ' ';
        for (number, c) in text.chars().enumerate() {
            match (previous, c) {
                ('\r', '\n') => lines[..].last_mut().into_iter().for_each(|start| *start += 1),
                (_, '\n' | '\r') => lines.push(number as u32 + 1),
                _ => {}
            }
            previous = c;
        }
        let bytes = match text.is_ascii() {
            true => Vec::new(),
            false => text.char_indices().step_by(STEP).map(|(byte, _)| byte as u32).collect(),
        };
        Marks { text, lines, bytes }
    }

    /// Returns the byte offset of a mark. Uses its line and column, because the parser's own count
    /// is wrong after directives and byte order marks.
    pub fn byte(&self, mark: &Marker) -> usize {
        let Some(line) = self.lines.get(mark.line().saturating_sub(1)) else { return self.text.len() };
        let character = *line as usize + mark.col();
        if self.bytes.is_empty() {
            return character.min(self.text.len());
        }
        let Some(start) = self.bytes.get(character / STEP) else { return self.text.len() };
        let mut byte = *start as usize;
        // The compiler may run unoptimised, where decoding the characters would take most of the
        // reader's time.
        for _ in 0..character % STEP {
            byte += match self.text.as_bytes().get(byte) {
                Some(0xF0..) => 4,
                Some(0xE0..) => 3,
                Some(0xC0..) => 2,
                Some(_) => 1,
                None => return self.text.len(),
            };
        }
        byte
    }
}

/// Returns the text after a byte order mark, and its offset.
pub fn after_byte_order_mark(text: &str) -> (&str, usize) {
    match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(after) => (after, BYTE_ORDER_MARK.len_utf8()),
        None => (text, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_bytes() {
        let long = format!("é{}", "漢x".repeat(200));
        for text in ["", "abc", "a\nbé\r\nc\rd\n", "é\n漢字\n", &long] {
            let marks = Marks::new(text);
            let (mut line, mut column) = (1, 0);
            let mut previous = ' ';
            for (byte, c) in text.char_indices() {
                if previous == '\n' || (previous == '\r' && c != '\n') {
                    (line, column) = (line + 1, 0);
                }
                assert_eq!(marks.byte(&Marker::new(0, line, column)), byte, "{text:?} {line}:{column}");
                column += 1;
                previous = c;
            }
            assert_eq!(marks.byte(&Marker::new(0, line + 5, 0)), text.len());
        }
    }
}
