//! Public interface of the engine and of its executions.

mod execution;
mod interface;
mod observers;

pub use execution::Execution;

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::JoinHandle;
use workflow_runtime::coordination::RoutedEvent;
use workflow_runtime::engine::driver::Callbacks;
use workflow_runtime::engine::{Filter, Reached, Summary};
use workflow_runtime::machine::{Definition, Inactive, Outcome};
use workflow_runtime::{CloudEvent, Fault, Object, Timestamp, Value, Workflow, id};

use crate::builder::Settings;
use crate::children::AfterCommit;
use crate::executions::{self, Delivered};
use crate::inbox::{self, Moment};
use crate::lease::Lease;
use crate::records::Starts;
use crate::registry::Registry;
use crate::scheduler::Signal;
use crate::store::Store;
use crate::view;
use crate::{Builder, Error, Submit, tokens};

/// Number of executions that one transaction purges.
const PURGE_BATCH: i64 = 50;

/// Engine that runs the executions of a database. A clone is the same engine.
///
/// The engine runs as long as the tokio runtime in which it was opened, or until
/// [`Engine::shut_down`]. Dropping it is like a crash: nothing is lost.
///
/// ```no_run
/// use workflow_runtime::{CloudEvent, value};
/// use workflow_sqlite::{Engine, Error, Filter, Status};
///
/// # async fn operate(engine: &Engine, token: &str) -> Result<(), Error> {
/// engine.succeed(token, value!({ "approved": true })).await?;
/// engine.publish(CloudEvent::new("17", "/courier", "parcel.delivered")).await?;
/// for failed in engine.list(&Filter::all().status(Status::Failed))? {
///     engine.execution(&failed.id)?.redrive().await?;
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Engine {
    pub(crate) shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub store: Arc<Store>,
    pub registry: Registry,
    pub settings: Settings,
    /// Heartbeats of tasks whose outcomes arrive by token.
    pub callbacks: Callbacks,
    signals: mpsc::UnboundedSender<Signal>,
    /// Waiters for the end of an execution.
    ends: Mutex<HashMap<i64, Arc<Notify>>>,
    /// Executions that cannot continue, each with the reason.
    stuck: Mutex<HashMap<i64, Error>>,
    running: Mutex<Option<JoinHandle<()>>>,
    /// Set once the scheduler has stopped.
    is_stopped: AtomicBool,
    lease: Mutex<Option<Lease>>,
    random: Mutex<RandomSource>,
    /// Deployment times of workflows with a schedule relative to the deployment.
    deployed: HashMap<&'static str, Timestamp>,
}

/// Source of unpredictable ids and seeds.
#[derive(Default)]
struct RandomSource(std::hash::RandomState, u64);

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
            stuck: Mutex::default(),
            running: Mutex::default(),
            is_stopped: AtomicBool::new(false),
            lease: Mutex::new(Some(lease)),
            random: Mutex::default(),
            deployed,
        };
        (shared, receiver)
    }

    pub fn run(&self, scheduler: JoinHandle<()>) {
        *lock(&self.running) = Some(scheduler);
    }

    /// Sends a signal to the scheduler. A scheduler that has stopped ignores it.
    pub fn signal(&self, signal: Signal) {
        let _ = self.signals.send(signal);
    }

    /// Runs the effects of a transaction that is durable by now.
    pub fn run_effects(&self, effects: &[AfterCommit]) {
        for effect in effects {
            match effect {
                AfterCommit::Queued => self.signal(Signal::Queued(None)),
                AfterCommit::Arrived(execution, op, outcome) => {
                    self.signal(Signal::Arrived(*execution, *op, outcome.clone(), None));
                }
                AfterCommit::Event(execution, number, event) => {
                    self.signal(Signal::Event(*execution, *number, event.clone()));
                }
                AfterCommit::LookAt(execution) => {
                    // A stuck execution may be able to continue now.
                    self.clear_stuck(*execution);
                    self.signal(Signal::LookAt(*execution));
                }
                AfterCommit::Ended(execution) => self.notify_ended(*execution),
                AfterCommit::InboxFull(id) => self.problem(&Error::TooManyEvents(id.clone())),
                AfterCommit::ChildFailed(failed) => self.observe_failure(failed),
                AfterCommit::HistoryDamaged(problem) => self.problem(&self.store.damaged(problem.clone())),
            }
        }
    }

    /// Checks the schedule of a workflow at this time.
    pub fn admits(&self, workflow: &'static str, at: Timestamp) -> Result<(), Inactive> {
        let definition = self.registry.current(workflow).map(|one| one.program.definition);
        let deployed = || self.deployed.get(workflow).copied().unwrap_or_default();
        definition.map_or(Ok(()), |definition| definition.check_schedule(at, deployed))
    }

    /// Returns the current time and the start of the deduplication window.
    pub fn moment(&self) -> Moment {
        let known = i64::try_from(self.settings.events_known_for.as_micros()).unwrap_or(i64::MAX);
        let at = self.settings.clock.now().as_micros();
        Moment { at, dedup_since: at.saturating_sub(known) }
    }

    /// Routes events to the workflows that wait for them.
    fn route(&self, events: Vec<CloudEvent>) -> Vec<RoutedEvent> {
        events.into_iter().map(|event| self.registry.route(Arc::new(event))).collect()
    }

    /// Wakes the waiters of an execution that has ended or cannot continue.
    pub fn notify_ended(&self, execution: i64) {
        if let Some(waiting) = lock(&self.ends).remove(&execution) {
            waiting.notify_waiters();
        }
    }

    /// Marks an execution as unable to continue, and reports the reason.
    pub fn mark_stuck(&self, execution: i64, error: Error) {
        self.problem(&error);
        lock(&self.stuck).insert(execution, error);
        self.notify_ended(execution);
    }

    /// Clears the mark of [`Shared::mark_stuck`].
    pub fn clear_stuck(&self, execution: i64) {
        lock(&self.stuck).remove(&execution);
    }

    pub fn is_stuck(&self, execution: i64) -> bool {
        lock(&self.stuck).contains_key(&execution)
    }

    pub fn stuck_count(&self) -> usize {
        lock(&self.stuck).len()
    }

    /// Marks the engine as stopped, and wakes all waiters.
    pub fn notify_stopped(&self) {
        self.is_stopped.store(true, Ordering::SeqCst);
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

    /// Returns a random UUID.
    pub fn random_uuid(&self) -> String {
        id::uuid_v4([self.random_u64(), self.random_u64()])
    }
}

impl Engine {
    /// Returns a builder for an engine on the database at this path. The database is created if
    /// necessary.
    pub fn at(path: impl AsRef<Path>) -> Builder {
        Builder::new(path.as_ref())
    }

    pub(crate) fn new(shared: Arc<Shared>) -> Engine {
        Engine { shared }
    }

    /// Prepares an execution of the workflow `W`; [`Submit::submit`] starts it.
    pub fn start<W: Workflow>(&self, input: impl Into<Value>) -> Submit<'_> {
        Submit::new(self, W::DEFINITION.name, input.into())
    }

    /// Prepares an execution as [`Engine::start`] does, by the name of the workflow.
    pub fn start_named(&self, workflow: &str, input: impl Into<Value>) -> Result<Submit<'_>, Error> {
        let unknown = || Error::UnknownWorkflow(workflow.to_owned());
        let registered = self.shared.registry.current(workflow).ok_or_else(unknown)?;
        Ok(Submit::new(self, registered.program.definition.name, input.into()))
    }

    /// Returns the current definition of the workflow of this name.
    pub fn definition(&self, workflow: &str) -> Result<&'static Definition, Error> {
        let unknown = || Error::UnknownWorkflow(workflow.to_owned());
        self.shared.registry.current(workflow).map(|one| one.program.definition).ok_or_else(unknown)
    }

    /// Returns the names of the registered workflows.
    pub fn workflows(&self) -> Vec<&'static str> {
        self.shared.registry.names()
    }

    /// Returns the execution of this id.
    pub fn execution(&self, id: &str) -> Result<Execution, Error> {
        let found = self.shared.store.read(|c| view::number(c, id))?;
        let number = found.ok_or_else(|| Error::UnknownExecution(id.to_owned()))?;
        Ok(Execution::new(self.shared.clone(), number, id.to_owned(), false))
    }

    /// Lists executions, newest first.
    pub fn list(&self, filter: &Filter) -> Result<Vec<Summary>, Error> {
        self.shared.store.read(|c| view::list(c, filter))
    }

    /// Replaces every task token in a text with `[token]`, whichever execution the token belongs
    /// to.
    pub fn without_tokens(&self, text: String) -> Result<String, Error> {
        self.shared.store.read(|c| tokens::mask(c, text))
    }

    /// Completes the task of this token with an output. The outcome is durable on return.
    pub async fn succeed(&self, token: &str, output: impl Into<Value>) -> Result<(), Error> {
        self.deliver(token, Ok(output.into())).await
    }

    /// Completes the task of this token with a fault. The outcome is durable on return.
    pub async fn fail(&self, token: &str, fault: Fault) -> Result<(), Error> {
        self.deliver(token, Err(fault)).await
    }

    /// Records a heartbeat of the task of this token.
    pub fn heartbeat(&self, token: &str) -> Result<(), Error> {
        // Executions with heartbeats are never unloaded; heartbeats of other executions have no
        // effect.
        if self.shared.callbacks.heartbeat(token).is_ok() {
            return Ok(());
        }
        self.check_token(token)
    }

    /// Returns an error if no task waits for an outcome by this token. A server calls this before
    /// it reads the outcome.
    pub fn check_token(&self, token: &str) -> Result<(), Error> {
        let known =
            self.shared.callbacks.expects(token) || self.shared.store.read(|c| executions::has_token(c, token))?;
        if known { Ok(()) } else { Err(Error::UnknownToken) }
    }

    /// Delivers an event to all unfinished executions whose definitions wait for such events, now
    /// or later. Returns the number of deliveries, which are durable on return.
    ///
    /// A duplicate (same source and id) within the time of [`Builder::events_known_for`] is
    /// counted, but not delivered again.
    pub async fn publish(&self, event: CloudEvent) -> Result<Reached, Error> {
        let reached = self.publish_all(vec![event]).await?;
        Ok(reached.into_iter().next().unwrap_or_default())
    }

    /// Publishes several events as [`Engine::publish`] does, all or none. Returns one count for
    /// each event.
    pub async fn publish_all(&self, events: Vec<CloudEvent>) -> Result<Vec<Reached>, Error> {
        let events = self.shared.route(events).into_iter().map(|event| (event, None));
        self.put_all(events.collect()).await
    }

    /// Publishes events as [`Engine::publish_all`] does, and starts executions. A start event
    /// starts one execution of a workflow, unless an execution of that workflow waits for the
    /// event in its first state or was just submitted: then the event is delivered to that
    /// execution. Executions that wait for such events nowhere else do not keep a copy.
    ///
    /// A started execution has the input `{}`, these settings, and the event. The event's source
    /// and id are stored with it, apart from all keys: the same event starts nothing more as long
    /// as the execution exists. An event that an execution accepted in its first state starts
    /// nothing within the time of [`Builder::events_known_for`].
    pub async fn publish_and_start(&self, events: Vec<CloudEvent>, settings: &Object) -> Result<Vec<Reached>, Error> {
        let with_starts = |event: RoutedEvent| {
            let starts = event.starts.iter().map(|(workflow, opening)| {
                let mut submit = Submit::new(self, workflow, Object::new().into()).settings(settings.clone());
                if let Some(value) = opening.correlation(&event.event) {
                    submit = submit.correlate(&*value);
                }
                let new = submit.event(&event.event).prepare();
                (*workflow, Some(new).filter(|new| new.refused.is_none()))
            });
            let starts = Some(starts.collect());
            (event, starts)
        };
        self.put_all(self.shared.route(events).into_iter().map(with_starts).collect()).await
    }

    async fn put_all(&self, events: Vec<(RoutedEvent, Option<Starts>)>) -> Result<Vec<Reached>, Error> {
        let (shared, clock) = (self.shared.clone(), self.shared.clone());
        let write = move |c: &rusqlite::Connection| {
            // The time of the transaction decides if a wait has timed out.
            let (now, mut effects) = (clock.moment(), Vec::new());
            let put = |(event, starts): &(RoutedEvent, Option<Starts>)| {
                inbox::publish_from_outside(c, event, starts.as_ref(), now, &mut effects)
            };
            let reached = events.iter().map(put).collect::<rusqlite::Result<Vec<Reached>>>()?;
            Ok((reached, effects))
        };
        let (reached, _) = self.shared.store.write_then(write, move |(_, effects)| shared.run_effects(effects)).await?;
        Ok(reached)
    }

    async fn deliver(&self, token: &str, outcome: Outcome) -> Result<(), Error> {
        let (token, kept) = (token.to_owned(), outcome.clone());
        let (shared, (seen, is_seen)) = (self.shared.clone(), oneshot::channel());
        let notify = move |delivered: &Option<Delivered>| {
            if let Some(Delivered { execution, op }) = delivered {
                shared.signal(Signal::Arrived(*execution, *op, outcome, Some(seen)));
            }
        };
        let delivered = self.shared.store.write_then(move |c| executions::deliver(c, &token, &kept), notify).await?;
        delivered.ok_or(Error::UnknownToken)?;
        // Durability is enough if the scheduler has stopped. If it runs, it has seen the outcome
        // by now, so the task does not start again.
        let _ = is_seen.await;
        Ok(())
    }

    /// Removes executions that ended longer ago than `older_than`, with their history. Returns how
    /// many were removed.
    pub async fn purge(&self, older_than: Duration) -> Result<usize, Error> {
        self.in_batches(older_than, executions::purge).await
    }

    /// Removes the history of executions that ended longer ago than `older_than`. Returns the
    /// number of executions.
    pub async fn purge_history(&self, older_than: Duration) -> Result<usize, Error> {
        self.in_batches(older_than, executions::purge_history).await
    }

    /// Purges in batches, so that others can write in between.
    async fn in_batches(
        &self,
        older_than: Duration,
        purge: fn(&rusqlite::Connection, i64, i64) -> rusqlite::Result<usize>,
    ) -> Result<usize, Error> {
        let age = i64::try_from(older_than.as_micros()).unwrap_or(i64::MAX);
        let before = self.shared.settings.clock.now().as_micros().saturating_sub(age);
        let mut purged = 0;
        loop {
            let part = self.shared.store.write(move |c| purge(c, before, PURGE_BATCH)).await?;
            purged += part;
            if (part as i64) < PURGE_BATCH {
                return Ok(purged);
            }
        }
    }

    /// Returns the reason why the engine has stopped: the database cannot be written.
    pub fn problem(&self) -> Option<Error> {
        self.shared.store.has_failed().then(|| self.shared.store.problem())
    }

    /// Publishes in the lease the address at which this process serves the database, for processes
    /// that find it in use: [`Error::InUse`] has the address.
    pub fn announce(&self, address: &str) {
        if let Some(lease) = &mut *lock(&self.shared.lease) {
            // The lease is held whatever its file says.
            let _ = lease.announce(address);
        }
    }

    /// Stops the engine: starts nothing new, waits up to `grace` for running tasks, and releases
    /// the database. Tasks that take longer are dropped, and run again when the database is opened
    /// again.
    pub async fn shut_down(&self, grace: Duration) {
        let (done, is_done) = oneshot::channel();
        self.shared.signal(Signal::ShutDown(grace, done));
        let _ = is_done.await;
        let running = lock(&self.shared.running).take();
        if let Some(running) = running {
            let _ = running.await;
        }
        let _ = self
            .shared
            .store
            .write(|c| c.execute("UPDATE metadata SET value = 1 WHERE name = 'clean_shutdown'", []))
            .await;
        let store = self.shared.store.clone();
        let _ = tokio::task::spawn_blocking(move || store.close()).await;
        drop(lock(&self.shared.lease).take());
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
