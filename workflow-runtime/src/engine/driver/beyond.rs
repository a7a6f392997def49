//! The executions that an execution starts, where nothing is kept: they run in the same future.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::{Caller, Driver, Mailbox, Rest, Stopped, Volatile, guard};
use crate::engine::memory::hear;
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

/// What an execution has started and does not wait for, and what those have.
#[derive(Default)]
pub(super) struct Beyond<'a> {
    /// Those that are to begin; shared by all that come from the same execution.
    waiting: Option<Arc<Mutex<Waiting<'a>>>>,
    /// Those that have begun. The first execution has all of them run.
    running: Option<FuturesUnordered<Beside<'a>>>,
}

/// An execution that nobody waits for. Its failure is told to the one that started it, if that is the first.
type Beside<'a> = Pin<Box<dyn Future<Output = Option<(Arc<Call>, Fault)>> + Send + 'a>>;

#[derive(Default)]
struct Waiting<'a> {
    executions: Vec<Beside<'a>>,
    /// Of the one that has them run.
    waker: Option<Waker>,
}

impl<'a> Beyond<'a> {
    /// An execution that this one starts, as a future. It takes orders from the mailbox.
    pub fn child(
        &mut self,
        caller: &Caller<'_>,
        tasks: &Tasks<'a>,
        call: &Call,
        mailbox: Mailbox,
    ) -> Result<TaskFuture<'a>, Fault> {
        if let Target::Workflow(name) = &call.target
            && let Some(hub) = &caller.environment.hub
            && let Some(run) = hub.stand_in_for(name)
        {
            return guard(|| run(call.input.clone(), hub, caller.environment.clock.clone()));
        }
        let (program, tasks, entry) = match &call.target {
            Target::Entry(entry) => (caller.program, tasks.clone(), Some(*entry)),
            Target::Workflow(name) => {
                let hub = caller.environment.hub.clone().unwrap_or_default();
                let (program, shared) = hub.find(name, caller.program)?;
                if !hub.is_active(program.definition, caller.environment.clock.now()) {
                    // It completes at once.
                    let output = call.input.clone();
                    return Ok(Box::pin(async move { Ok(output) }));
                }
                (program, shared.map_or_else(|| tasks.clone(), Tasks::Shared), None)
            }
        };
        let mut environment = caller.environment.clone();
        let hub = environment.hub.get_or_insert_default().clone();
        let mut start = Start::new(call.input.clone());
        start.entry = entry;
        start.name = Some(call.execution_id(caller.execution.id()).into());
        let passed_on = caller.execution.correlation_of(call);
        start.correlation = match entry {
            Some(_) => passed_on,
            None => program.definition.correlation(&call.input, None, passed_on),
        };
        start.time = Some(environment.clock.now());
        start.observers = hub.observers();
        let beyond = Beyond { waiting: Some(self.waiting().clone()), running: None };
        Ok(Box::pin(async move {
            let execution = program.begin(start);
            let mut driver = Driver::beneath(program, execution, environment, tasks, Volatile, beyond);
            driver.take_mail_from(mailbox);
            let _listening = hear(&mut driver, &hub);
            match driver.run().await {
                Ok(Rest::Ended(outcome)) => driver.execution().ending().unwrap_or(outcome),
                Ok(Rest::Waiting(_)) | Err(Stopped) => Err(Fault::runtime("the execution was let go")),
            }
        }))
    }

    /// Whether the execution comes from no other one in this future.
    pub fn is_first(&self) -> bool {
        self.waiting.is_none() || self.running.is_some()
    }

    /// An execution that nobody waits for begins.
    pub fn detach(&mut self, execution: TaskFuture<'a>, call: &Arc<Call>) {
        let call = Some(call).filter(|_| self.is_first()).cloned();
        let execution: Beside<'a> = Box::pin(async move {
            let fault = execution.await.err().filter(|fault| !fault.is_termination())?;
            Some((call?, fault))
        });
        let waker = {
            let mut waiting = self.waiting().lock().unwrap_or_else(PoisonError::into_inner);
            waiting.executions.push(execution);
            waiting.waker.take()
        };
        waker.into_iter().for_each(Waker::wake);
    }

    /// Runs on those that nobody waits for. Whether they are all over. `failed` is told of those that fail.
    pub fn poll(&mut self, cx: &mut Context<'_>, failed: &mut dyn FnMut(&Call, &Fault)) -> Poll<()> {
        let Some((waiting, running)) = self.waiting.as_ref().zip(self.running.as_mut()) else { return Poll::Ready(()) };
        loop {
            let fresh = {
                let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
                waiting.waker = Some(cx.waker().clone());
                std::mem::take(&mut waiting.executions)
            };
            running.extend(fresh);
            match Pin::new(&mut *running).poll_next_unpin(cx) {
                Poll::Ready(Some(Some((call, fault)))) => failed(&call, &fault),
                Poll::Ready(Some(None)) => {}
                Poll::Ready(None) => return Poll::Ready(()),
                Poll::Pending => return Poll::Pending,
            }
        }
    }

    fn waiting(&mut self) -> &Arc<Mutex<Waiting<'a>>> {
        if self.waiting.is_none() {
            self.running = Some(FuturesUnordered::new());
        }
        self.waiting.get_or_insert_default()
    }
}
