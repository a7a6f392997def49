//! Every diagnostic has an explanation, and a test that provokes it.

use super::File;
use super::source::tests;
use workflow_compiler::codes;
use workflow_compiler::diagnostics::Code;

/// Returns the codes without an explanation or a test.
pub fn check(files: &[File]) -> Vec<String> {
    let texts: Vec<&str> = files.iter().filter(|file| is_evidence(file)).map(tests).collect();
    codes::all().flat_map(|code| check_code(code, &texts)).collect()
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
