//! Occurrences that an engine reports to an execution.

use super::call::Call;
use super::command::{Op, Outcome};
use super::map_run::MapUpdate;
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::value::Value;

/// An occurrence that an engine reports to an execution.
#[derive(Debug)]
pub enum Occurrence<'a> {
    /// A command has completed. If a frame waits for the operation, a turn is to run.
    ///
    /// The outcome of a task that timed out is [`Fault::timeout`], that of a task without
    /// heartbeats [`Fault::heartbeat_timeout`].
    Completed(Op, Outcome),
    /// A task whose outcome arrives by its token has returned. After a crash the engine waits for
    /// the outcome and does not invoke the task again. The time is ignored.
    HandedOver(Op),
    /// The engine has not begun a command of a [terminating](super::ExecutionInfo::is_terminating)
    /// execution, and will not. The time is ignored.
    Abandoned(Op),
    /// An event was delivered. If a frame waits for it, a turn is to run.
    Event(&'a CloudEvent),
    /// An event was delivered that the engine may have accepted earlier than at this time, and
    /// before the timers that are due. A wait consumes it until its timer has fired.
    AcceptedEvent(&'a CloudEvent),
    /// The [deadline](super::ExecutionInfo::deadline) of the execution has passed. If the
    /// definition has a handler, a turn is to run.
    TimedOut,
    /// The execution was ended from outside.
    Ended(Outcome),
    /// The execution was terminated from outside with this output, as one of its states can:
    /// nothing new begins, frames that only wait end, and commands in progress complete first.
    Terminated(Value),
    /// An execution that failed, and was restored to the state before its last completion, is
    /// redriven. Counts the redrive, and restarts the time-outs of the execution and of awaited
    /// tasks.
    Redriven,
    /// The limits of a run of a distributed Map were changed. A turn is to run. Other executions
    /// ignore it.
    Updated(MapUpdate),
    /// A new process continues the execution, for the observers.
    Resumed {
        /// The number of such restarts.
        restart: u32,
    },
    /// The engine invokes the tasks again that were invoked before the execution was loaded and
    /// whose time-outs have not passed, for the observers. To be reported once, after all outcomes
    /// that have arrived.
    Rescheduled,
    /// A detached child execution has failed, for the observers. May be reported after the end.
    ChildFailed(&'a Call, &'a Fault),
}

impl Occurrence<'_> {
    /// Returns the end of an execution from outside by this outcome: a termination, if that is the
    /// fault.
    pub fn end(outcome: Outcome) -> Occurrence<'static> {
        match outcome {
            Err(fault) if fault.is_termination() => Occurrence::Terminated(fault.into_termination_output()),
            outcome => Occurrence::Ended(outcome),
        }
    }
}

/// A request of an execution to stop what its engine has begun or has yet to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The execution has begun to [terminate](super::ExecutionInfo::is_terminating), since it was
    /// started or loaded.
    ///
    /// Only the engine knows which commands are in progress. It
    /// [abandons](Occurrence::Abandoned) all commands that it has not begun, including those that
    /// it has not yet fetched, and terminates the child executions and batches that are awaited.
    All,
    /// No frame waits for the operation any more, for example of a branch whose sibling failed.
    /// The engine may not have fetched its command.
    Op(Op),
}
