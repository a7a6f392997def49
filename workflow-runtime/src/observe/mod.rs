//! What happens in an execution, told in the author's words: states and tasks, never the points of the generated code.

mod history;
mod payloads;
#[cfg(feature = "tracing")]
mod tracing;

use std::time::Duration;

use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::machine::{Call, EventInfo, Task};
use crate::time::Timestamp;
use crate::value::Value;

pub use history::History;
pub use payloads::InvalidPath;

#[cfg(feature = "tracing")]
pub use self::tracing::Tracing;

/// Is told what happens in an execution, as it happens. Whatever it does, the execution is the same: one that panics is told
/// nothing more.
pub trait Observer: Send {
    /// Something has happened.
    fn observe(&mut self, event: &Event<'_>);
}

/// Something that happened in an execution.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Event<'a> {
    /// The name of the workflow.
    pub workflow: &'static str,
    /// The execution's id.
    pub execution: &'a str,
    /// When.
    pub time: Timestamp,
    /// The branches and iterations it happened in, from the outside in.
    pub path: &'a [PathStep],
    /// The authored state it happened in; empty where it concerns the execution.
    pub state: &'static str,
    /// What.
    pub kind: EventKind<'a>,
}

/// A branch or an iteration of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PathStep {
    /// The state that started it.
    pub state: &'static str,
    /// Which of them it is, from 0.
    pub index: u32,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum EventKind<'a> {
    /// The execution started.
    ExecutionStarted {
        /// What it was given.
        input: &'a Value,
    },
    /// The execution ended well.
    ExecutionSucceeded {
        /// What it yielded.
        output: &'a Value,
    },
    /// The execution failed.
    ExecutionFailed {
        /// Why.
        fault: &'a Fault,
    },
    /// A state was entered.
    StateEntered {
        /// What it was given.
        input: &'a Value,
    },
    /// A state was left.
    StateExited {
        /// What it gave to the next one, or to the end.
        output: &'a Value,
    },
    /// A state failed and is tried again.
    StateRetried {
        /// Why it failed.
        fault: &'a Fault,
        /// Which retry this is, from 1.
        retry: u32,
        /// How long it waits before.
        delay: Duration,
    },
    /// A state failed and its definition says what follows.
    StateCaught {
        /// Why it failed.
        fault: &'a Fault,
    },
    /// A state failed, and with it the branch or the execution.
    StateFailed {
        /// Why.
        fault: &'a Fault,
    },
    /// A state has computed something on the way. Only code compiled for inspection tells.
    Inspected {
        /// The stage: `afterInputPath`, …
        stage: &'static str,
        /// What it computed.
        value: &'a Value,
    },
    /// A task is about to be invoked.
    TaskScheduled {
        /// The task.
        task: &'static Task,
        /// What it is given.
        input: &'a Value,
        /// Which try of the state this is, from 1.
        attempt: u32,
    },
    /// A task ended well.
    TaskSucceeded {
        /// The task.
        task: &'static Task,
        /// What it yielded.
        output: &'a Value,
    },
    /// A task failed.
    TaskFailed {
        /// The task.
        task: &'static Task,
        /// Why.
        fault: &'a Fault,
    },
    /// A task took too long or gave no sign of life.
    TaskTimedOut {
        /// The task.
        task: &'static Task,
        /// Which of both.
        fault: &'a Fault,
    },
    /// A wait for an event has begun.
    EventAwaited {
        /// The kinds of which any one will do.
        events: &'a [&'static EventInfo],
        /// When the wait is over in any case.
        until: Option<Timestamp>,
    },
    /// An event was there that was waited for.
    EventReceived {
        /// The event.
        event: &'a CloudEvent,
    },
    /// An event is about to be published.
    EventSent {
        /// The event.
        event: &'a CloudEvent,
    },
    /// Another execution is about to be started.
    ChildStarted {
        /// Which, and with what.
        call: &'a Call,
    },
    /// An execution that was started, and waited for, has ended well.
    ChildSucceeded {
        /// Which.
        call: &'a Call,
        /// What it yielded.
        output: &'a Value,
    },
    /// An execution that was started has failed, was given up, or could not be started.
    ChildFailed {
        /// Which.
        call: &'a Call,
        /// Why.
        fault: &'a Fault,
    },
    /// A wait has begun.
    WaitStarted {
        /// When it ends.
        until: Timestamp,
    },
}

impl EventKind<'_> {
    /// What happened, in a word: `StateEntered`, …
    pub fn name(&self) -> &'static str {
        match self {
            EventKind::ExecutionStarted { .. } => "ExecutionStarted",
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
            EventKind::WaitStarted { .. } => "WaitStarted",
        }
    }

    /// The payload, and what it is: `input`, `output`, `data` or `value`.
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

    /// The fault, of an event that tells of one.
    pub fn fault(&self) -> Option<&Fault> {
        match *self {
            EventKind::ExecutionFailed { fault }
            | EventKind::StateRetried { fault, .. }
            | EventKind::StateCaught { fault }
            | EventKind::StateFailed { fault }
            | EventKind::TaskFailed { fault, .. }
            | EventKind::TaskTimedOut { fault, .. }
            | EventKind::ChildFailed { fault, .. } => Some(fault),
            _ => None,
        }
    }
}
