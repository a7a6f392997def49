//! Delimiters of expressions `${ … }` within texts.

/// The start of an expression.
pub const OPEN: &str = "${";

/// Returns the length of the `${ … }` at the start of a text. Braces in it are balanced, and
/// braces in strings do not count.
pub fn expression_length(text: &str) -> Option<usize> {
    length(text, false)
}

/// Returns the length like [`expression_length`], for an expression that must end on its line.
/// Scans no further than the expression.
pub fn length_on_line(text: &str) -> Option<usize> {
    length(text, true)
}

fn length(text: &str, on_line: bool) -> Option<usize> {
    let inner = text.strip_prefix(OPEN)?;
    let (mut depth, mut in_string, mut escaped) = (1_usize, false, false);
    for (at, c) in inner.char_indices() {
        match c {
            '\n' | '\r' if on_line => return None,
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' if !in_string => depth += 1,
            '}' if !in_string => {
                depth -= 1;
                if depth == 0 {
                    return Some(OPEN.len() + at + 1);
                }
            }
            _ => {}
        }
    }
    None
}
