//! Lowering of the AST to the HIR. The data of a flow are one local.
//!
//! A state first awaits its events. Its work follows in the order of the draft: the input filter,
//! actions, the output filter. It is the body of an attempt if the state has retries or handlers.
//! Transitions come after the attempt.

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
use super::dialect::DIALECT;
use super::functions::{INPUT, TO_BE_GIVEN};
use super::schedule::{Active, Schedule};
use crate::diagnostics::Diagnostics;
use crate::expr::{Arg, Expr, LocalId};
use crate::files::Inputs;
use crate::hir::{Step, StepKind, Workflow};
use crate::model::{self, AwaitedEvent, Correlation, EventId, LocalKind, ScopeId, StartsOn, Task, TaskId, WorkflowId};
use crate::options::Options;
use crate::schema::{self, Schema};
use crate::source::{Span, Spanned};
use crate::syntax::Text;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Lowers a workflow; `operations` are the service operations of its functions. Returns `None`
/// after reporting a path or an expression that cannot be compiled.
pub fn lower(
    definition: &Definition,
    operations: &[Option<model::ServiceFunction>],
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
        id: Some(workflow_id(definition, name)),
        correlation: Correlation { attributes: correlation::attributes(definition), read: None },
        schedule: definition.flow.schedule.as_ref().map(schedule),
        // The input must be an object ([R26](docs/serverless-workflow.md#r26)).
        input_must_be_object: true,
        ..Workflow::new(name, DIALECT.name, "data", span)
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
        workflow_input: None,
        start_input: None,
        has_outer_handler: false,
        only: None,
        is_top: true,
        goes_on: false,
        known: None,
        awaited: BTreeMap::new(),
    };
    let input = Expr::call(&INPUT, vec![Arg::Owned(Expr::Local(data))]);
    let mut entry = vec![Step { kind: StepKind::Let { local: data, value: input }, span }];
    if condition::mentions(definition, condition::WORKFLOW_INPUT) {
        let workflow_input = cx.local("workflow_input", span);
        entry.push(Step { kind: StepKind::Let { local: workflow_input, value: Expr::Local(data) }, span });
        cx.workflow_input = Some(workflow_input);
    }
    if cx.workflow.input_schema.is_some() && matches!(first_of(definition), StateKind::Event { .. }) {
        let started = cx.local("to_be_given", span);
        let value = Expr::call(&TO_BE_GIVEN, vec![Arg::Value(Expr::Local(data))]);
        entry.push(Step { kind: StepKind::Let { local: started, value }, span });
        cx.start_input = Some(started);
    }
    cx.flow(&definition.flow, "the top level".to_owned(), None, entry);
    cx.workflow.starts_on = cx.starts_on();
    (cx.diagnostics.errors() == before).then_some(cx.workflow)
}

/// Returns the type of the start state.
fn first_of(definition: &Definition) -> &StateKind {
    &definition.flow.states[definition.flow.start].kind
}

/// Returns the interval in which executions can be started.
fn schedule(schedule: &Spanned<Schedule>) -> model::Schedule {
    let active = match schedule.value.active {
        Active::Between { from, until } => {
            model::Active::Between { from: from.as_microsecond(), until: until.as_microsecond() }
        }
        Active::For(time) => model::Active::AfterDeployment(u64::try_from(time.as_micros()).unwrap_or(u64::MAX)),
    };
    model::Schedule { written: schedule.value.written.clone(), active }
}

/// Returns the identity by which other workflows call this one: its id, or else its name.
fn workflow_id(definition: &Definition, name: &str) -> WorkflowId {
    let id = definition.id.as_ref().map_or(name, |id| &id.value).to_owned();
    WorkflowId { id, version: None, is_child: true }
}

struct Cx<'a> {
    workflow: Workflow,
    definition: &'a Definition,
    /// Service operations of the functions.
    operations: &'a [Option<model::ServiceFunction>],
    /// Files that the definition names.
    inputs: &'a mut Inputs,
    /// `true` if an engine can evaluate jq expressions that are not translated.
    engine: bool,
    diagnostics: &'a mut Diagnostics,
    /// Local of the data of the flow that is being lowered.
    data: LocalId,
    /// Scope of the flow.
    scope: ScopeId,
    /// Names of the states of the flow.
    names: Vec<Arc<str>>,
    /// Name of the state that is being lowered.
    state: String,
    /// Local of the state's data after its input filter, if an expression reads it.
    input: Option<LocalId>,
    /// Local of the workflow's input, if an expression reads it.
    workflow_input: Option<LocalId>,
    /// Local of the input that start events fill, until it has been checked. Null if there is
    /// nothing to check.
    start_input: Option<LocalId>,
    /// `true` if an enclosing state has retries or error handlers.
    has_outer_handler: bool,
    /// Local of the only result of an iteration that only calls one function
    /// ([R1](docs/serverless-workflow.md#r1)).
    only: Option<LocalId>,
    /// `true` for the flow of the workflow itself.
    is_top: bool,
    /// `true` if a timeout of an action lets the current state go on
    /// ([R15](docs/serverless-workflow.md#r15)).
    goes_on: bool,
    /// Schema that the data fit at this point, if it is known.
    known: Option<Schema>,
    /// Awaited events, by their indices in the definition.
    awaited: BTreeMap<usize, EventId>,
}

impl Cx<'_> {
    /// Returns the awaited event with this index in the definition.
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

    /// Returns the start condition: the events of the start state
    /// ([R13](docs/serverless-workflow.md#r13)).
    fn starts_on(&mut self) -> Option<StartsOn> {
        let StateKind::Event { exclusive, entries, .. } = first_of(self.definition) else { return None };
        let events: Vec<EventId> = event::awaited_events(entries).into_iter().map(|event| self.event(event)).collect();
        let all_of = !exclusive && events.len() > 1;
        Some(StartsOn { events, sequence: Vec::new(), all_of })
    }

    /// Returns the task of a function. Two calls in one state share the task.
    fn task(&mut self, name: &str, resource: &str, service: Option<model::ServiceFunction>, span: Span) -> TaskId {
        let (operation, shapes) = service.map(|service| (service.operation, service.shapes)).unzip();
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
                shapes: shapes.unwrap_or_default(),
            });
            tasks.len() - 1
        });
        TaskId(at as u32)
    }

    /// Returns the task of a function of this name, or else a task of the program.
    fn task_named(&mut self, name: &str, span: Span) -> TaskId {
        let functions = &self.definition.functions;
        let Some(at) = functions.iter().position(|function| *function.name.value == *name) else {
            return self.task(name, name, None, span);
        };
        self.task_of(at)
    }

    /// Returns the task of the function with this index.
    fn task_of(&mut self, number: usize) -> TaskId {
        let function = &self.definition.functions[number];
        let resource = function.resource.as_ref().map_or(&*function.name.value, |resource| &resource.value);
        let service = self.operations.get(number).cloned().flatten();
        self.task(&function.name.value, resource, service, function.name.span)
    }

    fn local(&mut self, name: &str, span: Span) -> LocalId {
        self.workflow.add_local(name, LocalKind::Value, span)
    }
}
