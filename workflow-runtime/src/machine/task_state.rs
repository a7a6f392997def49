//! The part of an invocation that changes while its task runs.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64};
use std::task::Waker;

/// The part of an invocation that changes while its task runs. It belongs to the first context of
/// the invocation. A copy of the invocation has its own.
#[derive(Default)]
pub(crate) struct TaskState {
    /// The time of the last heartbeat, in microseconds.
    pub last_heartbeat: AtomicI64,
    /// The wakers to wake on cancellation.
    pub waiting: Mutex<WaitingWakers>,
}

/// A flag of a running task. A copy is not set, and flags do not distinguish commands.
#[derive(Debug, Default)]
pub(crate) struct TaskFlag(pub AtomicBool);

impl Clone for TaskFlag {
    fn clone(&self) -> TaskFlag {
        TaskFlag::default()
    }
}

impl PartialEq for TaskFlag {
    fn eq(&self, _: &TaskFlag) -> bool {
        true
    }
}

impl Clone for TaskState {
    fn clone(&self) -> TaskState {
        TaskState::default()
    }
}

/// Invocations are compared as commands: their tasks do not matter.
impl PartialEq for TaskState {
    fn eq(&self, _: &TaskState) -> bool {
        true
    }
}

impl fmt::Debug for TaskState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskState").finish_non_exhaustive()
    }
}

/// Wakers with the numbers of their waits.
#[derive(Default)]
pub(crate) struct Others(pub Vec<(u64, Waker)>);

/// The wakers to wake on cancellation.
#[derive(Default)]
pub(crate) struct WaitingWakers {
    /// The waker of the first poll, which nothing withdraws. Most tasks have no other.
    pub first: Option<Waker>,
    /// Other wakers with the number of their wait. Number 0 is a poll that nothing withdraws.
    pub others: Option<Box<Others>>,
}

impl WaitingWakers {
    /// Withdraws the waker of a wait.
    pub fn remove(&mut self, number: u64) -> Option<(u64, Waker)> {
        let others = &mut self.others.as_mut()?.0;
        let at = others.iter().position(|(other, _)| *other == number)?;
        Some(others.swap_remove(at))
    }

    /// Returns the wakers after the first.
    pub fn others(&self) -> impl Iterator<Item = &(u64, Waker)> {
        self.others.iter().flat_map(|others| &others.0)
    }
}
