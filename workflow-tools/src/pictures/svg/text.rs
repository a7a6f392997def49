//! Sizes and line breaks of texts.

use super::font::advance;

/// A text size in pixels, with its line height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Face {
    pub size: f64,
    pub line: f64,
    pub bold: bool,
}

/// Names of states.
pub const NAME: Face = Face { size: 13.0, line: 17.0, bold: true };
/// All other texts.
pub const SMALL: Face = Face { size: 10.5, line: 14.0, bold: false };

/// Returns the width of one line.
pub fn width(text: &str, face: Face) -> f64 {
    text.chars().map(|c| advance(c, face.bold)).sum::<f64>() * face.size
}

/// Returns the width of the widest line.
pub fn widest(lines: &[String], face: Face) -> f64 {
    lines.iter().map(|line| width(line, face)).fold(0.0, f64::max)
}

/// Breaks a text into at most `most` lines of about `columns` characters: at spaces, and inside of
/// long words where [`pieces`] says.
pub fn wrap(text: &str, columns: usize, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (piece, joined) in text.split_whitespace().flat_map(|word| pieces(word, columns)) {
        let full = lines.len() == most;
        let space = if joined { "" } else { " " };
        match lines.last_mut() {
            Some(line) if line.chars().count() + space.len() + piece.chars().count() <= columns => {
                line.push_str(space);
                line.push_str(&piece);
            }
            Some(line) if full => {
                line.push_str(" …");
                break;
            }
            _ => lines.push(piece),
        }
    }
    lines
}

/// Returns the pieces of a word that fit on a line: up to the last punctuation or the last change
/// from a small to a capital letter, or of full length if there is neither. `true` marks a piece
/// that continues without a space.
fn pieces(word: &str, columns: usize) -> Vec<(String, bool)> {
    let letters: Vec<char> = word.chars().collect();
    let mut pieces = Vec::new();
    let mut rest = &letters[..];
    while !rest.is_empty() {
        let end = match rest.len() <= columns {
            true => rest.len(),
            false => (1..=columns).rev().find(|end| is_break(rest[end - 1], rest[*end])).unwrap_or(columns),
        };
        let (piece, after) = rest.split_at(end);
        pieces.push((piece.iter().collect(), !pieces.is_empty()));
        rest = after;
    }
    pieces
}

/// Returns `true` if a line may end between two characters of a word.
fn is_break(before: char, after: char) -> bool {
    let is_mark = matches!(before, '.' | ':' | '/' | '_' | '-' | ',') && after != before;
    is_mark || after == '[' || before.is_lowercase() && after.is_uppercase()
}

/// Cuts a word to `most` characters.
pub fn cut(word: &str, most: usize) -> String {
    if word.chars().count() <= most {
        return word.to_owned();
    }
    word.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_break_at_punctuation_and_capitals() {
        for (text, lines) in [
            ("DynamoDB.ConditionalCheckFailedException", &["DynamoDB.ConditionalCheck", "FailedException"][..]),
            ("Lambda.TooManyRequestsException", &["Lambda.TooManyRequests", "Exception"]),
            ("$.customer.addresses[0].postal_code.prefix", &["$.customer.addresses[0].", "postal_code.prefix"]),
            (
                "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
                &["arn:aws:states:::sqs:send", "Message.waitForTaskToken"],
            ),
            ("abcdefghijklmnopqrstuvwxyzabcdefgh", &["abcdefghijklmnopqrstuvwxyzabcd", "efgh"]),
            ("short words stay on one line", &["short words stay on one line"]),
        ] {
            assert_eq!(wrap(text, 30, 5), lines);
        }
        assert_eq!(wrap("one two three", 5, 2), ["one", "two …"]);
    }
}
