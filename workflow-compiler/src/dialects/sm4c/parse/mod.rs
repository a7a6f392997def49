//! Parser from the spanned tree to the AST: the state machine and its states. It reports all
//! errors in members and names.

mod action;
mod definitions;
mod timespan;
mod transition;
mod values;

use super::Sm4cParseCx;
use super::ast::{Action, ExecutionTimeout, Expression, HandledAction, State, StateMachine};
use super::check;
use super::expression::expression;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::diagnostics::{codes::fields as codes, codes::graph as graph_codes};
use crate::dialects::names::NameTable;
use crate::dialects::object::Object;
use crate::dialects::object::any_case::member;
use crate::dialects::object::values::all;
use crate::dialects::sm4c::codes as own;
use crate::files::Inputs;
use crate::source::Span;
use crate::syntax::{Node, Tree};

/// Parses a state machine. Returns `None` after reporting an error.
pub fn parse(definition: &Node, inputs: &mut Inputs, diagnostics: &mut Diagnostics) -> Option<StateMachine> {
    let mut cx = Sm4cParseCx {
        states: None,
        events: None,
        functions: None,
        retries: None,
        functions_in_expressions: Vec::new(),
        calls: Vec::new(),
        diagnostics,
    };
    let cx = &mut cx;
    let machine = Object::any_case(
        definition,
        "a state machine",
        &["name", "version", "states"],
        &["description", "timeout", "execTimeout", "events", "functions", "retries"],
        cx.diagnostics,
    )?;
    let name = machine.name("name", cx.diagnostics);
    let version = machine.string("version", cx.diagnostics);
    let description = machine.string("description", cx.diagnostics).map(|text| text.value);
    let states = machine.list("states", cx.diagnostics);
    // All names are collected first, because a use may precede the definition.
    let mut defined = |member: &'static str, kind| {
        let nodes = definitions::nodes(&machine, member, inputs, cx)?;
        let names = names(&nodes, kind, member, cx);
        Some((nodes, names))
    };
    let (events, event_names) = defined("events", "event").unzip();
    let (functions, function_names) = defined("functions", "function").unzip();
    let (retries, retry_names) = defined("retries", "retry policy").unzip();
    (cx.events, cx.functions, cx.retries) = (event_names, function_names, retry_names);
    cx.states = states.map(|states| names(states, "state", "states", cx));

    let events = events.and_then(|nodes| all(&nodes, |node| definitions::event(node, cx)));
    let functions = functions.and_then(|nodes| all(&nodes, |node| definitions::function(node, cx)));
    let retries = retries.and_then(|nodes| all(&nodes, |node| definitions::retry(node, cx)));
    let timeout = timeout(&machine, cx);
    let start = states.and_then(|states| start(states, machine.key_span("states"), cx));
    let states = states.and_then(|states| all(states, |node| state(node, cx)));
    if let Some(functions) = &functions {
        check::check_functions(functions, cx);
    }
    Some(StateMachine {
        name: name?,
        version: version?,
        description,
        timeout,
        events: events?,
        functions: functions?,
        retries: retries?,
        states: states?,
        start: start?,
        span: definition.span,
    })
}

/// Collects the names of definitions.
fn names(nodes: &[Node], kind: &'static str, list: &'static str, cx: &mut Sm4cParseCx) -> NameTable {
    let mut names = NameTable::ignoring_case(kind, list);
    for (index, node) in nodes.iter().enumerate() {
        if let Some(name) = member(node, "name").and_then(Node::as_text) {
            names.define(name, index, cx.diagnostics);
        }
    }
    names
}

/// Parses `timeout`, which the original engine calls `execTimeout`.
fn timeout(machine: &Object<'_>, cx: &mut Sm4cParseCx) -> Option<ExecutionTimeout> {
    let (by_text, by_engine) = (machine.entry("timeout"), machine.entry("execTimeout"));
    if let (Some(timeout), Some(other)) = (by_text, by_engine) {
        cx.push(
            Diagnostic::new(&codes::WF0405, other.key.span, "`timeout` and `execTimeout` cannot be used together")
                .related(timeout.key.span, "`timeout` is set here")
                .help("keep one of the two: they mean the same"),
        );
    }
    let node = &by_text.or(by_engine)?.value;
    if node.as_text().is_some() {
        let message = "the time-out of a state machine must be an object, found a string";
        cx.push(Diagnostic::new(&codes::WF0403, node.span, message).help("write it as `{ \"duration\": … }`"));
        return None;
    }
    let members =
        Object::any_case(node, "the time-out of a state machine", &["duration"], &["action"], cx.diagnostics)?;
    let action = members.get("action").map(|node| action::action(node, cx));
    let duration = timespan::maybe_timespan(&members, "duration", cx)?;
    Some(ExecutionTimeout { duration, action: action.flatten(), span: node.span })
}

fn flag(state: &Node) -> Option<&Tree> {
    member(state, "start").map(|node| &node.tree)
}

/// Returns the index of the one state with `start`.
fn start(states: &[Node], list: Span, cx: &mut Sm4cParseCx) -> Option<usize> {
    let mut starts = states.iter().enumerate().filter(|(_, state)| flag(state) == Some(&Tree::Bool(true)));
    let Some((first, first_state)) = starts.next() else {
        // A state with an error in `start` may be the start state.
        let is_clear = |state: &Node| match flag(state) {
            None => state.as_object().is_some(),
            Some(flag) => matches!(flag, Tree::Bool(_) | Tree::Null),
        };
        if !states.iter().all(is_clear) {
            return None;
        }
        let name = states.first().and_then(|state| member(state, "name")?.as_text());
        let example = name.map_or_else(String::new, |name| format!(", for example `{}`", name.value));
        let diagnostic = Diagnostic::new(&graph_codes::WF0207, list, "the state machine has no start state");
        cx.push(diagnostic.help(format!("add `\"start\": true` to a state{example}")));
        return None;
    };
    let place = |state: &Node| member(state, "start").map_or(state.span, |node| node.span);
    for (_, other) in starts {
        cx.push(
            Diagnostic::new(&graph_codes::WF0207, place(other), "the state machine already has a start state")
                .related(place(first_state), "the other start state is here")
                .help("remove `start` from one of them"),
        );
    }
    Some(first)
}

fn state(node: &Node, cx: &mut Sm4cParseCx) -> Option<State> {
    let state = Object::any_case(
        node,
        "a state",
        &["name"],
        &[
            "start",
            "transitions",
            "inputFilter",
            "enterAction",
            "enterResultHandler",
            "exitAction",
            "exitResultHandler",
        ],
        cx.diagnostics,
    )?;
    let name = state.name("name", cx.diagnostics);
    state.boolean("start", cx.diagnostics);
    let input_filter = maybe_expression(&state, "inputFilter", cx);
    let enter = step(&state, "enterAction", "enterResultHandler", cx);
    let exit = step(&state, "exitAction", "exitResultHandler", cx);
    let transitions = state.maybe_list("transitions", cx.diagnostics).unwrap_or_default();
    let transitions = transition::transitions(transitions, cx);
    Some(State { name: name?, input_filter, enter, exit, transitions: transitions?, span: node.span })
}

/// Parses an action with the handler of its result.
fn step(members: &Object<'_>, action: &str, handler: &str, cx: &mut Sm4cParseCx) -> HandledAction {
    let read: Option<Action> = members.get(action).and_then(|node| action::action(node, cx));
    let handled = maybe_expression(members, handler, cx);
    let waits = read.as_ref().and_then(Action::call).is_none_or(|call| call.waits);
    if let (Some(entry), Some(action), false) = (members.entry(handler), &read, waits) {
        cx.push(
            Diagnostic::new(&own::WF0853, entry.key.span, format!("`{handler}` receives null, not the result"))
                .related(action.span.at_start(), "this action does not wait")
                .help("add `\"waitForCompletion\": true` to the action"),
        );
    }
    HandledAction { action: read, handler: handled }
}

/// Parses an optional member that is an expression.
fn maybe_expression(members: &Object<'_>, name: &str, cx: &mut Sm4cParseCx) -> Option<Expression> {
    expression(members.get(name)?, name, cx)
}
