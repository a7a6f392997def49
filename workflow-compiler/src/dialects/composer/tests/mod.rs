//! Tests that read a composition and compare its diagnostics or its HIR.

mod lowering;
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

fn read(text: &str) -> ReadResult {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("flow.composer.json", text));
    let mut diagnostics = Diagnostics::default();
    let tree = syntax::read(file, &sources, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "the text of the test is broken: {text}\n{:?}", diagnostics.finish());
    let workflow = super::read(&tree, "flow", &Options::default(), &mut diagnostics).ok();
    ReadResult { sources, workflow, diagnostics: diagnostics.finish() }
}

/// Returns a composition of these states, from `a` to `z`.
fn composition(states: &str) -> String {
    format!(r#"{{"Entry": "a", "Exit": "z", "States": {{{states}}}}}"#)
}

/// Returns the diagnostics as `code text: message`. The text is the source at the span of the
/// diagnostic.
fn render(read: &ReadResult) -> Vec<String> {
    let show = |diagnostic: &Diagnostic| {
        format!("{} {}: {}", diagnostic.code.id, read.sources.text(diagnostic.span), diagnostic.message)
    };
    read.diagnostics.iter().map(show).collect()
}
