//! Parser of flows: states that lead to each other, with a start state.

use super::super::ast::{Flow, Reference};
use super::super::schedule::{self, Schedule};
use super::{SwParseCx, state, values};
use crate::diagnostics::codes::{fields as codes, graph as graph_codes};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::names::NameTable;
use crate::dialects::object::any_case::member;
use crate::dialects::object::lenient::label_of;
use crate::dialects::object::values::all;
use crate::dialects::serverless_workflow::codes as own;
use crate::source::{Span, Spanned};
use crate::syntax::{Node, Text, Tree, shown};
use std::collections::BTreeMap;

/// Owner of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlowOwner {
    Workflow,
    Branch,
    Iteration,
}

impl FlowOwner {
    fn words(self) -> &'static str {
        match self {
            FlowOwner::Workflow => "the workflow",
            FlowOwner::Branch => "this branch",
            FlowOwner::Iteration => "the body of this foreach state",
        }
    }
}

/// Names and ids of the states of a flow ([R21](docs/serverless-workflow.md#r21)).
pub struct StateNames {
    names: NameTable,
    ids: BTreeMap<String, (usize, Span)>,
    indices: BTreeMap<String, (usize, Span)>,
}

impl StateNames {
    pub fn empty() -> StateNames {
        StateNames {
            names: NameTable::case_sensitive("state", "states"),
            ids: BTreeMap::new(),
            indices: BTreeMap::new(),
        }
    }

    fn of(nodes: &[Node], diagnostics: &mut Diagnostics) -> StateNames {
        let mut states = StateNames::empty();
        for (index, node) in nodes.iter().enumerate() {
            if let Some(name) = member(node, "name").and_then(Node::as_text) {
                states.names.define(name, index, diagnostics);
                states.indices.entry(name.value.clone()).or_insert((index, name.span));
            }
            if let Some(id) = member(node, "id").and_then(label_of) {
                let first = *states.ids.entry(id.value.clone()).or_insert((index, id.span));
                if first.0 != index {
                    let message = format!("duplicate state id `{}`", shown(&id.value));
                    diagnostics.push(
                        Diagnostic::new(&graph_codes::WF0202, id.span, message)
                            .related(first.1, "first specified here")
                            .help("give each state a unique id"),
                    );
                }
            }
        }
        states
    }

    /// Finds a state by its name or id. Returns `Some(None)` after reporting an ambiguous text,
    /// and `None` for an unknown state.
    pub fn find(&self, text: &Text, diagnostics: &mut Diagnostics) -> Option<Option<Reference>> {
        let (by_name, by_id) = (self.indices.get(&text.value), self.ids.get(&text.value));
        if let (Some(name), Some(id)) = (by_name, by_id)
            && name.0 != id.0
        {
            let message = format!("`{}` is the name of one state and the id of another", shown(&text.value));
            diagnostics.push(
                Diagnostic::new(&own::WF1203, text.span, message)
                    .related(name.1, "this state has the name")
                    .related(id.1, "this state has the id")
                    .help("change the name or the id"),
            );
            return Some(None);
        }
        let (index, _) = by_name.or(by_id)?;
        Some(Some(Reference { name: values::name_of(text), index: *index }))
    }

    /// Reports an unknown state.
    pub fn unknown(&self, text: &Text, diagnostics: &mut Diagnostics) -> Option<Reference> {
        self.names.resolve(values::name_of(text), diagnostics)
    }
}

/// Collects the spans of a state and of its nested states, by name and by id.
pub fn collect_spans(state: &Node, all: &mut BTreeMap<String, Span>) {
    for name in ["name", "id"] {
        if let Some(text) = member(state, name).and_then(label_of) {
            all.entry(text.value).or_insert(text.span);
        }
    }
    let branches = member(state, "branches").and_then(Node::as_array).unwrap_or_default();
    let bodies = branches.iter().chain(std::iter::once(state));
    for inner in bodies.filter_map(|body| member(body, "states")?.as_array()) {
        inner.iter().for_each(|state| collect_spans(state, all));
    }
}

/// Parses a flow.
pub fn flow(nodes: &[Node], span: Span, of: FlowOwner, cx: &mut SwParseCx) -> Option<Flow> {
    let own_states = StateNames::of(nodes, cx.diagnostics);
    let outer = std::mem::replace(&mut cx.states, own_states);
    let start = start(nodes, span, of, cx);
    let states = all(nodes, |node| state::state(node, cx));
    cx.states = outer;
    if of != FlowOwner::Workflow {
        check_end(nodes, span, of, cx);
    }
    let (start, schedule) = start?;
    Some(Flow { states: states?, start, schedule, span })
}

fn is_set(node: Option<&Node>) -> bool {
    node.is_some_and(|node| !matches!(node.tree, Tree::Null | Tree::Bool(false)))
}

/// Returns the index of the start state, and its schedule.
fn start(nodes: &[Node], span: Span, of: FlowOwner, cx: &mut SwParseCx) -> Option<(usize, Option<Spanned<Schedule>>)> {
    let mut starts = nodes.iter().enumerate().filter(|(_, state)| is_set(member(state, "start")));
    let Some((first, first_state)) = starts.next() else {
        let name = nodes.first().and_then(|state| member(state, "name")?.as_text());
        let example = name.map_or_else(String::new, |name| format!(", for example `{}`", shown(&name.value)));
        let message = format!("{} has no start state", of.words());
        let diagnostic = Diagnostic::new(&graph_codes::WF0207, span.opening(), message);
        cx.push(diagnostic.help(format!("add `\"start\": {{ \"kind\": \"default\" }}` to a state{example}")));
        return None;
    };
    let place = |state: &Node| member(state, "start").map_or(state.span, |node| node.span.opening());
    for (_, other) in starts {
        let message = format!("{} already has a start state", of.words());
        cx.push(
            Diagnostic::new(&graph_codes::WF0207, place(other), message)
                .related(place(first_state), "the other start state is here")
                .help("remove `start` from one of them"),
        );
    }
    let schedule = start_schedule(member(first_state, "start")?, cx)?;
    Some((first, schedule))
}

/// Parses a start ("Start Definition"). Returns the interval, if it has one.
fn start_schedule(node: &Node, cx: &mut SwParseCx) -> Option<Option<Spanned<Schedule>>> {
    const KINDS: [&str; 2] = ["default", "scheduled"];
    let (kind, schedule) = match &node.tree {
        Tree::String(_) | Tree::Bool(_) => (values::bare_kind(node, "start", &KINDS, cx)?, None),
        _ => {
            let members = values::members(node, "a start", &["kind"], &["schedule"], cx.diagnostics)?;
            let kind = values::choice(members.get("kind")?, "kind", &KINDS, cx)?;
            (kind, members.entry("schedule"))
        }
    };
    match (kind, schedule) {
        ("scheduled", None) => {
            let diagnostic =
                Diagnostic::new(&own::WF1209, node.span.opening(), "missing `schedule` in a scheduled start");
            cx.push(diagnostic.help("add `\"schedule\": { \"interval\": \"2020-03-20T09:00:00Z/PT6H\" }`"));
            None
        }
        (_, None) => Some(None),
        ("default", Some(entry)) => {
            let message = "`schedule` has no effect: the kind of the start is `default`";
            cx.push(Diagnostic::new(&codes::WF0455, entry.key.span, message).help("write `\"kind\": \"scheduled\"`"));
            Some(None)
        }
        (_, Some(entry)) => {
            let members = values::members(&entry.value, "a schedule", &["interval"], &[], cx.diagnostics)?;
            let text = members.text("interval", cx.diagnostics)?;
            match schedule::read(&text.value) {
                Ok(schedule) => Some(Some(Spanned::new(schedule, text.span))),
                Err(error) => {
                    let message = format!("`{}` {}", shown(&text.value), error.message);
                    cx.push(Diagnostic::new(&own::WF1209, text.span, message).help(error.help));
                    None
                }
            }
        }
    }
}

/// Reports a branch or a body of a foreach state without an end state.
fn check_end(nodes: &[Node], span: Span, of: FlowOwner, cx: &mut SwParseCx) {
    if nodes.is_empty() || nodes.iter().any(|state| is_set(member(state, "end"))) {
        return;
    }
    let message = format!("{} has no end state", of.words());
    cx.push(
        Diagnostic::new(&graph_codes::WF0206, span.opening(), message)
            .help("add `\"end\": { \"kind\": \"default\" }` to the last state"),
    );
}
