//! Parser of transitions, ends, and the events that they produce.

use super::super::ast::{End, Exit, ProducedEvent, Template, Transition};
use super::{SwParseCx, handlers, values};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::fields as codes;
use crate::dialects::object::Object;
use crate::syntax::wrong_type;
use crate::syntax::{Node, Tree};

/// Parses the transition or the end of a state that is not a switch.
pub fn exit(members: &Object<'_>, cx: &mut SwParseCx) -> Option<Exit> {
    let end = members.entry("end").filter(|entry| entry.value.tree != Tree::Bool(false));
    match (members.entry("transition"), end) {
        (Some(entry), None) => transition(&entry.value, "transition", cx).map(Exit::Transition),
        (None, Some(entry)) => self::end(&entry.value, cx).map(Exit::End),
        (Some(transition), Some(end)) => {
            let message = format!("`transition` and `end` cannot be used together in {}", members.owner);
            cx.push(
                Diagnostic::new(&codes::WF0408, end.key.span, message)
                    .related(transition.key.span, "`transition` is set here")
                    .help("keep one of the two"),
            );
            None
        }
        (None, None) => {
            let message = format!("{} has neither `transition` nor `end`", members.owner);
            let help = "add `\"transition\": { \"nextState\": \"Pay\" }` or `\"end\": { \"kind\": \"default\" }`";
            cx.push(Diagnostic::new(&codes::WF0408, members.span.opening(), message).help(help));
            None
        }
    }
}

/// Parses a transition ("Transition Definition").
pub fn transition(node: &Node, name: &str, cx: &mut SwParseCx) -> Option<Transition> {
    if let Tree::String(text) = &node.tree {
        let help = "write `{ \"nextState\": … }`";
        cx.warn(node.span, format!("`{name}` should be an object: the string is read as `nextState`"), help);
        let target = cx.target(text)?;
        return Some(Transition { target, guard: None, event: None });
    }
    let members =
        values::members(node, "a transition", &["nextState"], &["expression", "produceEvent"], cx.diagnostics)?;
    let guard = match members.get("expression") {
        Some(node) => handlers::expression(node, cx).map(Some),
        None => Some(None),
    };
    let event = produced_event(&members, cx);
    let target = members.text("nextState", cx.diagnostics).and_then(|text| cx.target(text));
    Some(Transition { target: target?, guard: guard?, event: event? })
}

/// Parses an end ("End Definition").
fn end(node: &Node, cx: &mut SwParseCx) -> Option<End> {
    const KINDS: [&str; 3] = ["default", "terminate", "event"];
    let span = node.span;
    let (kind, event, event_span) = match &node.tree {
        Tree::Bool(_) | Tree::String(_) => (values::bare_kind(node, "end", &KINDS, cx)?, None, span),
        _ => {
            let members = values::members(node, "an end", &["kind"], &["produceEvent"], cx.diagnostics)?;
            let event = produced_event(&members, cx);
            let kind = values::choice(members.get("kind")?, "kind", &KINDS, cx);
            (kind?, event?, members.key_span("produceEvent"))
        }
    };
    let kind = match (kind, event) {
        ("event", Some(event)) => End::Event(event),
        ("event", None) => {
            let diagnostic =
                Diagnostic::new(&codes::WF0401, span.opening(), "missing `produceEvent` in an end of the kind `event`");
            cx.push(diagnostic.help("add `\"produceEvent\": { \"eventRef\": … }`"));
            return None;
        }
        (kind, Some(_)) => {
            let message = format!("`produceEvent` has no effect: the kind of the end is `{kind}`");
            cx.push(Diagnostic::new(&codes::WF0455, event_span, message).help("write `\"kind\": \"event\"`"));
            if kind == "terminate" { End::Terminate } else { End::Default }
        }
        ("terminate", None) => End::Terminate,
        (_, None) => End::Default,
    };
    Some(kind)
}

/// Parses a produced event ("ProduceEvent Definition"). Returns `Some(None)` if it is absent, and
/// `None` after reporting an error.
fn produced_event(members: &Object<'_>, cx: &mut SwParseCx) -> Option<Option<ProducedEvent>> {
    let Some(node) = members.get("produceEvent") else { return Some(None) };
    let members = values::members(node, "a produced event", &["eventRef"], &["data"], cx.diagnostics)?;
    let event = members.text("eventRef", cx.diagnostics).and_then(|text| cx.event(text));
    let data = match members.get("data") {
        None => None,
        Some(data) => match &data.tree {
            Tree::String(_) => Some(Template::Path(values::path_of(data, "data", cx)?)),
            Tree::Object(_) => Some(values::template(data)),
            _ => {
                wrong_type(data, "data", "a path or an object", cx.diagnostics);
                return None;
            }
        },
    };
    Some(Some(ProducedEvent { event: event?, data, span: node.span }))
}
