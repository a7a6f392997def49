//! AST → HIR: the data of a flow are one local, and a state is made of a few parts.
//!
//! The first part is what a state does, in the order of the text: the input filter, events, actions, the output filter. Where it says
//! what becomes of errors, that is guarded. The ways on follow it, in parts of their own.

mod action;
mod condition;
mod data;
mod event;
mod exit;
mod flow;
mod handlers;
mod nested;
mod state;
mod steps;

use super::ast::{Definition, StateKind};
use super::correlation;
use super::functions::{INPUT, TO_BE_GIVEN};
use super::schedule::{Active, Schedule};
use crate::diagnostics::Diagnostics;
use crate::expr::{Arg, Expr, LocalId};
use crate::files::Inputs;
use crate::hir::{
    self, AwaitedEvent, Called, Correlation, EventId, LocalKind, ScopeId, StartsOn, Step, StepKind, Task, TaskId,
    Workflow,
};
use crate::options::Options;
use crate::schema::{self, Schema};
use crate::source::{Span, Spanned};
use crate::syntax::Text;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Lowers a workflow; `operations` are those of services that its functions are. `None` where a path or an expression cannot be compiled, which has been reported then.
pub fn lower(
    definition: &Definition,
    operations: &[Option<hir::Operation>],
    name: &str,
    options: &Options,
    inputs: &mut Inputs,
    diagnostics: &mut Diagnostics,
) -> Option<Workflow> {
    let span = definition.span;
    let data = LocalId(0);
    let mut workflow = Workflow {
        comment: definition.description.clone(),
        version: definition.version.as_ref().map(|version| version.value.clone()),
        called: Some(called(definition, name)),
        correlation: Correlation { attributes: correlation::attributes(definition), read: None },
        schedule: definition.flow.schedule.as_ref().map(schedule),
        // Ruling R26.
        takes_object: true,
        ..Workflow::new(name, "serverless-workflow", "data", span)
    };
    let before = diagnostics.errors();
    let mut read = |text: &Option<Text>| schema::read(text.as_ref()?, inputs, diagnostics);
    workflow.input_schema = read(&definition.input_schema);
    workflow.output_schema = read(&definition.output_schema);
    let mut cx = Cx {
        workflow,
        definition,
        operations,
        engine: options.engine.unwrap_or(cfg!(feature = "jq-engine")),
        inputs,
        diagnostics,
        data,
        scope: ScopeId(0),
        names: Vec::new(),
        state: String::new(),
        input: None,
        given: None,
        to_be_given: None,
        is_handled_around: false,
        only: None,
        is_top: true,
        goes_on: false,
        known: None,
        awaited: BTreeMap::new(),
    };
    let input = Expr::call(&INPUT, vec![Arg::Owned(Expr::Local(data))]);
    let mut entry = vec![Step { kind: StepKind::Let { local: data, value: input }, span }];
    if condition::mentions(definition, condition::WORKFLOW_INPUT) {
        let given = cx.local("workflow_input", span);
        entry.push(Step { kind: StepKind::Let { local: given, value: Expr::Local(data) }, span });
        cx.given = Some(given);
    }
    if cx.workflow.input_schema.is_some() && matches!(first_of(definition), StateKind::Event { .. }) {
        let started = cx.local("to_be_given", span);
        let value = Expr::call(&TO_BE_GIVEN, vec![Arg::Value(Expr::Local(data))]);
        entry.push(Step { kind: StepKind::Let { local: started, value }, span });
        cx.to_be_given = Some(started);
    }
    cx.flow(&definition.flow, "the top level".to_owned(), None, entry);
    cx.workflow.starts_on = cx.starts_on();
    (cx.diagnostics.errors() == before).then_some(cx.workflow)
}

/// What the first state of a workflow is.
fn first_of(definition: &Definition) -> &StateKind {
    &definition.flow.states[definition.flow.start].kind
}

/// When an execution can be started.
fn schedule(schedule: &Spanned<Schedule>) -> hir::Schedule {
    let active = match schedule.value.active {
        Active::Between { from, until } => {
            hir::Active::Between { from: from.as_microsecond(), until: until.as_microsecond() }
        }
        Active::For(time) => hir::Active::AfterDeployment(u64::try_from(time.as_micros()).unwrap_or(u64::MAX)),
    };
    hir::Schedule { written: schedule.value.written.clone(), active, span: schedule.span }
}

/// What others call it: by its id, and without one by its name.
fn called(definition: &Definition, name: &str) -> Called {
    let id = definition.id.as_ref().map_or(name, |id| &id.value).to_owned();
    Called { id, version: None, is_child: true }
}

struct Cx<'a> {
    workflow: Workflow,
    definition: &'a Definition,
    /// The operations of services that functions are.
    operations: &'a [Option<hir::Operation>],
    /// The files beside the definition.
    inputs: &'a mut Inputs,
    /// Whether there is an engine for expressions in jq that are not translated.
    engine: bool,
    diagnostics: &'a mut Diagnostics,
    /// The data of the flow that is being lowered.
    data: LocalId,
    /// Its scope.
    scope: ScopeId,
    /// The names of its states.
    names: Vec<Arc<str>>,
    /// The name of the state that is being lowered.
    state: String,
    /// The state's data after its input filter, where an expression wants to know them.
    input: Option<LocalId>,
    /// The input of the workflow, where an expression wants to know it.
    given: Option<LocalId>,
    /// The input that events give an execution which they start, until it was looked at; null where there is nothing to look at.
    to_be_given: Option<LocalId>,
    /// Whether a state around says what becomes of errors.
    is_handled_around: bool,
    /// Receives the one result of an iteration that does one thing only (ruling R1).
    only: Option<LocalId>,
    /// Whether it is the flow of the workflow itself.
    is_top: bool,
    /// Whether a time-out of an action lets the state go on that is being lowered (ruling R15).
    goes_on: bool,
    /// The schema that the data are known to fit at this place.
    known: Option<Schema>,
    /// The events that are waited for, by their numbers in the definition.
    awaited: BTreeMap<usize, EventId>,
}

impl Cx<'_> {
    /// An event that is waited for.
    fn event(&mut self, number: usize) -> EventId {
        *self.awaited.entry(number).or_insert_with(|| {
            let event = &self.definition.events[number];
            self.workflow.events.push(AwaitedEvent {
                name: event.name.value.to_string(),
                subject: None,
                kind: Some(event.kind.value.clone()),
                source: event.source.as_ref().map(|source| source.value.clone()),
                attributes: Vec::new(),
                correlation: event.correlation.as_ref().map(|name| name.value.clone()),
                span: event.span,
            });
            EventId(self.workflow.events.len() as u32 - 1)
        })
    }

    /// The events that start an execution: those that the first state waits for (ruling R13).
    fn starts_on(&mut self) -> Option<StartsOn> {
        let StateKind::Event { exclusive, entries, .. } = first_of(self.definition) else { return None };
        let events: Vec<EventId> = event::listened(entries).into_iter().map(|event| self.event(event)).collect();
        let collects = !exclusive && events.len() > 1;
        Some(StartsOn { events, in_a_row: Vec::new(), collects })
    }

    /// The task of a function; the same one where a state calls it twice.
    fn task(&mut self, name: &str, resource: &str, operation: Option<hir::Operation>, span: Span) -> TaskId {
        let state = Arc::from(self.state.as_str());
        let tasks = &mut self.workflow.tasks;
        let known = tasks.iter().position(|task| task.key == name && task.state == state);
        let at = known.unwrap_or_else(|| {
            tasks.push(Task {
                key: name.to_owned(),
                method: name.to_owned(),
                resource: resource.to_owned(),
                state,
                span,
                is_function: false,
                operation,
            });
            tasks.len() - 1
        });
        TaskId(at as u32)
    }

    /// The task of a function of this name, or, where there is none, of the program's own.
    fn task_named(&mut self, name: &str, span: Span) -> TaskId {
        let functions = &self.definition.functions;
        let Some(at) = functions.iter().position(|function| *function.name.value == *name) else {
            return self.task(name, name, None, span);
        };
        self.task_of(at)
    }

    /// The task of the function of this number.
    fn task_of(&mut self, number: usize) -> TaskId {
        let function = &self.definition.functions[number];
        let resource = function.resource.as_ref().map_or(&*function.name.value, |resource| &resource.value);
        let operation = self.operations.get(number).cloned().flatten();
        self.task(&function.name.value, resource, operation, function.name.span)
    }

    fn local(&mut self, name: &str, span: Span) -> LocalId {
        self.workflow.add_local(name, LocalKind::Value, span)
    }
}
