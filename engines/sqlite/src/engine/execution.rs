//! Handles of executions.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use workflow_runtime::CloudEvent;
use workflow_runtime::engine::{Description, EngineError, HistoryPage, MapUpdate, Summary};
use workflow_runtime::machine::Outcome;

use super::{Shared, lock};
use crate::executions::{self, CommandResult, Status};
use crate::inbox;
use crate::map_updates;
use crate::view;
use crate::{Error, codec, loading};

/// Handle of an execution in the database. See the example of [`Submit`](crate::Submit).
#[derive(Clone)]
pub struct Execution {
    shared: Arc<Shared>,
    number: i64,
    id: String,
    new: bool,
}

impl Execution {
    pub(crate) fn new(shared: Arc<Shared>, number: i64, id: String, new: bool) -> Execution {
        Execution { shared, number, id, new }
    }

    /// Returns the id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns `true` if the call that returned this handle created the execution.
    pub fn is_new(&self) -> bool {
        self.new
    }

    /// Waits until the execution has ended or was parked, and returns its outcome.
    ///
    /// Returns an error if the execution cannot continue.
    pub async fn result(&self) -> Result<Outcome, Error> {
        loop {
            // Read before, so that ended executions leave no entry, and after, so that no end is
            // missed.
            if let Some(outcome) = self.outcome()? {
                return Ok(outcome);
            }
            let waiting = lock(&self.shared.ends).entry(self.number).or_default().clone();
            let mut notified = std::pin::pin!(waiting.notified());
            notified.as_mut().enable();
            if self.outcome()?.is_some() {
                self.shared.notify_ended(self.number);
                continue;
            }
            if let Some(error) = lock(&self.shared.stuck).get(&self.number) {
                return Err(error.clone());
            }
            if self.shared.is_stopped.load(Ordering::SeqCst) {
                return Err(self.shared.store.problem());
            }
            notified.await;
        }
    }

    /// Returns the outcome if the execution has ended or was parked.
    pub fn outcome(&self) -> Result<Option<Outcome>, Error> {
        let found = self.shared.store.read(|c| {
            use rusqlite::OptionalExtension as _;
            let text = "SELECT status, outcome FROM executions WHERE number = ?1";
            let read = |row: &rusqlite::Row<'_>| Ok((Status::of(row.get(0)?), row.get::<_, Option<Vec<u8>>>(1)?));
            c.prepare_cached(text)?.query_row([self.number], read).optional()
        })?;
        match found {
            None => Err(Error::UnknownExecution(self.id.clone())),
            Some((status, Some(outcome))) if status.is_over() => Ok(Some(codec::read_result(&outcome))),
            Some(_) => Ok(None),
        }
    }

    /// Describes the execution in full.
    pub fn describe(&self) -> Result<Description, Error> {
        let found = self.shared.store.read(|c| view::describe(c, &self.id))?;
        found.ok_or_else(|| Error::UnknownExecution(self.id.clone()))
    }

    /// Returns the summary, and the outcome if the execution has ended or was parked. Does not
    /// read the input.
    pub fn summary(&self) -> Result<(Summary, Option<Outcome>), Error> {
        let found = self.shared.store.read(|c| view::outcome(c, &self.id))?;
        found.ok_or_else(|| Error::UnknownExecution(self.id.clone()))
    }

    /// Returns the history as lines of JSON, oldest first.
    pub fn history(&self) -> Result<Vec<String>, Error> {
        Ok(self.page(0, usize::MAX, usize::MAX)?.events)
    }

    /// Returns at most `limit` events after the one numbered `after`; the first event has the
    /// number 1. A page ends early where its events would have more than `bytes`, or 16 MiB. The
    /// oldest events of a long history have been removed.
    pub fn history_after(&self, after: u64, limit: usize, bytes: usize) -> Result<HistoryPage, Error> {
        self.page(after, limit, bytes.min(view::PAGE_BYTES))
    }

    fn page(&self, after: u64, limit: usize, bytes: usize) -> Result<HistoryPage, Error> {
        let found = self.shared.store.read(|c| view::history(c, &self.id, after, limit, bytes))?;
        found.ok_or_else(|| Error::UnknownExecution(self.id.clone()))
    }

    /// Delivers an event to this execution. The delivery is durable on return.
    ///
    /// Returns an error if the execution has ended, its definition does not wait for such events,
    /// the correlation key differs, or the inbox is full.
    ///
    /// A duplicate (same source and id) is not delivered again. See
    /// [`Builder::events_known_for`](crate::Builder::events_known_for).
    pub async fn send(&self, event: CloudEvent) -> Result<(), Error> {
        self.send_all(vec![event]).await.map(drop)
    }

    /// Delivers several events as [`Execution::send`] does, all or none. Returns the number
    /// without duplicates.
    pub async fn send_all(&self, events: Vec<CloudEvent>) -> Result<usize, Error> {
        let (shared, id, events) = (self.shared.clone(), self.id.clone(), self.shared.route(events));
        // The time of the transaction decides if a wait has timed out.
        self.send_command(move |c| inbox::send(c, &id, &events, shared.moment()), "sent an event").await
    }

    /// Cancels the execution with the error
    /// [`CANCELLED`](workflow_runtime::fault::names::CANCELLED). Running tasks are dropped. The
    /// request is durable on return.
    pub async fn cancel(&self, cause: &str) -> Result<(), Error> {
        let now = self.shared.settings.clock.now().as_micros();
        let (id, cause) = (self.id.clone(), cause.to_owned());
        self.send_command(move |c| executions::cancel(c, &id, &cause, now), "cancelled").await.map(drop)
    }

    /// Redrives an execution that has failed or was parked: continues it from the state that
    /// failed. A task whose failure ended the execution runs again. The output of a task that
    /// succeeded before its state failed is kept.
    pub async fn redrive(&self) -> Result<(), Error> {
        // An execution that cannot be restored keeps its failure.
        if let Some((found, rows)) = self.shared.store.read(|c| loading::stored(c, self.number))? {
            self.shared.registry.restore(&found, &rows).map_err(Error::Mismatch)?;
        }
        let (id, now) = (self.id.clone(), self.shared.settings.clock.now().as_micros());
        self.send_command(move |c| executions::redrive(c, &id, now), "redriven").await.map(drop)
    }

    /// Changes a run of a distributed Map that has not ended: how many of its children run at
    /// once, and how many failures it tolerates. The change is durable on return.
    ///
    /// # Errors
    /// The execution is not the run of a distributed Map or has ended, or a number is out of
    /// range.
    pub async fn update_map(&self, update: MapUpdate) -> Result<(), Error> {
        update.check().map_err(|invalid| Error::InvalidUpdate(invalid.to_string()))?;
        let id = self.id.clone();
        self.send_command(move |c| map_updates::update(c, &id, update), "updated").await.map(drop)
    }

    /// Sends a command to the execution. Returns the number of effects.
    async fn send_command(
        &self,
        mut command: impl FnMut(&rusqlite::Connection) -> rusqlite::Result<CommandResult> + Send + 'static,
        asked: &'static str,
    ) -> Result<usize, Error> {
        let (shared, recorder) = (self.shared.clone(), self.shared.clone());
        let write = move |c: &rusqlite::Connection| {
            let result = command(c)?;
            if let CommandResult::Done(effects) = &result {
                recorder.record_failures(c, effects)?;
            }
            Ok(result)
        };
        let run_effects = move |result: &CommandResult| {
            if let CommandResult::Done(effects) = result {
                shared.run_effects(effects);
            }
        };
        match self.shared.store.write_then(write, run_effects).await? {
            CommandResult::Done(effects) => Ok(effects.len()),
            CommandResult::Unknown => Err(Error::UnknownExecution(self.id.clone())),
            CommandResult::Unwanted { event, workflow, correlation } => {
                let reason = self.shared.registry.unwanted(&workflow, &event, &correlation);
                Err(Error::UnwantedEvent { execution: self.id.clone(), reason: Box::new(reason) })
            }
            CommandResult::NoMapRun => Err(Error::InvalidUpdate(EngineError::no_map_run(&self.id).to_string())),
            CommandResult::Full => Err(Error::TooManyEvents(self.id.clone())),
            CommandResult::NotNow(status) => Err(Error::NotNow { execution: self.id.clone(), status, asked }),
        }
    }
}
