//! `${ … }`, as languages write expressions within texts: where one ends.

/// What an expression begins with.
pub const OPEN: &str = "${";

/// The length of the `${ … }` that a text begins with: braces in it match, those in strings do not count.
pub fn expression_length(text: &str) -> Option<usize> {
    length(text, false)
}

/// The same, of an expression that has to end on its line. No more of the text is looked at than it takes.
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
