//! The spanned tree as text: one value a line, each with its position.

use workflow_compiler::source::{Sources, Span};
use workflow_compiler::syntax::{Node, Tree};

/// Returns the text of the tree.
pub fn show(node: &Node, sources: &Sources) -> String {
    let mut text = String::new();
    add(node, "", 0, sources, &mut text);
    text
}

fn add(node: &Node, key: &str, depth: usize, sources: &Sources, text: &mut String) {
    let value = match &node.tree {
        Tree::Null => "null".to_owned(),
        Tree::Bool(value) => value.to_string(),
        Tree::Int(value) => value.to_string(),
        Tree::Float(value) => format!("{value:?}"),
        Tree::String(value) => format!("{:?}", value.value),
        Tree::Array(_) => "array".to_owned(),
        Tree::Object(_) => "object".to_owned(),
    };
    text.push_str(&format!("{:1$}{key}{value} @ {2}\n", "", depth * 2, place(node.span, sources)));
    for item in node.as_array().unwrap_or_default() {
        add(item, "- ", depth + 1, sources, text);
    }
    for entry in node.as_object().unwrap_or_default() {
        add(&entry.value, &format!("{:?}: ", entry.key.value), depth + 1, sources, text);
    }
}

fn place(span: Span, sources: &Sources) -> String {
    let (start, end) = (sources.position(span), sources.position_of(span.file, span.end));
    format!("{}:{}-{}:{}", start.line, start.column, end.line, end.column)
}
