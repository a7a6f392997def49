//! A runner that takes an execution to its end under virtual time.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::{Mocks, TaskCall, VirtualClock};
use crate::clock::Clock;
use crate::engine::memory::{Builder, Hub};
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::machine::{Outcome, Target, Waiting, Workflow};
use crate::objects::ChildRecord;
use crate::observe::{Event, EventKind, Observer};
use crate::time::Timestamp;
use crate::value::Value;

/// The course of an execution.
///
/// See the example of [`Mocks`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The outcome. An execution that waits for something that cannot happen ends with a fault
    /// that says so.
    pub outcome: Outcome,
    /// The states it entered, in order.
    pub visited: Vec<&'static str>,
    /// The duration, in virtual time.
    pub elapsed: Duration,
    /// The tasks it invoked, in order.
    pub calls: Vec<TaskCall>,
    /// The events it published, in order.
    pub sent: Vec<CloudEvent>,
    /// The child executions it started, in order: the name of the workflow and the input.
    pub started: Vec<(String, Value)>,
    /// The results that distributed Maps have written to mocked object stores, in order: the name
    /// of the state and the record.
    pub written: Vec<(String, ChildRecord)>,
    /// The waits of the execution, if it has not ended.
    pub waiting: Vec<Waiting>,
}

/// Runs an execution to its end, with mocks and under virtual time.
///
/// See the example of [`Mocks`].
pub fn run<W: Workflow>(mut builder: Builder<W>, mocks: &Mocks, input: impl Into<Value>) -> Report {
    let clock = VirtualClock::new();
    let started = clock.now();
    let notes = Notes::default();
    let hub = mocks.share(builder.shared());
    let events = publish(&hub, &clock, mocks.events().iter().cloned());
    let builder = builder.wrap_objects(|others| mocks.objects(others));
    let builder = builder.clock(clock.clone()).callbacks(mocks.callbacks()).observer(notes.clone());
    let (outcome, waiting) = match builder.run_alone(mocks, input.into(), events) {
        Ok(outcome) => (outcome, Vec::new()),
        Err(waiting) => (Err(stuck(&waiting)), waiting),
    };
    let Noted { visited, sent, started: children, ended } =
        std::mem::take(&mut *notes.0.lock().unwrap_or_else(PoisonError::into_inner));
    // Detached child executions may take longer.
    let elapsed = ended.unwrap_or_else(|| clock.now()).since(started);
    let (calls, written) = (mocks.calls(), mocks.written());
    Report { outcome, visited, elapsed, calls, sent, started: children, written, waiting }
}

fn stuck(waiting: &[Waiting]) -> Fault {
    let states: Vec<String> = waiting.iter().map(|waiting| format!("`{}`", waiting.state)).collect();
    Fault::runtime(format!("the execution waits forever, in {}", states.join(", ")))
}

/// Publishes events, each at a time from now.
///
/// ```
/// use std::time::Duration;
/// use workflow_runtime::testing::{VirtualClock, publish};
/// use workflow_runtime::{CloudEvent, Hub};
///
/// # async fn test() {
/// let (hub, clock) = (Hub::new(), VirtualClock::new());
/// let delivered = CloudEvent::new("17", "/courier", "parcel.delivered");
/// publish(&hub, &clock, [(Duration::from_secs(60), delivered)]).await;
/// # }
/// ```
pub async fn publish(hub: &Hub, clock: &VirtualClock, events: impl IntoIterator<Item = (Duration, CloudEvent)>) {
    let publish = async |event| {
        hub.publish(event);
    };
    publish_by(clock, events, publish).await;
}

/// Publishes events with a function, each at a time from now.
///
/// ```
/// use std::time::Duration;
/// use workflow_runtime::testing::{VirtualClock, publish_by};
/// use workflow_runtime::{CloudEvent, Hub};
///
/// # async fn test() {
/// let (hub, clock) = (Hub::new(), VirtualClock::new());
/// let delivered = CloudEvent::new("17", "/courier", "parcel.delivered");
/// let publish = async |event| println!("delivered to {}", hub.publish(event));
/// publish_by(&clock, [(Duration::from_secs(60), delivered)], publish).await;
/// # }
/// ```
pub async fn publish_by(
    clock: &VirtualClock,
    events: impl IntoIterator<Item = (Duration, CloudEvent)>,
    mut publish: impl AsyncFnMut(CloudEvent),
) {
    let start = clock.now();
    let mut events: Vec<(Duration, CloudEvent)> = events.into_iter().collect();
    events.sort_by_key(|(after, _)| *after);
    for (after, event) in events {
        clock.sleep_until(start.plus(after)).await;
        publish(event).await;
    }
}

/// An observer of the events and child executions that tasks do not see.
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
                // Entries of the workflow itself are internal.
                if let Target::Workflow(name) = &call.target {
                    noted.started.push((name.to_string(), call.input.clone()));
                }
            }
            _ => {}
        }
    }
}
