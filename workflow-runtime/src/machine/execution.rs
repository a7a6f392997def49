//! The interface of an execution to its engine, independent of the workflow.

use std::sync::Arc;
use std::time::Duration;

use super::Workflow;
use super::call::Call;
use super::command::{Command, FrameId, Op, Outcome};
use super::core::Core;
use super::definition::Definition;
use super::events::{Delivery, Reception};
use super::exec::Exec;
use super::frame::{Frame, Wait};
use super::info::ExecutionInfo;
use super::map_run::{self, MapCounts, MapRun};
use super::observer::{Observer, PathStep};
use super::occurrence::{Occurrence, Stop};
use super::part::Part;
use super::rows::{Changes, StoredRow};
use super::start::Start;
use crate::event::CloudEvent;
use crate::time::Timestamp;
use crate::value::Str;
use crate::value::codec::LoadError;

/// An execution, as an engine drives it: the engine carries out the commands, and reports their
/// completions, and what else occurs, one at a time.
///
/// The same completions in the same order lead to the same commands, operations and random
/// numbers, even if the execution is saved and loaded in between.
pub trait Execution: Send {
    /// Returns the facts about the execution.
    fn info(&self) -> ExecutionInfo<'_>;

    /// Returns the next request to stop something. Each request is returned once, a
    /// [termination](Stop::All) first. The engine fulfills all requests before it saves the
    /// execution, and before it fetches the next command.
    fn next_stop(&mut self) -> Option<Stop>;

    /// Returns the next command to carry out. Each command is returned once. After loading, all
    /// commands that frames wait for are returned again, with the same operations.
    fn next_command(&mut self) -> Option<(Op, Command)>;

    /// Applies an occurrence. If a turn is to run then, [`compute`](Execution::compute) runs it.
    ///
    /// Returns the fate of an event. The outcome of a command is [declined](Delivery::Declined),
    /// without effect, if no frame waits for the operation. All else is
    /// [consumed](Delivery::Consumed).
    fn apply(&mut self, at: Timestamp, occurrence: Occurrence<'_>) -> Delivery;

    /// Runs the turn until every frame waits, or for about `slice`: it pauses between two states.
    /// A turn that computes for longer than `limit` fails with
    /// [`TURN_LIMIT_EXCEEDED`](crate::fault::names::TURN_LIMIT_EXCEEDED).
    fn compute(&mut self, slice: Duration, limit: Duration);

    /// Returns all waits of the execution.
    fn describe(&self) -> Vec<Waiting>;

    /// Returns a snapshot. Possible at any time between two completions.
    fn save(&self) -> Vec<u8>;

    /// Returns the start of the batch that the execution waits for by this operation, for
    /// [`Program::load_batch`]. The result of the batch is the outcome to deliver.
    fn batch(&self, op: Op) -> Option<Vec<u8>>;

    /// Returns the changes since the last call, or since the execution was restored from rows: the
    /// rows of the frames that moved. The first call returns all rows, and from then on the
    /// execution tracks its changes. Possible at any time between two completions.
    ///
    /// An execution that divides iterations, or is a batch, cannot be stored in rows.
    fn changes(&mut self) -> Changes;

    /// Returns the numbers of items, if the execution is a run of a distributed Map.
    fn map_counts(&self) -> Option<MapCounts> {
        None
    }

    /// Returns the largest number of children at once, if the execution is a run of a distributed
    /// Map. More run after it was lowered, until enough of them have ended.
    fn max_children(&self) -> Option<u64> {
        None
    }

    /// Returns `true` while a run of a distributed Map reads items for its first input since it
    /// began or was loaded. A run that is loaded from a snapshot of it reads them all again.
    fn begins_first_input(&self) -> bool {
        false
    }

    /// Begins another execution of the same definition in the memory of this one, which has ended.
    /// Returns the start if that is not possible.
    #[doc(hidden)]
    fn begin_again(&mut self, start: Start) -> Option<Start> {
        Some(start)
    }

    /// Replaces the observers, and returns the previous ones. Without observers nothing is
    /// reported: an engine replays without them.
    fn observe(&mut self, observers: Vec<Box<dyn Observer>>) -> Vec<Box<dyn Observer>>;
}

impl dyn Execution + '_ {
    /// Returns the outcome of the execution, once it has ended.
    pub fn result(&self) -> Option<&Outcome> {
        self.info().result()
    }

    /// Runs the turn to its end, without a time limit.
    pub fn finish_turn(&mut self) {
        while self.info().is_computing() {
            self.compute(Duration::MAX, Duration::MAX);
        }
    }

    /// Applies the outcome of a command, and runs the turn to its end. Returns `false` if no frame
    /// waits for the operation.
    pub fn complete(&mut self, op: Op, at: Timestamp, outcome: Outcome) -> bool {
        let delivery = self.apply(at, Occurrence::Completed(op, outcome));
        self.finish_turn();
        delivery == Delivery::Consumed
    }

    /// Applies the delivery of an event, and runs the turn to its end.
    pub fn deliver(&mut self, at: Timestamp, event: &CloudEvent) -> Delivery {
        let delivery = self.apply(at, Occurrence::Event(event));
        self.finish_turn();
        delivery
    }
}

/// A frame that waits, in authored terms.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Waiting {
    /// The operation it waits for.
    pub op: Op,
    /// The frame it belongs to.
    pub parent: Option<FrameId>,
    /// The branches and iterations it is in, outermost first.
    pub path: Vec<PathStep>,
    /// The state it is in.
    pub state: &'static str,
    /// The number of its visit to the state, counted over the execution from 1; 0 if it is in no
    /// state.
    pub visit: u64,
    /// The time at which it entered the state.
    pub entered: Timestamp,
    /// The number of retries of the state.
    pub retries: u32,
    /// The suspension point of the generated code.
    pub point: &'static str,
    /// The awaited command or children.
    pub waits_for: WaitsFor,
}

/// The awaited command or children of a frame.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum WaitsFor {
    /// The outcome of a task.
    Task {
        /// The task key.
        key: &'static str,
        /// The time-out of the task.
        deadline: Option<Timestamp>,
        /// The time at which the first heartbeat is due, once only the outcome by the token is
        /// awaited. Each heartbeat moves the time on, which only the engine knows.
        first_heartbeat: Option<Timestamp>,
        /// The token by which the outcome arrives, if it does.
        token: Option<Str>,
        /// Set once the task has returned and only the outcome by the token is awaited.
        handed_over: bool,
    },
    /// A point in time.
    Time(Timestamp),
    /// An event.
    Event(Arc<Reception>),
    /// The confirmation that a published event cannot be lost.
    Published(Arc<CloudEvent>),
    /// The outcome of a child execution.
    Child(Arc<Call>),
    /// The outcome of a batch.
    Batch {
        /// The index of its first item in the whole iteration.
        first: u32,
        /// The number of its items.
        items: u32,
    },
    /// Items of a distributed Map, by what became of them.
    Map(MapCounts),
    /// The items that are read from an object store, or the results that are written.
    Objects,
    /// Branches or iterations.
    Children {
        /// The number of children in all.
        total: u32,
        /// The number of children that have ended.
        ended: u32,
    },
}

/// The result of loading an execution.
type Loaded = Result<Box<dyn Execution>, LoadError>;

/// The function that loads a batch.
type LoadBatch = fn(&[u8], Vec<Box<dyn Observer>>) -> Loaded;

/// A workflow as a value, for engines that run several.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// The definition as data.
    pub definition: &'static Definition,
    functions: &'static Functions,
}

/// The functions that create the executions of a workflow.
#[derive(Debug)]
struct Functions {
    begin: fn(Start) -> Box<dyn Execution>,
    load: fn(&[u8]) -> Loaded,
    load_batch: LoadBatch,
    restore: fn(&[StoredRow]) -> Loaded,
}

impl Program {
    /// Returns the program of workflow `W`.
    pub fn of<W: Workflow>() -> Program {
        let functions = const {
            &Functions { begin: begin::<W>, load: load::<W>, load_batch: load_batch::<W>, restore: restore::<W> }
        };
        Program { definition: W::DEFINITION, functions }
    }

    /// Creates an execution. Its first turn runs in [`Execution::compute`].
    pub fn begin(&self, start: Start) -> Box<dyn Execution> {
        match start.part {
            Some(Part::Map(index)) => map_run::begin(*self, index, start),
            Some(Part::Entry(_)) | None => (self.functions.begin)(start),
        }
    }

    /// Creates an execution, and runs its first turn to the end.
    pub fn start(&self, start: Start) -> Box<dyn Execution> {
        let mut execution = self.begin(start);
        execution.finish_turn();
        execution
    }

    /// Loads an execution that was saved. The snapshot may be untrusted.
    pub fn load(&self, snapshot: &[u8]) -> Result<Box<dyn Execution>, LoadError> {
        match map_run::is_snapshot(snapshot) {
            true => Ok(Box::new(MapRun::load(*self, snapshot)?)),
            false => (self.functions.load)(snapshot),
        }
    }

    /// Loads the start of a [batch](Execution::batch). Its first turn runs in
    /// [`Execution::compute`]. From then on it is saved and loaded like any execution. Its result
    /// is the outcome to deliver to the dividing execution, which keeps the deadline.
    pub fn load_batch(&self, batch: &[u8], observers: Vec<Box<dyn Observer>>) -> Result<Box<dyn Execution>, LoadError> {
        (self.functions.load_batch)(batch, observers)
    }

    /// Restores an execution that was stored row by row, in any order. The rows may be untrusted.
    pub fn restore(&self, rows: &[StoredRow]) -> Result<Box<dyn Execution>, LoadError> {
        match map_run::has_rows(rows) {
            true => Ok(Box::new(MapRun::restore(*self, rows)?)),
            false => (self.functions.restore)(rows),
        }
    }
}

fn begin<W: Workflow>(start: Start) -> Box<dyn Execution> {
    Box::new(Exec::<W::State>::begin(W::DEFINITION, start))
}

fn load<W: Workflow>(snapshot: &[u8]) -> Loaded {
    Ok(Box::new(Exec::<W::State>::load(W::DEFINITION, snapshot)?))
}

fn load_batch<W: Workflow>(batch: &[u8], observers: Vec<Box<dyn Observer>>) -> Loaded {
    Ok(Box::new(Exec::<W::State>::load_batch(W::DEFINITION, batch, observers)?))
}

fn restore<W: Workflow>(rows: &[StoredRow]) -> Loaded {
    Ok(Box::new(Exec::<W::State>::restore(W::DEFINITION, rows)?))
}

impl Core {
    pub(super) fn next_command(&mut self) -> Option<(Op, Command)> {
        loop {
            let op = self.next_issued()?;
            if let Some(Frame { wait: Wait::Command(command), .. }) = self.frames.waiting(op) {
                return Some((op, command.clone()));
            }
        }
    }

    pub(super) fn waiting(&self, id: FrameId, frame: &Frame, point: &'static str) -> Waiting {
        let waits_for = match &frame.wait {
            Wait::Command(Command::Invoke(invocation)) => WaitsFor::Task {
                key: invocation.task.key,
                deadline: invocation.deadline(),
                first_heartbeat: (invocation.heartbeat().filter(|_| invocation.handed_over))
                    .map(|heartbeat| invocation.issued.plus(heartbeat)),
                token: invocation.token().filter(|_| invocation.callback).cloned(),
                handed_over: invocation.handed_over,
            },
            Wait::Command(Command::Sleep { until }) => WaitsFor::Time(*until),
            Wait::Command(Command::Receive(reception)) => WaitsFor::Event(reception.clone()),
            Wait::Command(Command::Publish(event)) => WaitsFor::Published(event.clone()),
            Wait::Command(Command::Call(call)) => WaitsFor::Child(call.clone()),
            Wait::Command(Command::Read(_) | Command::Write(_)) => WaitsFor::Objects,
            Wait::Command(Command::Batch(batch)) => WaitsFor::Batch { first: batch.first, items: batch.items },
            Wait::Children(join) => WaitsFor::Children { total: join.total, ended: join.started() - join.running },
            Wait::Draining => WaitsFor::Children { total: self.frames.children(id).count() as u32, ended: 0 },
            Wait::Nothing => WaitsFor::Children { total: 0, ended: 0 },
        };
        Waiting {
            op: Op { id: frame.op, frame: id },
            parent: (frame.parent != super::frame::NONE).then_some(frame.parent),
            // The frame of a batch is not itself an iteration.
            path: self.path(if let WaitsFor::Batch { .. } = waits_for { frame.parent } else { id }),
            state: frame.state,
            visit: frame.visit,
            entered: frame.entered,
            retries: frame.retries,
            point,
            waits_for,
        }
    }
}
