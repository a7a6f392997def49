//! Executions that an execution starts.

use std::sync::Arc;
use std::time::Duration;

use super::Command;
use super::command::{CallId, FrameId, Outcome};
use super::core::Core;
use super::frame::{NONE, Wait};
use crate::fault::Fault;
use crate::observe::EventKind;
use crate::time::{Timestamp, seconds};
use crate::value::{Str, Value};

/// The start of an execution by another one.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Call {
    /// What is started.
    pub target: Target,
    /// What it is given.
    pub input: Value,
    /// Whether its end is not waited for: the outcome is its id, as soon as it is sure to run.
    pub detached: bool,
    /// Which try of the state this is, from 1.
    pub attempt: u32,
    /// Which call of the execution this is: the same for all its attempts.
    pub call: CallId,
    /// When it was asked for.
    pub issued: Timestamp,
    /// After how long it is given up, and cancelled.
    pub timeout: Option<Duration>,
}

/// What is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A workflow that the engine knows by this name.
    Workflow(Str),
    /// An entry of the workflow itself: a part of it that runs on its own.
    Entry(u32),
}

impl Call {
    /// Does not wait for the end.
    pub fn detach(&mut self) -> &mut Call {
        self.detached = true;
        self
    }

    /// Sets after how long it is given up.
    pub fn timeout_seconds(&mut self, timeout: f64) -> &mut Call {
        self.timeout = Some(seconds(timeout));
        self
    }

    /// When it is given up.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.timeout.map(|timeout| self.issued.plus(timeout))
    }

    /// The id of the execution that is started: always the same for the same call, so that it is started once.
    pub fn execution_id(&self, caller: &str) -> String {
        match self.attempt {
            1 => format!("{caller}.{}", self.call),
            attempt => format!("{caller}.{}.{attempt}", self.call),
        }
    }

    /// The workflow it starts, where `caller` is the workflow that calls.
    pub fn workflow<'a>(&'a self, caller: &'a str) -> &'a str {
        match &self.target {
            Target::Workflow(name) => name,
            Target::Entry(_) => caller,
        }
    }
}

impl Core {
    /// The frame that runs begins to wait for an execution that is started.
    pub(super) fn issue_call(&mut self, call: Arc<Call>) -> Wait {
        let frame = self.frames.get_mut(self.at);
        frame.actions = frame.actions.saturating_add(1);
        if self.observed {
            self.notify(self.at, EventKind::ChildStarted { call: &call });
        }
        Wait::Command(Command::Call(call))
    }

    /// Tells that what was started and not waited for has failed. The state that has started it may be left.
    pub(super) fn call_failed(&mut self, at: Timestamp, call: &Call, fault: &Fault) {
        if self.observed {
            self.header.now = self.header.now.max(at);
            self.notify(NONE, EventKind::ChildFailed { call, fault });
        }
    }

    /// What a call yields, as the state sees it.
    pub(super) fn call_ended(&mut self, frame: FrameId, call: &Call, outcome: Outcome) -> Outcome {
        let caller = self.header.definition.name;
        let outcome = match outcome {
            Ok(output) => self.over_any_limit(&output, call.workflow(caller)).map_or(Ok(output), Err),
            Err(fault) => Err(fault),
        };
        let outcome = outcome.map_err(|fault| fault.of_task().of_another());
        if self.observed {
            match &outcome {
                // The start of one that is not waited for was told, and its end will not be.
                Ok(_) if call.detached => {}
                Ok(output) => self.notify(frame, EventKind::ChildSucceeded { call, output }),
                Err(fault) => self.notify(frame, EventKind::ChildFailed { call, fault }),
            }
        }
        outcome
    }
}
