//! Running tasks: their futures, until they complete or are cancelled.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use crate::fault::{Fault, names};
use crate::machine::{Op, Outcome};
use crate::panics::catch;
use crate::task::{TaskContext, TaskFuture};

/// The run of a task, an awaited child execution, or the sending of an event. Yields no outcome if
/// the task was cancelled.
pub(super) struct TaskRun<'a> {
    pub op: Op,
    /// The context of a task. `None` for a child execution or the sending of an event.
    pub cx: Option<TaskContext>,
    /// `None` after completion.
    pub task: Option<TaskFuture<'a>>,
}

impl Future for TaskRun<'_> {
    type Output = (Op, Option<Outcome>);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<(Op, Option<Outcome>)> {
        let run = &mut *self;
        let cancelled = run.cx.as_ref().map_or(Poll::Pending, |task| task.poll_cancelled(cx));
        let outcome = match (cancelled, &mut run.task) {
            (Poll::Pending, Some(task)) => match poll_task(task, cx) {
                Poll::Ready(outcome) => Some(outcome),
                Poll::Pending => return Poll::Pending,
            },
            _ => None,
        };
        let dropped = guard(|| run.task = None);
        Poll::Ready((run.op, outcome.map(|outcome| dropped.and(outcome))))
    }
}

impl Drop for TaskRun<'_> {
    /// Drops the future. A panic of the drop must not affect the outcome of the execution.
    fn drop(&mut self) {
        let _panic = catch(|| self.task = None);
    }
}

/// The running tasks of an execution. Most executions run one task, which needs no allocation here
/// and is polled on every wake-up. Of several tasks, only the woken ones are polled.
#[derive(Default)]
pub(super) enum TaskRuns<'a> {
    #[default]
    None,
    One(TaskRun<'a>),
    Several(FuturesUnordered<TaskRun<'a>>),
}

impl<'a> TaskRuns<'a> {
    pub fn is_empty(&self) -> bool {
        match self {
            TaskRuns::None => true,
            TaskRuns::One(_) => false,
            TaskRuns::Several(runs) => runs.is_empty(),
        }
    }

    pub fn push(&mut self, run: TaskRun<'a>) {
        *self = match std::mem::take(self) {
            TaskRuns::None => TaskRuns::One(run),
            TaskRuns::One(first) => TaskRuns::Several([first, run].into_iter().collect()),
            TaskRuns::Several(runs) => {
                runs.push(run);
                TaskRuns::Several(runs)
            }
        };
    }

    /// Returns the next completed task, or `None` if no task has completed.
    pub fn next(&mut self, cx: &mut Context<'_>) -> Option<(Op, Option<Outcome>)> {
        let next = match self {
            TaskRuns::None => return None,
            TaskRuns::One(run) => Pin::new(run).poll(cx).map(Some),
            TaskRuns::Several(runs) => runs.poll_next_unpin(cx),
        };
        match next {
            Poll::Pending => None,
            Poll::Ready(completed) => {
                if self.is_drained() {
                    *self = TaskRuns::None;
                }
                completed
            }
        }
    }

    /// Returns `true` if no task is left after a completion.
    fn is_drained(&self) -> bool {
        match self {
            TaskRuns::None | TaskRuns::One(_) => true,
            TaskRuns::Several(runs) => runs.is_empty(),
        }
    }
}

/// Polls a task. A panic becomes its outcome.
#[inline]
pub(super) fn poll_task(task: &mut TaskFuture<'_>, cx: &mut Context<'_>) -> Poll<Outcome> {
    guard(|| task.as_mut().poll(cx)).unwrap_or_else(|fault| Poll::Ready(Err(fault)))
}

/// Runs code of the program. A panic becomes a fault of the task.
#[inline]
pub fn guard<T>(run: impl FnOnce() -> T) -> Result<T, Fault> {
    catch(run).map_err(|said| Fault::named(names::TASK_FAILED, format!("the task panicked: {said}")))
}
