//! Tests that read a definition and compare its diagnostics, its AST or its HIR.

mod accepted;
mod correlation;
mod lowering;
mod mangled;
mod refused;

use super::ast::Definition;
use crate::Options;
use crate::codes;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::files::Inputs;
use crate::hir::Workflow;
use crate::source::Files;
use crate::source::{Source, Sources};
use crate::syntax;

/// Result of reading a definition.
struct ReadResult {
    sources: Sources,
    definition: Option<Definition>,
    workflow: Option<Workflow>,
    diagnostics: Vec<Diagnostic>,
}

fn read_file(name: &str, text: &str, files: Files) -> ReadResult {
    let mut sources = Sources::default();
    let file = sources.add(Source::new(name, text).with_files(files));
    let mut diagnostics = Diagnostics::default();
    let tree = syntax::read(file, &sources, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "the text of the test is broken: {text}\n{:?}", diagnostics.finish());
    let definition = super::parse::parse(&tree, &mut Diagnostics::default());
    let mut inputs = Inputs::new(sources, file);
    let workflow = super::read(&tree, "flow", &Options::default(), &mut inputs, &mut diagnostics).ok();
    let (sources, _) = inputs.finish();
    ReadResult { sources, definition, workflow, diagnostics: diagnostics.finish() }
}

fn read(text: &str) -> ReadResult {
    read_file("flow.sw.json", text, Files::default())
}

/// Returns a workflow with one state, which has these members beside its name, its start and its
/// end.
fn state(members: &str) -> String {
    format!(
        r#"{{"states": [{{"name": "A", "start": {{"kind": "default"}}, "end": {{"kind": "default"}}, {members}}}]}}"#
    )
}

/// Returns a workflow with two events and two functions. Its first state has these members beside
/// its name and its start, and the second state is `B`.
fn first_state(members: &str) -> String {
    format!(
        r#"{{"events": [{{"name": "Paid", "source": "/bank", "type": "paid"}}, {{"name": "Sent", "source": "/shop", "type": "sent"}}],
        "functions": [{{"name": "charge", "resource": "bank"}}, {{"name": "pack", "resource": "store"}}],
        "states": [{{"name": "A", "start": {{"kind": "default"}}, {members}}},
            {{"name": "B", "type": "inject", "data": {{}}, "end": {{"kind": "default"}}}}]}}"#
    )
}

/// Returns a workflow whose operation state charges and leads to `B`, with these members.
fn operation(members: &str) -> String {
    first_state(&format!(
        r#""type": "operation", "transition": {{"nextState": "B"}}, "actionMode": "sequential",
        "actions": [{{"functionRef": {{"refName": "charge"}}}}], {members}"#
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

/// Compares all diagnostics of each definition. Checks that it is refused if one is an error.
#[track_caller]
fn check(cases: &[(&str, &str)], definition: fn(&str) -> String) {
    let mut problems = Vec::new();
    for (expected, text) in cases {
        let read = read(&definition(text));
        let rendered = render(&read);
        if rendered != expected.lines().map(str::trim).collect::<Vec<_>>() {
            problems.push(format!("{text}\n{}", rendered.join("\n")));
        }
        let refused = rendered.iter().any(|line| codes::is_error(line));
        if refused != read.workflow.is_none() {
            problems.push(format!("{text}\nrefused without an error, or accepted with one"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

fn as_it_is(text: &str) -> String {
    text.to_owned()
}
