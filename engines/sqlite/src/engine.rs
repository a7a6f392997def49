//! The engine as programs see it.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::JoinHandle;
use workflow_runtime::engine::driver::Callbacks;
use workflow_runtime::machine::{Definition, Inactive, Outcome};
use workflow_runtime::{CloudEvent, Fault, Object, Timestamp, Value, Workflow};

use crate::beyond::Notice;
use crate::builder::Settings;
use crate::executions::{self, Delivered, Ordered, Status};
use crate::lease::Lease;
use crate::loading;
use crate::mail::{self, Moment, Reached, Starts};
use crate::registry::{Addressed, Registry};
use crate::scheduler::Signal;
use crate::store::Store;
use crate::view::{self, Description, Filter, HistoryPage, Summary};
use crate::{Builder, Error, Submit, codec, tokens};

/// How many executions one transaction purges.
const PURGED_AT_ONCE: i64 = 50;

/// Runs executions that are kept in a database. A clone is the same engine.
///
/// It runs as long as the tokio runtime in which it was opened, or until [`Engine::shut_down`]. An engine that is only
/// dropped is one that has crashed: nothing is lost by it.
#[derive(Clone)]
pub struct Engine {
    pub(crate) shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub store: Arc<Store>,
    pub registry: Registry,
    pub settings: Settings,
    /// Signs of life of tasks whose outcomes arrive by token.
    pub callbacks: Callbacks,
    signals: mpsc::UnboundedSender<Signal>,
    /// Who waits for the end of which execution.
    ends: Mutex<HashMap<i64, Arc<Notify>>>,
    /// Why executions do not go on that cannot.
    refused: Mutex<HashMap<i64, Error>>,
    running: Mutex<Option<JoinHandle<()>>>,
    /// Whether executions run no more.
    over: AtomicBool,
    lease: Mutex<Option<Lease>>,
    random: Mutex<Random>,
    /// When workflows were deployed whose schedules are counted from that.
    deployed: HashMap<&'static str, Timestamp>,
}

/// Ids and seeds: nobody can foresee them.
#[derive(Default)]
struct Random(std::hash::RandomState, u64);

impl Shared {
    pub fn new(
        store: Arc<Store>,
        lease: Lease,
        registry: Registry,
        settings: Settings,
        deployed: HashMap<&'static str, Timestamp>,
    ) -> (Shared, mpsc::UnboundedReceiver<Signal>) {
        let (signals, receiver) = mpsc::unbounded_channel();
        let shared = Shared {
            store,
            registry,
            settings,
            callbacks: Callbacks::new(),
            signals,
            ends: Mutex::default(),
            refused: Mutex::default(),
            running: Mutex::default(),
            over: AtomicBool::new(false),
            lease: Mutex::new(Some(lease)),
            random: Mutex::default(),
            deployed,
        };
        (shared, receiver)
    }

    pub fn run(&self, scheduler: JoinHandle<()>) {
        *lock(&self.running) = Some(scheduler);
    }

    /// Tells the scheduler. One that is gone has nothing to do any more.
    pub fn signal(&self, signal: Signal) {
        let _ = self.signals.send(signal);
    }

    /// Tells whom a transaction concerns that is durable by now.
    pub fn tell(&self, notices: &[Notice]) {
        for notice in notices {
            match notice {
                Notice::Queued => self.signal(Signal::Queued(None)),
                Notice::Arrived(execution, op, outcome) => {
                    self.signal(Signal::Arrived(*execution, *op, outcome.clone(), None));
                }
                Notice::Mail(execution, number, event) => {
                    self.signal(Signal::Mail(*execution, *number, event.clone()));
                }
                Notice::LookAt(execution) => {
                    // One that could not go on may now.
                    self.accept(*execution);
                    self.signal(Signal::LookAt(*execution));
                }
                Notice::Ended(execution) => self.tell_end(*execution),
                Notice::Full(id) => self.problem(&Error::TooManyEvents(id.clone())),
            }
        }
    }

    /// Whether an execution of a workflow can be started at this time.
    pub fn admits(&self, workflow: &'static str, at: Timestamp) -> Result<(), Inactive> {
        let definition = self.registry.current(workflow).map(|one| one.program.definition);
        let Some(schedule) = definition.and_then(|definition| definition.schedule) else { return Ok(()) };
        schedule.admits(workflow, at, self.deployed.get(workflow).copied().unwrap_or_default())
    }

    /// What time it is, and what of events is not known any more.
    pub fn moment(&self) -> Moment {
        let known = i64::try_from(self.settings.events_known_for.as_micros()).unwrap_or(i64::MAX);
        let at = self.settings.clock.now().as_micros();
        Moment { at, forgotten: at.saturating_sub(known) }
    }

    /// Whom events are for.
    fn address(&self, events: Vec<CloudEvent>) -> Vec<Addressed> {
        events.into_iter().map(|event| self.registry.address(Arc::new(event))).collect()
    }

    /// An execution has ended, or the engine has: who waits for it looks again.
    pub fn tell_end(&self, execution: i64) {
        if let Some(waiting) = lock(&self.ends).remove(&execution) {
            waiting.notify_waiters();
        }
    }

    /// An execution cannot go on.
    pub fn refuse(&self, execution: i64, error: Error) {
        self.problem(&error);
        lock(&self.refused).insert(execution, error);
        self.tell_end(execution);
    }

    /// An execution goes on, after all.
    pub fn accept(&self, execution: i64) {
        lock(&self.refused).remove(&execution);
    }

    pub fn is_refused(&self, execution: i64) -> bool {
        lock(&self.refused).contains_key(&execution)
    }

    pub fn refused(&self) -> usize {
        lock(&self.refused).len()
    }

    /// The engine runs no executions any more.
    pub fn tell_all(&self) {
        self.over.store(true, Ordering::SeqCst);
        for (_, waiting) in lock(&self.ends).drain() {
            waiting.notify_waiters();
        }
    }

    pub fn problem(&self, error: &Error) {
        (self.settings.on_problem)(error);
    }

    pub fn random_u64(&self) -> u64 {
        use std::hash::BuildHasher as _;
        let mut random = lock(&self.random);
        random.1 += 1;
        let fresh = std::hash::RandomState::new();
        random.0.hash_one(random.1) ^ fresh.hash_one(std::process::id())
    }

    /// A UUID of version 4 (RFC 9562 §5.4).
    pub fn random_uuid(&self) -> String {
        let high = self.random_u64() & !0xf000 | 0x4000;
        let low = self.random_u64() & !(0b11 << 62) | 0b10 << 62;
        let (first, second, third) = (high >> 32, high >> 16 & 0xffff, high & 0xffff);
        format!("{first:08x}-{second:04x}-{third:04x}-{:04x}-{:012x}", low >> 48, low & 0xffff_ffff_ffff)
    }
}

impl Engine {
    /// Sets up an engine on the database at this path, which is made if there is none.
    pub fn at(path: impl AsRef<Path>) -> Builder {
        Builder::new(path.as_ref())
    }

    pub(crate) fn new(shared: Arc<Shared>) -> Engine {
        Engine { shared }
    }

    /// An execution of the workflow `W`, to be started with [`Submit::submit`].
    pub fn start<W: Workflow>(&self, input: impl Into<Value>) -> Submit<'_> {
        Submit::new(self, W::DEFINITION.name, input.into())
    }

    /// As [`Engine::start`], by the name of the workflow.
    pub fn start_named(&self, workflow: &str, input: impl Into<Value>) -> Result<Submit<'_>, Error> {
        let unknown = || Error::UnknownWorkflow(workflow.to_owned());
        let registered = self.shared.registry.current(workflow).ok_or_else(unknown)?;
        Ok(Submit::new(self, registered.program.definition.name, input.into()))
    }

    /// What is known of the workflow of this name.
    pub fn definition(&self, workflow: &str) -> Result<&'static Definition, Error> {
        let unknown = || Error::UnknownWorkflow(workflow.to_owned());
        self.shared.registry.current(workflow).map(|one| one.program.definition).ok_or_else(unknown)
    }

    /// The names of the workflows.
    pub fn workflows(&self) -> Vec<&'static str> {
        self.shared.registry.names()
    }

    /// The execution of this id.
    pub fn execution(&self, id: &str) -> Result<Execution, Error> {
        let found = self.shared.store.read(|c| {
            use rusqlite::OptionalExtension as _;
            let text = "SELECT number FROM executions WHERE id = ?1";
            c.prepare_cached(text)?.query_row([id], |row| row.get(0)).optional()
        })?;
        let number = found.ok_or_else(|| Error::UnknownExecution(id.to_owned()))?;
        Ok(Execution::new(self.shared.clone(), number, id.to_owned(), false))
    }

    /// The executions, the newest first.
    pub fn list(&self, filter: &Filter) -> Result<Vec<Summary>, Error> {
        self.shared.store.read(|c| view::list(c, filter))
    }

    /// The text, with `[token]` in the place of tokens by which outcomes of tasks are waited for: of any execution, wherever it
    /// got them.
    pub fn without_tokens(&self, text: String) -> Result<String, Error> {
        self.shared.store.read(|c| tokens::mask(c, text))
    }

    /// The task of this token has succeeded. When this returns, that is durable.
    pub async fn succeed(&self, token: &str, output: impl Into<Value>) -> Result<(), Error> {
        self.deliver(token, Ok(output.into())).await
    }

    /// The task of this token has failed. When this returns, that is durable.
    pub async fn fail(&self, token: &str, fault: Fault) -> Result<(), Error> {
        self.deliver(token, Err(fault)).await
    }

    /// The task of this token has given a sign of life.
    pub fn heartbeat(&self, token: &str) -> Result<(), Error> {
        // An execution whose tasks must give signs of life is never let go of; those of others do not matter.
        if self.shared.callbacks.heartbeat(token).is_ok() {
            return Ok(());
        }
        let known = self.shared.store.read(|c| executions::has_token(c, token))?;
        if known { Ok(()) } else { Err(Error::UnknownToken) }
    }

    /// Delivers an event to all executions that have not ended and whose definitions wait for such events, now or later. When
    /// this returns, that is durable. How many those are.
    ///
    /// An execution that was given an event of this source and id within a day is not given it again, and is counted.
    pub async fn publish(&self, event: CloudEvent) -> Result<Reached, Error> {
        let reached = self.publish_all(vec![event]).await?;
        Ok(reached.into_iter().next().unwrap_or_default())
    }

    /// As [`Engine::publish`], all of these events or none. How many executions each has reached.
    pub async fn publish_all(&self, events: Vec<CloudEvent>) -> Result<Vec<Reached>, Error> {
        let events = self.shared.address(events).into_iter().map(|event| (event, Starts::new()));
        self.put_all(events.collect()).await
    }

    /// As [`Engine::publish_all`]; and an event that executions of a workflow start on starts one, unless an execution of it waits for
    /// such an event in its first state, or was just submitted: that one gets it instead. In its place it is not kept by executions
    /// that do not wait for such events but there.
    ///
    /// What is started has the input `{}` and these settings, and the event. The event's source
    /// and id are kept with it, apart from all keys, so that the same event starts nothing more as
    /// long as the execution is there; nor does one that an execution has taken in its first
    /// state, for a day.
    pub async fn publish_and_start(&self, events: Vec<CloudEvent>, settings: &Object) -> Result<Vec<Reached>, Error> {
        let with_starts = |event: Addressed| {
            let starts = event.starts.iter().map(|(workflow, opening)| {
                let mut submit = Submit::new(self, workflow, Object::new().into()).settings(settings.clone());
                if let Some(value) = opening.correlation(&event.event) {
                    submit = submit.correlate(&*value);
                }
                let new = submit.event(&event.event).prepare();
                (*workflow, Some(new).filter(|new| new.refused.is_none()))
            });
            let starts = starts.collect();
            (event, starts)
        };
        self.put_all(self.shared.address(events).into_iter().map(with_starts).collect()).await
    }

    async fn put_all(&self, events: Vec<(Addressed, Starts)>) -> Result<Vec<Reached>, Error> {
        let now = self.shared.moment();
        let told = self.shared.clone();
        let write = move |c: &rusqlite::Connection| {
            let mut notices = Vec::new();
            let put =
                |(event, starts): &(Addressed, Starts)| mail::publish_from_outside(c, event, starts, now, &mut notices);
            let reached = events.iter().map(put).collect::<rusqlite::Result<Vec<Reached>>>()?;
            Ok((reached, notices))
        };
        let (reached, _) = self.shared.store.write_then(write, move |(_, notices)| told.tell(notices)).await?;
        Ok(reached)
    }

    async fn deliver(&self, token: &str, outcome: Outcome) -> Result<(), Error> {
        let (token, kept) = (token.to_owned(), outcome.clone());
        let (shared, (seen, told)) = (self.shared.clone(), oneshot::channel());
        let tell = move |delivered: &Option<Delivered>| {
            if let Some(Delivered { execution, op }) = delivered {
                shared.signal(Signal::Arrived(*execution, *op, outcome, Some(seen)));
            }
        };
        let delivered = self.shared.store.write_then(move |c| executions::deliver(c, &token, &kept), tell).await?;
        delivered.ok_or(Error::UnknownToken)?;
        // What is durable is enough if no executions run any more. If they do, the task does not begin any more either.
        let _ = told.await;
        Ok(())
    }

    /// Removes executions that ended before, with their history. How many there were.
    pub async fn purge(&self, older_than: Duration) -> Result<usize, Error> {
        self.in_parts(older_than, executions::purge).await
    }

    /// Removes the history of executions that ended before. How many there were.
    pub async fn purge_history(&self, older_than: Duration) -> Result<usize, Error> {
        self.in_parts(older_than, executions::purge_history).await
    }

    /// Others can write in between.
    async fn in_parts(
        &self,
        older_than: Duration,
        purge: fn(&rusqlite::Connection, i64, i64) -> rusqlite::Result<usize>,
    ) -> Result<usize, Error> {
        let age = i64::try_from(older_than.as_micros()).unwrap_or(i64::MAX);
        let before = self.shared.settings.clock.now().as_micros().saturating_sub(age);
        let mut purged = 0;
        loop {
            let part = self.shared.store.write(move |c| purge(c, before, PURGED_AT_ONCE)).await?;
            purged += part;
            if (part as i64) < PURGED_AT_ONCE {
                return Ok(purged);
            }
        }
    }

    /// Why nothing goes on any more, if it does not: the database cannot be written.
    pub fn problem(&self) -> Option<Error> {
        self.shared.store.has_failed().then(|| self.shared.store.problem())
    }

    /// Notes, for processes that find the database in use, what this one does with it: `serves http://…`.
    pub fn note(&self, what: &str) {
        if let Some(lease) = &mut *lock(&self.shared.lease) {
            // The lease is held whatever its file says.
            let _ = lease.note(&format!(", which {what}"));
        }
    }

    /// Begins nothing new, waits so long for the tasks that are under way, and lets go of the database. Tasks that take
    /// longer are dropped; they run once more when the database is opened again.
    pub async fn shut_down(&self, grace: Duration) {
        let (done, told) = oneshot::channel();
        self.shared.signal(Signal::ShutDown(grace, done));
        let _ = told.await;
        let running = lock(&self.shared.running).take();
        if let Some(running) = running {
            let _ = running.await;
        }
        let _ = self.shared.store.write(|c| c.execute("UPDATE facts SET value = 1 WHERE name = 'clean'", [])).await;
        let store = self.shared.store.clone();
        let _ = tokio::task::spawn_blocking(move || store.close()).await;
        drop(lock(&self.shared.lease).take());
    }
}

/// An execution in the database.
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

    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether it was made by the call that returned this.
    pub fn is_new(&self) -> bool {
        self.new
    }

    /// Waits until it has ended, or was parked, and returns its outcome. Why it cannot go on is an error.
    pub async fn result(&self) -> Result<Outcome, Error> {
        loop {
            // Looked at before, so that nothing is remembered for those that have ended, and after, so that no end is missed.
            if let Some(outcome) = self.outcome()? {
                return Ok(outcome);
            }
            let waiting = lock(&self.shared.ends).entry(self.number).or_default().clone();
            let mut told = std::pin::pin!(waiting.notified());
            told.as_mut().enable();
            if self.outcome()?.is_some() {
                self.shared.tell_end(self.number);
                continue;
            }
            if let Some(error) = lock(&self.shared.refused).get(&self.number) {
                return Err(error.clone());
            }
            if self.shared.over.load(Ordering::SeqCst) {
                return Err(self.shared.store.problem());
            }
            told.await;
        }
    }

    /// Its outcome, if it has ended or was parked.
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

    /// What it does.
    pub fn describe(&self) -> Result<Description, Error> {
        let found = self.shared.store.read(|c| view::describe(c, &self.id))?;
        found.ok_or_else(|| Error::UnknownExecution(self.id.clone()))
    }

    /// What is seen of it at a glance, and how it ended, or why it was parked. Reads nothing of its input.
    pub fn summary(&self) -> Result<(Summary, Option<Outcome>), Error> {
        let found = self.shared.store.read(|c| view::outcome(c, &self.id))?;
        found.ok_or_else(|| Error::UnknownExecution(self.id.clone()))
    }

    /// What observers saw: lines of JSON, the oldest first.
    pub fn history(&self) -> Result<Vec<String>, Error> {
        Ok(self.page(0, usize::MAX, usize::MAX)?.events)
    }

    /// At most so many events after the one of this number: the first one has the number 1. Of many, the oldest are no longer
    /// there. They are fewer where they have more than 16 MiB together.
    pub fn history_after(&self, after: u64, limit: usize) -> Result<HistoryPage, Error> {
        self.page(after, limit, view::PAGE_BYTES)
    }

    fn page(&self, after: u64, limit: usize, bytes: usize) -> Result<HistoryPage, Error> {
        let found = self.shared.store.read(|c| view::history(c, &self.id, after, limit, bytes))?;
        found.ok_or_else(|| Error::UnknownExecution(self.id.clone()))
    }

    /// Delivers an event to it. When this returns, that is durable; it is an error if the execution has ended, its definition
    /// does not wait for such events or the event correlates with others, or it keeps too many that it does not wait for yet.
    ///
    /// An event of a source and id that it was given within a day is not delivered again ([`Builder::events_known_for`]).
    pub async fn send(&self, event: CloudEvent) -> Result<(), Error> {
        self.send_all(vec![event]).await.map(drop)
    }

    /// As [`Execution::send`], all of these events or none. How many of them it was not given before.
    pub async fn send_all(&self, events: Vec<CloudEvent>) -> Result<usize, Error> {
        let (events, now) = (self.shared.address(events), self.shared.moment());
        let id = self.id.clone();
        self.order(move |c| mail::send(c, &id, &events, now), "given an event").await
    }

    /// Ends it from outside, with the error [`CANCELLED`](workflow_runtime::fault::names::CANCELLED). Its tasks are dropped. When this returns, it will
    /// end whatever happens.
    pub async fn cancel(&self, cause: &str) -> Result<(), Error> {
        let now = self.shared.settings.clock.now().as_micros();
        let (id, cause) = (self.id.clone(), cause.to_owned());
        self.order(move |c| executions::cancel(c, &id, &cause, now), "cancelled").await.map(drop)
    }

    /// Takes up an execution that has failed, or that was parked, from the state that it failed in: the task whose failure
    /// was its end runs again; what a task has yielded before a state failed of it is kept.
    pub async fn redrive(&self) -> Result<(), Error> {
        // One that could not go on keeps what it failed of.
        if let Some((found, rows)) = self.shared.store.read(|c| loading::stored(c, self.number))? {
            self.shared.registry.restore(&found, &rows).map_err(Error::Mismatch)?;
        }
        let id = self.id.clone();
        self.order(move |c| executions::redrive(c, &id), "taken up again").await.map(drop)
    }

    /// How much there was to tell.
    async fn order(
        &self,
        order: impl FnMut(&rusqlite::Connection) -> rusqlite::Result<Ordered> + Send + 'static,
        asked: &'static str,
    ) -> Result<usize, Error> {
        let shared = self.shared.clone();
        let tell = move |ordered: &Ordered| {
            if let Ordered::Done(notices) = ordered {
                shared.tell(notices);
            }
        };
        match self.shared.store.write_then(order, tell).await? {
            Ordered::Done(notices) => Ok(notices.len()),
            Ordered::Unknown => Err(Error::UnknownExecution(self.id.clone())),
            Ordered::Unwanted => Err(Error::UnwantedEvent(self.id.clone())),
            Ordered::Full => Err(Error::TooManyEvents(self.id.clone())),
            Ordered::NotNow(status) => {
                let status = match status {
                    Status::Queued => "has not begun",
                    Status::Running => "is running",
                    Status::Succeeded => "has succeeded",
                    Status::Failed => "has failed",
                    Status::Cancelled => "was cancelled",
                    Status::Parked => "was parked",
                };
                Err(Error::NotNow { execution: self.id.clone(), status, asked })
            }
        }
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
