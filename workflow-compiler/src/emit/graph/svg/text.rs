//! How much room a text takes, without knowing the font: an upper bound for the sans-serif fonts that viewers use.

/// A text size in pixels, and the line height that goes with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Face {
    pub size: f64,
    pub line: f64,
}

/// Names of states.
pub const NAME: Face = Face { size: 13.0, line: 17.0 };
/// Everything else.
pub const SMALL: Face = Face { size: 10.5, line: 14.0 };

/// The width of one line.
pub fn width(text: &str, face: Face) -> f64 {
    text.chars().map(advance).sum::<f64>() * face.size
}

/// The width of the widest line.
pub fn widest(lines: &[String], face: Face) -> f64 {
    lines.iter().map(|line| width(line, face)).fold(0.0, f64::max)
}

/// Breaks a text into lines of about `columns` characters, `most` of them: at spaces, inside of a long word after a mark,
/// anywhere if there is none.
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

/// The pieces of a word that a line can hold, and whether each goes on without a space.
fn pieces(word: &str, columns: usize) -> Vec<(String, bool)> {
    let letters: Vec<char> = word.chars().collect();
    let mut pieces = Vec::new();
    let mut rest = &letters[..];
    while !rest.is_empty() {
        // A word that is a little too long is better than a torn one.
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

/// A word that is not longer than `most` characters.
pub fn cut(word: &str, most: usize) -> String {
    if word.chars().count() <= most {
        return word.to_owned();
    }
    word.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// The width of a character in parts of the size.
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
