//! AST → HIR: the workflow's data are one local, an activity is a state of a few parts.
//!
//! What an activity does is tried in a part that is guarded; a guard around all of it names the activity in the fault that the
//! workflow fails with.

mod action;
mod activity;
mod data;

use super::ast::{ActivityKind, Definition, Direction, Expression, Message, MessageKind, SECRETS, Way};
use super::functions::INPUT;
use crate::diagnostics::{Diagnostic, Diagnostics, codes::activities::E1108};
use crate::expr::{Apply, Arg, Expr, Fails, LocalId, Program, jq};
use crate::hir::{
    AwaitedEvent, Called, EventId, Local, LocalKind, Next, OnTimeout, Scope, StartsOn, Step, StepKind, Task, TaskId,
    Workflow,
};
use crate::options::Options;
use crate::source::{Span, Spanned};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Lowers a workflow. `None` where an expression cannot be compiled, which has been reported then.
pub fn lower(
    definition: &Definition,
    name: &str,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<Workflow> {
    let span = definition.span;
    let data = LocalId(0);
    let workflow = Workflow {
        name: name.to_owned(),
        dialect: "workflow-dsl",
        comment: definition.description.clone(),
        version: definition.version.as_ref().map(|version| version.value.clone()),
        metadata: None,
        called: Some(called(definition, name)),
        span,
        scopes: Vec::new(),
        locals: vec![Local { name: "data".to_owned(), kind: LocalKind::Value, span }],
        reads: Vec::new(),
        tasks: Vec::new(),
        scripts: Vec::new(),
        input: data,
        takes_object: false,
        input_schema: None,
        output_schema: None,
        events: Vec::new(),
        correlation: crate::hir::Correlation::default(),
        starts_on: None,
        schedule: None,
        timeout: None,
        on_timeout: OnTimeout::Fail,
        refuses_dead_ends: false,
        settings: Vec::new(),
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
    cx.workflow.scopes[0].states = states;
    cx.workflow.starts_on = cx.starts_on();
    (cx.diagnostics.errors() == before).then_some(cx.workflow)
}

/// What others call it: without an id, by its name.
fn called(definition: &Definition, name: &str) -> Called {
    let id = definition.id.as_ref().map_or(name, |id| &id.value).to_owned();
    let version = definition.version.as_ref().map(|version| version.value.clone());
    Called { id, version, is_child: definition.is_child }
}

struct Cx<'a> {
    workflow: Workflow,
    definition: &'a Definition,
    /// Whether there is an engine for expressions that are not translated.
    engine: bool,
    diagnostics: &'a mut Diagnostics,
    /// The workflow's data.
    data: LocalId,
    /// The name of the activity that is being lowered.
    activity: String,
    /// How many calls that activity has, and how many of them have been lowered.
    calls: usize,
    lowered: usize,
    /// The messages that are waited for, by their numbers in the definition.
    awaited: BTreeMap<usize, EventId>,
}

impl Cx<'_> {
    /// An expression, applied to data; `response` is what it finds under `$response`. `None` if it is wrong.
    fn jq(
        &mut self,
        expression: &Expression,
        what: &str,
        mode: jq::Mode,
        input: LocalId,
        response: Option<LocalId>,
    ) -> Option<Expr> {
        if expression.text.value.contains(SECRETS) {
            let message = "a secret stands alone, or at the end of a text, in a header";
            let help = "write it as in `\"authorization\": \"Bearer ${ $SECRETS.token }\"`";
            self.diagnostics.push(Diagnostic::new(&E1108, expression.span, message).help(help));
            return None;
        }
        let known: &[&str] = if response.is_some() { &["response"] } else { &[] };
        let filter = jq::read(&expression.text, known, mode, self.engine, self.diagnostics)?;
        let variables = filter.variables.iter().map(|_| response.map_or(Expr::NULL, Expr::Local)).collect();
        let name = format!("{} {what}", self.activity);
        let input = Box::new(Expr::Local(input));
        Some(Expr::Apply(Apply {
            program: Arc::new(Program::Jq(filter)),
            name: name.trim_start().to_owned(),
            input,
            variables,
            fails: Fails::Catchably,
        }))
    }

    /// A message that is waited for.
    fn event(&mut self, number: usize) -> EventId {
        *self.awaited.entry(number).or_insert_with(|| {
            let events = &mut self.workflow.events;
            events.push(awaited(&self.definition.messages[number]));
            EventId(events.len() as u32 - 1)
        })
    }

    /// The events that start an execution: those that its first activity waits for. A child is started by its parent only, and
    /// a signal is for those who run.
    fn starts_on(&mut self) -> Option<StartsOn> {
        let definition = self.definition;
        let first = &definition.activities[definition.first];
        let ActivityKind::Message { entries, exclusive } = &first.kind else { return None };
        if definition.is_child {
            return None;
        }
        let listened = self.listened(entries, *exclusive);
        let all: Vec<EventId> = listened.iter().map(|message| self.event(*message)).collect();
        let is_event = |message: &usize| definition.messages[*message].kind == MessageKind::Event;
        let of_events = listened.iter().zip(&all).filter(|(message, _)| is_event(message));
        let events: Vec<EventId> = of_events.map(|(_, event)| *event).collect();
        let in_a_row = if *exclusive { Vec::new() } else { all };
        (!events.is_empty()).then_some(StartsOn { events, in_a_row, collects: false })
    }

    fn task(&mut self, task: Task) -> TaskId {
        self.workflow.tasks.push(task);
        TaskId(self.workflow.tasks.len() as u32 - 1)
    }

    fn local(&mut self, name: &str, span: Span) -> LocalId {
        self.workflow.add_local(name, LocalKind::Value, span)
    }

    /// Where a way leads: to another activity, or to the end with the data of the workflow.
    fn follow(&mut self, way: &Way) -> Next {
        match way {
            Way::To(target) => {
                let name = self.definition.activities[target.index].name.value.clone();
                Next::Goto(Spanned { value: name, span: target.name.span })
            }
            Way::End => {
                let definition = self.definition;
                let activity = std::mem::take(&mut self.activity);
                let output = self.filtered(&definition.filter.output, self.data, "workflow output filter", None);
                self.activity = activity;
                Next::End(output.unwrap_or(Expr::Local(self.data)))
            }
        }
    }
}

/// What a message looks like when it arrives. A signal has a name only; an event its type and source, or its name, if it has no
/// type.
fn awaited(message: &Message) -> AwaitedEvent {
    debug_assert_eq!(message.direction, Direction::Consumed, "others are refused where they are named");
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
