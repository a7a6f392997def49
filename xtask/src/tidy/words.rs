//! Nothing is unfinished: placeholders, `unwrap` outside of tests, and silenced warnings are
//! banned.

use super::File;
use super::source::code;

/// Words that are banned everywhere; in two parts, so that this file does not contain them.
const ANYWHERE: &[(&str, &str)] = &[
    ("todo", "!("),
    ("unimplemented", "!("),
    ("dbg", "!("),
    ("#[ig", "nore"),
    ("#[allow(dead_", "code"),
    ("#[allow(unus", "ed"),
];

/// The only reason for which a test is not run by default. `cargo xtask ci` runs these tests.
const BUILDS: &str = "= \"builds programs: run by `cargo xtask ci`\"]";

/// Words that are banned in comments.
const IN_COMMENTS: &[(&str, &str)] = &[("TO", "DO"), ("FIX", "ME")];

/// A word that is allowed only in tests.
const IN_TESTS: (&str, &str) = (".unw", "rap()");

/// Returns the places that contain one of these words.
pub fn check(files: &[File]) -> Vec<String> {
    files.iter().filter(|file| file.is_source()).flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<String> {
    let mut broken = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let comment = line.find("//").map_or("", |start| &line[start..]);
        let found = ANYWHERE.iter().map(|word| (word, line)).chain(IN_COMMENTS.iter().map(|word| (word, comment)));
        for (word, text) in found {
            let word = [word.0, word.1].concat();
            if text.contains(&word) && !text.trim_end().ends_with(BUILDS) && !is_emitted(&file.name, line) {
                broken.push(format!("{}:{}: has `{word}`", file.name, at + 1));
            }
        }
    }
    if !file.is_test() {
        let word = [IN_TESTS.0, IN_TESTS.1].concat();
        let places = code(file).filter(|(_, line)| line.contains(&word));
        broken.extend(places.map(|(at, _)| format!("{}:{at}: has `{word}` outside of tests", file.name)));
    }
    broken
}

/// Returns `true` for an attribute of generated code, which has a reason.
fn is_emitted(file: &str, line: &str) -> bool {
    file.contains("/emit/") && line.contains("reason = ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_of_generated_code_have_a_reason() {
        let allow = ["#[allow(dead_", "code"].concat();
        let file = |name: &str, text: String| File { name: name.to_owned(), text: format!("//! M.\n{text}\n") };
        assert_eq!(check(&[file("a/src/emit/b.rs", format!("{allow}, reason = \"r\")]"))]), [""; 0]);
        assert_eq!(check(&[file("a/src/emit/b.rs", format!("{allow})]"))]).len(), 1);
        assert_eq!(check(&[file("a/src/b.rs", format!("{allow}, reason = \"r\")]"))]).len(), 1);
    }

    #[test]
    fn placeholders_are_found_everywhere_and_unwraps_outside_of_tests() {
        let unwrap = "a.unwrap();";
        let text = format!("//! M.\n{unwrap}\n// {unwrap}\n#[cfg(test)]\nmod tests {{\n{unwrap}\n}}\n");
        let file = |name: &str, text: &str| File { name: name.to_owned(), text: text.to_owned() };
        assert_eq!(check(&[file("a/src/b.rs", &text)]), ["a/src/b.rs:2: has `.unwrap()` outside of tests"]);
        assert!(check(&[file("a/src/b/tests.rs", &text), file("tests/a.rs", &text)]).is_empty());
        let half = format!("{}{}); // {}{}: later", ANYWHERE[0].0, ANYWHERE[0].1, IN_COMMENTS[0].0, IN_COMMENTS[0].1);
        assert_eq!(check(&[file("a/src/b.rs", &half), file("tests/cases/a/flow.rs", &half)]).len(), 2);
    }
}
