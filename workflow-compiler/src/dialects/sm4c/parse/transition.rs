//! Parser of transitions: the trigger of each, and the combinations that a state can have.

use super::super::Sm4cParseCx;
use super::super::ast::{EventGroup, Reference, Transition, Trigger};
use super::timespan::maybe_timespan;
use super::{maybe_expression, step};
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::dialects::object::Object;
use crate::dialects::object::any_case::not_empty;
use crate::dialects::object::values::{all, text};
use crate::dialects::sm4c::codes as own;
use crate::source::Span;
use crate::syntax::Node;

/// Members that determine the trigger of a transition.
const TRIGGERS: [&str; 3] = ["condition", "eventGroups", "timeout"];

/// Parses the transitions of a state.
pub fn transitions(nodes: &[Node], cx: &mut Sm4cParseCx) -> Option<Vec<Transition>> {
    let transitions = all(nodes, |node| transition(node, cx))?;
    let place = |transition: &Transition| transition.span.opening();
    let implicit: Vec<&Transition> = transitions.iter().filter(|it| matches!(it.trigger, Trigger::Implicit)).collect();
    let message = "a state can have only one transition without `condition`, `eventGroups` and `timeout`";
    at_most_one(&implicit, place, message, "add a `condition` to one of the two transitions", cx);
    let timeouts = transitions.iter().filter(|it| matches!(it.trigger, Trigger::Timeout(_))).collect::<Vec<_>>();
    let message = "a state can have only one transition with a time-out";
    at_most_one(&timeouts, trigger_place, message, "keep the shorter time-out", cx);
    if let [only] = implicit[..] {
        for other in transitions.iter().filter(|it| !matches!(it.trigger, Trigger::Implicit)) {
            cx.push(
                Diagnostic::new(&codes::WF0455, place(other), "unreachable transition")
                    .related(place(only), "this transition has no trigger and is always taken")
                    .help("remove it, or add a `condition` to the other transition"),
            );
        }
    }
    Some(transitions)
}

fn trigger_place(transition: &Transition) -> Span {
    match &transition.trigger {
        Trigger::Timeout(timespan) => timespan.span,
        _ => transition.span.opening(),
    }
}

fn at_most_one(
    transitions: &[&Transition],
    place: fn(&Transition) -> Span,
    message: &str,
    help: &str,
    cx: &mut Sm4cParseCx,
) {
    let Some((first, others)) = transitions.split_first() else { return };
    for other in others {
        cx.push(
            Diagnostic::new(&own::WF0805, place(other), message)
                .related(place(first), "first specified here")
                .help(help),
        );
    }
}

fn transition(node: &Node, cx: &mut Sm4cParseCx) -> Option<Transition> {
    let optional = &["nextState", "condition", "eventGroups", "timeout", "action", "resultHandler"];
    let members = Object::any_case(node, "a transition", &[], optional, cx.diagnostics)?;
    let next = members.name("nextState", cx.diagnostics).and_then(|name| cx.state(name));
    let condition = maybe_expression(&members, "condition", cx);
    let groups = members.list("eventGroups", cx.diagnostics).map(|groups| all(groups, |node| group(node, cx)));
    let timeout = maybe_timespan(&members, "timeout", cx);
    let step = step(&members, "action", "resultHandler", cx);

    let triggers: Vec<&str> = TRIGGERS.into_iter().filter(|name| members.has(name)).collect();
    if let [first, second, ..] = triggers[..] {
        let message = format!("a transition with `{first}` and `{second}` is never triggered");
        let help = match (first, second) {
            ("condition", "eventGroups") => {
                "move `condition` into the event groups, or make two transitions with the same `nextState`"
            }
            _ => "make two transitions with the same `nextState`",
        };
        cx.push(
            Diagnostic::new(&own::WF0804, members.key_span(second), message)
                .related(members.key_span(first), "the other trigger is here")
                .help(help),
        );
        return None;
    }
    let is_internal = !members.has("nextState");
    let trigger = match triggers.first() {
        None if is_internal => {
            let message = "a transition without `nextState` needs a condition, events or a time-out";
            let help = "add `nextState` or a trigger";
            cx.push(Diagnostic::new(&own::WF0806, node.span.opening(), message).help(help));
            return None;
        }
        Some(&"timeout") if is_internal && !members.has("action") => {
            let message = "a time-out transition needs `nextState` or `action`";
            let help = "add one of the two";
            cx.push(Diagnostic::new(&own::WF0806, members.key_span("timeout"), message).help(help));
            return None;
        }
        None => Trigger::Implicit,
        Some(&"condition") => Trigger::Condition(condition?),
        Some(&"eventGroups") => Trigger::Events(groups??),
        Some(_) => Trigger::Timeout(timeout?),
    };
    // An unresolved `nextState` is an error and does not make the transition internal.
    if !is_internal && next.is_none() {
        return None;
    }
    Some(Transition { trigger, next, step, span: node.span })
}

fn group(node: &Node, cx: &mut Sm4cParseCx) -> Option<EventGroup> {
    let members =
        Object::any_case(node, "an event group", &["events"], &["condition", "resultHandler"], cx.diagnostics)?;
    let condition = maybe_expression(&members, "condition", cx);
    let handler = maybe_expression(&members, "resultHandler", cx);
    let events = all(members.list("events", cx.diagnostics)?, |node| event(node, cx))?;
    Some(EventGroup { events, condition, handler, span: node.span })
}

fn event(node: &Node, cx: &mut Sm4cParseCx) -> Option<Reference> {
    let name = not_empty(text(node, "events", cx.diagnostics)?, "events", cx.diagnostics)?;
    cx.event(name)
}
