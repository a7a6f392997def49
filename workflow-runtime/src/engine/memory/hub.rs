//! Workflows and events shared between the executions in memory.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use super::event_triggers::EventTriggers;
use super::store::{Delivered, publish_event, send_event};
use super::subscriber_state::SubscriberState;
use crate::clock::Clock;
use crate::coordination::Published;
use crate::engine::driver::{Driver, Journal, MessageQueue};
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::machine::{Definition, Execution, Program, StartCondition, Workflow, resolve_workflow};
use crate::observe::Observer;
use crate::task::{Invoke, TaskFuture};
use crate::time::Timestamp;
use crate::value::{Str, Value};

/// The default number of events that an execution remembers for deduplication: a retried state
/// publishes its events again.
const REMEMBERED: usize = 1_000;

/// Workflows and events shared between executions in memory. A clone is the same hub.
///
/// Pass it to executions with [`Builder::hub`](crate::Builder::hub).
///
/// ```
/// use workflow_runtime::task::Invoke;
/// use workflow_runtime::{Builder, CloudEvent, Fault, Hub, Value, Workflow};
///
/// async fn order<Order: Workflow, Payment: Workflow>(tasks: impl Invoke, bank: impl Invoke +
/// 'static) -> Result<Value, Fault> {
///     // `Order` starts `Payment` by its name, and waits for an event.
///     let hub = Hub::new().workflow::<Payment>(bank);
///     let order = Builder::<Order>::new().hub(&hub).tasks(tasks).run(Value::Null);
///     hub.publish(CloudEvent::new("17", "/courier", "parcel.delivered"));
///     order.await
/// }
/// ```
#[derive(Clone)]
pub struct Hub(Arc<Shared>);

impl Default for Hub {
    fn default() -> Hub {
        Hub(Arc::new(Shared {
            remembered: AtomicUsize::new(REMEMBERED),
            workflows: Mutex::default(),
            stand_ins: Mutex::default(),
            live: Mutex::default(),
            deployed: Mutex::default(),
            observers: Mutex::default(),
        }))
    }
}

struct Shared {
    /// The number of events that an execution remembers for deduplication.
    remembered: AtomicUsize,
    workflows: Mutex<Vec<(Program, Arc<dyn Invoke>)>>,
    stand_ins: Mutex<Vec<(Str, StandIn)>>,
    live: Mutex<Live>,
    /// The time at which the first execution was started, from which schedules count.
    deployed: Mutex<Option<Timestamp>>,
    observers: Mutex<Vec<ObserverFactory>>,
}

/// Creates an observer for an execution.
type ObserverFactory = Box<dyn Fn() -> Box<dyn Observer> + Send>;

/// A replacement of a workflow.
pub(in crate::engine) type StandIn = Arc<dyn Fn(Value, &Hub, Arc<dyn Clock>) -> TaskFuture<'static> + Send + Sync>;

#[derive(Default)]
pub(super) struct Live {
    last: u64,
    pub executions: BTreeMap<u64, Subscriber>,
    /// The executions that events start, if someone runs them.
    pub triggers: Option<EventTriggers>,
}

/// An execution that may wait for events.
pub(super) struct Subscriber {
    pub id: Str,
    pub correlation: Str,
    pub definition: &'static Definition,
    pub messages: MessageQueue,
    pub delivered: DeliveredEvents,
    /// The start condition of the execution with the events recorded so far, if events start its
    /// workflow.
    pub start: Option<StartCondition>,
    pub progress: Arc<SubscriberState>,
}

/// The sources and ids of the last events delivered to an execution.
#[derive(Default)]
pub(super) struct DeliveredEvents {
    ids: HashSet<(Str, Str)>,
    oldest_first: VecDeque<(Str, Str)>,
}

impl DeliveredEvents {
    /// Marks an event as delivered. Remembers at most `most` events.
    pub fn mark(&mut self, event: &CloudEvent, most: usize) {
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

    /// Returns `true` if an event was marked and is still remembered.
    pub fn contains(&self, event: &CloudEvent) -> bool {
        self.ids.contains(&(event.source.clone(), event.id.clone()))
    }
}

impl Subscriber {
    pub fn waits_for(&self, event: &CloudEvent) -> bool {
        self.definition.events.iter().any(|kind| kind.is_for(event, &self.correlation))
    }
}

impl Live {
    /// Adds a subscriber.
    pub fn add(&mut self, hub: &Hub, subscriber: Subscriber) -> Subscription {
        self.last += 1;
        self.executions.insert(self.last, subscriber);
        Subscription(hub.clone(), self.last)
    }
}

/// The subscription of an execution to events. Ends when dropped.
pub struct Subscription(Hub, u64);

impl Subscription {
    /// Returns the number of the subscriber.
    pub(super) fn number(&self) -> u64 {
        self.1
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let subscriber = lock(&self.0.0.live).executions.remove(&self.1);
        drop(subscriber);
    }
}

impl Hub {
    /// Creates a hub without workflows.
    pub fn new() -> Hub {
        Hub::default()
    }

    /// Registers the workflow `W` with its tasks. Executions can start it by its name, or by its
    /// id and version.
    pub fn workflow<W: Workflow>(self, tasks: impl Invoke + 'static) -> Hub {
        lock(&self.0.workflows).push((Program::of::<W>(), Arc::new(tasks)));
        self
    }

    /// Replaces the workflow of this name by a function when an execution starts it. The function
    /// receives the input, the hub and the clock. For tests of the parent workflow. The last
    /// replacement of a name counts.
    pub fn stand_in(
        self,
        name: impl Into<Str>,
        run: impl Fn(Value, &Hub, Arc<dyn Clock>) -> TaskFuture<'static> + Send + Sync + 'static,
    ) -> Hub {
        lock(&self.0.stand_ins).push((name.into(), Arc::new(run)));
        self
    }

    /// Creates an observer for every child execution and every execution that an event starts.
    pub fn observer<O: Observer + 'static>(self, observer: impl Fn() -> O + Send + 'static) -> Hub {
        lock(&self.0.observers).push(Box::new(move || Box::new(observer())));
        self
    }

    /// Returns `true` if the workflow can be started now.
    pub(in crate::engine) fn is_active(&self, definition: &Definition, now: Timestamp) -> bool {
        definition.check_schedule(now, || self.deployed(now)).is_ok()
    }

    /// Returns the time at which the first execution was started, which is `now` for the first
    /// one. Schedules count from this time.
    pub(super) fn deployed(&self, now: Timestamp) -> Timestamp {
        *lock(&self.0.deployed).get_or_insert(now)
    }

    /// Sets the number of events that are remembered for deduplication, for each execution and
    /// each workflow. An execution never receives a remembered event again, for instance when a
    /// retried state publishes it, and a remembered event starts no second execution. The default
    /// is 1,000.
    pub fn remember_events(self, most: usize) -> Hub {
        self.0.remembered.store(most, Ordering::Relaxed);
        self
    }

    pub(super) fn remembered(&self) -> usize {
        self.0.remembered.load(Ordering::Relaxed)
    }

    pub(super) fn live(&self) -> MutexGuard<'_, Live> {
        lock(&self.0.live)
    }

    /// Returns the definitions of the registered workflows.
    pub(super) fn definitions(&self) -> Vec<&'static Definition> {
        lock(&self.0.workflows).iter().map(|(program, _)| program.definition).collect()
    }

    /// Returns the registered workflow of this definition.
    pub(super) fn registered(&self, definition: &Definition) -> Option<(Program, Arc<dyn Invoke>)> {
        let workflows = lock(&self.0.workflows);
        let found = workflows.iter().find(|(program, _)| std::ptr::eq(program.definition, definition));
        found.map(|(program, tasks)| (*program, tasks.clone()))
    }

    /// Publishes an event. Delivers it to every execution whose definition awaits such events, now
    /// or later, unless the execution has it or its inbox is full. If
    /// [`run_started`](Hub::run_started) is running, the event can start executions. Returns the
    /// number of executions that have received it now.
    pub fn publish(&self, event: CloudEvent) -> usize {
        self.deliver(|live| publish_event(self, live, Arc::new(event), true)).receivers
    }

    /// Publishes an event as [`publish`](Hub::publish) does. Returns the numbers of executions
    /// that have it, also from an earlier delivery, and of those whose inboxes are full. For these
    /// the event is to be published again.
    #[doc(hidden)]
    pub fn publish_and_count(&self, event: CloudEvent) -> Published<u64> {
        self.deliver(|live| publish_event(self, live, Arc::new(event), true)).result
    }

    /// Delivers an event that an execution publishes, as [`publish`](Hub::publish) does, but
    /// starts nothing.
    pub(in crate::engine) fn publish_from_inside(&self, event: &Arc<CloudEvent>) {
        self.deliver(|live| publish_event(self, live, event.clone(), false));
    }

    /// Delivers an event to the execution of this id. Returns `true` if the execution has it:
    /// `false` if it is not running, its definition does not await such events, or its inbox is
    /// full.
    pub fn send(&self, execution: &str, event: CloudEvent) -> bool {
        let sent = self.deliver(|live| {
            let mut subscribers = live.executions.iter();
            match subscribers.find(|(_, subscriber)| *subscriber.id == *execution).map(|(number, _)| *number) {
                Some(number) => send_event(self, live, number, Arc::new(event)),
                None => Delivered { result: false, receivers: 0, wakers: Vec::new() },
            }
        });
        sent.result
    }

    /// Delivers an event while the subscribers are locked, and wakes the receivers afterwards.
    fn deliver<T>(&self, deliver: impl FnOnce(&mut Live) -> Delivered<T>) -> Delivered<T> {
        let mut delivered = {
            let mut live = self.live();
            deliver(&mut live)
        };
        std::mem::take(&mut delivered.wakers).into_iter().for_each(Waker::wake);
        delivered
    }

    fn add_subscriber(
        &self,
        execution: &dyn Execution,
        messages: MessageQueue,
        progress: Arc<SubscriberState>,
    ) -> Subscription {
        let (id, correlation) = (execution.info().id().clone(), execution.info().correlation().clone());
        let definition = execution.info().definition();
        let start = StartCondition::new(definition, correlation.clone());
        let delivered = DeliveredEvents::default();
        let subscriber = Subscriber { id, correlation, definition, messages, delivered, start, progress };
        self.live().add(self, subscriber)
    }

    /// Returns the workflow named by `target` and its tasks: a registered workflow, or the
    /// caller's own, without tasks.
    pub(in crate::engine) fn find_workflow(
        &self,
        target: &str,
        own: Program,
    ) -> Result<(Program, Option<Arc<dyn Invoke>>), Fault> {
        let workflows = lock(&self.0.workflows);
        let registered = workflows.iter().map(|(program, _)| program.definition);
        let definition = resolve_workflow(target, registered.chain([own.definition]))?;
        let shared = workflows.iter().find(|(program, _)| std::ptr::eq(program.definition, definition));
        Ok(shared.map_or((own, None), |(program, tasks)| (*program, Some(tasks.clone()))))
    }

    /// Returns the replacement of the workflow of this name.
    pub(in crate::engine) fn stand_in_for(&self, name: &str) -> Option<StandIn> {
        lock(&self.0.stand_ins).iter().rev().find(|(replaced, _)| **replaced == *name).map(|(_, run)| run.clone())
    }

    /// Returns observers for a child execution.
    pub(in crate::engine) fn observers(&self) -> Vec<Box<dyn Observer>> {
        lock(&self.0.observers).iter().map(|factory| factory()).collect()
    }
}

/// Subscribes the execution of a driver to the events of a hub, if its definition awaits events.
/// The subscription lasts until the returned value is dropped.
pub fn subscribe<J: Journal>(driver: &mut Driver<'_, J>, hub: &Hub) -> Option<Subscription> {
    let definition = driver.execution().info().definition();
    if definition.events.is_empty() {
        return None;
    }
    let messages = driver.messages();
    let progress = SubscriberState::new();
    driver.track_progress(progress.clone());
    Some(hub.add_subscriber(driver.execution(), messages, progress))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
