//! Lowering of the AST to the HIR. The global data are one local.
//!
//! A state chooses a transition in a block, which internal transitions repeat. What follows the
//! block is the exit that several transitions share. The wait for events is a loop inside the
//! block, and an action with error handlers is an attempt. Concurrent actions are scopes. Their
//! error handlers do not change the global data at once: they are recorded, and run at the join
//! ([S20](docs/sm4c.md#s20)).

mod action;
mod handlers;
mod state;
mod unused;

use super::ast::{Expression, ExpressionKind, FunctionOperation, StateMachine};
use super::dialect::DIALECT;
use super::functions::INPUT;
use crate::diagnostics::Diagnostics;
use crate::dialects::body::BodyBuilder;
use crate::expr::{Apply, Arg, Expr, Fallibility, LocalId, Program, ProgramText, jq};
use crate::hir::{Next, OnTimeout, Scope, State, Step, StepKind, Workflow};
use crate::model::{self, AwaitedEvent, EventId, LocalKind, ScopeId};
use crate::options::Options;
use crate::source::{Span, Spanned};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Lowers a state machine; `operations` are the service operations of its functions. Returns
/// `None` after reporting an expression that cannot be compiled.
pub fn lower(
    machine: &StateMachine,
    operations: &[Option<model::ServiceFunction>],
    name: &str,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<Workflow> {
    let span = machine.span;
    let data = LocalId(0);
    // Unreachable states and machines without an end are legal.
    let workflow = Workflow {
        comment: machine.description.clone(),
        version: Some(machine.version.value.clone()),
        ..Workflow::new(name, DIALECT.name, "d", span)
    };
    let before = diagnostics.errors();
    let state = String::new();
    let engine = options.engine.unwrap_or(cfg!(feature = "jq-engine"));
    let (handlers, awaited, used) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut cx = Cx { workflow, machine, operations, engine, diagnostics, data, state, handlers, awaited, used };
    // The top level is the first scope. Nested scopes follow as they are found.
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
    cx.workflow.scopes[ScopeId(0)].entry = entry;
    let states = machine.states.iter().map(|state| cx.state(state)).collect();
    cx.workflow.scopes[ScopeId(0)].states = states;
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

/// Noun phrase for error handlers in messages. These expressions also see `$error`.
const ERROR_HANDLER: &str = "error result handler";

pub(super) struct Cx<'a> {
    workflow: Workflow,
    machine: &'a StateMachine,
    /// Service operations of the functions.
    operations: &'a [Option<model::ServiceFunction>],
    /// `true` if an engine can evaluate expressions that are not translated.
    engine: bool,
    diagnostics: &'a mut Diagnostics,
    /// Local of the global data.
    data: LocalId,
    /// Name of the state that is being lowered.
    state: String,
    /// Awaited events, by their indices in the definition.
    awaited: Vec<usize>,
    /// Result handlers of errors in concurrent actions, by their numbers.
    handlers: Vec<Expression>,
    /// Functions whose expressions have been compiled.
    used: BTreeSet<usize>,
}

/// Context of an action.
#[derive(Clone, Copy)]
struct Place {
    /// Scope of the action.
    scope: ScopeId,
    /// Local of the action's input.
    input: LocalId,
    /// Local of the pending handlers, if the action is concurrent with others.
    handled: Option<LocalId>,
    /// `true` if anything continues after a fault of the action, so that the effects of earlier
    /// handlers matter.
    guarded: bool,
}

impl Cx<'_> {
    /// Compiles an expression and applies it to an input, with `value` as `$value`. Returns `None`
    /// after reporting an error.
    fn filter(
        &mut self,
        expression: &Expression,
        what: &str,
        mode: jq::ResultMode,
        input: Expr,
        value: Option<Expr>,
    ) -> Option<Expr> {
        let machine = self.machine;
        let mut expression = expression;
        while let ExpressionKind::Function(function) = &expression.kind {
            self.used.insert(function.index);
            match &machine.functions[function.index].operation {
                FunctionOperation::Expression(operation) => expression = operation,
                FunctionOperation::Rest { .. } | FunctionOperation::Rpc { .. } => return None,
            }
        }
        // `$error` is an alias of `$value` in error handlers ([S2](docs/sm4c.md#s2)).
        let known: &[&str] = match &value {
            None => &[],
            Some(_) if what == ERROR_HANDLER => &["value", "error"],
            Some(_) => &["value"],
        };
        let text = expression.text.slice(expression.range.start, expression.range.end);
        let filter = jq::read(&text, known, mode, self.engine, self.diagnostics)?;
        self.workflow.programs.push(ProgramText { text, start: 0 });
        // Both variables have the same value ([S2](docs/sm4c.md#s2)).
        let variables = filter.variables.iter().map(|_| value.clone().unwrap_or(Expr::NULL)).collect();
        Some(Expr::Apply(Apply {
            program: Arc::new(Program::Jq(filter)),
            name: format!("{} {what}", self.state),
            input: Box::new(input),
            variables,
            fallibility: Fallibility::Catchable,
        }))
    }

    /// Sets a local to the value of an expression.
    fn set_filtered(
        &mut self,
        local: LocalId,
        expression: &Expression,
        what: &str,
        input: Expr,
        value: Option<Expr>,
        steps: &mut BodyBuilder,
    ) {
        if let Some(value) = self.filter(expression, what, jq::ResultMode::Value, input, value) {
            steps.set(local, value, expression.span);
        }
    }

    /// Returns the awaited event with this index in the definition.
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

    /// Adds a scope with one synthetic state. `fill` writes its steps, and returns the value that
    /// it ends with.
    fn scope(
        &mut self,
        label: String,
        parent: ScopeId,
        span: Span,
        input: LocalId,
        fill: impl FnOnce(&mut Self, ScopeId, &mut BodyBuilder) -> Expr,
    ) -> ScopeId {
        let id = ScopeId(self.workflow.scopes.len() as u32);
        let name: Arc<str> = format!("{} {}", self.state, id.0).into();
        let name = Spanned { value: name, span };
        let parent = Some((parent, Arc::from(self.state.as_str())));
        let scope = Scope { label, parent, entry: Vec::new(), start: name.clone(), states: Vec::new(), span };
        self.workflow.scopes.push(scope);
        let mut steps = BodyBuilder::new();
        let output = fill(self, id, &mut steps);
        let body = steps.finish(Next::End(output));
        let state = State { name, comment: None, kind: "", span, input, body, is_synthetic: true };
        self.workflow.scopes[id].states.push(state);
        id
    }

    /// Lowers the time limit of an execution ([S15](docs/sm4c.md#s15)).
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
            self.scope("the action of the time-out".to_owned(), ScopeId(0), timeout.span, input, |cx, id, steps| {
                let handled = cx.local("handled", timeout.span);
                steps.set(handled, Expr::Array(Vec::new()), timeout.span);
                let place = Place { scope: id, input, handled: Some(handled), guarded: false };
                let result = cx.local("result", timeout.span);
                cx.action(action, place, result, steps);
                Expr::NULL
            });
        self.workflow.on_timeout = OnTimeout::Continue { scope, document: self.data, input };
    }
}
