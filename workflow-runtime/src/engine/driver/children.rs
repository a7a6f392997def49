//! Child executions in memory. They run in the same future as their parent.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::{Caller, Driver, DriverExit, Journal, MessageQueue, Stopped, Volatile, guard};
use crate::engine::memory::subscribe;
use crate::fault::Fault;
use crate::machine::{Call, Start, Target, Task};
use crate::task::{Invoke, TaskContext, TaskFuture};
use crate::value::Value;

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
}

/// A detached child. Its failure is reported to its parent if the parent is the root.
type DetachedChild<'a> = Pin<Box<dyn Future<Output = Option<(Arc<Call>, Fault)>> + Send + 'a>>;

#[derive(Default)]
struct NewChildren<'a> {
    executions: Vec<DetachedChild<'a>>,
    /// The waker of the root execution.
    waker: Option<Waker>,
}

impl<'a> ChildExecutions<'a> {
    /// Returns a child execution as a future. The child receives the messages in `messages`.
    pub fn run_child(
        &mut self,
        caller: &Caller<'_>,
        tasks: &Tasks<'a>,
        call: &Call,
        messages: MessageQueue,
    ) -> Result<TaskFuture<'a>, Fault> {
        if let Target::Workflow(name) = &call.target
            && let Some(hub) = &caller.environment.hub
            && let Some(run) = hub.stand_in_for(name)
        {
            return guard(|| run(call.input.clone(), hub, caller.environment.clock.clone()));
        }
        let (program, tasks, part) = match &call.target {
            Target::Entry(_) | Target::Map(_) => (caller.program, tasks.clone(), call.part()),
            Target::Workflow(name) => {
                let hub = caller.environment.hub.clone().unwrap_or_default();
                let (program, shared) = hub.find_workflow(name, caller.program)?;
                if !hub.is_active(program.definition, caller.environment.clock.now()) {
                    // A workflow outside of its schedule completes immediately.
                    let output = call.input.clone();
                    return Ok(Box::pin(async move { Ok(output) }));
                }
                (program, shared.map_or_else(|| tasks.clone(), Tasks::Shared), None)
            }
        };
        let mut environment = caller.environment.clone();
        let hub = environment.hub.get_or_insert_default().clone();
        let mut start = Start::new(call.input.clone());
        start.name = Some(call.execution_id(caller.execution.info().id()).into());
        if part.is_some() {
            start.part = part;
            start.inherit(caller.execution.info());
        }
        let passed_on = caller.execution.info().child_correlation(call);
        start.correlation = match part {
            Some(_) => passed_on,
            None => program.definition.correlation(&call.input, None, passed_on),
        };
        start.time = Some(environment.clock.now());
        start.observers = hub.observers();
        let children = ChildExecutions { starting: Some(self.starting().clone()), running: None };
        Ok(Box::pin(async move {
            let execution = program.begin(start);
            let mut driver = Driver::for_child(program, execution, environment, tasks, Volatile, children);
            driver.receive_from(messages);
            let _subscription = subscribe(&mut driver, &hub);
            match driver.run().await {
                Ok(DriverExit::Ended(outcome)) => driver.execution().info().outcome_for_parent().unwrap_or(outcome),
                Ok(DriverExit::Suspended(_)) | Err(Stopped) => Err(Fault::runtime("the execution was dropped")),
            }
        }))
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

impl<J: Journal> Driver<'_, J> {
    /// Returns `true` if the execution may have detached children.
    pub fn has_detached_children(&self) -> bool {
        self.children.has_detached()
    }
}
