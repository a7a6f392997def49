//! The properties that hold for every text: of both readers, and of the whole compiler.

use workflow_compiler::diagnostics::{Diagnostic, Diagnostics, Severity, json, render};
use workflow_compiler::dialects;
use workflow_compiler::source::{Source, Sources, Span};
use workflow_compiler::syntax::{self, Node, Text, Tree};
use workflow_compiler::{Options, compile, pretty};

/// Compiles `text` twice. Both results must be equal, and the text is refused if and only if there
/// are errors.
pub fn check_compiled(name: &str, text: &str) {
    let output = compile(Source::new(name, text), &Options::default());
    for found in &output.diagnostics {
        render::render(found, &output.sources, true);
        json::line(found, &output.sources);
    }
    let refused = output.diagnostics.iter().any(|found| found.severity() == Severity::Error);
    assert_eq!(output.is_refused(), refused);
    let code = pretty(&output);
    assert_eq!(code.is_none(), refused);
    assert_eq!(code, pretty(&compile(Source::new(name, text), &Options::default())));
}

/// Reads `text`, detects the dialect, renders the diagnostics, and checks that all spans are
/// within the text.
pub fn check(name: &str, text: &str) {
    let mut sources = Sources::default();
    let file = sources.add(Source::new(name, text));
    let mut diagnostics = Diagnostics::default();
    let node = syntax::read(file, &sources, &mut diagnostics);
    dialects::detect(&node, name, &mut diagnostics);
    check_node(&node, text);
    check_found(&diagnostics.finish(), text, &sources);
}

/// Renders diagnostics, and checks that all their spans are within the text.
pub fn check_found(found: &[Diagnostic], text: &str, sources: &Sources) {
    for found in found {
        check_span(found.span, text);
        found.related.iter().for_each(|(span, _)| check_span(*span, text));
        found.fix.iter().for_each(|(span, _)| check_span(*span, text));
        render::render(found, sources, true);
        json::line(found, sources);
    }
}

/// Checks that all spans of a tree are within the text.
pub fn check_node(node: &Node, text: &str) {
    check_span(node.span, text);
    match &node.tree {
        Tree::String(string) => check_text(string, text),
        Tree::Array(items) => items.iter().for_each(|item| check_node(item, text)),
        Tree::Object(entries) => entries.iter().for_each(|entry| {
            check_text(&entry.key, text);
            check_node(&entry.value, text);
        }),
        Tree::Null | Tree::Bool(_) | Tree::Int(_) | Tree::Float(_) => {}
    }
}

fn check_text(string: &Text, text: &str) {
    check_span(string.span, text);
    for (at, c) in string.value.char_indices() {
        check_span(string.span_of(at, at + c.len_utf8()), text);
    }
}

fn check_span(span: Span, text: &str) {
    assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} is no place in {text:?}");
}
