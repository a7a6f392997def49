//! A dialect is a folder and its lines in the list of dialects. This holds for the dialect of the
//! tests: no other file names it, apart from its cases, and only the tests enable it.

use super::File;

/// The list of dialects.
const LIST: &str = "workflow-compiler/src/dialects/mod.rs";

/// The line before each declaration of the dialect of the tests.
const DECLARES: &str = "#[cfg(feature = \"_test-dialect\")]";

/// The end of an entry of a manifest that enables the dialect of the tests.
const ENABLES: &str = "_test-dialect\"";

/// The only manifest that enables it.
const TESTS: &str = "tests/Cargo.toml";

/// Returns the places outside of its folder that name the dialect of the tests, and the manifests
/// that enable it.
pub fn check(files: &[File]) -> Vec<String> {
    let Some(list) = files.iter().find(|file| file.name == LIST) else {
        return vec![format!("{LIST}: is missing")];
    };
    let Some(dialect) = test_dialect(list) else {
        return vec![format!("{LIST}: does not declare the dialect of the tests")];
    };
    let own = [format!("workflow-compiler/src/dialects/{dialect}/"), format!("tests/cases/{dialect}/")];
    let is_own = |file: &File| file.name == LIST || own.iter().any(|folder| file.name.starts_with(folder));
    let mentions = files.iter().filter(|file| !is_own(file)).flat_map(|file| mentions(file, dialect));
    mentions.chain(files.iter().filter_map(enables)).collect()
}

fn enables(file: &File) -> Option<String> {
    let is_wrong = file.name.ends_with("Cargo.toml") && file.name != TESTS && file.text.contains(ENABLES);
    is_wrong.then(|| format!("{}: enables the dialect of the tests", file.name))
}

/// Returns the module of the dialect of the tests.
fn test_dialect(list: &File) -> Option<&str> {
    let lines: Vec<&str> = list.text.lines().collect();
    lines.windows(2).filter(|pair| pair[0] == DECLARES).find_map(|pair| module(pair[1]))
}

fn module(line: &str) -> Option<&str> {
    line.strip_prefix("pub mod ")?.strip_suffix(';')
}

fn mentions(file: &File, dialect: &str) -> Vec<String> {
    let names = |line: &str| {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| word.eq_ignore_ascii_case(dialect))
    };
    let lines = file.text.lines().enumerate().filter(|(_, line)| names(line));
    lines
        .map(|(at, _)| format!("{}:{}: names the dialect `{dialect}` outside of its folder", file.name, at + 1))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> File {
        File { name: name.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn only_the_folder_and_the_list_name_the_dialect_of_the_tests() {
        let list = format!("pub mod asl;\n{DECLARES}\npub mod x_y;\n    {DECLARES}\n    &x_y::DIALECT,\n");
        let files = [
            file(LIST, &list),
            file("workflow-compiler/src/dialects/x_y/mod.rs", "//! X_Y.\n"),
            file("tests/cases/x_y/a/flow.x_y.json", "{ \"x_y\": 1 }\n"),
            file("workflow-compiler/src/emit/mod.rs", "//! x_yz.\nmatch name { \"x_y\" => {} }\n"),
            file("docs/diagnostics.md", "X_Y\n"),
            file("tests/Cargo.toml", "features = [\"_test-dialect\"]\n"),
            file("workflow-compiler/Cargo.toml", "_test-dialect = [\"jq\"]\n"),
            file("workflow-macros/Cargo.toml", "asl = [\"workflow-compiler/_test-dialect\"]\n"),
        ];
        assert_eq!(
            check(&files),
            [
                "workflow-compiler/src/emit/mod.rs:2: names the dialect `x_y` outside of its folder",
                "docs/diagnostics.md:1: names the dialect `x_y` outside of its folder",
                "workflow-macros/Cargo.toml: enables the dialect of the tests",
            ]
        );
    }

    #[test]
    fn a_list_without_the_dialect_of_the_tests_is_named() {
        assert_eq!(check(&[file(LIST, "pub mod asl;\n")]).len(), 1);
        assert_eq!(check(&[]).len(), 1);
    }
}
