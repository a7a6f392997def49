//! The interface of an execution to its engine, independent of the workflow.

use std::sync::Arc;
use std::time::Duration;

use super::Workflow;
use super::call::{Call, Target};
use super::command::{Command, FrameId, Op, Outcome};
use super::core::Core;
use super::definition::Definition;
use super::events::{Delivery, Reception};
use super::exec::Exec;
use super::frame::{Frame, Wait};
use super::observer::{Observer, PathStep};
use super::rows::{Changes, StoredRow};
use super::start::Start;
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::time::Timestamp;
use crate::value::codec::LoadError;
use crate::value::{Str, Value};

/// An execution, as an engine drives it: the engine carries out the commands, and delivers their
/// completions one at a time.
///
/// The same completions in the same order lead to the same commands, operations and random
/// numbers, even if the execution is saved and loaded in between.
pub trait Execution: Send {
    /// Returns the workflow.
    fn definition(&self) -> &'static Definition;

    /// Returns the id: the name that the execution was started with.
    fn id(&self) -> &Str;

    /// Returns the correlation key: the key that the execution was started with, or its id.
    fn correlation(&self) -> &Str {
        self.explicit_correlation().unwrap_or(self.id())
    }

    /// Returns the correlation key that the execution was started with, if any.
    fn explicit_correlation(&self) -> Option<&Str>;

    /// Returns the correlation key that this execution passes on to a child execution. An entry of
    /// the same workflow gets this execution's key. Another workflow gets the key that this
    /// execution was started with, unless it reads one from its input
    /// ([`Definition::correlation`](super::Definition::correlation)).
    fn child_correlation(&self, call: &Call) -> Option<Str> {
        match &call.target {
            Target::Entry(_) => Some(self.correlation().clone()),
            Target::Workflow(_) => self.explicit_correlation().cloned(),
        }
    }

    /// Returns the next command to carry out. Each command is returned once. After loading, all
    /// commands that frames wait for are returned again, with the same operations.
    fn next_command(&mut self) -> Option<(Op, Command)>;

    /// Returns the next operation that no frame waits for any more, for example of a branch whose
    /// sibling failed. It may be an operation that [`next_command`](Execution::next_command) has
    /// not returned.
    fn next_cancelled(&mut self) -> Option<Op>;

    /// Delivers the outcome of a command; [`compute`](Execution::compute) then runs the turn.
    /// Returns `false`, and does nothing, if no frame waits for the operation.
    ///
    /// The outcome of a task that timed out is [`Fault::timeout`](crate::Fault::timeout), that of
    /// a task without heartbeats [`Fault::heartbeat_timeout`](crate::Fault::heartbeat_timeout).
    fn accept(&mut self, op: Op, at: Timestamp, outcome: Outcome) -> bool;

    /// Delivers an event from outside. If a frame waits for it, [`compute`](Execution::compute)
    /// then runs the turn.
    fn offer(&mut self, at: Timestamp, event: &CloudEvent) -> Delivery;

    /// Returns `true` if a turn is to run, or to continue after a pause. While it is `true`, only
    /// [`compute`](Execution::compute) and [`end`](Execution::end) may be called.
    fn is_computing(&self) -> bool;

    /// Runs the turn until every frame waits, or for about `slice`: it pauses between two states.
    /// A turn that computes for longer than `limit` fails with
    /// [`TURN_LIMIT_EXCEEDED`](crate::fault::names::TURN_LIMIT_EXCEEDED).
    fn compute(&mut self, slice: Duration, limit: Duration);

    /// Runs the turn to its end, without a time limit.
    fn finish_turn(&mut self) {
        while self.is_computing() {
            self.compute(Duration::MAX, Duration::MAX);
        }
    }

    /// Delivers the outcome of a command, as [`accept`](Execution::accept) does, and runs the turn
    /// to its end.
    fn complete(&mut self, op: Op, at: Timestamp, outcome: Outcome) -> bool {
        let accepted = self.accept(op, at, outcome);
        self.finish_turn();
        accepted
    }

    /// Delivers an event from outside, as [`offer`](Execution::offer) does, and runs the turn to
    /// its end.
    fn deliver(&mut self, at: Timestamp, event: &CloudEvent) -> Delivery {
        let delivery = self.offer(at, event);
        self.finish_turn();
        delivery
    }

    /// Returns the number of events in the inbox.
    fn inbox_len(&self) -> usize;

    /// Returns the events of the inbox, in the order of arrival.
    fn inbox_events(&self) -> Vec<&CloudEvent>;

    /// Reports the failure of a detached child execution to the observers. May be called after the
    /// end.
    fn notify_child_failed(&mut self, at: Timestamp, call: &Call, fault: &Fault) {
        let _ = (at, call, fault);
    }

    /// Handles the time-out of the execution: its [`deadline`](Execution::deadline) has passed. If
    /// the definition has a handler, [`compute`](Execution::compute) runs it.
    fn expire(&mut self, at: Timestamp);

    /// Ends the execution from outside.
    fn end(&mut self, at: Timestamp, outcome: Outcome);

    /// Terminates the execution from outside with this output, as one of its states can: nothing
    /// new begins, frames that only wait end, and commands in progress complete first.
    fn terminate(&mut self, at: Timestamp, output: Value);

    /// Returns `true` if the execution terminates or has terminated, by a state of it or from
    /// outside.
    ///
    /// A terminating execution that is saved and loaded issues the commands in progress again.
    fn is_terminating(&self) -> bool;

    /// Returns `true` once after the execution has begun to
    /// [terminate](Execution::is_terminating), since it was started or loaded.
    ///
    /// Only the engine knows which commands are in progress. It then
    /// [abandons](Execution::abandon) all commands that it has not begun, including those that it
    /// has not yet fetched, and terminates the child executions and batches that are awaited.
    fn starts_terminating(&mut self) -> bool;

    /// Returns the number of the last operation that was issued before the execution was loaded.
    /// Commands up to this number may have begun then.
    fn issued_before(&self) -> u64;

    /// Reports that the engine has not begun a command and will not. Only for an execution that is
    /// [terminating](Execution::is_terminating).
    fn abandon(&mut self, op: Op);

    /// Returns the [`result`](Execution::result) as the parent execution receives it: a child that
    /// was terminated terminates its parent.
    fn outcome_for_parent(&self) -> Option<Outcome> {
        let outcome = self.result()?.clone();
        Some(outcome.and_then(|output| match self.is_terminating() {
            true => Err(Fault::terminated(output)),
            false => Ok(output),
        }))
    }

    /// Returns the deadline of the execution.
    fn deadline(&self) -> Option<Timestamp>;

    /// Returns the outcome of the execution, once it has ended.
    fn result(&self) -> Option<&Outcome>;

    /// Returns a snapshot. Possible at any time between two completions.
    fn save(&self) -> Vec<u8>;

    /// Returns the start of the batch that the execution waits for by this operation, for
    /// [`Program::load_batch`]. The result of the batch is the outcome to deliver.
    fn batch(&self, op: Op) -> Option<Vec<u8>> {
        let _ = op;
        None
    }

    /// Starts change tracking, for [`changes`](Execution::changes). An execution that was restored
    /// from rows tracks changes already. An execution that divides iterations, or is a batch,
    /// cannot be stored in rows.
    fn track(&mut self);

    /// Returns the changes since the last call, or since the execution was restored: the rows of
    /// the frames that moved. Empty without change [tracking](Execution::track). Possible at any
    /// time between two completions.
    fn changes(&mut self) -> Changes;

    /// Records that a task whose outcome arrives by its token has returned. After a crash the
    /// engine waits for the outcome and does not invoke the task again.
    fn mark_handed_over(&mut self, op: Op);

    /// Returns the last completion of a tracked execution. A redrive of a failed execution replays
    /// it instead of repeating the command.
    fn last_completion(&self) -> Option<(Op, &Outcome)>;

    /// Redrives an execution that failed and was restored to the state before its last completion.
    /// Counts the redrive, restarts the time-outs of the execution and of awaited tasks, and
    /// returns the number of redrives.
    fn redrive(&mut self, at: Timestamp) -> u32;

    /// Reports to the observers that a new process continues the execution, and the number of such
    /// restarts.
    fn notify_resumed(&mut self, at: Timestamp, restart: u32) {
        let _ = (at, restart);
    }

    /// Reports the tasks that were invoked before the execution was loaded and that the engine
    /// invokes again. To be called once, after all outcomes that have arrived were delivered. A
    /// task whose time-out has passed is not invoked.
    fn notify_rescheduled(&mut self, at: Timestamp) {
        let _ = at;
    }

    /// Returns all waits of the execution.
    fn describe(&self) -> Vec<Waiting>;

    /// Sets the observers. Without observers nothing is reported: an engine replays without them.
    fn observe(&mut self, observers: Vec<Box<dyn Observer>>);

    /// Takes the observers away. Nothing is reported any more.
    fn take_observers(&mut self) -> Vec<Box<dyn Observer>>;
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
        (self.functions.begin)(start)
    }

    /// Creates an execution, and runs its first turn to the end.
    pub fn start(&self, start: Start) -> Box<dyn Execution> {
        let mut execution = self.begin(start);
        execution.finish_turn();
        execution
    }

    /// Loads an execution that was saved. The snapshot may be untrusted.
    pub fn load(&self, snapshot: &[u8]) -> Result<Box<dyn Execution>, LoadError> {
        (self.functions.load)(snapshot)
    }

    /// Loads the start of a [batch](Execution::batch). Its first turn runs in
    /// [`Execution::compute`]. From then on it is saved and loaded like any execution. Its result
    /// is the outcome to deliver to the dividing execution, which keeps the deadline.
    pub fn load_batch(&self, batch: &[u8], observers: Vec<Box<dyn Observer>>) -> Result<Box<dyn Execution>, LoadError> {
        (self.functions.load_batch)(batch, observers)
    }

    /// Restores an execution that was stored row by row, in any order. The rows may be untrusted.
    pub fn restore(&self, rows: &[StoredRow]) -> Result<Box<dyn Execution>, LoadError> {
        (self.functions.restore)(rows)
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
                first_heartbeat: (invocation.heartbeat.filter(|_| invocation.handed_over))
                    .map(|heartbeat| invocation.issued.plus(heartbeat)),
                token: invocation.token.as_deref().filter(|_| invocation.callback).cloned(),
                handed_over: invocation.handed_over,
            },
            Wait::Command(Command::Sleep { until }) => WaitsFor::Time(*until),
            Wait::Command(Command::Receive(reception)) => WaitsFor::Event(reception.clone()),
            Wait::Command(Command::Publish(event)) => WaitsFor::Published(event.clone()),
            Wait::Command(Command::Call(call)) => WaitsFor::Child(call.clone()),
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
