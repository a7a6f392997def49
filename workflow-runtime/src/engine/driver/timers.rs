//! Timers of an execution: one heap, of which only the earliest is slept for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::machine::Op;
use crate::time::Timestamp;

/// A timer, and what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Timer {
    pub at: Timestamp,
    pub op: Op,
    pub purpose: Purpose,
}

/// What a timer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Purpose {
    /// The wait that the operation is.
    Sleep,
    /// The task has been silent for too long, unless it has given a sign of life since.
    Heartbeat,
    /// The task takes too long.
    Timeout,
}

/// The timers. Those of operations that are over stay until they come up, or until they are more than the others.
#[derive(Debug, Default)]
pub(super) struct Timers(BinaryHeap<Reverse<Timer>>);

impl Timers {
    /// Adds a timer. `live` is how many operations are waited for, and `current` tells whether one is.
    pub fn add(&mut self, timer: Timer, live: usize, current: impl Fn(Op) -> bool) {
        // No operation has more than two timers.
        if self.0.len() > 2 * (2 * live + 16) {
            self.0.retain(|Reverse(timer)| current(timer.op));
        }
        if self.0.is_empty() {
            // Most executions wait for one thing for most of their time.
            self.0.reserve_exact(1);
        }
        self.0.push(Reverse(timer));
    }

    /// The earliest timer of an operation that is still waited for.
    pub fn earliest(&mut self, current: impl Fn(Op) -> bool) -> Option<Timer> {
        while let Some(Reverse(timer)) = self.0.peek() {
            if current(timer.op) {
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
