//! Comments of Rust files: their lines, outside of code blocks.

use super::File;

/// A line that contains only a comment.
pub struct Comment<'a> {
    /// The number of the line, from 1.
    pub line: usize,
    /// The whole line.
    pub whole: &'a str,
    /// The text behind `//`, `///` or `//!`.
    pub text: &'a str,
    /// The comment documents the module: `//!`.
    pub is_module_doc: bool,
}

/// Returns the comment lines of a file, without the lines of code blocks in comments.
pub fn comments(file: &File) -> Vec<Comment<'_>> {
    let mut comments = Vec::new();
    let mut in_code = false;
    for (at, whole) in file.text.lines().enumerate() {
        let Some(rest) = whole.trim_start().strip_prefix("//") else {
            in_code = false;
            continue;
        };
        let text = rest.strip_prefix(['/', '!']).unwrap_or(rest);
        if text.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            comments.push(Comment { line: at + 1, whole, text: text.trim(), is_module_doc: rest.starts_with('!') });
        }
    }
    comments
}
