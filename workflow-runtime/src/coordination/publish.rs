//! The delivery of an event to its subscribers.

use super::capacity::has_capacity;
use super::route::{RoutedEvent, RoutedKind};
use super::store::{Recipient, Started, Store};
use crate::machine::TriggerMatch;
use crate::time::Timestamp;

/// The executions that an event has reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Published<Execution> {
    /// The number of executions that have the event, also from an earlier delivery, except those
    /// that it has started now.
    pub executions: usize,
    /// The number of executions that it has started.
    pub started: usize,
    /// The number of executions that declined it because their inboxes are full.
    pub full: usize,
    /// The first of those.
    pub first_full: Option<Execution>,
    /// The number of executions that have accepted it now in their start states.
    pub accepted: usize,
    /// The first execution that would accept it in its start state and has a full inbox. It is
    /// not decided then who takes the event: it is to be published again.
    pub undecided: Option<Execution>,
}

impl<Execution> Default for Published<Execution> {
    fn default() -> Published<Execution> {
        Published { executions: 0, started: 0, full: 0, first_full: None, accepted: 0, undecided: None }
    }
}

/// Delivers an event to all subscribers whose definitions wait for it, now or later.
///
/// If it `may_start` executions, one starts of each workflow that the event starts, unless an
/// execution of it accepts the event in its start state: see [`publish_to`]. Events from outside
/// may start executions; those that executions publish may not.
///
/// # Errors
/// The store cannot read or write a record.
pub fn publish<S: Store>(
    store: &mut S,
    event: &RoutedEvent,
    may_start: bool,
    now: Timestamp,
) -> Result<Published<S::Execution>, S::Error> {
    let mut published = Published::default();
    for workflow in event.workflows.keys() {
        publish_to(store, event, workflow, may_start, now, &mut published)?;
    }
    Ok(published)
}

/// Delivers an event to the subscribers of one workflow, and adds them to `published`.
///
/// The rules:
/// * No execution receives an event twice within the deduplication window, whoever sends it.
/// * A subscriber with a full inbox declines the event. The others receive it.
/// * If the event is a start event of this workflow, executions in their start state whose start
///   condition accepts it *take* it, and then it starts nothing. If none takes it and it
///   `may_start` one, it starts one execution. In either case the event is recorded for the
///   workflow, and a duplicate is neither taken nor starts anything, whoever publishes it.
/// * If one of those that would take the event has a full inbox, none takes it, nothing starts and
///   nothing is recorded for the workflow: the event is decided about when it is published again.
///   An engine whose stores decide apart, as on Restate, applies this to each store.
/// * An execution that does not take a start event receives it nevertheless if another state of
///   its workflow waits for such events, and not otherwise.
///
/// # Errors
/// The store cannot read or write a record.
pub fn publish_to<S: Store>(
    store: &mut S,
    event: &RoutedEvent,
    workflow: &str,
    may_start: bool,
    now: Timestamp,
    published: &mut Published<S::Execution>,
) -> Result<(), S::Error> {
    let kinds = event.kinds(workflow);
    match event.starts.get(workflow) {
        Some(trigger) => publish_start_event(store, event, kinds, trigger, may_start, now, published),
        None => {
            for execution in store.subscribers(workflow, kinds)? {
                match offer(store, event, kinds, execution)? {
                    Offer::NotForIt => {}
                    Offer::HasIt => published.executions += 1,
                    Offer::IsFull => published.decline(execution),
                    Offer::Fits => published.deliver(store, event, execution)?,
                }
            }
            Ok(())
        }
    }
}

fn publish_start_event<S: Store>(
    store: &mut S,
    event: &RoutedEvent,
    kinds: &[RoutedKind],
    trigger: &TriggerMatch,
    may_start: bool,
    now: Timestamp,
    published: &mut Published<S::Execution>,
) -> Result<(), S::Error> {
    let workflow = trigger.definition().name;
    let is_duplicate = store.was_delivered(Recipient::Workflow(workflow), &event.event)?;
    let in_start_state = store.in_start_state(trigger, &event.event)?;
    let subscribers = match trigger.is_awaited_later() {
        true => store.subscribers(workflow, kinds)?,
        false => in_start_state.clone(),
    };
    // All are asked before one receives the event, because those that take it take it together.
    let (mut has_it, mut taking, mut others, mut undecided) = (false, Vec::new(), Vec::new(), None);
    for execution in subscribers {
        let offer = offer(store, event, kinds, execution)?;
        if offer == Offer::HasIt {
            published.executions += 1;
            has_it = true;
        }
        if !matches!(offer, Offer::Fits | Offer::IsFull) {
            continue;
        }
        let accepts = in_start_state.binary_search(&execution).is_ok()
            && store.start_condition(execution, trigger)?.is_some_and(|condition| condition.accepts(&event.event, now));
        if accepts && is_duplicate {
            // Another execution has taken the event or was started by it.
            continue;
        }
        match offer {
            Offer::IsFull if accepts || trigger.is_awaited_later() => {
                published.decline(execution);
                undecided = undecided.or(accepts.then_some(execution));
            }
            _ if accepts => taking.push(execution),
            Offer::Fits if trigger.is_awaited_later() => others.push(execution),
            _ => {}
        }
    }
    for execution in others {
        published.deliver(store, event, execution)?;
    }
    if is_duplicate {
        // The execution that took the event or was started by it may have ended.
        published.executions += usize::from(!has_it);
        return Ok(());
    }
    if undecided.is_some() {
        published.undecided = published.undecided.or(undecided);
        return Ok(());
    }
    published.accepted += taking.len();
    if taking.is_empty() {
        if !may_start {
            return Ok(());
        }
        match store.start(trigger, &event.event)? {
            Started::New(execution) => {
                record(store, event, execution)?;
                published.started += 1;
            }
            Started::Exists => {}
            Started::Declined => return Ok(()),
        }
    }
    for execution in taking {
        published.deliver(store, event, execution)?;
    }
    store.mark_delivered(Recipient::Workflow(workflow), &event.event)
}

/// The answer of an execution to the offer of an event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Offer {
    NotForIt,
    HasIt,
    IsFull,
    Fits,
}

fn offer<S: Store>(
    store: &mut S,
    event: &RoutedEvent,
    kinds: &[RoutedKind],
    execution: S::Execution,
) -> Result<Offer, S::Error> {
    let names = kinds_for(store, execution, kinds)?;
    Ok(if names.is_empty() {
        Offer::NotForIt
    } else if store.was_delivered(Recipient::Execution(execution), &event.event)? {
        Offer::HasIt
    } else if has_capacity(store, execution, 1, &names)? {
        Offer::Fits
    } else {
        Offer::IsFull
    })
}

/// Returns the names of the kinds whose events are for an execution.
pub(super) fn kinds_for<S: Store>(
    store: &mut S,
    execution: S::Execution,
    kinds: &[RoutedKind],
) -> Result<Vec<&'static str>, S::Error> {
    if kinds.iter().all(|kind| kind.correlation.is_none()) {
        return Ok(kinds.iter().map(|kind| kind.name).collect());
    }
    let own = store.correlation(execution)?;
    let for_it = kinds.iter().filter(|kind| kind.correlation.as_deref().is_none_or(|value| *value == *own));
    Ok(for_it.map(|kind| kind.name).collect())
}

/// Puts an event into an inbox and records that.
pub(super) fn record<S: Store>(store: &mut S, event: &RoutedEvent, execution: S::Execution) -> Result<(), S::Error> {
    store.mark_delivered(Recipient::Execution(execution), &event.event)?;
    store.deliver(execution, &event.event)
}

impl<Execution: Copy> Published<Execution> {
    fn deliver<S>(&mut self, store: &mut S, event: &RoutedEvent, execution: Execution) -> Result<(), S::Error>
    where
        S: Store<Execution = Execution>,
    {
        record(store, event, execution)?;
        self.executions += 1;
        Ok(())
    }

    fn decline(&mut self, execution: Execution) {
        self.full += 1;
        self.first_full = self.first_full.or(Some(execution));
    }
}
