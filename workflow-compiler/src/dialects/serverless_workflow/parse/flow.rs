//! States that lead to each other, and which of them is the first.

use super::super::ast::{Flow, Reference};
use super::super::schedule::{self, Schedule};
use super::{Cx, all, state, values};
use crate::diagnostics::codes::{fields as codes, graph as graph_codes, serverless_workflow as own};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::fields::opening;
use crate::dialects::members::member;
use crate::dialects::names::Names;
use crate::dialects::values::label_of;
use crate::source::{Span, Spanned};
use crate::syntax::{Node, Text, Tree, shown};
use std::collections::BTreeMap;

/// Whose states they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    Workflow,
    Branch,
    Iteration,
}

impl Of {
    fn words(self) -> &'static str {
        match self {
            Of::Workflow => "the workflow",
            Of::Branch => "this branch",
            Of::Iteration => "the body of this foreach state",
        }
    }
}

/// The names and ids of the states of a flow (ruling R21).
pub struct States {
    names: Names,
    ids: BTreeMap<String, (usize, Span)>,
    of_names: BTreeMap<String, (usize, Span)>,
}

impl States {
    pub fn none() -> States {
        States { names: Names::exact("state", "states"), ids: BTreeMap::new(), of_names: BTreeMap::new() }
    }

    fn of(nodes: &[Node], diagnostics: &mut Diagnostics) -> States {
        let mut states = States::none();
        for (index, node) in nodes.iter().enumerate() {
            if let Some(name) = member(node, "name").and_then(Node::as_text) {
                states.names.define(name, index, &graph_codes::E0202, diagnostics);
                states.of_names.entry(name.value.clone()).or_insert((index, name.span));
            }
            if let Some(id) = member(node, "id").and_then(label_of) {
                let first = *states.ids.entry(id.value.clone()).or_insert((index, id.span));
                if first.0 != index {
                    let message = format!("two states have the id `{}`", shown(&id.value));
                    diagnostics.push(
                        Diagnostic::new(&graph_codes::E0202, id.span, message)
                            .related(first.1, "the first one is here")
                            .help("give each an id of its own"),
                    );
                }
            }
        }
        states
    }

    /// The state of this name or id. The inner nothing is one that has been reported.
    pub fn find(&self, text: &Text, diagnostics: &mut Diagnostics) -> Option<Option<Reference>> {
        let (by_name, by_id) = (self.of_names.get(&text.value), self.ids.get(&text.value));
        if let (Some(name), Some(id)) = (by_name, by_id)
            && name.0 != id.0
        {
            let message = format!("`{}` is the name of one state and the id of another", shown(&text.value));
            diagnostics.push(
                Diagnostic::new(&own::E1203, text.span, message)
                    .related(name.1, "it is the name of this one")
                    .related(id.1, "it is the id of this one")
                    .help("change the name or the id"),
            );
            return Some(None);
        }
        let (index, _) = by_name.or(by_id)?;
        Some(Some(Reference { name: values::name_of(text), index: *index }))
    }

    /// Reports that there is no such state.
    pub fn unknown(&self, text: &Text, diagnostics: &mut Diagnostics) -> Option<Reference> {
        self.names.resolve(values::name_of(text), &graph_codes::E0201, diagnostics)
    }
}

/// Takes note of a state and those inside of it, where each is.
pub fn note_everywhere(state: &Node, all: &mut BTreeMap<String, Span>) {
    for name in ["name", "id"] {
        if let Some(text) = member(state, name).and_then(label_of) {
            all.entry(text.value).or_insert(text.span);
        }
    }
    let branches = member(state, "branches").and_then(Node::as_array).unwrap_or_default();
    let bodies = branches.iter().chain(std::iter::once(state));
    for inner in bodies.filter_map(|body| member(body, "states")?.as_array()) {
        inner.iter().for_each(|state| note_everywhere(state, all));
    }
}

/// Reads states that lead to each other.
pub fn flow(nodes: &[Node], span: Span, of: Of, cx: &mut Cx) -> Option<Flow> {
    let own_states = States::of(nodes, cx.diagnostics);
    let outer = std::mem::replace(&mut cx.states, own_states);
    let start = start(nodes, span, of, cx);
    let states = all(nodes, |node| state::state(node, cx));
    cx.states = outer;
    if of != Of::Workflow {
        check_end(nodes, span, of, cx);
    }
    let (start, schedule) = start?;
    Some(Flow { states: states?, start, schedule, span })
}

fn is_there(node: Option<&Node>) -> bool {
    node.is_some_and(|node| !matches!(node.tree, Tree::Null | Tree::Bool(false)))
}

/// The number of the first state, and when it is active.
fn start(nodes: &[Node], span: Span, of: Of, cx: &mut Cx) -> Option<(usize, Option<Spanned<Schedule>>)> {
    let mut starts = nodes.iter().enumerate().filter(|(_, state)| is_there(member(state, "start")));
    let Some((first, first_state)) = starts.next() else {
        let name = nodes.first().and_then(|state| member(state, "name")?.as_text());
        let example = name.map_or_else(String::new, |name| format!(", as `{}` may be", shown(&name.value)));
        let message = format!("no state is the first one of {}", of.words());
        let found = Diagnostic::new(&own::E1201, opening(span), message);
        cx.push(found.help(format!("write `\"start\": {{ \"kind\": \"default\" }}` into the one that is{example}")));
        return None;
    };
    let place = |state: &Node| member(state, "start").map_or(state.span, |node| opening(node.span));
    for (_, other) in starts {
        let message = format!("another state is the first one of {} already", of.words());
        cx.push(
            Diagnostic::new(&own::E1201, place(other), message)
                .related(place(first_state), "that one is here")
                .help("remove `start` from one of them"),
        );
    }
    let schedule = definition(member(first_state, "start")?, cx)?;
    Some((first, schedule))
}

/// A start ("Start Definition"): the interval, if it has one.
fn definition(node: &Node, cx: &mut Cx) -> Option<Option<Spanned<Schedule>>> {
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
            let found = Diagnostic::new(&own::E1209, opening(node.span), "a scheduled start needs `schedule`");
            cx.push(found.help("add `\"schedule\": { \"interval\": \"2020-03-20T09:00:00Z/PT6H\" }`"));
            None
        }
        (_, None) => Some(None),
        ("default", Some(entry)) => {
            let message = "`schedule` has no effect: the kind of the start is `default`";
            cx.push(Diagnostic::new(&codes::W0405, entry.key.span, message).help("write `\"kind\": \"scheduled\"`"));
            Some(None)
        }
        (_, Some(entry)) => {
            let members = values::members(&entry.value, "a schedule", &["interval"], &[], cx.diagnostics)?;
            let text = members.text("interval", cx.diagnostics)?;
            match schedule::read(&text.value) {
                Ok(schedule) => Some(Some(Spanned::new(schedule, text.span))),
                Err(flaw) => {
                    let message = format!("`{}` {}", shown(&text.value), flaw.message);
                    cx.push(Diagnostic::new(&own::E1209, text.span, message).help(flaw.help));
                    None
                }
            }
        }
    }
}

/// A branch or the body of a foreach state has an end.
fn check_end(nodes: &[Node], span: Span, of: Of, cx: &mut Cx) {
    if nodes.is_empty() || nodes.iter().any(|state| is_there(member(state, "end"))) {
        return;
    }
    let message = format!("no state ends {}", of.words());
    cx.push(
        Diagnostic::new(&own::E1205, opening(span), message)
            .help("write `\"end\": { \"kind\": \"default\" }` into the last state"),
    );
}
