//! Which executions have something to do, and who of them runs.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, params};
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;
use workflow_runtime::engine::driver::{Driver, Environment, Letter, Mailbox, Rest, Stopped};
use workflow_runtime::machine::{Op, Outcome};
use workflow_runtime::{CloudEvent, Timestamp};

use crate::Error;
use crate::beyond;
use crate::engine::Shared;
use crate::executions::{self, Arrived};
use crate::loading::{self, How};
use crate::mail;
use crate::recovery::{self, Recovered, SUSPECT};
use crate::registry::Registered;
use crate::times::Times;

/// What the scheduler is told.
pub enum Signal {
    /// An execution was put in, to start at this time or at once.
    Queued(Option<Timestamp>),
    /// What arrived for an execution. It is in the database; who delivered it is told when the execution can see it.
    Arrived(i64, Op, Outcome, Option<oneshot::Sender<()>>),
    /// An event was delivered to an execution. It is in the database, under this number.
    Mail(i64, u64, Arc<CloudEvent>),
    /// Something arrived for an execution as a whole.
    LookAt(i64),
    /// It is noted that an execution does not run alone any more.
    NotAlone,
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
    /// All of them, also those that have nothing to do yet.
    suspected: HashSet<i64>,
    alone: Alone,
    /// Until when it is noted of all executions that they run: as long as it is not known that this run of the engine lasts.
    careful: Option<tokio::time::Instant>,
    times: Times,
    /// Those that run.
    running: HashMap<i64, Running>,
    /// Executions to start, the oldest first, and whether there may be more.
    queue: VecDeque<i64>,
    queued: bool,
    /// The executions that run, where not all do.
    only: Option<HashSet<i64>>,
    leaving: Option<Leaving>,
}

/// Executions that run before all others, and alone.
struct Alone {
    /// They, and for how long.
    next: VecDeque<(i64, Duration)>,
    /// The one that runs, and how long it does so alone.
    runs: Option<(i64, tokio::time::Instant)>,
    /// Whether it is being noted of one that it does so no more.
    noting: bool,
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

/// A run of the engine that lasts so long is not ended by the executions that it has begun with.
const LASTS: Duration = Duration::from_secs(60);

/// How many executions to start are looked up at once.
const LOOKED_UP: usize = 1_024;

/// In the place of an execution: it is time to look at those that are to be started.
const QUEUE: i64 = 0;

impl Scheduler {
    pub fn new(shared: Arc<Shared>, signals: mpsc::UnboundedReceiver<Signal>, recovered: Recovered) -> Scheduler {
        let mut times = Times::default();
        for (number, until) in recovered.waiting {
            until.into_iter().for_each(|until| times.set(number, until));
        }
        Scheduler {
            shared,
            signals,
            epoch: recovered.epoch,
            is_ready: recovered.ready.iter().copied().collect(),
            ready: recovered.ready.into(),
            suspects: recovered.suspects.into(),
            suspect: None,
            suspected: recovered.suspected,
            alone: Alone { next: recovered.alone.into(), runs: None, noting: false },
            careful: recovered.careful.then(|| tokio::time::Instant::now() + LASTS),
            times,
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
            let next = self.times.next();
            let until = self.leaving.as_ref().map(|leaving| leaving.until);
            let (lasts, judged) = (self.careful, self.alone.runs.map(|(_, until)| until));
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
                () = reached(until) => break,
                () = reached(alone) => self.suspect = None,
                () = reached(judged) => self.let_others_run(),
                () = reached(lasts) => self.lasts(),
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
                self.times.set_earlier(QUEUE, due);
            }
            Signal::Arrived(number, op, outcome, seen) => {
                match self.running.get(&number) {
                    Some(running) => running.mailbox.push(Letter::Outcome(op, outcome)),
                    None => self.make_ready(number),
                }
                if let Some(seen) = seen {
                    let _ = seen.send(());
                }
            }
            Signal::Mail(number, mail, event) => match self.running.get(&number) {
                Some(running) => running.mailbox.push(Letter::Event(event, mail)),
                None => self.make_ready_if_begun(number),
            },
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
            Signal::NotAlone => self.alone.noting = false,
            Signal::GotOn(number) => {
                self.suspected.remove(&number);
                self.clear(number);
            }
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
        if matches!(rest, Ok(Rest::Ended(_))) {
            self.suspected.remove(&number);
        } else if self.careful.is_some() || self.alone.runs.is_some_and(|(runs, _)| runs == number) {
            self.note_not_alone(number, true);
        }
        self.clear(number);
        if looked_at {
            self.make_ready(number);
        }
        match rest {
            Ok(Rest::Ended(_)) => self.shared.tell_end(number),
            Ok(Rest::Waiting(until)) => {
                if let Some(until) = until {
                    self.times.set(number, until);
                }
                // What arrived while it left is in the database.
                let has_any =
                    |c: &Connection| Ok(!executions::arrivals(c, number)?.is_empty() || mail::is_there(c, number)?);
                match self.shared.store.read(has_any) {
                    Ok(false) => {}
                    Ok(true) => self.make_ready(number),
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

    /// As [`Scheduler::make_ready`], of an execution that may be one that is to be started later: that is given what there is
    /// for it then.
    fn make_ready_if_begun(&mut self, number: i64) {
        let text = "SELECT 1 FROM executions WHERE number = ?1 AND status = 1";
        match self.shared.store.read(|c| c.prepare_cached(text)?.exists([number])) {
            Ok(true) => self.make_ready(number),
            Ok(false) => {}
            Err(error) => self.shared.problem(&error),
        }
    }

    /// A time has come.
    fn ring(&mut self) {
        let now = self.shared.settings.clock.now();
        while let Some(number) = self.times.take_due(now) {
            match number {
                QUEUE => self.queued = true,
                number => self.make_ready(number),
            }
        }
    }

    /// Runs as many as may run at once.
    fn fill(&mut self) {
        while self.leaving.is_none() && !self.shared.store.has_failed() && self.room() > 0 {
            if self.alone.runs.is_some() || self.alone.noting {
                return;
            } else if let Some((number, window)) = self.alone.next.pop_front() {
                if self.load(number, true) {
                    self.alone.runs = Some((number, tokio::time::Instant::now() + window));
                }
            } else if let Some(number) = self.ready.pop_front() {
                self.is_ready.remove(&number);
                match self.suspected.contains(&number) {
                    true => self.suspects.push_back(number),
                    false => drop(self.load(number, false)),
                }
            } else if let Some(number) = self.queue.pop_front() {
                self.load(number, false);
            } else if self.queued {
                self.look_up_queued();
            } else if self.suspect.is_some() {
                return;
            } else if let Some(number) = self.suspects.pop_front() {
                // What has arrived for it meanwhile may have made it run before its turn.
                if self.load(number, false) {
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
        self.alone.runs = self.alone.runs.filter(|(runs, _)| *runs != number);
    }

    /// The execution that runs alone has done so for long enough, and goes on. None does so after it, for it would not be alone.
    fn let_others_run(&mut self) {
        if let Some((number, _)) = self.alone.runs.take() {
            self.note_not_alone(number, false);
        }
        self.suspects.extend(std::mem::take(&mut self.alone.next).into_iter().map(|(number, _)| number));
    }

    /// Nothing else runs before that is noted.
    fn note_not_alone(&mut self, number: i64, rests: bool) {
        let alone = self.alone.runs.is_some_and(|(runs, _)| runs == number) || !rests;
        self.alone.noting |= alone;
        let shared = self.shared.clone();
        tokio::spawn(async move {
            // If it cannot be written, nothing can: that is told elsewhere.
            let _ = shared.store.write(move |c| executions::not_alone(c, number, rests)).await;
            if alone {
                shared.signal(Signal::NotAlone);
            }
        });
    }

    /// This run of the engine lasts.
    fn lasts(&mut self) {
        self.careful = None;
        let store = self.shared.store.clone();
        tokio::spawn(async move { store.write(recovery::lasts).await });
    }

    fn room(&self) -> usize {
        self.shared.settings.executions_at_once.saturating_sub(self.running.len())
    }

    fn look_up_queued(&mut self) {
        if let Some(only) = &self.only {
            self.queued = false;
            // Those that they have started belong to them.
            match self.shared.store.read(|c| beyond::descendants(c, only)) {
                Ok(started) => {
                    self.only.iter_mut().for_each(|only| only.extend(&started));
                    started.into_iter().for_each(|number| self.make_ready(number));
                }
                Err(error) => self.shared.problem(&error),
            }
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
                    self.times.set_earlier(QUEUE, Timestamp::from_micros(next));
                }
            }
            Err(error) => self.shared.problem(&error),
        }
    }

    /// Runs an execution, unless it runs. It may have ended, or be one that cannot go on.
    fn load(&mut self, number: i64, alone: bool) -> bool {
        if self.running.contains_key(&number) {
            return false;
        }
        self.times.forget(number);
        let (shared, mailbox) = (self.shared.clone(), Mailbox::default());
        let letters = mailbox.clone();
        let how = How { epoch: self.epoch, tried: self.careful.is_some() || alone, alone };
        let task = tokio::spawn(async move {
            let mut left = LeftGuard { shared: shared.clone(), number, rest: Err(Stopped) };
            let Some((registered, execution, journal)) = loading::load(&shared, number, how).await else { return };
            let environment = Environment {
                clock: shared.settings.clock.clone(),
                callbacks: Some(shared.callbacks.clone()),
                tasks_at_once: shared.settings.tasks_at_once,
                hub: None,
                sink: shared.settings.sink.clone(),
                turns: shared.settings.turns.clone(),
            };
            let Registered { program, tasks } = registered;
            let mut driver = Driver::new(program, execution, environment, &*tasks, journal);
            driver.take_mail_from(letters);
            left.rest = driver.run().await;
        });
        self.running.insert(number, Running { mailbox, looked_at: false, task: task.abort_handle() });
        true
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

/// Waits for a time, if there is one.
async fn reached(time: Option<tokio::time::Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
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

/// Executions that can be started, the oldest first, and when the next one can.
fn queued(c: &Connection, now: i64, limit: i64) -> rusqlite::Result<(Vec<i64>, Option<i64>)> {
    let text = "SELECT number FROM executions WHERE status = 0 AND (due IS NULL OR due <= ?1) AND crashes < ?3 ORDER BY number LIMIT ?2";
    let numbers: rusqlite::Result<Vec<i64>> =
        c.prepare_cached(text)?.query_map(params![now, limit, SUSPECT], |row| row.get(0))?.collect();
    let text = "SELECT min(due) FROM executions WHERE status = 0 AND due > ?1";
    Ok((numbers?, c.prepare_cached(text)?.query_row([now], |row| row.get(0))?))
}
