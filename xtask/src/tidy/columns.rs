//! Comment lines end before column 100, so that they can be read beside the code that they
//! explain.

use super::File;
use super::comments::comments;

/// The longest comment line, in characters.
const LONGEST: usize = 99;

/// Returns the comment lines that are longer. Tables and single long words, such as links, are
/// exempt: they cannot be wrapped.
pub fn check(files: &[File]) -> Vec<String> {
    files.iter().filter(|file| file.is_source()).flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<String> {
    let comments = comments(file);
    let long = comments.iter().filter(|comment| comment.whole.chars().count() > LONGEST);
    let broken = long.filter(|comment| {
        let is_link = comment.text.starts_with('[') && comment.text.contains("]: ");
        !comment.text.starts_with('|') && !is_link && comment.text.contains(' ')
    });
    broken.map(|comment| format!("{}:{}: the comment exceeds column {LONGEST}", file.name, comment.line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_comment_lines_are_named_but_for_tables_and_links() {
        let words = "word ".repeat(20);
        let link = format!("https://example.org/{}", "a".repeat(90));
        let text = format!("// {words}\n// | {words} |\n/// [a]: {link}\nlet {words};\n");
        let file = File { name: "a/src/b.rs".to_owned(), text };
        assert_eq!(check(&[file]), ["a/src/b.rs:1: the comment exceeds column 99"]);
    }
}
