//! Scheduler: finds the executions that have work, and runs them within the engine's limits.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, params};
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;
use workflow_runtime::engine::driver::{Driver, DriverExit, Environment, Message, MessageQueue, Stopped};
use workflow_runtime::machine::{Op, Outcome};
use workflow_runtime::{CloudEvent, Timestamp};

use crate::Error;
use crate::children;
use crate::engine::Shared;
use crate::executions::{self, Arrived};
use crate::inbox;
use crate::loading::{self, RunMode};
use crate::recovery::{self, PROBATION_AFTER, Recovered};
use crate::registry::Registered;
use crate::times::Times;

/// Signal to the scheduler.
pub enum Signal {
    /// An execution was inserted, to start at this time or at once.
    Queued(Option<Timestamp>),
    /// An outcome was stored for an execution. The sender is notified when the execution can see
    /// it.
    Arrived(i64, Op, Outcome, Option<oneshot::Sender<()>>),
    /// An event was stored in an execution's inbox, under this number.
    Event(i64, u64, Arc<CloudEvent>),
    /// An order to the execution as a whole was stored, or the execution may continue.
    LookAt(i64),
    /// The end of an execution's quarantine is recorded.
    LeftQuarantine,
    /// A suspected execution has made progress.
    Progressed(i64),
    /// An execution has ended or was unloaded.
    Left(i64, Result<DriverExit, Stopped>),
    /// Shutdown: nothing new begins.
    ShutDown(Duration, oneshot::Sender<()>),
}

/// Scheduler of an engine.
pub struct Scheduler {
    shared: Arc<Shared>,
    signals: mpsc::UnboundedReceiver<Signal>,
    epoch: i64,
    /// Executions that have work, each once.
    ready: VecDeque<i64>,
    is_ready: HashSet<i64>,
    /// Executions on probation. The next one begins when the one before has progressed, has left,
    /// or has run for [`PROBATION_TIME`].
    probation: VecDeque<i64>,
    probationer: Option<(i64, tokio::time::Instant)>,
    /// All executions on probation, including those without work.
    on_probation: HashSet<i64>,
    quarantine: Quarantine,
    /// End of the crash loop's suspicion: until then every execution is recorded before its code
    /// runs.
    crash_loop_until: Option<tokio::time::Instant>,
    times: Times,
    /// Running executions.
    running: HashMap<i64, Running>,
    /// Executions to start, oldest first; set if the database may have more.
    queue: VecDeque<i64>,
    queued: bool,
    /// The only executions to run; `None` runs all.
    only: Option<HashSet<i64>>,
    leaving: Option<Leaving>,
}

/// Executions in quarantine: they run first, one at a time, while nothing else runs.
struct Quarantine {
    /// The executions, each with its time in quarantine.
    next: VecDeque<(i64, Duration)>,
    /// The running one, and the end of its time.
    runs: Option<(i64, tokio::time::Instant)>,
    /// Set while the end of a quarantine is being recorded.
    is_recording: bool,
}

struct Running {
    queue: MessageQueue,
    /// Set if a signal has asked to look at the execution meanwhile: it may have ended, and be
    /// redriven.
    looked_at: bool,
    task: AbortHandle,
}

struct Leaving {
    until: tokio::time::Instant,
    done: Option<oneshot::Sender<()>>,
}

/// Time after which the next execution on probation runs as well. An execution that crashes the
/// process does so sooner or later, but no task must keep others waiting for hours.
const PROBATION_TIME: Duration = Duration::from_secs(2);

/// Time after which an engine run counts as stable: the executions that it began with do not crash
/// it.
const STABLE_AFTER: Duration = Duration::from_secs(60);

/// Number of executions to start that one query looks up.
const LOOKUP_BATCH: usize = 1_024;

/// Sentinel in `times` for the queue of executions to start. No execution has this number.
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
            probation: recovered.probation.into(),
            probationer: None,
            on_probation: recovered.on_probation,
            quarantine: Quarantine { next: recovered.quarantined.into(), runs: None, is_recording: false },
            crash_loop_until: recovered.is_crash_loop.then(|| tokio::time::Instant::now() + STABLE_AFTER),
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
            self.start_ready();
            if self.has_left() || self.shared.store.has_failed() {
                break;
            }
            let next = self.times.next();
            let until = self.leaving.as_ref().map(|leaving| leaving.until);
            let (stable, quarantine_over) = (self.crash_loop_until, self.quarantine.runs.map(|(_, until)| until));
            let probation_over =
                self.probationer.filter(|_| !self.probation.is_empty()).map(|(_, since)| since + PROBATION_TIME);
            tokio::select! {
                signal = self.signals.recv() => match signal {
                    Some(signal) => {
                        self.handle(signal);
                        // Handles all pending signals before it decides which execution runs.
                        while let Ok(signal) = self.signals.try_recv() {
                            self.handle(signal);
                        }
                    }
                    None => break,
                },
                () = async { clock.sleep_until(next.unwrap_or_default()).await }, if next.is_some() => self.wake_due(),
                () = sleep_until(until) => break,
                () = sleep_until(probation_over) => self.probationer = None,
                () = sleep_until(quarantine_over) => self.end_quarantine(),
                () = sleep_until(stable) => self.mark_stable(),
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
        self.shared.notify_stopped();
    }

    fn has_left(&self) -> bool {
        self.leaving.is_some() && self.running.is_empty()
    }

    fn handle(&mut self, signal: Signal) {
        match signal {
            Signal::Queued(None) => self.queued = true,
            Signal::Queued(Some(due)) => {
                self.times.set_earlier(QUEUE, due);
            }
            Signal::Arrived(number, op, outcome, seen) => {
                match self.running.get(&number) {
                    Some(running) => running.queue.push(Message::Outcome(op, outcome)),
                    None => self.make_ready(number),
                }
                if let Some(seen) = seen {
                    let _ = seen.send(());
                }
            }
            Signal::Event(number, inbox_number, event) => match self.running.get(&number) {
                Some(running) => running.queue.push(Message::Event(event, inbox_number)),
                None => self.make_ready_if_begun(number),
            },
            Signal::LookAt(number) => match self.running.get_mut(&number) {
                Some(running) => {
                    running.looked_at = true;
                    match self.shared.store.read(|c| executions::arrivals(c, number)) {
                        Ok(arrived) => deliver(&running.queue, arrived),
                        Err(error) => self.shared.problem(&error),
                    }
                }
                None => self.make_ready(number),
            },
            Signal::LeftQuarantine => self.quarantine.is_recording = false,
            Signal::Progressed(number) => {
                self.on_probation.remove(&number);
                self.clear_suspicion(number);
            }
            Signal::Left(number, rest) => self.on_left(number, rest),
            Signal::ShutDown(grace, done) => {
                self.leaving = Some(Leaving { until: tokio::time::Instant::now() + grace, done: Some(done) });
                for running in self.running.values() {
                    running.queue.push(Message::Suspend);
                }
            }
        }
    }

    fn on_left(&mut self, number: i64, rest: Result<DriverExit, Stopped>) {
        let looked_at = self.running.remove(&number).is_some_and(|running| running.looked_at);
        if matches!(rest, Ok(DriverExit::Ended(_))) {
            self.on_probation.remove(&number);
        } else if self.crash_loop_until.is_some() || self.quarantine.runs.is_some_and(|(runs, _)| runs == number) {
            self.record_quarantine_end(number, true);
        }
        self.clear_suspicion(number);
        if looked_at {
            self.make_ready(number);
        }
        match rest {
            Ok(DriverExit::Ended(_)) => self.shared.notify_ended(number),
            Ok(DriverExit::Suspended(until)) => {
                if let Some(until) = until {
                    self.times.set(number, until);
                }
                // Arrivals during the unload are in the database.
                let has_any = |c: &Connection| {
                    let arrived = executions::arrivals(c, number)?;
                    // Changes of a run stay. One during the unload has made it ready.
                    let is_new = |arrived: &Arrived| !matches!(arrived, Arrived::Update(_));
                    Ok(arrived.iter().any(is_new) || inbox::has_events(c, number)?)
                };
                match self.shared.store.read(has_any) {
                    Ok(false) => {}
                    Ok(true) => self.make_ready(number),
                    Err(error) => {
                        self.shared.problem(&error);
                        self.make_ready(number);
                    }
                }
            }
            Err(Stopped) => self.check_halted(number),
        }
    }

    /// Checks an execution that stopped without ending. Either it was ended before it began, or
    /// its driver panicked.
    fn check_halted(&self, number: i64) {
        if self.leaving.is_some() || self.shared.store.has_failed() || self.shared.is_stuck(number) {
            return;
        }
        let text = concat!("SELECT id FROM executions WHERE number = ?1 AND status IN ", sql!(active));
        let find_unfinished = |c: &Connection| c.prepare_cached(text)?.query_row([number], |row| row.get(0)).optional();
        match self.shared.store.read(find_unfinished) {
            Ok(Some(id)) => self.shared.mark_stuck(number, Error::Halted(id)),
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

    /// Makes an execution ready unless it starts later; then it receives its events when it
    /// starts.
    fn make_ready_if_begun(&mut self, number: i64) {
        let text = concat!("SELECT 1 FROM executions WHERE number = ?1 AND status = ", sql!(running));
        match self.shared.store.read(|c| c.prepare_cached(text)?.exists([number])) {
            Ok(true) => self.make_ready(number),
            Ok(false) => {}
            Err(error) => self.shared.problem(&error),
        }
    }

    /// Handles the executions whose time has come.
    fn wake_due(&mut self) {
        let now = self.shared.settings.clock.now();
        while let Some(number) = self.times.take_due(now) {
            match number {
                QUEUE => self.queued = true,
                number => self.make_ready(number),
            }
        }
    }

    /// Starts as many executions as may run at once.
    fn start_ready(&mut self) {
        while self.leaving.is_none() && !self.shared.store.has_failed() && self.free_slots() > 0 {
            if self.quarantine.runs.is_some() || self.quarantine.is_recording {
                return;
            } else if let Some((number, window)) = self.quarantine.next.pop_front() {
                if self.load(number, true) {
                    self.quarantine.runs = Some((number, tokio::time::Instant::now() + window));
                }
            } else if let Some(number) = self.ready.pop_front() {
                self.is_ready.remove(&number);
                match self.on_probation.contains(&number) {
                    true => self.probation.push_back(number),
                    false => drop(self.load(number, false)),
                }
            } else if let Some(number) = self.queue.pop_front() {
                self.load(number, false);
            } else if self.queued {
                self.look_up_queued();
            } else if self.probationer.is_some() {
                return;
            } else if let Some(number) = self.probation.pop_front() {
                // An arrival may have made it run before its turn.
                if self.load(number, false) {
                    self.probationer = Some((number, tokio::time::Instant::now()));
                }
            } else {
                return;
            }
        }
    }

    /// Lifts the suspicion from an execution.
    fn clear_suspicion(&mut self, number: i64) {
        self.probationer = self.probationer.filter(|(probationer, _)| *probationer != number);
        self.quarantine.runs = self.quarantine.runs.filter(|(runs, _)| *runs != number);
    }

    /// Ends the quarantine of the running execution. No other follows it, because the first keeps
    /// running.
    fn end_quarantine(&mut self) {
        if let Some((number, _)) = self.quarantine.runs.take() {
            self.record_quarantine_end(number, false);
        }
        self.probation.extend(std::mem::take(&mut self.quarantine.next).into_iter().map(|(number, _)| number));
    }

    /// Records the end of a quarantine. Nothing else runs before that is durable.
    fn record_quarantine_end(&mut self, number: i64, rests: bool) {
        let was_quarantined = self.quarantine.runs.is_some_and(|(runs, _)| runs == number) || !rests;
        self.quarantine.is_recording |= was_quarantined;
        let shared = self.shared.clone();
        tokio::spawn(async move {
            // If this write fails, the store has failed, which the store reports.
            let _ = shared.store.write(move |c| executions::leave_quarantine(c, number, rests)).await;
            if was_quarantined {
                shared.signal(Signal::LeftQuarantine);
            }
        });
    }

    /// Records that this engine run is stable.
    fn mark_stable(&mut self) {
        self.crash_loop_until = None;
        let store = self.shared.store.clone();
        tokio::spawn(async move { store.write(recovery::mark_stable).await });
    }

    fn free_slots(&self) -> usize {
        let map_runs = self.shared.map_slots.used();
        self.shared.settings.executions_at_once.saturating_sub(self.running.len().saturating_sub(map_runs))
    }

    fn look_up_queued(&mut self) {
        if let Some(only) = &self.only {
            self.queued = false;
            // Children belong to the selected executions.
            match self.shared.store.read(|c| children::descendants(c, only)) {
                Ok(started) => {
                    self.only.iter_mut().for_each(|only| only.extend(&started));
                    started.into_iter().for_each(|number| self.make_ready(number));
                }
                Err(error) => self.shared.problem(&error),
            }
            return;
        }
        let now = self.shared.settings.clock.now().as_micros();
        // The result includes executions that run without a commit so far, and stuck ones.
        let limit = LOOKUP_BATCH + self.running.len() + self.shared.stuck_count();
        let found = self.shared.store.read(|c| queued(c, now, limit as i64));
        self.queued = false;
        match found {
            Ok((numbers, next)) => {
                self.queued = numbers.len() == limit;
                let known = |number: &i64| self.running.contains_key(number) || self.shared.is_stuck(*number);
                self.queue.extend(numbers.into_iter().filter(|number| !known(number)));
                if let Some(next) = next {
                    self.times.set_earlier(QUEUE, Timestamp::from_micros(next));
                }
            }
            Err(error) => self.shared.problem(&error),
        }
    }

    /// Runs an execution unless it runs already. It may have ended, or be stuck. Returns `false`
    /// if it runs already.
    fn load(&mut self, number: i64, in_quarantine: bool) -> bool {
        if self.running.contains_key(&number) {
            return false;
        }
        self.times.forget(number);
        let (shared, queue) = (self.shared.clone(), MessageQueue::default());
        let messages = queue.clone();
        let mode = RunMode {
            epoch: self.epoch,
            record_entry: self.crash_loop_until.is_some() || in_quarantine,
            in_quarantine,
        };
        let task = tokio::spawn(async move {
            let mut guard = LeftGuard { shared: shared.clone(), number, rest: Err(Stopped) };
            let Some((registered, execution, journal)) = loading::load(&shared, number, mode).await else { return };
            let environment = Environment {
                clock: shared.settings.clock.clone(),
                callbacks: Some(shared.callbacks.clone()),
                tasks_at_once: shared.settings.tasks_at_once,
                hub: None,
                sink: shared.settings.sink.clone(),
                objects: shared.settings.objects.clone(),
                turns: shared.settings.turns.clone(),
            };
            let Registered { program, tasks } = registered;
            let mut driver = Driver::new(program, execution, environment, &*tasks, journal);
            driver.receive_from(messages);
            guard.rest = driver.run().await;
        });
        self.running.insert(number, Running { queue, looked_at: false, task: task.abort_handle() });
        true
    }
}

/// Signals the end of an execution's task, even after a panic.
struct LeftGuard {
    shared: Arc<Shared>,
    number: i64,
    rest: Result<DriverExit, Stopped>,
}

impl Drop for LeftGuard {
    fn drop(&mut self) {
        let rest = std::mem::replace(&mut self.rest, Err(Stopped));
        self.shared.signal(Signal::Left(self.number, rest));
    }
}

/// Waits until this time, or forever without one.
async fn sleep_until(time: Option<tokio::time::Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}

fn deliver(queue: &MessageQueue, arrived: Vec<Arrived>) {
    for arrived in arrived {
        queue.push(match arrived {
            Arrived::Outcome(op, outcome) => Message::Outcome(op, outcome),
            Arrived::End(outcome) => Message::End(outcome),
            Arrived::Update(update) => Message::Update(update),
        });
    }
}

/// Returns the executions that can start, oldest first, and the time of the next scheduled start.
fn queued(c: &Connection, now: i64, limit: i64) -> rusqlite::Result<(Vec<i64>, Option<i64>)> {
    let text = concat!(
        "SELECT number FROM executions WHERE status = ",
        sql!(queued),
        " AND (due IS NULL OR due <= ?1) AND crashes < ?3 ORDER BY number LIMIT ?2"
    );
    let numbers: rusqlite::Result<Vec<i64>> =
        c.prepare_cached(text)?.query_map(params![now, limit, PROBATION_AFTER], |row| row.get(0))?.collect();
    let text = concat!("SELECT min(due) FROM executions WHERE status = ", sql!(queued), " AND due > ?1");
    Ok((numbers?, c.prepare_cached(text)?.query_row([now], |row| row.get(0))?))
}
