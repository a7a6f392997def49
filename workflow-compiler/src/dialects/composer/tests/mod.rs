//! Definitions in, findings or the HIR out.

mod lowering;
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

fn read(text: &str) -> Read {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("flow.composer.json", text));
    let mut diagnostics = Diagnostics::default();
    let tree = syntax::read(file, &sources, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "the text of the test is broken: {text}\n{:?}", diagnostics.finish());
    let workflow = super::read(&tree, "flow", &Options::default(), &mut diagnostics).ok();
    Read { sources, workflow, findings: diagnostics.finish() }
}

/// A composition of these states, from `a` to `z`.
fn composition(states: &str) -> String {
    format!(r#"{{"Entry": "a", "Exit": "z", "States": {{{states}}}}}"#)
}

/// The findings as `code text: message`, where the text is what stands at the place of the finding.
fn findings(read: &Read) -> Vec<String> {
    let show = |found: &Diagnostic| format!("{} {}: {}", found.code.id, read.sources.text(found.span), found.message);
    read.findings.iter().map(show).collect()
}
