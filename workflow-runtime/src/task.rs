//! Tasks: the traits that programs implement, and the context of an invocation.

use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use crate::clock::Clock;
use crate::fault::{Fault, names};
use crate::machine::{Definition, Invocation, Outcome, Task, WaitingWakers};
use crate::time::Timestamp;
use crate::value::{Str, Value, ValueError};

/// The future of a running task.
pub type TaskFuture<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// The tasks of a workflow, dispatched by task. Generated code implements it for every
/// implementation of the workflow's tasks.
///
/// ```
/// use workflow_runtime::task::{Invoke, TaskFuture};
/// use workflow_runtime::{Fault, Task, TaskContext, Value};
///
/// /// Answers every task with its input, but for one.
/// struct Echo;
///
/// impl Invoke for Echo {
///     fn invoke<'a>(&'a self, task: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
///         Box::pin(async move {
///             match task.key {
///                 "ChargeCard" => Err(Fault::new("CardDeclined", task.resource)),
///                 _ => Ok(input),
///             }
///         })
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not dispatch the tasks of a workflow",
    label = "this is not a dispatcher of tasks",
    note = "an implementation of a workflow's `Tasks` runs by `Payment::builder(&shop)`; `Payment::bind(shop)` adapts it to other engines"
)]
pub trait Invoke: Send + Sync {
    /// Invokes a task.
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a>;
}

impl<T: Invoke + ?Sized> Invoke for &T {
    #[inline]
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        (**self).invoke(task, input, cx)
    }
}

impl<T: Invoke + ?Sized> Invoke for Arc<T> {
    #[inline]
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        (**self).invoke(task, input, cx)
    }
}

/// The context of a task's invocation. Clones share it.
///
/// ```
/// use std::time::Duration;
/// use workflow_runtime::{Fault, TaskContext, Value};
///
/// /// A task that takes long: it reports that it is alive, and charges once per idempotency key.
/// async fn charge(input: Value, cx: TaskContext) -> Result<Value, Fault> {
///     for _ in 0..3 {
///         cx.heartbeat();
///         cx.sleep(Duration::from_secs(10)).await;
///     }
///     println!("attempt {} of {} for {}", cx.attempt(), cx.idempotency_key(), cx.execution_id());
///     Ok(input)
/// }
/// ```
#[derive(Clone)]
pub struct TaskContext {
    invocation: Arc<Invocation>,
    execution: Arc<TaskExecution>,
}

/// The execution that tasks belong to, as their contexts show it.
pub(crate) struct TaskExecution {
    definition: &'static Definition,
    id: Str,
    /// The correlation key, if it is not the id of the execution.
    correlation: Option<Arc<Str>>,
    clock: Arc<dyn Clock>,
}

impl TaskExecution {
    /// Creates the execution of tasks. The correlation key is the one that the execution was
    /// started with, if any.
    pub fn new(
        definition: &'static Definition,
        id: Str,
        correlation: Option<Arc<Str>>,
        clock: Arc<dyn Clock>,
    ) -> TaskExecution {
        TaskExecution { definition, id, correlation, clock }
    }
}

/// A wait for the cancellation. Dropping it withdraws its waker.
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
            0 => waiting.others().map(|(number, _)| *number).max().unwrap_or(0) + 1,
            number => number,
        };
        let before = waiting.remove(number);
        waiting.others.get_or_insert_default().0.push((number, cx.waker().clone()));
        // Dropping a waker runs foreign code, which must not find the lock taken.
        drop(waiting);
        drop(before);
        self.number = number;
        Poll::Pending
    }
}

impl Drop for Cancelled<'_> {
    fn drop(&mut self) {
        if self.number != 0 {
            let waker = self.cx.waiting().remove(self.number);
            drop(waker);
        }
    }
}

impl TaskContext {
    /// Creates the context of an invocation, on behalf of the engine that carries it out. The
    /// correlation key is the one that the execution was started with, if any.
    #[doc(hidden)]
    pub fn new(
        definition: &'static Definition,
        execution: Str,
        correlation: Option<Str>,
        invocation: Arc<Invocation>,
        clock: Arc<dyn Clock>,
    ) -> TaskContext {
        let execution = TaskExecution::new(definition, execution, correlation.map(Arc::new), clock);
        TaskContext::of(Arc::new(execution), invocation)
    }

    /// Creates the context of an invocation by an execution.
    #[inline]
    pub(crate) fn of(execution: Arc<TaskExecution>, mut invocation: Arc<Invocation>) -> TaskContext {
        if invocation.has_context.0.swap(true, Ordering::Relaxed) {
            // An invocation that is repeated: the earlier context may have been cancelled.
            invocation = Arc::new((*invocation).clone());
            invocation.has_context.0.store(true, Ordering::Relaxed);
        }
        invocation.state.last_heartbeat.store(invocation.issued.as_micros(), Ordering::Relaxed);
        TaskContext { invocation, execution }
    }

    /// Returns the name of the workflow.
    pub fn workflow(&self) -> &'static str {
        self.execution.definition.name
    }

    /// Returns the id of the execution.
    pub fn execution_id(&self) -> &str {
        &self.execution.id
    }

    /// Returns the correlation key of the execution. A task passes it to services that answer with
    /// an event: the event must carry the key in the attribute that its kind correlates by.
    pub fn correlation(&self) -> &str {
        self.execution.correlation.as_deref().unwrap_or(&self.execution.id)
    }

    /// Returns the task.
    pub fn task(&self) -> &'static Task {
        self.invocation.task
    }

    /// Returns the invocation.
    #[cfg(feature = "memory")]
    pub(crate) fn invocation(&self) -> &Invocation {
        &self.invocation
    }

    /// Returns the number of the attempt of the state, from 1.
    pub fn attempt(&self) -> u32 {
        self.invocation.attempt
    }

    /// Returns the idempotency key: equal for all attempts of a call, including an attempt that is
    /// repeated after a crash. Side effects of a task should happen once per key.
    pub fn idempotency_key(&self) -> String {
        self.invocation.call.key(self.execution.definition.name, &self.execution.id)
    }

    /// Returns the token by which the outcome can be delivered, if the task has one.
    pub fn token(&self) -> Option<&str> {
        self.invocation.token().map(Str::as_str)
    }

    /// Returns `true` if the outcome arrives by the token. The task's return value is then
    /// ignored, unless it is a fault.
    pub fn awaits_callback(&self) -> bool {
        self.invocation.callback
    }

    /// Returns the identity that the task is to act as, if the definition sets one.
    pub fn credentials(&self) -> Option<&Value> {
        self.invocation.identity()
    }

    /// Returns the time at which the task times out.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.invocation.deadline()
    }

    /// Sends a heartbeat. A task with `HeartbeatSeconds` that sends none in time fails with
    /// `States.Timeout`, which handlers also match by the name `States.HeartbeatTimeout`.
    pub fn heartbeat(&self) {
        self.invocation.state.last_heartbeat.fetch_max(self.now().as_micros(), Ordering::Relaxed);
    }

    /// Returns the time of the engine's clock.
    pub fn now(&self) -> Timestamp {
        self.execution.clock.now()
    }

    /// Waits, by the engine's clock. In a test under virtual time the wait takes no time.
    pub async fn sleep(&self, duration: Duration) {
        self.execution.clock.sleep_until(self.now().plus(duration)).await;
    }

    /// Returns `true` once the outcome is no longer awaited. The task itself is dropped then. The
    /// flag is for work that the task has spawned.
    pub fn is_cancelled(&self) -> bool {
        self.invocation.is_cancelled.0.load(Ordering::Acquire)
    }

    /// Waits until the outcome is no longer awaited.
    pub async fn cancelled(&self) {
        Cancelled { cx: self, number: 0 }.await;
    }

    /// Polls for the cancellation, as [`TaskContext::cancelled`] waits for it. The waker stays
    /// registered until then. For a wait that may be abandoned earlier, use the future.
    pub fn poll_cancelled(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut waiting = self.waiting();
        if self.is_cancelled() {
            return Poll::Ready(());
        }
        let polls = waiting.others().filter(|(number, _)| *number == 0).map(|(_, waker)| waker);
        if !waiting.first.iter().chain(polls).any(|waker| waker.will_wake(cx.waker())) {
            match &waiting.first {
                None => waiting.first = Some(cx.waker().clone()),
                Some(_) => waiting.others.get_or_insert_default().0.push((0, cx.waker().clone())),
            }
        }
        Poll::Pending
    }

    fn waiting(&self) -> MutexGuard<'_, WaitingWakers> {
        self.invocation.state.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cancels the task. Called by engines.
    #[doc(hidden)]
    pub fn cancel(&self) {
        let wakers = {
            let mut waiting = self.waiting();
            self.invocation.is_cancelled.0.store(true, Ordering::Release);
            std::mem::take(&mut *waiting)
        };
        let others = wakers.others.into_iter().flat_map(|others| others.0).map(|(_, waker)| waker);
        wakers.first.into_iter().chain(others).for_each(Waker::wake);
    }

    /// Returns the time at which the heartbeat time-out expires, if the task has one. Called by
    /// engines.
    #[doc(hidden)]
    pub fn heartbeat_deadline(&self) -> Option<Timestamp> {
        let last = Timestamp::from_micros(self.invocation.state.last_heartbeat.load(Ordering::Relaxed));
        self.invocation.heartbeat().map(|heartbeat| last.plus(heartbeat))
    }
}

/// Returns the future of a task that takes and returns values.
#[doc(hidden)]
pub fn task_future<'a>(run: impl Future<Output = Outcome> + Send + 'a) -> TaskFuture<'a> {
    Box::pin(run)
}

/// The conversion of a value to a type of the program.
#[doc(hidden)]
pub type Read<T> = fn(Value) -> Result<T, ValueError>;

/// The conversion of a type of the program to a value.
#[doc(hidden)]
pub type Write<T> = fn(T) -> Result<Value, ValueError>;

/// Converts a value to any deserializable type: the default [`Read`].
#[doc(hidden)]
pub fn read<T: DeserializeOwned>(value: Value) -> Result<T, ValueError> {
    value.deserialize_into()
}

/// Converts any serializable type to a value: the default [`Write`].
#[doc(hidden)]
pub fn write<T: Serialize>(data: T) -> Result<Value, ValueError> {
    Value::serialize_from(&data)
}

/// Returns the future of a task that takes and returns types of the program. Generated code passes
/// the conversions, and states the trait bounds in the terms of the definition.
#[doc(hidden)]
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

/// Returns the future of a task that the program does not implement: it fails.
#[doc(hidden)]
pub fn unknown_task<'a>(task: &'static Task) -> TaskFuture<'a> {
    let cause = format!("the program has no task `{}`, invoked by the state `{}`", task.key, task.state);
    Box::pin(std::future::ready(Err(Fault::runtime(cause))))
}

/// Returns the fault of a value that does not match a type of the program.
pub(crate) fn mismatch<T>(what: std::fmt::Arguments<'_>, error: &ValueError) -> Fault {
    let name = short_name::<T>();
    Fault::named(names::TASK_FAILED, format!("{what} does not match the type `{name}`: {error}"))
}

/// Returns the name of a type without its modules: `Vec<Order>`.
fn short_name<T>() -> String {
    let name = std::any::type_name::<T>();
    let mut short = String::with_capacity(name.len());
    for part in name.split_inclusive(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
        short.push_str(part.rsplit("::").next().unwrap_or(part));
    }
    short
}
