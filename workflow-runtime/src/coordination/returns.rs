//! The return of start events: an execution that has taken one ends, or leaves its start state,
//! without processing it.

/// The decision about an event that an execution returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Returned {
    /// Nothing: the execution has not taken it, or has returned it before.
    Dropped,
    /// Another execution has taken it, too: it remains recorded for the workflow.
    Held,
    /// It is no longer recorded for the workflow, and is offered again: executions in their start
    /// states take it, and if there are none, it starts one.
    OfferedAgain,
}

/// Decides about an event that an execution has received and not processed.
///
/// `had_taken` is set if the event has started the execution, or the execution has accepted it in
/// its start state. `is_held` is set if another execution has taken the event and not returned it.
pub fn returned(had_taken: bool, is_held: bool) -> Returned {
    match (had_taken, is_held) {
        (false, _) => Returned::Dropped,
        (true, true) => Returned::Held,
        (true, false) => Returned::OfferedAgain,
    }
}
