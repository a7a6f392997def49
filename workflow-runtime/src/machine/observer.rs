//! Observation of executions in authored terms: states and tasks, never the suspension points of
//! the generated code.

use std::time::Duration;

use super::{Call, EventInfo, Task};
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::time::Timestamp;
use crate::value::Value;

/// The receiver of an execution's events, as they happen. An observer cannot affect the execution.
/// An observer that panics receives nothing more.
///
/// ```
/// use workflow_runtime::observe::{Event, EventKind, Observer};
///
/// /// Counts retries.
/// struct Retries(u32);
///
/// impl Observer for Retries {
///     fn observe(&mut self, event: &Event<'_>) {
///         if let EventKind::StateRetried { .. } = event.kind {
///             self.0 += 1;
///         }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not observe executions",
    label = "this is not an observer",
    note = "write `impl Observer for {Self}`, whose method `observe` receives each event"
)]
pub trait Observer: Send {
    /// Receives an event.
    fn observe(&mut self, event: &Event<'_>);
}

/// An event in the course of an execution.
///
/// See the example of [`Observer`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Event<'a> {
    /// The name of the workflow.
    pub workflow: &'static str,
    /// The execution's id.
    pub execution: &'a str,
    /// The time of the event.
    pub time: Timestamp,
    /// The branches and iterations it happened in, outermost first.
    pub path: &'a [PathStep],
    /// The authored state it happened in; empty if it concerns the whole execution.
    pub state: &'static str,
    /// The kind of event.
    pub kind: EventKind<'a>,
}

impl<'a> Event<'a> {
    /// Creates an event that concerns the whole execution. An engine reports with it what an
    /// execution does not learn that may have ended, such as the failure of a detached child.
    pub fn of_execution(workflow: &'static str, execution: &'a str, time: Timestamp, kind: EventKind<'a>) -> Event<'a> {
        Event { workflow, execution, time, path: &[], state: "", kind }
    }
}

/// A branch or an iteration of a state.
///
/// ```
/// use workflow_runtime::observe::PathStep;
///
/// /// Returns `Ship[2] › Pack[0]`: the first iteration of `Pack`, in the third of `Ship`.
/// fn show(path: &[PathStep]) -> String {
///     path.iter().map(|step| format!("{}[{}]", step.state, step.index)).collect::<Vec<_>>().join(" › ")
/// }
/// # let step = |state, index| PathStep { state, index };
/// # assert_eq!(show(&[step("Ship", 2), step("Pack", 0)]), "Ship[2] › Pack[0]");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PathStep {
    /// The state that started it.
    pub state: &'static str,
    /// Its index, from 0.
    pub index: u32,
}

/// The kinds of events.
///
/// See the example of [`Observer`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum EventKind<'a> {
    /// The execution started.
    ExecutionStarted {
        /// Its input.
        input: &'a Value,
    },
    /// The execution continues in a new process. The process that ran it before has ended.
    ExecutionResumed {
        /// The number of such restarts, from 1.
        restart: u32,
    },
    /// The execution had failed, and continues from the state that failed.
    ExecutionRedriven {
        /// The number of the redrive, from 1.
        redrive: u32,
    },
    /// The execution succeeded.
    ExecutionSucceeded {
        /// Its output.
        output: &'a Value,
    },
    /// The execution failed.
    ExecutionFailed {
        /// Its fault.
        fault: &'a Fault,
    },
    /// A state was entered.
    StateEntered {
        /// Its input.
        input: &'a Value,
    },
    /// A state was left.
    StateExited {
        /// Its output.
        output: &'a Value,
    },
    /// A state failed and is retried.
    StateRetried {
        /// Its fault.
        fault: &'a Fault,
        /// The number of the retry, from 1.
        retry: u32,
        /// The delay before the retry.
        delay: Duration,
    },
    /// A state failed and a catcher handles the fault.
    StateCaught {
        /// Its fault.
        fault: &'a Fault,
    },
    /// A state failed, and with it the branch or the execution.
    StateFailed {
        /// Its fault.
        fault: &'a Fault,
    },
    /// A state has computed an intermediate value. Only code that was compiled for inspection
    /// reports this.
    Inspected {
        /// The stage: `afterInputPath`, …
        stage: &'static str,
        /// The value.
        value: &'a Value,
    },
    /// A task is about to be invoked.
    TaskScheduled {
        /// The task.
        task: &'static Task,
        /// Its input.
        input: &'a Value,
        /// The number of the attempt of the state, from 1.
        attempt: u32,
        /// Set if the same attempt was scheduled before. It is repeated after a restart or a
        /// redrive.
        again: bool,
    },
    /// A task succeeded.
    TaskSucceeded {
        /// The task.
        task: &'static Task,
        /// Its output.
        output: &'a Value,
    },
    /// A task failed.
    TaskFailed {
        /// The task.
        task: &'static Task,
        /// Its fault.
        fault: &'a Fault,
    },
    /// A task timed out or sent no heartbeat.
    TaskTimedOut {
        /// The task.
        task: &'static Task,
        /// The fault. [`Fault::is_heartbeat_timeout`] distinguishes the two.
        fault: &'a Fault,
    },
    /// A wait for an event has begun.
    EventAwaited {
        /// The kinds of which the first event ends the wait.
        events: &'a [&'static EventInfo],
        /// The time-out of the wait.
        until: Option<Timestamp>,
    },
    /// An awaited event has arrived.
    EventReceived {
        /// The event.
        event: &'a CloudEvent,
    },
    /// An event is about to be published.
    EventSent {
        /// The event.
        event: &'a CloudEvent,
    },
    /// A child execution is about to be started.
    ChildStarted {
        /// The call.
        call: &'a Call,
    },
    /// An awaited child execution has succeeded.
    ChildSucceeded {
        /// The call.
        call: &'a Call,
        /// Its output.
        output: &'a Value,
    },
    /// A child execution has failed, timed out, or could not be started.
    ChildFailed {
        /// The call.
        call: &'a Call,
        /// Its fault.
        fault: &'a Fault,
    },
    /// The run of a distributed Map is about to be started. It is an execution of its own, with
    /// its own history, which has no events of its children.
    MapRunStarted {
        /// The call. Its input has the items, and is no part of the event.
        call: &'a Call,
    },
    /// The run of a distributed Map has succeeded.
    MapRunSucceeded {
        /// The call.
        call: &'a Call,
    },
    /// The run of a distributed Map has failed.
    MapRunFailed {
        /// The call.
        call: &'a Call,
        /// Its fault.
        fault: &'a Fault,
    },
    /// The run of a distributed Map was cancelled: by itself, or because the execution has ended
    /// or a sibling of its branch has failed.
    MapRunAborted {
        /// The call.
        call: &'a Call,
    },
    /// The run of a distributed Map continues, because the execution was redriven.
    MapRunRedriven {
        /// The call.
        call: &'a Call,
    },
    /// A wait for a time has begun.
    WaitStarted {
        /// The end of the wait.
        until: Timestamp,
    },
}

impl EventKind<'_> {
    /// Returns the name of the kind: `StateEntered`, …
    pub fn name(&self) -> &'static str {
        match self {
            EventKind::ExecutionStarted { .. } => "ExecutionStarted",
            EventKind::ExecutionResumed { .. } => "ExecutionResumed",
            EventKind::ExecutionRedriven { .. } => "ExecutionRedriven",
            EventKind::ExecutionSucceeded { .. } => "ExecutionSucceeded",
            EventKind::ExecutionFailed { .. } => "ExecutionFailed",
            EventKind::StateEntered { .. } => "StateEntered",
            EventKind::StateExited { .. } => "StateExited",
            EventKind::StateRetried { .. } => "StateRetried",
            EventKind::StateCaught { .. } => "StateCaught",
            EventKind::StateFailed { .. } => "StateFailed",
            EventKind::Inspected { .. } => "Inspected",
            EventKind::TaskScheduled { .. } => "TaskScheduled",
            EventKind::TaskSucceeded { .. } => "TaskSucceeded",
            EventKind::TaskFailed { .. } => "TaskFailed",
            EventKind::TaskTimedOut { .. } => "TaskTimedOut",
            EventKind::EventAwaited { .. } => "EventAwaited",
            EventKind::EventReceived { .. } => "EventReceived",
            EventKind::EventSent { .. } => "EventSent",
            EventKind::ChildStarted { .. } => "ChildStarted",
            EventKind::ChildSucceeded { .. } => "ChildSucceeded",
            EventKind::ChildFailed { .. } => "ChildFailed",
            EventKind::MapRunStarted { .. } => "MapRunStarted",
            EventKind::MapRunSucceeded { .. } => "MapRunSucceeded",
            EventKind::MapRunFailed { .. } => "MapRunFailed",
            EventKind::MapRunAborted { .. } => "MapRunAborted",
            EventKind::MapRunRedriven { .. } => "MapRunRedriven",
            EventKind::WaitStarted { .. } => "WaitStarted",
        }
    }

    /// Returns the payload and its name: `input`, `output`, `data` or `value`.
    pub fn payload(&self) -> Option<(&'static str, &Value)> {
        match *self {
            EventKind::ExecutionStarted { input }
            | EventKind::StateEntered { input }
            | EventKind::TaskScheduled { input, .. } => Some(("input", input)),
            EventKind::ExecutionSucceeded { output }
            | EventKind::StateExited { output }
            | EventKind::TaskSucceeded { output, .. }
            | EventKind::ChildSucceeded { output, .. } => Some(("output", output)),
            EventKind::EventReceived { event } | EventKind::EventSent { event } => Some(("data", &event.data)),
            EventKind::ChildStarted { call } => Some(("input", &call.input)),
            EventKind::Inspected { value, .. } => Some(("value", value)),
            _ => None,
        }
    }

    /// Returns the fault, if the event has one.
    pub fn fault(&self) -> Option<&Fault> {
        match *self {
            EventKind::ExecutionFailed { fault }
            | EventKind::StateRetried { fault, .. }
            | EventKind::StateCaught { fault }
            | EventKind::StateFailed { fault }
            | EventKind::TaskFailed { fault, .. }
            | EventKind::TaskTimedOut { fault, .. }
            | EventKind::ChildFailed { fault, .. }
            | EventKind::MapRunFailed { fault, .. } => Some(fault),
            _ => None,
        }
    }
}
