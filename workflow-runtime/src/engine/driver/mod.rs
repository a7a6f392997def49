//! The loop that drives one execution, for engines that run tasks themselves: carry out its commands, wait for what happens
//! first, deliver that. What keeps the execution is a [`Journal`].

mod beyond;
mod callbacks;
mod ending;
mod environment;
mod flight;
mod journal;
mod mailbox;
mod pending;
mod poll;
mod timers;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use futures_util::future::{AbortHandle, Abortable};

use beyond::{Beyond, Tasks};
pub use callbacks::{Callbacks, UnknownToken};
pub use environment::Environment;
pub use flight::guard;
use flight::{Flight, Flights, poll_task};
pub use journal::{Begun, Caller, Journal, Stopped, Volatile};
pub use mailbox::{Letter, Mailbox};
use pending::{Pending, What};
use timers::{Purpose, Timer, Timers};

use super::memory::Stay;
use super::turns::Held;
use crate::clock::Sleep;
use crate::event::{CloudEvent, EventSink};
use crate::fault::Fault;
use crate::machine::{Call, Command, Execution, Invocation, Op, Outcome, Program};
use crate::panics::catch;
use crate::task::{Invoke, TaskContext, TaskFuture};
use crate::time::Timestamp;
use crate::value::Value;

/// How many commands are carried out in a row before others get a turn.
const IN_A_ROW: u32 = 128;

/// An execution with all that is under way for it.
pub struct Driver<'a, J> {
    program: Program,
    execution: Held,
    environment: Environment,
    tasks: Tasks<'a>,
    journal: J,
    beyond: Beyond<'a>,
    /// Whether something has happened that the journal has not kept.
    unkept: bool,
    /// Whether the execution is to be let go as soon as no task is under way.
    leaving: bool,
    /// What may have begun before the execution was loaded, and was not begun here when the whole run began to end.
    again: VecDeque<(Op, Command)>,
    /// What each frame waits for, by the number of the frame.
    pending: Vec<Option<Pending>>,
    /// How many of those there are, and how many of them are tasks that have not returned.
    live: usize,
    under_way: usize,
    /// Tasks that are to be invoked when others have returned, by the numbers of their operations.
    held: BTreeMap<u64, (Op, Arc<Invocation>)>,
    flights: Flights<'a>,
    timers: Timers,
    /// The sleep for the earliest timer.
    sleep: Option<(Timestamp, Sleep)>,
    /// Where outcomes by token arrive.
    mailbox: Option<Mailbox>,
    /// Who is told whether the execution is in its first state.
    stay: Option<Arc<Stay>>,
}

/// What the execution of a driver is, to its journal.
macro_rules! caller {
    ($driver:ident) => {
        Caller { program: $driver.program, environment: &$driver.environment, execution: &*$driver.execution }
    };
}

/// Why a driver has stopped.
#[derive(Debug, Clone, PartialEq)]
pub enum Rest {
    /// The execution has ended.
    Ended(Outcome),
    /// The execution was let go: it has nothing to do before this time, or before an outcome arrives by token.
    Waiting(Option<Timestamp>),
}

/// What has happened.
enum Arrival {
    /// An operation has ended.
    Completion(Op, Outcome),
    /// It is time for an operation to end.
    Rings(Op, Outcome),
    /// An event was delivered, the one of this number.
    Event(Arc<CloudEvent>, u64),
    /// The execution has taken too long.
    Deadline,
    /// Somebody ends the execution.
    End(Outcome),
    /// A task has handed its work over: its outcome will arrive by the token.
    HandedOver(Op),
    /// The execution is to be let go.
    Leave,
}

/// What is to be done after commands were carried out.
enum Turn {
    /// All were, and something is to be waited for.
    Wait,
    /// Others should have a turn before it goes on.
    Yield,
    /// A turn is to be run before it goes on.
    Compute,
    /// What has happened is to be kept before it goes on.
    Keep,
}

impl<'a, J: Journal> Driver<'a, J> {
    /// Drives an execution that was started or loaded just now.
    pub fn new(
        program: Program,
        execution: Box<dyn Execution>,
        environment: Environment,
        tasks: &'a dyn Invoke,
        journal: J,
    ) -> Driver<'a, J> {
        Driver::beneath(program, execution, environment, Tasks::Of(tasks), journal, Beyond::default())
    }

    /// As [`Driver::new`], of an execution that comes from another one.
    fn beneath(
        program: Program,
        execution: Box<dyn Execution>,
        environment: Environment,
        tasks: Tasks<'a>,
        journal: J,
        beyond: Beyond<'a>,
    ) -> Driver<'a, J> {
        Driver {
            program,
            again: VecDeque::new(),
            execution: Held::new(execution),
            environment,
            tasks,
            journal,
            beyond,
            unkept: J::KEEPS,
            leaving: false,
            pending: Vec::new(),
            live: 0,
            under_way: 0,
            held: BTreeMap::new(),
            flights: Flights::default(),
            timers: Timers::default(),
            sleep: None,
            mailbox: None,
            stay: None,
        }
    }

    /// Drives the execution to its end, or to where it is let go. A driver whose run was dropped cannot be used again: a worker
    /// may have had the execution.
    pub async fn run(&mut self) -> Result<Rest, Stopped> {
        self.compute().await;
        let mut in_a_row = 0;
        loop {
            let turn = match self.carry_out(&mut in_a_row) {
                // What the turn has cancelled or ended is carried out before it is kept.
                Turn::Compute => {
                    self.compute().await;
                    continue;
                }
                turn => turn,
            };
            in_a_row = 0;
            if J::KEEPS && self.unkept {
                self.journal.commit(self.execution.as_box(), self.program).await?;
                self.unkept = false;
            }
            if let Some(outcome) = self.execution.result() {
                return Ok(Rest::Ended(outcome.clone()));
            }
            let arrival = match turn {
                // Tasks that are ready at once must not keep others waiting: timers, outcomes by token, orders.
                Turn::Keep | Turn::Compute => match std::future::poll_fn(|cx| Poll::Ready(self.poll_due(cx))).await {
                    Poll::Ready(arrival) => arrival,
                    Poll::Pending => continue,
                },
                Turn::Wait => {
                    if let Some(stay) = &self.stay {
                        stay.look(&*self.execution);
                    }
                    if J::KEEPS && self.flights.is_empty() && self.mailbox.as_ref().is_none_or(Mailbox::is_empty) {
                        let until = self.next_time();
                        let is_due = until.is_some_and(|until| until <= self.now());
                        let lets_go = || !is_due && self.awaits_others() || self.journal.lets_go(until);
                        if self.leaving || !self.listens_for_signs_of_life() && lets_go() {
                            return Ok(Rest::Waiting(until));
                        }
                    }
                    let mut rounds = 0;
                    std::future::poll_fn(|cx| self.poll_arrival(cx, &mut rounds)).await
                }
                // Others of the program get a turn, and so do other branches of this execution.
                Turn::Yield => {
                    yield_now().await;
                    match std::future::poll_fn(|cx| Poll::Ready(self.poll_due(cx))).await {
                        Poll::Ready(arrival) => arrival,
                        Poll::Pending => continue,
                    }
                }
            };
            self.take(arrival);
            self.compute().await;
        }
    }

    /// Runs the turn of what was delivered, if there is one.
    async fn compute(&mut self) {
        self.environment.turns.run(&mut self.execution).await;
    }

    /// Delivers what has happened.
    fn take(&mut self, arrival: Arrival) {
        match arrival {
            Arrival::Completion(op, outcome) => {
                self.take_off(op);
                self.complete(op, outcome);
            }
            Arrival::Rings(op, outcome) => {
                self.release(op);
                self.complete(op, outcome);
            }
            Arrival::Event(event, number) => self.receive(&event, number),
            Arrival::Deadline => {
                let now = self.now();
                self.execution.expire(now);
                self.unkept = J::KEEPS;
            }
            Arrival::End(outcome) => self.end(outcome),
            Arrival::HandedOver(op) => self.hand_over(op),
            Arrival::Leave => self.leaving = true,
        }
    }

    /// Waits for what goes on beside the execution, once that has ended.
    pub async fn settle(&mut self) {
        let mut rounds = 0;
        std::future::poll_fn(|cx| {
            let over = self.poll_beyond(cx);
            if over.is_pending() && self.beyond.is_first() && self.environment.clock.idle(rounds) {
                rounds += 1;
                cx.waker().wake_by_ref();
            }
            over
        })
        .await;
    }

    /// The execution.
    pub fn execution(&self) -> &dyn Execution {
        &*self.execution
    }

    /// Begins all that was commanded. Counts the commands that are carried out in a row.
    fn carry_out(&mut self, in_a_row: &mut u32) -> Turn {
        while *in_a_row < IN_A_ROW {
            *in_a_row += 1;
            if self.execution.is_computing() && !self.environment.turns.run_here(&mut *self.execution) {
                return Turn::Compute;
            }
            if self.execution.begins_to_end() {
                self.terminate_others();
            }
            while let Some(op) = self.execution.next_cancelled() {
                self.release(op);
            }
            if J::KEEPS && self.unkept {
                return Turn::Keep;
            }
            if J::KEEPS && self.leaving {
                return Turn::Wait;
            }
            if self.has_room()
                && let Some((_, (op, invocation))) = self.held.pop_first()
            {
                self.invoke(op, invocation);
                continue;
            }
            let next = self.again.pop_front().or_else(|| self.execution.next_command());
            let Some((op, command)) = next else { return Turn::Wait };
            // An operation that was begun before the execution was saved and loaded goes on.
            if !self.is_pending(op) {
                match command {
                    Command::Invoke(invocation) if !invocation.handed_over && !self.has_room() => {
                        self.held.insert(op.id, (op, invocation));
                    }
                    Command::Invoke(invocation) => self.invoke(op, invocation),
                    Command::Sleep { until } if until <= self.now() => self.complete(op, Ok(Value::Null)),
                    Command::Sleep { until } => {
                        self.keep(op, What::Wait, false);
                        self.add_timer(op, until, Purpose::Sleep);
                    }
                    Command::Receive(reception) => {
                        self.keep(op, What::Wait, false);
                        // An event that is there already is taken first, also if it is too late by now.
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
                    Command::Batch(_) => {
                        self.complete(
                            op,
                            Err(Fault::runtime("the engine does not divide iterations among executions")),
                        );
                    }
                }
            }
        }
        Turn::Yield
    }

    /// Starts another execution.
    fn call(&mut self, op: Op, call: &Arc<Call>) {
        let child = match self.journal.call(caller!(self), op, call) {
            Begun::Done(outcome) => return self.complete(op, outcome),
            Begun::ByMail => None,
            Begun::Here => {
                let mailbox = Mailbox::default();
                let child = match self.beyond.child(&caller!(self), &self.tasks, call, mailbox.clone()) {
                    Ok(child) => child,
                    Err(fault) => return self.complete(op, Err(fault)),
                };
                if call.detached {
                    self.beyond.detach(child, call);
                    let id = call.execution_id(self.execution.id());
                    return self.complete(op, Ok(Value::from(id)));
                }
                Some(What::Beside(self.begin_beside(op, child), Some(mailbox)))
            }
        };
        self.keep(op, child.unwrap_or(What::Elsewhere), false);
        if let Some(deadline) = call.deadline() {
            self.add_timer(op, deadline, Purpose::Timeout);
        }
    }

    /// Sends an event that was published to those outside. An execution that is loaded does so again.
    fn send(&mut self, op: Op, sink: Arc<dyn EventSink>, event: Arc<CloudEvent>) {
        let sent = self.begin_beside(op, async move { sink.send(&event).await.map(|()| Value::Null) });
        self.keep(op, What::Beside(sent, None), false);
    }

    /// Begins what runs in the same future and is no task. By the handle it is stopped.
    fn begin_beside(&mut self, op: Op, run: impl Future<Output = Outcome> + Send + 'a) -> AbortHandle {
        let (handle, registration) = AbortHandle::new_pair();
        let run = Abortable::new(run, registration);
        let gone = || Err(Fault::runtime("the execution was let go"));
        let run: TaskFuture<'a> = Box::pin(async move { run.await.unwrap_or_else(|_| gone()) });
        self.flights.push(Flight { op, cx: None, task: Some(run) });
        handle
    }

    /// Whether another task may be under way.
    fn has_room(&self) -> bool {
        self.under_way < self.environment.tasks_at_once
    }

    /// Invokes a task. One that is ready at once gets no timers and no place among the others.
    fn invoke(&mut self, op: Op, invocation: Arc<Invocation>) {
        if J::KEEPS && invocation.deadline().is_some_and(|deadline| deadline <= self.now()) {
            // It was under way when the engine stopped.
            return self.complete(op, Err(Fault::timeout()));
        }
        if invocation.callback
            && let Some(outcome) = self.mailbox.as_ref().and_then(|mailbox| mailbox.take_outcome(op))
        {
            // It was under way when the engine stopped, and has its outcome.
            return self.complete(op, outcome);
        }
        let clock = self.environment.clock.clone();
        let (id, correlation) = (self.execution.id().clone(), self.execution.correlation().clone());
        let cx = TaskContext::new(self.program.definition.name, id, correlation, invocation.clone(), clock);
        self.expect_callback(op, &cx);
        if J::KEEPS {
            // Nobody remembers signs of life that it gave to an engine before this one.
            cx.heartbeat();
        }
        if invocation.handed_over {
            self.keep(op, What::Task(cx.clone()), false);
            return self.add_task_timers(op, &cx, &invocation);
        }
        let (task, input) = (invocation.task, invocation.input.clone());
        let mut run = match guard(|| self.tasks.invoke(task, input, cx.clone())) {
            Ok(run) => run,
            Err(fault) => return self.returned(op, &cx, Err(fault)),
        };
        match poll_task(&mut run, &mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => match guard(|| drop(run)).and(outcome) {
                Ok(_) if invocation.callback => {
                    self.keep(op, What::Task(cx.clone()), false);
                    self.hand_over(op);
                }
                outcome => return self.returned(op, &cx, outcome),
            },
            Poll::Pending => {
                self.keep(op, What::Task(cx.clone()), true);
                self.flights.push(Flight { op, cx: Some(cx.clone()), task: Some(run) });
            }
        }
        self.add_task_timers(op, &cx, &invocation);
    }

    fn add_task_timers(&mut self, op: Op, cx: &TaskContext, invocation: &Invocation) {
        if let Some(deadline) = invocation.deadline() {
            self.add_timer(op, deadline, Purpose::Timeout);
        }
        if let Some(silent) = cx.silence_deadline() {
            self.add_timer(op, silent, Purpose::Heartbeat);
        }
    }

    /// A task was ready at once.
    fn returned(&mut self, op: Op, cx: &TaskContext, outcome: Outcome) {
        self.forget_callback(cx);
        self.complete(op, outcome);
    }

    /// Delivers what became of an operation.
    fn complete(&mut self, op: Op, outcome: Outcome) {
        let now = self.now();
        self.execution.accept(op, now, outcome);
        self.unkept = J::KEEPS;
    }

    /// A task has returned whose outcome arrives by its token.
    fn hand_over(&mut self, op: Op) {
        if let Some(Some(pending)) = self.pending.get_mut(op.frame.0 as usize)
            && pending.op == op.id
        {
            self.under_way -= usize::from(std::mem::take(&mut pending.under_way));
        }
        self.execution.handed_over(op);
        self.unkept = J::KEEPS;
    }

    /// Ends the execution from outside, at once or when what it does is completed.
    fn end(&mut self, outcome: Outcome) {
        let now = self.now();
        match outcome {
            Err(fault) if fault.is_termination() => self.execution.terminate(now, fault.terminated_with()),
            outcome => self.execution.end(now, outcome),
        }
        self.unkept = J::KEEPS;
    }

    /// When something is to be done that nobody has to bring about.
    fn next_time(&mut self) -> Option<Timestamp> {
        let timer = self.timers.earliest(|op| is_pending(&self.pending, op));
        timer.map(|timer| timer.at).into_iter().chain(self.execution.deadline()).min()
    }

    /// Whether a task that is waited for must give signs of life. Nobody else remembers when it has.
    fn listens_for_signs_of_life(&self) -> bool {
        let mut tasks = self.pending.iter().flatten().filter_map(Pending::cx);
        tasks.any(|cx| cx.silence_deadline().is_some())
    }

    /// Whether it waits for an execution that runs elsewhere: what it takes up might be what that one lacks.
    fn awaits_others(&self) -> bool {
        self.pending.iter().flatten().any(|pending| matches!(pending.what, What::Elsewhere))
    }

    fn keep(&mut self, op: Op, what: What, under_way: bool) {
        let at = op.frame.0 as usize;
        if self.pending.len() <= at {
            if at == 0 {
                // Most executions wait for one thing most of their time.
                self.pending.reserve_exact(1);
            }
            self.pending.resize_with(at + 1, || None);
        }
        self.pending[at] = Some(Pending { op: op.id, what, under_way });
        self.live += 1;
        self.under_way += usize::from(under_way);
    }

    /// Nobody waits for the operation any more.
    fn release(&mut self, op: Op) {
        match self.take_off(op) {
            Some(What::Beside(run, _)) => run.abort(),
            // One that was not begun here may be an execution that was begun before this one was loaded.
            Some(What::Elsewhere) | None => self.journal.abandon(op),
            Some(What::Wait | What::Task(_)) => {}
        }
    }

    /// An operation that was begun has ended, or nobody waits for it any more. Returns what it was.
    fn take_off(&mut self, op: Op) -> Option<What> {
        if !self.is_pending(op) {
            self.held.remove(&op.id);
            return None;
        }
        let pending = self.pending[op.frame.0 as usize].take()?;
        self.live -= 1;
        self.under_way -= usize::from(pending.under_way);
        if let Some(cx) = pending.cx() {
            self.forget_callback(cx);
            cx.cancel();
        }
        Some(pending.what)
    }

    fn is_pending(&self, op: Op) -> bool {
        is_pending(&self.pending, op)
    }

    fn add_timer(&mut self, op: Op, at: Timestamp, purpose: Purpose) {
        self.timers.add(Timer { at, op, purpose }, self.live, |op| is_pending(&self.pending, op));
    }

    fn expect_callback(&mut self, op: Op, cx: &TaskContext) {
        if let (true, Some(token), Some(callbacks)) = (cx.awaits_callback(), cx.token(), &self.environment.callbacks) {
            let mailbox = self.mailbox.get_or_insert_default().clone();
            callbacks.expect(token.into(), op, cx.clone(), mailbox);
        }
    }

    fn forget_callback(&self, cx: &TaskContext) {
        forget_callback(self.environment.callbacks.as_ref(), cx);
    }

    fn now(&self) -> Timestamp {
        self.environment.clock.now()
    }
}

impl<J> Drop for Driver<'_, J> {
    /// What tasks have started beside themselves is told that nobody waits any more. Observers can do no harm any more.
    fn drop(&mut self) {
        for pending in std::mem::take(&mut self.pending).into_iter().flatten() {
            if let Some(cx) = pending.cx() {
                forget_callback(self.environment.callbacks.as_ref(), cx);
                cx.cancel();
            }
        }
        // A worker that still has the execution drops it.
        if let Some(execution) = self.execution.if_here() {
            let observers = execution.take_observers();
            let _said = catch(|| drop(observers));
        }
    }
}

fn is_pending(pending: &[Option<Pending>], op: Op) -> bool {
    matches!(pending.get(op.frame.0 as usize), Some(Some(pending)) if pending.op == op.id)
}

/// The outcome of a task no longer arrives by its token.
fn forget_callback(callbacks: Option<&Callbacks>, cx: &TaskContext) {
    if let (true, Some(token), Some(callbacks)) = (cx.awaits_callback(), cx.token(), callbacks) {
        callbacks.forget(token);
    }
}

/// Lets others have a turn.
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
