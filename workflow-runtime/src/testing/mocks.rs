//! Mocked tasks, workflows and events.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::maps::{MapItems, MockedMaps};
use crate::engine::memory::{Callbacks, Hub};
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::machine::{Outcome, Task};
use crate::objects::{ChildRecord, ObjectAccess};
use crate::task::{Invoke, TaskContext, TaskFuture};
use crate::time::Timestamp;
use crate::value::{EXCERPT, Str, Value};

/// One reply of a mocked task or workflow.
///
/// ```
/// use std::time::Duration;
/// use workflow_runtime::testing::Reply;
/// use workflow_runtime::value;
///
/// let replies = [
///     Reply::ok("a receipt").to(value!({ "amount": 25 })),
///     Reply::error("GatewayDown", "try later").after(Duration::from_secs(2)),
///     Reply::never(),
/// ];
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// `None` if the task never answers.
    outcome: Option<Outcome>,
    after: Duration,
    /// The input that the reply is for; `None` for any.
    input: Option<Value>,
}

impl Reply {
    /// Creates a reply that succeeds.
    pub fn ok(output: impl Into<Value>) -> Reply {
        Reply::outcome(Ok(output.into()))
    }

    /// Creates a reply that fails with an error name and a cause.
    pub fn error(error: impl Into<Str>, cause: impl Into<Value>) -> Reply {
        Reply::fault(Fault::new(error, cause))
    }

    /// Creates a reply that fails.
    pub fn fault(fault: Fault) -> Reply {
        Reply::outcome(Err(fault))
    }

    /// Creates a reply that never comes.
    pub fn never() -> Reply {
        Reply { outcome: None, after: Duration::ZERO, input: None }
    }

    fn outcome(outcome: Outcome) -> Reply {
        Reply { outcome: Some(outcome), after: Duration::ZERO, input: None }
    }

    /// Delays the reply.
    pub fn after(mut self, delay: Duration) -> Reply {
        self.after = delay;
        self
    }

    /// Restricts the reply to invocations with this input.
    pub fn to(mut self, input: impl Into<Value>) -> Reply {
        self.input = Some(input.into());
        self
    }
}

/// An invocation of a mocked task.
///
/// See the example of [`Mocks`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TaskCall {
    /// The task key.
    pub task: &'static str,
    /// The state that invoked it.
    pub state: &'static str,
    /// Its input.
    pub input: Value,
    /// The number of the attempt of the state, from 1.
    pub attempt: u32,
    /// The time of the invocation.
    pub time: Timestamp,
    /// The task token, if the task had one.
    pub token: Option<Str>,
    /// The idempotency key of the call.
    pub idempotency_key: String,
}

/// An invocation of a mocked task, or a start of a mocked workflow, that had no reply.
///
/// See the example of [`Mocks`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Unanswered {
    /// The task key, or the name of the workflow.
    pub name: String,
    /// The state that invoked the task; `None` for a workflow.
    pub state: Option<&'static str>,
    /// The input.
    pub input: Value,
}

/// Mocked tasks: lists of replies in order, by task key or by the state that invokes the task.
///
/// The replies of a state take precedence over those of the task. An invocation takes the first
/// remaining reply that is for its input. An invocation without a reply fails with an uncatchable
/// fault that says so. The outcome of a task that waits for its token arrives by the token.
///
/// Child executions are mocked in the same way, by the name of their workflow. Events from outside
/// arrive at set times. The readers of distributed Maps find the items of [`Mocks::items`], and
/// what their writers write is kept.
///
/// ```
/// use workflow_runtime::testing::{Mocks, Reply, run};
/// use workflow_runtime::{Builder, Value, Workflow};
///
/// fn a_charge_is_retried<Order: Workflow>() {
///     let mocks = Mocks::new().task("ChargeCard", [Reply::error("GatewayDown", "try later"), Reply::ok("a receipt")]);
///     let report = run(Builder::<Order>::new(), &mocks, Value::Null);
///     assert!(report.outcome.is_ok());
///     assert_eq!(mocks.calls().iter().map(|call| call.attempt).collect::<Vec<_>>(), [1, 2]);
///     assert_eq!((mocks.unused(), mocks.unanswered()), (vec![], vec![]));
/// }
/// ```
#[derive(Default)]
pub struct Mocks {
    inner: Arc<Mutex<Inner>>,
    callbacks: Callbacks,
    events: Vec<(Duration, CloudEvent)>,
    maps: MockedMaps,
}

#[derive(Default)]
struct Inner {
    tasks: HashMap<String, Vec<Reply>>,
    states: HashMap<String, Vec<Reply>>,
    workflows: HashMap<String, Vec<Reply>>,
    calls: Vec<TaskCall>,
    /// The first invocation without a reply of each task and state, and the first start of each
    /// workflow.
    unanswered: Vec<Unanswered>,
}

impl Mocks {
    /// Creates mocks without tasks.
    pub fn new() -> Mocks {
        Mocks::default()
    }

    /// Adds replies of the task with this key.
    pub fn task(self, key: impl Into<String>, replies: impl IntoIterator<Item = Reply>) -> Mocks {
        self.lock().tasks.entry(key.into()).or_default().extend(replies);
        self
    }

    /// Adds replies of the task that this state invokes.
    pub fn state(self, state: impl Into<String>, replies: impl IntoIterator<Item = Reply>) -> Mocks {
        self.lock().states.entry(state.into()).or_default().extend(replies);
        self
    }

    /// Adds replies of child executions of this workflow.
    pub fn workflow(self, name: impl Into<String>, replies: impl IntoIterator<Item = Reply>) -> Mocks {
        self.lock().workflows.entry(name.into()).or_default().extend(replies);
        self
    }

    /// Adds an event from outside, which is published at this time after the start.
    pub fn event(mut self, after: Duration, event: CloudEvent) -> Mocks {
        self.events.push((after, event));
        self
    }

    /// Sets the items that the reader of the distributed Map in this state finds. The results that
    /// the Map writes are kept, too.
    pub fn items(self, map: impl Into<String>, items: MapItems) -> Mocks {
        self.maps.add(map.into(), items);
        self
    }

    /// Sets the fault with which the writer of the distributed Map in this state fails, such as
    /// `States.ResultWriterFailed`.
    pub fn write_fault(self, map: impl Into<String>, fault: Fault) -> Mocks {
        self.maps.add_write_fault(map.into(), fault);
        self
    }

    /// Returns the object stores of distributed Maps. Maps without [items](Mocks::items) use
    /// `others`. If there are no others, a reader without items fails with an uncatchable fault
    /// that says so, and the results of all Maps are kept.
    pub fn objects(&self, others: Option<ObjectAccess>) -> ObjectAccess {
        self.maps.access(others)
    }

    /// Returns the results that distributed Maps have written, each with the name of the state.
    pub fn written(&self) -> Vec<(String, ChildRecord)> {
        self.maps.written()
    }

    /// Returns the distributed Maps whose readers had no items.
    pub fn maps_without_items(&self) -> Vec<String> {
        self.maps.missing()
    }

    /// Returns the distributed Maps whose items were not read.
    pub fn unread_items(&self) -> Vec<String> {
        self.maps.unread()
    }

    /// Returns the events from outside, with their times after the start.
    pub fn events(&self) -> &[(Duration, CloudEvent)] {
        &self.events
    }

    /// Adds the mocked workflows to a hub.
    pub fn share(&self, hub: Hub) -> Hub {
        let names: Vec<String> = self.lock().workflows.keys().cloned().collect();
        names.into_iter().fold(hub, |hub, name| {
            let inner = self.inner.clone();
            hub.stand_in(Str::from(name.as_str()), move |input, _, clock| {
                let reply = lock(&inner).start(&name, &input);
                Box::pin(async move {
                    clock.sleep_until(clock.now().plus(reply.after)).await;
                    match reply.outcome {
                        Some(outcome) => outcome,
                        None => std::future::pending().await,
                    }
                })
            })
        })
    }

    /// Returns the callbacks through which outcomes by token arrive.
    pub fn callbacks(&self) -> &Callbacks {
        &self.callbacks
    }

    /// Returns the invocations so far.
    pub fn calls(&self) -> Vec<TaskCall> {
        self.lock().calls.clone()
    }

    /// Returns the number of unused replies for each task, state or workflow that has some.
    pub fn unused(&self) -> Vec<(String, usize)> {
        let inner = self.lock();
        let left =
            inner.tasks.iter().chain(&inner.states).chain(&inner.workflows).filter(|(_, replies)| !replies.is_empty());
        let mut left: Vec<_> = left.map(|(name, replies)| (name.clone(), replies.len())).collect();
        left.sort();
        left
    }

    /// Returns the invocations and starts that had no reply: the first of each task and state, and
    /// of each workflow. The execution may have caught the fault of such an invocation.
    pub fn unanswered(&self) -> Vec<Unanswered> {
        self.lock().unanswered.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }

    fn take(&self, call: TaskCall) -> Reply {
        let mut inner = self.lock();
        let Inner { tasks, states, .. } = &mut *inner;
        let of_state = states.get_mut(call.state).and_then(|replies| take(replies, &call.input));
        let reply = of_state.or_else(|| take(tasks.get_mut(call.task)?, &call.input));
        let missing = Unanswered { name: call.task.to_owned(), state: Some(call.state), input: call.input.clone() };
        inner.calls.push(call);
        reply.unwrap_or_else(|| inner.note(missing))
    }
}

impl Inner {
    /// Takes the reply of a workflow.
    fn start(&mut self, name: &str, input: &Value) -> Reply {
        let reply = self.workflows.get_mut(name).and_then(|replies| take(replies, input));
        reply.unwrap_or_else(|| self.note(Unanswered { name: name.to_owned(), state: None, input: input.clone() }))
    }

    /// Notes a missing reply, and returns the fault in its place.
    fn note(&mut self, missing: Unanswered) -> Reply {
        let fault = Fault::runtime(missing.to_string());
        if self.unanswered.iter().all(|known| (&known.name, known.state) != (&missing.name, missing.state)) {
            self.unanswered.push(missing);
        }
        Reply::fault(fault)
    }
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, input) = (&self.name, self.input.excerpt(EXCERPT));
        match self.state {
            Some(state) => {
                write!(f, "no reply left for the task `{name}` of the state `{state}` with the input {input}")
            }
            None => write!(f, "no reply left for the workflow `{name}` with the input {input}"),
        }
    }
}

/// Takes the first reply that is for this input.
fn take(replies: &mut Vec<Reply>, input: &Value) -> Option<Reply> {
    let fits = |reply: &Reply| reply.input.as_ref().is_none_or(|wanted| wanted == input);
    replies.iter().position(fits).map(|at| replies.remove(at))
}

fn lock(inner: &Mutex<Inner>) -> MutexGuard<'_, Inner> {
    inner.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Mocks {
    /// Returns the outcome of an invocation at its time, or `None` if the reply never comes. For
    /// engines that deliver outcomes by token themselves.
    #[doc(hidden)]
    pub fn outcome(&self, task: &'static Task, input: Value, cx: TaskContext) -> impl Future<Output = Option<Outcome>> {
        let reply = self.take(TaskCall {
            task: task.key,
            state: task.state,
            input,
            attempt: cx.attempt(),
            time: cx.now(),
            token: cx.token().map(Str::from),
            idempotency_key: cx.idempotency_key(),
        });
        async move {
            if !reply.after.is_zero() {
                cx.sleep(reply.after).await;
            }
            reply.outcome
        }
    }
}

impl Invoke for Mocks {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        let outcome = self.outcome(task, input, cx.clone());
        Box::pin(async move {
            match (outcome.await, cx.token()) {
                (Some(outcome), Some(token)) if cx.awaits_callback() => {
                    // The token of a task that was cancelled in the meantime is no longer valid.
                    let _abandoned = match outcome {
                        Ok(output) => self.callbacks.succeed(token, output),
                        Err(fault) => self.callbacks.fail(token, fault),
                    };
                    Ok(Value::Null)
                }
                (Some(outcome), _) => outcome,
                (None, _) if cx.awaits_callback() => Ok(Value::Null),
                (None, _) => std::future::pending().await,
            }
        })
    }
}
