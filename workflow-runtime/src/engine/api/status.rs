//! Statuses of executions.

/// Status of an execution. See the example of [`Filter`](super::Filter).
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

    /// Returns `true` if nothing more happens unless the execution is redriven.
    pub fn is_over(self) -> bool {
        !matches!(self, Status::Queued | Status::Running)
    }

    /// Returns the status of this number. An unknown one is set aside.
    pub fn of(number: i64) -> Status {
        Status::ALL.into_iter().find(|status| *status as i64 == number).unwrap_or(Status::Parked)
    }
}
