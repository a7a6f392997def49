//! Reading and lowering workflows of Serverless Workflow: definitions in, findings, the AST or the HIR out.

mod accepted;
mod correlation;
mod lowering;
mod mangled;
mod refused;

use super::ast::Definition;
use crate::Options;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::files::{Files, Inputs};
use crate::hir::Workflow;
use crate::source::{Source, Sources};
use crate::syntax;

/// What reading a definition yields.
struct Read {
    sources: Sources,
    definition: Option<Definition>,
    workflow: Option<Workflow>,
    findings: Vec<Diagnostic>,
}

fn read_file(name: &str, text: &str, files: Files) -> Read {
    let mut sources = Sources::default();
    let file = sources.add(Source::new(name, text).among(files));
    let mut diagnostics = Diagnostics::default();
    let tree = syntax::read(file, &sources, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "the text of the test is broken: {text}\n{:?}", diagnostics.finish());
    let definition = super::parse::parse(&tree, &mut Diagnostics::default());
    let mut inputs = Inputs::new(sources, file);
    let workflow = super::read(&tree, "flow", &Options::default(), &mut inputs, &mut diagnostics).ok();
    let (sources, _) = inputs.finish();
    Read { sources, definition, workflow, findings: diagnostics.finish() }
}

fn read(text: &str) -> Read {
    read_file("flow.sw.json", text, Files::default())
}

/// A workflow whose one state has these members beside its name, its start and its end.
fn state(members: &str) -> String {
    format!(
        r#"{{"states": [{{"name": "A", "start": {{"kind": "default"}}, "end": {{"kind": "default"}}, {members}}}]}}"#
    )
}

/// A workflow with two events and two functions, whose first state has these members beside its name and its start. The other
/// one is `B`.
fn first_state(members: &str) -> String {
    format!(
        r#"{{"events": [{{"name": "Paid", "source": "/bank", "type": "paid"}}, {{"name": "Sent", "source": "/shop", "type": "sent"}}],
        "functions": [{{"name": "charge", "resource": "bank"}}, {{"name": "pack", "resource": "store"}}],
        "states": [{{"name": "A", "start": {{"kind": "default"}}, {members}}},
            {{"name": "B", "type": "inject", "data": {{}}, "end": {{"kind": "default"}}}}]}}"#
    )
}

/// An operation state that charges and leads to `B`, with these members.
fn operation(members: &str) -> String {
    first_state(&format!(
        r#""type": "operation", "transition": {{"nextState": "B"}}, "actionMode": "sequential",
        "actions": [{{"functionRef": {{"refName": "charge"}}}}], {members}"#
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

/// Each definition of which exactly this is said, and whether it is refused.
#[track_caller]
fn check(cases: &[(&str, &str)], definition: fn(&str) -> String) {
    let mut problems = Vec::new();
    for (expected, text) in cases {
        let read = read(&definition(text));
        let found = findings(&read);
        if found != expected.lines().map(str::trim).collect::<Vec<_>>() {
            problems.push(format!("{text}\n{}", found.join("\n")));
        }
        let refused = found.iter().any(|found| found.starts_with('E'));
        if refused != read.workflow.is_none() {
            problems.push(format!("{text}\nrefused without an error, or accepted with one"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

fn as_it_is(text: &str) -> String {
    text.to_owned()
}
