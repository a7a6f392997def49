//! Definitions in, findings or the state machine out.

mod accepted;
mod methods;
mod refused;

use super::ast::StateMachine;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::files::{Files, Inputs};
use crate::source::{Source, Sources};
use crate::syntax;

/// What reading a definition yields.
struct Read {
    sources: Sources,
    machine: Option<StateMachine>,
    findings: Vec<Diagnostic>,
}

fn read_file(name: &str, text: &str, files: Files) -> Read {
    let mut sources = Sources::default();
    let file = sources.add(Source::new(name, text).among(files));
    let mut diagnostics = Diagnostics::default();
    let tree = syntax::read(file, &sources, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "the text of the test is broken: {text}\n{:?}", diagnostics.finish());
    let mut inputs = Inputs::new(sources, file);
    let machine = super::state_machine(&tree, &mut inputs, &mut diagnostics);
    let (sources, _) = inputs.finish();
    Read { sources, machine, findings: diagnostics.finish() }
}

fn read(text: &str) -> Read {
    read_file("flow.sm4c.json", text, Files::default())
}

/// A state machine with these members beside its name and version.
fn machine(members: &str) -> String {
    format!(r#"{{"name": "t", "version": "1.0", {members}}}"#)
}

/// The members of the first state, with which a definition is complete: a state to go to, two events, functions of all
/// types, and a retry policy.
fn first_state(members: &str) -> String {
    machine(&format!(
        r#""events": [{{"name": "Paid"}}, {{"name": "Packed"}}],
        "functions": [{{"name": "charge", "operation": "bank.json#charge"}},
            {{"name": "total", "type": "expression", "operation": "${{ .price * .count }}"}}],
        "retries": [{{"name": "patient", "maxAttempts": 3}}],
        "states": [{{"name": "A", "start": true, {members}}}, {{"name": "B"}}]"#
    ))
}

/// The findings as `code text: message | help`, where the text is what stands at the place of the finding.
fn findings(read: &Read) -> Vec<String> {
    let show = |found: &Diagnostic| {
        let help = found.help.as_deref().unwrap_or("NO HELP");
        format!("{} {}: {} | {help}", found.code.id, read.sources.text(found.span), found.message)
    };
    read.findings.iter().map(show).collect()
}
