//! The executions of the engine, and their indexes.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, Weak};
use std::task::Waker;

use futures_util::future::AbortHandle;

use super::history::Lines;
use super::view::{ExecutionView, lock};
use crate::coordination::link::Awaited;
use crate::engine::memory::records::{Records, Subscriber};
use crate::engine::{Counts, EngineError, Status, Summary};
use crate::machine::{Call, Op, Part, Program, StartCondition};
use crate::task::Invoke;
use crate::time::Timestamp;
use crate::value::{Object, Str, Value};

/// The executions of the engine.
#[derive(Default)]
pub(super) struct State {
    pub records: Records<Record>,
    by_id: HashMap<Str, u64>,
    by_key: HashMap<(&'static str, String), u64>,
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

/// An execution.
pub(super) struct Record {
    pub subscriber: Subscriber,
    pub program: Program,
    pub tasks: Arc<dyn Invoke>,
    pub input: Value,
    /// The correlation key of the request.
    pub requested_correlation: Option<String>,
    /// The correlation key, if it is not the id.
    pub own_correlation: Option<Str>,
    pub settings: Object,
    pub key: Option<String>,
    /// The source and id of the event that has started it.
    pub event: Option<(String, String)>,
    /// The part of the workflow that it runs.
    pub part: Option<Part>,
    pub status: Status,
    pub created: Timestamp,
    pub started: Option<Timestamp>,
    pub ended: Option<Timestamp>,
    pub view: Arc<Mutex<ExecutionView>>,
    pub history: Arc<Mutex<Lines>>,
    pub link: Option<Link>,
    /// The children that the engine keeps.
    pub children: BTreeSet<u64>,
    /// Ends the wait for a delayed start.
    pub abort: Option<AbortHandle>,
}

/// The link of a child to its parent.
pub(super) struct Link {
    pub parent: u64,
    pub op: Op,
    pub awaited: Awaited,
    /// The request for a child that was detached from the beginning.
    pub detached: Option<Detached>,
}

/// The request for a detached child, with what the report of its failure names: the child may
/// outlast the record of its parent.
#[derive(Clone)]
pub(super) struct Detached {
    pub call: Arc<Call>,
    /// The id of the parent, and its workflow.
    pub parent: Str,
    pub workflow: &'static str,
    /// The history of the parent, while the engine keeps it.
    pub history: Weak<Mutex<Lines>>,
}

impl AsRef<Subscriber> for Record {
    fn as_ref(&self) -> &Subscriber {
        &self.subscriber
    }
}

impl AsMut<Subscriber> for Record {
    fn as_mut(&mut self) -> &mut Subscriber {
        &mut self.subscriber
    }
}

impl Record {
    /// Returns an execution to start at once.
    pub fn new(
        id: Str,
        (program, tasks): &(Program, Arc<dyn Invoke>),
        input: Value,
        own_correlation: Option<Str>,
        part: Option<Part>,
    ) -> Record {
        let correlation = own_correlation.clone().unwrap_or_else(|| id.clone());
        let start = StartCondition::new(program.definition, correlation.clone()).filter(|_| part.is_none());
        Record {
            subscriber: Subscriber::new(id, correlation, program.definition, start),
            program: *program,
            tasks: tasks.clone(),
            input,
            requested_correlation: None,
            own_correlation,
            settings: Object::new(),
            key: None,
            event: None,
            part,
            status: Status::Queued,
            created: Timestamp::default(),
            started: None,
            ended: None,
            view: Arc::default(),
            history: Arc::default(),
            link: None,
            children: BTreeSet::new(),
            abort: None,
        }
    }

    /// Returns `true` if it is a part of its workflow that was started for a parent to await.
    fn is_awaited_part(&self) -> bool {
        self.part.is_some() && self.link.as_ref().is_some_and(|link| link.detached.is_none())
    }

    /// Returns the summary.
    pub fn summary(&self) -> Summary {
        let definition = self.program.definition;
        let mut summary = Summary::new(&*self.subscriber.id, definition.name, self.status);
        summary.key.clone_from(&self.key);
        summary.event.clone_from(&self.event);
        summary.created = Some(self.created);
        (summary.due, summary.started, summary.ended) = (self.subscriber.due, self.started, self.ended);
        summary.hash = Some(definition.hash);
        summary
    }
}

impl State {
    /// Returns the numbers of executions and of waiting events.
    pub fn counts(&self) -> Counts {
        let mut executions = BTreeMap::<(&'static str, Status), u64>::new();
        let (mut inboxes, mut events) = (0, 0);
        for record in self.records.all.values() {
            *executions.entry((record.program.definition.name, record.status)).or_default() += 1;
            let unseen = if record.status.is_over() { 0 } else { record.subscriber.state.unseen() as u64 };
            inboxes += u64::from(unseen > 0);
            events += unseen;
        }
        let executions = executions.into_iter().map(|((name, status), number)| (name.to_owned(), status, number));
        Counts::new(executions.collect(), inboxes, events)
    }

    /// Adds an execution, which the engine's future begins.
    pub fn add(&mut self, record: Record, wakers: &mut Vec<Waker>) -> u64 {
        let (id, key) = (record.subscriber.id.clone(), record.key.clone());
        let (name, parent) = (record.program.definition.name, record.link.as_ref().map(|link| link.parent));
        let number = self.records.add(record);
        self.by_id.insert(id, number);
        self.by_key.extend(key.map(|key| ((name, key), number)));
        if let Some(parent) = parent.and_then(|parent| self.records.all.get_mut(&parent)) {
            parent.children.insert(number);
        }
        self.new.push(number);
        wakers.extend(self.waker.take());
        number
    }

    /// Removes an execution. The record is to be dropped after the lock is released.
    pub fn remove(&mut self, number: u64) -> Option<Record> {
        let mut record = self.records.remove(number)?;
        self.by_id.remove(&record.subscriber.id);
        if let Some(key) = record.key.take() {
            self.by_key.remove(&(record.program.definition.name, key));
        }
        if let Some(parent) = record.link.as_ref().and_then(|link| self.records.all.get_mut(&link.parent)) {
            parent.children.remove(&number);
        }
        Some(record)
    }

    /// Returns `true` if an execution that has ended is kept for a time. The children of the runs
    /// of distributed Maps are not, and neither are the awaited parts of a workflow whose parent
    /// was removed.
    pub fn is_kept(&self, number: u64) -> bool {
        let Some(record) = self.records.all.get(&number) else { return false };
        let Some(link) = record.link.as_ref().filter(|_| record.is_awaited_part()) else { return true };
        let parent = self.records.all.get(&link.parent);
        parent.is_some_and(|parent| !matches!(parent.part, Some(Part::Map(_))))
    }

    /// Removes an execution that has ended, and those of its descendants that are awaited parts of
    /// the workflow and have ended: runs of nested Maps. Returns the records, to be dropped after
    /// the lock is released.
    pub fn remove_with_parts(&mut self, number: u64) -> Vec<Record> {
        let (mut open, mut removed, mut were_kept) = (vec![number], Vec::new(), BTreeSet::<u64>::new());
        while let Some(number) = open.pop() {
            let Some(record) = self.remove(number) else { continue };
            let is_ended_part = |child: &&u64| {
                let child = self.records.all.get(child);
                child.is_some_and(|child| child.status.is_over() && child.is_awaited_part())
            };
            let parts: Vec<u64> = record.children.iter().filter(is_ended_part).copied().collect();
            were_kept.extend(&parts);
            open.extend(parts);
            removed.push(record);
        }
        if !were_kept.is_empty() {
            self.ended.retain(|ended| !were_kept.contains(ended));
        }
        removed
    }

    /// Returns the number of the execution of this id, if it exists.
    pub fn number(&self, id: &str) -> Option<u64> {
        self.by_id.get(id).copied()
    }

    /// Returns the execution of a workflow that was started with this key.
    pub fn record_of_key(&self, workflow: &'static str, key: &str) -> Option<&Record> {
        self.records.all.get(self.by_key.get(&(workflow, key.to_owned()))?)
    }

    /// Returns the execution of this id.
    ///
    /// # Errors
    /// [`EngineError::UnknownExecution`].
    pub fn record(&self, id: &str) -> Result<&Record, EngineError> {
        let found = self.number(id).and_then(|number| self.records.all.get(&number));
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
    pub fn wake_all(&mut self, wakers: &mut Vec<Waker>) {
        self.records.all.values().for_each(|record| wakers.extend(lock(&record.view).wake()));
    }
}
