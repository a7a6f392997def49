//! Tests that read a definition and compare its diagnostics or its AST.

mod accepted;
mod methods;
mod refused;

use super::ast::StateMachine;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::files::Inputs;
use crate::source::Files;
use crate::source::{Source, Sources};
use crate::syntax;

/// Result of reading a definition.
struct ReadResult {
    sources: Sources,
    machine: Option<StateMachine>,
    diagnostics: Vec<Diagnostic>,
}

fn read_file(name: &str, text: &str, files: Files) -> ReadResult {
    let mut sources = Sources::default();
    let file = sources.add(Source::new(name, text).with_files(files));
    let mut diagnostics = Diagnostics::default();
    let tree = syntax::read(file, &sources, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "the text of the test is broken: {text}\n{:?}", diagnostics.finish());
    let mut inputs = Inputs::new(sources, file);
    let machine = super::state_machine(&tree, &mut inputs, &mut diagnostics);
    let (sources, _) = inputs.finish();
    ReadResult { sources, machine, diagnostics: diagnostics.finish() }
}

fn read(text: &str) -> ReadResult {
    read_file("flow.sm4c.json", text, Files::default())
}

/// Returns a state machine with these members beside its name and version.
fn machine(members: &str) -> String {
    format!(r#"{{"name": "t", "version": "1.0", {members}}}"#)
}

/// Returns a complete definition with these members in its first state. It has a second state, two
/// events, functions of all types, and a retry policy.
fn first_state(members: &str) -> String {
    machine(&format!(
        r#""events": [{{"name": "Paid"}}, {{"name": "Packed"}}],
        "functions": [{{"name": "charge", "operation": "bank.json#charge"}},
            {{"name": "total", "type": "expression", "operation": "${{ .price * .count }}"}}],
        "retries": [{{"name": "patient", "maxAttempts": 3}}],
        "states": [{{"name": "A", "start": true, {members}}}, {{"name": "B"}}]"#
    ))
}

/// Returns the diagnostics as `code text: message | help`. The text is the source at the span of
/// the diagnostic.
fn render(read: &ReadResult) -> Vec<String> {
    let show = |diagnostic: &Diagnostic| {
        let help = diagnostic.help.as_deref().unwrap_or("NO HELP");
        format!("{} {}: {} | {help}", diagnostic.code.id, read.sources.text(diagnostic.span), diagnostic.message)
    };
    read.diagnostics.iter().map(show).collect()
}
