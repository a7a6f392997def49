//! Every pass is listed in `passes/mod.rs` with a description, and is called there. Its tests are
//! in a file of its name in `passes/tests`.

use super::File;

const FOLDER: &str = "workflow-compiler/src/passes/";

/// Modules of the folder that are not passes.
const HELPERS: &[&str] = &["names", "order", "tests"];

/// Returns the passes that are not listed, and the passes without tests.
pub fn check(files: &[File]) -> Vec<String> {
    let Some(index) = files.iter().find(|file| file.name == format!("{FOLDER}mod.rs")) else {
        return vec![format!("{FOLDER}mod.rs: is missing")];
    };
    let stems = files.iter().filter_map(|file| file.name.strip_prefix(FOLDER)?.strip_suffix(".rs"));
    let passes = stems.filter(|stem| !stem.contains('/') && *stem != "mod" && !HELPERS.contains(stem));
    passes.flat_map(|pass| check_pass(pass, index).into_iter().chain(check_tests(pass, files))).collect()
}

fn check_pass(pass: &str, index: &File) -> Vec<String> {
    let mut broken = Vec::new();
    let lines: Vec<&str> = index.text.lines().map(str::trim).collect();
    let declared = lines.iter().position(|line| declares(line, pass));
    let described = declared.is_some_and(|at| at > 0 && lines[at - 1].starts_with("//"));
    if !described {
        broken.push(format!("{}: does not list and describe the pass `{pass}`", index.name));
    }
    if !index.text.contains(&format!("{pass}::")) {
        broken.push(format!("{}: does not call the pass `{pass}`", index.name));
    }
    broken
}

/// Returns `true` if a line declares the module of a pass.
fn declares(line: &str, pass: &str) -> bool {
    line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ").is_some_and(|name| name == format!("{pass};"))
}

fn check_tests(pass: &str, files: &[File]) -> Option<String> {
    let find = |name: String| files.iter().find(|file| file.name == name);
    let name = format!("{FOLDER}tests/{pass}.rs");
    let index = format!("{FOLDER}tests/mod.rs");
    if find(name.clone()).is_none_or(|tests| !tests.text.contains("#[test]")) {
        Some(format!("{name}: has no tests of the pass `{pass}`"))
    } else if find(index.clone()).is_none_or(|index| !index.text.lines().any(|line| declares(line.trim(), pass))) {
        Some(format!("{index}: does not list the tests of the pass `{pass}`"))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> File {
        File { name: format!("{FOLDER}{name}"), text: text.to_owned() }
    }

    #[test]
    fn a_pass_without_a_description_or_a_call_is_named() {
        let index = file("mod.rs", "// Checks a.\nmod check_a;\nmod check_b;\nmod names;\ncheck_a::check_a();\n");
        let tests = ["tests/check_a.rs", "tests/check_b.rs"].map(|name| file(name, "#[test]\nfn a() {}\n"));
        let listed = file("tests/mod.rs", "mod check_a;\nmod check_b;\n");
        let passes = [file("check_a.rs", ""), file("check_b.rs", ""), file("names.rs", "")];
        let files: Vec<File> = [index, listed].into_iter().chain(tests).chain(passes).collect();
        let broken = check(&files);
        assert_eq!(broken.len(), 2, "{broken:?}");
        assert!(broken.iter().all(|line| line.contains("check_b")));
    }

    #[test]
    fn a_pass_without_tests_is_named() {
        let passes = ["check_a", "check_b", "check_c", "check_d"];
        let described: String =
            passes.iter().map(|pass| format!("// Checks.\nmod {pass};\n{pass}::{pass}();\n")).collect();
        let mut files = vec![file("mod.rs", &described), file("tests/mod.rs", "mod check_a;\n    mod check_c;\n")];
        files.extend(passes.map(|pass| file(&format!("{pass}.rs"), "")));
        files.extend(["a", "d"].map(|pass| file(&format!("tests/check_{pass}.rs"), "#[test]\nfn a() {}\n")));
        files.push(file("tests/check_c.rs", "//! Tests of the pass.\n"));
        let folder = format!("{FOLDER}tests/");
        assert_eq!(
            check(&files),
            [
                format!("{folder}check_b.rs: has no tests of the pass `check_b`"),
                format!("{folder}check_c.rs: has no tests of the pass `check_c`"),
                format!("{folder}mod.rs: does not list the tests of the pass `check_d`"),
            ]
        );
    }
}
