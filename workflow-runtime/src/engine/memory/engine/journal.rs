//! The journal of an execution, which persists nothing: it starts children as executions of the
//! engine, publishes events, and keeps the view of the execution up to date.

use std::sync::{Arc, Mutex};
use std::task::Waker;

use super::Shared;
use super::effects::Effects;
use super::state::{Detached, Link, Record};
use super::view::{ExecutionView, lock};
use crate::coordination::link::{self, FirstRequest};
use crate::coordination::publish;
use crate::engine::driver::{Caller, ChildStart, Journal, Stopped};
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::machine::{Call, Execution, Op, Outcome, Program, Target, resolve_workflow};
use crate::time::Timestamp;
use crate::value::{Object, Value};

/// The journal of an execution.
pub(super) struct MemoryJournal {
    pub shared: Arc<Shared>,
    pub number: u64,
    pub view: Arc<Mutex<ExecutionView>>,
}

impl MemoryJournal {
    /// Starts a child. Returns the outcome of the command if it completes at once.
    fn start(&self, caller: &Caller<'_>, op: Op, call: &Arc<Call>) -> Result<Option<Value>, Fault> {
        let shared = &self.shared;
        let (definition, part) = match &call.target {
            Target::Entry(_) | Target::Map(_) => (caller.program.definition, call.part()),
            Target::Workflow(name) => (resolve_workflow(name, shared.definitions())?, None),
        };
        let now = shared.clock.now();
        let is_active = part.is_some() || shared.check_schedule(definition, now).is_ok();
        let id = call.execution_id(caller.execution.info().id());
        let awaited = match link::requested_first(!call.detached, is_active) {
            FirstRequest::Start(awaited) => awaited,
            FirstRequest::CompleteWithInput => return Ok(Some(call.input.clone())),
            FirstRequest::CompleteWithId => return Ok(Some(id.into())),
        };
        let mut effects = Effects::default();
        {
            let state = &mut *lock(&shared.state);
            if state.number(&id).is_some() {
                let cause = format!("an execution with the id `{id}` already exists");
                return Err(Fault::new("Execution.IdTaken", cause));
            }
            let Some(program) = shared.program(definition) else {
                return Err(Fault::runtime("the engine has no such workflow"));
            };
            let passed_on = caller.execution.info().child_correlation(call);
            let own = match part {
                Some(_) => passed_on,
                None => definition.correlation(&call.input, None, passed_on),
            };
            let mut new = Record::new(id.as_str().into(), program, call.input.clone(), own, part);
            let parent = state.records.all.get(&self.number);
            let detached = call.detached.then(|| Detached {
                call: call.clone(),
                parent: caller.execution.info().id().clone(),
                workflow: caller.program.definition.name,
                history: parent.map(|parent| Arc::downgrade(&parent.history)).unwrap_or_default(),
            });
            new.link = Some(Link { parent: self.number, op, awaited, detached });
            if let Some(parent) = parent {
                new.settings = parent.settings.clone();
            }
            shared.insert(state, new, &mut effects.wakers);
        }
        effects.run_all(shared);
        Ok(call.detached.then(|| id.into()))
    }

    fn follow(&self, op: Op, rule: fn(link::Child) -> link::Transition) {
        let mut effects = Effects::default();
        self.shared.follow_op(&mut lock(&self.shared.state), self.number, op, rule, &mut effects);
        effects.run_all(&self.shared);
    }
}

impl Journal for MemoryJournal {
    const IS_DURABLE: bool = false;

    fn commit(&mut self, _: &mut Box<dyn Execution>, _: Program) -> impl Future<Output = Result<(), Stopped>> + Send {
        std::future::ready(Ok(()))
    }

    fn inspect(&mut self, execution: &dyn Execution) {
        let wakers = lock(&self.view).update(execution);
        wakers.into_iter().for_each(Waker::wake);
    }

    fn should_suspend(&self, _: Option<Timestamp>) -> bool {
        false
    }

    fn call(&mut self, caller: Caller<'_>, op: Op, call: &Arc<Call>) -> ChildStart {
        if let Target::Workflow(name) = &call.target
            && self.shared.stand_ins.as_ref().is_some_and(|hub| hub.stand_in_for(name).is_some())
        {
            return ChildStart::InProcess;
        }
        match self.start(&caller, op, call) {
            Ok(None) => ChildStart::Remote,
            Ok(Some(output)) => ChildStart::Completed(Ok(output)),
            Err(fault) => ChildStart::Completed(Err(fault)),
        }
    }

    fn abandon(&mut self, op: Op) {
        self.follow(op, link::abandoned);
    }

    fn terminate(&mut self, op: Op) {
        self.follow(op, link::parent_terminates);
    }

    fn publish(&mut self, _: Caller<'_>, event: &Arc<CloudEvent>) -> Outcome {
        let (mut effects, settings) = (Effects::default(), Object::new());
        let event = self.shared.route(event.clone());
        {
            let state = &mut *lock(&self.shared.state);
            let mut delivery = self.shared.delivery(state, &settings, &mut effects);
            let now = delivery.now;
            let Ok(published) = publish(&mut delivery, &event, false, now);
            // As on SQLite, the first execution with a full inbox is reported.
            let full = published.first_full.and_then(|full| state.records.all.get(&full));
            effects.full.extend(full.map(|record| record.subscriber.id.to_string()));
        }
        effects.run_all(&self.shared);
        Ok(Value::Null)
    }

    fn is_new_event(&mut self, _: u64) -> bool {
        true
    }
}
