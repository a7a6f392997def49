//! Interface of engines that keep executions: start, observe, change and end them.
//!
//! A program that uses only [`Engine`] runs on every engine. What an engine lacks is missing in
//! its [`Capabilities`], and the methods for it return [`EngineError::Unsupported`].

mod capability;
mod description;
mod error;
mod request;
mod summary;

use std::pin::Pin;
use std::time::Duration;

pub use capability::{Capabilities, Capability};
pub use description::{Child, Deadline, Description, WaitsAt, WaitsFor};
pub use error::EngineError;
pub use request::{Publication, Purge, Reached, Signal, StartRequest, StartTime, Started, TaskToken};
pub use summary::{Counts, Filter, HistoryPage, Summary};

use crate::CloudEvent;
pub use crate::coordination::Status;
pub use crate::machine::{AwaitedEvent, Inactive, InvalidMapUpdate, MapCounts, MapUpdate, UnwantedEvent};
use crate::machine::{Definition, Outcome};

/// Future of a method of [`Engine`].
pub type EngineFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, EngineError>> + Send + 'a>>;

/// Engine that keeps executions. Programs hold it as `Arc<dyn Engine>`.
///
/// The default of a method for which an engine can lack a [`Capability`] is the refusal.
///
/// If the engine is durable, so is a change whose method has returned. A future that is dropped
/// may have had its effect. Methods may be called from any task of a tokio runtime, and block no
/// thread of it for long.
///
/// ```no_run
/// use workflow_runtime::engine::{Engine, EngineError, Filter, Signal, StartRequest, Status, TaskToken};
/// use workflow_runtime::value;
///
/// # async fn operate(engine: &dyn Engine, token: &str) -> Result<(), EngineError> {
/// let started = engine.start(StartRequest::new("order", value!({ "amount": 25 })).id("order-17")).await?;
/// engine.signal(TaskToken::new(token), Signal::Succeed(value!({ "approved": true }))).await?;
/// println!("{:?}", engine.attach(&started.id).await?);
/// for failed in engine.list(&Filter::all().status(Status::Failed)).await? {
///     engine.redrive(&failed.id).await?;
/// }
/// # Ok(())
/// # }
/// ```
pub trait Engine: Send + Sync {
    /// Returns what the engine can do.
    fn capabilities(&self) -> Capabilities;

    /// Returns the current definitions of the workflows that it can start, one for each name.
    fn workflows(&self) -> Vec<&'static Definition>;

    /// Starts an execution, or returns the one that an equal request has started.
    ///
    /// # Errors
    /// [`UnknownWorkflow`](EngineError::UnknownWorkflow), and the refusals of the request:
    /// [`InvalidId`](EngineError::InvalidId), [`IdTaken`](EngineError::IdTaken),
    /// [`KeyReused`](EngineError::KeyReused), [`InputRefused`](EngineError::InputRefused),
    /// [`Inactive`](EngineError::Inactive).
    fn start(&self, request: StartRequest) -> EngineFuture<'_, Started> {
        let _ = request;
        self.capabilities().refusal(Capability::Changes)
    }

    /// Waits until an execution has ended or was parked, and returns its outcome. The caller
    /// limits the time by dropping the future.
    ///
    /// # Errors
    /// [`UnknownExecution`](EngineError::UnknownExecution), and
    /// [`CannotContinue`](EngineError::CannotContinue) if the outcome will not come.
    fn attach<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Outcome>;

    /// Cancels an execution with the error
    /// [`CANCELLED`](crate::fault::names::CANCELLED). Running tasks are dropped. An empty cause is
    /// no cause.
    ///
    /// # Errors
    /// [`UnknownExecution`](EngineError::UnknownExecution), and [`NotNow`](EngineError::NotNow) if
    /// it has ended.
    fn cancel<'a>(&'a self, id: &'a str, cause: &'a str) -> EngineFuture<'a, ()> {
        let _ = (id, cause);
        self.capabilities().refusal(Capability::Changes)
    }

    /// Redrives an execution that has failed or was parked: continues it from the state that
    /// failed.
    ///
    /// # Errors
    /// [`UnknownExecution`](EngineError::UnknownExecution), and [`NotNow`](EngineError::NotNow) if
    /// it has not failed.
    fn redrive<'a>(&'a self, id: &'a str) -> EngineFuture<'a, ()> {
        let _ = id;
        self.capabilities().refusal(Capability::Redrives)
    }

    /// Changes a run of a distributed Map that has not ended: how many of its children run at
    /// once, and how many failures it tolerates. More children start at once; where fewer may run,
    /// those that run end.
    ///
    /// # Errors
    /// [`UnknownExecution`](EngineError::UnknownExecution), [`NotNow`](EngineError::NotNow) if it
    /// has ended, and [`Invalid`](EngineError::Invalid) if it is not the run of a distributed Map,
    /// or if a number is out of range.
    fn update_map<'a>(&'a self, id: &'a str, update: MapUpdate) -> EngineFuture<'a, ()> {
        let _ = (id, update);
        self.capabilities().refusal(Capability::MapUpdates)
    }

    /// Reports to the task of a token.
    ///
    /// # Errors
    /// [`UnknownToken`](EngineError::UnknownToken) if no task waits for an outcome by this token.
    /// If the caller names the execution also [`UnknownExecution`](EngineError::UnknownExecution),
    /// and [`NotNow`](EngineError::NotNow) if it has ended.
    fn signal<'a>(&'a self, task: TaskToken<'a>, signal: Signal) -> EngineFuture<'a, ()> {
        let _ = (task, signal);
        self.capabilities().refusal(Capability::Changes)
    }

    /// Delivers events to one execution, all or none. Returns the number of events without
    /// duplicates (same source and id), which are not delivered again.
    ///
    /// # Errors
    /// [`UnknownExecution`](EngineError::UnknownExecution), [`NotNow`](EngineError::NotNow) if it
    /// has ended, [`UnwantedEvent`](EngineError::UnwantedEvent) if its definition does not wait
    /// for such events, and [`InboxFull`](EngineError::InboxFull).
    fn send<'a>(&'a self, id: &'a str, events: Vec<CloudEvent>) -> EngineFuture<'a, usize> {
        let _ = (id, events);
        self.capabilities().refusal(Capability::Changes)
    }

    /// Delivers events to all unfinished executions whose definitions wait for them, and starts
    /// executions if the publication asks for it. Returns one count for each event. An engine
    /// without [`Capability::Batches`] may have published a part of the events if it returns an
    /// error; publishing them again is harmless.
    ///
    /// # Errors
    /// Those of every method: [`Unavailable`](EngineError::Unavailable) and the like.
    fn publish(&self, publication: Publication) -> EngineFuture<'_, Vec<Reached>> {
        let _ = publication;
        self.capabilities().refusal(Capability::Changes)
    }

    /// Lists executions, newest first.
    ///
    /// # Errors
    /// [`UnknownExecution`](EngineError::UnknownExecution) if the filter's `before` is unknown.
    fn list<'a>(&'a self, filter: &'a Filter) -> EngineFuture<'a, Vec<Summary>> {
        let _ = filter;
        self.capabilities().refusal(Capability::Lists)
    }

    /// Returns the summary of an execution, and its outcome if it has ended or was parked. Does
    /// not read its input.
    ///
    /// # Errors
    /// [`UnknownExecution`](EngineError::UnknownExecution).
    fn summary<'a>(&'a self, id: &'a str) -> EngineFuture<'a, (Summary, Option<Outcome>)>;

    /// Describes an execution in full.
    ///
    /// # Errors
    /// [`UnknownExecution`](EngineError::UnknownExecution).
    fn describe<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Description>;

    /// Returns the waiting branches of an execution.
    ///
    /// # Errors
    /// [`UnknownExecution`](EngineError::UnknownExecution).
    fn waiting<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Vec<WaitsAt>> {
        Box::pin(async move { Ok(self.describe(id).await?.waiting) })
    }

    /// Returns at most `limit` events of a history after the one numbered `after`; the first event
    /// has the number 1. A page ends early where its events would have more than `bytes`, but has
    /// at least one event.
    ///
    /// # Errors
    /// [`UnknownExecution`](EngineError::UnknownExecution).
    fn history<'a>(&'a self, id: &'a str, after: u64, limit: usize, bytes: usize) -> EngineFuture<'a, HistoryPage> {
        let _ = (id, after, limit, bytes);
        self.capabilities().refusal(Capability::Histories)
    }

    /// Removes executions that ended longer ago than `older_than`, or only their histories.
    /// Returns the number of executions.
    ///
    /// # Errors
    /// Those of every method: [`Unavailable`](EngineError::Unavailable) and the like.
    fn purge(&self, older_than: Duration, what: Purge) -> EngineFuture<'_, usize> {
        let _ = (older_than, what);
        self.capabilities().refusal(Capability::Purges)
    }

    /// Replaces every task token in a text with `[token]`, whichever execution the token belongs
    /// to. Whoever has a token can end its task. By default the text stays as it is: this suits
    /// engines whose answers have tokens only as [`WaitsAt::token`].
    ///
    /// # Errors
    /// Those of every method: [`Unavailable`](EngineError::Unavailable) and the like.
    fn without_tokens(&self, text: String) -> EngineFuture<'_, String> {
        Box::pin(std::future::ready(Ok(text)))
    }

    /// Returns the numbers of executions and of waiting events.
    ///
    /// # Errors
    /// Those of every method: [`Unavailable`](EngineError::Unavailable) and the like.
    fn counts(&self) -> EngineFuture<'_, Counts> {
        self.capabilities().refusal(Capability::Counts)
    }

    /// Returns the reason why the engine has stopped working, if it has.
    fn problem(&self) -> Option<EngineError> {
        None
    }

    /// Publishes the address at which this process serves the engine, for processes that find its
    /// store in use.
    fn announce(&self, address: &str) {
        let _ = address;
    }

    /// Stops the engine in this process: starts nothing new, and waits up to `grace` for running
    /// tasks if it has [`Capability::Workers`]. Nothing that was acknowledged is lost.
    fn shut_down(&self, grace: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}
