//! The reference store: a transaction on the records of the model, as the core sees it.

use std::sync::Arc;
use std::time::Duration;

use workflow_runtime::coordination::{InboxLimits, Recipient, RoutedKind, Started, Store};
use workflow_runtime::machine::{StartCondition, TriggerMatch};
use workflow_runtime::{CloudEvent, Str, Timestamp};

use crate::faults::Fault;
use crate::model::{KEYS, Model};
use crate::programs::{Mode, named, script};
use crate::world::{Execution, Message, World};

/// The process crashed at a write: the transaction is undone.
#[derive(Debug)]
pub struct Crash;

/// A transaction.
pub struct Transaction<'a> {
    pub model: &'a Model,
    pub world: World,
    /// Messages to running executions, which follow the commit.
    pub effects: Vec<(u8, Message)>,
    /// The number of writes so far, and the write at which the process crashes.
    pub writes: u32,
    pub crash_at: Option<u32>,
    /// Set while an execution publishes an event.
    pub is_inside: bool,
    /// Set while a client sends an event to one execution.
    pub is_sending: bool,
}

impl<'a> Transaction<'a> {
    pub fn new(model: &'a Model, world: World, crash_at: Option<u32>) -> Transaction<'a> {
        Transaction { model, world, effects: Vec::new(), writes: 0, crash_at, is_inside: false, is_sending: false }
    }

    /// Counts a write, which changes an execution.
    pub fn write(&mut self, execution: u8) -> Result<&mut Execution, Crash> {
        self.count()?;
        Ok(self.world.get_mut(execution))
    }

    pub fn count(&mut self) -> Result<(), Crash> {
        if self.crash_at == Some(self.writes) {
            return Err(Crash);
        }
        self.writes += 1;
        Ok(())
    }

    /// Makes the effects happen that follow a commit.
    pub fn commit(mut self) -> World {
        for (execution, message) in self.effects {
            if let Some(messages) = self.world.messages.get_mut(&execution) {
                messages.push(message);
            }
        }
        self.world
    }
}

/// The time before time-outs, and the very time of them.
pub fn time(world: &World) -> Timestamp {
    Timestamp::from_seconds(i64::from(world.is_late))
}

impl Store for Transaction<'_> {
    type Execution = u8;
    type Error = Crash;

    fn subscribers(&mut self, workflow: &str, _: &[RoutedKind]) -> Result<Vec<u8>, Crash> {
        let number = named(workflow);
        let world = &self.world;
        let is_one = |one: &u8| world.get(*one).script == number && world.get(*one).status.receives_events();
        Ok(world.numbers().filter(is_one).collect())
    }

    fn in_start_state(&mut self, trigger: &TriggerMatch, _: &CloudEvent) -> Result<Vec<u8>, Crash> {
        let number = named(trigger.definition().name);
        let world = &self.world;
        let waits = |one: &u8| world.get(*one).script == number && world.get(*one).is_in_start_state();
        let mut found: Vec<u8> = world.numbers().filter(waits).collect();
        if self.model.has(Fault::ReenteredStateIsOverlooked) {
            found.retain(|one| world.get(*one).visits == 0);
        }
        Ok(found)
    }

    fn correlation(&mut self, of: u8) -> Result<Str, Crash> {
        Ok(KEYS[usize::from(self.world.get(of).key)].into())
    }

    fn start_condition(&mut self, of: u8, trigger: &TriggerMatch) -> Result<Option<StartCondition>, Crash> {
        let execution = self.world.get(of);
        let condition = StartCondition::new(trigger.definition(), KEYS[usize::from(execution.key)].into());
        let Some(mut condition) = condition.filter(|_| execution.is_in_start_state()) else { return Ok(None) };
        if execution.status == workflow_runtime::coordination::Status::Running
            && let Some(receive) = execution.receive()
        {
            let missing = crate::events::missing(&receive, &execution.collected, &self.model.events);
            let is_awaited = |name: &str| {
                let awaited = if receive.mode == Mode::Sequence { missing.get(..1) } else { Some(&missing[..]) };
                let events = script(execution.script).definition.events;
                awaited.is_some_and(|kinds| kinds.iter().any(|kind| events[*kind as usize].name == name))
            };
            let late = Duration::from_micros(u64::from(self.model.has(Fault::EventsAtTheTimeOutAreTaken)));
            let until = receive.has_timeout.then(|| Timestamp::from_seconds(1).plus(late));
            condition = condition.awaiting(is_awaited, until);
            if condition.is_ordered() {
                for event in &execution.kept {
                    condition.record(&self.model.events[usize::from(*event)].event);
                }
            }
        }
        for (_, event) in &execution.inbox {
            condition.record(&self.model.events[usize::from(*event)].event);
        }
        Ok(Some(condition))
    }

    fn inbox_limits(&self) -> InboxLimits {
        let is_ignored = self.is_sending && self.model.has(Fault::SendIgnoresLimits);
        match is_ignored || self.model.has(Fault::InboxWithoutLimit) {
            true => InboxLimits::default(),
            false => self.model.limits,
        }
    }

    fn unseen_events(&mut self, of: u8) -> Result<usize, Crash> {
        Ok(self.world.get(of).inbox.len() + usize::from(self.model.has(Fault::InboxSeemsFuller)))
    }

    fn kept_events(&mut self, of: u8) -> Result<usize, Crash> {
        Ok(self.world.get(of).kept.len())
    }

    fn awaits(&mut self, of: u8, kinds: &[&str]) -> Result<bool, Crash> {
        let execution = self.world.get(of);
        let Some(receive) = execution.receive().filter(|_| execution.status.receives_events()) else {
            return Ok(false);
        };
        let missing = crate::events::missing(&receive, &execution.collected, &self.model.events);
        let events = script(execution.script).definition.events;
        Ok(missing.iter().any(|kind| kinds.contains(&events[*kind as usize].name)))
    }

    fn was_delivered(&mut self, to: Recipient<'_, u8>, event: &CloudEvent) -> Result<bool, Crash> {
        let number = Model::number(event);
        Ok(match to {
            Recipient::Execution(_) if self.model.has(Fault::DeliveriesAreForgotten) => false,
            Recipient::Execution(execution) => self.world.get(execution).delivered.has(number),
            Recipient::Workflow(workflow) => self.world.has_start_event(named(workflow), number),
        })
    }

    fn mark_delivered(&mut self, to: Recipient<'_, u8>, event: &CloudEvent) -> Result<(), Crash> {
        let number = Model::number(event);
        match to {
            Recipient::Execution(execution) => self.write(execution)?.delivered.add(number),
            Recipient::Workflow(_) if self.model.has(Fault::StartEventsAreForgotten) => {}
            Recipient::Workflow(_) if self.is_inside && self.model.has(Fault::EventsFromInsideAreForgotten) => {}
            Recipient::Workflow(workflow) => {
                self.count()?;
                self.world.start_events.entry(named(workflow)).or_default().add(number);
            }
        }
        Ok(())
    }

    fn deliver(&mut self, to: u8, event: &Arc<CloudEvent>) -> Result<(), Crash> {
        let event = Model::number(event);
        let script = self.world.get(to).script;
        let (capacity, _) = self.model.configuration.limits;
        let mut others = self.world.executions.iter().filter(|other| other.script == script);
        let is_beside_full = others.any(|other| other.inbox.len() >= capacity);
        if self.model.has(Fault::DeliveryIsNotStored)
            || is_beside_full && self.model.has(Fault::DeliveriesBesideFullInboxesAreLost)
        {
            return self.count();
        }
        let execution = self.write(to)?;
        let number = execution.next;
        execution.next += 1;
        execution.inbox.push((number, event));
        self.effects.push((to, Message::Event(number, event)));
        Ok(())
    }

    fn start(&mut self, trigger: &TriggerMatch, event: &Arc<CloudEvent>) -> Result<Started<u8>, Crash> {
        let (script, event) = (named(trigger.definition().name), Model::number(event));
        let (_, key) = self.model.configuration.events[usize::from(event)];
        self.count()?;
        let started = self.world.past.started.entry(script).or_default();
        let is_second = started.has(event);
        started.add(event);
        if is_second {
            self.world.violate(crate::invariants::ONE_START);
        }
        Ok(Started::New(self.world.add(Execution::new(script, key, None))))
    }
}
