//! Tests that read a definition and compare its diagnostics or its HIR.

mod accepted;
mod distributed;
mod lowering;
mod placeholders;
mod refused;

use crate::Options;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::hir::Workflow;
use crate::source::{Source, Sources};
use crate::syntax;

/// Result of reading a definition.
struct ReadResult {
    sources: Sources,
    workflow: Option<Workflow>,
    diagnostics: Vec<Diagnostic>,
}

fn read_with(text: &str, options: &Options) -> ReadResult {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("order.asl.json", text));
    let mut diagnostics = Diagnostics::default();
    let tree = syntax::read(file, &sources, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "the text of the test is broken: {text}\n{:?}", diagnostics.finish());
    let workflow = super::read(&tree, "order", options, &mut diagnostics).ok();
    ReadResult { sources, workflow, diagnostics: diagnostics.finish() }
}

fn read(text: &str) -> ReadResult {
    read_with(text, &Options::default())
}

/// Returns a state machine whose first state `A` is `state`. The states `B` and `C` are possible
/// targets.
fn machine(state: &str) -> String {
    format!(r#"{{"StartAt": "A", "States": {{"A": {state}, "B": {{"Type": "Succeed"}}, "C": {{"Type": "Succeed"}}}}}}"#)
}

/// Returns the diagnostics as `code text`. The text is the source at the span of the diagnostic.
fn render(read: &ReadResult) -> Vec<String> {
    let show = |diagnostic: &Diagnostic| format!("{} {}", diagnostic.code.id, read.sources.text(diagnostic.span));
    read.diagnostics.iter().map(show).collect()
}

/// Returns the printed HIR of the state `A` and of its inner scopes.
fn lowered(state: &str, options: &Options) -> String {
    let read = read_with(&machine(state), options);
    let shown = read.workflow.as_ref().map_or_else(|| render(&read).join("\n"), ToString::to_string);
    let mut lines: Vec<&str> = Vec::new();
    let mut is_shared = false;
    for line in shown.lines() {
        is_shared = line.starts_with("  Succeed \"B\"") || is_shared && line.starts_with(' ');
        if !is_shared && !line.starts_with("workflow ") && !line.starts_with("the top level") {
            lines.push(line);
        }
    }
    lines.join("\n")
}

/// Compares line by line. Common indentation and empty lines do not count.
#[track_caller]
fn assert_lines(actual: &str, expected: &str) {
    assert_eq!(dedented(actual), dedented(expected));
}

fn dedented(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let margin = lines.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    lines.iter().map(|line| &line[margin..]).collect::<Vec<_>>().join("\n")
}
