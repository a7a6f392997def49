//! Size of texts in an unknown font: an upper bound for the sans-serif fonts of viewers.

/// A text size in pixels, with its line height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Face {
    pub size: f64,
    pub line: f64,
}

/// Names of states.
pub const NAME: Face = Face { size: 13.0, line: 17.0 };
/// All other texts.
pub const SMALL: Face = Face { size: 10.5, line: 14.0 };

/// Returns the width of one line.
pub fn width(text: &str, face: Face) -> f64 {
    text.chars().map(advance).sum::<f64>() * face.size
}

/// Returns the width of the widest line.
pub fn widest(lines: &[String], face: Face) -> f64 {
    lines.iter().map(|line| width(line, face)).fold(0.0, f64::max)
}

/// Breaks a text into at most `most` lines of about `columns` characters: at spaces, after
/// punctuation inside of long words, or anywhere.
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

/// Returns the pieces of a word that fit on a line. `true` marks a piece that continues without a
/// space.
fn pieces(word: &str, columns: usize) -> Vec<(String, bool)> {
    let letters: Vec<char> = word.chars().collect();
    let mut pieces = Vec::new();
    let mut rest = &letters[..];
    while !rest.is_empty() {
        // A word may be slightly too long, rather than be split.
        let end = if rest.len() <= columns + columns / 4 {
            rest.len()
        } else {
            let mark = |c: &char| matches!(c, '.' | ':' | '/' | '-' | '_' | ',' | '[');
            rest[..columns].iter().rposition(mark).filter(|at| *at >= columns / 3).map_or(columns, |at| at + 1)
        };
        let (piece, after) = rest.split_at(end);
        pieces.push((piece.iter().collect(), !pieces.is_empty()));
        rest = after;
    }
    pieces
}

/// Cuts a word to `most` characters.
pub fn cut(word: &str, most: usize) -> String {
    if word.chars().count() <= most {
        return word.to_owned();
    }
    word.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// Returns the width of a character relative to the text size.
fn advance(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '!' | '|' | ' ' => 0.33,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '/' | '\\' | '-' | '"' => 0.41,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' | '—' => 0.97,
        'a'..='z' | '0'..='9' | '_' | '$' => 0.63,
        'A'..='Z' => 0.73,
        _ if u32::from(c) >= 0x1100 => 1.05,
        _ => 0.84,
    }
}
