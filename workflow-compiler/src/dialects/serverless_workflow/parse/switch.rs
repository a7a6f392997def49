//! Parser of switch states ("Switch State").

use super::super::ast::{DataCondition, EventCondition, Operator, StateKind};
use super::{SwParseCx, exit, filter, values};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::fields as codes;
use crate::dialects::object::Object;
use crate::dialects::object::any_case::member;
use crate::dialects::object::lenient::label_of;
use crate::dialects::object::values::all;
use crate::dialects::serverless_workflow::codes as own;
use crate::source::Spanned;
use crate::syntax::wrong_type;
use crate::syntax::{Node, Tree};

const OPERATORS: [&str; 13] = [
    "exists",
    "notexists",
    "null",
    "notnull",
    "equals",
    "notequals",
    "lessthan",
    "lessthanorequals",
    "greaterthan",
    "greaterthanorequals",
    "matches",
    "notmatches",
    "custom",
];

/// Parses the conditions of a switch.
pub fn switch(members: &Object<'_>, cx: &mut SwParseCx) -> Option<StateKind> {
    for name in ["end", "transition"] {
        if let Some(entry) = members.entry(name).filter(|entry| entry.value.tree != Tree::Bool(false)) {
            let message = format!("a switch cannot have `{name}`: its conditions choose the next state");
            cx.push(
                Diagnostic::new(&own::WF1206, entry.key.span, message)
                    .help("remove it, or move it to one of the next states"),
            );
        }
    }
    let default = match members.get("default") {
        Some(node) => exit::transition(node, "default", cx).map(Some),
        None => {
            let message = "the switch has no `default`: it fails if no condition holds";
            cx.warn(members.span.opening(), message.to_owned(), "add `\"default\": { \"nextState\": … }`");
            Some(None)
        }
    };
    match (members.entry("dataConditions"), members.entry("eventConditions")) {
        (Some(_), None) => {
            if let Some(entry) = members.entry("eventTimeout") {
                let message = "`eventTimeout` has no effect: this switch does not wait for events";
                cx.push(Diagnostic::new(&codes::WF0455, entry.key.span, message).help("remove it"));
            }
            let nodes = members.list("dataConditions", cx.diagnostics)?;
            let conditions = all(nodes, |node| data_condition(node, cx));
            Some(StateKind::DataSwitch { conditions: conditions?, default: default? })
        }
        (None, Some(_)) => {
            let nodes = members.list("eventConditions", cx.diagnostics)?;
            let conditions = all(nodes, |node| event_condition(node, cx));
            let timeout = values::maybe_duration(members, "eventTimeout", cx)?;
            if let (Some(entry), None) = (members.entry("default"), &timeout) {
                let message = "`default` is never taken: a switch without `eventTimeout` waits forever";
                cx.push(
                    Diagnostic::new(&codes::WF0455, entry.key.span, message).help("add `\"eventTimeout\": \"PT1H\"`"),
                );
            }
            Some(StateKind::EventSwitch { conditions: conditions?, timeout, default: default? })
        }
        (Some(data), Some(events)) => {
            let message = "`dataConditions` and `eventConditions` cannot be used together";
            cx.push(
                Diagnostic::new(&own::WF1207, events.key.span, message)
                    .related(data.key.span, "`dataConditions` is set here")
                    .help("split the switch into two successive switches"),
            );
            None
        }
        (None, None) => {
            let message = "the switch has neither `dataConditions` nor `eventConditions`";
            cx.push(Diagnostic::new(&own::WF1207, members.span.opening(), message).help("add one of the two"));
            None
        }
    }
}

fn data_condition(node: &Node, cx: &mut SwParseCx) -> Option<DataCondition> {
    let members = values::members(
        node,
        "a condition",
        &["path", "operator", "transition"],
        &["value", "metadata"],
        cx.diagnostics,
    )?;
    let path = values::required_path(&members, "path", cx);
    let operator = members.get("operator").and_then(|node| values::choice(node, "operator", &OPERATORS, cx));
    let transition = members.get("transition").and_then(|node| exit::transition(node, "transition", cx));
    let value = match members.get("value") {
        // These operators ignore `value` ([R4](docs/serverless-workflow.md#r4)).
        None if matches!(operator, None | Some("exists" | "notexists" | "null" | "notnull" | "custom")) => {
            Some(Spanned::new(String::new(), node.span))
        }
        None => {
            let diagnostic = Diagnostic::new(&codes::WF0401, node.span.opening(), "missing `value` in a condition");
            cx.push(diagnostic.help("add `value`, to which the selected value is compared"));
            None
        }
        Some(value) => {
            let read = match &value.tree {
                Tree::Bool(flag) => Some(Spanned::new(flag.to_string(), value.span)),
                _ => label_of(value),
            };
            if read.is_none() {
                wrong_type(value, "value", "a string", cx.diagnostics);
            }
            read
        }
    };
    let operator = match operator? {
        "exists" => Operator::Exists,
        "notexists" => Operator::NotExists,
        "null" => Operator::Null,
        "notnull" => Operator::NotNull,
        "equals" => Operator::Equals,
        "notequals" => Operator::NotEquals,
        "lessthan" => Operator::LessThan,
        "lessthanorequals" => Operator::LessThanOrEquals,
        "greaterthan" => Operator::GreaterThan,
        "greaterthanorequals" => Operator::GreaterThanOrEquals,
        "matches" => Operator::Matches,
        "notmatches" => Operator::NotMatches,
        _ => Operator::Custom(custom(&members, cx)?),
    };
    Some(DataCondition { path: path?, operator, value: value?, transition: transition?, span: node.span })
}

/// Returns the name of the task that decides a condition with the operator `custom`
/// ([R4](docs/serverless-workflow.md#r4)).
fn custom(members: &Object<'_>, cx: &mut SwParseCx) -> Option<Spanned<String>> {
    let named = members.get("metadata").and_then(|metadata| member(metadata, "function"));
    if let Some(name) = named.and_then(label_of).filter(|name| !name.value.trim().is_empty()) {
        return Some(name);
    }
    let span = members.key_span("operator");
    let diagnostic = Diagnostic::new(&own::WF1213, span, "missing task name for the operator `custom`");
    cx.push(diagnostic.help("add `\"metadata\": { \"function\": \"isEligible\" }`"));
    None
}

fn event_condition(node: &Node, cx: &mut SwParseCx) -> Option<EventCondition> {
    let members = values::members(
        node,
        "a condition",
        &["eventRef", "transition"],
        &["eventDataFilter", "metadata"],
        cx.diagnostics,
    )?;
    let event = members.text("eventRef", cx.diagnostics).and_then(|text| cx.event(text));
    let filter = filter::event(&members, cx);
    let transition = members.get("transition").and_then(|node| exit::transition(node, "transition", cx));
    Some(EventCondition { event: event?, filter: filter?, transition: transition?, span: node.span })
}
