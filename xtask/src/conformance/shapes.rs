//! Errors of shapes in definitions that may succeed. There are none.

use super::Distinct;
use workflow_compiler::diagnostics::Diagnostic;
use workflow_compiler::hir::Workflow;
use workflow_compiler::source::Source;
use workflow_compiler::{Severity, compile};

/// Returns the errors of shapes of those definitions that may succeed.
pub fn false_errors(definitions: &[Distinct]) -> Vec<String> {
    let may_succeed = definitions.iter().filter(|distinct| !distinct.fails);
    may_succeed.flat_map(|distinct| errors(distinct, &findings(distinct).0)).collect()
}

/// Fails if there are false errors.
pub fn none_of(wrong: &[String]) -> Result<(), String> {
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("errors of shapes in definitions that may succeed:\n{}", wrong.join("\n"))),
    }
}

/// Returns the diagnostics of shapes. What is an error by default is one.
pub fn findings(distinct: &Distinct) -> (Vec<Diagnostic>, Option<Workflow>) {
    let definition = &distinct.definition;
    let source = Source::new(definition.file.clone(), definition.text.clone()).with_files(definition.files.clone());
    let mut options = definition.options.clone();
    options.allow.retain(|code| !code.starts_with("WF19"));
    let output = compile(source, &options);
    let found = output.diagnostics.into_iter().filter(|found| found.code.id.starts_with("WF19"));
    (found.collect(), output.workflow)
}

/// Returns the errors among these findings, as lines.
pub fn errors(distinct: &Distinct, found: &[Diagnostic]) -> Vec<String> {
    let errors = found.iter().filter(|found| !distinct.fails && found.severity() == Severity::Error);
    errors.map(|found| line(distinct, found)).collect()
}

/// Returns a finding as a line.
pub fn line(distinct: &Distinct, found: &Diagnostic) -> String {
    let severity = if found.severity() == Severity::Error { "error" } else { "warning" };
    let fails = if distinct.fails { ", which fails" } else { "" };
    format!("{}{fails}: {severity}[{}] {}", distinct.id, found.code.id, found.message)
}
