//! Lines of Rust files, told apart by what they are for.

use super::File;

/// The lines that are neither comments nor in tests, with their numbers. Tests stand last in a
/// file.
pub fn code(file: &File) -> impl Iterator<Item = (usize, &str)> {
    let lines = file.text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let lines = lines.take_while(|(_, line)| line.trim() != "#[cfg(test)]" || file.is_test());
    lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// The lines of tests in a file: all of a test file, and what comes after `#[cfg(test)]`.
pub fn tests(file: &File) -> &str {
    if file.is_test() || !file.is_source() {
        return &file.text;
    }
    file.text.find("#[cfg(test)]").map_or("", |at| &file.text[at..])
}
