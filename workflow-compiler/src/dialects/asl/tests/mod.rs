//! Definitions in, findings or the HIR out.

mod accepted;
mod lowering;
mod placeholders;
mod refused;

use crate::Options;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::hir::Workflow;
use crate::source::{Source, Sources};
use crate::syntax;

/// What reading a definition yields.
struct Read {
    sources: Sources,
    workflow: Option<Workflow>,
    findings: Vec<Diagnostic>,
}

fn read_with(text: &str, options: &Options) -> Read {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("order.asl.json", text));
    let mut diagnostics = Diagnostics::default();
    let tree = syntax::read(file, &sources, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "the text of the test is broken: {text}\n{:?}", diagnostics.finish());
    let workflow = super::read(&tree, "order", options, &mut diagnostics).ok();
    Read { sources, workflow, findings: diagnostics.finish() }
}

fn read(text: &str) -> Read {
    read_with(text, &Options::default())
}

/// A state machine whose first state `A` is `state`; there are a `B` and a `C` to go to.
fn machine(state: &str) -> String {
    format!(r#"{{"StartAt": "A", "States": {{"A": {state}, "B": {{"Type": "Succeed"}}, "C": {{"Type": "Succeed"}}}}}}"#)
}

/// The findings as `code text`, where the text is what stands at the place of the finding.
fn findings(read: &Read) -> Vec<String> {
    let show = |found: &Diagnostic| format!("{} {}", found.code.id, read.sources.text(found.span));
    read.findings.iter().map(show).collect()
}

/// The HIR of the state `A` and of what is inside it.
fn lowered(state: &str, options: &Options) -> String {
    let read = read_with(&machine(state), options);
    let shown = read.workflow.as_ref().map_or_else(|| findings(&read).join("\n"), ToString::to_string);
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

/// Compares line by line; how far the texts as a whole are indented, and empty lines, do not count.
#[track_caller]
fn assert_lines(actual: &str, expected: &str) {
    assert_eq!(dedented(actual), dedented(expected));
}

fn dedented(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let margin = lines.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    lines.iter().map(|line| &line[margin..]).collect::<Vec<_>>().join("\n")
}
