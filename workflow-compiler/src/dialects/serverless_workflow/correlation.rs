//! Correlation keys, which tie events to executions ([R14](docs/serverless-workflow.md#r14)).
//! Warns of events that can never match an execution.

use super::ast::{Definition, End, Exit, Flow, Operator, Reference, State, StateKind};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::serverless_workflow::codes::WF1254;
use crate::options::Options;
use crate::syntax::shown;
use std::collections::BTreeSet;

/// Attributes whose values an author cannot choose (CloudEvents 1.0, "Context Attributes").
const RESERVED: [&str; 7] = ["id", "source", "type", "specversion", "time", "datacontenttype", "dataschema"];

/// Members of an event that are data and not attributes ("Event Definition").
const DATA: [&str; 2] = ["data", "data_base64"];

/// Returns the attributes by which events of a definition correlate, each once.
pub fn attributes(definition: &Definition) -> Vec<String> {
    let mut attributes: Vec<String> = Vec::new();
    for name in definition.events.iter().filter_map(|event| event.correlation.as_ref()) {
        if !attributes.contains(&name.value) {
            attributes.push(name.value.clone());
        }
    }
    attributes
}

/// Returns the attribute of a produced event that carries the correlation key, or `None` if the
/// attribute cannot carry it. Attributes of CloudEvents have lower-case names.
pub fn correlation_attribute(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    (is_attribute(&name) && !RESERVED.contains(&&*name)).then_some(name)
}

/// Returns `true` for a valid name of an attribute, ignoring case (CloudEvents 1.0, "Naming
/// Conventions").
fn is_attribute(name: &str) -> bool {
    !DATA.contains(&name) && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Warns of events that can match no execution.
pub fn check(definition: &Definition, options: &Options, diagnostics: &mut Diagnostics) {
    for name in definition.events.iter().filter_map(|event| event.correlation.as_ref()) {
        let (message, help) = match &*name.value {
            word if DATA.contains(&word) => (
                format!("events cannot be correlated by `{word}`: it is event data, not an attribute"),
                "name an attribute of the event's context: `\"correlationToken\": \"orderid\"`",
            ),
            word if !is_attribute(word) => (
                format!("events cannot be correlated by `{}`: it is not a valid attribute name", shown(word)),
                "use the letters a to z and digits: `\"correlationToken\": \"orderid\"`",
            ),
            _ => continue,
        };
        diagnostics.push(Diagnostic::new(&WF1254, name.span, message).help(help));
    }
    if options.correlate.is_empty() {
        check_unknown_key(definition, diagnostics);
    }
}

/// Warns of awaited events that nobody can address. If a start event carries no correlation key,
/// the key is the execution id. A later event must carry the id, so that a task, a child execution
/// or the receiver of a produced event must have learnt it before.
fn check_unknown_key(definition: &Definition, diagnostics: &mut Diagnostics) {
    let Flow { states, start, .. } = &definition.flow;
    let StateKind::Event { entries, .. } = &states[*start].kind else { return };
    let starting: Vec<&Reference> = entries.iter().flat_map(|entry| &entry.events).collect();
    let correlates = |event: &Reference| definition.events[event.index].correlation.as_ref();
    if starting.iter().any(|event| correlates(event).is_some()) {
        return;
    }
    let reached = reachable_from(states, BTreeSet::from([*start]));
    let exposing = states.iter().enumerate().filter(|(at, state)| reached.contains(at) && exposes_id(state));
    let informed: BTreeSet<usize> = exposing.flat_map(|(_, state)| next(state)).collect();
    let informed = reachable_from(states, informed);
    let mut seen = BTreeSet::new();
    for (at, state) in states.iter().enumerate() {
        if at == *start || !reached.contains(&at) || informed.contains(&at) || exposes_id_before_waiting(state) {
            continue;
        }
        for event in awaited(state) {
            let Some(token) = correlates(event).filter(|_| seen.insert(event.index)) else { continue };
            let name = shown(&event.name.value);
            let message = format!(
                "the event `{name}` can never reach an execution that an event started: the sender cannot know the id of the execution"
            );
            let mut diagnostic = Diagnostic::new(&WF1254, event.name.span, message)
                .related(token.span, format!("the correlation token of `{name}`"));
            if let Some(first) = starting.first() {
                let place = definition.events[first.index].name.span;
                diagnostic = diagnostic
                    .related(place, "an execution that this event starts uses its execution id as the correlation key, and never publishes the id");
            }
            let help = format!(
                "add `\"correlationToken\": \"{}\"` to the events that start the execution",
                shown(&token.value)
            );
            diagnostics.push(diagnostic.help(help));
        }
    }
}

/// Returns these states and all states that can follow them.
fn reachable_from(states: &[State], from: BTreeSet<usize>) -> BTreeSet<usize> {
    let mut open: Vec<usize> = from.iter().copied().collect();
    let mut all = from;
    while let Some(at) = open.pop() {
        open.extend(next(&states[at]).filter(|next| all.insert(*next)));
    }
    all
}

fn next(state: &State) -> impl Iterator<Item = usize> {
    state.transitions().map(|transition| transition.target.index)
}

/// Returns `true` if a state makes the execution id known: to a task, to an execution that it
/// starts, or to the receiver of an event.
fn exposes_id(state: &State) -> bool {
    let within = |flow: &Flow| flow.states.iter().any(exposes_id);
    let does = match &state.kind {
        StateKind::Event { entries, .. } => entries.iter().any(|entry| !entry.actions.list.is_empty()),
        StateKind::Operation { .. } | StateKind::Callback { .. } | StateKind::SubFlow { .. } => true,
        StateKind::DataSwitch { conditions, .. } => {
            conditions.iter().any(|condition| matches!(condition.operator, Operator::Custom(_)))
        }
        StateKind::EventSwitch { .. } | StateKind::Delay { .. } | StateKind::Inject { .. } => false,
        StateKind::Parallel { branches, .. } => branches.iter().any(|branch| within(&branch.flow)),
        StateKind::ForEach(each) => within(&each.flow),
    };
    does || state.transitions().any(|transition| transition.event.is_some())
        || matches!(&state.exit, Some(Exit::End(End::Event(_))))
}

/// Returns `true` if a state makes the execution id known before it waits. Branches and iterations
/// count, because their order is unknown.
fn exposes_id_before_waiting(state: &State) -> bool {
    !matches!(state.kind, StateKind::Event { .. } | StateKind::EventSwitch { .. }) && exposes_id(state)
}

/// Returns the events that a state, or a state inside it, awaits before doing anything else.
fn awaited(state: &State) -> Vec<&Reference> {
    match &state.kind {
        StateKind::Event { entries, .. } => entries.iter().flat_map(|entry| &entry.events).collect(),
        StateKind::EventSwitch { conditions, .. } => conditions.iter().map(|condition| &condition.event).collect(),
        StateKind::Parallel { branches, .. } => {
            branches.iter().flat_map(|branch| &branch.flow.states).flat_map(awaited).collect()
        }
        StateKind::ForEach(each) => each.flow.states.iter().flat_map(awaited).collect(),
        _ => Vec::new(),
    }
}
