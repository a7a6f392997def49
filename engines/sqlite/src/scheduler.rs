//! Which executions have something to do, and who of them runs.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, params};
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;
use workflow_runtime::Timestamp;
use workflow_runtime::engine::driver::{Driver, Environment, Letter, Mailbox, Rest, Stopped};
use workflow_runtime::machine::{self, Op, Outcome, StoredRow};
use workflow_runtime::observe::Observer;

use crate::codec::Stored;
use crate::engine::Shared;
use crate::executions::{self, Arrived, End};
use crate::journal::{Events, Journal};
use crate::recovery::Recovered;
use crate::registry::{Found, Registered};
use crate::{Error, parts};

/// What the scheduler is told.
pub enum Signal {
    /// An execution was put in, to start at this time or at once.
    Queued(Option<Timestamp>),
    /// What arrived for an execution. It is in the database; who delivered it is told when the execution can see it.
    Arrived(i64, Op, Outcome, oneshot::Sender<()>),
    /// Something arrived for an execution as a whole.
    LookAt(i64),
    /// An execution that was suspected has got on.
    GotOn(i64),
    /// An execution has ended, or was let go.
    Left(i64, Result<Rest, Stopped>),
    /// Nothing new is to begin.
    ShutDown(Duration, oneshot::Sender<()>),
}

/// Runs executions.
pub struct Scheduler {
    shared: Arc<Shared>,
    signals: mpsc::UnboundedReceiver<Signal>,
    epoch: i64,
    /// Executions that have something to do, each once.
    ready: VecDeque<i64>,
    is_ready: HashSet<i64>,
    /// Executions that may be what ends the process. The next one begins when the one before has got on, has left, or has
    /// run for a while.
    suspects: VecDeque<i64>,
    suspect: Option<(i64, tokio::time::Instant)>,
    /// When the executions that were let go of have something to do. A time may be there that has passed by.
    times: BTreeSet<(Timestamp, i64)>,
    /// Those that run.
    running: HashMap<i64, Running>,
    /// Executions to start, the oldest first, and whether there may be more.
    queue: VecDeque<i64>,
    queued: bool,
    /// The executions that run, where not all do.
    only: Option<HashSet<i64>>,
    leaving: Option<Leaving>,
}

struct Running {
    mailbox: Mailbox,
    /// Whether it was told to look at the execution meanwhile: it may have ended, and be taken up again.
    looked_at: bool,
    task: AbortHandle,
}

struct Leaving {
    until: tokio::time::Instant,
    done: Option<oneshot::Sender<()>>,
}

/// How long a suspect runs before the next one does: those that end the process do so sooner or later, but no task is
/// to keep others waiting for hours.
const ALONE: Duration = Duration::from_secs(2);

/// How many executions to start are looked up at once.
const LOOKED_UP: usize = 1_024;

/// In the place of an execution: it is time to look at those that are to be started.
const QUEUE: i64 = 0;

/// What is read of an execution to run it.
enum Loaded {
    /// It is to be started.
    Start { id: String, workflow: String, start: Vec<u8>, redriven: bool, events: i64 },
    /// It is to go on.
    GoOn { found: Found, rows: Vec<StoredRow>, arrived: Vec<Arrived>, suspect: bool, redriven: bool, events: i64 },
}

impl Scheduler {
    pub fn new(shared: Arc<Shared>, signals: mpsc::UnboundedReceiver<Signal>, recovered: Recovered) -> Scheduler {
        let times = recovered.waiting.into_iter().filter_map(|(number, until)| Some((until?, number)));
        Scheduler {
            shared,
            signals,
            epoch: recovered.epoch,
            is_ready: recovered.ready.iter().copied().collect(),
            ready: recovered.ready.into(),
            suspects: recovered.suspects.into(),
            suspect: None,
            times: times.collect(),
            running: HashMap::new(),
            queue: VecDeque::new(),
            queued: true,
            only: recovered.only,
            leaving: None,
        }
    }

    pub async fn run(mut self) {
        let clock = self.shared.settings.clock.clone();
        loop {
            self.fill();
            if self.has_left() || self.shared.store.has_failed() {
                break;
            }
            let next = self.times.first().map(|(time, _)| *time);
            let until = self.leaving.as_ref().map(|leaving| leaving.until);
            let alone = self.suspect.filter(|_| !self.suspects.is_empty()).map(|(_, since)| since + ALONE);
            tokio::select! {
                signal = self.signals.recv() => match signal {
                    Some(signal) => {
                        self.take(signal);
                        // All that has come in is known before it is decided who runs.
                        while let Ok(signal) = self.signals.try_recv() {
                            self.take(signal);
                        }
                    }
                    None => break,
                },
                () = async { clock.sleep_until(next.unwrap_or_default()).await }, if next.is_some() => self.ring(),
                () = async { tokio::time::sleep_until(until.unwrap_or_else(tokio::time::Instant::now)).await },
                    if until.is_some() => break,
                () = async { tokio::time::sleep_until(alone.unwrap_or_else(tokio::time::Instant::now)).await },
                    if alone.is_some() => self.suspect = None,
                () = self.shared.store.fails() => {}
            }
        }
        for running in self.running.values() {
            running.task.abort();
        }
        if self.shared.store.has_failed() {
            self.shared.problem(&self.shared.store.problem());
        }
        if let Some(done) = self.leaving.and_then(|leaving| leaving.done) {
            let _ = done.send(());
        }
        self.shared.tell_all();
    }

    fn has_left(&self) -> bool {
        self.leaving.is_some() && self.running.is_empty()
    }

    fn take(&mut self, signal: Signal) {
        match signal {
            Signal::Queued(None) => self.queued = true,
            Signal::Queued(Some(due)) => {
                self.times.insert((due, QUEUE));
            }
            Signal::Arrived(number, op, outcome, seen) => {
                match self.running.get(&number) {
                    Some(running) => running.mailbox.push(Letter::Outcome(op, outcome)),
                    None => self.make_ready(number),
                }
                let _ = seen.send(());
            }
            Signal::LookAt(number) => match self.running.get_mut(&number) {
                Some(running) => {
                    running.looked_at = true;
                    match self.shared.store.read(|c| executions::arrivals(c, number)) {
                        Ok(arrived) => deliver(&running.mailbox, arrived),
                        Err(error) => self.shared.problem(&error),
                    }
                }
                None => self.make_ready(number),
            },
            Signal::GotOn(number) => self.clear(number),
            Signal::Left(number, rest) => self.left(number, rest),
            Signal::ShutDown(grace, done) => {
                self.leaving = Some(Leaving { until: tokio::time::Instant::now() + grace, done: Some(done) });
                for running in self.running.values() {
                    running.mailbox.push(Letter::Leave);
                }
            }
        }
    }

    fn left(&mut self, number: i64, rest: Result<Rest, Stopped>) {
        let looked_at = self.running.remove(&number).is_some_and(|running| running.looked_at);
        self.clear(number);
        if looked_at {
            self.make_ready(number);
        }
        match rest {
            Ok(Rest::Ended(_)) => self.shared.tell_end(number),
            Ok(Rest::Waiting(until)) => {
                if let Some(until) = until {
                    self.times.insert((until, number));
                }
                // What arrived while it left is in the database.
                match self.shared.store.read(|c| executions::arrivals(c, number)) {
                    Ok(arrived) if arrived.is_empty() => {}
                    Ok(_) => self.make_ready(number),
                    Err(error) => {
                        self.shared.problem(&error);
                        self.make_ready(number);
                    }
                }
            }
            Err(Stopped) => self.halted(number),
        }
    }

    /// An execution has left and not ended. It was ended before it began; or something is wrong.
    fn halted(&self, number: i64) {
        if self.leaving.is_some() || self.shared.store.has_failed() || self.shared.is_refused(number) {
            return;
        }
        let text = "SELECT id FROM executions WHERE number = ?1 AND status IN (0, 1)";
        let halted = |c: &Connection| c.prepare_cached(text)?.query_row([number], |row| row.get(0)).optional();
        match self.shared.store.read(halted) {
            Ok(Some(id)) => self.shared.refuse(number, Error::Halted(id)),
            Ok(None) => {}
            Err(error) => self.shared.problem(&error),
        }
    }

    fn make_ready(&mut self, number: i64) {
        let runs = self.only.as_ref().is_none_or(|only| only.contains(&number));
        if runs && !self.running.contains_key(&number) && self.is_ready.insert(number) {
            self.ready.push_back(number);
        }
    }

    /// A time has come.
    fn ring(&mut self) {
        let now = self.shared.settings.clock.now();
        while let Some((time, number)) = self.times.first().copied() {
            if time > now {
                return;
            }
            self.times.pop_first();
            match number {
                QUEUE => self.queued = true,
                number => self.make_ready(number),
            }
        }
    }

    /// Runs as many as may run at once.
    fn fill(&mut self) {
        while self.leaving.is_none() && !self.shared.store.has_failed() && self.room() > 0 {
            if let Some(number) = self.ready.pop_front() {
                self.is_ready.remove(&number);
                self.load(number);
            } else if let Some(number) = self.queue.pop_front() {
                self.load(number);
            } else if self.queued {
                self.look_up_queued();
            } else if self.suspect.is_some() {
                return;
            } else if let Some(number) = self.suspects.pop_front() {
                // What has arrived for it meanwhile may have made it run before its turn.
                if self.load(number) {
                    self.suspect = Some((number, tokio::time::Instant::now()));
                }
            } else {
                return;
            }
        }
    }

    /// An execution is no longer the one that may end the process.
    fn clear(&mut self, number: i64) {
        self.suspect = self.suspect.filter(|(suspect, _)| *suspect != number);
    }

    fn room(&self) -> usize {
        self.shared.settings.executions_at_once.saturating_sub(self.running.len())
    }

    fn look_up_queued(&mut self) {
        if self.only.is_some() {
            self.queued = false;
            return;
        }
        let now = self.shared.settings.clock.now().as_micros();
        // Those that run and have not written so yet are among them, and those that cannot be started.
        let limit = LOOKED_UP + self.running.len() + self.shared.refused();
        let found = self.shared.store.read(|c| queued(c, now, limit as i64));
        self.queued = false;
        match found {
            Ok((numbers, next)) => {
                self.queued = numbers.len() == limit;
                let known = |number: &i64| self.running.contains_key(number) || self.shared.is_refused(*number);
                self.queue.extend(numbers.into_iter().filter(|number| !known(number)));
                if let Some(next) = next {
                    self.times.insert((Timestamp::from_micros(next), QUEUE));
                }
            }
            Err(error) => self.shared.problem(&error),
        }
    }

    /// Runs an execution, unless it runs or has ended. Whether it runs because of this.
    fn load(&mut self, number: i64) -> bool {
        if self.running.contains_key(&number) {
            return false;
        }
        match self.shared.store.read(|c| load(c, number)) {
            Ok(Some(loaded)) => {
                match self.begin(number, loaded) {
                    Ok(()) => self.shared.accept(number),
                    Err(error) => {
                        self.shared.refuse(number, error);
                        return false;
                    }
                }
                true
            }
            // It ended meanwhile.
            Ok(None) => false,
            Err(error) => {
                self.shared.refuse(number, error);
                false
            }
        }
    }

    fn begin(&mut self, number: i64, loaded: Loaded) -> Result<(), Error> {
        let shared = self.shared.clone();
        let events = Events::default();
        let mut journal = Journal {
            shared: shared.clone(),
            execution: number,
            epoch: Some(self.epoch),
            begins: false,
            suspect: false,
            arrivals: false,
            commits: 0,
            blocked: Duration::ZERO,
            events: events.clone(),
            next_event: 1,
            events_kept: shared.settings.history.events.into(),
        };
        let mailbox = Mailbox::default();
        let now = shared.settings.clock.now();
        let (registered, execution) = match loaded {
            Loaded::Start { id, workflow, start, redriven, events: next } => {
                journal.next_event = next;
                let unknown = || Error::UnknownWorkflow(workflow.clone());
                let registered = shared.registry.current(&workflow).ok_or_else(unknown)?;
                let stored = Stored::read(&start).map_err(|error| {
                    shared.store.damaged(format!("the start of the execution `{id}` cannot be read: {error}"))
                })?;
                let mut start = stored.start(&id, now);
                start.observers = observers(&shared, &id, &events);
                let mut execution = registered.program.start(start);
                execution.track();
                if redriven {
                    execution.redriven(now);
                }
                (journal.begins, journal.next_event) = (true, next);
                (registered.clone(), execution)
            }
            Loaded::GoOn { found, rows, arrived, suspect, redriven, events: next } => {
                let restored = shared.registry.restore(&found, &rows);
                let (registered, mut execution) = restored.map_err(|mismatch| {
                    end_without(&shared, number, arrived.clone(), now);
                    Error::Mismatch(mismatch)
                })?;
                execution.observe(observers(&shared, &found.id, &events));
                if redriven {
                    execution.redriven(now);
                }
                // Before its tasks begin: one whose outcome is there must not begin again.
                for arrived in arrived {
                    match arrived {
                        Arrived::Outcome(op, outcome) => drop(execution.complete(op, now, outcome)),
                        Arrived::End(outcome) => execution.end(now, outcome),
                    }
                }
                // Which definition it goes on with is written.
                let other = registered.program.definition.hash != found.hash;
                (journal.suspect, journal.begins, journal.next_event) = (suspect, redriven || other, next);
                journal.arrivals = true;
                (registered.clone(), execution)
            }
        };
        self.spawn(number, registered, execution, journal, mailbox);
        Ok(())
    }

    fn spawn(
        &mut self,
        number: i64,
        registered: Registered,
        execution: Box<dyn machine::Execution>,
        journal: Journal,
        mailbox: Mailbox,
    ) {
        let shared = self.shared.clone();
        let letters = mailbox.clone();
        let task = tokio::spawn(async move {
            let mut left = LeftGuard { shared: shared.clone(), number, rest: Err(Stopped) };
            let environment = Environment {
                clock: shared.settings.clock.clone(),
                callbacks: Some(shared.callbacks.clone()),
                tasks_at_once: shared.settings.tasks_at_once,
            };
            let Registered { program, tasks } = registered;
            let mut driver = Driver::new(program, execution, environment, &*tasks, journal);
            driver.take_mail_from(letters);
            left.rest = driver.run().await;
        });
        self.running.insert(number, Running { mailbox, looked_at: false, task: task.abort_handle() });
    }
}

/// Tells the scheduler that an execution has left, however it did.
struct LeftGuard {
    shared: Arc<Shared>,
    number: i64,
    rest: Result<Rest, Stopped>,
}

impl Drop for LeftGuard {
    fn drop(&mut self) {
        let rest = std::mem::replace(&mut self.rest, Err(Stopped));
        self.shared.signal(Signal::Left(self.number, rest));
    }
}

/// An execution that cannot go on can still be ended, if somebody has asked for that.
fn end_without(shared: &Arc<Shared>, number: i64, arrived: Vec<Arrived>, now: Timestamp) {
    let asked = arrived.into_iter().find_map(|arrived| match arrived {
        Arrived::End(outcome) => Some(outcome),
        Arrived::Outcome(..) => None,
    });
    if let Some(outcome) = asked {
        let (shared, told) = (shared.clone(), shared.clone());
        let end = End { at: now.as_micros(), outcome, last: None };
        tokio::spawn(async move {
            let write = move |c: &Connection| executions::write_end(c, number, &end);
            // If it cannot be written, nothing can: that is told elsewhere.
            let _ = shared.store.write_then(write, move |()| told.tell_end(number)).await;
        });
    }
}

fn deliver(mailbox: &Mailbox, arrived: Vec<Arrived>) {
    for arrived in arrived {
        mailbox.push(match arrived {
            Arrived::Outcome(op, outcome) => Letter::Outcome(op, outcome),
            Arrived::End(outcome) => Letter::End(outcome),
        });
    }
}

fn observers(shared: &Shared, id: &str, events: &Events) -> Vec<Box<dyn Observer>> {
    let settings = &shared.settings;
    let mut observers: Vec<Box<dyn Observer>> = settings.observers.iter().filter_map(|make| make(id)).collect();
    if settings.history.kept {
        // The builder has tried the paths.
        if let Ok(history) = settings.history.observer(events.clone()) {
            observers.push(Box::new(history));
        }
    }
    observers
}

/// Executions that can be started, the oldest first, and when the next one can.
fn queued(c: &Connection, now: i64, limit: i64) -> rusqlite::Result<(Vec<i64>, Option<i64>)> {
    let text = "SELECT number FROM executions WHERE status = 0 AND (due IS NULL OR due <= ?1) ORDER BY number LIMIT ?2";
    let numbers: rusqlite::Result<Vec<i64>> =
        c.prepare_cached(text)?.query_map(params![now, limit], |row| row.get(0))?.collect();
    let text = "SELECT min(due) FROM executions WHERE status = 0 AND due > ?1";
    Ok((numbers?, c.prepare_cached(text)?.query_row([now], |row| row.get(0))?))
}

fn load(c: &Connection, number: i64) -> rusqlite::Result<Option<Loaded>> {
    struct Head {
        id: String,
        workflow: String,
        status: i64,
        hash: Option<i64>,
        start: Vec<u8>,
        crashes: i64,
        redriven: bool,
    }
    let text = "SELECT id, workflow, status, hash, start, crashes, redriven FROM executions WHERE number = ?1";
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Head {
            id: row.get(0)?,
            workflow: row.get(1)?,
            status: row.get(2)?,
            hash: row.get(3)?,
            start: row.get(4)?,
            crashes: row.get(5)?,
            redriven: row.get(6)?,
        })
    };
    let Some(head) = c.prepare_cached(text)?.query_row([number], read).optional()? else { return Ok(None) };
    let Head { id, workflow, status, hash, start, crashes, redriven } = head;
    Ok(match status {
        0 => Some(Loaded::Start { id, workflow, start, redriven, events: next_event(c, number)? }),
        1 => Some(Loaded::GoOn {
            found: Found { id, workflow, hash: hash.unwrap_or_default() as u64, states: states(c, number)? },
            rows: parts::read(c, number)?,
            arrived: executions::arrivals(c, number)?,
            suspect: crashes > 0,
            redriven,
            events: next_event(c, number)?,
        }),
        _ => None,
    })
}

/// What is stored of an execution that has begun.
pub fn stored(c: &Connection, number: i64) -> rusqlite::Result<Option<(Found, Vec<StoredRow>)>> {
    let text = "SELECT id, workflow, hash FROM executions WHERE number = ?1 AND hash IS NOT NULL";
    let read = |row: &rusqlite::Row<'_>| {
        let hash: i64 = row.get(2)?;
        Ok(Found { id: row.get(0)?, workflow: row.get(1)?, hash: hash as u64, states: states(c, number)? })
    };
    let Some(found) = c.prepare_cached(text)?.query_row([number], read).optional()? else { return Ok(None) };
    let rows = parts::read(c, number)?;
    Ok((!rows.is_empty()).then_some((found, rows)))
}

/// The states that an execution waits in.
fn states(c: &Connection, number: i64) -> rusqlite::Result<Vec<String>> {
    let text = "SELECT DISTINCT state FROM parts WHERE execution = ?1 AND kind = 2 AND state <> ''";
    c.prepare_cached(text)?.query_map([number], |row| row.get(0))?.collect()
}

/// The number of the next event in the history of an execution.
fn next_event(c: &Connection, number: i64) -> rusqlite::Result<i64> {
    let text = "SELECT number, event FROM history WHERE execution = ?1 ORDER BY number DESC LIMIT 1";
    let read = |row: &rusqlite::Row<'_>| Ok(row.get::<_, i64>(0)? + row.get_ref(1)?.as_str()?.lines().count() as i64);
    Ok(c.prepare_cached(text)?.query_row([number], read).optional()?.unwrap_or(1))
}
