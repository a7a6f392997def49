//! The journal of an execution, which persists nothing: it starts children as executions of the
//! engine, publishes events, and keeps the view of the execution up to date.

use std::sync::{Arc, Mutex};
use std::task::Waker;

use super::state::{Effects, Link};
use super::store::Records;
use super::view::{ExecutionView, lock};
use super::{NewRecord, Shared};
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
    fn start(&self, caller: &Caller<'_>, op: Op, call: &Call) -> Result<Option<Value>, Fault> {
        let shared = &self.shared;
        let (definition, entry) = match &call.target {
            Target::Entry(entry) => (caller.program.definition, Some(*entry)),
            Target::Workflow(name) => (resolve_workflow(name, shared.definitions())?, None),
        };
        let now = shared.clock.now();
        let is_active = entry.is_some() || shared.check_schedule(definition, now).is_ok();
        let id = call.execution_id(caller.execution.info().id());
        let awaited = match link::requested_first(!call.detached, is_active) {
            FirstRequest::Start(awaited) => awaited,
            FirstRequest::CompleteWithInput => return Ok(Some(call.input.clone())),
            FirstRequest::CompleteWithId => return Ok(Some(id.into())),
        };
        let mut effects = Effects::default();
        let mut state = lock(&shared.state);
        if state.number(&id).is_some() {
            let cause = format!("an execution with the id `{id}` already exists");
            return Err(Fault::new("Execution.IdTaken", cause));
        }
        let is_target = |(program, _): &&(Program, _)| std::ptr::eq(program.definition, definition);
        let Some((program, tasks)) = shared.programs.iter().find(is_target) else {
            return Err(Fault::runtime("the engine has no such workflow"));
        };
        let mut new = NewRecord::new(id.clone(), *program, tasks.clone(), call.input.clone(), now);
        let passed_on = caller.execution.info().child_correlation(call);
        new.correlation = match entry {
            Some(_) => passed_on,
            None => definition.correlation(&call.input, None, passed_on),
        };
        new.entry = entry;
        new.link = Some(Link { parent: self.number, op, awaited });
        if let Some(parent) = state.records.get(&self.number) {
            new.settings = parent.settings.clone();
        }
        let child = shared.insert(&mut state, new, &mut effects);
        if let Some(parent) = state.records.get_mut(&self.number) {
            parent.children.push(child);
        }
        drop(state);
        effects.run_all();
        Ok(call.detached.then(|| id.into()))
    }

    fn follow(&self, op: Op, rule: fn(link::Child) -> link::Transition) {
        let mut effects = Effects::default();
        self.shared.follow_op(&mut lock(&self.shared.state), self.number, op, rule, &mut effects);
        effects.run_all();
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
        let mut effects = Effects::default();
        let now = self.shared.clock.now();
        let event = self.shared.route((**event).clone());
        {
            let mut state = lock(&self.shared.state);
            let (state, settings) = (&mut *state, &Object::new());
            let mut records = Records { shared: &self.shared, state, effects: &mut effects, now, settings };
            let Ok(_) = publish(&mut records, &event, false, now);
        }
        effects.run_all();
        Ok(Value::Null)
    }

    fn is_new_event(&mut self, _: u64) -> bool {
        lock(&self.view).seen += 1;
        true
    }
}
