//! Tasks: what programs implement, and what a task is told about its invocation.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::clock::Clock;
use crate::fault::{Fault, names};
use crate::machine::{Invocation, Outcome, Task};
use crate::time::Timestamp;
use crate::value::{Str, Value, ValueError};

/// The run of a task.
pub type TaskFuture<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// Runs the tasks of a workflow. Generated code implements it for everything that implements the workflow's tasks.
pub trait Invoke: Send + Sync {
    /// Invokes a task.
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a>;
}

impl<T: Invoke + ?Sized> Invoke for &T {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        (**self).invoke(task, input, cx)
    }
}

impl<T: Invoke + ?Sized> Invoke for Arc<T> {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        (**self).invoke(task, input, cx)
    }
}

/// What a task is told about its invocation. A clone is about the same one.
#[derive(Clone)]
pub struct TaskContext(Arc<Shared>);

struct Shared {
    workflow: &'static str,
    execution: Str,
    correlation: Str,
    invocation: Arc<Invocation>,
    clock: Arc<dyn Clock>,
    cancelled: AtomicBool,
    /// When the last sign of life was given, in microseconds.
    beat: AtomicI64,
    /// Who waits to be told of the cancellation.
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    /// With the number of the wait; 0 is a poll that nobody takes back.
    wakers: Vec<(u64, Waker)>,
    last: u64,
}

/// A wait for the cancellation. It is taken back when it is dropped.
struct Cancelled<'a> {
    cx: &'a TaskContext,
    number: u64,
}

impl Future for Cancelled<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut waiting = self.cx.waiting();
        if self.cx.is_cancelled() {
            return Poll::Ready(());
        }
        let number = match self.number {
            0 => waiting.last + 1,
            number => number,
        };
        waiting.last = waiting.last.max(number);
        let before = waiting.remove(number);
        waiting.wakers.push((number, cx.waker().clone()));
        // A waker is code of somebody else's when it is dropped, too: it must not find this locked.
        drop(waiting);
        drop(before);
        self.number = number;
        Poll::Pending
    }
}

impl Drop for Cancelled<'_> {
    fn drop(&mut self) {
        if self.number != 0 {
            let gone = self.cx.waiting().remove(self.number);
            drop(gone);
        }
    }
}

impl Waiting {
    fn remove(&mut self, number: u64) -> Option<(u64, Waker)> {
        let at = self.wakers.iter().position(|(other, _)| *other == number)?;
        Some(self.wakers.swap_remove(at))
    }
}

impl TaskContext {
    /// The context of an invocation, made by the engine that carries it out.
    pub fn new(
        workflow: &'static str,
        execution: Str,
        correlation: Str,
        invocation: Arc<Invocation>,
        clock: Arc<dyn Clock>,
    ) -> TaskContext {
        let beat = AtomicI64::new(invocation.issued.as_micros());
        let (cancelled, waiting) = (AtomicBool::new(false), Mutex::default());
        TaskContext(Arc::new(Shared { workflow, execution, correlation, invocation, clock, cancelled, beat, waiting }))
    }

    /// The name of the workflow.
    pub fn workflow(&self) -> &'static str {
        self.0.workflow
    }

    /// The id of the execution.
    pub fn execution_id(&self) -> &str {
        &self.0.execution
    }

    /// The value by which events are told to be for the execution: those of a kind that correlates by an attribute must have it
    /// there. What the task has others do tells them, so that they can answer with such an event.
    pub fn correlation(&self) -> &str {
        &self.0.correlation
    }

    /// The task.
    pub fn task(&self) -> &'static Task {
        self.0.invocation.task
    }

    /// Which try of the state this is, from 1.
    pub fn attempt(&self) -> u32 {
        self.0.invocation.attempt
    }

    /// Names this call among all calls of all executions: the same for all its attempts, and for an attempt that is made
    /// once more after a crash. What a task does outside should be done once for each key.
    pub fn idempotency_key(&self) -> String {
        self.0.invocation.call.key(self.0.workflow, &self.0.execution)
    }

    /// The token by which the outcome can be delivered, where there is one.
    pub fn token(&self) -> Option<&str> {
        self.0.invocation.token.as_deref()
    }

    /// Whether the outcome arrives by the token. Then what the task returns does not count, unless it is a fault.
    pub fn awaits_callback(&self) -> bool {
        self.0.invocation.callback
    }

    /// Whom the task is to act as, where the definition says so.
    pub fn credentials(&self) -> Option<&Value> {
        self.0.invocation.credentials.as_ref()
    }

    /// When the task will be given up.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.0.invocation.deadline()
    }

    /// Gives a sign of life. A task that must (`HeartbeatSeconds`) and does not fails with `States.HeartbeatTimeout`.
    pub fn heartbeat(&self) {
        self.0.beat.fetch_max(self.now().as_micros(), Ordering::Relaxed);
    }

    /// The time, by the clock of the engine.
    pub fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    /// Waits, by the clock of the engine: in a test under virtual time that takes no time.
    pub async fn sleep(&self, duration: Duration) {
        self.0.clock.sleep_until(self.now().plus(duration)).await;
    }

    /// Whether nobody waits for the outcome any more. The task itself is dropped then; this is for what it has started
    /// beside itself.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Acquire)
    }

    /// Waits until nobody waits for the outcome any more.
    pub async fn cancelled(&self) {
        Cancelled { cx: self, number: 0 }.await;
    }

    /// As [`TaskContext::cancelled`]. What polls is remembered until then: a wait that may be given up before is better one
    /// for that future.
    pub fn poll_cancelled(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut waiting = self.waiting();
        if self.is_cancelled() {
            return Poll::Ready(());
        }
        if !waiting.wakers.iter().any(|(number, waker)| *number == 0 && waker.will_wake(cx.waker())) {
            waiting.wakers.reserve_exact(1);
            waiting.wakers.push((0, cx.waker().clone()));
        }
        Poll::Pending
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the task that nobody waits for it any more. Engines do.
    pub fn cancel(&self) {
        let wakers = {
            let mut waiting = self.waiting();
            self.0.cancelled.store(true, Ordering::Release);
            std::mem::take(&mut waiting.wakers)
        };
        wakers.into_iter().for_each(|(_, waker)| waker.wake());
    }

    /// When the task will have been silent for too long, if it must give signs of life. Engines ask.
    pub fn silence_deadline(&self) -> Option<Timestamp> {
        let last = Timestamp::from_micros(self.0.beat.load(Ordering::Relaxed));
        self.0.invocation.heartbeat.map(|heartbeat| last.plus(heartbeat))
    }
}

/// A task that takes and returns values.
pub fn task_future<'a>(run: impl Future<Output = Outcome> + Send + 'a) -> TaskFuture<'a> {
    Box::pin(run)
}

/// How a type of the program is made of a value.
pub type Read<T> = fn(Value) -> Result<T, ValueError>;

/// How a value is made of a type of the program.
pub type Write<T> = fn(T) -> Result<Value, ValueError>;

/// What [`Read`] is for every type that can be.
pub fn read<T: DeserializeOwned>(value: Value) -> Result<T, ValueError> {
    value.deserialize_into()
}

/// What [`Write`] is for every type that can be.
pub fn write<T: Serialize>(data: T) -> Result<Value, ValueError> {
    Value::from_serialize(&data)
}

/// A task that takes and returns types of the program. Generated code says how they are read and written, and asks for
/// what that takes in words of the definition.
pub fn typed_task<'a, I, O, F>(
    task: &'static Task,
    input: Value,
    cx: TaskContext,
    read: Read<I>,
    run: impl FnOnce(I, TaskContext) -> F + Send,
    write: Write<O>,
) -> TaskFuture<'a>
where
    O: 'a,
    F: Future<Output = Result<O, Fault>> + Send + 'a,
{
    let key = task.key;
    match read(input) {
        Ok(input) => {
            let run = run(input, cx);
            Box::pin(async move {
                let output = run.await?;
                write(output).map_err(|error| mismatch::<O>(format_args!("the output of the task `{key}`"), &error))
            })
        }
        Err(error) => {
            Box::pin(std::future::ready(Err(mismatch::<I>(format_args!("the input of the task `{key}`"), &error))))
        }
    }
}

/// A task that the program does not have.
pub fn unknown_task<'a>(task: &'static Task) -> TaskFuture<'a> {
    let cause = format!("the program has no task `{}`, which the state `{}` invokes", task.key, task.state);
    Box::pin(std::future::ready(Err(Fault::runtime(cause))))
}

/// A value and a type of the program do not fit.
pub(crate) fn mismatch<T>(what: std::fmt::Arguments<'_>, error: &ValueError) -> Fault {
    let name = short_name::<T>();
    Fault::named(names::TASK_FAILED, format!("{what} does not fit the type `{name}`: {error}"))
}

/// The name of a type without the modules: `Vec<Order>`.
fn short_name<T>() -> String {
    let name = std::any::type_name::<T>();
    let mut short = String::with_capacity(name.len());
    for part in name.split_inclusive(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
        short.push_str(part.rsplit("::").next().unwrap_or(part));
    }
    short
}
