//! Replays of an execution. The same completions in the same order lead to the same commands and
//! the same end, from the start and from every snapshot in between.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use workflow_runner::cases::{self, Run};
use workflow_runtime::engine::driver::{Driver, Volatile};
use workflow_runtime::engine::memory::subscribe;
use workflow_runtime::machine::{
    Changes, Command, Delivery, Execution, ExecutionInfo, MapCounts, Occurrence, Op, Outcome, Program, Row, Start,
    Stop, StoredRow, Waiting,
};
use workflow_runtime::observe::Observer;
use workflow_runtime::testing::{self, VirtualClock};
use workflow_runtime::{CloudEvent, Hub, Timestamp, Value, Workflow};

use crate::runs::{correlation, environment};
use crate::shuffled::Shuffled;

/// An entry of the log between an engine and an execution.
#[derive(Debug, Clone, PartialEq)]
enum Entry {
    Command(Op, Command),
    Stop(Stop),
    Occurred(Timestamp, Occurred, Delivery),
}

/// An occurrence that a driver in memory reports and that changes an execution.
#[derive(Debug, Clone, PartialEq)]
enum Occurred {
    Completed(Op, Outcome),
    HandedOver(Op),
    Abandoned(Op),
    Event(CloudEvent),
    AcceptedEvent(CloudEvent),
    TimedOut,
    Ended(Outcome),
    Terminated(Value),
}

impl Occurred {
    fn of(occurrence: &Occurrence<'_>) -> Option<Occurred> {
        Some(match occurrence {
            Occurrence::Completed(op, outcome) => Occurred::Completed(*op, outcome.clone()),
            Occurrence::HandedOver(op) => Occurred::HandedOver(*op),
            Occurrence::Abandoned(op) => Occurred::Abandoned(*op),
            Occurrence::Event(event) => Occurred::Event((*event).clone()),
            Occurrence::AcceptedEvent(event) => Occurred::AcceptedEvent((*event).clone()),
            Occurrence::TimedOut => Occurred::TimedOut,
            Occurrence::Ended(outcome) => Occurred::Ended(outcome.clone()),
            Occurrence::Terminated(output) => Occurred::Terminated(output.clone()),
            Occurrence::Redriven
            | Occurrence::Updated(_)
            | Occurrence::Resumed { .. }
            | Occurrence::Rescheduled
            | Occurrence::ChildFailed(..) => return None,
        })
    }

    fn occurrence(&self) -> Occurrence<'_> {
        match self {
            Occurred::Completed(op, outcome) => Occurrence::Completed(*op, outcome.clone()),
            Occurred::HandedOver(op) => Occurrence::HandedOver(*op),
            Occurred::Abandoned(op) => Occurrence::Abandoned(*op),
            Occurred::Event(event) => Occurrence::Event(event),
            Occurred::AcceptedEvent(event) => Occurrence::AcceptedEvent(event),
            Occurred::TimedOut => Occurrence::TimedOut,
            Occurred::Ended(outcome) => Occurrence::Ended(outcome.clone()),
            Occurred::Terminated(output) => Occurrence::Terminated(output.clone()),
        }
    }
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
    fn info(&self) -> ExecutionInfo<'_> {
        self.inner.info()
    }

    fn next_stop(&mut self) -> Option<Stop> {
        let stop = self.inner.next_stop()?;
        self.note(Entry::Stop(stop));
        Some(stop)
    }

    fn next_command(&mut self) -> Option<(Op, Command)> {
        let (op, command) = self.inner.next_command()?;
        self.note(Entry::Command(op, command.clone()));
        Some((op, command))
    }

    fn apply(&mut self, at: Timestamp, occurrence: Occurrence<'_>) -> Delivery {
        let occurred = Occurred::of(&occurrence);
        let delivery = self.inner.apply(at, occurrence);
        if let Some(occurred) = occurred {
            self.note(Entry::Occurred(at, occurred, delivery));
        }
        delivery
    }

    fn compute(&mut self, slice: Duration, limit: Duration) {
        self.inner.compute(slice, limit);
    }

    fn describe(&self) -> Vec<Waiting> {
        self.inner.describe()
    }

    fn save(&self) -> Vec<u8> {
        self.inner.save()
    }

    fn batch(&self, op: Op) -> Option<Vec<u8>> {
        self.inner.batch(op)
    }

    fn changes(&mut self) -> Changes {
        self.inner.changes()
    }

    fn map_counts(&self) -> Option<MapCounts> {
        self.inner.map_counts()
    }

    fn observe(&mut self, observers: Vec<Box<dyn Observer>>) -> Vec<Box<dyn Observer>> {
        self.inner.observe(observers)
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
            Entry::Stop(stop) => {
                let next = execution.next_stop();
                if next != Some(*stop) {
                    return differs(format!("{next:?}"));
                }
            }
            Entry::Occurred(time, occurred, delivery) => {
                let is_completed = |entry: &Entry| matches!(entry, Entry::Occurred(_, Occurred::Completed(..), _));
                // A snapshot is taken only after the engine has fetched the stops of the last
                // completion.
                let quiet = !log.get(at.wrapping_sub(1)).is_some_and(is_completed);
                if quiet && is_completed(entry) && execution.result().is_none() {
                    match reload(program, &mut execution, between, &mut rows) {
                        Ok(()) => {}
                        Err(problem) => return differs(problem),
                    }
                }
                let now = execution.apply(*time, occurred.occurrence());
                execution.finish_turn();
                if now != *delivery {
                    return differs(format!("delivered: {now:?}"));
                }
            }
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
