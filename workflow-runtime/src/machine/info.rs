//! The facts about an execution that an engine reads.

use std::sync::Arc;

use super::call::{Call, Target};
use super::command::{Op, Outcome};
use super::core::Core;
use super::definition::Definition;
use super::header::Header;
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::time::Timestamp;
use crate::value::Str;

/// The facts about an execution, at one time. Cheap to copy.
#[derive(Clone, Copy)]
pub struct ExecutionInfo<'e> {
    core: &'e Core,
}

impl<'e> ExecutionInfo<'e> {
    pub(super) fn new(core: &'e Core) -> ExecutionInfo<'e> {
        ExecutionInfo { core }
    }

    pub(super) fn header(self) -> &'e Header {
        &self.core.header
    }

    /// Returns the definition of the workflow.
    pub fn definition(self) -> &'static Definition {
        self.core.header.definition
    }

    /// Returns the id: the name that the execution was started with.
    pub fn id(self) -> &'e Str {
        &self.core.header.name
    }

    /// Returns the correlation key: the key that the execution was started with, or its id.
    pub fn correlation(self) -> &'e Str {
        self.core.header.correlation().map_or(self.id(), |correlation| correlation)
    }

    /// Returns the correlation key that the execution was started with, if any.
    pub fn explicit_correlation(self) -> Option<&'e Str> {
        self.shared_correlation().map(|correlation| &**correlation)
    }

    /// Returns the handle of the [`explicit_correlation`](ExecutionInfo::explicit_correlation).
    pub(crate) fn shared_correlation(self) -> Option<&'e Arc<Str>> {
        self.core.header.correlation()
    }

    /// Returns the correlation key that this execution passes on to a child execution. An entry or
    /// a Map of the same workflow gets this execution's key. Another workflow gets the key that
    /// this execution was started with, unless it reads one from its input
    /// ([`Definition::correlation`]).
    pub fn child_correlation(self, call: &Call) -> Option<Str> {
        match &call.target {
            Target::Entry(_) | Target::Map(_) => Some(self.correlation().clone()),
            Target::Workflow(_) => self.explicit_correlation().cloned(),
        }
    }

    /// Returns the deadline of the execution.
    pub fn deadline(self) -> Option<Timestamp> {
        self.core.header.deadline
    }

    /// Returns the outcome of the execution, once it has ended.
    pub fn result(self) -> Option<&'e Outcome> {
        self.core.result.as_ref()
    }

    /// Returns the [`result`](ExecutionInfo::result) as the parent execution receives it: a child
    /// that was terminated terminates its parent.
    pub fn outcome_for_parent(self) -> Option<Outcome> {
        let outcome = self.result()?.clone();
        Some(outcome.and_then(|output| match self.is_terminating() {
            true => Err(Fault::terminated(output)),
            false => Ok(output),
        }))
    }

    /// Returns `true` if a turn is to run, or to continue after a pause. While it is `true`, the
    /// engine may only run the turn ([`compute`](super::Execution::compute)) or
    /// [end](super::Occurrence::Ended) the execution.
    pub fn is_computing(self) -> bool {
        !self.core.work.is_empty()
    }

    /// Returns `true` if the execution terminates or has terminated, by a state of it or from
    /// outside.
    ///
    /// A terminating execution that is saved and loaded issues the commands in progress again.
    pub fn is_terminating(self) -> bool {
        self.core.header.is_terminating()
    }

    /// Returns the number of the last operation that was issued before the execution was loaded.
    /// Commands up to this number may have begun then.
    pub fn issued_before(self) -> u64 {
        self.core.issued_before
    }

    /// Returns the last completion of an execution whose [changes](super::Execution::changes) are
    /// tracked. A redrive of a failed execution replays it instead of repeating the command.
    pub fn last_completion(self) -> Option<(Op, &'e Outcome)> {
        let (op, outcome) = self.core.tracker.as_ref()?.last.as_ref()?;
        Some((*op, outcome))
    }

    /// Returns the number of redrives.
    pub fn redrives(self) -> u32 {
        self.core.header.redrives
    }

    /// Returns the number of events in the inbox.
    pub fn inbox_len(self) -> usize {
        self.core.inbox_len()
    }

    /// Returns the events of the inbox, in the order of arrival.
    pub fn inbox_events(self) -> Vec<&'e CloudEvent> {
        self.core.inbox_events()
    }
}
