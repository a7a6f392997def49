//! The loop that drives one execution, for engines that run tasks themselves: it executes
//! commands, waits for the next arrival, and delivers it. A [`Journal`] persists the execution.

/// Builds the journal's view of a driver's execution.
macro_rules! caller {
    ($driver:ident) => {
        Caller {
            program: $driver.program,
            environment: &$driver.environment,
            execution: &*$driver.execution,
            is_map_run: $driver.is_map_run,
        }
    };
}

mod callbacks;
mod children;
mod environment;
mod journal;
mod messages;
mod objects;
mod pending;
mod poll;
mod task_run;
mod termination;
mod timers;

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use futures_util::future::{AbortHandle, Abortable};

use callbacks::forget_callback;
pub use callbacks::{Callbacks, UnknownToken};
use children::{ChildExecutions, Tasks};
pub use environment::Environment;
pub use journal::{Caller, ChildStart, Journal, Stopped, Volatile};
pub use messages::{Message, MessageQueue};
use pending::{Delayed, Pending, PendingKind, is_pending};
pub use task_run::guard;
use task_run::{TaskRun, TaskRuns, poll_task};
use timers::{Purpose, Timers};

use super::memory::SubscriberState;
use super::turns::ExecutionSlot;
use crate::clock::Sleep;
use crate::event::{CloudEvent, EventSink};
use crate::fault::Fault;
use crate::machine::{Command, Execution, Invocation, MapUpdate, Occurrence, Op, Outcome, Program, Stop};
use crate::panics::catch;
use crate::task::{Invoke, TaskContext, TaskExecution, TaskFuture};
use crate::time::Timestamp;
use crate::value::Value;

/// The maximum number of commands that the driver executes before it yields.
const MAX_BURST: u32 = 128;

/// An execution with its pending operations.
pub struct Driver<'a, J> {
    program: Program,
    execution: ExecutionSlot,
    environment: Environment,
    tasks: Tasks<'a>,
    journal: J,
    children: ChildExecutions<'a>,
    /// `true` if the execution is a run of a distributed Map.
    is_map_run: bool,
    /// `true` if the execution has changed since the last commit.
    is_dirty: bool,
    /// `true` if the execution is to be suspended as soon as no task is running.
    is_suspending: bool,
    /// Commands that wait for something else than the execution.
    delayed: Option<Box<Delayed>>,
    /// The pending operation of each frame, by the number of the frame.
    pending: Vec<Option<Pending>>,
    /// The number of pending operations, and of tasks among them that have not returned.
    pending_count: u32,
    running_tasks: u32,
    task_runs: TaskRuns<'a>,
    timers: Timers,
    /// The sleep for the earliest timer.
    sleep: Option<(Timestamp, Sleep)>,
    /// The queue of messages to this driver.
    messages: Option<MessageQueue>,
    /// The progress to update.
    progress: Option<Arc<SubscriberState>>,
    /// The execution as the contexts of its tasks show it, once it has invoked one.
    task_execution: Option<Arc<TaskExecution>>,
}

/// The reason why a driver has stopped.
#[derive(Debug, Clone, PartialEq)]
pub enum DriverExit {
    /// The execution has ended.
    Ended(Outcome),
    /// The execution was suspended. It has nothing to do before this time or the next message.
    Suspended(Option<Timestamp>),
}

/// An input of the execution.
enum Arrival {
    /// The completion of an operation.
    Completion(Op, Outcome),
    /// The expiration of an operation's timer.
    TimerExpired(Op, Outcome),
    /// The delivery of an event with this number.
    Event(Arc<CloudEvent>, u64),
    /// The time-out of the execution.
    Deadline,
    /// A request to end the execution.
    End(Outcome),
    /// A change of a run of a distributed Map.
    Update(MapUpdate),
    /// A task has returned, and its outcome will arrive by its token.
    HandedOver(Op),
    /// A request to suspend the execution.
    Suspend,
    /// A request to [inspect](Journal::inspect) the execution.
    Inspect,
}

/// The next action of the driver, after the commands.
enum NextAction {
    /// Wait for an arrival: all commands were executed.
    Wait,
    /// Yield to other tasks of the program.
    Yield,
    /// Run a turn.
    Compute,
    /// Commit.
    Commit,
}

impl<'a, J: Journal> Driver<'a, J> {
    /// Creates the driver of an execution that was just started or loaded.
    pub fn new(
        program: Program,
        execution: Box<dyn Execution>,
        environment: Environment,
        tasks: &'a dyn Invoke,
        journal: J,
    ) -> Driver<'a, J> {
        Driver::for_child(program, execution, environment, Tasks::Of(tasks), journal, ChildExecutions::default())
    }

    /// Creates the driver of a child execution.
    fn for_child(
        program: Program,
        execution: Box<dyn Execution>,
        environment: Environment,
        tasks: Tasks<'a>,
        journal: J,
        children: ChildExecutions<'a>,
    ) -> Driver<'a, J> {
        Driver {
            program,
            is_map_run: execution.map_counts().is_some(),
            execution: ExecutionSlot::new(execution),
            environment,
            tasks,
            journal,
            children,
            is_dirty: J::IS_DURABLE,
            is_suspending: false,
            pending: Vec::new(),
            pending_count: 0,
            running_tasks: 0,
            delayed: None,
            task_runs: TaskRuns::default(),
            timers: Timers::default(),
            sleep: None,
            messages: None,
            progress: None,
            task_execution: None,
        }
    }

    /// Drives the execution until it ends or is suspended. Dropping the future ends the driver.
    pub async fn run(&mut self) -> Result<DriverExit, Stopped> {
        if let Some(turn) = self.compute() {
            turn.await;
        }
        let mut burst = 0;
        loop {
            let next = match self.execute_commands(&mut burst) {
                // Cancellations and terminations of the turn are executed before the commit.
                NextAction::Compute => {
                    self.continue_turn().await;
                    continue;
                }
                next => next,
            };
            burst = 0;
            if J::IS_DURABLE && self.is_dirty {
                self.journal.commit(self.execution.as_box(), self.program).await?;
                self.is_dirty = false;
            }
            if let Some(exit) = self.exit() {
                return Ok(exit);
            }
            self.journal.inspect(&*self.execution);
            let arrival = match next {
                // Tasks that complete immediately must not delay timers, outcomes and requests.
                NextAction::Commit | NextAction::Compute => {
                    match std::future::poll_fn(|cx| Poll::Ready(self.poll_due(cx))).await {
                        Poll::Ready(arrival) => arrival,
                        Poll::Pending => continue,
                    }
                }
                NextAction::Wait => {
                    // It has the result of its execution.
                    self.children.reused.iter_mut().for_each(|reused| reused.spare = None);
                    if let Some(progress) = &self.progress {
                        progress.update(&*self.execution);
                    }
                    if J::IS_DURABLE
                        && self.task_runs.is_empty()
                        && self.messages.as_ref().is_none_or(MessageQueue::is_empty)
                    {
                        let until = self.next_due();
                        let is_due = until.is_some_and(|until| until <= self.now());
                        let should_suspend = || !is_due && self.awaits_remote() || self.journal.should_suspend(until);
                        let rests = || !self.journal.keeps_loaded() && !self.awaits_heartbeats();
                        if self.is_suspending || rests() && should_suspend() {
                            return Ok(DriverExit::Suspended(until));
                        }
                    }
                    let mut rounds = 0;
                    std::future::poll_fn(|cx| self.poll_arrival(cx, &mut rounds)).await
                }
                // Other tasks of the program and other branches of this execution run first.
                NextAction::Yield => {
                    yield_now().await;
                    match std::future::poll_fn(|cx| Poll::Ready(self.poll_due(cx))).await {
                        Poll::Ready(arrival) => arrival,
                        Poll::Pending => continue,
                    }
                }
            };
            self.handle(arrival);
            if let Some(turn) = self.compute() {
                turn.await;
            }
        }
    }

    /// Returns the exit of an execution that has ended.
    fn exit(&self) -> Option<DriverExit> {
        let outcome = self.execution.result()?.clone();
        if let Some(progress) = &self.progress {
            progress.close();
        }
        Some(DriverExit::Ended(outcome))
    }

    /// Runs the pending turn here. Returns what is left to wait for if it takes long: the rest of
    /// its run by a worker, or a yield to other tasks.
    fn compute(&mut self) -> Option<Pin<Box<dyn Future<Output = ()> + Send + '_>>> {
        self.takes_long().then(|| self.continue_turn())
    }

    /// Runs the pending turn here. Returns `true` if [`Driver::continue_turn`] has to follow.
    fn takes_long(&mut self) -> bool {
        self.execution.info().is_computing() && !self.environment.turns.run_here(&mut *self.execution)
    }

    /// Returns the run of a turn by a worker, or a yield. It is boxed, because an execution that
    /// waits holds the future of its driver.
    fn continue_turn(&mut self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.environment.turns.continue_elsewhere(&mut self.execution))
    }

    /// Delivers an arrival to the execution.
    fn handle(&mut self, arrival: Arrival) {
        match arrival {
            Arrival::Completion(op, outcome) => {
                self.remove_pending(op);
                self.complete(op, outcome);
            }
            Arrival::TimerExpired(op, outcome) => {
                self.release(op);
                self.complete(op, outcome);
            }
            Arrival::Event(event, number) => self.receive(&event, number),
            Arrival::Deadline => {
                let now = self.now();
                self.execution.apply(now, Occurrence::TimedOut);
                self.is_dirty = J::IS_DURABLE;
            }
            Arrival::End(outcome) => self.end(outcome),
            Arrival::Update(update) => self.update(update),
            Arrival::HandedOver(op) => self.hand_over(op),
            Arrival::Suspend => self.is_suspending = true,
            Arrival::Inspect => {}
        }
    }

    /// Waits for the detached children after the execution has ended.
    pub async fn finish_children(&mut self) {
        let mut rounds = 0;
        std::future::poll_fn(|cx| {
            let over = self.poll_children(cx);
            if over.is_pending() && self.children.is_root() && self.environment.clock.idle(rounds) {
                rounds += 1;
                cx.waker().wake_by_ref();
            }
            over
        })
        .await;
    }

    /// Returns the execution.
    pub fn execution(&self) -> &dyn Execution {
        &*self.execution
    }

    /// Executes the issued commands. `burst` counts the commands since the last yield.
    fn execute_commands(&mut self, burst: &mut u32) -> NextAction {
        loop {
            if self.execution.info().is_computing() {
                // A Map run starts more children once these commands are executed.
                self.is_dirty = J::IS_DURABLE;
                if self.takes_long() {
                    return NextAction::Compute;
                }
            }
            while let Some(stop) = self.execution.next_stop() {
                match stop {
                    Stop::All => self.begin_termination(),
                    Stop::Op(op) => self.release(op),
                }
            }
            if J::IS_DURABLE && self.is_dirty {
                return NextAction::Commit;
            }
            if J::IS_DURABLE && self.is_suspending {
                return NextAction::Wait;
            }
            // Arrivals reach an execution that is not computing and whose stops were executed.
            if *burst >= MAX_BURST {
                return NextAction::Yield;
            }
            *burst += 1;
            if self.can_start_task()
                && let Some(delayed) = &mut self.delayed
                && let Some((_, (op, invocation))) = delayed.queued_tasks.pop_first()
            {
                self.invoke(op, invocation);
                continue;
            }
            let reissued = self.delayed.as_mut().and_then(|delayed| delayed.reissued.pop_front());
            let next = reissued.or_else(|| self.execution.next_command());
            let Some((op, command)) = next else {
                match self.execution.info().is_computing() {
                    true => continue,
                    false => return NextAction::Wait,
                }
            };
            // An operation that began before the execution was saved and loaded continues.
            if !self.is_pending(op) {
                match command {
                    Command::Invoke(invocation) if !invocation.handed_over && !self.can_start_task() => {
                        self.delayed.get_or_insert_default().queued_tasks.insert(op.id, (op, invocation));
                    }
                    Command::Invoke(invocation) => self.invoke(op, invocation),
                    Command::Sleep { until } if until <= self.now() => self.complete(op, Ok(Value::Null)),
                    Command::Sleep { until } => {
                        self.add_pending(op, PendingKind::Wait);
                        self.add_timer(op, until, Purpose::Sleep);
                    }
                    Command::Receive(reception) => {
                        self.add_pending(op, PendingKind::Wait);
                        // An event that has arrived is consumed first, even if the time-out has
                        // passed.
                        if let Some(until) = reception.until {
                            self.add_timer(op, until, Purpose::Sleep);
                        }
                    }
                    Command::Publish(event) => {
                        let outcome = self.journal.publish(caller!(self), &event);
                        match self.environment.sink.clone() {
                            Some(sink) if outcome.is_ok() => self.send(op, sink, event),
                            _ => self.complete(op, outcome),
                        }
                    }
                    Command::Call(call) => self.call(op, &call),
                    Command::Read(request) => self.read_items(op, request),
                    Command::Write(request) => self.write_results(op, request),
                    Command::Batch(_) => {
                        self.complete(op, Err(Fault::runtime("the engine does not support batches of iterations")));
                    }
                }
            }
        }
    }

    /// Sends a published event to the sink. After a reload, the execution sends it again.
    fn send(&mut self, op: Op, sink: Arc<dyn EventSink>, event: Arc<CloudEvent>) {
        let sent = self.run_in_process(op, async move { sink.send(&event).await.map(|()| Value::Null) });
        self.add_pending(op, PendingKind::InProcess(sent, None));
    }

    /// Runs a future that is not a task within this driver. The handle aborts it.
    fn run_in_process(&mut self, op: Op, run: impl Future<Output = Outcome> + Send + 'a) -> AbortHandle {
        let (handle, registration) = AbortHandle::new_pair();
        let run = Abortable::new(run, registration);
        let aborted = || Err(Fault::runtime("the execution was dropped"));
        let run: TaskFuture<'a> = Box::pin(async move { run.await.unwrap_or_else(|_| aborted()) });
        self.task_runs.push(TaskRun { op, cx: None, task: Some(run) });
        handle
    }

    /// Returns `true` if another task may start.
    fn can_start_task(&self) -> bool {
        (self.running_tasks as usize) < self.environment.tasks_at_once
    }

    /// Invokes a task. A task that completes immediately gets no timers.
    fn invoke(&mut self, op: Op, invocation: Arc<Invocation>) {
        if J::IS_DURABLE && invocation.deadline().is_some_and(|deadline| deadline <= self.now()) {
            // The task was running when the engine stopped.
            return self.complete(op, Err(Fault::timeout()));
        }
        if invocation.callback
            && let Some(outcome) = self.messages.as_ref().and_then(|messages| messages.take_outcome(op))
        {
            // The task was running when the engine stopped, and its outcome has arrived.
            return self.complete(op, outcome);
        }
        if invocation.callback && !J::IS_DURABLE && self.environment.callbacks.is_none() {
            return self.complete(op, Err(Fault::no_callbacks(invocation.task.key, invocation.task.state)));
        }
        let cx = TaskContext::of(self.task_execution(), invocation);
        let invocation = cx.invocation();
        self.expect_callback(op, &cx);
        if J::IS_DURABLE {
            // Signs of life from before a restart are not recorded.
            cx.heartbeat();
        }
        if invocation.handed_over {
            self.add_pending(op, PendingKind::Task { cx: cx.clone(), is_running: false });
            return self.add_task_timers(op, &cx);
        }
        let (task, input) = (invocation.task, invocation.input.clone());
        let mut run = match guard(|| self.tasks.invoke(task, input, cx.clone())) {
            Ok(run) => run,
            Err(fault) => return self.returned(op, &cx, Err(fault)),
        };
        match poll_task(&mut run, &mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => match guard(|| drop(run)).and(outcome) {
                Ok(_) if invocation.callback => {
                    self.add_pending(op, PendingKind::Task { cx: cx.clone(), is_running: false });
                    self.hand_over(op);
                }
                outcome => return self.returned(op, &cx, outcome),
            },
            Poll::Pending => {
                self.add_pending(op, PendingKind::Task { cx: cx.clone(), is_running: true });
                self.task_runs.push(TaskRun { op, cx: Some(cx.clone()), task: Some(run) });
            }
        }
        self.add_task_timers(op, &cx);
    }

    fn task_execution(&mut self) -> Arc<TaskExecution> {
        let new = || {
            let info = self.execution.info();
            let (id, correlation) = (info.id().clone(), info.shared_correlation().cloned());
            Arc::new(TaskExecution::new(self.program.definition, id, correlation, self.environment.clock.clone()))
        };
        self.task_execution.get_or_insert_with(new).clone()
    }

    fn add_task_timers(&mut self, op: Op, cx: &TaskContext) {
        if let Some(deadline) = cx.deadline() {
            self.add_timer(op, deadline, Purpose::Timeout);
        }
        if let Some(silent) = cx.heartbeat_deadline() {
            self.add_timer(op, silent, Purpose::Heartbeat);
        }
    }

    /// Completes a task that was ready immediately.
    #[inline(always)]
    fn returned(&mut self, op: Op, cx: &TaskContext, outcome: Outcome) {
        self.forget_callback(cx);
        self.complete(op, outcome);
    }

    /// Delivers the outcome of an operation.
    #[inline]
    fn complete(&mut self, op: Op, outcome: Outcome) {
        let now = self.now();
        self.execution.apply(now, Occurrence::Completed(op, outcome));
        self.is_dirty = J::IS_DURABLE;
    }

    /// Records that a task has returned, and that its outcome arrives by its token.
    fn hand_over(&mut self, op: Op) {
        if let Some(Some(pending)) = self.pending.get_mut(op.frame.0 as usize)
            && pending.op == op.id
            && let PendingKind::Task { is_running, .. } = &mut pending.kind
        {
            self.running_tasks -= u32::from(std::mem::take(is_running));
        }
        let now = self.now();
        self.execution.apply(now, Occurrence::HandedOver(op));
        self.is_dirty = J::IS_DURABLE;
    }

    /// Ends the execution on request. A termination waits for running operations.
    fn end(&mut self, outcome: Outcome) {
        let now = self.now();
        self.execution.apply(now, Occurrence::end(outcome));
        self.is_dirty = J::IS_DURABLE;
    }

    /// Returns the time of the next timer or time-out of the execution.
    fn next_due(&mut self) -> Option<Timestamp> {
        let timer = self.timers.earliest(|op| is_pending(&self.pending, op));
        timer.map(|timer| timer.at).into_iter().chain(self.execution.info().deadline()).min()
    }

    /// Returns `true` if a pending task has a heartbeat time-out, which this driver records.
    fn awaits_heartbeats(&self) -> bool {
        let mut tasks = self.pending.iter().flatten().filter_map(Pending::cx);
        tasks.any(|cx| cx.heartbeat_deadline().is_some())
    }

    /// Returns `true` if the execution waits for a child that runs elsewhere: the child may need
    /// the memory that this execution occupies.
    fn awaits_remote(&self) -> bool {
        self.pending.iter().flatten().any(|pending| matches!(pending.kind, PendingKind::Remote))
    }

    fn expect_callback(&mut self, op: Op, cx: &TaskContext) {
        if let (true, Some(token), Some(callbacks)) = (cx.awaits_callback(), cx.token(), &self.environment.callbacks) {
            let messages = self.messages.get_or_insert_default().clone();
            callbacks.expect(token.into(), op, cx.clone(), messages);
        }
    }

    #[inline]
    fn forget_callback(&self, cx: &TaskContext) {
        forget_callback(self.environment.callbacks.as_ref(), cx);
    }

    fn now(&self) -> Timestamp {
        self.environment.clock.now()
    }
}

impl<J> Drop for Driver<'_, J> {
    /// Cancels the contexts of tasks, for work that tasks have started in the background. A panic
    /// of an observer's drop has no effect.
    fn drop(&mut self) {
        for pending in std::mem::take(&mut self.pending).into_iter().flatten() {
            if let Some(cx) = pending.cx() {
                forget_callback(self.environment.callbacks.as_ref(), cx);
                cx.cancel();
            }
        }
        // A worker that still has the execution drops it.
        if let Some(execution) = self.execution.get_mut() {
            let observers = execution.observe(Vec::new());
            let _panic = catch(|| drop(observers));
        }
    }
}

/// Yields once to other tasks.
async fn yield_now() {
    let mut yielded = false;
    std::future::poll_fn(|cx| {
        if std::mem::replace(&mut yielded, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
