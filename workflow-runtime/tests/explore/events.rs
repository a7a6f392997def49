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

/// Returns `true` if the inbox of an execution has no capacity for an event. An event that is
/// awaited now may exceed the capacity if it is the only one that the execution has not seen.
fn is_full(model: &Model, execution: &Execution, event: u8) -> bool {
    let (capacity, overflow) = model.configuration.limits;
    let (unseen, kept) = (execution.inbox.len(), execution.kept.len());
    let is_awaited = execution
        .receive()
        .zip(kind_of(&model.events[usize::from(event)]))
        .is_some_and(|(receive, kind)| missing(&receive, &execution.collected, &model.events).contains(&kind));
    unseen + kept >= capacity && !(unseen == 0 && is_awaited && kept < capacity + overflow)
}

/// The answer to a client that sends an event to one execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Delivered,
    Duplicate,
    NotNow,
    Unwanted,
    Full,
}

/// States how the sending of an event is answered, without the core. The kinds of
/// events are the same in all scripts.
pub fn answer(model: &Model, execution: &Execution, event: u8) -> Answer {
    match () {
        () if execution.delivered.has(event) => Answer::Duplicate,
        () if !execution.status.receives_events() => Answer::NotNow,
        () if !is_for(model, execution, event) => Answer::Unwanted,
        () if is_full(model, execution, event) => Answer::Full,
        () => Answer::Delivered,
    }
}

/// Who has to have an event that is published in this state, for one script.
pub struct Due {
    pub script: u8,
    /// Those that accept it in their start states.
    pub accepting: Vec<u8>,
    /// Others that receive it.
    pub others: Vec<u8>,
    /// Those that decline it because their inboxes are full.
    pub full: Vec<u8>,
    /// Set if one of them would accept it in its start state: then none accepts it.
    pub is_declined: bool,
    pub starts: bool,
}

/// States who has to have an event, without the core.
pub fn due(model: &Model, world: &World, event: u8, number: u8, may_start: bool) -> Due {
    let definition = script(number).definition;
    let kind = kind_of(&model.events[usize::from(event)]);
    let rule = definition.starts_on.filter(|rule| kind.is_some_and(|kind| rule.events.contains(&kind)));
    let is_duplicate = world.has_start_event(number, event);
    let mut due = Due {
        script: number,
        accepting: Vec::new(),
        others: Vec::new(),
        full: Vec::new(),
        is_declined: false,
        starts: false,
    };
    for one in world.numbers() {
        let execution = world.get(one);
        let is_subscriber = execution.script == number && execution.status.receives_events();
        if !is_subscriber || execution.delivered.has(event) || !is_for(model, execution, event) {
            continue;
        }
        let accepts = rule.is_some() && accepts(model, world, execution, event);
        let is_awaited = rule.zip(kind).is_none_or(|(rule, kind)| rule.also_awaited_later.contains(&kind));
        match is_full(model, execution, event) {
            // A duplicate is not taken by another execution either.
            _ if accepts && is_duplicate || !accepts && !is_awaited => {}
            true => {
                due.full.push(one);
                due.is_declined |= accepts;
            }
            false if accepts => due.accepting.push(one),
            false => due.others.push(one),
        }
    }
    if due.is_declined {
        due.accepting.clear();
    }
    due.starts = may_start && rule.is_some() && !is_duplicate && due.accepting.is_empty() && !due.is_declined;
    due
}
