//! The executions of the engine, and their indexes.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::task::Waker;

use futures_util::future::AbortHandle;

use super::history::Lines;
use super::view::{ExecutionView, lock};
use crate::coordination::link::Awaited;
use crate::engine::driver::{Message, MessageQueue};
use crate::engine::memory::hub::DeliveredEvents;
use crate::engine::{Counts, EngineError, Status, Summary};
use crate::machine::{Definition, Op, Outcome, Program, Start};
use crate::task::Invoke;
use crate::time::Timestamp;
use crate::value::{Object, Str, Value};

/// The executions of the engine.
#[derive(Default)]
pub(super) struct State {
    last: u64,
    /// The executions, oldest first.
    pub records: BTreeMap<u64, Record>,
    by_id: HashMap<Str, u64>,
    by_key: HashMap<(&'static str, String), u64>,
    active: HashMap<&'static str, Active>,
    /// The events that have started executions of a workflow, or that one has taken in its start
    /// state.
    pub consumed: HashMap<&'static str, DeliveredEvents>,
    /// The ended executions, in the order of their ends.
    pub ended: VecDeque<u64>,
    /// The executions to drive, which the engine's future has not taken yet.
    pub new: Vec<u64>,
    /// The waker of the engine's future.
    pub waker: Option<Waker>,
    /// `true` once the engine was shut down: nothing is started or changed.
    pub is_closed: bool,
    /// `true` once the engine's future has ended: nothing runs.
    pub is_stopped: bool,
}

/// The executions of a workflow that have not ended.
#[derive(Default)]
struct Active {
    all: BTreeSet<u64>,
    by_correlation: HashMap<Str, BTreeSet<u64>>,
}

/// An execution.
pub(super) struct Record {
    pub id: Str,
    pub program: Program,
    pub tasks: Arc<dyn Invoke>,
    pub input: Value,
    /// The correlation key of the request.
    pub requested_correlation: Option<String>,
    /// The correlation key.
    pub correlation: Str,
    pub settings: Object,
    pub key: Option<String>,
    pub event: Option<(String, String)>,
    pub status: Status,
    pub created: Timestamp,
    pub due: Option<Timestamp>,
    pub started: Option<Timestamp>,
    pub ended: Option<Timestamp>,
    pub outcome: Option<Outcome>,
    /// The parameters of an execution that has not begun.
    pub pending: Option<Box<Start>>,
    pub messages: MessageQueue,
    pub view: Arc<Mutex<ExecutionView>>,
    pub history: Arc<Mutex<Lines>>,
    pub delivered: DeliveredEvents,
    pub link: Option<Link>,
    pub children: Vec<u64>,
    /// `true` if an order to end was sent to the driver.
    pub is_ending: bool,
    /// Ends the wait for a delayed start.
    pub abort: Option<AbortHandle>,
}

/// The link of a child to its parent.
pub(super) struct Link {
    pub parent: u64,
    pub op: Op,
    pub awaited: Awaited,
}

/// Effects to carry out after the lock of the state is released. A woken task may take the lock.
#[derive(Default)]
pub(super) struct Effects {
    pub messages: Vec<(MessageQueue, Message)>,
    pub wakers: Vec<Waker>,
}

impl Effects {
    /// Carries the effects out.
    pub fn run_all(self) {
        self.messages.into_iter().for_each(|(queue, message)| queue.push(message));
        self.wakers.into_iter().for_each(Waker::wake);
    }
}

impl Record {
    /// Returns the summary.
    pub fn summary(&self) -> Summary {
        let definition = self.program.definition;
        let mut summary = Summary::new(&*self.id, definition.name, self.status);
        summary.key.clone_from(&self.key);
        summary.event.clone_from(&self.event);
        summary.created = Some(self.created);
        (summary.due, summary.started, summary.ended) = (self.due, self.started, self.ended);
        summary.hash = Some(definition.hash);
        summary
    }
}

impl State {
    /// Returns the numbers of executions and of waiting events.
    pub fn counts(&self) -> Counts {
        let mut executions = BTreeMap::<(&'static str, Status), u64>::new();
        let (mut inboxes, mut events) = (0, 0);
        for record in self.records.values() {
            *executions.entry((record.program.definition.name, record.status)).or_default() += 1;
            let unseen = if record.status.is_over() { 0 } else { lock(&record.view).unseen.len() as u64 };
            inboxes += u64::from(unseen > 0);
            events += unseen;
        }
        let executions = executions.into_iter().map(|((name, status), number)| (name.to_owned(), status, number));
        Counts::new(executions.collect(), inboxes, events)
    }

    /// Adds an execution.
    pub fn add(&mut self, record: Record, effects: &mut Effects) -> u64 {
        self.last += 1;
        let (number, name) = (self.last, record.program.definition.name);
        self.by_id.insert(record.id.clone(), number);
        if let Some(key) = &record.key {
            self.by_key.insert((name, key.clone()), number);
        }
        let active = self.active.entry(name).or_default();
        active.all.insert(number);
        active.by_correlation.entry(record.correlation.clone()).or_default().insert(number);
        self.records.insert(number, record);
        self.new.push(number);
        effects.wakers.extend(self.waker.take());
        number
    }

    /// Removes an execution.
    pub fn remove(&mut self, number: u64) {
        let Some(record) = self.records.remove(&number) else { return };
        self.deactivate(&record.correlation, record.program.definition, number);
        self.by_id.remove(&record.id);
        if let Some(key) = record.key {
            self.by_key.remove(&(record.program.definition.name, key));
        }
    }

    /// Removes an execution that ends from the index of subscribers.
    pub fn deactivate(&mut self, correlation: &Str, definition: &Definition, number: u64) {
        let Some(active) = self.active.get_mut(definition.name) else { return };
        active.all.remove(&number);
        if let Some(correlated) = active.by_correlation.get_mut(correlation) {
            correlated.remove(&number);
            if correlated.is_empty() {
                active.by_correlation.remove(correlation);
            }
        }
    }

    /// Returns the unfinished executions of a workflow, oldest first: all, or those of these
    /// correlation keys.
    pub fn active(&self, workflow: &str, correlations: Option<BTreeSet<&str>>) -> Vec<u64> {
        let Some(active) = self.active.get(workflow) else { return Vec::new() };
        let Some(correlations) = correlations else { return active.all.iter().copied().collect() };
        let of_each = correlations.into_iter().filter_map(|value| active.by_correlation.get(value));
        of_each.flatten().copied().collect::<BTreeSet<u64>>().into_iter().collect()
    }

    /// Returns the number of the execution of this id, if it exists.
    pub fn number(&self, id: &str) -> Option<u64> {
        self.by_id.get(id).copied()
    }

    /// Returns the number of the execution of a workflow that was started with this key.
    pub fn number_of_key(&self, workflow: &'static str, key: &str) -> Option<u64> {
        self.by_key.get(&(workflow, key.to_owned())).copied()
    }

    /// Returns the execution of this id.
    ///
    /// # Errors
    /// [`EngineError::UnknownExecution`].
    pub fn record(&self, id: &str) -> Result<&Record, EngineError> {
        let found = self.number(id).and_then(|number| self.records.get(&number));
        found.ok_or_else(|| EngineError::UnknownExecution(id.to_owned()))
    }

    /// Checks that the engine takes requests.
    ///
    /// # Errors
    /// [`EngineError::Stopped`].
    pub fn check_open(&self) -> Result<(), EngineError> {
        if self.is_closed { Err(EngineError::Stopped) } else { Ok(()) }
    }

    /// Takes the wakers of all who watch an execution.
    pub fn wake_all(&mut self, effects: &mut Effects) {
        self.records.values().for_each(|record| effects.wakers.extend(lock(&record.view).wake()));
    }
}
