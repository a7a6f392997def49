//! The subscribers of a hub, as the coordination core sees them.

use std::convert::Infallible;
use std::sync::Arc;
use std::task::Waker;

use super::hub::{Hub, Live, Subscriber};
use crate::coordination::{Addressee, Sent, Status, send};
use crate::coordination::{Published, Recipient, RoutedEvent, RoutedKind, Started, Store, publish};
use crate::engine::driver::Message;
use crate::event::CloudEvent;
use crate::machine::{Definition, StartCondition, TriggerMatch};
use crate::time::Timestamp;
use crate::value::Str;

/// The subscribers of a hub while an event is delivered.
struct Subscribers<'a> {
    hub: &'a Hub,
    live: &'a mut Live,
    event: Arc<CloudEvent>,
    now: Timestamp,
    /// The number of executions that have received the event.
    receivers: usize,
    wakers: Vec<Waker>,
}

/// The result of a delivery, and the tasks to wake afterwards. A woken task may lock the hub.
pub(super) struct Delivered<T> {
    pub result: T,
    pub receivers: usize,
    pub wakers: Vec<Waker>,
}

/// Publishes an event. It may start executions if someone runs them.
pub(super) fn publish_event(
    hub: &Hub,
    live: &mut Live,
    event: Arc<CloudEvent>,
    may_start: bool,
) -> Delivered<Published<u64>> {
    let routed = route(hub, live, event);
    let now = live.triggers.as_ref().map(|triggers| triggers.now()).unwrap_or_default();
    let may_start = may_start && live.triggers.is_some();
    deliver(hub, live, &routed, now, |store| publish(store, &routed, may_start, now))
}

/// Sends an event to an execution. Returns `true` if the execution has it.
pub(super) fn send_event(hub: &Hub, live: &mut Live, to: u64, event: Arc<CloudEvent>) -> Delivered<bool> {
    let routed = route(hub, live, event);
    let workflow = live.executions.get(&to).map_or("", |subscriber| subscriber.definition.name);
    let to = Addressee { execution: to, workflow, status: Status::Running };
    deliver(hub, live, &routed, Timestamp::default(), |store| {
        let sent = send(store, to, std::slice::from_ref(&routed))?;
        Ok(matches!(sent, Sent::Delivered(_)))
    })
}

fn deliver<T>(
    hub: &Hub,
    live: &mut Live,
    routed: &RoutedEvent,
    now: Timestamp,
    decide: impl FnOnce(&mut Subscribers<'_>) -> Result<T, Infallible>,
) -> Delivered<T> {
    let mut store = Subscribers { hub, live, event: routed.event.clone(), now, receivers: 0, wakers: Vec::new() };
    let Ok(result) = decide(&mut store);
    Delivered { result, receivers: store.receivers, wakers: store.wakers }
}

/// Finds the workflows that an event is for: those of the hub, and those of running executions.
/// Only workflows of the hub are started.
fn route(hub: &Hub, live: &Live, event: Arc<CloudEvent>) -> RoutedEvent {
    let mut definitions: Vec<&'static Definition> = Vec::new();
    let registered = hub.definitions();
    let running = live.executions.values().map(|subscriber| subscriber.definition);
    for definition in registered.iter().copied().chain(running) {
        if !definitions.iter().any(|other| std::ptr::eq(*other, definition)) {
            definitions.push(definition);
        }
    }
    let mut routed = RoutedEvent::new(event, definitions);
    let is_registered = |trigger: &TriggerMatch| registered.iter().any(|one| std::ptr::eq(*one, trigger.definition()));
    routed.starts.retain(|_, trigger| is_registered(trigger));
    routed
}

impl Subscribers<'_> {
    fn find(&mut self, execution: u64) -> Option<&mut Subscriber> {
        self.live.executions.get_mut(&execution)
    }

    fn numbers(&self, is_one: impl Fn(&Subscriber) -> bool) -> Vec<u64> {
        let subscribers = self.live.executions.iter();
        subscribers.filter(|(_, subscriber)| is_one(subscriber)).map(|(number, _)| *number).collect()
    }
}

impl Store for Subscribers<'_> {
    type Execution = u64;
    type Error = Infallible;

    fn subscribers(&mut self, workflow: &str, _: &[RoutedKind]) -> Result<Vec<u64>, Infallible> {
        // Another workflow of the same name may wait for other events.
        let is_one = |one: &Subscriber| one.definition.name == workflow && one.waits_for(&self.event);
        Ok(self.numbers(is_one))
    }

    fn in_start_state(&mut self, trigger: &TriggerMatch, event: &CloudEvent) -> Result<Vec<u64>, Infallible> {
        Ok(self.numbers(|one| {
            let is_there = one.start.is_some() && !one.progress.has_left_start_state();
            is_there && one.definition.name == trigger.definition().name && one.waits_for(event)
        }))
    }

    fn correlation(&mut self, of: u64) -> Result<Str, Infallible> {
        Ok(self.find(of).map(|subscriber| subscriber.correlation.clone()).unwrap_or_default())
    }

    fn start_condition(&mut self, of: u64, _: &TriggerMatch) -> Result<Option<StartCondition>, Infallible> {
        Ok(self.find(of).and_then(Subscriber::pending_condition))
    }

    fn unseen_events(&mut self, of: u64) -> Result<usize, Infallible> {
        Ok(self.find(of).map_or(0, |subscriber| subscriber.messages.events()))
    }

    fn kept_events(&mut self, of: u64) -> Result<usize, Infallible> {
        Ok(self.find(of).map_or(0, |subscriber| subscriber.progress.kept()))
    }

    fn awaits(&mut self, of: u64, kinds: &[&str]) -> Result<bool, Infallible> {
        Ok(self.find(of).is_some_and(|subscriber| subscriber.progress.awaits(kinds)))
    }

    fn was_delivered(&mut self, to: Recipient<'_, u64>, event: &CloudEvent) -> Result<bool, Infallible> {
        let delivered = match to {
            Recipient::Execution(execution) => self.live.executions.get(&execution).map(|one| &one.delivered),
            Recipient::Workflow(workflow) => {
                self.live.triggers.as_ref().and_then(|triggers| triggers.consumed.get(workflow))
            }
        };
        Ok(delivered.is_some_and(|events| events.contains(event)))
    }

    fn mark_delivered(&mut self, to: Recipient<'_, u64>, event: &CloudEvent) -> Result<(), Infallible> {
        let most = self.hub.remembered();
        let delivered = match to {
            Recipient::Execution(execution) => {
                self.live.executions.get_mut(&execution).map(|subscriber| &mut subscriber.delivered)
            }
            Recipient::Workflow(workflow) => {
                self.live.triggers.as_mut().map(|triggers| triggers.consumed.entry(workflow.into()).or_default())
            }
        };
        if let Some(delivered) = delivered {
            delivered.mark(event, most);
        }
        Ok(())
    }

    fn deliver(&mut self, to: u64, event: &Arc<CloudEvent>) -> Result<(), Infallible> {
        let Some(subscriber) = self.find(to) else { return Ok(()) };
        subscriber.record_start_event(event);
        let waker = subscriber.messages.append(Message::Event(event.clone(), 0));
        self.wakers.extend(waker);
        self.receivers += 1;
        Ok(())
    }

    fn start(&mut self, trigger: &TriggerMatch, event: &Arc<CloudEvent>) -> Result<Started<u64>, Infallible> {
        let definition = trigger.definition();
        // Outside of its schedule a workflow does not listen.
        let found = self.hub.registered(definition).filter(|_| self.hub.is_active(definition, self.now));
        let Some((program, tasks)) = found else { return Ok(Started::Declined) };
        let started = self.live.begin(self.hub, program, tasks, trigger.correlation(event), event, self.now);
        self.wakers.extend(self.live.triggers.as_mut().and_then(|triggers| triggers.waker.take()));
        Ok(started.map_or(Started::Declined, Started::New))
    }
}
