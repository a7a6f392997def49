//! The state of a running execution on which the hub decides about events. The driver of the
//! execution updates it.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::machine::{Execution, INBOX_CAPACITY, StartCondition, WaitsFor};
use crate::time::Timestamp;

/// The progress of an execution: its last visit to its start state, and its inbox.
#[derive(Default)]
pub(in crate::engine) struct SubscriberState {
    /// `true` if the execution has left the start state.
    has_left: AtomicBool,
    /// The number of the state entry with which the last visit of the start state began. 0 if
    /// unknown.
    visit: AtomicU64,
    /// The renewed start condition after a re-entry of the start state, until the hub reads it.
    reentered: Mutex<Option<StartCondition>>,
    /// The end of the wait in the start state, in microseconds. 0 if unknown.
    until: AtomicI64,
    /// The number of events that the execution keeps for later states.
    kept: AtomicUsize,
    /// The names of the events that it waits for, while the kept events fill the inbox.
    awaited: Mutex<Vec<&'static str>>,
}

impl SubscriberState {
    /// Creates the progress of an execution that has not begun.
    pub fn new() -> Arc<SubscriberState> {
        Arc::default()
    }

    /// Updates the progress of an execution that waits.
    pub fn update(&self, execution: &dyn Execution) {
        self.update_inbox(execution);
        if self.kept() >= INBOX_CAPACITY {
            let awaited = execution.describe().into_iter().flat_map(|frame| match frame.waits_for {
                WaitsFor::Event(reception) => reception.events.iter().map(|kind| kind.name).collect(),
                _ => Vec::new(),
            });
            *lock(&self.awaited) = awaited.collect();
        }
        if execution.info().definition().starts_on.is_some() {
            self.update_visit(execution);
        }
    }

    /// Updates the number of kept events.
    pub fn update_inbox(&self, execution: &dyn Execution) {
        self.kept.store(execution.info().inbox_len(), Ordering::Relaxed);
    }

    fn update_visit(&self, execution: &dyn Execution) {
        let Some(wait) = StartCondition::awaited_by(execution) else {
            return self.has_left.store(true, Ordering::Relaxed);
        };
        let until = wait.condition.until().map_or(i64::MAX, Timestamp::as_micros);
        self.until.store(until, Ordering::Relaxed);
        // The execution may have passed through other states in one turn.
        let before = self.visit.swap(wait.visit, Ordering::Relaxed);
        let has_left = self.has_left.swap(false, Ordering::Relaxed);
        if has_left || before != 0 && before != wait.visit {
            *lock(&self.reentered) = Some(wait.condition);
        }
    }

    /// Takes the start condition of a new visit of the start state.
    pub fn take_reentered(&self) -> Option<StartCondition> {
        lock(&self.reentered).take()
    }

    /// Returns `true` if the execution has left its start state.
    pub fn has_left_start_state(&self) -> bool {
        self.has_left.load(Ordering::Relaxed)
    }

    /// Returns the end of the wait in the start state.
    pub fn until(&self) -> Timestamp {
        Timestamp::from_micros(match self.visit.load(Ordering::Relaxed) {
            0 => i64::MAX,
            _ => self.until.load(Ordering::Relaxed),
        })
    }

    /// Returns the number of kept events.
    pub fn kept(&self) -> usize {
        self.kept.load(Ordering::Relaxed)
    }

    /// Returns `true` if the execution, whose kept events fill the inbox, waits for one of these
    /// kinds.
    pub fn awaits(&self, kinds: &[&str]) -> bool {
        lock(&self.awaited).iter().any(|kind| kinds.contains(kind))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
