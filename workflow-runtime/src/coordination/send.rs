//! The delivery of events that are addressed to one execution.

use std::collections::BTreeSet;

use super::capacity::has_capacity;
use super::lifecycle::Status;
use super::publish::{kinds_for, record};
use super::route::RoutedEvent;
use super::store::{Recipient, Store};

/// The execution that events are addressed to.
#[derive(Debug, Clone, Copy)]
pub struct Addressee<'a, Execution> {
    /// Its identity.
    pub execution: Execution,
    /// The name of its workflow.
    pub workflow: &'a str,
    /// Its status.
    pub status: Status,
}

/// The result of sending events.
#[derive(Debug, Clone, Copy)]
pub enum Sent<'a> {
    /// The execution has all events. So many are new; the others were duplicates.
    Delivered(usize),
    /// The status of the execution does not allow it to receive events.
    NotNow(Status),
    /// The definition does not wait for this event, or not with the correlation key of the
    /// execution.
    Unwanted(&'a RoutedEvent),
    /// The inbox has no capacity for the new events.
    Full,
}

/// Delivers events to an execution, all or none.
///
/// The rules:
/// * Duplicates are skipped, also those among the events. If all are duplicates, they count as
///   delivered, whatever the status.
/// * Executions that are queued, running or parked receive events.
/// * Each event must be for the execution: its definition waits for such events, and the
///   correlation keys are equal.
/// * A single event that the execution waits for may exceed the capacity of the inbox; several
///   events may not.
///
/// # Errors
/// The store cannot read or write a record.
pub fn send<'a, S: Store>(
    store: &mut S,
    to: Addressee<'_, S::Execution>,
    events: &'a [RoutedEvent],
) -> Result<Sent<'a>, S::Error> {
    let Addressee { execution, workflow, status } = to;
    let (mut new, mut names) = (Vec::new(), BTreeSet::new());
    for one in events {
        let is_new = names.insert((&*one.event.source, &*one.event.id));
        if is_new && !store.was_delivered(Recipient::Execution(execution), &one.event)? {
            new.push(one);
        }
    }
    if new.is_empty() {
        return Ok(Sent::Delivered(0));
    }
    if !status.receives_events() {
        return Ok(Sent::NotNow(status));
    }
    let mut kinds = Vec::new();
    for one in &new {
        kinds = kinds_for(store, execution, one.kinds(workflow))?;
        if kinds.is_empty() {
            return Ok(Sent::Unwanted(one));
        }
    }
    if !has_capacity(store, execution, new.len(), &kinds)? {
        return Ok(Sent::Full);
    }
    for one in &new {
        record(store, one, execution)?;
    }
    Ok(Sent::Delivered(new.len()))
}
