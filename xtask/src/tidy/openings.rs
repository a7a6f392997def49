//! Module documentation opens with a noun or a verb. A sentence that opens with `What` or
//! `Whether` names its subject last.

use super::File;
use super::comments::comments;

/// The words that module documentation must not open with.
const WORDS: &[&str] =
    &["how", "it", "one", "such", "that", "those", "what", "when", "where", "whether", "which", "who", "whom", "whose"];

/// Returns the modules whose documentation opens with one of them.
pub fn check(files: &[File]) -> Vec<String> {
    files.iter().filter(|file| file.is_source()).filter_map(check_file).collect()
}

fn check_file(file: &File) -> Option<String> {
    let comments = comments(file);
    let first = comments.iter().find(|comment| comment.is_module_doc)?;
    let word = first.text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let is_listed = WORDS.contains(&word.to_lowercase().as_str());
    is_listed.then(|| {
        format!("{}:{}: the documentation starts with `{word}`: name the thing or the action", file.name, first.line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documentation_that_names_its_subject_last_is_found() {
        let file = |text: &str| File { name: "a.rs".to_owned(), text: text.to_owned() };
        assert_eq!(check(&[file("//! What is there.\n"), file("//! Who's there.\n")]).len(), 2);
        assert!(check(&[file("//! Whatever is read.\n//! What follows.\n"), file("// What is there.\n")]).is_empty());
    }
}
