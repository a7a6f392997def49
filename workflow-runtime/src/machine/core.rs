//! The part of an execution that is independent of the workflow: the header, the frames and the
//! work list. Generated code is not generic over it.

use std::sync::Arc;

use super::batch::Outer;
use super::call::Call;
use super::command::{Command, FrameId, Invocation, Op, Outcome};
use super::events::Reception;
use super::frame::{Frames, NONE, Wait};
use super::header::Header;
use super::join::{Join, Progress};
use super::observer::{EventKind, Observer};
use super::occasional::{FirstOp, Occasional};
use super::tracker::Tracker;
use crate::event::CloudEvent;
use crate::fault::{Fault, TraceEntry, names};
use crate::time::Timestamp;
use crate::value::{Array, DOCUMENT_LIMIT, EXCERPT, Str, TEXT_LIMIT, TooLarge, Value};

/// An execution without its states. [`Turn`](super::Turn) lends it to generated code.
pub struct Core {
    pub(super) header: Header,
    pub(super) frames: Frames,
    /// The frame that runs.
    pub(super) at: FrameId,
    /// The running frame's request: an invocation, a reception, a call, or else `request`.
    pub(super) invocation: Option<Arc<Invocation>>,
    pub(super) reception: Option<Arc<Reception>>,
    pub(super) call: Option<Arc<Call>>,
    pub(super) request: PendingRequest,
    /// The fault that stops the running frame at its next suspension point.
    pub(super) overrun: Option<Fault>,
    /// Set if the siblings of the running frame are cancelled when it ends.
    pub(super) is_last: bool,
    /// Frames to run, the next one last. The list keeps deep nesting off the stack.
    pub(super) work: Vec<Job>,
    /// The first of the operations whose commands the engine has not received.
    pub(super) first_op: FirstOp,
    /// Set if there are observers.
    pub(super) observed: bool,
    pub(super) result: Option<Outcome>,
    /// The number of completions since the execution was started or loaded.
    pub(super) epoch: u64,
    /// The change tracker, if an engine stores the execution row by row.
    pub(super) tracker: Option<Box<Tracker>>,
    /// The number of the last operation that was issued before the execution was loaded.
    pub(super) issued_before: u64,
    /// Set from the beginning of a termination until the engine has fetched [`Stop::All`].
    ///
    /// [`Stop::All`]: super::Stop::All
    pub(super) stops_all: bool,
    /// The position of this execution in the one that divided the iteration, if it is a batch.
    pub(super) outer: Option<Box<Outer>>,
    /// The parts that most executions lack.
    pub(super) occasional: Option<Box<Occasional>>,
    /// The computing time of a paused turn so far, in nanoseconds.
    pub(super) computed: u64,
}

/// A request of the running frame other than an invocation, a reception or a call.
#[derive(Debug)]
pub(super) enum PendingRequest {
    Nothing,
    Sleep(Timestamp),
    Publish(Arc<CloudEvent>),
    /// Branches or iterations, of which none has started.
    Children(Box<Join>),
}

/// An entry of the work list.
#[derive(Debug)]
pub(super) enum Job {
    /// The operation has completed: its frame resumes.
    Resume(Op, Outcome),
    /// The frame that waits for this operation can start its next child.
    Start(Op),
    /// The frame enters its stored state. Always the last entry of `work`, so that no other job
    /// can free the frame first.
    Enter(FrameId),
    /// The execution begins with this input: the whole workflow, or the entry of this number.
    Begin(Value, Option<u32>),
}

/// A child that has started.
pub(super) struct Started {
    pub child: FrameId,
    pub index: u32,
    /// The time at which it begins, if its start is delayed.
    pub until: Option<Timestamp>,
    /// Set if it is a batch of iterations.
    pub is_batch: bool,
}

impl Core {
    pub(super) fn new(header: Header, observers: Vec<Box<dyn Observer>>) -> Core {
        let mut core = Core {
            header,
            frames: Frames::default(),
            at: NONE,
            invocation: None,
            reception: None,
            call: None,
            request: PendingRequest::Nothing,
            overrun: None,
            is_last: false,
            work: Vec::new(),
            first_op: FirstOp::default(),
            observed: false,
            result: None,
            epoch: 1,
            tracker: None,
            issued_before: 0,
            stops_all: false,
            outer: None,
            computed: 0,
            occasional: None,
        };
        core.observe(observers);
        core
    }

    /// Makes a frame the running frame.
    #[inline]
    pub(super) fn begin(&mut self, frame: FrameId) {
        self.at = frame;
        self.is_last = false;
        if self.has_request() {
            self.drop_request();
        }
    }

    #[inline]
    fn has_request(&self) -> bool {
        self.invocation.is_some()
            || self.reception.is_some()
            || self.call.is_some()
            || !matches!(self.request, PendingRequest::Nothing)
            || self.overrun.is_some()
    }

    /// Drops the request of a frame that has ended, or that has made another.
    #[cold]
    fn drop_request(&mut self) {
        self.invocation = None;
        self.reception = None;
        self.call = None;
        self.request = PendingRequest::Nothing;
        self.overrun = None;
    }

    /// Ends the wait of a frame. Returns `false` if no frame waits for the operation.
    pub(super) fn resume(&mut self, op: Op) -> bool {
        let Some(frame) = self.frames.waiting_mut(op) else { return false };
        frame.op = 0;
        frame.wait = Wait::Nothing;
        true
    }

    /// Starts the next child of the frame that waits for this operation, if it can.
    pub(super) fn start_child(&mut self, op: Op) -> Option<Started> {
        let Wait::Children(join) = &mut self.frames.waiting_mut(op)?.wait else { return None };
        join.starting = false;
        if !join.can_start() {
            return None;
        }
        let (index, item) = join.start();
        let until = join.begin_child(self.header.now);
        if join.can_start() {
            join.starting = true;
            self.work.push(Job::Start(op));
        }
        let began = join.began.is_some() && until.is_none();
        let is_batch = join.is_divided();
        let child = self.frames.add(op.frame, index, item);
        if began {
            self.track(|tracker| tracker.moved(op.frame));
        }
        Some(Started { child, index, until, is_batch })
    }

    /// Delays the start of an iteration until its time comes.
    pub(super) fn delay_start(&mut self, id: FrameId, until: Timestamp) {
        self.header.last_op += 1;
        let op = Op { id: self.header.last_op, frame: id };
        self.issue_op(op);
        let frame = self.frames.get_mut(id);
        (frame.op, frame.wait, frame.is_delayed) = (op.id, Wait::Command(Command::Sleep { until }), true);
        self.track(|tracker| tracker.moved(id));
    }

    /// Begins a delayed iteration, and lets the join start the next one.
    fn start_delayed(&mut self, id: FrameId) {
        let frame = self.frames.get_mut(id);
        let above = frame.parent;
        if !std::mem::take(&mut frame.is_delayed) || above == NONE {
            return;
        }
        let above_frame = self.frames.get_mut(above);
        let op = Op { id: above_frame.op, frame: above };
        let Wait::Children(join) = &mut above_frame.wait else { return };
        join.is_start_delayed = false;
        join.began = Some(self.header.now);
        if join.can_start() && !join.starting {
            join.starting = true;
            self.work.push(Job::Start(op));
        }
        self.track(|tracker| tracker.moved(above));
    }

    /// Suspends the running frame: it waits for its pending request.
    pub(super) fn suspend(&mut self) -> Result<(), Fault> {
        if let Some(fault) = self.overrun.take() {
            return Err(fault);
        }
        let Some(invocation) = self.invocation.take() else { return self.suspend_without_task() };
        if invocation.extras.is_some() || invocation.input.is_longer_than(self.text_limit()) {
            self.check_invocation(&invocation)?;
        }
        let invocation = self.issue(invocation);
        self.header.last_op += 1;
        let op = Op { id: self.header.last_op, frame: self.at };
        self.issue_op(op);
        let frame = self.frames.get_mut(self.at);
        frame.actions = frame.actions.saturating_add(1);
        frame.op = op.id;
        frame.wait = Wait::Command(Command::Invoke(invocation));
        let at = self.at;
        self.track(|tracker| tracker.moved(at));
        Ok(())
    }

    /// Suspends the running frame, which has no invocation.
    #[inline(never)]
    fn suspend_without_task(&mut self) -> Result<(), Fault> {
        self.check_handed_over()?;
        self.header.last_op += 1;
        let op = Op { id: self.header.last_op, frame: self.at };
        let wait = if let Some(reception) = self.reception.take() {
            self.receive_from_inbox(op, reception)
        } else if let Some(call) = self.call.take() {
            self.issue_call(call)
        } else {
            self.commit_request(op)?
        };
        if matches!(wait, Wait::Command(_)) {
            self.issue_op(op);
        }
        let frame = self.frames.get_mut(self.at);
        frame.op = op.id;
        frame.wait = wait;
        let at = self.at;
        self.track(|tracker| tracker.moved(at));
        Ok(())
    }

    /// Checks the size of the input and the credentials of a task.
    fn check_invocation(&self, invocation: &Invocation) -> Result<(), Fault> {
        let of = || format!("task '{}'", invocation.task.key);
        self.check_text(&invocation.input, || format!("The input of the {}", of()))?;
        let credentials = invocation.identity();
        credentials
            .map_or(Ok(()), |credentials| self.check_text(credentials, || format!("The credentials of the {}", of())))
    }

    /// Checks the size of the input of a child execution, or of the data of an event.
    fn check_handed_over(&self) -> Result<(), Fault> {
        if let Some(call) = &self.call {
            let workflow = || call.workflow(self.header.definition.name);
            self.check_text(&call.input, || format!("The input of an execution of '{}'", workflow()))
        } else if let PendingRequest::Publish(event) = &self.request {
            self.check_text(&event.data, || format!("The data of an event of the type '{}'", event.kind))
        } else {
            Ok(())
        }
    }

    /// Fails if the JSON text of a document exceeds the limit. A limit of the definition or the
    /// execution can raise the default limit here, and cannot lower it.
    pub(super) fn check_text(&self, value: &Value, what: impl FnOnce() -> String) -> Result<(), Fault> {
        let limit = self.text_limit();
        match value.is_longer_than(limit) {
            true => Err(Fault::too_large(what(), TooLarge { limit })),
            false => Ok(()),
        }
    }

    fn text_limit(&self) -> u64 {
        self.header.data_limit().map_or(DOCUMENT_LIMIT, |limit| limit.clamp(DOCUMENT_LIMIT, TEXT_LIMIT))
    }

    /// Turns a pending request, other than an invocation, reception or call, into a wait.
    fn commit_request(&mut self, op: Op) -> Result<Wait, Fault> {
        match std::mem::replace(&mut self.request, PendingRequest::Nothing) {
            PendingRequest::Nothing => Err(Fault::runtime("the state does not wait for anything")),
            PendingRequest::Sleep(until) => Ok(Wait::Command(Command::Sleep { until })),
            PendingRequest::Publish(event) => {
                let frame = self.frames.get_mut(op.frame);
                frame.actions = frame.actions.saturating_add(1);
                Ok(Wait::Command(Command::Publish(event)))
            }
            PendingRequest::Children(mut join) => {
                let frame = self.frames.get_mut(op.frame);
                frame.actions = frame.actions.saturating_add(1);
                let total = join.total;
                join.divide(self.header.batching(), &mut self.header);
                self.reserve(join.at_once());
                if total == 0 {
                    self.work.push(Job::Resume(op, Ok(Array::new().into())));
                } else {
                    join.starting = true;
                    self.work.push(Job::Start(op));
                }
                Ok(Wait::Children(join))
            }
        }
    }

    /// Completes an invocation, and notifies the observers.
    #[inline]
    fn issue(&mut self, mut invocation: Arc<Invocation>) -> Arc<Invocation> {
        if invocation.callback && self.frames.get(self.at).token.is_none() {
            self.token();
        }
        if let Some(token) = &self.frames.get(self.at).token {
            // The token stays the state's: its result may be combined with it.
            Arc::make_mut(&mut invocation).set_token(Str::clone(token));
        }
        if self.observed {
            let Invocation { task, ref input, attempt, .. } = *invocation;
            self.notify(self.at, EventKind::TaskScheduled { task, input, attempt, again: false });
        }
        invocation
    }

    /// Records the completion of a command. Returns `false` if no frame waits for the operation.
    pub(super) fn completed(&mut self, op: Op, at: Timestamp, outcome: Outcome) -> bool {
        let Some(frame) = self.frames.waiting_mut(op) else { return false };
        // A task succeeds, and nothing observes, limits or terminates the execution. Only a frame
        // that sleeps is delayed, so that no start is to be made up for.
        if let Wait::Command(Command::Invoke(_)) = &frame.wait
            && let Ok(output) = &outcome
            && !self.observed
            && self.header.data_limit().is_none()
            && !self.header.is_terminating()
            && !output.is_longer_than(DOCUMENT_LIMIT)
        {
            frame.steps = 0;
            self.header.now = self.header.now.max(at);
            self.epoch += 1;
            self.resume_later(op, outcome);
            return true;
        }
        self.completed_otherwise(op, at, outcome)
    }

    /// Lets a frame resume in the next turn.
    #[inline(always)]
    fn resume_later(&mut self, op: Op, outcome: Outcome) {
        if self.work.capacity() == 0 {
            // Most executions have one job, and keep the list while they wait.
            self.work.reserve_exact(1);
        }
        self.work.push(Job::Resume(op, outcome));
    }

    /// Records the completion of any command. [`Core::completed`] handles the most frequent case
    /// itself.
    #[inline(never)]
    fn completed_otherwise(&mut self, op: Op, at: Timestamp, outcome: Outcome) -> bool {
        let Some(frame) = self.frames.waiting(op) else { return false };
        let Wait::Command(command) = &frame.wait else { return false };
        if let Command::Batch(_) = command {
            self.header.now = self.header.now.max(at);
            self.epoch += 1;
            self.batch_ended(op.frame, outcome);
            return true;
        }
        self.header.now = self.header.now.max(at);
        let outcome = match command {
            Command::Invoke(invocation) => {
                let task = invocation.task;
                let outcome = match outcome {
                    Ok(output) => self.over_any_limit(&output, task.resource).map_or(Ok(output), Err),
                    Err(fault) => Err(fault),
                };
                let outcome = outcome.map_err(|fault| fault.of_task().traced_through(TraceEntry::Task(task.key)));
                if self.observed {
                    let kind = match &outcome {
                        Ok(output) => EventKind::TaskSucceeded { task, output },
                        Err(fault) => match fault.error() {
                            Some(names::TIMEOUT | names::HEARTBEAT_TIMEOUT) => EventKind::TaskTimedOut { task, fault },
                            _ => EventKind::TaskFailed { task, fault },
                        },
                    };
                    self.notify(op.frame, kind);
                }
                outcome
            }
            Command::Call(call) => {
                let call = call.clone();
                let (outcome, terminates) = match outcome {
                    Err(fault) if fault.is_termination() => (Ok(fault.into_termination_output()), true),
                    outcome => (outcome, false),
                };
                let outcome = self.call_ended(op.frame, &call, outcome);
                match outcome {
                    Ok(output) if terminates && !self.header.is_terminating() => {
                        self.epoch += 1;
                        self.frames.get_mut(op.frame).wait = Wait::Nothing;
                        self.terminate(op.frame, output);
                        return true;
                    }
                    outcome => outcome,
                }
            }
            Command::Sleep { .. } | Command::Receive(_) | Command::Publish(_) | Command::Batch(_) => outcome,
            Command::Read(_) | Command::Write(_) => outcome,
        };
        self.epoch += 1;
        if self.header.is_terminating() {
            self.drained(op.frame);
            return true;
        }
        let frame = self.frames.get_mut(op.frame);
        frame.steps = 0;
        if frame.is_delayed {
            self.start_delayed(op.frame);
        }
        self.resume_later(op, outcome);
        true
    }

    /// Ends a frame, and notifies its parent.
    pub(super) fn end_frame(&mut self, id: FrameId, mut outcome: Outcome) {
        let frame = self.frames.get(id);
        let (parent, index, steps) = (frame.parent, frame.index, frame.steps);
        let is_simple = outcome.is_ok()
            && parent != NONE
            && self.overrun.is_none()
            && !self.observed
            && self.header.data_limit().is_none();
        if !is_simple {
            outcome = self.outcome_of(id, outcome);
        }
        // The frame has no stored state to be dropped: it runs.
        let changes_above = self.frames.remove(id);
        self.track(|tracker| {
            tracker.frame_ended(id, false);
            if changes_above {
                tracker.moved(parent);
            }
        });
        if parent == NONE {
            self.finish(outcome);
            return;
        }
        self.child_ended(parent, index, steps, outcome);
    }

    /// Returns the outcome of a frame that ends: with the fault that stops it, checked, and
    /// reported to the observers.
    #[inline(never)]
    fn outcome_of(&mut self, id: FrameId, outcome: Outcome) -> Outcome {
        let outcome = match self.overrun.take() {
            Some(fault) => Err(fault),
            None => outcome,
        };
        let outcome = self.leave(id, outcome);
        outcome.map_err(|fault| fault.traced_through(TraceEntry::State(self.frames.get(id).state)))
    }

    /// Notifies a frame that one of its children has ended.
    pub(super) fn child_ended(&mut self, parent: FrameId, index: u32, steps: u32, outcome: Outcome) {
        let above = self.frames.get_mut(parent);
        let op = Op { id: above.op, frame: parent };
        let Wait::Children(join) = &mut above.wait else { return };
        join.count(steps, self.epoch);
        join.is_over = std::mem::take(&mut self.is_last);
        if let Some(tracker) = &mut self.tracker {
            tracker.child_ended(parent, index, outcome.is_err());
        }
        match join.ended(index, outcome) {
            Progress::Waiting => {}
            Progress::Start if join.starting => {}
            Progress::Start => {
                join.starting = true;
                self.work.push(Job::Start(op));
            }
            Progress::Finished => {
                above.steps = join.steps;
                let (results, left) = (join.take_results(), join.running);
                if left > 0 {
                    self.cancel_children(parent);
                }
                self.work.push(Job::Resume(op, Ok(results)));
                self.track(|tracker| tracker.joined(parent));
            }
            Progress::Failed(fault) => {
                above.steps = join.steps;
                self.cancel_children(parent);
                self.work.push(Job::Resume(op, Err(fault)));
                self.track(|tracker| tracker.joined(parent));
            }
        }
    }

    /// Leaves the last state of a frame that ends: checks the output and notifies the observers.
    fn leave(&mut self, id: FrameId, outcome: Outcome) -> Outcome {
        let outcome = match outcome {
            Ok(output) => {
                let frame = self.frames.get(id);
                // The output of a branch stays within the execution.
                let over = match frame.parent {
                    NONE => self.over_any_limit(&output, frame.state),
                    _ => self.over_limit(&output, frame.state),
                };
                over.map_or(Ok(output), Err)
            }
            Err(fault) => Err(fault.located(self.frames.get(id).state, self.frames.visit(id))),
        };
        if self.observed {
            self.notify_left(id, &outcome);
        }
        outcome
    }

    /// Redrives the execution after a failure.
    pub(super) fn redrive(&mut self, at: Timestamp) {
        self.header.redrives = self.header.redrives.saturating_add(1);
        self.header.now = self.header.now.max(at);
        // A child execution of an entry has no deadline. Neither has an execution that continues
        // after its time-out.
        if self.header.deadline.is_some() {
            self.header.deadline = self.header.definition.deadline(self.header.now);
        }
        self.reissue_invocations(self.header.now);
        if self.observed {
            self.notify(NONE, EventKind::ExecutionRedriven { redrive: self.header.redrives });
            self.occasional().is_redriven = true;
        }
    }

    /// Ends the execution.
    pub(super) fn finish(&mut self, outcome: Outcome) {
        let outcome = outcome.map_err(|fault| match fault.cause() {
            Some(cause) if cause.is_longer_than(self.text_limit()) => {
                let cause = cause.excerpt(EXCERPT);
                fault.with_cause(cause)
            }
            _ => fault,
        });
        if self.observed && self.outer.is_none() {
            let kind = match &outcome {
                Ok(output) => EventKind::ExecutionSucceeded { output },
                Err(fault) => EventKind::ExecutionFailed { fault },
            };
            self.notify(NONE, kind);
        }
        self.result = Some(outcome);
    }

    /// Returns the fault of a value that exceeds the limit, if a limit is set
    /// ([A11](docs/amazon-states-language.md#a11)). Without a limit, a document is measured when
    /// it leaves the execution, and not at every state.
    pub(super) fn over_limit(&self, value: &Value, of: &str) -> Option<Fault> {
        self.header.data_limit().and_then(|_| self.over_any_limit(value, of))
    }

    /// Returns the fault of a value that exceeds the limit, by default [`DOCUMENT_LIMIT`].
    pub(super) fn over_any_limit(&self, value: &Value, of: &str) -> Option<Fault> {
        value.is_longer_than(self.output_limit()).then(|| Core::too_long(of))
    }

    /// Returns the limit of [`Core::over_any_limit`], in bytes of JSON text.
    pub(super) fn output_limit(&self) -> u64 {
        self.header.data_limit().map_or(DOCUMENT_LIMIT, |limit| limit.min(TEXT_LIMIT))
    }

    /// Returns the fault of an output that exceeds the limit.
    #[cold]
    pub(super) fn too_long(of: &str) -> Fault {
        let cause = format!(
            "The state/task '{of}' returned a result with a size exceeding the maximum number of bytes service limit."
        );
        Fault::named(names::DATA_LIMIT_EXCEEDED, cause)
    }
}
