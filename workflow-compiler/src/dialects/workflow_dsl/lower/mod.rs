//! Lowering of the AST to the HIR. The data of the workflow are one local, and an activity is a
//! state.
//!
//! The whole activity is an attempt, whose catcher adds the name of the activity to the fault that
//! ends the workflow. The work of an activity with a retry policy is an attempt inside it.

mod action;
mod activity;
mod data;

use super::ast::{ActivityKind, Definition, Expression, Message, MessageDirection, MessageKind, SECRETS, Transition};
use super::dialect::DIALECT;
use super::functions::INPUT;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::workflow_dsl::codes::WF1108;
use crate::expr::{Apply, Arg, Expr, Fallibility, LocalId, Program, ProgramText, jq};
use crate::hir::{Next, Scope, Step, StepKind, Workflow};
use crate::model::{AwaitedEvent, EventId, LocalKind, ScopeId, StartsOn, Task, TaskId, WorkflowId};
use crate::options::Options;
use crate::source::{Span, Spanned};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Lowers a workflow. Returns `None` after reporting an expression that cannot be compiled.
pub fn lower(
    definition: &Definition,
    name: &str,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<Workflow> {
    let span = definition.span;
    let data = LocalId(0);
    let workflow = Workflow {
        comment: definition.description.clone(),
        version: definition.version.as_ref().map(|version| version.value.clone()),
        id: Some(workflow_id(definition, name)),
        ..Workflow::new(name, DIALECT.name, "data", span)
    };
    let before = diagnostics.errors();
    let engine = options.engine.unwrap_or(cfg!(feature = "jq-engine"));
    let activity = String::new();
    let mut cx = Cx {
        workflow,
        definition,
        engine,
        diagnostics,
        data,
        activity,
        calls: 0,
        lowered: 0,
        awaited: BTreeMap::new(),
    };
    let input = Expr::call(&INPUT, vec![Arg::Owned(Expr::Local(data))]);
    let mut entry = vec![Step { kind: StepKind::Let { local: data, value: input }, span }];
    let filtered = cx.filtered(&definition.filter.input, data, "workflow input filter", None);
    if let Some(value) = filtered {
        entry.push(Step { kind: StepKind::Let { local: data, value }, span });
    }
    cx.workflow.scopes.push(Scope {
        label: "the top level".to_owned(),
        parent: None,
        entry,
        start: definition.activities[definition.first].name.clone(),
        states: Vec::new(),
        span,
    });
    let states = definition.activities.iter().map(|activity| cx.state(activity)).collect();
    cx.workflow.scopes[ScopeId(0)].states = states;
    cx.workflow.starts_on = cx.starts_on();
    (cx.diagnostics.errors() == before).then_some(cx.workflow)
}

/// Returns the identity by which other workflows call this one: its id, or else its name.
fn workflow_id(definition: &Definition, name: &str) -> WorkflowId {
    let id = definition.id.as_ref().map_or(name, |id| &id.value).to_owned();
    let version = definition.version.as_ref().map(|version| version.value.clone());
    WorkflowId { id, version, is_child: definition.is_child }
}

struct Cx<'a> {
    workflow: Workflow,
    definition: &'a Definition,
    /// `true` if an engine can evaluate expressions that are not translated.
    engine: bool,
    diagnostics: &'a mut Diagnostics,
    /// Local of the workflow's data.
    data: LocalId,
    /// Name of the activity that is being lowered.
    activity: String,
    /// Number of calls of the activity, and of its calls lowered so far.
    calls: usize,
    lowered: usize,
    /// Awaited messages, by their indices in the definition.
    awaited: BTreeMap<usize, EventId>,
}

impl Cx<'_> {
    /// Compiles an expression and applies it to data, with `response` as `$response`. Returns
    /// `None` after reporting an error.
    fn jq(
        &mut self,
        expression: &Expression,
        what: &str,
        mode: jq::ResultMode,
        input: LocalId,
        response: Option<LocalId>,
    ) -> Option<Expr> {
        if expression.text.value.contains(SECRETS) {
            let message = "a secret is allowed only as the value of a header, or at its end";
            let help = "write the secret into a header: `\"authorization\": \"Bearer ${ $SECRETS.token }\"`";
            self.diagnostics.push(Diagnostic::new(&WF1108, expression.span, message).help(help));
            return None;
        }
        let known: &[&str] = if response.is_some() { &["response"] } else { &[] };
        let filter = jq::read(&expression.text, known, mode, self.engine, self.diagnostics)?;
        let variables = filter.variables.iter().map(|_| response.map_or(Expr::NULL, Expr::Local)).collect();
        let name = format!("{} {what}", self.activity);
        let input = Box::new(Expr::Local(input));
        self.workflow.programs.push(ProgramText { text: expression.text.clone(), start: 0 });
        Some(Expr::Apply(Apply {
            program: Arc::new(Program::Jq(filter)),
            name: name.trim_start().to_owned(),
            input,
            variables,
            fallibility: Fallibility::Catchable,
        }))
    }

    /// Returns the awaited event of a message.
    fn event(&mut self, number: usize) -> EventId {
        *self.awaited.entry(number).or_insert_with(|| {
            let events = &mut self.workflow.events;
            events.push(awaited(&self.definition.messages[number]));
            EventId(events.len() as u32 - 1)
        })
    }

    /// Returns the start condition: the messages of the first activity. A child has none, because
    /// only its parent starts it. Signals start nothing, because they are addressed to running
    /// executions.
    fn starts_on(&mut self) -> Option<StartsOn> {
        let definition = self.definition;
        let first = &definition.activities[definition.first];
        let ActivityKind::Message { entries, exclusive } = &first.kind else { return None };
        if definition.is_child {
            return None;
        }
        let listened = self.awaited_messages(entries, *exclusive);
        let all: Vec<EventId> = listened.iter().map(|message| self.event(*message)).collect();
        let is_event = |message: &usize| definition.messages[*message].kind == MessageKind::Event;
        let of_events = listened.iter().zip(&all).filter(|(message, _)| is_event(message));
        let events: Vec<EventId> = of_events.map(|(_, event)| *event).collect();
        let sequence = if *exclusive { Vec::new() } else { all };
        (!events.is_empty()).then_some(StartsOn { events, sequence, all_of: false })
    }

    fn task(&mut self, task: Task) -> TaskId {
        self.workflow.tasks.push(task);
        TaskId(self.workflow.tasks.len() as u32 - 1)
    }

    fn local(&mut self, name: &str, span: Span) -> LocalId {
        self.workflow.add_local(name, LocalKind::Value, span)
    }

    /// Lowers a transition to another activity, or the end with the data of the workflow.
    fn follow(&mut self, way: &Transition) -> Next {
        match way {
            Transition::To(target) => {
                let name = self.definition.activities[target.index].name.value.clone();
                Next::Goto(Spanned { value: name, span: target.name.span })
            }
            Transition::End => {
                let definition = self.definition;
                let activity = std::mem::take(&mut self.activity);
                let output = self.filtered(&definition.filter.output, self.data, "workflow output filter", None);
                self.activity = activity;
                Next::End(output.unwrap_or(Expr::Local(self.data)))
            }
        }
    }
}

/// Returns the event that a message arrives as. A signal is matched by name only. An event is
/// matched by type and source, or by name if it has no type.
fn awaited(message: &Message) -> AwaitedEvent {
    debug_assert_eq!(message.direction, MessageDirection::Consumed, "others are refused where they are named");
    let of_event = |part: &Option<Spanned<String>>| match message.kind {
        MessageKind::Event => part.as_ref().map(|part| part.value.clone()),
        MessageKind::Signal => None,
    };
    let kind = of_event(&message.event_type);
    AwaitedEvent {
        name: message.name.value.to_string(),
        subject: kind.is_none().then(|| message.name.value.to_string()),
        kind,
        source: of_event(&message.source),
        attributes: Vec::new(),
        correlation: None,
        span: message.span,
    }
}
