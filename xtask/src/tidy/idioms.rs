//! Idioms that need a second reading are banned from comments and documentation.
//! `docs/glossary.md` has the words to use.

use super::File;
use super::comments::comments;

/// Banned words, each in two parts, so that this file does not contain them.
const WORDS: &[(&str, &str)] = &[("to", "ld"), ("te", "ll"), ("te", "lls"), ("tel", "ling"), ("wh", "om")];

/// Banned phrases, each in two parts.
const PHRASES: &[(&str, &str)] = &[
    ("is sa", "id"),
    ("are sa", "id"),
    ("was sa", "id"),
    ("goes on by it", "self"),
    ("taken up ag", "ain"),
    ("that there is n", "ot"),
];

/// Returns the comments and the lines of pages that contain one.
pub fn check(files: &[File]) -> Vec<String> {
    files.iter().flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<String> {
    let is_page = file.name.ends_with(".md");
    let lines: Vec<(usize, &str)> = if file.is_source() {
        comments(file).into_iter().map(|comment| (comment.line, comment.text)).collect()
    } else if is_page {
        file.text.lines().enumerate().map(|(at, line)| (at + 1, line)).collect()
    } else {
        return Vec::new();
    };
    let mut broken = Vec::new();
    for (line, text) in lines {
        let text = text.to_lowercase();
        let words = WORDS.iter().map(|(first, rest)| [*first, *rest].concat());
        let words = words.filter(|listed| text.split(|c: char| !c.is_alphanumeric()).any(|word| word == listed));
        let phrases = PHRASES.iter().map(|(first, rest)| [*first, *rest].concat());
        let phrases = phrases.filter(|phrase| text.contains(phrase.as_str()));
        for idiom in words.chain(phrases) {
            broken.push(format!("{}:{line}: has `{idiom}`: name who does what", file.name));
        }
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idioms_are_found_in_comments_and_pages_and_not_in_code() {
        let idiom = [WORDS[0].0, WORDS[0].1].concat();
        let phrase = [PHRASES[0].0, PHRASES[0].1].concat();
        let file = |name: &str, text: String| File { name: name.to_owned(), text };
        let source =
            file("a/src/b.rs", format!("// It is {idiom}.\nlet {idiom} = 1;\n/// What {phrase}.\n// un{idiom}\n"));
        assert_eq!(check(&[source]).len(), 2);
        assert_eq!(check(&[file("docs/a.md", format!("It is {idiom}.\n"))]).len(), 1);
        assert!(check(&[file("tests/cases/a/flow.rs", format!("// {idiom}\n"))]).is_empty());
    }
}
