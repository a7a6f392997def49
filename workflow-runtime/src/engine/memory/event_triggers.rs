//! Executions in memory that events start. An event starts an execution, or is delivered to an
//! execution that waits for it in its start state.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::hub::{DeliveredEvents, Hub, Live, Subscriber, Subscription};
use crate::engine::driver::{Driver, Environment, MessageQueue, Volatile};
use crate::event::CloudEvent;
use crate::machine::{Execution, Program, Start, StartCondition, TriggerMatch};
use crate::task::Invoke;
use crate::time::Timestamp;
use crate::value::{Object, Str};

/// The last visit of an execution to its start state, which awaits start events.
#[derive(Default)]
pub(in crate::engine) struct StartVisit {
    /// `true` if the execution has left the start state.
    has_left: AtomicBool,
    /// The number of the state entry with which the last visit began. 0 if unknown.
    visit: AtomicU64,
    /// The renewed start condition after a re-entry of the start state, until the hub reads it.
    reentered: Mutex<Option<StartCondition>>,
    /// The end of the wait in the start state, in microseconds. 0 if unknown.
    until: AtomicI64,
}

impl StartVisit {
    /// Creates the visit of an execution that has not begun, if events start its workflow.
    pub fn of(execution: &dyn Execution) -> Option<Arc<StartVisit>> {
        execution.definition().starts_on.map(|_| Arc::default())
    }

    /// Updates the visit from the execution.
    pub fn update(&self, execution: &dyn Execution) {
        let Some(wait) = StartCondition::awaited_by(execution) else {
            return self.has_left.store(true, Ordering::Relaxed);
        };
        let until = wait.condition.until().map_or(i64::MAX, Timestamp::as_micros);
        self.until.store(until, Ordering::Relaxed);
        // The execution may have passed through other states in one turn.
        let before = self.visit.swap(wait.visit, Ordering::Relaxed);
        let has_left = self.has_left.swap(false, Ordering::Relaxed);
        if has_left || before != 0 && before != wait.visit {
            *self.reentered() = Some(wait.condition);
        }
    }

    fn reentered(&self) -> MutexGuard<'_, Option<StartCondition>> {
        self.reentered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_left_start_state(&self) -> bool {
        self.has_left.load(Ordering::Relaxed)
    }

    fn until(&self) -> Timestamp {
        Timestamp::from_micros(match self.visit.load(Ordering::Relaxed) {
            0 => i64::MAX,
            _ => self.until.load(Ordering::Relaxed),
        })
    }
}

/// The executions that events start.
pub(super) struct EventTriggers {
    environment: Environment,
    /// The executions that have not begun.
    pending: Vec<TriggeredExecution>,
    waker: Option<Waker>,
    /// For each workflow, the events that start states have consumed or that have started
    /// executions.
    consumed: BTreeMap<&'static str, DeliveredEvents>,
}

/// An execution that has not begun.
struct TriggeredExecution {
    program: Program,
    tasks: Arc<dyn Invoke>,
    start: Start,
    messages: MessageQueue,
    visit: Arc<StartVisit>,
    subscription: Subscription,
}

/// A workflow that an event can start.
struct Trigger {
    program: Program,
    tasks: Arc<dyn Invoke>,
    matched: TriggerMatch,
    /// `true` if an execution has consumed the event before, or was started by it.
    is_duplicate: bool,
    /// `true` if an execution consumes the event in its start state.
    is_consumed: bool,
}

impl Subscriber {
    /// Returns `true` if the execution is known to accept the event in its start state.
    fn accepts_start_event(&mut self, event: &CloudEvent, now: Timestamp) -> bool {
        let Some((condition, visit)) = self.current_condition().filter(|(_, visit)| !visit.has_left_start_state())
        else {
            return false;
        };
        condition.set_until(Some(visit.until()));
        condition.accepts(event, now)
    }

    /// Records an event that is delivered to the execution.
    pub(super) fn record_start_event(&mut self, event: &CloudEvent) {
        if let Some((condition, _)) = self.current_condition() {
            condition.record(event);
        }
    }

    /// Returns the current start condition, which a re-entry of the start state renews.
    fn current_condition(&mut self) -> Option<&mut (StartCondition, Arc<StartVisit>)> {
        let (condition, visit) = self.start.as_mut()?;
        if let Some(renewed) = visit.reentered().take() {
            *condition = renewed;
        }
        self.start.as_mut()
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

    /// Starts executions for an event from outside. Returns the queues that receive the event, and
    /// the waker to call afterwards.
    pub(super) fn publish_and_start(&self, live: &mut Live, event: &CloudEvent) -> (Vec<MessageQueue>, Option<Waker>) {
        let Some(triggers) = &live.triggers else { return (Vec::new(), None) };
        let now = triggers.environment.clock.now();
        let mut triggered = self.triggered(triggers, event);
        let mut queues = Vec::new();
        for subscriber in live.executions.values_mut().filter(|subscriber| subscriber.waits_for(event)) {
            let trigger =
                triggered.iter_mut().find(|trigger| std::ptr::eq(trigger.program.definition, subscriber.definition));
            if let Some(trigger) = trigger {
                let accepts = !trigger.is_duplicate && subscriber.accepts_start_event(event, now);
                if !accepts && !trigger.matched.is_awaited_later() {
                    continue;
                }
                trigger.is_consumed |= accepts;
            }
            subscriber.record_start_event(event);
            queues.push(subscriber.messages.clone());
        }
        for trigger in triggered.into_iter().filter(|trigger| !trigger.is_duplicate) {
            let name = trigger.program.definition.name;
            if !trigger.is_consumed {
                if !self.is_active(trigger.program.definition, now) {
                    continue;
                }
                queues.push(self.begin(live, trigger, event, now));
            }
            if let Some(triggers) = &mut live.triggers {
                triggers.consumed.entry(name).or_default().mark(event, self.remembered());
            }
        }
        (queues, live.triggers.as_mut().and_then(|triggers| triggers.waker.take()))
    }

    /// Returns the workflows that an event can start.
    fn triggered(&self, triggers: &EventTriggers, event: &CloudEvent) -> Vec<Trigger> {
        let mut triggered = Vec::new();
        for (program, tasks) in self.workflows() {
            let definition = program.definition;
            let Some(matched) = TriggerMatch::of(definition, event) else { continue };
            let is_duplicate = triggers.consumed.get(definition.name).is_some_and(|events| events.contains(event));
            triggered.push(Trigger { program, tasks, matched, is_duplicate, is_consumed: false });
        }
        triggered
    }

    /// Adds an execution to start. Returns its message queue.
    fn begin(&self, live: &mut Live, trigger: Trigger, event: &CloudEvent, now: Timestamp) -> MessageQueue {
        let Trigger { program, tasks, matched, .. } = trigger;
        let definition = program.definition;
        let correlation = matched.correlation(event);
        let id: Str = TriggerMatch::execution_name(event).into();
        let mut start = Start::new(Object::new());
        start.name = Some(id.clone());
        start.correlation.clone_from(&correlation);
        start.time = Some(now);
        let (messages, visit) = (MessageQueue::default(), Arc::<StartVisit>::default());
        let correlation = correlation.unwrap_or_else(|| id.clone());
        let mut subscriber = Subscriber {
            start: StartCondition::new(definition, correlation.clone()).map(|condition| (condition, visit.clone())),
            correlation,
            id,
            definition,
            messages: messages.clone(),
            delivered: DeliveredEvents::default(),
        };
        subscriber.record_start_event(event);
        let subscription = live.add(self, subscriber);
        if let Some(triggers) = &mut live.triggers {
            triggers.pending.push(TriggeredExecution {
                program,
                tasks,
                start,
                messages: messages.clone(),
                visit,
                subscription,
            });
        }
        messages
    }
}

impl TriggeredExecution {
    async fn run(self, environment: Environment) {
        let TriggeredExecution { program, tasks, mut start, messages, visit, subscription } = self;
        start.observers = environment.hub.as_ref().map(Hub::observers).unwrap_or_default();
        let mut driver = Driver::new(program, program.begin(start), environment, &*tasks, Volatile);
        driver.receive_from(messages);
        driver.track_start_visit(visit);
        // Observers receive the outcome.
        let _outcome = driver.run().await;
        drop(subscription);
        driver.finish_children().await;
    }
}
