//! Start conditions, and the interval in which executions can be started.

use super::EventId;
use crate::source::Span;

/// The start condition of a workflow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartsOn {
    /// The kinds of start events. Each of them starts an execution.
    pub events: Vec<EventId>,
    /// All kinds that the first state awaits one after the other. Empty if the first event
    /// suffices.
    pub sequence: Vec<EventId>,
    /// `true` if one execution collects an event of each kind, in any order. While its first state
    /// awaits one of them, it receives all events of these kinds with its correlation key, and
    /// they start no other execution ([`Receive::collected`](super::Receive::collected)).
    pub all_of: bool,
}

/// The interval in which executions can be started. Executions that are running at its end
/// continue. Child executions started outside of it complete at once, with their input as output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The interval as written, for messages.
    pub written: String,
    /// The interval.
    pub active: Active,
    /// The span of the interval.
    pub span: Span,
}

/// An interval in which executions can be started.
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
