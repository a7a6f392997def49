//! Executions in memory that events start. An event starts an execution, or is delivered to an
//! execution that waits for it in its start state.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::hub::{DeliveredEvents, Hub, Live, Subscriber, Subscription};
use super::subscriber_state::SubscriberState;
use crate::engine::driver::{Driver, Environment, MessageQueue, Volatile};
use crate::event::CloudEvent;
use crate::machine::{Program, Start, StartCondition, TriggerMatch};
use crate::task::Invoke;
use crate::time::Timestamp;
use crate::value::{Object, Str};

/// The executions that events start.
pub(super) struct EventTriggers {
    environment: Environment,
    /// The executions that have not begun.
    pending: Vec<TriggeredExecution>,
    pub waker: Option<Waker>,
    /// For each workflow, the events that start states have consumed or that have started
    /// executions.
    pub consumed: BTreeMap<Str, DeliveredEvents>,
}

/// An execution that has not begun.
struct TriggeredExecution {
    program: Program,
    tasks: Arc<dyn Invoke>,
    start: Start,
    messages: MessageQueue,
    progress: Arc<SubscriberState>,
    subscription: Subscription,
}

impl EventTriggers {
    /// Returns the time.
    pub fn now(&self) -> Timestamp {
        self.environment.clock.now()
    }
}

impl Subscriber {
    /// Returns the start condition of an execution in its start state, with the events recorded
    /// that were delivered.
    pub(super) fn pending_condition(&mut self) -> Option<StartCondition> {
        if self.progress.has_left_start_state() {
            return None;
        }
        let until = self.progress.until();
        let mut condition = self.current_condition()?.clone();
        condition.set_until(Some(until));
        Some(condition)
    }

    /// Records an event that is delivered to the execution.
    pub(super) fn record_start_event(&mut self, event: &CloudEvent) {
        if let Some(condition) = self.current_condition() {
            condition.record(event);
        }
    }

    /// Returns the current start condition, which a re-entry of the start state renews.
    fn current_condition(&mut self) -> Option<&mut StartCondition> {
        let condition = self.start.as_mut()?;
        if let Some(renewed) = self.progress.take_reentered() {
            *condition = renewed;
        }
        Some(condition)
    }
}

impl Hub {
    /// Runs the executions that [`Hub::publish`] starts. The executions run as long as this future
    /// is polled, and are dropped with it. An event starts one execution of each registered
    /// workflow with a matching start condition. If an execution waits for the event in its start
    /// state, or was started by another event and has not begun, it receives the event instead.
    /// Executions that await such events only in their start state do not buffer the event. A
    /// duplicate of a remembered event starts nothing.
    ///
    /// The input of a started execution is `{}`, and its id is `event SOURCE ID`. Observers
    /// receive its outcome ([`Hub::observer`]). A workflow is not started outside of its schedule.
    pub async fn run_started(&self, environment: Environment) {
        struct Guard(Hub);
        impl Drop for Guard {
            fn drop(&mut self) {
                // Dropping a pending start unsubscribes it, which needs the lock.
                let triggers = self.0.live().triggers.take();
                drop(triggers);
            }
        }
        let turns = environment.turns.off_runtime();
        let environment = Environment { hub: Some(self.clone()), turns, ..environment };
        self.live().triggers = Some(EventTriggers {
            environment: environment.clone(),
            pending: Vec::new(),
            waker: None,
            consumed: BTreeMap::new(),
        });
        let _guard = Guard(self.clone());
        let mut running = FuturesUnordered::new();
        std::future::poll_fn(|cx: &mut Context<'_>| {
            loop {
                let pending = match &mut self.live().triggers {
                    Some(triggers) => {
                        triggers.waker = Some(cx.waker().clone());
                        std::mem::take(&mut triggers.pending)
                    }
                    // Another call of this function has replaced the state and ended.
                    None => return Poll::Ready(()),
                };
                running.extend(pending.into_iter().map(|pending| Box::pin(pending.run(environment.clone()))));
                match Pin::new(&mut running).poll_next_unpin(cx) {
                    Poll::Ready(Some(())) => {}
                    Poll::Ready(None) | Poll::Pending => return Poll::Pending,
                }
            }
        })
        .await;
    }
}

impl Live {
    /// Adds an execution that an event starts. Returns its number, or `None` if nobody runs such
    /// executions.
    pub(super) fn begin(
        &mut self,
        hub: &Hub,
        program: Program,
        tasks: Arc<dyn Invoke>,
        correlation: Option<Str>,
        event: &CloudEvent,
        now: Timestamp,
    ) -> Option<u64> {
        self.triggers.as_ref()?;
        let definition = program.definition;
        let id: Str = TriggerMatch::execution_name(event).into();
        let mut start = Start::new(Object::new());
        start.name = Some(id.clone());
        start.correlation.clone_from(&correlation);
        start.time = Some(now);
        let (messages, progress) = (MessageQueue::default(), SubscriberState::new());
        let correlation = correlation.unwrap_or_else(|| id.clone());
        let subscriber = Subscriber {
            start: StartCondition::new(definition, correlation.clone()),
            correlation,
            id,
            definition,
            messages: messages.clone(),
            delivered: DeliveredEvents::default(),
            progress: progress.clone(),
        };
        let subscription = self.add(hub, subscriber);
        let number = subscription.number();
        let execution = TriggeredExecution { program, tasks, start, messages, progress, subscription };
        self.triggers.as_mut()?.pending.push(execution);
        Some(number)
    }
}

impl TriggeredExecution {
    async fn run(self, environment: Environment) {
        let TriggeredExecution { program, tasks, mut start, messages, progress, subscription } = self;
        start.observers = environment.hub.as_ref().map(Hub::observers).unwrap_or_default();
        let mut driver = Driver::new(program, program.begin(start), environment, &*tasks, Volatile);
        driver.receive_from(messages);
        driver.track_progress(progress);
        // Observers receive the outcome.
        let _outcome = driver.run().await;
        drop(subscription);
        driver.finish_children().await;
    }
}
