//! Executions as engines see them, whatever the workflow.

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
use super::rows::{Changes, StoredRow};
use super::start::Start;
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::observe::{Observer, PathStep};
use crate::time::Timestamp;
use crate::value::codec::LoadError;
use crate::value::{Str, Value};

/// An execution, as an engine drives it: it carries out the commands, and delivers what became of them one at a time.
///
/// The same completions in the same order lead to the same commands, operations and random numbers, whether the execution
/// was saved and loaded in between or not.
pub trait Execution: Send {
    /// The workflow.
    fn definition(&self) -> &'static Definition;

    /// The id: the name that the execution was started with.
    fn id(&self) -> &Str;

    /// The value by which events are told to be for the execution: what it was started with, or else its id.
    fn correlation(&self) -> &Str {
        self.given_correlation().unwrap_or(self.id())
    }

    /// That value, if the execution was started with one.
    fn given_correlation(&self) -> Option<&Str>;

    /// The value that this execution passes on to one which it starts: a part of the workflow has the same, and another workflow
    /// that which this one was given, unless one is read from the input there
    /// ([`Definition::correlation`](super::Definition::correlation)).
    fn correlation_of(&self, call: &Call) -> Option<Str> {
        match &call.target {
            Target::Entry(_) => Some(self.correlation().clone()),
            Target::Workflow(_) => self.given_correlation().cloned(),
        }
    }

    /// The next command to carry out, which no call has returned before. After an execution was loaded, all commands that
    /// its frames wait for are returned again, with the operations they had.
    fn next_command(&mut self) -> Option<(Op, Command)>;

    /// The next operation that is not waited for any more, such as a branch's whose sibling failed. One that
    /// [`next_command`](Execution::next_command) has not returned may be among them.
    fn next_cancelled(&mut self) -> Option<Op>;

    /// Delivers the outcome of a command; [`compute`](Execution::compute) then runs the turn. Returns `false` if nothing waits
    /// for the operation: then nothing happens. A task that took too long fails with
    /// [`Fault::timeout`](crate::Fault::timeout), one that was silent for too long with
    /// [`Fault::heartbeat_timeout`](crate::Fault::heartbeat_timeout).
    fn accept(&mut self, op: Op, at: Timestamp, outcome: Outcome) -> bool;

    /// Delivers an event from outside; [`compute`](Execution::compute) then runs the turn, if a frame waited for the event.
    fn offer(&mut self, at: Timestamp, event: &CloudEvent) -> Delivery;

    /// Returns `true` if a turn is to be run, or to be continued after a pause. All other methods but
    /// [`compute`](Execution::compute) and [`end`](Execution::end) are for an execution that does not compute.
    fn is_computing(&self) -> bool;

    /// Runs the turn until every frame waits, or for about `slice`: it pauses between two states. A turn that has computed
    /// for longer than `limit` fails with [`TURN_LIMIT_EXCEEDED`](crate::fault::names::TURN_LIMIT_EXCEEDED).
    fn compute(&mut self, slice: Duration, limit: Duration);

    /// Runs the turn to its end, however long it takes.
    fn finish_turn(&mut self) {
        while self.is_computing() {
            self.compute(Duration::MAX, Duration::MAX);
        }
    }

    /// Delivers the outcome of a command, as [`accept`](Execution::accept) does, and runs the turn to its end.
    fn complete(&mut self, op: Op, at: Timestamp, outcome: Outcome) -> bool {
        let accepted = self.accept(op, at, outcome);
        self.finish_turn();
        accepted
    }

    /// Delivers an event from outside, as [`offer`](Execution::offer) does, and runs the turn to its end.
    fn deliver(&mut self, at: Timestamp, event: &CloudEvent) -> Delivery {
        let delivery = self.offer(at, event);
        self.finish_turn();
        delivery
    }

    /// How many events it keeps that are not waited for yet.
    fn events_kept(&self) -> usize;

    /// Those events, in the order in which they came.
    fn kept_events(&self) -> Vec<&CloudEvent>;

    /// Tells observers that an execution has failed that this one had started and did not wait for. Also after the end.
    fn tell_failed(&mut self, at: Timestamp, call: &Call, fault: &Fault) {
        let _ = (at, call, fault);
    }

    /// Ends the execution as the definition says, because its [`deadline`](Execution::deadline) has passed. Where the
    /// definition has a handler for that, [`compute`](Execution::compute) runs it.
    fn expire(&mut self, at: Timestamp);

    /// Ends the execution from outside.
    fn end(&mut self, at: Timestamp, outcome: Outcome);

    /// Lets the whole run end with this output from outside, as a state of it can: nothing begins any more, what only waits is
    /// over, and what is being done is completed first.
    fn terminate(&mut self, at: Timestamp, output: Value);

    /// Whether the whole run ends, or has ended, by a state of it or from outside, as soon as what is being done is completed.
    ///
    /// If the execution is saved and loaded after that, it asks as always for what is waited for, which was being done.
    fn is_terminating(&self) -> bool;

    /// Whether it has become [terminating](Execution::is_terminating) since it was started or loaded, and this was not told
    /// before. What is being done only the engine knows: when told, it [forgoes](Execution::forgo) all commands that it has not
    /// begun, those among them that it has not asked for yet, and has the executions and batches that are waited for
    /// terminated, too.
    fn begins_to_end(&mut self) -> bool;

    /// The number of the last operation that was asked for before the execution was loaded: what is asked for once more may
    /// have begun then.
    fn asked_before(&self) -> u64;

    /// Tells of a command that it was not begun and will not be. Only of an execution that is
    /// [terminating](Execution::is_terminating).
    fn forgo(&mut self, op: Op);

    /// As [`result`](Execution::result), as the execution that waits for this one is to be told: if the whole run has ended by
    /// a state of it, that one ends too.
    fn ending(&self) -> Option<Outcome> {
        let outcome = self.result()?.clone();
        Some(outcome.and_then(|output| match self.is_terminating() {
            true => Err(Fault::terminated(output)),
            false => Ok(output),
        }))
    }

    /// When the execution is to end if it has not.
    fn deadline(&self) -> Option<Timestamp>;

    /// How the execution ended, once it has.
    fn result(&self) -> Option<&Outcome>;

    /// Writes all that is needed to go on. Possible at any time between two completions.
    fn save(&self) -> Vec<u8>;

    /// What the batch begins with that the execution waits for by this operation: for [`Program::load_batch`]. Its result is
    /// what is to be delivered.
    fn batch(&self, op: Op) -> Option<Vec<u8>> {
        let _ = op;
        None
    }

    /// Begins to note what changes, for [`changes`](Execution::changes). One that was restored from rows does already. An execution
    /// that divides iterations, or is a batch, is not to be stored in rows.
    fn track(&mut self);

    /// What has changed since this was last called, or since the execution was restored: the rows of the frames that moved.
    /// Possible at any time between two completions. Nothing, if nobody has asked to [`track`](Execution::track) it.
    fn changes(&mut self) -> Changes;

    /// A task whose outcome arrives by its token has returned: after a crash it is waited for, and not invoked again.
    fn handed_over(&mut self, op: Op);

    /// What was delivered last, of an execution that is tracked: if it has failed and is taken up again as it was before,
    /// this need not be brought about once more.
    fn last_completion(&self) -> Option<(Op, &Outcome)>;

    /// An execution that had failed is taken up again, as it was before the last completion: this is counted, and
    /// time-outs of the whole and of tasks that are waited for begin anew.
    fn redriven(&mut self, at: Timestamp);

    /// What the execution waits for.
    fn describe(&self) -> Vec<Waiting>;

    /// Sets who is told what happens from now on. Nobody is while there are none: so an engine replays in silence.
    fn observe(&mut self, observers: Vec<Box<dyn Observer>>);

    /// Gives the observers back, and tells nobody any more.
    fn take_observers(&mut self) -> Vec<Box<dyn Observer>>;
}

/// A frame that waits, in the author's words.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Waiting {
    /// The operation it waits for.
    pub op: Op,
    /// The frame it is a part of.
    pub parent: Option<FrameId>,
    /// The branches and iterations it is in, from the outside in.
    pub path: Vec<PathStep>,
    /// The state it is in.
    pub state: &'static str,
    /// Which of all entries of the execution into its states that was, from 1; 0 of what is in none.
    pub visit: u64,
    /// When it entered that state.
    pub entered: Timestamp,
    /// How often the state was retried.
    pub retries: u32,
    /// The point of the generated code.
    pub point: &'static str,
    /// What it waits for.
    pub waits_for: WaitsFor,
}

/// What a frame waits for.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum WaitsFor {
    /// The outcome of a task.
    Task {
        /// Its key.
        key: &'static str,
        /// When it is given up; or, if only the outcome by the token is waited for, when it must have given a sign of life.
        deadline: Option<Timestamp>,
        /// The token by which the outcome arrives, if it does so.
        token: Option<Str>,
        /// Whether the task has returned, and only the outcome by the token is waited for.
        handed_over: bool,
    },
    /// A time.
    Time(Timestamp),
    /// An event.
    Event(Arc<Reception>),
    /// That an event is sure not to be lost.
    Published(Arc<CloudEvent>),
    /// An execution that it has started.
    Child(Arc<Call>),
    /// Iterations over some items, which are an execution of their own.
    Batch {
        /// The place of the first item among all.
        first: u32,
        /// How many items.
        items: u32,
    },
    /// Branches or iterations.
    Children {
        /// How many there are to be.
        total: u32,
        /// How many have ended.
        ended: u32,
    },
}

/// An execution that was loaded.
type Loaded = Result<Box<dyn Execution>, LoadError>;

/// How a batch is begun.
type LoadBatch = fn(&[u8], Vec<Box<dyn Observer>>) -> Loaded;

/// A workflow as a value, for engines that know many.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// What is known of it.
    pub definition: &'static Definition,
    begin: fn(Start) -> Box<dyn Execution>,
    load: fn(&[u8]) -> Loaded,
    load_batch: LoadBatch,
    restore: fn(&[StoredRow]) -> Loaded,
}

impl Program {
    /// The workflow `W`.
    pub fn of<W: Workflow>() -> Program {
        Program {
            definition: W::DEFINITION,
            begin: begin::<W>,
            load: load::<W>,
            load_batch: load_batch::<W>,
            restore: restore::<W>,
        }
    }

    /// Makes an execution, whose first turn is to be run by [`Execution::compute`].
    pub fn begin(&self, start: Start) -> Box<dyn Execution> {
        (self.begin)(start)
    }

    /// Makes an execution, and runs its first turn to the end.
    pub fn start(&self, start: Start) -> Box<dyn Execution> {
        let mut execution = self.begin(start);
        execution.finish_turn();
        execution
    }

    /// Goes on with an execution that was saved. The snapshot can have come from anywhere.
    pub fn load(&self, snapshot: &[u8]) -> Result<Box<dyn Execution>, LoadError> {
        (self.load)(snapshot)
    }

    /// Begins a [batch](Execution::batch), whose first turn is to be run by [`Execution::compute`]. From there it is saved and
    /// loaded as any execution is; it ends with what is to be delivered to the one it is a part of. That one keeps the deadline.
    pub fn load_batch(&self, batch: &[u8], observers: Vec<Box<dyn Observer>>) -> Result<Box<dyn Execution>, LoadError> {
        (self.load_batch)(batch, observers)
    }

    /// Goes on with an execution that was stored row by row, in any order. The rows can have come from anywhere.
    pub fn restore(&self, rows: &[StoredRow]) -> Result<Box<dyn Execution>, LoadError> {
        (self.restore)(rows)
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
            let op = self.outbox.pop_front()?;
            if let Some(Frame { wait: Wait::Command(command), .. }) = self.frames.waiting(op) {
                return Some((op, command.clone()));
            }
        }
    }

    pub(super) fn waiting(&self, id: FrameId, frame: &Frame, point: &'static str) -> Waiting {
        let waits_for = match &frame.wait {
            Wait::Command(Command::Invoke(invocation)) => WaitsFor::Task {
                key: invocation.task.key,
                deadline: match invocation.heartbeat.filter(|_| invocation.handed_over) {
                    Some(heartbeat) => {
                        invocation.deadline().into_iter().chain([invocation.issued.plus(heartbeat)]).min()
                    }
                    None => invocation.deadline(),
                },
                token: invocation.token.clone().filter(|_| invocation.callback),
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
            // A batch is none of the iterations.
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
