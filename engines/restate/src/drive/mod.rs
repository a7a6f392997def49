//! Loop that drives one execution: issues its commands through the journal, waits for the next
//! notification, and delivers it.
//!
//! Deliveries, their order and their times come from the journal alone. A task's outcome is
//! journaled with the time of its completion, a signal with the time of its arrival. A sleep has
//! no time in the journal, and can be noticed much later than it ended, because no process was
//! available. So the time is taken and journaled when the sleep is noticed.

mod batches;
mod callbacks;
mod children;
mod ending;
mod events;
mod handing_over;
mod map_runs;
mod redriving;
mod runs;
mod wait;

use std::collections::{BTreeMap, BTreeSet, HashMap};
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
use workflow_runtime::engine::turns::ExecutionSlot;
use workflow_runtime::machine::{Command, Invocation, Occurrence, Op, Outcome};
use workflow_runtime::objects::OpenItems;
use workflow_runtime::observe::Observer;
use workflow_runtime::{Fault, TaskContext, Timestamp, Value, fault};

use callbacks::PendingEnd;
use map_runs::FollowedChildren;
use redriving::{Kept, StateBefore};
use runs::Run;
use wait::Wait;

use crate::connection::{Connection, any_payload};
use crate::endpoint::Service;
use crate::journal::{self, NO_TIME};
use crate::segment::{InvocationState, Segment};
use crate::task_run::RunFuture;
use crate::{promises, status};

/// Latest end of a sleep: the year 9999.
pub(crate) const END_OF_TIME: Duration = Duration::from_secs(253_402_300_800);

/// End of an invocation's part of an execution.
pub(crate) enum Ended {
    /// The execution or batch has ended at this time, with this outcome for its parent.
    Execution(Timestamp, Outcome),
    /// Another invocation continues with this snapshot.
    Segment(Bytes),
}

/// Driver of an execution, with all pending operations.
pub(crate) struct Drive<'a> {
    connection: &'a mut Connection,
    service: &'a Service,
    execution: ExecutionSlot,
    /// Observers that receive nothing yet, because the journal is being replayed.
    muted_observers: Option<Vec<Box<dyn Observer>>>,
    waits: BTreeMap<NotificationHandle, Wait>,
    pending: HashMap<Op, Pending>,
    /// Runs to start when the journal asks for them.
    runs: BTreeMap<NotificationHandle, Run>,
    active_runs: FuturesUnordered<RunFuture>,
    /// State for the next invocation.
    state: InvocationState,
    /// Time of the last delivery.
    now: Timestamp,
    /// Set if no command has followed the last delivery.
    unmarked: bool,
    /// Journal entries so far, counted the same in a replay.
    entries: u64,
    /// Entries of the initial commands: waits that the execution had already.
    initial_entries: u64,
    /// Bytes of notifications and of children's inputs so far, counted the same in a replay.
    bytes: u64,
    /// Set once this invocation has resolved the promise of the execution's secret.
    has_published_secret: bool,
    /// Tasks held back for the next invocation.
    held_back: Vec<Op>,
    /// Set if the execution is a run of a distributed Map, whose items stay open.
    is_map_run: bool,
    items: OpenItems,
    followed: FollowedChildren,
    /// Set if a status question waits for the answer to a report.
    is_asked: bool,
    /// State before the last delivery, if the execution stores it when it fails.
    before: Option<Kept>,
    /// Operations whose children are redriven when their commands begin.
    redriven: BTreeSet<u64>,
    /// Detached children whose starts an earlier try has sent, by operation number.
    sent_before: BTreeSet<u64>,
}

/// Pending operation.
#[derive(Default)]
struct Pending {
    /// Context of a task.
    cx: Option<TaskContext>,
    /// Notifications that the operation waits for.
    handles: Vec<NotificationHandle>,
    /// State of a callback.
    callback: Option<Callback>,
    /// Stops the run that sends an event to the sink, or that uses object stores.
    stop: Option<AbortHandle>,
    /// Bytes of the input of a child of a Map run.
    input_bytes: Option<u64>,
}

struct Callback {
    token: String,
    deadline: Option<Timestamp>,
    heartbeat: Option<Duration>,
    /// Notifications of the next heartbeat and of its time-out.
    signs: Vec<NotificationHandle>,
}

/// Arrival: a notification, or a cancellation by Restate.
enum Arrival {
    Notification(Wait, Notified),
    Cancelled,
}

impl<'a> Drive<'a> {
    /// Returns a driver. The observers receive what is new from now on.
    pub fn new(
        connection: &'a mut Connection,
        service: &'a Service,
        segment: Segment,
        observers: Vec<Box<dyn Observer>>,
    ) -> Drive<'a> {
        Drive {
            connection,
            service,
            held_back: Vec::new(),
            is_map_run: segment.execution.map_counts().is_some(),
            items: OpenItems::default(),
            followed: FollowedChildren::default(),
            is_asked: false,
            before: segment.state.redrives.then(|| match service.waits_for_events() {
                // The subscription ends with the execution.
                true => Err("its workflow waits for events"),
                false => Ok(StateBefore::of(segment.rows)),
            }),
            redriven: BTreeSet::new(),
            sent_before: BTreeSet::new(),
            execution: ExecutionSlot::new(segment.execution),
            muted_observers: Some(observers),
            waits: BTreeMap::new(),
            pending: HashMap::new(),
            runs: BTreeMap::new(),
            active_runs: FuturesUnordered::new(),
            state: segment.state,
            now: NO_TIME,
            unmarked: false,
            entries: 0,
            initial_entries: 0,
            bytes: 0,
            has_published_secret: false,
        }
    }

    /// Drives the execution to its end, or until another invocation has to continue.
    pub async fn run(mut self) -> Result<Ended, Error> {
        if let Some(redrive) = self.state.redrive.take() {
            self.begin_redrive(redrive).await;
        }
        let of_try = self.state.of_try.clone();
        let cancel =
            self.state.batch.map_or_else(|| promises::of_try(&of_try, promises::CANCEL), promises::batch_cancel);
        let cancel = self.connection.vm.sys_get_promise(cancel)?;
        self.waits.insert(cancel, Wait::Cancel);
        // Status questions, time-outs and events concern the execution, not a batch.
        if self.state.batch.is_none() {
            self.expect_question()?;
            if let Some(parent) = &self.state.links.parent {
                let cancel = promises::of_try(&of_try, &promises::cancel_by(parent));
                let cancel = self.connection.vm.sys_get_promise(cancel)?;
                self.waits.insert(cancel, Wait::Cancel);
            }
            self.expect_event()?;
            self.expect_update()?;
            if let Some(deadline) = self.execution.info().deadline() {
                let handle = self.sleep(deadline)?;
                self.waits.insert(handle, Wait::Deadline(deadline));
            }
        }
        let mut is_first_round = true;
        loop {
            self.execute_commands().await?;
            if std::mem::take(&mut is_first_round) {
                self.initial_entries = self.entries;
            }
            self.update_subscription().await?;
            if let Some(outcome) = self.execution.info().outcome_for_parent() {
                let outcome = self.sendable(outcome);
                self.store_failed(&outcome)?;
                self.abandon_all()?;
                self.unsubscribe().await?;
                self.publish_items()?;
                return Ok(Ended::Execution(self.now, outcome));
            }
            // The end of running tasks may have begun nothing, and then nothing else happens.
            if self.is_overlong() && self.must_hand_over()? {
                match self.hand_over() {
                    Some(ended) => return Ok(ended),
                    None => continue,
                }
            }
            self.mark()?;
            match self.next().await? {
                Arrival::Notification(wait, value) => self.on_notification(wait, value).await?,
                Arrival::Cancelled => self.end(NO_TIME, Err(crate::cancelled())),
            }
            if self.must_hand_over()?
                && let Some(ended) = self.hand_over()
            {
                return Ok(ended);
            }
        }
    }

    /// Begins all issued commands.
    async fn execute_commands(&mut self) -> Result<(), Error> {
        loop {
            self.stop_unwanted()?;
            if self.holds_commands() {
                return Ok(());
            }
            let Some((op, command)) = self.execution.next_command() else {
                if !self.execution.info().is_computing() {
                    return Ok(());
                }
                // A run of a Map starts more children once the engine has begun those before.
                self.keep_state();
                self.run_turn().await;
                continue;
            };
            match command {
                Command::Sleep { until } => {
                    let handle = self.sleep(until)?;
                    self.pending.entry(op).or_default();
                    self.wait(op, handle, Wait::Sleep(op, until));
                }
                Command::Invoke(invocation) if invocation.callback => self.begin_callback(op, invocation)?,
                // The frame keeps waiting, and issues the command again in the next invocation.
                Command::Invoke(_) if self.is_overlong() => self.held_back.push(op),
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
                Command::Read(request) => self.read_items(op, request)?,
                Command::Write(request) => self.write_results(op, request)?,
                other => {
                    let (name, key) = (self.execution.info().definition().name, self.execution.info().id());
                    let message = format!("the execution `{key}` of `{name}` needs an unsupported command: {other:?}");
                    return Err(self.connection.operator_error(message));
                }
            }
        }
    }

    fn sleep(&mut self, until: Timestamp) -> Result<NotificationHandle, Error> {
        self.command();
        let until = Duration::from_micros(u64::try_from(until.as_micros()).unwrap_or_default());
        self.connection.vm.sys_sleep(String::new(), until.min(END_OF_TIME), None)
    }

    fn wait(&mut self, op: Op, handle: NotificationHandle, wait: Wait) {
        self.waits.insert(handle, wait);
        if let Some(pending) = self.pending.get_mut(&op) {
            pending.handles.push(handle);
        }
    }

    /// Waits for the next arrival in the journal's order.
    async fn next(&mut self) -> Result<Arrival, Error> {
        loop {
            match self.connection.poll_journal(self.waits.keys().copied())? {
                AwaitResponse::AnyCompleted => {
                    self.entries += 1;
                    let completed = self.waits.keys().copied().find(|handle| self.connection.vm.is_completed(*handle));
                    let wait = completed.and_then(|handle| Some((handle, self.waits.remove(&handle)?)));
                    let (handle, wait) =
                        wait.ok_or_else(|| Error::internal("the Restate SDK completed no notification"))?;
                    let value = self.connection.vm.take_notification(handle)?;
                    let value = value.ok_or_else(|| Error::internal("the completed notification is missing"))?;
                    if let Notified::Success(entry) = &value {
                        self.bytes += entry.len() as u64;
                    }
                    return Ok(Arrival::Notification(wait, value));
                }
                // The journal asks for all runs, in no order, before it waits. They are started in
                // the order of their commands.
                AwaitResponse::ExecuteRun(_) => {
                    let (handle, run) =
                        self.runs.pop_first().ok_or_else(|| Error::internal("there is no run to execute"))?;
                    let run = self.begin_run(handle, run);
                    self.active_runs.push(run);
                }
                AwaitResponse::CancelSignalReceived => return Ok(Arrival::Cancelled),
                AwaitResponse::WaitingExternalProgress { waiting_input, .. } => {
                    let mut idle = self.is_idle().then(|| self.connection.idle());
                    let ended = poll_fn(|cx| self.poll_outside(waiting_input, &mut idle, cx)).await;
                    if let Some((handle, Some(entry))) = ended {
                        let result = RunExitResult::Success(entry);
                        self.connection.vm.propose_run_completion(handle, result, RetryPolicy::Infinite)?;
                    }
                }
                other => return Err(Error::internal(format!("unexpected answer of the journal: {other:?}"))),
            }
        }
    }

    /// Returns the result of a run. Returns nothing if the server has sent something, or if the
    /// execution has waited so long that it leaves the process.
    fn poll_outside(
        &mut self,
        waiting_input: bool,
        idle: &mut Option<Pin<Box<Sleep>>>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<(NotificationHandle, Option<Bytes>)>> {
        if let Poll::Ready(Some(ended)) = self.active_runs.poll_next_unpin(cx) {
            return Poll::Ready(Some(ended));
        }
        if waiting_input && self.connection.poll_feed(cx).is_ready() {
            return Poll::Ready(None);
        }
        match idle {
            Some(idle) => self.connection.poll_idle(idle, cx).map(|()| None),
            None => Poll::Pending,
        }
    }

    /// Handles a notification.
    async fn on_notification(&mut self, wait: Wait, value: Notified) -> Result<(), Error> {
        match wait {
            Wait::Task(op) | Wait::Sink(op) => {
                let (at, outcome) = read(value);
                self.complete(op, at, outcome).await?;
            }
            Wait::Token(op) => {
                let (at, outcome) = read(value);
                self.conclude(op, PendingEnd::Outcome(at, outcome)).await?;
            }
            Wait::TokenRegistered(op, invocation) => self.hand_out(op, invocation)?,
            Wait::HandOut(op) => match read(value) {
                (at, Err(fault)) => self.complete(op, at, Err(fault)).await?,
                // A terminating execution does not wait for the outcome.
                (at, Ok(_)) if self.execution.info().is_terminating() => {
                    self.execution.apply(at, Occurrence::HandedOver(op));
                }
                (_, Ok(_)) => {}
            },
            Wait::Batch(op) => {
                let (at, outcome) = match value {
                    Notified::Success(entry) => journal::decode_exactly(&entry, self.execution.info().definition()),
                    other => read(other),
                };
                self.state.batches.remove(&op.id);
                self.complete(op, at, outcome).await?;
            }
            Wait::Heartbeat(op) => self.on_heartbeat(op, read(value).0).await?,
            Wait::Sleep(op, until) => self.request_time(op, until, Ok(Value::Null))?,
            Wait::Timeout(op, until) => self.conclude(op, PendingEnd::TimeIsOver(until)).await?,
            Wait::Silence(op) => self.look_for_sign(op, PendingEnd::Nothing)?,
            Wait::Sign(op, pending_end) => self.on_sign(op, pending_end, value).await?,
            Wait::Time(op, until, outcome) => self.complete(op, read(value).0.max(until), outcome).await?,
            Wait::Service(op, call) => self.start_in_service(op, call, value).await?,
            Wait::Child(op) => self.on_child_ended(op, value)?,
            Wait::ChildRedriven(op, call) => self.on_child_redriven(op, &call, value)?,
            Wait::ChildrenEnded => self.on_children_ended(read(value).0).await?,
            // The call itself reports a refusal.
            Wait::Started => {}
            Wait::DetachedKey(op, call, child) => self.start_detached(op, &call, child, value)?,
            Wait::Recipients(op, event) => self.send_to_recipients(op, event, value).await?,
            Wait::Spread(op, at, event, has_sink) => self.after_spread(op, at, event, has_sink).await?,
            Wait::Event => self.on_event(value).await?,
            Wait::Reported if std::mem::take(&mut self.is_asked) => self.answer_status()?,
            Wait::Reported => {}
            Wait::Deadline(deadline) => {
                self.attach_observers();
                self.keep_state();
                self.execution.apply(deadline, Occurrence::TimedOut);
                self.run_turn().await;
            }
            Wait::Cancel => self.on_end_request(value),
            // The object of the correlation key is to know what the answer says.
            Wait::Question if self.waits.values().any(|wait| matches!(wait, Wait::Reported)) => self.is_asked = true,
            Wait::Question => self.answer_status()?,
            Wait::Update => self.on_update(value).await?,
        }
        Ok(())
    }

    /// Requests the time at which an operation ends, and drops its other waits.
    fn request_time(&mut self, op: Op, until: Timestamp, outcome: Outcome) -> Result<(), Error> {
        self.drop_waits_of(op);
        let handle = self.journal_run("now", Run::Now)?;
        self.wait(op, handle, Wait::Time(op, until, outcome));
        Ok(())
    }

    /// Delivers the outcome of an operation.
    async fn complete(&mut self, op: Op, at: Timestamp, outcome: Outcome) -> Result<(), Error> {
        self.attach_observers();
        self.keep_state();
        self.release(op)?;
        self.now = self.now.max(at);
        self.execution.apply(at, Occurrence::Completed(op, outcome));
        self.run_turn().await;
        self.unmarked = true;
        Ok(())
    }

    /// Runs the turn of a delivery. A replay has ten times the time limit.
    async fn run_turn(&mut self) {
        let turns = &self.service.turns;
        match self.muted_observers.is_some() {
            true => turns.run_again(&mut self.execution).await,
            false => turns.run(&mut self.execution).await,
        }
    }

    fn end(&mut self, at: Timestamp, outcome: Outcome) {
        self.attach_observers();
        self.keep_state();
        self.execution.apply(at, Occurrence::Ended(outcome));
    }

    /// Waits for the next status question.
    fn expect_question(&mut self) -> Result<(), Error> {
        self.command();
        let question = self.connection.vm.sys_get_promise(promises::question(self.state.answered))?;
        self.waits.insert(question, Wait::Question);
        Ok(())
    }

    /// Answers a status question.
    fn answer_status(&mut self) -> Result<(), Error> {
        self.command();
        let waits = Bytes::from(status::describe(&*self.execution, self.caller()).to_string());
        let answer = promises::answer(self.state.answered);
        self.connection.vm.sys_complete_promise(answer, NonEmptyValue::Success(waits), any_payload())?;
        self.state.answered += 1;
        self.expect_question()
    }

    /// Counts a command of the journal.
    fn command(&mut self) {
        self.entries += 1;
        self.unmarked = false;
    }

    /// Marks in the journal that everything so far has been delivered, if no command says so and
    /// the execution may leave the process. A replay ends at the last command: without a mark,
    /// observers would receive later events again.
    fn mark(&mut self) -> Result<(), Error> {
        if self.unmarked && self.is_idle() {
            self.command();
            self.connection.vm.sys_peek_promise(promises::RESULT.into())?;
        }
        Ok(())
    }

    /// Attaches the observers once the replay is over.
    fn attach_observers(&mut self) {
        if self.connection.vm.state() == State::Processing
            && let Some(observers) = self.muted_observers.take()
        {
            self.execution.observe(observers);
        }
    }

    /// Releases an operation that nobody waits for.
    fn release(&mut self, op: Op) -> Result<(), Error> {
        self.abandon(op)?;
        if self.state.batches.remove(&op.id) {
            self.cancel_batch(op)?;
        }
        let Some(pending) = self.pending.remove(&op) else { return Ok(()) };
        self.drop_waits(pending.handles);
        self.forget_handed_out(op);
        if let Some(cx) = pending.cx {
            cx.cancel();
        }
        if let Some(stop) = pending.stop {
            stop.abort();
        }
        Ok(())
    }

    /// Drops all waits of an operation, which waits for something else.
    fn drop_waits_of(&mut self, op: Op) {
        let handles = self.pending.get_mut(&op).map(|pending| std::mem::take(&mut pending.handles));
        self.drop_waits(handles.unwrap_or_default());
    }

    /// Drops waits and their runs.
    fn drop_waits(&mut self, handles: Vec<NotificationHandle>) {
        for handle in handles {
            self.waits.remove(&handle);
            self.runs.remove(&handle);
        }
    }

    fn context(&self, invocation: &Arc<Invocation>) -> TaskContext {
        let (definition, id) = (self.execution.info().definition(), self.execution.info().id().clone());
        let correlation = self.execution.info().explicit_correlation().cloned();
        TaskContext::new(definition, id, correlation, invocation.clone(), Arc::new(SystemClock))
    }

    /// Returns `true` if nothing runs in this process.
    fn is_idle(&self) -> bool {
        !self.waits.values().any(|wait| {
            matches!(
                wait,
                Wait::Task(_)
                    | Wait::TokenRegistered(..)
                    | Wait::HandOut(_)
                    | Wait::Sign(..)
                    | Wait::Time(..)
                    | Wait::Service(..)
                    | Wait::ChildRedriven(..)
                    | Wait::ChildrenEnded
                    | Wait::Started
                    | Wait::DetachedKey(..)
                    | Wait::Recipients(..)
                    | Wait::Spread(..)
                    | Wait::Sink(_)
                    | Wait::Reported
            )
        })
    }
}

impl Drop for Drive<'_> {
    /// Notifies cancelled tasks, which may have started work of their own.
    fn drop(&mut self) {
        for cx in self.pending.drain().filter_map(|(_, pending)| pending.cx) {
            cx.cancel();
        }
    }
}

/// Reads a journaled outcome.
fn read(value: Notified) -> (Timestamp, Outcome) {
    match value {
        Notified::Success(entry) => journal::decode(&entry),
        Notified::Failure(failure) => (NO_TIME, Err(Fault::new(fault::names::TASK_FAILED, failure.message))),
        _ => (NO_TIME, Ok(Value::Null)),
    }
}
