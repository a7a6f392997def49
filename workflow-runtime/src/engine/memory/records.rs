//! The records of executions in memory, and the deliveries that the coordination core decides
//! about on them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;
use std::task::Waker;

use super::SubscriberState;
use crate::coordination::{Recipient, RoutedKind, Started, Store, only_correlations};
use crate::engine::driver::{Message, MessageQueue};
use crate::event::CloudEvent;
use crate::machine::{Definition, StartCondition, TriggerMatch};
use crate::time::Timestamp;
use crate::value::Str;

/// The records of executions, oldest first, with an index of those that receive events.
pub(super) struct Records<R> {
    last: u64,
    pub all: BTreeMap<u64, R>,
    /// The executions that receive events, by their workflows.
    active: BTreeMap<&'static str, Active>,
    /// For each workflow, the events that have started executions or that one has taken in its
    /// start state.
    consumed: BTreeMap<Str, DeliveredEvents>,
}

/// The executions of a workflow that receive events.
#[derive(Default)]
struct Active {
    all: BTreeSet<u64>,
    by_correlation: HashMap<Str, BTreeSet<u64>>,
    /// The versions of the workflow that they run, each with their number.
    definitions: Vec<(&'static Definition, usize)>,
}

/// The part of a record that the delivery of events reads and writes.
pub(super) struct Subscriber {
    pub id: Str,
    pub correlation: Str,
    pub definition: &'static Definition,
    pub messages: MessageQueue,
    pub state: Arc<SubscriberState>,
    delivered: DeliveredEvents,
    /// The time at which the execution is to begin.
    pub due: Option<Timestamp>,
    pub has_begun: bool,
    /// `true` if an order to end was sent to the driver.
    pub is_ending: bool,
}

/// The sources and ids of the last events delivered to an execution or a workflow.
#[derive(Default)]
struct DeliveredEvents {
    ids: HashSet<(Str, Str)>,
    oldest_first: VecDeque<(Str, Str)>,
}

impl DeliveredEvents {
    /// Marks an event as delivered. Remembers at most `most` events.
    fn mark(&mut self, event: &CloudEvent, most: usize) {
        let name = (event.source.clone(), event.id.clone());
        if !self.ids.insert(name.clone()) {
            return;
        }
        self.oldest_first.push_back(name);
        while self.oldest_first.len() > most {
            let Some(oldest) = self.oldest_first.pop_front() else { break };
            self.ids.remove(&oldest);
        }
    }

    fn contains(&self, event: &CloudEvent) -> bool {
        self.ids.contains(&(event.source.clone(), event.id.clone()))
    }
}

impl Subscriber {
    /// Returns an execution that has received nothing. It may have a start condition.
    pub fn new(
        id: Str,
        correlation: Str,
        definition: &'static Definition,
        start: Option<StartCondition>,
    ) -> Subscriber {
        Subscriber {
            id,
            correlation,
            definition,
            messages: MessageQueue::default(),
            state: SubscriberState::new(start),
            delivered: DeliveredEvents::default(),
            due: None,
            has_begun: false,
            is_ending: false,
        }
    }

    /// Returns `true` if events may reach the start state now.
    fn is_at_start(&self, now: Timestamp) -> bool {
        let is_listening = self.has_begun || self.due.is_none_or(|due| due <= now);
        is_listening && !self.is_ending && self.state.is_in_start_state()
    }
}

impl AsRef<Subscriber> for Subscriber {
    fn as_ref(&self) -> &Subscriber {
        self
    }
}

impl AsMut<Subscriber> for Subscriber {
    fn as_mut(&mut self) -> &mut Subscriber {
        self
    }
}

impl<R> Default for Records<R> {
    fn default() -> Records<R> {
        Records { last: 0, all: BTreeMap::new(), active: BTreeMap::new(), consumed: BTreeMap::new() }
    }
}

impl<R: AsRef<Subscriber>> Records<R> {
    /// Adds an execution that receives events. Returns its number.
    pub fn add(&mut self, record: R) -> u64 {
        self.last += 1;
        let subscriber = record.as_ref();
        let active = self.active.entry(subscriber.definition.name).or_default();
        active.all.insert(self.last);
        active.by_correlation.entry(subscriber.correlation.clone()).or_default().insert(self.last);
        match active.definitions.iter_mut().find(|(other, _)| std::ptr::eq(*other, subscriber.definition)) {
            Some((_, executions)) => *executions += 1,
            None => active.definitions.push((subscriber.definition, 1)),
        }
        self.all.insert(self.last, record);
        self.last
    }

    /// Removes an execution.
    pub fn remove(&mut self, number: u64) -> Option<R> {
        self.deactivate(number);
        self.all.remove(&number)
    }

    /// Lets an execution that has ended receive nothing more.
    pub fn deactivate(&mut self, number: u64) {
        let Some(subscriber) = self.all.get(&number).map(R::as_ref) else { return };
        let Some(active) = self.active.get_mut(subscriber.definition.name) else { return };
        if !active.all.remove(&number) {
            return;
        }
        if let Some(at) = active.definitions.iter().position(|(other, _)| std::ptr::eq(*other, subscriber.definition)) {
            active.definitions[at].1 -= 1;
            if active.definitions[at].1 == 0 {
                active.definitions.remove(at);
            }
        }
        if let Some(correlated) = active.by_correlation.get_mut(&subscriber.correlation) {
            correlated.remove(&number);
            if correlated.is_empty() {
                active.by_correlation.remove(&subscriber.correlation);
            }
        }
    }

    /// Returns the definitions of the active executions.
    pub fn definitions(&self) -> impl Iterator<Item = &'static Definition> {
        self.active.values().flat_map(|active| &active.definitions).map(|(definition, _)| *definition)
    }

    /// Returns the active executions of a workflow, oldest first: all, or those of these
    /// correlation keys.
    fn active(&self, workflow: &str, correlations: Option<BTreeSet<&str>>) -> Vec<u64> {
        let Some(active) = self.active.get(workflow) else { return Vec::new() };
        let Some(correlations) = correlations else { return active.all.iter().copied().collect() };
        let of_each = correlations.into_iter().filter_map(|value| active.by_correlation.get(value));
        of_each.flatten().copied().collect::<BTreeSet<u64>>().into_iter().collect()
    }

    fn subscriber(&self, number: u64) -> &Subscriber {
        self.all.get(&number).map(R::as_ref).expect("the core asks about executions that it was answered")
    }
}

/// The owner of records, which may start executions.
pub(super) trait Owner {
    /// The record of an execution.
    type Record: AsRef<Subscriber> + AsMut<Subscriber>;

    /// Returns the records.
    fn records(&mut self) -> &mut Records<Self::Record>;

    /// Starts the execution that an event starts. Returns its number, or `None` if nothing starts
    /// now.
    fn start(
        &mut self,
        trigger: &TriggerMatch,
        event: &CloudEvent,
        at: Timestamp,
        wakers: &mut Vec<Waker>,
    ) -> Option<u64>;
}

/// A delivery, under the lock of the records.
pub(super) struct EventDelivery<'a, O> {
    pub owner: O,
    pub now: Timestamp,
    /// The number of events to remember for deduplication.
    pub remembered: usize,
    /// The number of executions that have received an event.
    pub delivered: usize,
    /// The tasks to wake after the lock is released. A woken task may take the lock.
    pub wakers: &'a mut Vec<Waker>,
}

impl<O: Owner> Store for EventDelivery<'_, O> {
    type Execution = u64;
    type Error = Infallible;

    fn subscribers(&mut self, workflow: &str, kinds: &[RoutedKind]) -> Result<Vec<u64>, Infallible> {
        let records = self.owner.records();
        let mut found = records.active(workflow, only_correlations(kinds));
        // Another version of the workflow may wait for other events.
        found.retain(|number| {
            let events = records.subscriber(*number).definition.events;
            events.iter().any(|event| kinds.iter().any(|kind| kind.name == event.name))
        });
        Ok(found)
    }

    fn in_start_state(&mut self, trigger: &TriggerMatch, event: &CloudEvent) -> Result<Vec<u64>, Infallible> {
        let (now, records) = (self.now, self.owner.records());
        let correlation = trigger.only_correlation(event);
        let mut found = records.active(trigger.definition().name, correlation.as_deref().map(|one| [one].into()));
        found.retain(|number| records.subscriber(*number).is_at_start(now));
        Ok(found)
    }

    fn correlation(&mut self, of: u64) -> Result<Str, Infallible> {
        Ok(self.owner.records().subscriber(of).correlation.clone())
    }

    fn start_condition(&mut self, of: u64, _: &TriggerMatch) -> Result<Option<StartCondition>, Infallible> {
        Ok(self.owner.records().subscriber(of).state.start_condition())
    }

    fn unseen_events(&mut self, of: u64) -> Result<usize, Infallible> {
        Ok(self.owner.records().subscriber(of).state.unseen())
    }

    fn kept_events(&mut self, of: u64) -> Result<usize, Infallible> {
        Ok(self.owner.records().subscriber(of).state.kept())
    }

    fn awaits(&mut self, of: u64, kinds: &[&str]) -> Result<bool, Infallible> {
        Ok(self.owner.records().subscriber(of).state.awaits(kinds))
    }

    fn was_delivered(&mut self, to: Recipient<'_, u64>, event: &CloudEvent) -> Result<bool, Infallible> {
        let records = self.owner.records();
        Ok(match to {
            Recipient::Execution(number) => records.subscriber(number).delivered.contains(event),
            Recipient::Workflow(name) => records.consumed.get(name).is_some_and(|events| events.contains(event)),
        })
    }

    fn mark_delivered(&mut self, to: Recipient<'_, u64>, event: &CloudEvent) -> Result<(), Infallible> {
        let records = self.owner.records();
        let delivered = match to {
            Recipient::Execution(number) => records.all.get_mut(&number).map(|record| &mut record.as_mut().delivered),
            Recipient::Workflow(name) => Some(records.consumed.entry(name.into()).or_default()),
        };
        delivered.into_iter().for_each(|delivered| delivered.mark(event, self.remembered));
        Ok(())
    }

    fn deliver(&mut self, to: u64, event: &Arc<CloudEvent>) -> Result<(), Infallible> {
        let subscriber = self.owner.records().subscriber(to);
        subscriber.state.deliver(event);
        let waker = subscriber.messages.append(Message::Event(event.clone(), 0));
        self.wakers.extend(waker);
        self.delivered += 1;
        Ok(())
    }

    fn start(&mut self, trigger: &TriggerMatch, event: &Arc<CloudEvent>) -> Result<Started<u64>, Infallible> {
        let started = self.owner.start(trigger, event, self.now, self.wakers);
        Ok(started.map_or(Started::Declined, Started::New))
    }
}
