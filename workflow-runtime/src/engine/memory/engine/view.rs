//! The part of an execution that others may see while its driver runs.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use crate::machine::{Execution, MapCounts, Outcome, Waiting};
use crate::time::Timestamp;

/// The view of an execution, which its journal updates whenever the execution rests.
#[derive(Default)]
pub(super) struct ExecutionView {
    /// The time-out of the execution.
    pub deadline: Option<Timestamp>,
    /// The outcome of an execution that has ended. Those who wait for it have the view, so that
    /// they get it even if the execution is removed at once.
    pub outcome: Option<Outcome>,
    /// The numbers of items of a run of a distributed Map that has ended.
    pub items: Option<MapCounts>,
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
    /// Updates the view from an execution that rests. Returns the wakers to call.
    pub fn update(&mut self, execution: &dyn Execution) -> Vec<Waker> {
        self.deadline = execution.info().deadline();
        if self.answered == self.requested {
            return Vec::new();
        }
        self.answered = self.requested;
        self.waiting = execution.describe();
        self.wake()
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

    /// Registers the waker for the next news. Returns the view.
    pub fn watch(&self, waker: &Waker) -> MutexGuard<'_, ExecutionView> {
        let replaced = lock(&self.view).watchers.insert(self.number, waker.clone());
        drop(replaced);
        lock(&self.view)
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
