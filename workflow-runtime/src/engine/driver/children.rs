//! Child executions in memory. They run in the same future as their parent.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::pending::PendingKind;
use super::timers::Purpose;
use super::{Caller, ChildStart, Driver, DriverExit, Environment, Journal, MessageQueue, Stopped, Volatile, guard};
use crate::engine::memory::{Hub, Subscription, subscribe};
use crate::fault::Fault;
use crate::machine::{Call, Execution, Op, Outcome, Part, Program, SharedOptions, Start, Target, Task};
use crate::task::{Invoke, TaskContext, TaskFuture};
use crate::value::{Str, Value};

/// The tasks of a workflow.
#[derive(Clone)]
pub(super) enum Tasks<'a> {
    Of(&'a dyn Invoke),
    Shared(Arc<dyn Invoke>),
}

impl<'a> Tasks<'a> {
    #[inline]
    pub fn invoke(&self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        match self {
            Tasks::Of(tasks) => (*tasks).invoke(task, input, cx),
            Tasks::Shared(tasks) => {
                let tasks = tasks.clone();
                Box::pin(async move { tasks.invoke(task, input, cx).await })
            }
        }
    }
}

/// The detached children of an execution, and their own detached children.
#[derive(Default)]
pub(super) struct ChildExecutions<'a> {
    /// The detached children that have not begun. All executions with the same root share this
    /// list.
    starting: Option<Arc<Mutex<NewChildren<'a>>>>,
    /// The detached children that have begun. Only the root execution polls them.
    running: Option<Box<FuturesUnordered<DetachedChild<'a>>>>,
    /// The memory that the next child uses again. It is boxed, because most executions that wait
    /// have started no child.
    pub reused: Option<Box<Reused>>,
}

/// The memory that the children of an execution use, one after the other.
#[derive(Default)]
pub(super) struct Reused {
    /// The parts of the starts of all children, if the execution is a run of a distributed Map.
    options: Option<SharedOptions>,
    /// The id of the last child.
    id: String,
    /// The last child that has ended at once, if its memory can be used again.
    pub spare: Option<Box<dyn Execution>>,
}

/// A detached child. Its failure is reported to its parent if the parent is the root.
type DetachedChild<'a> = Pin<Box<dyn Future<Output = Option<(Arc<Call>, Fault)>> + Send + 'a>>;

#[derive(Default)]
struct NewChildren<'a> {
    executions: Vec<DetachedChild<'a>>,
    /// The waker of the root execution.
    waker: Option<Waker>,
}

/// A child execution that has not begun.
#[expect(
    clippy::large_enum_variant,
    reason = "it moves once, and a box would be one more allocation for each item of a Map"
)]
pub(super) enum NewChild<'a> {
    Execution(PreparedChild<'a>),
    /// Another future with its outcome.
    Other(TaskFuture<'a>),
}

/// The start of a child execution.
pub(super) struct PreparedChild<'a> {
    program: Program,
    start: Start,
    environment: Environment,
    tasks: Tasks<'a>,
    children: ChildExecutions<'a>,
    /// Set for a child of a run of a distributed Map that nobody observes.
    is_plain: bool,
    /// An execution that has ended, whose memory the child can have.
    spare: Option<Box<dyn Execution>>,
}

/// The outcome of a child that has ended at once, and the execution, if its memory can be used
/// again.
type EndedChild = (Outcome, Option<Box<dyn Execution>>);

impl<'a> NewChild<'a> {
    /// Returns the child as a future. It receives the messages in `messages`.
    pub fn run(self, messages: MessageQueue) -> TaskFuture<'a> {
        match self {
            NewChild::Other(run) => run,
            NewChild::Execution(start) => Box::pin(async move {
                let (mut driver, _subscription) = start.begin(Some(messages));
                let exit = driver.run().await;
                driver.outcome_for_parent(exit)
            }),
        }
    }

    /// Runs the child until it ends or waits. Returns the outcome, or a future that continues,
    /// with the queue of its messages.
    pub fn run_at_once(self) -> Result<EndedChild, (TaskFuture<'a>, MessageQueue)> {
        let start = match self {
            NewChild::Execution(start) => start,
            NewChild::Other(run) => return Err((run, MessageQueue::default())),
        };
        let is_plain = start.is_plain;
        let (mut driver, subscription) = start.begin(None);
        if let Some(exit) = driver.run_at_once() {
            let outcome = driver.outcome_for_parent(Ok(exit));
            return Ok((outcome, is_plain.then(|| driver.execution.take()).flatten()));
        }
        let messages = driver.messages();
        let run = async move {
            let _subscription = subscription;
            let exit = driver.run().await;
            driver.outcome_for_parent(exit)
        };
        Err((Box::pin(run), messages))
    }
}

impl<'a> PreparedChild<'a> {
    fn begin(self, messages: Option<MessageQueue>) -> (Driver<'a, Volatile>, Option<Subscription>) {
        let PreparedChild { program, start, environment, tasks, children, is_plain: _, spare } = self;
        let hub = match program.definition.events.is_empty() {
            true => None,
            false => environment.hub.clone(),
        };
        let execution = match spare {
            None => program.begin(start),
            Some(mut spare) => match spare.begin_again(start) {
                None => spare,
                Some(start) => program.begin(start),
            },
        };
        let mut driver = Driver::for_child(program, execution, environment, tasks, Volatile, children);
        messages.into_iter().for_each(|messages| driver.receive_from(messages));
        let subscription = hub.and_then(|hub| subscribe(&mut driver, &hub));
        (driver, subscription)
    }
}

impl<'a> ChildExecutions<'a> {
    /// Returns a child execution that begins later.
    pub fn new_child(&mut self, caller: &Caller<'_>, tasks: &Tasks<'a>, call: &Call) -> Result<NewChild<'a>, Fault> {
        if let Target::Workflow(name) = &call.target
            && let Some(hub) = &caller.environment.hub
            && let Some(run) = hub.stand_in_for(name)
        {
            let run = guard(|| run(call.input.clone(), hub, caller.environment.clock.clone()))?;
            return Ok(NewChild::Other(run));
        }
        let (program, tasks, part) = match &call.target {
            Target::Entry(_) | Target::Map(_) => (caller.program, tasks.clone(), call.part()),
            Target::Workflow(name) => {
                let hub = caller.environment.hub.clone().unwrap_or_default();
                let (program, shared) = hub.find_workflow(name, caller.program)?;
                if !hub.is_active(program.definition, caller.environment.clock.now()) {
                    // A workflow outside of its schedule completes immediately.
                    let output = call.input.clone();
                    return Ok(NewChild::Other(Box::pin(async move { Ok(output) })));
                }
                (program, shared.map_or_else(|| tasks.clone(), Tasks::Shared), None)
            }
        };
        let mut environment = caller.environment.clone();
        if !program.definition.events.is_empty() {
            environment.hub.get_or_insert_default();
        }
        let run = caller.execution.info();
        let mut start = Start::new(call.input.clone());
        let reused = self.reused.get_or_insert_default();
        reused.id.clear();
        call.append_id(run.id(), &mut reused.id);
        start.name = Some(Str::from(reused.id.as_str()));
        start.part = part;
        match part {
            Some(Part::Entry(_)) if caller.is_map_run => start.inherit_from_run(run, &mut reused.options),
            Some(_) => {
                start.inherit(run);
                start.correlation = run.child_correlation(call);
            }
            None => {
                start.correlation = program.definition.correlation(&call.input, None, run.child_correlation(call));
            }
        }
        start.time = Some(environment.clock.now());
        start.observers = environment.hub.as_ref().map(Hub::observers).unwrap_or_default();
        let children = ChildExecutions { starting: Some(self.starting().clone()), ..ChildExecutions::default() };
        let is_plain = caller.is_map_run && matches!(part, Some(Part::Entry(_))) && start.observers.is_empty();
        let spare = if is_plain { self.reused.get_or_insert_default().spare.take() } else { None };
        Ok(NewChild::Execution(PreparedChild { program, start, environment, tasks, children, is_plain, spare }))
    }

    /// Returns `true` if the execution has no parent in this future.
    pub fn is_root(&self) -> bool {
        self.starting.is_none() || self.running.is_some()
    }

    /// Returns `true` if the execution may have detached children.
    pub fn has_detached(&self) -> bool {
        self.starting.is_some()
    }

    /// Adds a detached child.
    pub fn detach(&mut self, execution: TaskFuture<'a>, call: &Arc<Call>) {
        let call = Some(call).filter(|_| self.is_root()).cloned();
        let execution: DetachedChild<'a> = Box::pin(async move {
            let fault = execution.await.err().filter(|fault| !fault.is_termination())?;
            Some((call?, fault))
        });
        let waker = {
            let mut starting = self.starting().lock().unwrap_or_else(PoisonError::into_inner);
            starting.executions.push(execution);
            starting.waker.take()
        };
        waker.into_iter().for_each(Waker::wake);
    }

    /// Polls the detached children. Returns `Ready` when all have ended. Calls `failed` for each
    /// failure.
    pub fn poll(&mut self, cx: &mut Context<'_>, failed: &mut dyn FnMut(&Call, &Fault)) -> Poll<()> {
        let Some((starting, running)) = self.starting.as_ref().zip(self.running.as_mut()) else {
            return Poll::Ready(());
        };
        loop {
            let new_children = {
                let mut starting = starting.lock().unwrap_or_else(PoisonError::into_inner);
                starting.waker = Some(cx.waker().clone());
                std::mem::take(&mut starting.executions)
            };
            running.extend(new_children);
            match Pin::new(&mut *running).poll_next_unpin(cx) {
                Poll::Ready(Some(Some((call, fault)))) => failed(&call, &fault),
                Poll::Ready(Some(None)) => {}
                Poll::Ready(None) => return Poll::Ready(()),
                Poll::Pending => return Poll::Pending,
            }
        }
    }

    fn starting(&mut self) -> &Arc<Mutex<NewChildren<'a>>> {
        if self.starting.is_none() {
            self.running = Some(Box::default());
        }
        self.starting.get_or_insert_default()
    }
}

impl<'a, J: Journal> Driver<'a, J> {
    /// Starts a child execution.
    pub(super) fn call(&mut self, op: Op, call: &Arc<Call>) {
        let child = match self.journal.call(caller!(self), op, call) {
            ChildStart::Completed(outcome) => return self.complete(op, outcome),
            ChildStart::Remote => None,
            ChildStart::InProcess => {
                let child = match self.children.new_child(&caller!(self), &self.tasks, call) {
                    Ok(child) => child,
                    Err(fault) => return self.complete(op, Err(fault)),
                };
                // The children of a Map run are many, and often short.
                let (child, messages) = match self.is_map_run {
                    true => match guard(|| child.run_at_once()) {
                        Ok(Ok((outcome, spare))) => {
                            self.children.reused.get_or_insert_default().spare = spare;
                            return self.complete(op, outcome);
                        }
                        Ok(Err(continued)) => continued,
                        Err(fault) => return self.complete(op, Err(fault)),
                    },
                    false => {
                        let messages = MessageQueue::default();
                        (child.run(messages.clone()), messages)
                    }
                };
                if call.detached {
                    self.children.detach(child, call);
                    let id = call.execution_id(self.execution.info().id());
                    return self.complete(op, Ok(Value::from(id)));
                }
                Some(PendingKind::InProcess(self.run_in_process(op, child), Some(messages)))
            }
        };
        self.add_pending(op, child.unwrap_or(PendingKind::Remote));
        if let Some(deadline) = call.deadline() {
            self.add_timer(op, deadline, Purpose::Timeout);
        }
    }
}

impl<J: Journal> Driver<'_, J> {
    /// Runs the execution until it ends or waits. Returns `None` if [`Driver::run`] has to follow.
    fn run_at_once(&mut self) -> Option<DriverExit> {
        if self.takes_long() {
            return None;
        }
        // Children that are left after a burst wait until others have had their turns.
        self.execute_commands(&mut 0);
        self.exit()
    }

    /// Returns the outcome of a child as its parent receives it.
    fn outcome_for_parent(&self, exit: Result<DriverExit, Stopped>) -> Outcome {
        match exit {
            Ok(DriverExit::Ended(outcome)) => self.execution.info().outcome_for_parent().unwrap_or(outcome),
            Ok(DriverExit::Suspended(_)) | Err(Stopped) => Err(Fault::runtime("the execution was dropped")),
        }
    }

    /// Returns `true` if the execution may have detached children.
    pub fn has_detached_children(&self) -> bool {
        self.children.has_detached()
    }
}
