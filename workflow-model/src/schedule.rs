//! Schedules: the interval in which executions of a workflow can start.

use super::{Static, Storage};

/// An interval in which executions can start. Executions that are running at its end continue.
/// Child executions that start outside of it complete at once, with their input as output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule<S: Storage = Static> {
    /// The interval as authored, for messages.
    pub written: S::Text,
    /// The interval.
    pub active: Active,
}

/// An interval of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Active {
    /// From one time to another, excluding the latter, in microseconds since 1970-01-01T00:00:00Z.
    Between {
        /// The start of the interval.
        from: i64,
        /// The end of the interval.
        until: i64,
    },
    /// A duration in microseconds, counted from the deployment.
    AfterDeployment(u64),
}

impl Schedule {
    /// Creates an interval between two points in time, in microseconds since 1970-01-01T00:00:00Z.
    pub const fn between(written: &'static str, from: i64, until: i64) -> Schedule {
        Schedule { written, active: Active::Between { from, until } }
    }

    /// Creates an interval that begins with the deployment and lasts this many microseconds.
    pub const fn after_deployment(written: &'static str, micros: u64) -> Schedule {
        Schedule { written, active: Active::AfterDeployment(micros) }
    }

    /// Returns `true` if the interval depends on the time of the deployment.
    pub fn needs_deployment(&self) -> bool {
        matches!(self.active, Active::AfterDeployment(_))
    }
}
