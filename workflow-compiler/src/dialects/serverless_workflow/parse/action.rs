//! Parser of actions ("Action Definition", "FunctionRef Definition").

use super::super::ast::{Action, Actions, EventActions};
use super::{SwParseCx, filter, values};
use crate::dialects::object::Object;
use crate::dialects::object::lenient::one_or_more;
use crate::dialects::object::values::{all, text};
use crate::syntax::wrong_type;
use crate::syntax::{Node, Tree};

/// Parses `actions` and `actionMode`.
pub fn actions(members: &Object<'_>, cx: &mut SwParseCx) -> Option<Actions> {
    let mode = match members.get("actionMode") {
        Some(node) => values::choice(node, "actionMode", &["sequential", "parallel"], cx),
        None => Some("sequential"),
    };
    let nodes = members.maybe_list("actions", cx.diagnostics)?;
    if let ([_, _, ..], None) = (nodes, members.get("actionMode")) {
        let message = format!("{} has no `actionMode`: the actions run sequentially", members.owner);
        cx.warn(members.key_span("actions"), message, "add `\"actionMode\": \"sequential\"`");
    }
    let list = all(nodes, |node| action(node, cx));
    Some(Actions { parallel: mode? == "parallel", list: list? })
}

/// Parses an action.
pub fn action(node: &Node, cx: &mut SwParseCx) -> Option<Action> {
    let members =
        values::members(node, "an action", &["functionRef"], &["name", "timeout", "actionDataFilter"], cx.diagnostics)?;
    let timeout = values::maybe_duration(&members, "timeout", cx);
    let paths = filter::action(&members, cx);
    let call = members.get("functionRef").and_then(|node| {
        if let Tree::String(text) = &node.tree {
            let help = "write `{ \"refName\": … }`";
            cx.warn(node.span, "`functionRef` should be an object: the string is read as `refName`".to_owned(), help);
            return Some((cx.function(text)?, None));
        }
        let members = values::members(node, "a function reference", &["refName"], &["parameters"], cx.diagnostics)?;
        let parameters = match members.get("parameters") {
            Some(node) if node.as_object().is_none() => {
                wrong_type(node, "parameters", "an object", cx.diagnostics);
                return None;
            }
            node => node.map(values::template),
        };
        let function = members.text("refName", cx.diagnostics).and_then(|text| cx.function(text));
        Some((function?, parameters))
    });
    let (function, parameters) = call?;
    let [input, results] = paths?;
    Some(Action { function, parameters, timeout: timeout?, input, results, span: node.span })
}

/// Parses `eventsActions`.
pub fn events_actions(members: &Object<'_>, cx: &mut SwParseCx) -> Option<Vec<EventActions>> {
    let nodes = members.list("eventsActions", cx.diagnostics)?;
    all(nodes, |node| {
        let members = values::members(
            node,
            "an entry of `eventsActions`",
            &["eventRefs"],
            &["actionMode", "actions", "eventDataFilter"],
            cx.diagnostics,
        )?;
        let refs = members.get("eventRefs")?;
        match refs.as_text() {
            Some(text) => {
                let message = "`eventRefs` should be an array: the string is read as its only element".to_owned();
                cx.warn(
                    text.span,
                    message,
                    format!("put it in brackets: `[\"{}\"]`", crate::syntax::shown(&text.value)),
                );
            }
            None => _ = members.list("eventRefs", cx.diagnostics)?,
        }
        let events = all(one_or_more(refs), |node| {
            let text = text(node, "eventRefs", cx.diagnostics)?;
            cx.event(text)
        });
        let filter = filter::event(&members, cx);
        let actions = match members.has("actions") {
            true => actions(&members, cx),
            false => Some(Actions { parallel: false, list: Vec::new() }),
        };
        Some(EventActions { events: events?, actions: actions?, filter: filter?, span: node.span })
    })
}
