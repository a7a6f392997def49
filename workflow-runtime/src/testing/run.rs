//! Running an execution to its end under virtual time.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use super::{Call, Mocks, VirtualClock};
use crate::clock::Clock;
use crate::engine::memory::{Builder, Hub};
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::machine::{Outcome, Target, Waiting, Workflow};
use crate::observe::{Event, EventKind, Observer};
use crate::time::Timestamp;
use crate::value::Value;

/// What happened in an execution.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// How it ended. An execution that waits for something that cannot happen ends with a fault that says so.
    pub outcome: Outcome,
    /// The states it entered, in order.
    pub visited: Vec<&'static str>,
    /// How long it took, in virtual time.
    pub elapsed: Duration,
    /// The tasks it invoked, in order.
    pub calls: Vec<Call>,
    /// The events it sent, in order.
    pub sent: Vec<CloudEvent>,
    /// The workflows it started, in order: the name of each, and what it was given.
    pub started: Vec<(String, Value)>,
    /// What it waits for, if it has not ended.
    pub waiting: Vec<Waiting>,
}

/// Runs an execution to its end, with all that is mocked and under virtual time.
pub fn run<W: Workflow>(mut builder: Builder<W>, mocks: &Mocks, input: impl Into<Value>) -> Report {
    let clock = VirtualClock::new();
    let started = clock.now();
    let notes = Notes::default();
    let hub = mocks.share(builder.shared());
    let events = publish(&hub, &clock, mocks.events().iter().cloned());
    let builder = builder.clock(clock.clone()).callbacks(mocks.callbacks()).observer(notes.clone());
    let (outcome, waiting) = match builder.run_alone(mocks, input.into(), events) {
        Ok(outcome) => (outcome, Vec::new()),
        Err(waiting) => (Err(stuck(&waiting)), waiting),
    };
    let Noted { visited, sent, started: children, ended } =
        std::mem::take(&mut *notes.0.lock().unwrap_or_else(PoisonError::into_inner));
    // What it has started and does not wait for may take longer.
    let elapsed = ended.unwrap_or_else(|| clock.now()).since(started);
    Report { outcome, visited, elapsed, calls: mocks.calls(), sent, started: children, waiting }
}

fn stuck(waiting: &[Waiting]) -> Fault {
    let states: Vec<String> = waiting.iter().map(|waiting| format!("`{}`", waiting.state)).collect();
    Fault::runtime(format!("the execution waits for something that does not happen, in {}", states.join(", ")))
}

/// Runs a future for as long as it can proceed by itself: under virtual time, an execution with mocked tasks to its end.
/// `None` if it waits for something that nobody is about to do.
pub fn block_on<T>(future: impl Future<Output = T>) -> Option<T> {
    let woken = Arc::new(Woken(AtomicBool::new(true)));
    let waker = Waker::from(woken.clone());
    let mut future = pin!(future);
    while woken.0.swap(false, Ordering::AcqRel) {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return Some(value);
        }
    }
    None
}

/// Runs a future to its end, and another one beside it for as long as that takes. The other one begins second, and from then
/// on has every turn first: what it does at a time is done before what the first one does then.
pub async fn beside<T>(run: impl Future<Output = T>, other: impl Future<Output = ()>) -> T {
    let (mut run, mut other) = (pin!(run), pin!(other));
    let (mut begun, mut over) = (false, false);
    std::future::poll_fn(move |cx| {
        if begun && !over {
            over = other.as_mut().poll(cx).is_ready();
        }
        let ended = run.as_mut().poll(cx);
        if !std::mem::replace(&mut begun, true) && ended.is_pending() {
            over = other.as_mut().poll(cx).is_ready();
        }
        ended
    })
    .await
}

/// Publishes events, each so long from now.
pub async fn publish(hub: &Hub, clock: &VirtualClock, events: impl IntoIterator<Item = (Duration, CloudEvent)>) {
    let start = clock.now();
    let mut events: Vec<(Duration, CloudEvent)> = events.into_iter().collect();
    events.sort_by_key(|(after, _)| *after);
    for (after, event) in events {
        clock.sleep_until(start.plus(after)).await;
        hub.publish(event);
    }
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}

/// Notes what an execution does that its tasks do not see.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Noted>>);

#[derive(Default)]
struct Noted {
    visited: Vec<&'static str>,
    sent: Vec<CloudEvent>,
    started: Vec<(String, Value)>,
    ended: Option<Timestamp>,
}

impl Observer for Notes {
    fn observe(&mut self, event: &Event<'_>) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &event.kind {
            EventKind::StateEntered { .. } => noted.visited.push(event.state),
            EventKind::ExecutionSucceeded { .. } | EventKind::ExecutionFailed { .. } => noted.ended = Some(event.time),
            EventKind::EventSent { event } => noted.sent.push((*event).clone()),
            EventKind::ChildStarted { call } => {
                // Parts of the workflow that run by themselves are its own business.
                if let Target::Workflow(name) = &call.target {
                    noted.started.push((name.to_string(), call.input.clone()));
                }
            }
            _ => {}
        }
    }
}
