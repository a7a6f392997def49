//! Parser of events and functions ("Event Definition", "Function Definition").

use super::super::ast::{EventDefinition, FunctionDefinition};
use super::{SwParseCx, values};
use crate::dialects::object::any_case::member;
use crate::dialects::object::lenient::label_of;
use crate::source::Spanned;
use crate::syntax::Node;

/// Collects the names of events and functions.
pub fn declare(events: &[Node], functions: &[Node], cx: &mut SwParseCx) {
    for (nodes, names) in [(events, &mut cx.events), (functions, &mut cx.functions)] {
        for (index, node) in nodes.iter().enumerate() {
            if let Some(name) = member(node, "name").and_then(Node::as_text) {
                names.define(name, index, cx.diagnostics);
            }
        }
    }
}

/// Parses an event.
pub fn event(node: &Node, cx: &mut SwParseCx) -> Option<EventDefinition> {
    let members = values::members(
        node,
        "an event",
        &["name", "type"],
        &["source", "correlationToken", "metadata"],
        cx.diagnostics,
    )?;
    let name = members.name("name", cx.diagnostics);
    let kind = members.name("type", cx.diagnostics);
    let source = members.string("source", cx.diagnostics);
    let correlation = members.name("correlationToken", cx.diagnostics);
    if let (None, Some(name)) = (members.entry("source"), &name) {
        let message = format!("the event `{}` has no `source`: it matches events from any source", name.value);
        cx.warn(name.span, message, "add `source`, the URI of the events' producer");
    }
    let kind = kind?;
    Some(EventDefinition {
        name: name?,
        source,
        kind: Spanned::new(kind.value.to_string(), kind.span),
        correlation: correlation.map(|name| Spanned::new(name.value.to_string(), name.span)),
        span: node.span,
    })
}

/// Parses a function.
pub fn function(node: &Node, cx: &mut SwParseCx) -> Option<FunctionDefinition> {
    let members = values::members(node, "a function", &["name"], &["resource", "type", "metadata"], cx.diagnostics)?;
    let name = members.name("name", cx.diagnostics);
    let resource = members.text("resource", cx.diagnostics).cloned();
    let kind = members.string("type", cx.diagnostics);
    let method = members.get("metadata").and_then(|metadata| member(metadata, "method")).and_then(label_of);
    Some(FunctionDefinition { name: name?, resource, kind, method })
}
