//! By what events are told to be for an execution (ruling R14): what can never be such is a warning.

use super::ast::{Definition, End, Exit, Flow, Operator, Reference, State, StateKind};
use crate::diagnostics::codes::serverless_workflow::W1204;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::options::Options;
use crate::syntax::shown;
use std::collections::BTreeSet;

/// Attributes whose values are no author's to choose (CloudEvents 1.0, "Context Attributes").
const OWN: [&str; 7] = ["id", "source", "type", "specversion", "time", "datacontenttype", "dataschema"];

/// What an event carries, which is no attribute ("Event Definition").
const DATA: [&str; 2] = ["data", "data_base64"];

/// The attributes that events of a definition correlate by, each once.
pub fn attributes(definition: &Definition) -> Vec<String> {
    let mut attributes: Vec<String> = Vec::new();
    for name in definition.events.iter().filter_map(|event| event.correlation.as_ref()) {
        if !attributes.contains(&name.value) {
            attributes.push(name.value.clone());
        }
    }
    attributes
}

/// The attribute of a produced event that has the correlation value, where it can have one. CloudEvents have names in lower case only.
pub fn carried(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    (is_attribute(&name) && !OWN.contains(&&*name)).then_some(name)
}

/// Whether it can be the name of an attribute, but for its case (CloudEvents 1.0, "Naming Conventions").
fn is_attribute(name: &str) -> bool {
    !DATA.contains(&name) && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Warns of events that can be for no execution.
pub fn check(definition: &Definition, options: &Options, diagnostics: &mut Diagnostics) {
    for name in definition.events.iter().filter_map(|event| event.correlation.as_ref()) {
        let (message, help) = match &*name.value {
            word if DATA.contains(&word) => (
                format!("nothing correlates by `{word}`: it is what an event carries, and no attribute"),
                "name an attribute of the event's context: `\"correlationToken\": \"orderid\"`",
            ),
            word if !is_attribute(word) => (
                format!("nothing correlates by `{}`: no event has an attribute of such a name", shown(word)),
                "attributes of CloudEvents are named by the letters a to z and by digits: `\"correlationToken\": \"orderid\"`",
            ),
            _ => continue,
        };
        diagnostics.push(Diagnostic::new(&W1204, name.span, message).help(help));
    }
    if options.correlate.is_empty() {
        check_unknown_value(definition, diagnostics);
    }
}

/// Where events start executions that do not say for whom they are, the value is the id. An event must have it then whose sender
/// was told it: by a task, or by an event that the execution has produced. Warns where nobody was.
fn check_unknown_value(definition: &Definition, diagnostics: &mut Diagnostics) {
    let Flow { states, start, .. } = &definition.flow;
    let StateKind::Event { entries, .. } = &states[*start].kind else { return };
    let starting: Vec<&Reference> = entries.iter().flat_map(|entry| &entry.events).collect();
    let correlates = |event: &Reference| definition.events[event.index].correlation.as_ref();
    if starting.iter().any(|event| correlates(event).is_some()) {
        return;
    }
    let reached = after(states, BTreeSet::from([*start]));
    let telling = states.iter().enumerate().filter(|(at, state)| reached.contains(at) && tells(state));
    let told: BTreeSet<usize> = telling.flat_map(|(_, state)| next(state)).collect();
    let told = after(states, told);
    let mut seen = BTreeSet::new();
    for (at, state) in states.iter().enumerate() {
        if at == *start || !reached.contains(&at) || told.contains(&at) || tells_first(state) {
            continue;
        }
        for event in awaited(state) {
            let Some(token) = correlates(event).filter(|_| seen.insert(event.index)) else { continue };
            let name = shown(&event.name.value);
            let message = format!(
                "no event `{name}` can be for an execution that an event starts: who sends it would have to know the id"
            );
            let mut found =
                Diagnostic::new(&W1204, event.name.span, message).related(token.span, "it correlates by this");
            if let Some(first) = starting.first() {
                let place = definition.events[first.index].name.span;
                found = found
                    .related(place, "an execution that this one starts has its id as the value, and nobody is told it");
            }
            let help = format!("add `\"correlationToken\": \"{}\"` to the events that start it", shown(&token.value));
            diagnostics.push(found.help(help));
        }
    }
}

/// These states, and all that they can lead to.
fn after(states: &[State], from: BTreeSet<usize>) -> BTreeSet<usize> {
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

/// Whether somebody can be told the id of the execution in a state: a task, an execution that it starts, or who gets an event.
fn tells(state: &State) -> bool {
    let within = |flow: &Flow| flow.states.iter().any(tells);
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

/// Whether somebody can be told before a state waits. Of branches and iterations it is not known what comes first.
fn tells_first(state: &State) -> bool {
    !matches!(state.kind, StateKind::Event { .. } | StateKind::EventSwitch { .. }) && tells(state)
}

/// The events that a state waits for, where it does nothing else, and those of states inside of it.
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
