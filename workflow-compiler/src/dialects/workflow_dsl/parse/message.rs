//! Parser of messages and of references to them.

use super::super::ast::{Message, MessageDirection, MessageKind, Reference};
use super::filter::{data_filter, warn_unused};
use super::{DslParseCx, name_of};
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::dialects::object::Object;
use crate::dialects::object::any_case::{member, word};
use crate::dialects::object::lenient::one_or_more;
use crate::dialects::object::values::{all, text};
use crate::dialects::workflow_dsl::codes as own;
use crate::source::Span;
use crate::syntax::Node;

/// Facts about a message that are known before it is parsed.
pub struct Declared {
    direction: Option<MessageDirection>,
    span: Span,
}

impl Declared {
    /// Reads the member `kind` of a message.
    pub fn of(node: &Node) -> Declared {
        let kind = member(node, "kind").and_then(Node::as_text);
        let direction = kind.and_then(|kind| match kind.value.to_ascii_lowercase().as_str() {
            "consumed" => Some(MessageDirection::Consumed),
            "produced" => Some(MessageDirection::Produced),
            _ => None,
        });
        Declared { direction, span: kind.map_or(node.span.at_start(), |kind| kind.span) }
    }
}

/// Parses a message.
pub fn message(node: &Node, cx: &mut DslParseCx) -> Option<Message> {
    let optional = &["messageType", "type", "source", "messageDataFilter"];
    let members = Object::any_case(node, "a message", &["name", "kind"], optional, cx.diagnostics)?;
    let name = members.name("name", cx.diagnostics);
    let kind = match members.get("messageType") {
        Some(node) => word(node, "messageType", &["event", "signal"], cx.diagnostics),
        None => Some("event"),
    };
    let direction = members.get("kind");
    let direction = direction.and_then(|node| word(node, "kind", &["consumed", "produced"], cx.diagnostics));
    let event_type = members.non_empty_label("type", cx.diagnostics);
    let source = members.non_empty_label("source", cx.diagnostics);
    if matches!(kind, Some("signal")) {
        for name in ["type", "source"] {
            if let Some(entry) = members.entry(name).filter(|_| direction == Some("consumed")) {
                let message = format!("`{name}` has no effect: a signal is matched by its name");
                let diagnostic = Diagnostic::new(&codes::WF0455, entry.key.span, message);
                cx.push(diagnostic.help("remove it, or make the message an `event`"));
            }
        }
    }
    let filter = data_filter(&members, "messageDataFilter", "the filter of a message", cx);
    let kind = if kind? == "signal" { MessageKind::Signal } else { MessageKind::Event };
    let direction = if direction? == "consumed" { MessageDirection::Consumed } else { MessageDirection::Produced };
    let of_filter = |name: &str| members.get("messageDataFilter").and_then(|node| member(node, name));
    match direction {
        MessageDirection::Consumed => warn_unused(of_filter("output"), "output", "the message is consumed only", cx),
        MessageDirection::Produced => warn_unused(of_filter("input"), "input", "the message is produced only", cx),
    }
    Some(Message { name: name?, kind, direction, event_type, source, filter: filter?, span: node.span })
}

/// Parses a reference to a message of the given direction.
pub fn reference(node: &Node, field: &str, direction: MessageDirection, cx: &mut DslParseCx) -> Option<Reference> {
    let text = text(node, field, cx.diagnostics)?;
    let reference = cx.messages.resolve(name_of(text), cx.diagnostics)?;
    let declared = &cx.declared[reference.index];
    if let Some(other) = declared.direction.filter(|other| *other != direction) {
        let (is, wanted, help) = match other {
            MessageDirection::Produced => ("produced", "awaited", "`\"kind\": \"consumed\"`"),
            MessageDirection::Consumed => ("consumed", "produced", "`\"kind\": \"produced\"`"),
        };
        let message = format!("the message `{}` is declared as `{is}`, and cannot be {wanted}", reference.name.value);
        let (span, place) = (reference.name.span, declared.span);
        cx.push(
            Diagnostic::new(&own::WF1102, span, message)
                .related(place, "declared here")
                .help(format!("name another message, or declare one with {help}")),
        );
        return None;
    }
    Some(reference)
}

/// Parses one or more references to messages.
pub fn references(
    members: &Object<'_>,
    field: &str,
    direction: MessageDirection,
    cx: &mut DslParseCx,
) -> Option<Vec<Reference>> {
    let node = members.get(field)?;
    let nodes = one_or_more(node);
    if nodes.is_empty() {
        let message = format!("`{field}` is empty");
        cx.push(Diagnostic::new(&codes::WF0412, node.span, message).help("name a message"));
        return None;
    }
    all(nodes, |node| reference(node, field, direction, cx))
}
