//! Workflows and events shared between the executions in memory.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use super::ProblemReport;
use super::records::{EventDelivery, Owner, Records, Subscriber};
use crate::clock::Clock;
use crate::coordination::{Addressee, Published, RoutedEvent, Sent, Status, publish, send};
use crate::engine::EngineError;
use crate::engine::driver::{Driver, Journal};
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::machine::{Definition, Program, TriggerMatch, Workflow, resolve_workflow};
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
            subscribers: Mutex::default(),
            deployed: Mutex::default(),
            observers: Mutex::default(),
            on_problem: Mutex::default(),
        }))
    }
}

struct Shared {
    /// The number of events that an execution remembers for deduplication.
    remembered: AtomicUsize,
    workflows: Mutex<Vec<(Program, Arc<dyn Invoke>)>>,
    stand_ins: Mutex<Vec<(Str, StandIn)>>,
    subscribers: Mutex<Subscribers>,
    /// The time at which the first execution was started, from which schedules count.
    deployed: Mutex<Option<Timestamp>>,
    observers: Mutex<Vec<Arc<Mutex<ObserverFactory>>>>,
    on_problem: Mutex<Option<Arc<ProblemReport>>>,
}

/// Creates an observer for an execution.
type ObserverFactory = Box<dyn Fn() -> Box<dyn Observer> + Send>;

/// A replacement of a workflow.
pub(in crate::engine) type StandIn = Arc<dyn Fn(Value, &Hub, Arc<dyn Clock>) -> TaskFuture<'static> + Send + Sync>;

/// The subscription of an execution to events. Ends when dropped.
pub struct Subscription(Hub, u64);

impl Drop for Subscription {
    fn drop(&mut self) {
        let subscriber = lock(&self.0.0.subscribers).remove(self.1);
        drop(subscriber);
    }
}

/// The executions that receive events.
#[derive(Default)]
struct Subscribers {
    records: Records<Subscriber>,
    /// Their ids, which need not be unique, with their numbers.
    by_id: BTreeSet<(Str, u64)>,
}

impl Subscribers {
    fn add(&mut self, subscriber: Subscriber) -> u64 {
        let id = subscriber.id.clone();
        let number = self.records.add(subscriber);
        self.by_id.insert((id, number));
        number
    }

    fn remove(&mut self, number: u64) -> Option<Subscriber> {
        let subscriber = self.records.remove(number)?;
        self.by_id.remove(&(subscriber.id.clone(), number));
        Some(subscriber)
    }

    /// Returns the number of the oldest execution of this id, and its workflow.
    fn find(&self, id: &str) -> Option<(u64, &'static str)> {
        let (_, number) = self.by_id.range((Str::from(id), 0)..).next().filter(|(found, _)| **found == *id)?;
        let subscriber = self.records.all.get(number)?;
        Some((*number, subscriber.definition.name))
    }
}

/// A hub starts nothing: see [`MemoryEngine`](crate::MemoryEngine).
impl Owner for &mut Subscribers {
    type Record = Subscriber;

    fn records(&mut self) -> &mut Records<Subscriber> {
        &mut self.records
    }

    fn start(&mut self, _: &TriggerMatch, _: &CloudEvent, _: Timestamp, _: &mut Vec<Waker>) -> Option<u64> {
        None
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

    /// Creates an observer for every child execution.
    pub fn observer<O: Observer + 'static>(self, observer: impl Fn() -> O + Send + 'static) -> Hub {
        let factory: ObserverFactory = Box::new(move || Box::new(observer()));
        lock(&self.0.observers).push(Arc::new(Mutex::new(factory)));
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

    /// Sets the number of events that are remembered for deduplication, for each execution. An
    /// execution never receives a remembered event again, for instance when a retried state
    /// publishes it. The default is 1,000.
    pub fn remember_events(self, most: usize) -> Hub {
        self.0.remembered.store(most, Ordering::Relaxed);
        self
    }

    /// Sets the receiver of problems that no caller receives: an event that an execution publishes
    /// and another declines, because its inbox is full.
    pub fn on_problem(self, report: impl Fn(&EngineError) + Send + Sync + 'static) -> Hub {
        *lock(&self.0.on_problem) = Some(Arc::new(report));
        self
    }

    /// Publishes an event. Delivers it to every execution whose definition awaits such events, now
    /// or later, unless the execution has it or its inbox is full. Returns the number of
    /// executions that have received it now.
    ///
    /// A hub starts no executions. [`MemoryEngine`](crate::MemoryEngine) does.
    pub fn publish(&self, event: CloudEvent) -> usize {
        self.deliver(Arc::new(event), publish_inside).1
    }

    /// Publishes an event as [`publish`](Hub::publish) does. Returns the numbers of executions
    /// that have it, also from an earlier delivery, and of those whose inboxes are full. For these
    /// the event is to be published again.
    #[doc(hidden)]
    pub fn publish_and_count(&self, event: CloudEvent) -> Published<u64> {
        self.deliver(Arc::new(event), publish_inside).0
    }

    /// Delivers an event that an execution publishes, as [`publish`](Hub::publish) does. Reports
    /// the first execution with a full inbox.
    pub(in crate::engine) fn publish_from_inside(&self, event: &Arc<CloudEvent>) {
        let (full, _) = self.deliver(event.clone(), |delivery, event| {
            let full = publish_inside(delivery, event).first_full?;
            delivery.owner.records.all.get(&full).map(|subscriber| subscriber.id.to_string())
        });
        let report = full.and_then(|id| Some((lock(&self.0.on_problem).clone()?, id)));
        report.into_iter().for_each(|(report, id)| report(&EngineError::InboxFull(id)));
    }

    /// Delivers an event to the execution of this id. Returns `true` if the execution has it:
    /// `false` if it is not running, its definition does not await such events, or its inbox is
    /// full.
    pub fn send(&self, execution: &str, event: CloudEvent) -> bool {
        let sent = self.deliver(Arc::new(event), |delivery, event| {
            let Some((number, workflow)) = delivery.owner.find(execution) else { return false };
            let to = Addressee { execution: number, workflow, status: Status::Running };
            let Ok(sent) = send(delivery, to, std::slice::from_ref(event));
            matches!(sent, Sent::Delivered(_))
        });
        sent.0
    }

    /// Delivers an event while the subscribers are locked, and wakes the receivers afterwards.
    /// Returns their number, too.
    fn deliver<T>(
        &self,
        event: Arc<CloudEvent>,
        deliver: impl FnOnce(&mut EventDelivery<'_, &mut Subscribers>, &RoutedEvent) -> T,
    ) -> (T, usize) {
        let mut wakers = Vec::new();
        let result = {
            let owner = &mut *lock(&self.0.subscribers);
            let mut event = RoutedEvent::new(event, owner.records.definitions());
            // Nothing starts: an execution in its start state receives an event like the others.
            event.starts.clear();
            let remembered = self.0.remembered.load(Ordering::Relaxed);
            let now = Timestamp::default();
            let mut delivery = EventDelivery { owner, now, remembered, delivered: 0, wakers: &mut wakers };
            (deliver(&mut delivery, &event), delivery.delivered)
        };
        wakers.into_iter().for_each(Waker::wake);
        result
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
        // A factory may use the hub.
        let factories = lock(&self.0.observers).clone();
        factories.iter().map(|factory| lock(factory)()).collect()
    }
}

/// Subscribes the execution of a driver to the events of a hub, if its definition awaits events.
/// The subscription lasts until the returned value is dropped.
pub fn subscribe<J: Journal>(driver: &mut Driver<'_, J>, hub: &Hub) -> Option<Subscription> {
    let definition = driver.execution().info().definition();
    if definition.events.is_empty() {
        return None;
    }
    let (id, correlation) = (driver.execution().info().id().clone(), driver.execution().info().correlation().clone());
    let mut subscriber = Subscriber::new(id, correlation, definition, None);
    subscriber.messages = driver.messages();
    driver.track_progress(subscriber.state.clone());
    let number = lock(&hub.0.subscribers).add(subscriber);
    Some(Subscription(hub.clone(), number))
}

fn publish_inside(delivery: &mut EventDelivery<'_, &mut Subscribers>, event: &RoutedEvent) -> Published<u64> {
    let Ok(published) = publish(delivery, event, false, Timestamp::default());
    published
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
