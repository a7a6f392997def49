//! The state of a running execution on which the delivery of events depends. The driver of the
//! execution updates it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::event::CloudEvent;
use crate::machine::{Execution, INBOX_CAPACITY, StartCondition, WaitsFor};

/// The inbox of an execution, and its start condition.
#[derive(Default)]
pub(in crate::engine) struct SubscriberState(Mutex<InboxState>);

#[derive(Default)]
struct InboxState {
    /// The delivered events that the execution has not seen at its last rest, oldest first.
    unseen: VecDeque<Arc<CloudEvent>>,
    /// The number of events that it has seen since.
    seen: usize,
    /// The number of events that it has seen and keeps for a later state.
    kept: usize,
    /// The names of the event kinds that it waits for, while the kept events fill the inbox.
    awaited: Vec<&'static str>,
    /// The start condition, while the execution is in its start state or about to enter it.
    start: Option<StartCondition>,
}

impl SubscriberState {
    /// Creates the state of an execution that has not begun.
    pub fn new(start: Option<StartCondition>) -> Arc<SubscriberState> {
        Arc::new(SubscriberState(Mutex::new(InboxState { start, ..InboxState::default() })))
    }

    /// Updates the state from an execution that waits.
    pub fn update(&self, execution: &dyn Execution) {
        let mut inbox = self.lock();
        let seen = std::mem::take(&mut inbox.seen).min(inbox.unseen.len());
        inbox.unseen.drain(..seen);
        inbox.kept = execution.info().inbox_len();
        if inbox.kept >= INBOX_CAPACITY {
            let awaited = execution.describe().into_iter().flat_map(|frame| match frame.waits_for {
                WaitsFor::Event(reception) => reception.events.iter().map(|kind| kind.name).collect(),
                _ => Vec::new(),
            });
            inbox.awaited = awaited.collect();
        }
        if execution.info().definition().starts_on.is_some() {
            let mut start = StartCondition::awaited_by(execution).map(|wait| wait.condition);
            if let Some(condition) = &mut start {
                // The time-out of the execution ends the wait, too.
                let ends = [condition.until(), execution.info().deadline()];
                condition.set_until(ends.into_iter().flatten().min());
                inbox.unseen.iter().for_each(|event| condition.record(event));
            }
            inbox.start = start;
        }
    }

    /// Records that the execution has seen an event.
    pub fn update_inbox(&self, execution: &dyn Execution) {
        let mut inbox = self.lock();
        inbox.seen += 1;
        inbox.kept = execution.info().inbox_len();
    }

    /// Records that the execution has ended: it is in its start state no more.
    pub fn close(&self) {
        self.lock().start = None;
    }

    /// Records an event that is delivered to the execution.
    pub fn deliver(&self, event: &Arc<CloudEvent>) {
        let mut inbox = self.lock();
        inbox.unseen.push_back(event.clone());
        if let Some(condition) = &mut inbox.start {
            condition.record(event);
        }
    }

    /// Returns the start condition, with the unseen events recorded, of an execution in its start
    /// state.
    pub fn start_condition(&self) -> Option<StartCondition> {
        self.lock().start.clone()
    }

    /// Returns `true` if the execution is in its start state or about to enter it.
    pub fn is_in_start_state(&self) -> bool {
        self.lock().start.is_some()
    }

    /// Returns the number of events that the execution has not seen.
    pub fn unseen(&self) -> usize {
        let inbox = self.lock();
        inbox.unseen.len().saturating_sub(inbox.seen)
    }

    /// Returns the number of kept events.
    pub fn kept(&self) -> usize {
        self.lock().kept
    }

    /// Returns `true` if the execution, whose kept events fill the inbox, waits for one of these
    /// kinds.
    pub fn awaits(&self, kinds: &[&str]) -> bool {
        self.lock().awaited.iter().any(|kind| kinds.contains(kind))
    }

    fn lock(&self) -> MutexGuard<'_, InboxState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Definition, EventInfo, StartsOn};

    #[test]
    fn an_execution_that_has_ended_is_not_in_its_start_state() {
        static DEFINITION: Definition = Definition {
            events: &[EventInfo::new("paid").kind("order.paid")],
            starts_on: Some(StartsOn::new("Wait", &[0])),
            ..Definition::VERSION_0_1_0
        };
        let state = SubscriberState::new(StartCondition::new(&DEFINITION, "17".into()));
        assert!(state.is_in_start_state());
        state.close();
        assert!(!state.is_in_start_state() && state.start_condition().is_none());
    }
}
