//! The life cycle of executions: what commands do in each status.

use crate::fault::names::CANCELLED;
use crate::machine::Outcome;

/// Status of an execution. See the example of [`Filter`](crate::engine::Filter).
///
/// The numbers never change: stores can have them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i64)]
pub enum Status {
    /// Not started yet.
    Queued = 0,
    /// Started and not ended.
    Running = 1,
    /// Ended with an output.
    Succeeded = 2,
    /// Ended with a fault.
    Failed = 3,
    /// Cancelled from outside.
    Cancelled = 4,
    /// Set aside after crashing the process repeatedly, until an operator redrives or cancels it.
    Parked = 5,
}

impl Status {
    /// All statuses.
    pub const ALL: [Status; 6] =
        [Status::Queued, Status::Running, Status::Succeeded, Status::Failed, Status::Cancelled, Status::Parked];

    /// Returns the name, for people and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Status::Queued => "queued",
            Status::Running => "running",
            Status::Succeeded => "succeeded",
            Status::Failed => "failed",
            Status::Cancelled => "cancelled",
            Status::Parked => "parked",
        }
    }

    /// Returns the status of this name.
    pub fn named(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }

    /// Returns `true` if the execution does not run: it has ended, or is parked until somebody
    /// redrives or cancels it.
    pub fn is_over(self) -> bool {
        !matches!(self, Status::Queued | Status::Running)
    }

    /// Returns the status of this number, or `Parked` if the number is unknown.
    pub fn of(number: i64) -> Status {
        Status::ALL.into_iter().find(|status| *status as i64 == number).unwrap_or(Status::Parked)
    }

    /// Returns the status of an execution that ends with this outcome. A terminated execution has
    /// succeeded.
    pub fn after(outcome: &Outcome) -> Status {
        match outcome {
            Ok(_) => Status::Succeeded,
            Err(fault) if fault.is_termination() => Status::Succeeded,
            Err(fault) if fault.error() == Some(CANCELLED) => Status::Cancelled,
            Err(_) => Status::Failed,
        }
    }

    /// Returns `true` if the execution is a subscriber: it is active or parked, and keeps what is
    /// delivered to it.
    pub fn receives_events(self) -> bool {
        matches!(self, Status::Queued | Status::Running | Status::Parked)
    }

    /// Returns `true` if outcomes of children are delivered to the execution. A failed one reads
    /// them when it is redriven.
    pub fn receives_outcomes(self) -> bool {
        matches!(self, Status::Running | Status::Parked)
    }

    /// Returns `true` if the snapshot and the inbox of an execution are kept in this status. The
    /// records of one that has succeeded or was cancelled are removed: nothing continues it.
    pub fn keeps_records(self) -> bool {
        !matches!(self, Status::Succeeded | Status::Cancelled)
    }
}

/// The action that ends an execution from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// Store an order to end now, which the execution carries out. A second order changes nothing.
    OrderCancel,
    /// Store an order to end once the running tasks have completed. Nothing new begins. An order
    /// to end now goes first.
    OrderTerminate,
    /// End it at once as cancelled: it does not run.
    Now,
    /// Nothing: it has ended.
    Nothing,
}

/// Returns what cancelling does in this status.
pub fn cancel(status: Status) -> End {
    match status {
        Status::Running => End::OrderCancel,
        Status::Queued | Status::Parked => End::Now,
        Status::Succeeded | Status::Failed | Status::Cancelled => End::Nothing,
    }
}

/// Returns what terminating does in this status.
pub fn terminate(status: Status) -> End {
    match cancel(status) {
        End::OrderCancel => End::OrderTerminate,
        other => other,
    }
}

/// Returns the status in which a redriven execution continues, or `None` if it cannot be redriven.
/// An execution without a snapshot starts again from its input.
///
/// Its awaited children are redriven, too: see [`link::parent_redriven`](super::link).
pub fn redrive(status: Status, has_snapshot: bool) -> Option<Status> {
    match (status, has_snapshot) {
        (Status::Failed | Status::Parked, true) => Some(Status::Running),
        (Status::Failed | Status::Parked, false) => Some(Status::Queued),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Fault;
    use crate::value::Value;

    #[test]
    fn only_executions_that_have_not_ended_are_ended() {
        let expected = [
            (Status::Queued, End::Now, End::Now),
            (Status::Running, End::OrderCancel, End::OrderTerminate),
            (Status::Succeeded, End::Nothing, End::Nothing),
            (Status::Failed, End::Nothing, End::Nothing),
            (Status::Cancelled, End::Nothing, End::Nothing),
            (Status::Parked, End::Now, End::Now),
        ];
        assert_eq!(Status::ALL.map(|status| (status, cancel(status), terminate(status))), expected);
    }

    #[test]
    fn failed_and_parked_executions_are_redriven() {
        for status in Status::ALL {
            let is_possible = matches!(status, Status::Failed | Status::Parked);
            assert_eq!(redrive(status, true), is_possible.then_some(Status::Running), "{status:?}");
            assert_eq!(redrive(status, false), is_possible.then_some(Status::Queued), "{status:?}");
        }
    }

    #[test]
    fn the_outcome_determines_the_last_status() {
        assert_eq!(Status::after(&Ok(Value::Null)), Status::Succeeded);
        assert_eq!(Status::after(&Err(Fault::terminated(Value::Null))), Status::Succeeded);
        assert_eq!(Status::after(&Err(Fault::new(CANCELLED, "an order"))), Status::Cancelled);
        assert_eq!(Status::after(&Err(Fault::new("Other", "a reason"))), Status::Failed);
    }
}
