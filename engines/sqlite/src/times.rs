//! Timers of unloaded executions.

use std::collections::{BTreeSet, HashMap};

use workflow_runtime::Timestamp;

/// Timers, one for each execution.
#[derive(Default)]
pub struct Times {
    by_time: BTreeSet<(Timestamp, i64)>,
    of: HashMap<i64, Timestamp>,
}

impl Times {
    /// Sets the timer of an execution. It replaces an earlier one.
    pub fn set(&mut self, execution: i64, time: Timestamp) {
        self.forget(execution);
        self.of.insert(execution, time);
        self.by_time.insert((time, execution));
    }

    /// Sets the timer of an execution unless an earlier time is set.
    pub fn set_earlier(&mut self, execution: i64, time: Timestamp) {
        if self.of.get(&execution).is_none_or(|before| *before > time) {
            self.set(execution, time);
        }
    }

    /// Removes the timer of an execution.
    pub fn forget(&mut self, execution: i64) {
        if let Some(time) = self.of.remove(&execution) {
            self.by_time.remove(&(time, execution));
        }
    }

    /// Returns the next time.
    pub fn next(&self) -> Option<Timestamp> {
        self.by_time.first().map(|(time, _)| *time)
    }

    /// Removes and returns an execution whose time has come.
    pub fn take_due(&mut self, now: Timestamp) -> Option<i64> {
        let (time, execution) = self.by_time.first().copied()?;
        if time > now {
            return None;
        }
        self.forget(execution);
        Some(execution)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_execution_has_one_time() {
        let at = Timestamp::from_seconds;
        let mut times = Times::default();
        (0..100).for_each(|second| times.set(1, at(1_000 + second)));
        times.set(2, at(1_050));
        assert_eq!((times.by_time.len(), times.next()), (2, Some(at(1_050))));
        assert_eq!(times.take_due(at(1_049)), None);
        assert_eq!((times.take_due(at(2_000)), times.take_due(at(2_000))), (Some(2), Some(1)));
        times.set(3, at(1));
        times.forget(3);
        assert_eq!((times.next(), times.of.len()), (None, 0));
    }
}
