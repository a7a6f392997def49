//! The loop that drives one execution: carry out its commands through the journal, wait for what the journal says happened
//! first, deliver that.
//!
//! What is delivered, in which order and with which times, comes from the journal alone: a task's outcome is kept with the
//! time it was there, a signal with the time it was sent. A sleep that is over is kept without a time, and can be noticed
//! much later than it was over, if no process was there; so the time is asked for then, and kept too.

mod batches;
mod beyond;
mod callbacks;
mod ending;

use std::collections::{BTreeMap, HashMap};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::AbortHandle;
use futures_util::stream::FuturesUnordered;
use hyper::body::Bytes;
use restate_sdk_shared_core::{
    AwaitResponse, Error, NonEmptyValue, NotificationHandle, RetryPolicy, RunExitResult, State, VM, Value as Notified,
};
use tokio::time::Sleep;
use workflow_runtime::clock::SystemClock;
use workflow_runtime::engine::turns::Held;
use workflow_runtime::machine::{Call, Command, Invocation, Op, Outcome};
use workflow_runtime::observe::Observer;
use workflow_runtime::{CloudEvent, Fault, TaskContext, Timestamp, Value, fault};

use beyond::Mail;
use callbacks::Said;

use crate::beyond::Child;
use crate::endpoint::Service;
use crate::flight::{self, Flight};
use crate::journal::{self, NO_TIME};
use crate::link::{Link, any_payload};
use crate::segment::{Segment, Standing};
use crate::{promises, status};

/// How often the limit of a journal is passed before new tasks have to wait until those under way have ended.
const PATIENCE: u64 = 4;

/// No sleep is longer than until the year 9999.
pub(crate) const END_OF_TIME: Duration = Duration::from_secs(253_402_300_800);

/// How an invocation's part of an execution has ended.
pub(crate) enum Ended {
    /// The execution has, or the batch of it, as the one that waits for it is told; and when, as far as the journal tells.
    Execution(Timestamp, Outcome),
    /// Another invocation is to go on with this.
    Segment(Bytes),
}

/// An execution with all that is under way for it.
pub(crate) struct Drive<'a> {
    link: &'a mut Link,
    service: &'a Service,
    execution: Held,
    /// Those that are not told anything yet, because the journal is replayed.
    silent: Option<Vec<Box<dyn Observer>>>,
    waits: BTreeMap<NotificationHandle, Wait>,
    pending: HashMap<Op, Pending>,
    /// What is to be run when the journal asks for it.
    runs: BTreeMap<NotificationHandle, Run>,
    flights: FuturesUnordered<Flight>,
    /// What the next invocation has to know.
    standing: Standing,
    /// The time of what was delivered last.
    now: Timestamp,
    /// Whether something was delivered that no command has followed.
    unmarked: bool,
    /// Entries of the journal so far, by a count that is the same in a replay.
    entries: u64,
    /// How many of those the invocation has begun with: what the execution waited for already.
    begun_with: u64,
    /// Tasks that the next invocation is to begin.
    kept_back: Vec<Op>,
}

/// What a notification means.
enum Wait {
    /// A task has ended.
    Task(Op),
    /// It is known that there is a token. Now the task can hand it out.
    Known(Op, Arc<Invocation>),
    /// A task has handed its token out.
    HandOut(Op),
    /// The outcome for a token is there.
    Token(Op),
    /// A sign of life for a token is there.
    Beat(Op),
    /// A sleep is over.
    Sleep(Op, Timestamp),
    /// A callback took too long.
    Timeout(Op, Timestamp),
    /// No sign of life for a token since this was asked for.
    Silence(Op),
    /// It is known whether there is a further sign of life for a token, and so whether what was said of it holds.
    Sign(Op, Said),
    /// A batch has ended.
    Batch(Op),
    /// The time is there at which an operation ended with this outcome; it is not before that of the sleep.
    Time(Op, Timestamp, Outcome),
    /// It is known which service an execution is of that is to be started.
    Service(Op, Arc<Call>),
    /// An execution that was started has ended.
    Child(Op),
    /// It is known whether an execution was started, or its key is that of another one.
    Started,
    /// It is known whether there is an execution already that is to be started, and not waited for.
    Free(Op, Arc<Call>, Child),
    /// It is known which services are to be told of an event, and whether there is a sink.
    Audience(Op, Arc<CloudEvent>),
    /// The sink has taken an event, or has not.
    Sink(Op),
    /// An event has arrived.
    Event(Mail),
    /// The whole execution took too long.
    Deadline(Timestamp),
    /// The execution is to end.
    Cancel,
    /// Somebody asks what the execution waits for.
    Question,
}

/// Something that is run in this process.
enum Run {
    Task(Arc<Invocation>, TaskContext),
    Now,
    /// What is found out now counts for good.
    Keep(Outcome),
    /// The sink is given the event of an operation.
    Send(Op, Arc<CloudEvent>),
}

/// An operation that was begun.
#[derive(Default)]
struct Pending {
    /// Of a task.
    cx: Option<TaskContext>,
    /// What is waited for on its behalf.
    handles: Vec<NotificationHandle>,
    /// Of a callback.
    callback: Option<Callback>,
    /// Of an event that is on its way to the sink: stops that.
    sending: Option<AbortHandle>,
}

struct Callback {
    token: String,
    deadline: Option<Timestamp>,
    heartbeat: Option<Duration>,
    /// What tells of the next sign of life, or that there is none.
    signs: Vec<NotificationHandle>,
}

/// What has happened.
enum Arrival {
    Notification(Wait, Notified),
    Cancelled,
}

impl<'a> Drive<'a> {
    /// `observers` are told what is new from now on.
    pub fn new(
        link: &'a mut Link,
        service: &'a Service,
        segment: Segment,
        observers: Vec<Box<dyn Observer>>,
    ) -> Drive<'a> {
        Drive {
            link,
            service,
            kept_back: Vec::new(),
            execution: Held::new(segment.execution),
            silent: Some(observers),
            waits: BTreeMap::new(),
            pending: HashMap::new(),
            runs: BTreeMap::new(),
            flights: FuturesUnordered::new(),
            standing: segment.standing,
            now: NO_TIME,
            unmarked: false,
            entries: 0,
            begun_with: 0,
        }
    }

    /// Drives the execution to its end, or until another invocation is to go on with it.
    pub async fn run(mut self) -> Result<Ended, Error> {
        let cancel = self.standing.batch.map_or_else(|| promises::CANCEL.to_owned(), promises::batch_cancel);
        let cancel = self.link.vm.sys_get_promise(cancel)?;
        self.waits.insert(cancel, Wait::Cancel);
        // It is asked what the execution waits for, and not a batch; that knows when it takes too long, and hears of events.
        if self.standing.batch.is_none() {
            self.expect_question()?;
            if let Some(parent) = &self.standing.beyond.parent {
                let cancel = self.link.vm.sys_get_promise(promises::cancel_by(parent))?;
                self.waits.insert(cancel, Wait::Cancel);
            }
            self.listen()?;
            if let Some(deadline) = self.execution.deadline() {
                let handle = self.sleep(deadline)?;
                self.waits.insert(handle, Wait::Deadline(deadline));
            }
        }
        let mut begins = true;
        loop {
            self.carry_out().await?;
            if std::mem::take(&mut begins) {
                self.begun_with = self.entries;
            }
            self.tell_room().await?;
            self.look_at_stay()?;
            if let Some(outcome) = self.execution.ending() {
                self.abandon_all()?;
                return Ok(Ended::Execution(self.now, outcome));
            }
            // What has ended what was under way may have begun nothing, and then nothing else happens.
            if self.is_overdue() && self.is_over()? {
                return Ok(self.leave());
            }
            self.mark()?;
            match self.next().await? {
                Arrival::Notification(wait, value) => self.notified(wait, value).await?,
                Arrival::Cancelled => self.end(NO_TIME, Err(crate::cancelled())),
            }
            if self.is_over()? {
                return Ok(self.leave());
            }
        }
    }

    /// What another invocation goes on with.
    fn leave(mut self) -> Ended {
        self.standing.segment += 1;
        Ended::Segment(Segment::save(&self.standing, &*self.execution))
    }

    /// Whether another invocation is to go on. What was commanded meanwhile, and not begun, is what it begins with.
    fn is_over(&mut self) -> Result<bool, Error> {
        if self.entries - self.begun_with < self.standing.limits.journal
            || !self.is_quiet()
            || self.execution.result().is_some()
        {
            return Ok(false);
        }
        self.terminate_others()?;
        // What is saved does not wait for them any more.
        while let Some(op) = self.execution.next_cancelled() {
            self.release(op)?;
        }
        Ok(true)
    }

    /// Begins all that was commanded.
    async fn carry_out(&mut self) -> Result<(), Error> {
        loop {
            self.terminate_others()?;
            while let Some(op) = self.execution.next_cancelled() {
                self.release(op)?;
            }
            let Some((op, command)) = self.execution.next_command() else { return Ok(()) };
            match command {
                Command::Sleep { until } => {
                    let handle = self.sleep(until)?;
                    self.pending.entry(op).or_default();
                    self.wait(op, handle, Wait::Sleep(op, until));
                }
                Command::Invoke(invocation) if invocation.callback => self.call_back(op, invocation)?,
                // The frame keeps waiting for it, and the next invocation is told once more.
                Command::Invoke(_) if self.is_overdue() => self.kept_back.push(op),
                Command::Invoke(invocation) => {
                    let cx = self.context(&invocation);
                    self.pending.insert(op, Pending { cx: Some(cx.clone()), ..Pending::default() });
                    let handle = self.run_task(invocation, cx)?;
                    self.wait(op, handle, Wait::Task(op));
                }
                Command::Batch(_) => self.begin_batch(op)?,
                Command::Receive(reception) => self.receive(op, &reception)?,
                Command::Publish(event) => self.publish(op, event)?,
                Command::Call(call) => self.call(op, call)?,
                other => {
                    let (name, key) = (self.execution.definition().name, self.execution.id());
                    let message =
                        format!("the execution `{key}` of `{name}` asks for what this engine cannot do: {other:?}");
                    return Err(self.link.needs_people(message));
                }
            }
        }
    }

    fn run_task(&mut self, invocation: Arc<Invocation>, cx: TaskContext) -> Result<NotificationHandle, Error> {
        let key = invocation.task.key;
        self.run_of(key, Run::Task(invocation, cx))
    }

    /// Has something run, once, and its result kept.
    fn run_of(&mut self, name: &str, run: Run) -> Result<NotificationHandle, Error> {
        self.command();
        let asked = self.link.vm.sys_run(name.into())?;
        if !asked.replayed {
            self.runs.insert(asked.handle, run);
        }
        Ok(asked.handle)
    }

    fn sleep(&mut self, until: Timestamp) -> Result<NotificationHandle, Error> {
        self.command();
        let until = Duration::from_micros(u64::try_from(until.as_micros()).unwrap_or_default());
        self.link.vm.sys_sleep(String::new(), until.min(END_OF_TIME), None)
    }

    fn wait(&mut self, op: Op, handle: NotificationHandle, wait: Wait) {
        self.waits.insert(handle, wait);
        if let Some(pending) = self.pending.get_mut(&op) {
            pending.handles.push(handle);
        }
    }

    /// The next thing that happens, as the journal has it.
    async fn next(&mut self) -> Result<Arrival, Error> {
        loop {
            match self.link.poll_journal(self.waits.keys().copied())? {
                AwaitResponse::AnyCompleted => {
                    self.entries += 1;
                    let completed = self.waits.keys().copied().find(|handle| self.link.vm.is_completed(*handle));
                    let wait = completed.and_then(|handle| Some((handle, self.waits.remove(&handle)?)));
                    let Some((handle, wait)) = wait else { return Err(Error::internal("nothing is completed")) };
                    let value = self.link.vm.take_notification(handle)?;
                    let value = value.ok_or_else(|| Error::internal("what is completed is not there"))?;
                    return Ok(Arrival::Notification(wait, value));
                }
                // It asks for all of them, one by one, before it waits, and in no order; they are begun in theirs.
                AwaitResponse::ExecuteRun(_) => {
                    let tasks = self.service.tasks.clone();
                    self.flights.push(match self.runs.pop_first() {
                        Some((handle, Run::Task(invocation, cx))) => flight::task(handle, tasks, invocation, cx),
                        Some((handle, Run::Now)) => flight::kept(handle, &Ok(Value::Null)),
                        Some((handle, Run::Keep(outcome))) => flight::kept(handle, &outcome),
                        Some((handle, Run::Send(op, event))) => {
                            let (stop, stopped) = AbortHandle::new_pair();
                            if let Some(pending) = self.pending.get_mut(&op) {
                                pending.sending = Some(stop);
                            }
                            flight::sent(handle, self.service.sink.clone(), event, stopped)
                        }
                        None => return Err(Error::internal("there is nothing to be run")),
                    });
                }
                AwaitResponse::CancelSignalReceived => return Ok(Arrival::Cancelled),
                AwaitResponse::WaitingExternalProgress { waiting_input, .. } => {
                    let mut idle = self.is_quiet().then(|| self.link.idle());
                    let ended = poll_fn(|cx| self.poll_outside(waiting_input, &mut idle, cx)).await;
                    if let Some((handle, Some(entry))) = ended {
                        let result = RunExitResult::Success(entry);
                        self.link.vm.propose_run_completion(handle, result, RetryPolicy::Infinite)?;
                    }
                }
                other => return Err(Error::internal(format!("the journal answers {other:?}"))),
            }
        }
    }

    /// What a task yields, or nothing if the server has sent something, or has not for so long that the execution leaves
    /// the process.
    fn poll_outside(
        &mut self,
        waiting_input: bool,
        idle: &mut Option<Pin<Box<Sleep>>>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<(NotificationHandle, Option<Bytes>)>> {
        if let Poll::Ready(Some(ended)) = self.flights.poll_next_unpin(cx) {
            return Poll::Ready(Some(ended));
        }
        if waiting_input && self.link.poll_feed(cx).is_ready() {
            return Poll::Ready(None);
        }
        match idle {
            Some(idle) => self.link.poll_idle(idle, cx).map(|()| None),
            None => Poll::Pending,
        }
    }

    /// Takes what has happened.
    async fn notified(&mut self, wait: Wait, value: Notified) -> Result<(), Error> {
        match wait {
            Wait::Task(op) | Wait::Sink(op) => {
                let (at, outcome) = read(value);
                self.complete(op, at, outcome).await?;
            }
            Wait::Token(op) => {
                let (at, outcome) = read(value);
                self.judge(op, Said::Outcome(at, outcome)).await?;
            }
            Wait::Known(op, invocation) => self.hand_out(op, invocation)?,
            Wait::HandOut(op) => match read(value) {
                (at, Err(fault)) => self.complete(op, at, Err(fault)).await?,
                // The answer is not waited for.
                (_, Ok(_)) if self.execution.is_terminating() => self.execution.handed_over(op),
                (_, Ok(_)) => {}
            },
            Wait::Batch(op) => {
                let (at, outcome) = match value {
                    Notified::Success(entry) => journal::decode_exactly(&entry, self.execution.definition()),
                    other => read(other),
                };
                self.standing.batches.remove(&op.id);
                self.complete(op, at, outcome).await?;
            }
            Wait::Beat(op) => self.beaten(op, read(value).0).await?,
            Wait::Sleep(op, until) => self.ask_time(op, until, Ok(Value::Null))?,
            Wait::Timeout(op, until) => self.judge(op, Said::TimeIsOver(until)).await?,
            Wait::Silence(op) => self.look_for_sign(op, Said::Nothing)?,
            Wait::Sign(op, said) => self.signed(op, said, value).await?,
            Wait::Time(op, until, outcome) => self.complete(op, read(value).0.max(until), outcome).await?,
            Wait::Service(op, call) => self.found(op, call, value).await?,
            Wait::Child(op) => self.child_ended(op, value)?,
            // If the call was refused, that was told before.
            Wait::Started => {}
            Wait::Free(op, call, child) => self.begin_aside(op, &call, child, value)?,
            Wait::Audience(op, event) => self.tell(op, event, value).await?,
            Wait::Event(mail) => self.hear(mail, value).await?,
            Wait::Deadline(deadline) => {
                self.speak();
                self.execution.expire(deadline);
                self.compute().await;
            }
            Wait::Cancel => self.told_to_end(value),
            Wait::Question => self.tell_status()?,
        }
        Ok(())
    }

    /// It is known how an operation ends: asks what time it is. What else happens to the operation comes too late.
    fn ask_time(&mut self, op: Op, until: Timestamp, outcome: Outcome) -> Result<(), Error> {
        self.forget_all_of(op);
        let handle = self.run_of("now", Run::Now)?;
        self.wait(op, handle, Wait::Time(op, until, outcome));
        Ok(())
    }

    /// Delivers what became of an operation.
    async fn complete(&mut self, op: Op, at: Timestamp, outcome: Outcome) -> Result<(), Error> {
        self.speak();
        self.release(op)?;
        self.now = self.now.max(at);
        self.execution.accept(op, at, outcome);
        self.compute().await;
        self.unmarked = true;
        Ok(())
    }

    /// Runs the turn of what was delivered. In a replay it may take as long as it does: the journal has what followed.
    async fn compute(&mut self) {
        let turns = &self.service.turns;
        match self.silent.is_some() {
            true => turns.run_again(&mut self.execution).await,
            false => turns.run(&mut self.execution).await,
        }
    }

    fn end(&mut self, at: Timestamp, outcome: Outcome) {
        self.speak();
        self.execution.end(at, outcome);
    }

    /// Waits for the next question what the execution waits for.
    fn expect_question(&mut self) -> Result<(), Error> {
        self.command();
        let question = self.link.vm.sys_get_promise(promises::question(self.standing.answered))?;
        self.waits.insert(question, Wait::Question);
        Ok(())
    }

    /// Tells what the execution waits for.
    fn tell_status(&mut self) -> Result<(), Error> {
        self.command();
        let told = Bytes::from(status::describe(&*self.execution, self.caller()).to_string());
        let answer = promises::answer(self.standing.answered);
        self.link.vm.sys_complete_promise(answer, NonEmptyValue::Success(told), any_payload())?;
        self.standing.answered += 1;
        self.expect_question()
    }

    /// The next command of the journal is made.
    fn command(&mut self) {
        self.entries += 1;
        self.unmarked = false;
    }

    /// Notes in the journal that all has been delivered so far, if no command says so and the execution may leave the process.
    /// A replay is over where the commands are: observers would be told once more what came after the last one.
    fn mark(&mut self) -> Result<(), Error> {
        if self.unmarked && self.is_quiet() {
            self.command();
            self.link.vm.sys_peek_promise(promises::RESULT.into())?;
        }
        Ok(())
    }

    /// Observers are told what follows, once that is new.
    fn speak(&mut self) {
        if self.link.vm.state() == State::Processing
            && let Some(observers) = self.silent.take()
        {
            self.execution.observe(observers);
        }
    }

    /// Nobody waits for the operation any more.
    fn release(&mut self, op: Op) -> Result<(), Error> {
        self.abandon(op)?;
        if self.standing.batches.remove(&op.id) {
            self.cancel_batch(op)?;
        }
        let Some(pending) = self.pending.remove(&op) else { return Ok(()) };
        self.forget(pending.handles);
        self.standing.handed_out.remove(&op.id);
        if let Some(cx) = pending.cx {
            cx.cancel();
        }
        if let Some(sending) = pending.sending {
            sending.abort();
        }
        Ok(())
    }

    /// Nothing that was begun for the operation is waited for any more; something else is.
    fn forget_all_of(&mut self, op: Op) {
        let handles = self.pending.get_mut(&op).map(|pending| std::mem::take(&mut pending.handles));
        self.forget(handles.unwrap_or_default());
    }

    /// These are not waited for any more.
    fn forget(&mut self, handles: Vec<NotificationHandle>) {
        for handle in handles {
            self.waits.remove(&handle);
            self.runs.remove(&handle);
        }
    }

    fn context(&self, invocation: &Arc<Invocation>) -> TaskContext {
        let (definition, id) = (self.execution.definition(), self.execution.id().clone());
        let correlation = self.execution.correlation().clone();
        TaskContext::new(definition.name, id, correlation, invocation.clone(), Arc::new(SystemClock))
    }

    /// Whether nothing is under way in this process.
    fn is_quiet(&self) -> bool {
        !self.waits.values().any(|wait| {
            matches!(
                wait,
                Wait::Task(_)
                    | Wait::Known(..)
                    | Wait::HandOut(_)
                    | Wait::Sign(..)
                    | Wait::Time(..)
                    | Wait::Service(..)
                    | Wait::Started
                    | Wait::Free(..)
                    | Wait::Audience(..)
                    | Wait::Sink(_)
            )
        })
    }

    /// Whether the journal is so long that no task is begun any more.
    fn is_overdue(&self) -> bool {
        self.entries - self.begun_with >= self.standing.limits.journal.saturating_mul(PATIENCE)
    }
}

impl Drop for Drive<'_> {
    /// What tasks have started beside themselves is told that nobody waits any more.
    fn drop(&mut self) {
        for cx in self.pending.drain().filter_map(|(_, pending)| pending.cx) {
            cx.cancel();
        }
    }
}

/// An outcome that was kept.
fn read(value: Notified) -> (Timestamp, Outcome) {
    match value {
        Notified::Success(entry) => journal::decode(&entry),
        Notified::Failure(failure) => (NO_TIME, Err(Fault::new(fault::names::TASK_FAILED, failure.message))),
        _ => (NO_TIME, Ok(Value::Null)),
    }
}
