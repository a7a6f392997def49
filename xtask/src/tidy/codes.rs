//! Every diagnostic has an explanation, and a test that provokes it. Former codes are not
//! mentioned.

use super::File;
use super::source::tests;
use workflow_compiler::codes;
use workflow_compiler::diagnostics::Code;

/// The table of former codes, and the files that show its use.
const MENTION_FORMER: &[&str] =
    &["workflow-compiler/src/codes/", "cargo-workflow/tests/", "docs/diagnostics.md", "xtask/src/generated.rs"];

/// Returns the codes without an explanation or a test, and the files that mention former codes.
pub fn check(files: &[File]) -> Vec<String> {
    let texts: Vec<&str> = files.iter().filter(|file| is_evidence(file)).map(tests).collect();
    let broken = codes::all().flat_map(|code| check_code(code, &texts));
    broken.chain(files.iter().flat_map(mentions_of_former)).collect()
}

fn mentions_of_former(file: &File) -> Vec<String> {
    if MENTION_FORMER.iter().any(|path| file.name.starts_with(path)) {
        return Vec::new();
    }
    let former = codes::all().flat_map(|code| codes::former_ids(code).map(move |former| (former, code.id)));
    let mentioned = former.filter(|(former, _)| file.text.contains(former));
    mentioned.map(|(former, id)| format!("{}: mentions {former}, which is now {id}", file.name)).collect()
}

/// Returns `true` for tests of the compiler and of the workspace, and for the corpus of cases with
/// the compiler's messages.
fn is_evidence(file: &File) -> bool {
    let of_compiler = file.name.starts_with("workflow-compiler/") && file.is_source();
    of_compiler || file.name.starts_with("tests/") || file.name.starts_with("workflow-compiler/tests/")
}

fn check_code(code: &Code, texts: &[&str]) -> Vec<String> {
    let mut broken = Vec::new();
    if code.explanation.trim().is_empty() || code.title.trim().is_empty() {
        broken.push(format!("{}: has no explanation", code.id));
    }
    if !texts.iter().any(|text| text.contains(code.id)) {
        broken.push(format!("{} ({}): has no test", code.id, code.name));
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_need_an_explanation_and_a_test() {
        let code = codes::all().next().expect("a code");
        let Code { id, severity, name, title, .. } = *code;
        let without = Code { id, severity, name, title, explanation: " \n" };
        let tested = format!("error[{}]", code.id);
        assert!(check_code(code, &[&tested]).is_empty());
        assert_eq!(check_code(code, &["error[WF]"]), [format!("{} ({}): has no test", code.id, code.name)]);
        assert_eq!(check_code(&without, &[&tested]), [format!("{}: has no explanation", code.id)]);
    }

    #[test]
    fn former_codes_are_found_outside_of_their_table() {
        let (code, former) = codes::all()
            .find_map(|code| Some((code, codes::former_ids(code).next()?)))
            .expect("a code with a former id");
        let file = |name: &str| File { name: name.to_owned(), text: format!("allow = [\"{former}\"]") };
        let expected = format!("docs/a.md: mentions {former}, which is now {}", code.id);
        assert_eq!(mentions_of_former(&file("docs/a.md")), [expected]);
        assert!(mentions_of_former(&file("workflow-compiler/src/codes/former.rs")).is_empty());
    }

    #[test]
    fn tests_of_the_compiler_and_of_the_workspace_are_evidence() {
        let file = |name: &str, text: &str| File { name: name.to_owned(), text: text.to_owned() };
        let code = codes::all().next().expect("a code");
        let text = format!("fn f() {{}}\n#[cfg(test)]\nmod tests {{ const A: &str = \"{}\"; }}\n", code.id);
        let is_tested = |file: File| !check(&[file]).iter().any(|line| line.starts_with(&format!("{} ", code.id)));
        assert!(is_tested(file("workflow-compiler/src/a.rs", &text)));
        assert!(is_tested(file("tests/cases/a/compile.snap", code.id)));
        assert!(!is_tested(file("workflow-compiler/src/a.rs", &format!("const A: &str = \"{}\";\n", code.id))));
        assert!(!is_tested(file("workflow-runtime/src/a.rs", &text)));
    }
}
