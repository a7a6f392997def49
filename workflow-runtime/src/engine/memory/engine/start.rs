//! Starts of executions, by requests and by events.

use std::sync::{Arc, Mutex};
use std::task::Waker;

use super::effects::Effects;
use super::history::Lines;
use super::state::{Record, State};
use super::view::lock;
use super::{MemoryEngine, Shared};
use crate::coordination::RoutedEvent;
use crate::engine::admission::admit;
use crate::engine::memory::records::{EventDelivery, Owner, Records};
use crate::engine::{EngineError, StartRequest, StartTime, Started};
use crate::event::CloudEvent;
use crate::id;
use crate::machine::{Definition, Program, TriggerMatch};
use crate::task::Invoke;
use crate::time::Timestamp;
use crate::value::{Object, Value};

impl MemoryEngine {
    /// Starts an execution, or finds the one that an equal request has started.
    pub(super) async fn start_execution(&self, request: StartRequest) -> Result<Started, EngineError> {
        let shared = &self.shared;
        lock(&shared.state).check_open()?;
        let StartRequest { workflow, input, id, key, correlation, time, settings } = request;
        let is_named = |(program, _): &&(Program, _)| program.definition.name == workflow;
        let Some(program) = shared.programs.iter().find(is_named) else {
            return Err(EngineError::UnknownWorkflow(workflow));
        };
        let definition = program.0.definition;
        if let Err(fault) = admit(definition, &input).await {
            let problem = fault.cause().and_then(Value::as_str).unwrap_or("the input is rejected").to_owned();
            return Err(EngineError::InputRefused { workflow, problem });
        }
        let now = shared.clock.now();
        let due = match time {
            StartTime::Now => None,
            StartTime::After(delay) => Some(now.plus(delay)),
            StartTime::At(at) => Some(at),
        };
        self.with(|state, effects| {
            state.check_open()?;
            let is_same = |record: &Record| {
                record.program.definition.name == definition.name
                    && record.requested_correlation == correlation
                    && record.input == input
            };
            if let Some(key) = &key
                && let Some(record) = state.record_of_key(definition.name, key)
            {
                let execution = record.subscriber.id.to_string();
                return match is_same(record) {
                    true => Ok(Started::new(execution, false)),
                    false => Err(EngineError::KeyReused { key: key.clone(), execution }),
                };
            }
            if let Some(id) = &id {
                match state.record(id) {
                    Ok(record) if is_same(record) && record.link.is_none() => return Ok(Started::new(id, false)),
                    Ok(_) => return Err(EngineError::IdTaken(id.clone())),
                    Err(_) => id::check(id).map_err(EngineError::InvalidId)?,
                }
            }
            shared.check_schedule(definition, due.map_or(now, |due| due.max(now))).map_err(EngineError::Inactive)?;
            let id = id.clone().unwrap_or_else(|| shared.random_id());
            let own = definition.correlation(&input, correlation.as_deref().map(Into::into), None);
            let mut new = Record::new(id.as_str().into(), program, input.clone(), own, None);
            new.requested_correlation.clone_from(&correlation);
            (new.settings, new.key, new.subscriber.due) = (settings.clone(), key.clone(), due);
            shared.insert(state, new, &mut effects.wakers);
            Ok(Started::new(id, true))
        })
    }
}

/// The state as the owner of its records, which starts executions with these settings.
pub(super) struct Starts<'a> {
    shared: &'a Shared,
    pub state: &'a mut State,
    settings: &'a Object,
}

impl Owner for Starts<'_> {
    type Record = Record;

    fn records(&mut self) -> &mut Records<Record> {
        &mut self.state.records
    }

    fn start(
        &mut self,
        trigger: &TriggerMatch,
        event: &CloudEvent,
        at: Timestamp,
        wakers: &mut Vec<Waker>,
    ) -> Option<u64> {
        let definition = trigger.definition();
        self.shared.check_schedule(definition, at).ok()?;
        let name = TriggerMatch::execution_name(event);
        // One event can start executions of several workflows.
        let id = if self.state.number(&name).is_some() { self.shared.random_id() } else { name };
        let program = self.shared.program(definition)?;
        let mut new = Record::new(id.into(), program, Object::new().into(), trigger.correlation(event), None);
        new.settings = self.settings.clone();
        new.event = Some((event.source.to_string(), event.id.to_string()));
        Some(self.shared.insert(self.state, new, wakers))
    }
}

impl Shared {
    /// Inserts an execution, which the engine's future begins.
    pub(super) fn insert(&self, state: &mut State, mut new: Record, wakers: &mut Vec<Waker>) -> u64 {
        new.created = self.clock.now();
        new.history = Arc::new(Mutex::new(Lines::new(self.history_events)));
        state.add(new, wakers)
    }

    /// Returns the registered workflow of a definition, with its tasks.
    pub(super) fn program(&self, definition: &Definition) -> Option<&(Program, Arc<dyn Invoke>)> {
        self.programs.iter().find(|(program, _)| std::ptr::eq(program.definition, definition))
    }

    /// Returns the definitions. The first one of a name is the current one.
    pub(super) fn definitions(&self) -> impl Iterator<Item = &'static Definition> {
        self.programs.iter().map(|(program, _)| program.definition)
    }

    /// Finds the workflows that an event is for.
    pub(super) fn route(&self, event: Arc<CloudEvent>) -> RoutedEvent {
        RoutedEvent::new(event, self.definitions())
    }

    /// Returns a delivery at this time, under the lock of the state.
    pub(super) fn delivery<'a>(
        &'a self,
        state: &'a mut State,
        settings: &'a Object,
        effects: &'a mut Effects,
    ) -> EventDelivery<'a, Starts<'a>> {
        let owner = Starts { shared: self, state, settings };
        let (now, remembered) = (self.clock.now(), self.remembered);
        EventDelivery { owner, now, remembered, delivered: 0, wakers: &mut effects.wakers }
    }
}
