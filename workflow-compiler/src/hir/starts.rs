//! What starts an execution, and when one can be started.

use super::EventId;
use crate::source::Span;

/// Events that start an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartsOn {
    /// Their kinds, each of which does.
    pub events: Vec<EventId>,
    /// All kinds that the first state waits for one after the other; none if the first event that comes is enough.
    pub in_a_row: Vec<EventId>,
    /// Whether one execution collects an event of each kind, in any order: as long as it waits for one of them in its first
    /// state, all events of these kinds that are for it go to it, and start none ([`Receive::collected`](super::Receive::collected)).
    pub collects: bool,
}

/// When executions can be started. Those that run go on outside of it, and those that others start complete at once there,
/// with their input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The interval as written: messages name it.
    pub written: String,
    /// The interval.
    pub active: Active,
    /// The place of the interval.
    pub span: Span,
}

/// An interval in which executions can be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Active {
    /// From one point in time up to another one, which is not in it: microseconds since 1970-01-01T00:00:00Z.
    Between {
        /// The first.
        from: i64,
        /// The end.
        until: i64,
    },
    /// So many microseconds, counted from the deployment.
    AfterDeployment(u64),
}
