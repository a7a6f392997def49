//! Starts of executions.

use std::sync::{Arc, Mutex};

use super::history::{LineWriter, Lines};
use super::state::{Effects, Link, Record, State};
use super::view::{ExecutionView, lock};
use super::{MemoryEngine, Shared};
use crate::engine::admission::admit;
use crate::engine::driver::MessageQueue;
use crate::engine::memory::hub::DeliveredEvents;
use crate::engine::{EngineError, StartRequest, StartTime, Started, Status};
use crate::id;
use crate::machine::{Program, Start, StartCondition};
use crate::observe::History;
use crate::task::Invoke;
use crate::time::Timestamp;
use crate::value::{Object, Str, Value};

/// An execution to insert.
pub(super) struct NewRecord {
    id: String,
    program: Program,
    tasks: Arc<dyn Invoke>,
    input: Value,
    created: Timestamp,
    /// The correlation key of the request.
    requested_correlation: Option<String>,
    pub correlation: Option<Str>,
    pub settings: Object,
    key: Option<String>,
    pub event: Option<(String, String)>,
    due: Option<Timestamp>,
    pub entry: Option<u32>,
    pub link: Option<Link>,
}

impl NewRecord {
    /// Returns an execution to start at once, without anything else.
    pub fn new(id: String, program: Program, tasks: Arc<dyn Invoke>, input: Value, created: Timestamp) -> NewRecord {
        NewRecord {
            id,
            program,
            tasks,
            input,
            created,
            requested_correlation: None,
            correlation: None,
            settings: Object::new(),
            key: None,
            event: None,
            due: None,
            entry: None,
            link: None,
        }
    }
}

impl MemoryEngine {
    /// Starts an execution, or finds the one that an equal request has started.
    pub(super) async fn start_execution(&self, request: StartRequest) -> Result<Started, EngineError> {
        let shared = &self.shared;
        lock(&shared.state).check_open()?;
        let StartRequest { workflow, input, id, key, correlation, time, settings } = request;
        let is_named = |(program, _): &&(Program, _)| program.definition.name == workflow;
        let Some((program, tasks)) = shared.programs.iter().find(is_named) else {
            return Err(EngineError::UnknownWorkflow(workflow));
        };
        let definition = program.definition;
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
        let mut effects = Effects::default();
        let mut state = lock(&shared.state);
        state.check_open()?;
        let is_same = |record: &Record| {
            record.program.definition.name == definition.name
                && record.requested_correlation == correlation
                && record.input == input
        };
        if let Some(key) = &key
            && let Some(record) =
                state.number_of_key(definition.name, key).and_then(|number| state.records.get(&number))
        {
            return match is_same(record) {
                true => Ok(Started::new(&*record.id, false)),
                false => Err(EngineError::KeyReused { key: key.clone(), execution: record.id.to_string() }),
            };
        }
        if let Some(id) = &id
            && let Ok(record) = state.record(id)
        {
            return match is_same(record) && record.link.is_none() {
                true => Ok(Started::new(id, false)),
                false => Err(EngineError::IdTaken(id.clone())),
            };
        }
        if let Some(id) = &id {
            id::check(id).map_err(EngineError::InvalidId)?;
        }
        shared.check_schedule(definition, due.map_or(now, |due| due.max(now))).map_err(EngineError::Inactive)?;
        let id = id.unwrap_or_else(|| shared.random_id());
        let mut new = NewRecord::new(id.clone(), *program, tasks.clone(), input.clone(), now);
        new.correlation = definition.correlation(&input, correlation.as_deref().map(Str::from), None);
        new.requested_correlation.clone_from(&correlation);
        (new.settings, new.key, new.due) = (settings, key, due);
        shared.insert(&mut state, new, &mut effects);
        drop(state);
        effects.run_all();
        Ok(Started::new(id, true))
    }
}

impl Shared {
    /// Inserts an execution, which the engine's future begins.
    pub(super) fn insert(&self, state: &mut State, new: NewRecord, effects: &mut Effects) -> u64 {
        let id: Str = new.id.into();
        let history = Arc::new(Mutex::new(Lines::new(self.history_events)));
        let mut start = Start::new(new.input.clone());
        start.entry = new.entry;
        start.name = Some(id.clone());
        start.correlation.clone_from(&new.correlation);
        start.settings.clone_from(&new.settings);
        start.observers = self.observers.iter().filter_map(|make| make(&id)).collect();
        if self.history_events > 0 {
            start.observers.push(Box::new(History::new(LineWriter(history.clone())).limit_payloads(4_096)));
        }
        let correlation = new.correlation.unwrap_or_else(|| id.clone());
        let definition = new.program.definition;
        let condition = StartCondition::new(definition, correlation.clone()).filter(|_| new.entry.is_none());
        let record = Record {
            id,
            program: new.program,
            tasks: new.tasks,
            input: new.input,
            requested_correlation: new.requested_correlation,
            correlation,
            settings: new.settings,
            key: new.key,
            event: new.event,
            status: Status::Queued,
            created: new.created,
            due: new.due,
            started: None,
            ended: None,
            outcome: None,
            pending: Some(Box::new(start)),
            messages: MessageQueue::default(),
            view: Arc::new(Mutex::new(ExecutionView::new(condition))),
            history,
            delivered: DeliveredEvents::default(),
            link: new.link,
            children: Vec::new(),
            is_ending: false,
            abort: None,
        };
        state.add(record, effects)
    }
}
