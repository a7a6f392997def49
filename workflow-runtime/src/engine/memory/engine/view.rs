//! The part of an execution that others may see while its driver runs.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use crate::event::CloudEvent;
use crate::machine::{Execution, StartCondition, Waiting, WaitsFor};
use crate::time::Timestamp;

/// The view of an execution, which its journal updates whenever the execution rests.
#[derive(Default)]
pub(super) struct ExecutionView {
    /// The delivered events that the execution has not seen at its last rest, oldest first.
    pub unseen: VecDeque<Arc<CloudEvent>>,
    /// The number of events that it has seen since.
    pub seen: usize,
    /// The number of events that it has seen and keeps for a later state.
    pub kept: usize,
    /// The names of the event kinds that it waits for.
    pub awaited: Vec<&'static str>,
    /// The start condition, while the execution is in its start state or about to enter it.
    pub start: Option<StartCondition>,
    /// The time-out of the execution.
    pub deadline: Option<Timestamp>,
    /// The number of requested descriptions, and of answered ones.
    requested: u64,
    answered: u64,
    /// The last description.
    waiting: Vec<Waiting>,
    /// Those who wait for a description or for the end.
    watchers: BTreeMap<u64, Waker>,
    last_watcher: u64,
}

impl ExecutionView {
    /// Returns the view of an execution that has not begun.
    pub fn new(start: Option<StartCondition>) -> ExecutionView {
        ExecutionView { start, ..ExecutionView::default() }
    }

    /// Updates the view from an execution that rests. Returns the wakers to call.
    pub fn update(&mut self, execution: &dyn Execution) -> Vec<Waker> {
        self.deadline = execution.info().deadline();
        if !execution.info().definition().events.is_empty() {
            self.update_events(execution);
        }
        if self.answered == self.requested {
            return Vec::new();
        }
        self.answered = self.requested;
        self.waiting = execution.describe();
        self.wake()
    }

    fn update_events(&mut self, execution: &dyn Execution) {
        let seen = std::mem::take(&mut self.seen).min(self.unseen.len());
        self.unseen.drain(..seen);
        self.kept = execution.info().inbox_len();
        let receptions = execution.describe().into_iter().filter_map(|frame| match frame.waits_for {
            WaitsFor::Event(reception) => Some(reception),
            _ => None,
        });
        self.awaited = receptions.flat_map(|reception| reception.events.clone()).map(|kind| kind.name).collect();
        self.start = StartCondition::awaited_by(execution).map(|wait| wait.condition);
        if let Some(condition) = &mut self.start {
            self.unseen.iter().for_each(|event| condition.record(event));
        }
    }

    /// Requests a description. Returns its number.
    pub fn request(&mut self) -> u64 {
        self.requested += 1;
        self.requested
    }

    /// Returns the description of this number, if there is one.
    pub fn description(&self, number: u64) -> Option<&[Waiting]> {
        (self.answered >= number).then_some(&*self.waiting)
    }

    /// Takes the wakers of all watchers.
    pub fn wake(&mut self) -> Vec<Waker> {
        std::mem::take(&mut self.watchers).into_values().collect()
    }
}

/// A registration for news of a view, until it is dropped.
pub(super) struct Watcher {
    view: Arc<Mutex<ExecutionView>>,
    number: u64,
}

impl Watcher {
    /// Creates a watcher without a waker.
    pub fn of(view: Arc<Mutex<ExecutionView>>) -> Watcher {
        let number = {
            let mut view = lock(&view);
            view.last_watcher += 1;
            view.last_watcher
        };
        Watcher { view, number }
    }

    /// Registers the waker for the next news.
    pub fn watch(&self, waker: &Waker) {
        let replaced = lock(&self.view).watchers.insert(self.number, waker.clone());
        drop(replaced);
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let waker = lock(&self.view).watchers.remove(&self.number);
        drop(waker);
    }
}

/// Locks a mutex, also after a panic.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
