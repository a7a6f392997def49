//! Execution of a workflow: the states of its frames, and the loop that runs them.
//!
//! This part is compiled once for every workflow. Everything that does not need the state enum is
//! in [`Core`](super::core::Core).

use std::time::Duration;

use super::command::{Command, FrameId, Op, Outcome};
use super::core::{Core, Job, Started};
use super::definition::{Definition, OnTimeout};
use super::events::Delivery;
use super::execution::{Execution, Waiting};
use super::frame::{NONE, ROOT};
use super::info::ExecutionInfo;
use super::observer::{EventKind, Observer};
use super::occurrence::{Occurrence, Stop};
use super::part::Part;
use super::rows::Changes;
use super::start::Start;
use super::turn::Turn;
use super::{FrameAction, Machine, TurnResult};
use crate::budget;
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::growth;
use crate::time::Timestamp;
use crate::value::Value;

/// Cost of entering a state, in units of the [budget](budget::spend): the loop reads the clock
/// every 16 states.
const BOUNDARY: usize = 256;

/// An execution of a workflow.
pub struct Exec<M> {
    pub(super) turn: Turn<M>,
    /// The states of the frames, indexed by frame number. `None` for a frame that runs, and for a
    /// free slot.
    pub(super) states: Vec<Option<M>>,
    /// In a batch: the entries of iterations that have not started, the next one last.
    pub(super) entries: Vec<M>,
}

impl<M: Machine> Exec<M> {
    /// Creates an execution that enters its first state when it [computes](Execution::compute).
    pub fn begin(definition: &'static Definition, start: Start) -> Exec<M> {
        let entry = entry_of(&start);
        let (header, input, observers) = start.into_parts(definition);
        let mut exec = Exec { turn: Turn::new(Core::new(header, observers)), states: Vec::new(), entries: Vec::new() };
        exec.begin_root(input, entry);
        exec
    }

    /// Schedules the first turn.
    fn begin_root(&mut self, input: Value, entry: Option<u32>) {
        self.turn.frames.add(NONE, 0, None);
        if self.turn.observed {
            let kind = match self.turn.header.redrives {
                0 => EventKind::ExecutionStarted { input: &input },
                redrive => EventKind::ExecutionRedriven { redrive },
            };
            self.turn.notify(NONE, kind);
        }
        // Most executions wait for a long time after their first turn, with one job at most.
        self.turn.work.reserve_exact(1);
        self.turn.work.push(Job::Begin(input, entry));
    }

    /// Enters the first state of the workflow, or of the entry that runs as a child execution.
    fn enter_first(&mut self, input: Value, entry: Option<u32>) -> TurnResult<M> {
        let header = &self.turn.header;
        if let Some(name) = header.definition.settings.iter().find(|name| header.setting(name).is_none()) {
            return Err(Fault::runtime(format!("the required setting `{name}` has no value")));
        }
        let state = match entry {
            None => {
                header.definition.admit(&input)?;
                M::start(input)
            }
            // The caller's execution supplies the input of an entry, so that it is not checked.
            Some(number) => M::entry(number, &input)
                .ok_or_else(|| Fault::runtime(format!("the workflow has no entry point {number}")))?,
        };
        state.enter(&mut self.turn)
    }

    /// Schedules a frame to enter a state before anything else when the execution computes next.
    fn enter_later(&mut self, frame: FrameId, state: M) {
        self.store_state(frame, state);
        self.turn.work.push(Job::Enter(frame));
    }

    /// Runs frames until all wait, or until the budget asks for a pause.
    fn run(&mut self) {
        while !budget::is_paused()
            && let Some(job) = self.turn.work.pop()
        {
            // Jobs of frames that were cancelled are skipped.
            let (frame, result) = match job {
                Job::Resume(op, outcome) => {
                    if self.turn.outer.is_some() && op.frame == ROOT {
                        self.turn.end_batch(outcome);
                        continue;
                    }
                    if !self.turn.resume(op) {
                        continue;
                    }
                    budget::spend(BOUNDARY);
                    let Some(state) = self.take_state(op.frame) else { continue };
                    self.turn.begin(op.frame);
                    (op.frame, state.resume(outcome, &mut self.turn))
                }
                Job::Start(op) => {
                    let Some(started) = self.turn.start_child(op) else { continue };
                    budget::spend(BOUNDARY);
                    match self.enter_child(op.frame, &started) {
                        Some(result) => (started.child, result),
                        None => continue,
                    }
                }
                Job::Enter(frame) => {
                    budget::spend(BOUNDARY);
                    let Some(state) = self.take_state(frame) else { continue };
                    self.turn.begin(frame);
                    (frame, state.enter(&mut self.turn))
                }
                Job::Begin(input, entry) => {
                    budget::spend(BOUNDARY);
                    self.turn.begin(ROOT);
                    (ROOT, self.enter_first(input, entry))
                }
            };
            self.run_to_suspension(frame, result);
        }
        self.drop_freed();
    }

    /// Takes the state of a frame that runs from now on.
    #[inline]
    fn take_state(&mut self, frame: FrameId) -> Option<M> {
        self.states.get_mut(frame.0 as usize).and_then(Option::take)
    }

    /// Enters the state of a branch or iteration. Returns `None` if it waits: for the time of its
    /// start, or for a batch.
    #[inline]
    fn enter_child(&mut self, parent: FrameId, started: &Started) -> Option<TurnResult<M>> {
        let Started { child, index, until, is_batch } = *started;
        if is_batch {
            return self.start_batch(parent, child, index).err().map(Err);
        }
        let state = self.states.get(parent.0 as usize).and_then(Option::as_ref);
        let child_state = match (state, &self.turn.frames.get(child).item) {
            (Some(state), Some(item)) => state.child(index as usize, item),
            (Some(state), None) => state.child(index as usize, &Value::Null),
            // A batch does not have the state that iterates.
            (None, _) => self.entries.pop(),
        };
        self.turn.begin(child);
        match (child_state, until) {
            (Some(state), Some(until)) => {
                self.turn.delay_start(child, until);
                self.store_state(child, state);
                None
            }
            (Some(state), None) => Some(state.enter(&mut self.turn)),
            (None, _) => Some(Err(Fault::runtime(format!("the state has no branch {index}")))),
        }
    }

    /// Runs a frame until it suspends, ends or pauses.
    #[inline]
    fn run_to_suspension(&mut self, frame: FrameId, mut result: TurnResult<M>) {
        let outcome = loop {
            if budget::is_spent() {
                // The result is unreliable: the loops of the state ended early.
                break Err(self.turn.out_of_budget());
            }
            match result {
                Ok(FrameAction::Next(state)) => {
                    if let Some(fault) = self.turn.overrun.take() {
                        break Err(fault);
                    }
                    budget::spend(BOUNDARY);
                    if budget::is_paused() {
                        return self.enter_later(frame, state);
                    }
                    result = state.enter(&mut self.turn);
                }
                Ok(FrameAction::Wait(state)) => match self.turn.suspend() {
                    Ok(()) => return self.store_state(frame, state),
                    Err(fault) => break Err(fault),
                },
                Ok(FrameAction::Done(value)) => break Ok(value),
                Ok(FrameAction::Terminate(value)) => {
                    self.turn.terminate(frame, value);
                    return self.drop_freed();
                }
                Err(fault) => break Err(fault),
            }
        };
        self.turn.end_frame(frame, outcome);
        self.drop_freed();
    }

    #[inline(always)]
    pub(super) fn store_state(&mut self, frame: FrameId, state: M) {
        let at = frame.0 as usize;
        if self.states.len() <= at {
            if self.states.capacity() <= at || self.states.len() < at {
                self.add_states(at);
            }
            return self.states.push(Some(state));
        }
        self.states[at] = Some(state);
    }

    /// Adds places for the states of the first frames, and memory for another.
    #[inline(never)]
    fn add_states(&mut self, frames: usize) {
        if self.states.capacity() <= frames {
            // Frames and states grow together.
            growth::enlarge(&mut self.states, self.turn.frames.capacity().max(frames + 1));
        }
        self.states.resize_with(frames, || None);
    }

    #[inline(always)]
    fn drop_freed(&mut self) {
        if self.turn.has_freed() || !self.entries.is_empty() {
            self.drop_states_of_freed();
        }
        if self.turn.frames.len() < self.states.len() {
            self.trim();
        }
    }

    #[cold]
    fn drop_states_of_freed(&mut self) {
        if self.turn.header.is_terminating() {
            self.entries.clear();
        }
        while let Some(frame) = self.turn.next_freed() {
            if let Some(state) = self.states.get_mut(frame.0 as usize) {
                *state = None;
            }
        }
    }

    #[inline(never)]
    fn trim(&mut self) {
        let used = self.turn.frames.len();
        self.states.truncate(used);
        if self.states.capacity() > 64 && used < self.states.capacity() / 4 {
            self.states.shrink_to(self.states.capacity() / 2);
        }
    }
}

impl<M: Machine> Execution for Exec<M> {
    fn info(&self) -> ExecutionInfo<'_> {
        ExecutionInfo::new(&self.turn)
    }

    fn next_stop(&mut self) -> Option<Stop> {
        self.turn.next_stop()
    }

    fn next_command(&mut self) -> Option<(Op, Command)> {
        self.turn.next_command()
    }

    fn apply(&mut self, at: Timestamp, occurrence: Occurrence<'_>) -> Delivery {
        match occurrence {
            Occurrence::Completed(op, outcome) => match self.accept(op, at, outcome) {
                true => return Delivery::Consumed,
                false => return Delivery::Declined,
            },
            Occurrence::Event(event) => return self.offer(at, event, Some(at)),
            Occurrence::AcceptedEvent(event) => return self.offer(at, event, None),
            Occurrence::HandedOver(op) => {
                self.turn.mark_handed_over(op);
                self.drop_freed();
            }
            Occurrence::Abandoned(op) => {
                self.turn.abandon(op);
                self.drop_freed();
            }
            Occurrence::TimedOut => self.expire(at),
            Occurrence::Ended(outcome) => self.end(at, outcome),
            Occurrence::Terminated(output) => self.terminate(at, output),
            Occurrence::Updated(_) => return Delivery::Declined,
            Occurrence::Redriven => self.turn.redrive(at),
            Occurrence::Resumed { restart } => self.turn.notify_resumed(at, restart),
            Occurrence::Rescheduled => self.turn.notify_rescheduled(at),
            Occurrence::ChildFailed(call, fault) => self.turn.call_failed(at, call, fault),
        }
        Delivery::Consumed
    }

    fn compute(&mut self, slice: Duration, limit: Duration) {
        let left = match self.turn.computed {
            0 => limit,
            computed => limit.saturating_sub(Duration::from_nanos(computed)),
        };
        let ((), took) = budget::run(slice, left, || self.run());
        self.turn.computed = match self.turn.work.is_empty() {
            true => 0,
            false => self.turn.computed.saturating_add(took.as_nanos() as u64),
        };
    }

    fn describe(&self) -> Vec<Waiting> {
        self.turn.frames.iter().map(|(id, frame)| self.turn.waiting(id, frame, self.point_name(id))).collect()
    }

    fn save(&self) -> Vec<u8> {
        self.snapshot()
    }

    fn batch(&self, op: Op) -> Option<Vec<u8>> {
        self.batch_snapshot(op)
    }

    fn changes(&mut self) -> Changes {
        self.take_changes()
    }

    fn observe(&mut self, observers: Vec<Box<dyn Observer>>) -> Vec<Box<dyn Observer>> {
        self.turn.observe(observers)
    }

    fn begin_again(&mut self, start: Start) -> Option<Start> {
        if self.turn.result.is_none() || self.turn.observed {
            return Some(start);
        }
        let entry = entry_of(&start);
        let (header, input, observers) = start.into_parts(self.turn.header.definition);
        let mut core = Core::new(header, observers);
        // Their memory is that of few frames at most.
        core.frames = std::mem::take(&mut self.turn.frames).cleared();
        core.work = std::mem::take(&mut self.turn.work);
        core.work.clear();
        core.work.shrink_to(1);
        self.states.clear();
        self.states.shrink_to(1);
        self.entries = Vec::new();
        self.turn = Turn::new(core);
        self.begin_root(input, entry);
        None
    }
}

/// Returns the number of the entry that an execution runs, if it does not run the whole workflow.
fn entry_of(start: &Start) -> Option<u32> {
    match start.part {
        Some(Part::Entry(entry)) => Some(entry),
        Some(Part::Map(_)) | None => None,
    }
}

impl<M: Machine> Exec<M> {
    /// Applies the outcome of a command. Returns `false` if no frame waits for the operation.
    fn accept(&mut self, op: Op, at: Timestamp, outcome: Outcome) -> bool {
        self.finish_turn();
        let is_late = self.turn.header.deadline.is_some_and(|deadline| at > deadline);
        if (is_late || self.turn.tracker.is_some()) && self.turn.frames.waiting(op).is_none() {
            return false;
        }
        if is_late {
            self.expire(at);
            return true;
        }
        self.turn.track(|tracker| tracker.last = Some((op, outcome.clone())));
        if !self.turn.completed(op, at, outcome) {
            return false;
        }
        // Free the states before the frame numbers are reused.
        self.drop_freed();
        true
    }

    /// Applies the delivery of an event. `accepted` is the time of its acceptance, if that counts.
    fn offer(&mut self, at: Timestamp, event: &CloudEvent, accepted: Option<Timestamp>) -> Delivery {
        self.finish_turn();
        if self.turn.result.is_none() && self.turn.header.deadline.is_some_and(|deadline| at > deadline) {
            self.expire(at);
            // The definition may have a handler, which can wait for the event.
            self.finish_turn();
        }
        self.turn.deliver(at, event, accepted)
    }

    /// Handles the time-out of the execution.
    fn expire(&mut self, at: Timestamp) {
        // The deadline has been handled before: an engine's timer fired after the completion that
        // reached it.
        if self.turn.header.deadline.is_none() {
            return;
        }
        if let Some(output) = self.turn.header.terminating().cloned() {
            // The execution is terminating, so that its output is certain.
            return self.end(at, Ok(output));
        }
        let definition = self.turn.header.definition;
        let entry = match definition.on_timeout {
            OnTimeout::Fail => return self.end(at, Err(Fault::timeout())),
            OnTimeout::Null => return self.end(at, Ok(Value::Null)),
            OnTimeout::Entry(entry) => entry,
        };
        let root = self.states.first().and_then(Option::as_ref);
        let entry = root.and_then(|root| M::entry(entry, root.document()?));
        let Some(state) = entry else { return self.end(at, Err(Fault::timeout())) };
        if self.turn.result.is_none() {
            self.turn.restart(at);
            self.drop_freed();
            self.enter_later(ROOT, state);
        }
    }

    /// Ends the execution from outside.
    fn end(&mut self, at: Timestamp, outcome: Outcome) {
        if self.turn.result.is_none() {
            self.turn.end(at, outcome);
            self.drop_freed();
        }
    }

    /// Terminates the execution from outside.
    fn terminate(&mut self, at: Timestamp, output: Value) {
        self.turn.header.now = self.turn.header.now.max(at);
        self.turn.drain(output);
        self.drop_freed();
    }

    fn finish_turn(&mut self) {
        while !self.turn.work.is_empty() {
            self.compute(Duration::MAX, Duration::MAX);
        }
    }

    fn point_name(&self, id: FrameId) -> &'static str {
        let state = self.states.get(id.0 as usize).and_then(Option::as_ref);
        state.map_or("", |state| state.point().name)
    }
}
