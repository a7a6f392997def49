//! The parts of Rust files: code, comments and tests.

use super::File;

/// Returns the lines that are neither comments nor in tests, with their numbers. A module of tests
/// in the file itself is last in it.
pub fn code(file: &File) -> impl Iterator<Item = (usize, &str)> {
    let lines: Vec<&str> = file.text.lines().collect();
    let begins_tests =
        |pair: &[&str]| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod ") && pair[1].ends_with('{');
    let end = lines.windows(2).position(begins_tests).filter(|_| !file.is_test()).unwrap_or(lines.len());
    let lines = lines.into_iter().take(end).enumerate().map(|(at, line)| (at + 1, line));
    lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Returns the tests of a file: the whole of a test file, or the text after `#[cfg(test)]`.
pub fn tests(file: &File) -> &str {
    if file.is_test() || !file.is_source() {
        return &file.text;
    }
    file.text.find("#[cfg(test)]").map_or("", |at| &file.text[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_ends_where_tests_in_the_file_begin() {
        let text = "//! M.\n#[cfg(test)]\nmod far;\nfn a() {}\n// C.\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n";
        let file = File { name: "a/src/b.rs".to_owned(), text: text.to_owned() };
        assert_eq!(code(&file).map(|(at, _)| at).collect::<Vec<_>>(), [2, 3, 4]);
        let file = File { name: "a/tests/b.rs".to_owned(), text: text.to_owned() };
        assert_eq!(code(&file).count(), 7);
    }
}
