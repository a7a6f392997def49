//! Task runs in this process: the future of a task, until it is ready, times out, or is abandoned.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::future::{AbortRegistration, Abortable};
use hyper::body::Bytes;
use restate_sdk_shared_core::NotificationHandle;
use workflow_runtime::clock::{Clock, Sleep, SystemClock};
use workflow_runtime::engine::driver::guard;
use workflow_runtime::event::EventSink;
use workflow_runtime::fault::names::ITEM_READER_FAILED;
use workflow_runtime::machine::{Invocation, Outcome};
use workflow_runtime::objects::{self, ObjectAccess, Objects, OpenItems, ReadItems, WriteResults};
use workflow_runtime::task::{Invoke, TaskContext, TaskFuture};
use workflow_runtime::{CloudEvent, Fault, Timestamp, Value};

use crate::journal::{self, MESSAGE_LIMIT};

/// Run whose result is journaled. Yields no entry if it was abandoned.
pub(crate) type RunFuture = Pin<Box<dyn Future<Output = (NotificationHandle, Option<Bytes>)> + Send>>;

/// Returns a completed run, which journals an outcome with the current time.
pub(crate) fn completed(handle: NotificationHandle, outcome: &Outcome) -> RunFuture {
    Box::pin(std::future::ready((handle, Some(journal::encode(Timestamp::now(), outcome)))))
}

/// Sends an event to a sink. Succeeds if there is no sink any more. Yields no entry if it was
/// stopped.
pub(crate) fn send_event(
    handle: NotificationHandle,
    sink: Option<Arc<dyn EventSink>>,
    event: Arc<CloudEvent>,
    stopped: AbortRegistration,
) -> RunFuture {
    let send = async move {
        let Some(sink) = sink else { return Ok(Value::Null) };
        sink.send(&event).await.map(|()| Value::Null)
    };
    until_stopped(handle, send, stopped)
}

/// Reads items from an object store. Yields no entry if it was stopped.
pub(crate) fn read_items(
    handle: NotificationHandle,
    access: Option<ObjectAccess>,
    open: OpenItems,
    request: Arc<ReadItems>,
    stopped: AbortRegistration,
) -> RunFuture {
    let read = async move {
        let access = access.ok_or_else(|| objects::no_reader(&request))?;
        let chunk = open.read(&access, &request).await?;
        match chunk.json_len(MESSAGE_LIMIT) {
            Ok(_) => Ok(chunk),
            Err(_) => Err(unsendable(&request)),
        }
    };
    until_stopped(handle, read, stopped)
}

/// Returns the fault of items that the server would refuse, such as one long item.
fn unsendable(request: &ReadItems) -> Fault {
    let argument = |name: &str| request.arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let (bucket, key) = (argument("Bucket"), argument("Key"));
    let place = match &request.position {
        Value::Null => "at the beginning".to_owned(),
        position => format!("behind the position {position}"),
    };
    let cause = format!(
        "s3://{bucket}/{key}: the items {place} have more than {MESSAGE_LIMIT} bytes as JSON, the most in an entry of \
         Restate's journal: make the items shorter"
    );
    Fault::new(ITEM_READER_FAILED, cause)
}

/// Writes results to an object store. Yields no entry if it was stopped.
pub(crate) fn write_results(
    handle: NotificationHandle,
    access: Option<ObjectAccess>,
    request: Arc<WriteResults>,
    stopped: AbortRegistration,
) -> RunFuture {
    let write = async move {
        let access = access.ok_or_else(|| objects::no_writer(&request))?;
        access.write(&request).await
    };
    until_stopped(handle, write, stopped)
}

/// Returns a run that can be stopped. A panic is a fault.
fn until_stopped(
    handle: NotificationHandle,
    run: impl Future<Output = Outcome> + Send + 'static,
    stopped: AbortRegistration,
) -> RunFuture {
    Box::pin(async move {
        let mut run = std::pin::pin!(run);
        let guarded = poll_fn(|cx| guard(|| run.as_mut().poll(cx)).unwrap_or_else(|fault| Poll::Ready(Err(fault))));
        let outcome = Abortable::new(guarded, stopped).await.ok();
        (handle, outcome.map(|outcome| journal::encode(Timestamp::now(), &outcome)))
    })
}

/// Runs a task.
///
/// The process keeps the timers, because a task needs a process anyway. After a crash, the
/// repeated run counts from the same start. Only the heartbeat time-out starts anew.
pub(crate) fn run_task(
    handle: NotificationHandle,
    tasks: Arc<dyn Invoke>,
    invocation: Arc<Invocation>,
    cx: TaskContext,
) -> RunFuture {
    Box::pin(async move {
        let timers = Timers::new(&invocation, &cx);
        let outcome = if timers.is_late() {
            Some(Err(Fault::timeout()))
        } else {
            let input = invocation.input.clone();
            match guard(|| tasks.invoke(invocation.task, input, cx.clone())) {
                Ok(run) => Running { run: Some(run), cx: cx.clone(), timers }.await,
                Err(fault) => Some(Err(fault)),
            }
        };
        (handle, outcome.map(|outcome| journal::encode(Timestamp::now(), &outcome)))
    })
}

/// Time-outs of a task. If its outcome arrives by token, the execution waits for the time-out
/// itself.
struct Timers {
    deadline: Option<(Timestamp, Sleep)>,
    silence: Option<Sleep>,
}

impl Timers {
    fn new(invocation: &Invocation, cx: &TaskContext) -> Timers {
        cx.heartbeat();
        if invocation.callback {
            return Timers { deadline: None, silence: None };
        }
        let deadline = invocation.deadline().map(|at| (at, SystemClock.sleep_until(at)));
        Timers { deadline, silence: cx.heartbeat_deadline().map(|at| SystemClock.sleep_until(at)) }
    }

    fn is_late(&self) -> bool {
        self.deadline.as_ref().is_some_and(|(at, _)| *at <= Timestamp::now())
    }

    fn poll(&mut self, task: &TaskContext, cx: &mut Context<'_>) -> Poll<Fault> {
        if let Some((_, sleep)) = &mut self.deadline
            && sleep.as_mut().poll(cx).is_ready()
        {
            return Poll::Ready(Fault::timeout());
        }
        while let Some(sleep) = &mut self.silence {
            if sleep.as_mut().poll(cx).is_pending() {
                break;
            }
            match task.heartbeat_deadline() {
                Some(at) if at > Timestamp::now() => self.silence = Some(SystemClock.sleep_until(at)),
                _ => return Poll::Ready(Fault::heartbeat_timeout()),
            }
        }
        Poll::Pending
    }
}

struct Running<'a> {
    /// `None` once it has ended.
    run: Option<TaskFuture<'a>>,
    cx: TaskContext,
    timers: Timers,
}

impl Future for Running<'_> {
    type Output = Option<Outcome>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Outcome>> {
        let this = &mut *self;
        let outcome = match (this.cx.poll_cancelled(cx), &mut this.run) {
            (Poll::Pending, Some(run)) => match guard(|| run.as_mut().poll(cx)) {
                Ok(Poll::Ready(outcome)) => Some(outcome),
                Err(fault) => Some(Err(fault)),
                Ok(Poll::Pending) => match this.timers.poll(&this.cx, cx) {
                    Poll::Ready(fault) => Some(Err(fault)),
                    Poll::Pending => return Poll::Pending,
                },
            },
            _ => None,
        };
        let dropped = guard(|| this.run = None);
        Poll::Ready(outcome.map(|outcome| dropped.and(outcome)))
    }
}

impl Drop for Running<'_> {
    /// Drops the task. A panic in its destructor does not affect other tasks.
    fn drop(&mut self) {
        let _said = guard(|| self.run = None);
    }
}
