//! What executions in memory share: the workflows that they can start, and the events that they send each other.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::clock::Clock;
use crate::engine::driver::{Driver, Journal, Letter, Mailbox};
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::machine::{Definition, Execution, Program, Workflow, called};
use crate::observe::Observer;
use crate::task::{Invoke, TaskFuture};
use crate::time::Timestamp;
use crate::value::{Str, Value};

/// How many events of other executions one remembers to have been given: a state that is tried again publishes its own once more.
const REMEMBERED: usize = 1_000;

/// What executions in memory share: the workflows that they can start by name, and events. A clone is the same.
///
/// Give it to executions with [`Builder::hub`](crate::Builder::hub).
#[derive(Clone, Default)]
pub struct Hub(Arc<Shared>);

#[derive(Default)]
struct Shared {
    workflows: Mutex<Vec<(Program, Arc<dyn Invoke>)>>,
    stand_ins: Mutex<Vec<(Str, StandIn)>>,
    live: Mutex<Live>,
    /// When the first execution was started whose schedule is counted from then.
    deployed: Mutex<Option<Timestamp>>,
    observers: Mutex<Vec<Watch>>,
}

/// Makes who is told what happens in an execution.
type Watch = Box<dyn Fn() -> Box<dyn Observer> + Send>;

/// Runs in the place of a workflow.
pub(in crate::engine) type StandIn = Arc<dyn Fn(Value, &Hub, Arc<dyn Clock>) -> TaskFuture<'static> + Send + Sync>;

#[derive(Default)]
struct Live {
    last: u64,
    executions: BTreeMap<u64, Listener>,
}

/// An execution that may wait for events.
struct Listener {
    id: Str,
    correlation: Str,
    definition: &'static Definition,
    mailbox: Mailbox,
    given: Given,
}

/// What an execution was given last of what others publish: sources and ids.
#[derive(Default)]
struct Given {
    known: HashSet<(Str, Str)>,
    in_order: VecDeque<(Str, Str)>,
}

impl Given {
    /// Notes an event; `false` if it was noted before.
    fn note(&mut self, event: &CloudEvent) -> bool {
        let name = (event.source.clone(), event.id.clone());
        if !self.known.insert(name.clone()) {
            return false;
        }
        self.in_order.push_back(name);
        if self.in_order.len() > REMEMBERED
            && let Some(oldest) = self.in_order.pop_front()
        {
            self.known.remove(&oldest);
        }
        true
    }
}

impl Listener {
    fn waits_for(&self, event: &CloudEvent) -> bool {
        self.definition.events.iter().any(|kind| kind.is_for(event, &self.correlation))
    }
}

/// An execution hears of events as long as this lives.
pub struct Listening(Hub, u64);

impl Drop for Listening {
    fn drop(&mut self) {
        lock(&self.0.0.live).executions.remove(&self.1);
    }
}

impl Hub {
    /// Shares nothing yet.
    pub fn new() -> Hub {
        Hub::default()
    }

    /// Lets executions start the workflow `W`, with these tasks: by its name, or by its id and version, if it has such.
    pub fn workflow<W: Workflow>(self, tasks: impl Invoke + 'static) -> Hub {
        lock(&self.0.workflows).push((Program::of::<W>(), Arc::new(tasks)));
        self
    }

    /// Has this run where an execution starts a workflow of this name, with what that would be given, the hub and the clock
    /// of the execution. For tests of the one that starts it. Of two for one name the later one runs.
    pub fn stand_in(
        self,
        name: impl Into<Str>,
        run: impl Fn(Value, &Hub, Arc<dyn Clock>) -> TaskFuture<'static> + Send + Sync + 'static,
    ) -> Hub {
        lock(&self.0.stand_ins).push((name.into(), Arc::new(run)));
        self
    }

    /// Has an observer made for every execution that is started by another one.
    pub fn observer<O: Observer + 'static>(self, observer: impl Fn() -> O + Send + 'static) -> Hub {
        lock(&self.0.observers).push(Box::new(move || Box::new(observer())));
        self
    }

    /// When the first execution was started whose schedule is counted from then: now, if this is the first.
    pub(super) fn deployed(&self, now: Timestamp) -> Timestamp {
        *lock(&self.0.deployed).get_or_insert(now)
    }

    /// Delivers an event to every execution whose definition waits for such events, now or later. How many those are.
    pub fn publish(&self, event: CloudEvent) -> usize {
        self.deliver(&Arc::new(event), |_| true)
    }

    /// Delivers an event that an execution publishes likewise, but to none twice.
    pub(in crate::engine) fn publish_once(&self, event: &Arc<CloudEvent>) {
        self.deliver(event, |listener| listener.given.note(event));
    }

    /// Delivers an event to the execution of this id, if it runs and its definition waits for such events.
    pub fn send(&self, execution: &str, event: CloudEvent) -> bool {
        self.deliver(&Arc::new(event), |listener| *listener.id == *execution) > 0
    }

    fn deliver(&self, event: &Arc<CloudEvent>, to: impl Fn(&mut Listener) -> bool) -> usize {
        let mut live = lock(&self.0.live);
        let listeners = live.executions.values_mut();
        let those = listeners.filter_map(|listener| match listener.waits_for(event) && to(listener) {
            true => Some(listener.mailbox.clone()),
            false => None,
        });
        let mailboxes: Vec<Mailbox> = those.collect();
        // Whoever is woken may want to know who listens.
        drop(live);
        mailboxes.iter().for_each(|mailbox| mailbox.push(Letter::Event(event.clone(), 0)));
        mailboxes.len()
    }

    fn listen(&self, execution: &dyn Execution, mailbox: Mailbox) -> Listening {
        let mut live = lock(&self.0.live);
        live.last += 1;
        let number = live.last;
        let (id, correlation) = (execution.id().clone(), execution.correlation().clone());
        let definition = execution.definition();
        live.executions.insert(number, Listener { id, correlation, definition, mailbox, given: Given::default() });
        Listening(self.clone(), number)
    }

    /// The workflow that `target` means, with its tasks: one of those here, or else the one that asks, whose tasks are its own.
    pub(in crate::engine) fn find(
        &self,
        target: &str,
        own: Program,
    ) -> Result<(Program, Option<Arc<dyn Invoke>>), Fault> {
        let workflows = lock(&self.0.workflows);
        let known = workflows.iter().map(|(program, _)| program.definition);
        let found = called(target, known.chain([own.definition]))?;
        let shared = workflows.iter().find(|(program, _)| std::ptr::eq(program.definition, found));
        Ok(shared.map_or((own, None), |(program, tasks)| (*program, Some(tasks.clone()))))
    }

    /// What runs in the place of the workflow of this name.
    pub(in crate::engine) fn stand_in_for(&self, name: &str) -> Option<StandIn> {
        lock(&self.0.stand_ins).iter().rev().find(|(known, _)| **known == *name).map(|(_, run)| run.clone())
    }

    /// Observers for an execution that another one starts.
    pub(in crate::engine) fn observers(&self) -> Vec<Box<dyn Observer>> {
        lock(&self.0.observers).iter().map(|watch| watch()).collect()
    }
}

/// Lets the execution of a driver hear of the events of a hub, as long as what this returns lives, if its definition waits
/// for any.
pub fn hear<J: Journal>(driver: &mut Driver<'_, J>, hub: &Hub) -> Option<Listening> {
    let definition = driver.execution().definition();
    if definition.events.is_empty() {
        return None;
    }
    let mailbox = driver.mailbox();
    Some(hub.listen(driver.execution(), mailbox))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
