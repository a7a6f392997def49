//! The loop that drives one execution: carry out its commands, wait for what happens first, deliver that.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::callbacks::{Callbacks, Mailbox};
use super::flight::{Flight, guard, poll_task};
use super::timers::{Purpose, Timer, Timers};
use crate::clock::{Clock, Sleep};
use crate::fault::Fault;
use crate::machine::{Command, Execution, Invocation, Op, Outcome, Program, Start};
use crate::panics::catch;
use crate::task::{Invoke, TaskContext};
use crate::time::Timestamp;
use crate::value::Value;

/// How many commands are carried out in a row before others get a turn.
const IN_A_ROW: u32 = 128;

/// What an execution runs with.
pub(crate) struct Environment {
    pub clock: Arc<dyn Clock>,
    pub callbacks: Option<Callbacks>,
    pub reload_at_every_completion: bool,
}

/// An execution with all that is under way for it.
pub(crate) struct Driver<'a> {
    program: Program,
    execution: Box<dyn Execution>,
    environment: Environment,
    tasks: &'a dyn Invoke,
    /// What each frame waits for, by the number of the frame.
    pending: Vec<Option<Pending>>,
    /// How many of those there are.
    live: usize,
    flights: FuturesUnordered<Flight<'a>>,
    timers: Timers,
    /// The sleep for the earliest timer.
    sleep: Option<(Timestamp, Sleep)>,
    /// Where outcomes by token arrive.
    mailbox: Option<Mailbox>,
}

/// An operation that was begun.
struct Pending {
    op: u64,
    /// Of a task.
    cx: Option<TaskContext>,
}

/// What has happened.
enum Arrival {
    /// An operation has ended.
    Completion(Op, Outcome),
    /// The execution is to end.
    Deadline,
}

impl<'a> Driver<'a> {
    /// Starts an execution.
    pub fn start(program: Program, mut start: Start, environment: Environment, tasks: &'a dyn Invoke) -> Driver<'a> {
        start.time.get_or_insert_with(|| environment.clock.now());
        let execution = program.start(start);
        Driver {
            program,
            execution,
            environment,
            tasks,
            pending: Vec::new(),
            live: 0,
            flights: FuturesUnordered::new(),
            timers: Timers::default(),
            sleep: None,
            mailbox: None,
        }
    }

    /// Drives the execution to its end.
    pub async fn run(&mut self) -> Outcome {
        loop {
            let rests = self.carry_out()?;
            if let Some(outcome) = self.execution.result() {
                return outcome.clone();
            }
            let arrival = if rests {
                let mut rounds = 0;
                std::future::poll_fn(|cx| self.poll_arrival(cx, &mut rounds)).await
            } else {
                // Others of the program get a turn, and so do other branches of this execution.
                yield_now().await;
                match std::future::poll_fn(|cx| Poll::Ready(self.poll_due(cx))).await {
                    Poll::Ready(arrival) => arrival,
                    Poll::Pending => continue,
                }
            };
            match arrival {
                Arrival::Completion(op, outcome) => {
                    self.release(op);
                    self.complete(op, outcome)?;
                }
                Arrival::Deadline => self.execution.end(self.now(), Err(Fault::timeout())),
            }
        }
    }

    /// The execution.
    #[cfg(feature = "testing")]
    pub fn execution(&self) -> &dyn Execution {
        &*self.execution
    }

    /// Begins all that was commanded. `false` if others should have a turn before it goes on.
    fn carry_out(&mut self) -> Result<bool, Fault> {
        for _ in 0..IN_A_ROW {
            while let Some(op) = self.execution.next_cancelled() {
                self.release(op);
            }
            let Some((op, command)) = self.execution.next_command() else { return Ok(true) };
            // An operation that was begun before the execution was saved and loaded goes on.
            if !self.is_pending(op) {
                match command {
                    Command::Invoke(invocation) => self.invoke(op, invocation)?,
                    Command::Sleep { until } if until <= self.now() => self.complete(op, Ok(Value::Null))?,
                    Command::Sleep { until } => {
                        self.keep(op, None);
                        self.add_timer(op, until, Purpose::Sleep);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Invokes a task. One that is ready at once gets no timers and no place among the others.
    fn invoke(&mut self, op: Op, invocation: Arc<Invocation>) -> Result<(), Fault> {
        let clock = self.environment.clock.clone();
        let id = self.execution.id().clone();
        let cx = TaskContext::new(self.program.definition.name, id, invocation.clone(), clock);
        self.expect_callback(op, &cx);
        let (task, input) = (invocation.task, invocation.input.clone());
        let tasks = self.tasks;
        let mut run = match guard(|| tasks.invoke(task, input, cx.clone())) {
            Ok(run) => run,
            Err(fault) => return self.returned(op, &cx, Err(fault)),
        };
        match poll_task(&mut run, &mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => match guard(|| drop(run)).and(outcome) {
                Ok(_) if invocation.callback => self.keep(op, Some(cx)),
                outcome => return self.returned(op, &cx, outcome),
            },
            Poll::Pending => {
                self.keep(op, Some(cx.clone()));
                self.flights.push(Flight { op, cx, task: Some(run) });
            }
        }
        if let Some(deadline) = invocation.deadline() {
            self.add_timer(op, deadline, Purpose::Timeout);
        }
        if let Some(heartbeat) = invocation.heartbeat {
            self.add_timer(op, invocation.issued.plus(heartbeat), Purpose::Heartbeat);
        }
        Ok(())
    }

    /// A task was ready at once.
    fn returned(&mut self, op: Op, cx: &TaskContext, outcome: Outcome) -> Result<(), Fault> {
        self.forget_callback(cx);
        self.complete(op, outcome)
    }

    /// Delivers what became of an operation.
    fn complete(&mut self, op: Op, outcome: Outcome) -> Result<(), Fault> {
        self.execution.complete(op, self.now(), outcome);
        if self.environment.reload_at_every_completion && self.execution.result().is_none() {
            self.reload()?;
        }
        Ok(())
    }

    /// Goes on with what a snapshot tells.
    fn reload(&mut self) -> Result<(), Fault> {
        // What was cancelled is no part of a snapshot: the engine was told.
        while let Some(op) = self.execution.next_cancelled() {
            self.release(op);
        }
        let observers = self.execution.take_observers();
        let loaded = self.program.load(&self.execution.save());
        self.execution = loaded.map_err(|error| Fault::runtime(format!("the snapshot cannot be loaded: {error}")))?;
        self.execution.observe(observers);
        Ok(())
    }

    /// The next thing that happens. While nothing does, the clock is told.
    fn poll_arrival(&mut self, cx: &mut Context<'_>, rounds: &mut u32) -> Poll<Arrival> {
        let arrival = self.poll_due(cx);
        if arrival.is_pending() && self.environment.clock.idle(*rounds) {
            *rounds += 1;
            cx.waker().wake_by_ref();
        }
        arrival
    }

    /// The next thing that has happened.
    fn poll_due(&mut self, cx: &mut Context<'_>) -> Poll<Arrival> {
        loop {
            if let Some(arrived) = self.poll_tasks(cx) {
                return Poll::Ready(arrived);
            }
            let timer = self.timers.earliest(|op| is_pending(&self.pending, op));
            let deadline = self.execution.deadline();
            let Some(next) = timer.map(|timer| timer.at).into_iter().chain(deadline).min() else {
                self.sleep = None;
                return Poll::Pending;
            };
            if next > self.now() {
                if !self.poll_sleep(next, cx) {
                    return Poll::Pending;
                }
                continue;
            }
            match timer.filter(|timer| timer.at == next) {
                None => return Poll::Ready(Arrival::Deadline),
                Some(timer) => {
                    self.timers.pop();
                    if let Some(outcome) = self.rings(timer) {
                        return Poll::Ready(Arrival::Completion(timer.op, outcome));
                    }
                }
            }
        }
    }

    /// The next task that has ended, by itself or by its token.
    fn poll_tasks(&mut self, cx: &mut Context<'_>) -> Option<Arrival> {
        while let Poll::Ready(Some((op, outcome))) = self.flights.poll_next_unpin(cx) {
            let Some(Some(Pending { op: id, cx: Some(cx) })) = self.pending.get(op.frame.0 as usize) else { continue };
            match outcome {
                Some(outcome) if *id == op.id && !(cx.awaits_callback() && outcome.is_ok()) => {
                    return Some(Arrival::Completion(op, outcome));
                }
                _ => {}
            }
        }
        while let Some(Poll::Ready((op, outcome))) = self.mailbox.as_ref().map(|mailbox| mailbox.poll(cx.waker())) {
            if self.is_pending(op) {
                return Some(Arrival::Completion(op, outcome));
            }
        }
        None
    }

    /// Whether it is time.
    fn poll_sleep(&mut self, until: Timestamp, cx: &mut Context<'_>) -> bool {
        let clock = &self.environment.clock;
        let sleep = match &mut self.sleep {
            Some((at, sleep)) if *at == until => sleep,
            other => &mut other.insert((until, clock.sleep_until(until))).1,
        };
        let over = sleep.as_mut().poll(cx).is_ready();
        if over {
            self.sleep = None;
        }
        over
    }

    /// A timer has come up: what that means for its operation, if it means anything.
    fn rings(&mut self, timer: Timer) -> Option<Outcome> {
        match timer.purpose {
            Purpose::Sleep => Some(Ok(Value::Null)),
            Purpose::Timeout => Some(Err(Fault::timeout())),
            Purpose::Heartbeat => {
                let pending = self.pending.get(timer.op.frame.0 as usize)?.as_ref()?;
                let silent = pending.cx.as_ref()?.silence_deadline()?;
                if silent <= self.now() {
                    return Some(Err(Fault::heartbeat_timeout()));
                }
                self.add_timer(timer.op, silent, Purpose::Heartbeat);
                None
            }
        }
    }

    fn keep(&mut self, op: Op, cx: Option<TaskContext>) {
        let at = op.frame.0 as usize;
        if self.pending.len() <= at {
            if at == 0 {
                // Most executions wait for one thing most of their time.
                self.pending.reserve_exact(1);
            }
            self.pending.resize_with(at + 1, || None);
        }
        self.pending[at] = Some(Pending { op: op.id, cx });
        self.live += 1;
    }

    /// Nobody waits for the operation any more.
    fn release(&mut self, op: Op) {
        if !self.is_pending(op) {
            return;
        }
        let pending = self.pending[op.frame.0 as usize].take();
        self.live -= 1;
        if let Some(cx) = pending.and_then(|pending| pending.cx) {
            self.forget_callback(&cx);
            cx.cancel();
        }
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
        if let (true, Some(token), Some(callbacks)) = (cx.awaits_callback(), cx.token(), &self.environment.callbacks) {
            callbacks.forget(token);
        }
    }

    fn now(&self) -> Timestamp {
        self.environment.clock.now()
    }
}

impl Drop for Driver<'_> {
    /// What tasks have started beside themselves is told that nobody waits any more. Observers can do no harm any more.
    fn drop(&mut self) {
        for pending in std::mem::take(&mut self.pending).into_iter().flatten() {
            if let Some(cx) = pending.cx {
                self.forget_callback(&cx);
                cx.cancel();
            }
        }
        let observers = self.execution.take_observers();
        let _said = catch(|| drop(observers));
    }
}

fn is_pending(pending: &[Option<Pending>], op: Op) -> bool {
    matches!(pending.get(op.frame.0 as usize), Some(Some(pending)) if pending.op == op.id)
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
