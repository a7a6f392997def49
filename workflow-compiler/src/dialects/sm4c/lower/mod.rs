//! AST → HIR: the global data are one local, a state is made of parts that lead to each other.
//!
//! A part is what runs between two decisions: entering, choosing a transition, waiting for an event, following a transition,
//! one try of an action. Actions that run beside others are scopes; what their error handlers do to the global data is
//! noted, and done where they join (ruling S20).

mod action;
mod handlers;
mod state;
mod unused;

use super::ast::{Expression, ExpressionKind, Operation, StateMachine};
use super::functions::INPUT;
use crate::diagnostics::Diagnostics;
use crate::dialects::parts::Parts;
use crate::expr::{Apply, Arg, Expr, Fails, LocalId, Program, jq};
use crate::hir::{
    self, AwaitedEvent, Body, EventId, Local, LocalKind, Next, OnTimeout, Scope, ScopeId, State, Step, StepKind,
    Workflow,
};
use crate::options::Options;
use crate::source::{Span, Spanned};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Lowers a state machine; `operations` are those of services that its functions are. `None` where an expression cannot be compiled, which has been reported then.
pub fn lower(
    machine: &StateMachine,
    operations: &[Option<hir::Operation>],
    name: &str,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<Workflow> {
    let span = machine.span;
    let data = LocalId(0);
    let workflow = Workflow {
        name: name.to_owned(),
        dialect: "sm4c",
        comment: machine.description.clone(),
        version: Some(machine.version.value.clone()),
        metadata: None,
        called: None,
        span,
        scopes: Vec::new(),
        locals: vec![Local { name: "d".to_owned(), kind: LocalKind::Value, span }],
        reads: Vec::new(),
        tasks: Vec::new(),
        scripts: Vec::new(),
        input: data,
        takes_object: false,
        input_schema: None,
        output_schema: None,
        events: Vec::new(),
        correlation: hir::Correlation::default(),
        starts_on: None,
        schedule: None,
        timeout: None,
        on_timeout: OnTimeout::Fail,
        // A state that nothing leads to does no harm, and a machine need not end.
        refuses_dead_ends: false,
        settings: Vec::new(),
    };
    let before = diagnostics.errors();
    let state = String::new();
    let engine = options.engine.unwrap_or(cfg!(feature = "jq-engine"));
    let (handlers, awaited, used) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut cx = Cx { workflow, machine, operations, engine, diagnostics, data, state, handlers, awaited, used };
    // The top level comes first; what is nested in it follows as it is met.
    cx.workflow.scopes.push(Scope {
        label: "the top level".to_owned(),
        parent: None,
        entry: Vec::new(),
        start: machine.states[machine.start].name.clone(),
        states: Vec::new(),
        span,
    });
    let mut entry = Vec::new();
    let input = Expr::call(&INPUT, vec![Arg::Owned(Expr::Local(data))]);
    entry.push(Step { kind: StepKind::Let { local: data, value: input }, span });
    cx.workflow.scopes[0].entry = entry;
    let states = machine.states.iter().map(|state| cx.state(state)).collect();
    cx.workflow.scopes[0].states = states;
    cx.timeout();
    cx.read_unused_functions();
    (cx.diagnostics.errors() == before).then_some(cx.workflow)
}

fn awaited(event: &super::ast::EventDefinition) -> AwaitedEvent {
    let attributes = event
        .correlation
        .iter()
        .filter_map(|correlation| Some((correlation.name.value.clone(), correlation.value.as_ref()?.value.clone())));
    AwaitedEvent {
        name: event.name.value.to_string(),
        subject: Some(event.name.value.to_string()),
        kind: event.kind.as_ref().map(|kind| kind.value.clone()),
        source: event.source.as_ref().map(|source| source.value.clone()),
        attributes: attributes.collect(),
        correlation: None,
        span: event.span,
    }
}

/// What handlers of errors are called: they know `$error`, too.
const ERROR_HANDLER: &str = "error result handler";

pub(super) struct Cx<'a> {
    workflow: Workflow,
    machine: &'a StateMachine,
    /// The operations of services that functions are.
    operations: &'a [Option<hir::Operation>],
    /// Whether there is an engine for expressions that are not translated.
    engine: bool,
    diagnostics: &'a mut Diagnostics,
    /// The global data.
    data: LocalId,
    /// The name of the state that is being lowered.
    state: String,
    /// The events that are waited for, by their numbers in the definition.
    awaited: Vec<usize>,
    /// The result handlers of errors in actions that run beside others, by their numbers.
    handlers: Vec<Expression>,
    /// The functions whose expressions were compiled.
    used: BTreeSet<usize>,
}

/// Where an action runs.
#[derive(Clone, Copy)]
struct Place {
    /// The scope.
    scope: ScopeId,
    /// What the action is given.
    input: LocalId,
    /// Where it runs beside others: what handlers are to do there.
    handled: Option<LocalId>,
    /// Whether anything goes on after a fault of it, so that what handlers have done before matters.
    guarded: bool,
    /// If it is inside of what may be tried again: what the calls before it are counted from.
    retried: Option<Base>,
}

/// Where the numbers of calls begin that are the same in every try.
#[derive(Clone, Copy)]
struct Base {
    /// The tries of what is tried again, or none in a branch of it, which begins anew with every try.
    tries: Option<LocalId>,
    /// How many calls there are in the scope before.
    calls: u32,
}

impl Cx<'_> {
    /// An expression, applied to an input; `value` is what it finds under `$value`. `None` if it is wrong.
    fn filter(
        &mut self,
        expression: &Expression,
        what: &str,
        mode: jq::Mode,
        input: Expr,
        value: Option<Expr>,
    ) -> Option<Expr> {
        let machine = self.machine;
        let mut expression = expression;
        while let ExpressionKind::Function(function) = &expression.kind {
            self.used.insert(function.index);
            match &machine.functions[function.index].operation {
                Operation::Expression(operation) => expression = operation,
                Operation::Rest { .. } | Operation::Rpc { .. } => return None,
            }
        }
        // Ruling S2.
        let known: &[&str] = match &value {
            None => &[],
            Some(_) if what == ERROR_HANDLER => &["value", "error"],
            Some(_) => &["value"],
        };
        let text = expression.text.slice(expression.range.start, expression.range.end);
        let filter = jq::read(&text, known, mode, self.engine, self.diagnostics)?;
        // Ruling S2: the error is the value.
        let variables = filter.variables.iter().map(|_| value.clone().unwrap_or(Expr::NULL)).collect();
        Some(Expr::Apply(Apply {
            program: Arc::new(Program::Jq(filter)),
            name: format!("{} {what}", self.state),
            input: Box::new(input),
            variables,
            fails: Fails::Catchably,
        }))
    }

    /// Sets a local to what an expression yields.
    fn set_filtered(
        &mut self,
        local: LocalId,
        expression: &Expression,
        what: &str,
        input: Expr,
        value: Option<Expr>,
        parts: &mut Parts,
    ) {
        if let Some(value) = self.filter(expression, what, jq::Mode::Value, input, value) {
            parts.set(local, value, expression.span);
        }
    }

    /// An event that is waited for.
    fn event(&mut self, number: usize) -> EventId {
        let known = self.awaited.iter().position(|other| *other == number);
        let at = known.unwrap_or_else(|| {
            self.awaited.push(number);
            self.workflow.events.push(awaited(&self.machine.events[number]));
            self.awaited.len() - 1
        });
        EventId(at as u32)
    }

    fn local(&mut self, name: &str, span: Span) -> LocalId {
        self.workflow.add_local(name, LocalKind::Value, span)
    }

    /// A scope of one state that nobody is told of, which ends with what its parts leave in `result`.
    fn scope(
        &mut self,
        label: String,
        parent: ScopeId,
        span: Span,
        input: LocalId,
        fill: impl FnOnce(&mut Self, ScopeId, &mut Parts) -> Expr,
    ) -> ScopeId {
        let id = ScopeId(self.workflow.scopes.len() as u32);
        let name: Arc<str> = format!("{} {}", self.state, id.0).into();
        let name = Spanned { value: name, span };
        let parent = Some((parent, Arc::from(self.state.as_str())));
        let scope = Scope { label, parent, entry: Vec::new(), start: name.clone(), states: Vec::new(), span };
        self.workflow.scopes.push(scope);
        let mut parts = Parts::new();
        let output = fill(self, id, &mut parts);
        parts.close(Next::End(output));
        let body = Body { steps: Vec::new(), next: parts.finish() };
        let state = State { name, comment: None, kind: "", span, input, body, is_authored: false };
        self.workflow.scopes[id.0 as usize].states.push(state);
        id
    }

    /// What becomes of an execution that takes too long (ruling S15).
    fn timeout(&mut self) {
        let machine = self.machine;
        let Some(timeout) = &machine.timeout else { return };
        self.state = machine.states[machine.start].name.value.to_string();
        let seconds = timeout.duration.value.as_secs_f64().ceil() as u64;
        self.workflow.timeout = Some(Spanned { value: seconds, span: timeout.duration.span });
        self.workflow.on_timeout = OnTimeout::Null;
        let Some(action) = &timeout.action else { return };
        let input = self.local("data", timeout.span);
        let scope =
            self.scope("the action of the time-out".to_owned(), ScopeId(0), timeout.span, input, |cx, id, parts| {
                let handled = cx.local("handled", timeout.span);
                parts.set(handled, Expr::Array(Vec::new()), timeout.span);
                let place = Place { scope: id, input, handled: Some(handled), guarded: false, retried: None };
                let result = cx.local("result", timeout.span);
                cx.action(action, place, result, parts);
                Expr::NULL
            });
        self.workflow.on_timeout = OnTimeout::GoOn { scope, document: self.data, input };
    }
}
