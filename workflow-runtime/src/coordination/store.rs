//! The records that decisions about events read and write.

use std::sync::Arc;

use super::capacity::InboxLimits;
use super::route::RoutedKind;
use crate::event::CloudEvent;
use crate::machine::{StartCondition, TriggerMatch};
use crate::value::Str;

/// The records of an engine: subscribers with their inboxes, and what was delivered.
///
/// A store is used within one transaction: it sees its own writes. Methods with a workflow mean
/// all versions of the workflow of this name.
///
/// A *subscriber* is an execution that can still change: it is queued, running, or parked. A
/// failed execution is not a subscriber, though it may be redriven.
pub trait Store {
    /// The identity of an execution in this store. Executions that began earlier are smaller.
    type Execution: Copy + Ord;
    /// The error of a record that cannot be read or written.
    type Error;

    /// Returns the subscribers of a workflow that events of these kinds may be for, oldest first.
    ///
    /// The result may include executions that no kind is for: the caller compares correlation
    /// keys. If [all kinds correlate](super::only_correlations), a store with an index by
    /// correlation key should read these executions only.
    ///
    /// # Errors
    /// The records cannot be read.
    fn subscribers(&mut self, workflow: &str, kinds: &[RoutedKind]) -> Result<Vec<Self::Execution>, Self::Error>;

    /// Returns the executions of the trigger's workflow that wait for an event in their start
    /// state, and those that are about to enter it, oldest first. Executions whose start is
    /// scheduled for later do not count, and neither do those with a pending order to end.
    ///
    /// The result may include executions whose start condition does not accept the event. If the
    /// trigger has an [only correlation](TriggerMatch::only_correlation), a store with an index by
    /// correlation key should read these executions only.
    ///
    /// # Errors
    /// The records cannot be read.
    fn in_start_state(
        &mut self,
        trigger: &TriggerMatch,
        event: &CloudEvent,
    ) -> Result<Vec<Self::Execution>, Self::Error>;

    /// Returns the correlation key of an execution.
    ///
    /// # Errors
    /// The records cannot be read.
    fn correlation(&mut self, of: Self::Execution) -> Result<Str, Self::Error>;

    /// Returns the pending start condition of an execution, with the events recorded that its
    /// inbox holds. `None` if the execution is not in its start state, or does not begin with it.
    ///
    /// # Errors
    /// The records cannot be read.
    fn start_condition(
        &mut self,
        of: Self::Execution,
        trigger: &TriggerMatch,
    ) -> Result<Option<StartCondition>, Self::Error>;

    /// Returns the limits of inboxes.
    fn inbox_limits(&self) -> InboxLimits {
        InboxLimits::default()
    }

    /// Returns the number of events in an inbox that the execution has not seen.
    ///
    /// # Errors
    /// The records cannot be read.
    fn unseen_events(&mut self, of: Self::Execution) -> Result<usize, Self::Error>;

    /// Returns the number of events that an execution has seen and keeps for a later state.
    ///
    /// # Errors
    /// The records cannot be read.
    fn kept_events(&mut self, of: Self::Execution) -> Result<usize, Self::Error>;

    /// Returns an upper bound of [`Store::kept_events`], for a store that has one at less cost.
    ///
    /// # Errors
    /// The records cannot be read.
    fn kept_events_at_most(&mut self, of: Self::Execution) -> Result<usize, Self::Error> {
        self.kept_events(of)
    }

    /// Returns `true` if an execution waits for an event of one of these kinds now. Unseen events
    /// are not considered.
    ///
    /// # Errors
    /// The records cannot be read.
    fn awaits(&mut self, of: Self::Execution, kinds: &[&str]) -> Result<bool, Self::Error>;

    /// Returns `true` if an event of this source and id is recorded as delivered. A store may
    /// forget records after a time or a number of events: its deduplication window.
    ///
    /// For a workflow, a store may also look for an execution that was started by the event.
    ///
    /// # Errors
    /// The records cannot be read.
    fn was_delivered(&mut self, to: Recipient<'_, Self::Execution>, event: &CloudEvent) -> Result<bool, Self::Error>;

    /// Records an event as delivered.
    ///
    /// # Errors
    /// The record cannot be written.
    fn mark_delivered(&mut self, to: Recipient<'_, Self::Execution>, event: &CloudEvent) -> Result<(), Self::Error>;

    /// Appends an event to the inbox of an execution. It counts as unseen, and is recorded in the
    /// start condition of an execution in its start state.
    ///
    /// # Errors
    /// The record cannot be written.
    fn deliver(&mut self, to: Self::Execution, event: &Arc<CloudEvent>) -> Result<(), Self::Error>;

    /// Adds the execution that an event starts, in the status queued and with an empty inbox.
    ///
    /// # Errors
    /// The record cannot be written.
    fn start(
        &mut self,
        trigger: &TriggerMatch,
        event: &Arc<CloudEvent>,
    ) -> Result<Started<Self::Execution>, Self::Error>;
}

/// The recipient of an event in the records of deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recipient<'a, Execution> {
    /// An execution, whose inbox has the event.
    Execution(Execution),
    /// A workflow: the event has started an execution of it, or an execution has accepted it in
    /// its start state.
    Workflow(&'a str),
}

/// The result of adding an execution that an event starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Started<Execution> {
    /// The execution was added.
    New(Execution),
    /// The event has started an execution before.
    Exists,
    /// Nothing starts now, and the event is not recorded: the schedule of the workflow does not
    /// admit a start, or the engine decides about it elsewhere.
    Declined,
}
