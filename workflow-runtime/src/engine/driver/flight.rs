//! A task that was not ready at once: its future, until it is, or until nobody waits for it any more.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use crate::fault::{Fault, names};
use crate::machine::{Op, Outcome};
use crate::panics::catch;
use crate::task::{TaskContext, TaskFuture};

/// The run of a task, or of an execution that another one waits for. Yields no outcome if it was cancelled.
pub(super) struct Flight<'a> {
    pub op: Op,
    /// Of a task; none of an execution.
    pub cx: Option<TaskContext>,
    /// `None` when it is over.
    pub task: Option<TaskFuture<'a>>,
}

impl Future for Flight<'_> {
    type Output = (Op, Option<Outcome>);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<(Op, Option<Outcome>)> {
        let flight = &mut *self;
        let cancelled = flight.cx.as_ref().map_or(Poll::Pending, |task| task.poll_cancelled(cx));
        let outcome = match (cancelled, &mut flight.task) {
            (Poll::Pending, Some(task)) => match poll_task(task, cx) {
                Poll::Ready(outcome) => Some(outcome),
                Poll::Pending => return Poll::Pending,
            },
            _ => None,
        };
        let dropped = guard(|| flight.task = None);
        Poll::Ready((flight.op, outcome.map(|outcome| dropped.and(outcome))))
    }
}

impl Drop for Flight<'_> {
    /// A task that is dropped with the execution can do no harm to its outcome.
    fn drop(&mut self) {
        let _said = catch(|| self.task = None);
    }
}

/// The tasks that are under way. Most executions wait for one: it needs no room but its own, and is polled whenever something
/// happens. Of several, those are polled that have said so.
#[derive(Default)]
pub(super) enum Flights<'a> {
    #[default]
    None,
    One(Flight<'a>),
    Several(FuturesUnordered<Flight<'a>>),
}

impl<'a> Flights<'a> {
    pub fn is_empty(&self) -> bool {
        match self {
            Flights::None => true,
            Flights::One(_) => false,
            Flights::Several(flights) => flights.is_empty(),
        }
    }

    pub fn push(&mut self, flight: Flight<'a>) {
        *self = match std::mem::take(self) {
            Flights::None => Flights::One(flight),
            Flights::One(first) => Flights::Several([first, flight].into_iter().collect()),
            Flights::Several(flights) => {
                flights.push(flight);
                Flights::Several(flights)
            }
        };
    }

    /// The next one that is over; `None` if none is.
    pub fn next(&mut self, cx: &mut Context<'_>) -> Option<(Op, Option<Outcome>)> {
        let next = match self {
            Flights::None => return None,
            Flights::One(flight) => Pin::new(flight).poll(cx).map(Some),
            Flights::Several(flights) => flights.poll_next_unpin(cx),
        };
        match next {
            Poll::Pending => None,
            Poll::Ready(over) => {
                if self.is_over() {
                    *self = Flights::None;
                }
                over
            }
        }
    }

    /// Whether the one that was, or the last of several, is over.
    fn is_over(&self) -> bool {
        match self {
            Flights::None | Flights::One(_) => true,
            Flights::Several(flights) => flights.is_empty(),
        }
    }
}

/// Polls a task. If it panics, that is its outcome.
pub(super) fn poll_task(task: &mut TaskFuture<'_>, cx: &mut Context<'_>) -> Poll<Outcome> {
    guard(|| task.as_mut().poll(cx)).unwrap_or_else(|fault| Poll::Ready(Err(fault)))
}

/// Runs code of the program. If it panics, that is a fault of the task.
pub fn guard<T>(run: impl FnOnce() -> T) -> Result<T, Fault> {
    catch(run).map_err(|said| Fault::named(names::TASK_FAILED, format!("the task panicked: {said}")))
}
