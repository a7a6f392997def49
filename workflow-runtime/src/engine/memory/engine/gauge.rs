//! The number of running tasks, for which a shutdown waits.

use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use super::view::lock;
use crate::machine::Task;
use crate::task::{Invoke, TaskContext, TaskFuture};
use crate::value::Value;

/// The number of running tasks. A clone is the same gauge.
#[derive(Clone, Default)]
pub(super) struct Gauge(Arc<Mutex<Count>>);

#[derive(Default)]
struct Count {
    running: usize,
    is_closed: bool,
    wakers: Vec<Waker>,
}

/// A running task.
struct Running(Gauge);

impl Gauge {
    /// Lets no further task begin.
    pub fn close(&self) {
        lock(&self.0).is_closed = true;
    }

    /// Returns `Ready` if no task is running.
    pub fn poll_idle(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut count = lock(&self.0);
        if count.running == 0 {
            return Poll::Ready(());
        }
        if !count.wakers.iter().any(|waker| waker.will_wake(cx.waker())) {
            count.wakers.push(cx.waker().clone());
        }
        Poll::Pending
    }

    fn enter(&self) -> Option<Running> {
        let mut count = lock(&self.0);
        if count.is_closed {
            return None;
        }
        count.running += 1;
        Some(Running(self.clone()))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let wakers = {
            let mut count = lock(&self.0.0);
            count.running -= 1;
            if count.running == 0 { std::mem::take(&mut count.wakers) } else { Vec::new() }
        };
        wakers.into_iter().for_each(Waker::wake);
    }
}

/// Tasks that a gauge counts.
pub(super) struct CountedTasks {
    pub tasks: Arc<dyn Invoke>,
    pub gauge: Gauge,
}

impl Invoke for CountedTasks {
    /// Invokes a task. Once the gauge is closed, the task waits forever.
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        let Some(running) = self.gauge.enter() else { return Box::pin(std::future::pending()) };
        let run = self.tasks.invoke(task, input, cx);
        Box::pin(async move {
            let _running = running;
            run.await
        })
    }
}
