//! The timers of an execution: a heap, of which only the earliest timer has a sleep.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::machine::Op;
use crate::time::Timestamp;

/// A timer and its purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Timer {
    pub at: Timestamp,
    pub op: Op,
    pub purpose: Purpose,
}

/// The purpose of a timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Purpose {
    /// The end of a wait.
    Sleep,
    /// The heartbeat time-out of a task, unless the task has reported that it is alive.
    Heartbeat,
    /// The time-out of a task.
    Timeout,
}

/// The timers of an execution. Timers of completed operations remain until they expire, or until
/// they outnumber the others.
#[derive(Debug, Default)]
pub(super) struct Timers(BinaryHeap<Reverse<Timer>>);

impl Timers {
    /// Adds a timer. `pending_count` is the number of pending operations, and `is_pending` tests
    /// one operation.
    pub fn add(&mut self, timer: Timer, pending_count: usize, is_pending: impl Fn(Op) -> bool) {
        // An operation has at most two timers.
        if self.0.len() > 2 * (2 * pending_count + 16) {
            self.0.retain(|Reverse(timer)| is_pending(timer.op));
        }
        if self.0.is_empty() {
            // Most executions wait for one operation most of the time.
            self.0.reserve_exact(1);
        }
        self.0.push(Reverse(timer));
    }

    /// Returns the earliest timer of a pending operation.
    pub fn earliest(&mut self, is_pending: impl Fn(Op) -> bool) -> Option<Timer> {
        while let Some(Reverse(timer)) = self.0.peek() {
            if is_pending(timer.op) {
                return Some(*timer);
            }
            self.0.pop();
        }
        None
    }

    /// Removes the earliest timer.
    pub fn pop(&mut self) {
        self.0.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::FrameId;

    fn timer(id: u64, at: i64) -> Timer {
        Timer { at: Timestamp::from_seconds(at), op: Op { id, frame: FrameId(0) }, purpose: Purpose::Timeout }
    }

    #[test]
    fn timers_of_what_is_over_do_not_pile_up() {
        let mut timers = Timers::default();
        for id in 1..=100_000 {
            timers.add(timer(id, 1_000_000 - id as i64), 1, |op| op.id == id);
            assert!(timers.0.len() < 100);
        }
        assert_eq!(timers.earliest(|op| op.id == 100_000), Some(timer(100_000, 900_000)));
    }
}
