//! The parts of Rust files: code, comments and tests.

use super::File;

/// Returns the lines that are neither comments nor in tests, with their numbers. Tests are last in
/// a file.
pub fn code(file: &File) -> impl Iterator<Item = (usize, &str)> {
    let lines = file.text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let lines = lines.take_while(|(_, line)| line.trim() != "#[cfg(test)]" || file.is_test());
    lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Returns the tests of a file: the whole of a test file, or the text after `#[cfg(test)]`.
pub fn tests(file: &File) -> &str {
    if file.is_test() || !file.is_source() {
        return &file.text;
    }
    file.text.find("#[cfg(test)]").map_or("", |at| &file.text[at..])
}
