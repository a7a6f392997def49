//! The state of the model: the records of the reference store, what is in memory, and what has
//! happened so far.

use std::collections::BTreeMap;

use workflow_runtime::coordination::Status;
use workflow_runtime::coordination::link::{Awaited, Child};

use crate::programs::{Receive, Step, script};

/// Everything that the further course depends on.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct World {
    /// The records of executions. Their order is the order of their creation.
    pub executions: Vec<Execution>,
    /// For each script, the start events that are recorded as delivered.
    pub start_events: BTreeMap<u8, Events>,
    /// The messages in memory of running executions. Lost in a crash.
    pub messages: BTreeMap<u8, Vec<Message>>,
    /// Running executions whose wait has ended by its time-out, which they have not committed yet.
    /// Lost in a crash.
    pub timed_out: Vec<u8>,
    /// Set once the time of time-outs has come.
    pub is_late: bool,
    /// Publications without an answer, and commands that nobody has sent yet.
    pub publications: Vec<u8>,
    pub commands: Vec<u8>,
    pub crashes: u8,
    pub past: Past,
}

/// A set of events, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Events(u8);

impl Events {
    pub fn has(self, event: u8) -> bool {
        self.0 & (1 << event) != 0
    }

    pub fn add(&mut self, event: u8) {
        self.0 |= 1 << event;
    }

    pub fn remove(&mut self, event: u8) {
        self.0 &= !(1 << event);
    }

    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..8).filter(move |event| self.has(*event))
    }
}

/// The record of an execution.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Execution {
    pub script: u8,
    /// The correlation key, as an index.
    pub key: u8,
    pub status: Status,
    pub parent: Option<Parent>,
    /// The number of the current step, and the events that its wait has consumed.
    pub at: u8,
    pub collected: Vec<u8>,
    pub visits: u8,
    pub is_redriven: bool,
    /// Set while a called child is awaited by the current step.
    pub is_calling: bool,
    /// Set once a branch has terminated the execution: nothing new begins.
    pub is_terminating: bool,
    /// Unseen events with their numbers, and events that are kept for later steps.
    pub inbox: Vec<(u8, u8)>,
    pub kept: Vec<u8>,
    pub next: u8,
    pub delivered: Events,
    /// The outcome of the child that the current step awaits.
    pub arrival: Option<Status>,
    pub orders: Vec<Order>,
    /// How often it was restarted from its input.
    pub restarts: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Parent {
    pub execution: u8,
    pub step: u8,
    pub awaited: Awaited,
    /// `true` if the parent has called it to await it.
    pub was_awaited: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    Cancel,
    Terminate,
}

/// A message to a running execution.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Message {
    Event(u8, u8),
    Arrival,
    Order(Order),
}

/// The history that the invariants need.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Past {
    /// For each script, the events that have started executions, and those that executions have
    /// accepted in their start states.
    pub started: BTreeMap<u8, Events>,
    pub accepted: BTreeMap<u8, Events>,
    pub lives: Vec<Life>,
    /// The first broken invariant.
    pub violation: Option<&'static str>,
}

/// The history of an execution since it was started or restarted.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Life {
    pub consumed: Events,
    /// Events that were delivered to it and have to be consumed or kept.
    pub owed: Events,
    /// Start events that have started it, or that it has accepted in its start state.
    pub taken: Events,
    /// Steps that have completed, as bits, in each visit.
    pub worked: [u8; 2],
    pub ends: u8,
    /// Set if an operator has removed it.
    pub is_killed: bool,
}

impl Execution {
    pub fn new(script: u8, key: u8, parent: Option<Parent>) -> Execution {
        Execution {
            script,
            key,
            status: Status::Queued,
            parent,
            at: 0,
            collected: Vec::new(),
            visits: 0,
            is_redriven: false,
            is_calling: false,
            is_terminating: false,
            inbox: Vec::new(),
            kept: Vec::new(),
            next: 0,
            delivered: Events::default(),
            arrival: None,
            orders: Vec::new(),
            restarts: 0,
        }
    }

    pub fn step(&self) -> Option<Step> {
        script(self.script).steps.get(usize::from(self.at)).copied()
    }

    /// Returns the wait of an execution that waits for events, or is about to.
    pub fn receive(&self) -> Option<Receive> {
        match self.step() {
            Some(Step::Receive(receive)) if !self.is_terminating => Some(receive),
            _ => None,
        }
    }

    /// Returns `true` if it is in its start state or about to enter it.
    pub fn is_in_start_state(&self) -> bool {
        !self.status.is_over()
            && self.at == 0
            && script(self.script).definition.starts_on.is_some()
            && self.receive().is_some()
    }

    /// Returns `true` if the execution runs and can continue without a message.
    pub fn can_continue(&self) -> bool {
        self.status == Status::Running
            && match self.step() {
                _ if self.is_terminating => !self.is_calling,
                Some(Step::Receive(_)) => false,
                Some(Step::Call { .. }) => !self.is_calling,
                Some(_) | None => true,
            }
    }

    /// Returns the link to its parent, as the core wants it.
    pub fn child(&self) -> Option<(Parent, Child)> {
        let parent = self.parent?;
        Some((parent, Child { awaited: parent.awaited, status: self.status, is_ending: !self.orders.is_empty() }))
    }
}

impl World {
    pub fn get(&self, number: u8) -> &Execution {
        &self.executions[usize::from(number)]
    }

    pub fn get_mut(&mut self, number: u8) -> &mut Execution {
        &mut self.executions[usize::from(number)]
    }

    pub fn life(&mut self, number: u8) -> &mut Life {
        &mut self.past.lives[usize::from(number)]
    }

    pub fn numbers(&self) -> impl Iterator<Item = u8> + use<> {
        (0..).take(self.executions.len())
    }

    /// Returns the children of an execution.
    pub fn children(&self, parent: u8) -> Vec<u8> {
        let is_child = |number: &u8| self.get(*number).parent.is_some_and(|link| link.execution == parent);
        self.numbers().filter(is_child).collect()
    }

    pub fn add(&mut self, execution: Execution) -> u8 {
        self.executions.push(execution);
        self.past.lives.push(Life::default());
        u8::try_from(self.executions.len() - 1).expect("a model has few executions")
    }

    /// Records a broken invariant, unless another was broken before.
    pub fn violate(&mut self, invariant: &'static str) {
        self.past.violation.get_or_insert(invariant);
    }

    /// Loses what is in memory of an execution.
    pub fn forget(&mut self, number: u8) {
        self.messages.remove(&number);
        self.timed_out.retain(|other| *other != number);
    }

    /// Returns `true` if a start event is recorded as delivered to a workflow.
    pub fn has_start_event(&self, script: u8, event: u8) -> bool {
        self.start_events.get(&script).is_some_and(|events| events.has(event))
    }

    /// Loses what is in memory, and reads it from the records again.
    pub fn reload(&mut self) {
        self.timed_out.clear();
        self.messages = self.numbers().filter_map(|number| Some((number, self.get(number).messages()?))).collect();
    }
}

impl Execution {
    /// Returns the messages of a running execution that has just been loaded.
    pub fn messages(&self) -> Option<Vec<Message>> {
        if self.status != Status::Running {
            return None;
        }
        let mut messages: Vec<Message> = self.orders.iter().copied().map(Message::Order).collect();
        messages.extend(self.inbox.iter().map(|(number, event)| Message::Event(*number, *event)));
        messages.extend(self.arrival.map(|_| Message::Arrival));
        Some(messages)
    }
}
