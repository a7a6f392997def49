//! Parser of states ("State Definition").

use super::super::ast::{Branch, ForEach, State, StateKind};
use super::flow::FlowOwner;
use super::values::{maybe_duration, required_path};
use super::{SwParseCx, action, exit, filter, flow, handlers, switch, values};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::fields as codes;
use crate::dialects::object::Object;
use crate::dialects::object::any_case::member;
use crate::dialects::object::values::all;
use crate::dialects::serverless_workflow::codes as own;
use crate::source::{Span, Spanned};
use crate::syntax::wrong_type;
use crate::syntax::{Node, Tree, shown};
use std::collections::BTreeMap;

const TYPES: [&str; 9] =
    ["event", "operation", "switch", "delay", "parallel", "subflow", "inject", "foreach", "callback"];

/// Members that every state may have.
const COMMON: [&str; 11] = [
    "id",
    "name",
    "type",
    "start",
    "end",
    "transition",
    "stateDataFilter",
    "dataInputSchema",
    "dataOutputSchema",
    "metadata",
    "onError",
];

/// Members that only states of some types may have.
const OF_SOME: [&str; 25] = [
    "action",
    "actionMode",
    "actions",
    "branches",
    "completionType",
    "data",
    "dataConditions",
    "default",
    "eventConditions",
    "eventDataFilter",
    "eventRef",
    "eventTimeout",
    "eventsActions",
    "exclusive",
    "inputCollection",
    "inputParameter",
    "max",
    "n",
    "outputCollection",
    "retry",
    "states",
    "timeDelay",
    "timeout",
    "waitForCompletion",
    "workflowId",
];

/// Parses a state.
pub fn state(node: &Node, cx: &mut SwParseCx) -> Option<State> {
    let Some(kind) = member(node, "type").filter(|node| node.tree != Tree::Null) else {
        let known: Vec<&'static str> = COMMON.iter().chain(&OF_SOME).copied().collect();
        values::members(node, "a state", &["name", "type"], &known, cx.diagnostics)?;
        return None;
    };
    let kind = values::choice(kind, "type", &TYPES, cx)?;
    let (owner, required, more): (_, &[&'static str], &[&'static str]) = match kind {
        "event" => ("an event state", &["eventsActions"], &["exclusive", "timeout", "retry"]),
        "operation" => ("an operation state", &["actions"], &["actionMode", "retry"]),
        "switch" => ("a switch", &[], &["dataConditions", "eventConditions", "eventTimeout", "default"]),
        "delay" => ("a delay state", &["timeDelay"], &[]),
        "parallel" => ("a parallel state", &["branches"], &["completionType", "n", "retry"]),
        "subflow" => ("a subflow state", &["workflowId"], &["waitForCompletion"]),
        "inject" => ("an inject state", &[], &["data"]),
        "foreach" => (
            "a foreach state",
            &["inputCollection", "inputParameter", "states"],
            &["outputCollection", "max", "timeDelay", "retry"],
        ),
        _ => ("a callback state", &["action", "eventRef"], &["timeout", "eventDataFilter", "retry"]),
    };
    let required: Vec<&'static str> = ["name"].iter().chain(required).copied().collect();
    let optional: Vec<&'static str> = COMMON.iter().chain(more).copied().collect();
    let members = values::members(node, owner, &required, &optional, cx.diagnostics)?;
    let name = members.name("name", cx.diagnostics);
    let filter = filter::state(&members, cx);
    let input_schema = members.text("dataInputSchema", cx.diagnostics).cloned();
    let output_schema = members.text("dataOutputSchema", cx.diagnostics).cloned();
    let retries = handlers::retries(&members, cx);
    let handlers = handlers::error_handlers(&members, kind == "switch", cx);
    let exit = match kind {
        "switch" => Some(None),
        _ => exit::exit(&members, cx).map(Some),
    };
    let kind = match kind {
        "event" => event(&members, cx),
        "operation" => action::actions(&members, cx).map(|actions| StateKind::Operation { actions }),
        "switch" => switch::switch(&members, cx),
        "delay" => members.duration("timeDelay", cx.diagnostics).map(|time| StateKind::Delay { time }),
        "parallel" => parallel(&members, cx),
        "subflow" => subflow(&members, cx),
        "inject" => inject(&members, cx),
        "foreach" => foreach(&members, cx),
        _ => callback(&members, cx),
    };
    Some(State {
        name: name?,
        kind: kind?,
        filter: filter?,
        input_schema,
        output_schema,
        retries: retries?,
        handlers: handlers?,
        exit: exit?,
        span: node.span,
    })
}

/// Returns an optional flag.
fn maybe_flag(members: &Object<'_>, name: &str, default: bool, cx: &mut SwParseCx) -> Option<bool> {
    if members.has(name) { members.flag(name, cx.diagnostics) } else { Some(default) }
}

fn event(members: &Object<'_>, cx: &mut SwParseCx) -> Option<StateKind> {
    let exclusive = maybe_flag(members, "exclusive", true, cx);
    let timeout = maybe_duration(members, "timeout", cx);
    let entries = action::events_actions(members, cx);
    Some(StateKind::Event { exclusive: exclusive?, entries: entries?, timeout: timeout? })
}

fn parallel(members: &Object<'_>, cx: &mut SwParseCx) -> Option<StateKind> {
    let completion = match members.get("completionType") {
        Some(node) => values::choice(node, "completionType", &["and", "xor", "n_of_m"], cx),
        None => Some("and"),
    };
    let n = match members.has("n") {
        true => members.whole("n", cx.diagnostics).map(Some),
        false => Some(None),
    };
    let nodes = members.list("branches", cx.diagnostics);
    let branches = nodes.and_then(|nodes| {
        all(nodes, |node| {
            let members = values::members(node, "a branch", &["name", "states"], &[], cx.diagnostics)?;
            let name = members.name("name", cx.diagnostics);
            let states = members.list("states", cx.diagnostics)?;
            let flow = flow::flow(states, node.span, FlowOwner::Branch, cx);
            Some(Branch { name: name?, flow: flow? })
        })
    });
    if let Some(branches) = &branches {
        warn_of_namesakes(branches, cx);
    }
    let (completion, n, count) = (completion?, n?, nodes?.len() as u32);
    let first = match (completion, n) {
        ("n_of_m", None) => {
            let span = members.key_span("completionType");
            let diagnostic =
                Diagnostic::new(&codes::WF0422, span, "missing `n`, the number of branches that `n_of_m` waits for");
            cx.push(diagnostic.help(format!("add `\"n\": {}`", count.min(1))));
            return None;
        }
        ("n_of_m", Some(n)) if n.value == 0 || n.value > count => {
            let message = match (n.value, count) {
                (0, _) => "`n` is 0, but at least one branch must end".to_owned(),
                (n, 1) => format!("`n` is {n}, but there is only one branch"),
                (n, count) => format!("`n` is {n}, but there are only {count} branches"),
            };
            let diagnostic = Diagnostic::new(&codes::WF0422, n.span, message);
            cx.push(diagnostic.help(format!("write a number from 1 to {count}")));
            return None;
        }
        ("n_of_m", Some(n)) => n.value,
        (other, n) => {
            if let Some(n) = n.filter(|n| n.value != 0) {
                let message = format!("`n` has no effect: `completionType` is `{other}`");
                let help = "write `\"completionType\": \"n_of_m\"`";
                cx.push(Diagnostic::new(&codes::WF0455, n.span, message).help(help));
            }
            if other == "xor" { 1 } else { count }
        }
    };
    Some(StateKind::Parallel { branches: branches?, first })
}

fn warn_of_namesakes(branches: &[Branch], cx: &mut SwParseCx) {
    let mut first: BTreeMap<&str, Span> = BTreeMap::new();
    for Branch { name, .. } in branches {
        if let Some(before) = first.get(&*name.value) {
            let message = format!("duplicate branch name `{}`", shown(&name.value));
            let diagnostic = Diagnostic::new(&own::WF1255, name.span, message).related(*before, "first specified here");
            cx.push(diagnostic.help("rename one of the two: histories and outputs identify branches by name"));
            continue;
        }
        first.insert(&name.value, name.span);
    }
}

fn subflow(members: &Object<'_>, cx: &mut SwParseCx) -> Option<StateKind> {
    let waits = maybe_flag(members, "waitForCompletion", false, cx);
    let workflow = members.name("workflowId", cx.diagnostics)?;
    let workflow = Spanned::new(workflow.value.to_string(), workflow.span);
    Some(StateKind::SubFlow { workflow, waits: waits? })
}

fn inject(members: &Object<'_>, cx: &mut SwParseCx) -> Option<StateKind> {
    let data = members.get("data");
    if let Some(node) = data.filter(|node| node.as_object().is_none()) {
        wrong_type(node, "data", "an object", cx.diagnostics);
        return None;
    }
    Some(StateKind::Inject { data: data.cloned() })
}

fn foreach(members: &Object<'_>, cx: &mut SwParseCx) -> Option<StateKind> {
    let input = required_path(members, "inputCollection", cx);
    let parameter = required_path(members, "inputParameter", cx);
    let output = values::path(members, "outputCollection", cx);
    let max = match members.has("max") {
        true => members.whole("max", cx.diagnostics).map(|max| max.value),
        false => Some(0),
    };
    let delay = maybe_duration(members, "timeDelay", cx);
    let states = members.list("states", cx.diagnostics)?;
    let flow = flow::flow(states, members.span, FlowOwner::Iteration, cx);
    Some(StateKind::ForEach(Box::new(ForEach {
        input: input?,
        parameter: parameter?,
        output: output?,
        max: max?,
        delay: delay?,
        flow: flow?,
    })))
}

fn callback(members: &Object<'_>, cx: &mut SwParseCx) -> Option<StateKind> {
    let action = members.get("action").and_then(|node| action::action(node, cx));
    let event = members.text("eventRef", cx.diagnostics).and_then(|text| cx.event(text));
    let timeout = maybe_duration(members, "timeout", cx);
    let filter = filter::event(members, cx);
    Some(StateKind::Callback { action: Box::new(action?), event: event?, timeout: timeout?, filter: filter? })
}
