//! Start conditions.

use super::EventId;

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
