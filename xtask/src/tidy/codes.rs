//! Every diagnostic has an explanation, and a test that provokes it.

use super::File;
use super::source::tests;
use workflow_compiler::diagnostics::Code;
use workflow_compiler::diagnostics::codes;

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
