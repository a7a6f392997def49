//! Child executions that an execution starts.

use std::sync::Arc;
use std::time::Duration;

use super::Command;
use super::command::{CallId, FrameId, ID_BYTES, Outcome, push_number};
use super::core::Core;
use super::frame::{NONE, Wait};
use super::observer::EventKind;
use crate::fault::{Fault, names};
use crate::time::{Timestamp, seconds};
use crate::value::{Str, Value};

/// The start of a child execution.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Call {
    /// The target.
    pub target: Target,
    /// The input of the child execution.
    pub input: Value,
    /// Set if the child execution is detached: the outcome is its id, as soon as its start cannot
    /// be lost.
    pub detached: bool,
    /// The number of the attempt of the state, from 1.
    pub attempt: u32,
    /// The identity of the call: equal for all its attempts.
    pub call: CallId,
    /// The time at which the command was issued.
    pub issued: Timestamp,
    /// The time-out, counted from `issued`. The child execution is cancelled then.
    pub timeout: Option<Duration>,
}

/// The target of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A workflow that the engine knows by this name.
    Workflow(Str),
    /// An entry of the calling workflow that runs as an execution of its own.
    Entry(u32),
    /// A distributed Map of the calling workflow, by its index in [`Definition::maps`]. The input
    /// is an object with its settings.
    ///
    /// [`Definition::maps`]: super::Definition::maps
    Map(u32),
}

impl Call {
    /// Detaches the child execution: its end is not awaited.
    pub fn detach(&mut self) -> &mut Call {
        self.detached = true;
        self
    }

    /// Sets the time-out, in seconds.
    pub fn timeout_seconds(&mut self, timeout: f64) -> &mut Call {
        self.timeout = Some(seconds(timeout));
        self
    }

    /// Returns the time at which the call times out.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.timeout.map(|timeout| self.issued.plus(timeout))
    }

    /// Returns the id of the child execution. Equal for equal calls, so that an engine starts the
    /// child once.
    pub fn execution_id(&self, caller: &str) -> String {
        let mut id = String::with_capacity(caller.len() + ID_BYTES);
        self.append_id(caller, &mut id);
        id
    }

    /// Appends the id of the child execution to a text.
    pub(crate) fn append_id(&self, caller: &str, id: &mut String) {
        id.push_str(caller);
        id.push('.');
        self.call.append_to(id);
        if self.attempt != 1 {
            id.push('.');
            push_number(id, self.attempt.into());
        }
    }

    /// Returns the name of the workflow that is started, by a caller of the workflow `caller`.
    pub fn workflow<'a>(&'a self, caller: &'a str) -> &'a str {
        match &self.target {
            Target::Workflow(name) => name,
            Target::Entry(_) | Target::Map(_) => caller,
        }
    }
}

impl Core {
    /// Suspends the running frame until the child execution has started or ended.
    pub(super) fn issue_call(&mut self, call: Arc<Call>) -> Wait {
        let frame = self.frames.get_mut(self.at);
        frame.actions = frame.actions.saturating_add(1);
        if self.observed {
            let kind = match call.target {
                Target::Map(_) => EventKind::MapRunStarted { call: &call },
                Target::Workflow(_) | Target::Entry(_) => EventKind::ChildStarted { call: &call },
            };
            self.notify(self.at, kind);
        }
        Wait::Command(Command::Call(call))
    }

    /// Reports the failure of a detached child execution. The state that started it may have been
    /// left.
    pub(super) fn call_failed(&mut self, at: Timestamp, call: &Call, fault: &Fault) {
        if self.observed {
            self.header.now = self.header.now.max(at);
            self.notify(NONE, EventKind::ChildFailed { call, fault });
        }
    }

    /// Returns the outcome of a call as the state sees it.
    pub(super) fn call_ended(&mut self, frame: FrameId, call: &Call, outcome: Outcome) -> Outcome {
        let caller = self.header.definition.name;
        let outcome = match outcome {
            Ok(output) => self.over_any_limit(&output, call.workflow(caller)).map_or(Ok(output), Err),
            Err(fault) => Err(fault),
        };
        let outcome = outcome.map_err(|fault| match call.target {
            // A Map fails with errors of its own, as a state with iterations does.
            Target::Map(_) => fault.of_child(),
            Target::Workflow(_) | Target::Entry(_) => fault.of_task().of_child(),
        });
        if self.observed {
            let is_map = matches!(call.target, Target::Map(_));
            match &outcome {
                Ok(_) if is_map => self.notify(frame, EventKind::MapRunSucceeded { call }),
                Err(fault) if is_map && fault.error() == Some(names::CANCELLED) => {
                    self.notify(frame, EventKind::MapRunAborted { call });
                }
                Err(fault) if is_map => self.notify(frame, EventKind::MapRunFailed { call, fault }),
                // The start of a detached child was reported, and its end is not.
                Ok(_) if call.detached => {}
                Ok(output) => self.notify(frame, EventKind::ChildSucceeded { call, output }),
                Err(fault) => self.notify(frame, EventKind::ChildFailed { call, fault }),
            }
        }
        outcome
    }
}
