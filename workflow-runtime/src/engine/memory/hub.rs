//! What executions in memory share: the workflows that they can start, and the events that they send each other.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use super::starting::{Starting, Stay};
use crate::clock::Clock;
use crate::engine::driver::{Driver, Journal, Letter, Mailbox};
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::machine::{Definition, Execution, First, Program, Workflow, called};
use crate::observe::Observer;
use crate::task::{Invoke, TaskFuture};
use crate::time::Timestamp;
use crate::value::{Str, Value};

/// How many events an execution remembers to have been given, if nothing else is said: a state that is tried again publishes its own
/// once more.
const REMEMBERED: usize = 1_000;

/// What executions in memory share: the workflows that they can start by name, and events. A clone is the same.
///
/// Give it to executions with [`Builder::hub`](crate::Builder::hub).
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
    /// How many events an execution is known to have been given.
    remembered: AtomicUsize,
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
pub(super) struct Live {
    last: u64,
    pub executions: BTreeMap<u64, Listener>,
    /// Runs what events start, if something does.
    pub starting: Option<Starting>,
}

/// An execution that may wait for events.
pub(super) struct Listener {
    pub id: Str,
    pub correlation: Str,
    pub definition: &'static Definition,
    pub mailbox: Mailbox,
    pub given: Given,
    /// What it was given for the first state, and whether it is there, if events start such executions.
    pub first: Option<(First, Arc<Stay>)>,
}

/// What an execution was given last of what others publish: sources and ids.
#[derive(Default)]
pub(super) struct Given {
    known: HashSet<(Str, Str)>,
    in_order: VecDeque<(Str, Str)>,
}

impl Given {
    /// Notes an event; `false` if it was noted before.
    pub fn note(&mut self, event: &CloudEvent, most: usize) -> bool {
        let name = (event.source.clone(), event.id.clone());
        if !self.known.insert(name.clone()) {
            return false;
        }
        self.in_order.push_back(name);
        while self.in_order.len() > most {
            let Some(oldest) = self.in_order.pop_front() else { break };
            self.known.remove(&oldest);
        }
        true
    }

    /// Whether an event was noted.
    pub fn has(&self, event: &CloudEvent) -> bool {
        self.known.contains(&(event.source.clone(), event.id.clone()))
    }
}

impl Listener {
    pub fn waits_for(&self, event: &CloudEvent) -> bool {
        self.definition.events.iter().any(|kind| kind.is_for(event, &self.correlation))
    }
}

impl Live {
    /// Lets an execution hear of events.
    pub fn add(&mut self, hub: &Hub, listener: Listener) -> Listening {
        self.last += 1;
        self.executions.insert(self.last, listener);
        Listening(hub.clone(), self.last)
    }
}

/// An execution hears of events as long as this lives.
pub struct Listening(Hub, u64);

impl Drop for Listening {
    fn drop(&mut self) {
        let gone = lock(&self.0.0.live).executions.remove(&self.1);
        drop(gone);
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

    /// Whether executions of a workflow can be started now.
    pub(in crate::engine) fn is_active(&self, definition: &Definition, now: Timestamp) -> bool {
        definition.schedule.is_none_or(|schedule| schedule.admits(definition.name, now, self.deployed(now)).is_ok())
    }

    /// When the first execution was started whose schedule is counted from then: now, if this is the first.
    pub(super) fn deployed(&self, now: Timestamp) -> Timestamp {
        *lock(&self.0.deployed).get_or_insert(now)
    }

    /// How many events are remembered to have been given to an execution, or to have started one: those are not given to it again when
    /// a state is tried again that publishes them, and start nothing more. By default 1,000, for each execution and workflow.
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

    pub(super) fn workflows(&self) -> Vec<(Program, Arc<dyn Invoke>)> {
        lock(&self.0.workflows).clone()
    }

    /// Delivers an event to every execution whose definition waits for such events, now or later; and lets it start some, if
    /// somebody [runs](Hub::run_started) those. How many have it.
    pub fn publish(&self, event: CloudEvent) -> usize {
        let event = Arc::new(event);
        let mut live = self.live();
        if live.starting.is_none() {
            drop(live);
            return self.deliver(&event, |_| true);
        }
        let (mailboxes, waker) = self.publish_and_start(&mut live, &event);
        // Whoever is woken may want to know who listens.
        drop(live);
        mailboxes.iter().for_each(|mailbox| mailbox.push(Letter::Event(event.clone(), 0)));
        waker.into_iter().for_each(Waker::wake);
        mailboxes.len()
    }

    /// Delivers an event that an execution publishes likewise, but to none twice.
    pub(in crate::engine) fn publish_once(&self, event: &Arc<CloudEvent>) {
        let most = self.remembered();
        self.deliver(event, |listener| listener.given.note(event, most));
    }

    /// Delivers an event to the execution of this id, if it runs and its definition waits for such events.
    pub fn send(&self, execution: &str, event: CloudEvent) -> bool {
        self.deliver(&Arc::new(event), |listener| *listener.id == *execution) > 0
    }

    fn deliver(&self, event: &Arc<CloudEvent>, to: impl Fn(&mut Listener) -> bool) -> usize {
        let mut live = lock(&self.0.live);
        let listeners = live.executions.values_mut();
        let those = listeners.filter_map(|listener| match listener.waits_for(event) && to(listener) {
            true => {
                listener.note_first(event);
                Some(listener.mailbox.clone())
            }
            false => None,
        });
        let mailboxes: Vec<Mailbox> = those.collect();
        // Whoever is woken may want to know who listens.
        drop(live);
        mailboxes.iter().for_each(|mailbox| mailbox.push(Letter::Event(event.clone(), 0)));
        mailboxes.len()
    }

    fn listen(&self, execution: &dyn Execution, mailbox: Mailbox, stay: Option<Arc<Stay>>) -> Listening {
        let (id, correlation) = (execution.id().clone(), execution.correlation().clone());
        let definition = execution.definition();
        let first = First::new(definition, correlation.clone()).zip(stay);
        let listener = Listener { id, correlation, definition, mailbox, given: Given::default(), first };
        self.live().add(self, listener)
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
    let stay = Stay::of(driver.execution());
    if let Some(stay) = &stay {
        driver.watch_first(stay.clone());
    }
    Some(hub.listen(driver.execution(), mailbox, stay))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
