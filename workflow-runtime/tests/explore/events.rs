//! The consumption of events by scripts, and an independent statement of who has to receive one.

use workflow_runtime::coordination::RoutedEvent;

use crate::model::{KEYS, Model};
use crate::programs::{A, B, Mode, Receive, script};
use crate::world::{Execution, World};

/// Returns the kinds that a wait still misses.
pub fn missing(receive: &Receive, collected: &[u8], events: &[RoutedEvent]) -> Vec<u32> {
    match receive.mode {
        Mode::One if collected.is_empty() => receive.kinds.to_vec(),
        Mode::One => Vec::new(),
        Mode::Sequence => receive.kinds[collected.len()..].to_vec(),
        Mode::All => {
            let has = |kind: u32| collected.iter().any(|event| kind_of(&events[usize::from(*event)]) == Some(kind));
            receive.kinds.iter().copied().filter(|kind| !has(*kind)).collect()
        }
    }
}

/// Returns the kind of an event, which is the same in all scripts.
pub fn kind_of(event: &RoutedEvent) -> Option<u32> {
    match &*event.event.kind {
        "a" => Some(A),
        "b" => Some(B),
        _ => None,
    }
}

/// Returns `true` if an execution with these collected events consumes an event now.
pub fn consumes(model: &Model, execution: &Execution, collected: &[u8], event: u8) -> bool {
    let event_of = &model.events[usize::from(event)];
    let Some((receive, kind)) = execution.receive().zip(kind_of(event_of)) else { return false };
    let missing = missing(&receive, collected, &model.events);
    let is_next = match receive.mode {
        Mode::Sequence => missing.first() == Some(&kind),
        Mode::One | Mode::All => missing.contains(&kind),
    };
    is_next && is_for(model, execution, event)
}

/// Returns `true` if the correlation key of an execution is that of an event, or none matters.
pub fn is_for(model: &Model, execution: &Execution, event: u8) -> bool {
    match kind_of(&model.events[usize::from(event)]) {
        Some(B) => {
            let (_, key) = model.configuration.events[usize::from(event)];
            KEYS[usize::from(key)] == KEYS[usize::from(execution.key)]
        }
        kind => kind.is_some(),
    }
}

/// Returns `true` if an execution in its start state is to accept a start event: it will still
/// miss the event when it has seen its inbox.
fn accepts(model: &Model, world: &World, execution: &Execution, event: u8) -> bool {
    let Some(receive) = execution.receive().filter(|_| execution.is_in_start_state()) else { return false };
    if receive.has_timeout && world.is_late && execution.status == workflow_runtime::coordination::Status::Running {
        return false;
    }
    let mut collected = execution.collected.clone();
    let mut early = Vec::new();
    for arrived in execution.kept.iter().copied().chain(execution.inbox.iter().map(|(_, event)| *event)) {
        early.push(arrived);
        while let Some(at) = early.iter().position(|one| consumes(model, execution, &collected, *one)) {
            collected.push(early.remove(at));
        }
    }
    let missing = missing(&receive, &collected, &model.events);
    let kind = kind_of(&model.events[usize::from(event)]);
    let wants = match receive.mode {
        // It collects all events of its kinds until it is complete.
        Mode::All => !missing.is_empty() && kind.is_some_and(|kind| receive.kinds.contains(&kind)),
        // Events that arrive early for a sequence count, one for each kind.
        Mode::Sequence => {
            let mut open = missing;
            for one in early {
                let kind = kind_of(&model.events[usize::from(one)]);
                if let Some(at) = open.iter().position(|open| Some(*open) == kind) {
                    open.remove(at);
                }
            }
            kind.is_some_and(|kind| open.contains(&kind))
        }
        Mode::One => kind.is_some_and(|kind| missing.contains(&kind)),
    };
    wants && is_for(model, execution, event)
}

/// Who has to have an event that is published in this state, for one script.
pub struct Due {
    pub script: u8,
    /// Those that accept it in their start states.
    pub accepting: Vec<u8>,
    /// Others that receive it.
    pub others: Vec<u8>,
    pub starts: bool,
}

/// States who has to have an event, without the core.
pub fn due(model: &Model, world: &World, event: u8, number: u8) -> Due {
    let definition = script(number).definition;
    let kind = kind_of(&model.events[usize::from(event)]);
    let rule = definition.starts_on.filter(|rule| kind.is_some_and(|kind| rule.events.contains(&kind)));
    let is_duplicate = world.start_events.get(&number).is_some_and(|events| events.has(event));
    let mut due = Due { script: number, accepting: Vec::new(), others: Vec::new(), starts: false };
    for one in world.numbers() {
        let execution = world.get(one);
        let is_subscriber = execution.script == number && execution.status.receives_events();
        if !is_subscriber || !is_for(model, execution, event) {
            continue;
        }
        match rule {
            // A duplicate is not taken by another execution either.
            Some(_) if accepts(model, world, execution, event) => due.accepting.extend((!is_duplicate).then_some(one)),
            Some(rule) if kind.is_some_and(|kind| !rule.also_awaited_later.contains(&kind)) => {}
            _ => due.others.push(one),
        }
    }
    due.accepting.retain(|one| !world.get(*one).delivered.has(event));
    due.starts = rule.is_some() && !is_duplicate && due.accepting.is_empty();
    due
}
