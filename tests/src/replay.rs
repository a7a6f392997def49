//! Replays of an execution. The same completions in the same order lead to the same commands and
//! the same end, from the start and from every snapshot in between.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use workflow_runner::cases::{self, Run};
use workflow_runtime::engine::driver::{Driver, Volatile};
use workflow_runtime::engine::memory::subscribe;
use workflow_runtime::machine::{
    Changes, Command, Definition, Delivery, Execution, Op, Outcome, Program, Row, Start, StoredRow, Waiting,
};
use workflow_runtime::observe::Observer;
use workflow_runtime::testing::{self, VirtualClock};
use workflow_runtime::{CloudEvent, Hub, Str, Timestamp, Value, Workflow};

use crate::runs::{correlation, environment};
use crate::shuffled::Shuffled;

/// An entry of the log between an engine and an execution.
#[derive(Debug, Clone, PartialEq)]
enum Entry {
    Command(Op, Command),
    Cancelled(Op),
    Completed(Op, Timestamp, Outcome, bool),
    Delivered(Timestamp, CloudEvent, Delivery),
    Expired(Timestamp),
    Ended(Timestamp, Outcome),
    Terminated(Timestamp, Value),
    HandedOver(Op),
    Abandoned(Op),
}

type Log = Arc<Mutex<Vec<Entry>>>;

/// An execution that logs its exchange with the engine.
struct Recording {
    inner: Box<dyn Execution>,
    log: Log,
}

impl Recording {
    fn note(&self, entry: Entry) {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
    }
}

impl Execution for Recording {
    fn definition(&self) -> &'static Definition {
        self.inner.definition()
    }

    fn id(&self) -> &Str {
        self.inner.id()
    }

    fn next_command(&mut self) -> Option<(Op, Command)> {
        let (op, command) = self.inner.next_command()?;
        self.note(Entry::Command(op, command.clone()));
        Some((op, command))
    }

    fn next_cancelled(&mut self) -> Option<Op> {
        let op = self.inner.next_cancelled()?;
        self.note(Entry::Cancelled(op));
        Some(op)
    }

    fn accept(&mut self, op: Op, at: Timestamp, outcome: Outcome) -> bool {
        let taken = self.inner.accept(op, at, outcome.clone());
        self.note(Entry::Completed(op, at, outcome, taken));
        taken
    }

    fn offer(&mut self, at: Timestamp, event: &CloudEvent) -> Delivery {
        let delivery = self.inner.offer(at, event);
        self.note(Entry::Delivered(at, event.clone(), delivery));
        delivery
    }

    fn is_computing(&self) -> bool {
        self.inner.is_computing()
    }

    fn compute(&mut self, slice: Duration, limit: Duration) {
        self.inner.compute(slice, limit);
    }

    fn explicit_correlation(&self) -> Option<&Str> {
        self.inner.explicit_correlation()
    }

    fn inbox_len(&self) -> usize {
        self.inner.inbox_len()
    }

    fn inbox_events(&self) -> Vec<&CloudEvent> {
        self.inner.inbox_events()
    }

    fn expire(&mut self, at: Timestamp) {
        self.inner.expire(at);
        self.note(Entry::Expired(at));
    }

    fn end(&mut self, at: Timestamp, outcome: Outcome) {
        self.inner.end(at, outcome.clone());
        self.note(Entry::Ended(at, outcome));
    }

    fn deadline(&self) -> Option<Timestamp> {
        self.inner.deadline()
    }

    fn result(&self) -> Option<&Outcome> {
        self.inner.result()
    }

    fn save(&self) -> Vec<u8> {
        self.inner.save()
    }

    fn track(&mut self) {
        self.inner.track();
    }

    fn changes(&mut self) -> Changes {
        self.inner.changes()
    }

    fn mark_handed_over(&mut self, op: Op) {
        self.inner.mark_handed_over(op);
        self.note(Entry::HandedOver(op));
    }

    fn terminate(&mut self, at: Timestamp, output: Value) {
        self.inner.terminate(at, output.clone());
        self.note(Entry::Terminated(at, output));
    }

    fn is_terminating(&self) -> bool {
        self.inner.is_terminating()
    }

    fn starts_terminating(&mut self) -> bool {
        self.inner.starts_terminating()
    }

    fn issued_before(&self) -> u64 {
        self.inner.issued_before()
    }

    fn abandon(&mut self, op: Op) {
        self.inner.abandon(op);
        self.note(Entry::Abandoned(op));
    }

    fn last_completion(&self) -> Option<(Op, &Outcome)> {
        self.inner.last_completion()
    }

    fn redrive(&mut self, at: Timestamp) -> u32 {
        self.inner.redrive(at)
    }

    fn describe(&self) -> Vec<Waiting> {
        self.inner.describe()
    }

    fn observe(&mut self, observers: Vec<Box<dyn Observer>>) {
        self.inner.observe(observers);
    }

    fn take_observers(&mut self) -> Vec<Box<dyn Observer>> {
        self.inner.take_observers()
    }
}

/// The treatment of an execution between two completions of its replay.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Between {
    Nothing,
    /// The execution is saved and loaded as a whole.
    Saved,
    /// The execution is stored row by row, and restored.
    Stored,
}

/// Runs a case with tasks that end in an order of their own, and replays the log. Returns the
/// first difference.
pub fn check<W: Workflow>(run: &Run, order: u64) -> Option<String> {
    let program = Program::of::<W>();
    let clock = VirtualClock::new();
    let started = workflow_runtime::clock::Clock::now(&clock);
    let start = || Start {
        name: Some("replayed".into()),
        seed: Some(1),
        settings: run.settings.clone(),
        correlation: correlation::<W>(run),
        time: Some(started),
        ..Start::new(run.input.clone())
    };
    let mocks = cases::mocks_of(run, W::DEFINITION);
    let tasks = Shuffled::new(&mocks, order);
    let log = Log::default();
    let recording = Box::new(Recording { inner: program.start(start()), log: log.clone() });
    let hub = mocks.share(Hub::new());
    let environment = environment(&clock, &mocks, &hub);
    let mut driver = Driver::new(program, recording, environment, &tasks, Volatile);
    let _subscription = subscribe(&mut driver, &hub);
    let events = testing::publish(&hub, &clock, mocks.events().iter().cloned());
    // An execution that is stuck is replayed up to that point.
    let _rest = testing::block_on(testing::alongside(driver.run(), events));
    let result = driver.execution().result().cloned();
    drop(driver);
    let log = log.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let ways = [Between::Nothing, Between::Saved, Between::Stored];
    ways.into_iter().find_map(|between| {
        let problem = replay(program, program.start(start()), &log, between, result.as_ref())?;
        Some(format!("another run in order {order}, replayed ({between:?}): {problem}"))
    })
}

fn replay(
    program: Program,
    mut execution: Box<dyn Execution>,
    log: &[Entry],
    between: Between,
    result: Option<&Outcome>,
) -> Option<String> {
    if between == Between::Stored {
        execution.track();
    }
    let mut rows = BTreeMap::new();
    // A loaded execution requests its pending operations again.
    let mut asked: BTreeSet<Op> = BTreeSet::new();
    for (at, entry) in log.iter().enumerate() {
        let differs = |now: String| Some(format!("entry {at} was {entry:?}, and is {now}"));
        match entry {
            Entry::Command(op, command) => {
                let next = std::iter::from_fn(|| execution.next_command()).find(|(op, _)| !asked.contains(op));
                if next.as_ref() != Some(&(*op, command.clone())) {
                    return differs(format!("{next:?}"));
                }
                asked.insert(*op);
            }
            Entry::Cancelled(op) => {
                let next = execution.next_cancelled();
                if next != Some(*op) {
                    return differs(format!("{next:?}"));
                }
            }
            Entry::Completed(op, time, outcome, taken) => {
                // A snapshot is taken after the engine has learnt of the cancellations.
                let quiet = !matches!(log.get(at.wrapping_sub(1)), Some(Entry::Completed(..)));
                if quiet && execution.result().is_none() {
                    match reload(program, &mut execution, between, &mut rows) {
                        Ok(()) => {}
                        Err(problem) => return differs(problem),
                    }
                }
                let now = execution.complete(*op, *time, outcome.clone());
                if now != *taken {
                    return differs(format!("taken: {now}"));
                }
            }
            Entry::Delivered(time, event, delivery) => {
                let now = execution.deliver(*time, event);
                if now != *delivery {
                    return differs(format!("delivered: {now:?}"));
                }
            }
            Entry::Expired(time) => {
                execution.expire(*time);
                execution.finish_turn();
            }
            Entry::Ended(time, outcome) => execution.end(*time, outcome.clone()),
            Entry::Terminated(time, output) => execution.terminate(*time, output.clone()),
            Entry::HandedOver(op) => execution.mark_handed_over(*op),
            Entry::Abandoned(op) => execution.abandon(*op),
        }
    }
    let now = execution.result();
    (now != result).then(|| format!("it ended with {result:?}, and ends with {now:?}"))
}

fn reload(
    program: Program,
    execution: &mut Box<dyn Execution>,
    between: Between,
    rows: &mut BTreeMap<Row, Vec<u8>>,
) -> Result<(), String> {
    let loaded = match between {
        Between::Nothing => return Ok(()),
        Between::Saved => program.load(&execution.save()),
        Between::Stored => {
            execution.changes().apply(rows);
            let rows: Vec<StoredRow> = rows.iter().map(|(row, bytes)| (*row, bytes.clone())).collect();
            program.restore(&rows)
        }
    };
    *execution = loaded.map_err(|error| format!("an error of loading: {error}"))?;
    Ok(())
}
