//! The analysis of one state: its steps, its nested bodies, and its transitions.

mod distributed;
mod repeat;
mod script;

use super::condition::{Outcomes, suppose};
use super::env::LocalShapes;
use super::eval::Eval;
use super::report::{self, Certainty, MOST_DIAGNOSTICS};
use super::scopes::Analysis;
use crate::diagnostics::Diagnostic;
use crate::expr::{Arg, Expr, Fallibility};
use crate::hir::{Arm, Body, CallTarget, Label, Next, State, Step, StepKind, Try, Workflow};
use crate::literal::Literal;
use crate::model::{Invoke, Join, ScopeId, Seconds, Wait};
use crate::shapes::{AnyReason, KindSet, Shape, ValueOrigin};
use crate::source::Span;
use std::collections::BTreeMap;

/// The analysis of one state, or of the entry steps of a scope.
pub struct StateFlow<'s, 'a> {
    pub(super) analysis: &'s mut Analysis<'a>,
    pub(super) scope: ScopeId,
    /// The index of the state.
    state: Option<usize>,
    /// The locals at each transition to a state.
    pub out: Vec<(&'a str, LocalShapes)>,
    /// The outputs of the scope.
    pub ends: Vec<Shape>,
    /// The locals at the transitions to each label.
    left: BTreeMap<Label, LocalShapes>,
    /// The locals where each body is run again.
    repeated: BTreeMap<Label, LocalShapes>,
    /// The locals at the start of each body that can run again, in all its runs so far.
    settled: BTreeMap<Label, LocalShapes>,
    /// The locals where a fault can occur, for each attempt around the step.
    faults: Vec<Option<LocalShapes>>,
    /// The number of attempts around the step that continue after a fault.
    handlers: usize,
    /// The number of catchers around the step.
    catchers: usize,
    /// `true` while the shapes of a nested loop are not final.
    is_settling: bool,
    /// The number of nested loops that needed more than one round.
    repeated_rounds: usize,
    /// `true` if each run comes to the current step, if no task fails. What follows branches or
    /// iterations is reached only if all of them succeed, which is not certain.
    is_certain: bool,
}

impl<'s, 'a> StateFlow<'s, 'a> {
    /// Creates the analysis of a state of a scope. `None` for the entry steps.
    pub fn new(analysis: &'s mut Analysis<'a>, scope: ScopeId, state: Option<usize>) -> StateFlow<'s, 'a> {
        let (out, ends, faults) = (Vec::new(), Vec::new(), Vec::new());
        let (left, repeated, settled) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let is_certain = analysis.is_certain(scope, state);
        let (handlers, catchers, is_settling, repeated_rounds) = (0, 0, false, 0);
        StateFlow {
            analysis,
            scope,
            state,
            out,
            ends,
            left,
            repeated,
            settled,
            faults,
            handlers,
            catchers,
            is_settling,
            repeated_rounds,
            is_certain,
        }
    }

    /// Analyses the entry steps of a scope. Returns the locals at its first state, or `None` if
    /// it is never reached.
    pub fn entry(&mut self, steps: &'a [Step], env: LocalShapes) -> Option<LocalShapes> {
        steps.iter().try_fold(env, |env, step| self.step(step, env))
    }

    /// Analyses a state.
    pub fn state(&mut self, state: &'a State, env: LocalShapes) {
        self.body(&state.body, env);
    }

    pub(super) fn reports(&self) -> bool {
        self.analysis.report.as_ref().is_some_and(|found| found.len() < MOST_DIAGNOSTICS) && !self.is_settling
    }

    fn diagnostics(&self) -> usize {
        self.analysis.report.as_ref().map_or(0, Vec::len)
    }

    pub(super) fn push(&mut self, diagnostics: Vec<Diagnostic>) {
        if let (Some(found), false) = (&mut self.analysis.report, self.is_settling) {
            found.extend(diagnostics);
        }
    }

    /// Evaluates an expression. `span` is that of the step or the rule. Returns
    /// [`Shape::never`] if it fails in every run.
    fn value(&mut self, expr: &'a Expr, env: &LocalShapes, span: Span) -> Shape {
        self.value_at(expr, env, self.place(span))
    }

    fn value_at(&mut self, expr: &'a Expr, env: &LocalShapes, place: report::ExprPlace<'a>) -> Shape {
        self.analysis.spend(weight(expr));
        if self.analysis.is_exhausted() {
            return Shape::any();
        }
        let mut eval = Eval::new(self.analysis.workflow, env, place, self.reports());
        let found = eval.value(expr);
        self.analysis.spend(eval.work);
        let (paths, checks, reads) = (eval.paths, std::mem::take(&mut eval.checks), std::mem::take(&mut eval.reads));
        let diagnostics = eval.finish();
        if self.analysis.report.is_some() && !self.is_settling {
            self.analysis.paths += paths;
            self.analysis.checks.extend(checks);
            self.analysis.tasks.read(reads);
        }
        self.push(diagnostics);
        found
    }

    pub(super) fn place(&self, span: Span) -> report::ExprPlace<'a> {
        let scope = self.analysis.workflow.scope(self.scope);
        let is_caught = self.handlers > 0;
        report::ExprPlace {
            state: self.state.map(|at| &scope.states[at]),
            span,
            is_caught,
            is_catcher: self.catchers > 0,
            names: self.analysis.names,
            certainty: if self.is_certain { Certainty::Always } else { Certainty::Reached },
        }
    }

    fn body(&mut self, body: &'a Body, mut env: LocalShapes) {
        for step in &body.steps {
            match self.step(step, env) {
                Some(after) => env = after,
                None => return,
            }
        }
        self.fault(&env);
        let span = body.steps.last().map_or_else(|| self.span(), |step| step.span);
        match &body.next {
            Next::Goto(target) => self.out.push((&target.value, env)),
            Next::End(output) => {
                let output = self.value(output, &env, span);
                let output = if self.ends_workflow() { self.workflow_output(output, span) } else { output };
                self.ends.push(output);
            }
            Next::Terminate(output) => {
                let output = self.value(output, &env, span);
                let output = self.workflow_output(output, span);
                if self.analysis.report.is_some() {
                    self.analysis.terminated = self.analysis.terminated.join(&output);
                }
            }
            Next::Fail { error, cause } => {
                let span = self.span();
                error.iter().chain(cause).for_each(|expr| _ = self.value(expr, &env, span));
            }
            Next::FailWith(fault) => _ = self.value(fault, &env, span),
            Next::Raise(_) | Next::Never => {}
            Next::Leave(label) => join(&mut self.left, *label, env),
            Next::Repeat(label) => join(&mut self.repeated, *label, env),
            Next::Retry(retry) => {
                join(&mut self.repeated, retry.attempt, env.clone());
                self.body(&retry.otherwise, env);
            }
            Next::Choose { arms, otherwise } => self.choose(arms, otherwise, env),
        }
    }

    fn span(&self) -> Span {
        let scope = self.analysis.workflow.scope(self.scope);
        self.state.map_or(scope.span, |at| scope.states[at].span)
    }

    fn choose(&mut self, arms: &'a [Arm], otherwise: &'a Body, mut left: LocalShapes) {
        for (at, arm) in arms.iter().enumerate() {
            self.analysis.spend(weight(&arm.condition).saturating_mul(1 + left.len()));
            if self.analysis.is_exhausted() {
                return;
            }
            let before = self.diagnostics();
            let mut place = self.place(arm.span);
            if at > 0 {
                // A rule is evaluated only if none before it matches.
                place.certainty = Certainty::Tested;
            }
            let value = self.value_at(&arm.condition, &left, place);
            self.is_certain = false;
            if value.is_never() {
                return;
            }
            let is_reported = self.diagnostics() > before;
            let workflow = self.analysis.workflow;
            let Outcomes { holds, fails } = suppose(workflow, &arm.condition, &left);
            // No author writes the test for an error object.
            let is_authored = !report::is_error_test(&arm.condition);
            if self.reports() && is_authored {
                let diagnostics = report::conditions(
                    workflow,
                    &arm.condition,
                    &left,
                    &place,
                    holds.is_none() && !is_reported && is_decided(&place, workflow, &arm.condition, true, &left),
                );
                self.push(diagnostics);
            }
            // A single constant stands for data that is still to come: both outcomes are followed.
            let general = match holds.is_some() && fails.is_some() {
                true => Outcomes { holds: None, fails: None },
                false => suppose(workflow, &arm.condition, &left.generalised()),
            };
            if let Some(mut chosen) = holds.or(general.holds) {
                if !is_authored {
                    report::only_error(&arm.condition, &mut chosen);
                }
                self.body(&arm.body, chosen);
            }
            match fails.or(general.fails) {
                Some(env) => left = env,
                None => {
                    if self.reports() && is_authored && is_decided(&place, workflow, &arm.condition, false, &left) {
                        let diagnostics =
                            report::never_reached(&arms[at..], otherwise, workflow.scope(self.scope), &place);
                        self.push(diagnostics);
                    }
                    return;
                }
            }
        }
        self.body(otherwise, left);
    }

    /// Notes a place where a fault can occur. At its end, an attempt passes this on to the one
    /// around it.
    fn fault(&mut self, env: &LocalShapes) {
        if let Some(place) = self.faults.last_mut() {
            LocalShapes::add(place, env);
            self.analysis.spend(env.len());
        }
    }

    /// Analyses a step. Returns the locals after it, or `None` if no path continues there.
    fn step(&mut self, step: &'a Step, mut env: LocalShapes) -> Option<LocalShapes> {
        self.analysis.spend(1 + env.len() / 16);
        if self.analysis.is_exhausted() {
            return None;
        }
        if can_fail(step) {
            self.fault(&env);
        }
        match &step.kind {
            StepKind::Let { local, value } => {
                let shape = self.value(value, &env, step.span);
                if shape.is_never() {
                    return None;
                }
                if let Some(edited) = value.edited() {
                    env.set(edited, shape.clone());
                }
                let reason = env.reason_of([value]);
                env.set(*local, with_origin(shape, value, step.span, self.state_name()));
                env.note_reason(*local, reason);
            }
            StepKind::Assign(values) => {
                let mut computed = Vec::with_capacity(values.len());
                for (local, value) in values {
                    let shape = self.value(value, &env, step.span);
                    if shape.is_never() {
                        return None;
                    }
                    let span = self.analysis.workflow.local(*local).span;
                    let name = self.state_name();
                    let shape = match shape.is_any() {
                        true => shape,
                        false => shape.or_origin(|| ValueOrigin::new(span, format!("assigned by {name}"))),
                    };
                    computed.push((*local, shape, env.reason_of([value])));
                }
                for (local, shape, reason) in computed {
                    env.set(local, shape);
                    env.note_reason(local, reason);
                }
            }
            StepKind::Inspect { .. } => {}
            StepKind::Block(block) => return self.block(block, env),
            StepKind::Try(attempt) => return self.attempt(attempt, env),
            StepKind::Deadline(deadline) => {
                env.set(deadline.at, Shape::string());
                self.body(&deadline.body, env);
                return self.left.remove(&deadline.label);
            }
            StepKind::Invoke(invoke) => return self.invoke(invoke, step.span, env),
            StepKind::Run(run) => self.run(run, step.span, &mut env),
            StepKind::Wait(Wait::For(time)) => self.seconds(Some(time), &env, step.span)?,
            StepKind::Wait(Wait::Until(time)) => {
                if self.value(time, &env, step.span).is_never() {
                    return None;
                }
            }
            StepKind::Fork { branches, join, result } => {
                let is_certain = self.enters();
                let outputs: Vec<Shape> =
                    branches.iter().map(|branch| self.analysis.enter(*branch, &env, is_certain)).collect();
                let outputs = match join {
                    Join::All => Shape::tuple(outputs),
                    Join::NOf(_) => Shape::list(Shape::any()),
                };
                if outputs.is_never() {
                    return None;
                }
                self.is_certain = false;
                let phrase = format!("the outputs of the branches of {}", self.state_name());
                env.set(*result, outputs.from_origin(ValueOrigin::new(step.span.at_start(), phrase)));
            }
            StepKind::ForEach(each) => {
                for expr in step.exprs() {
                    if self.value(expr, &env, step.span).is_never() {
                        return None;
                    }
                }
                let items = env.get(each.items);
                let has_items = items.set() == KindSet::ARRAY && items.as_array().is_some_and(|array| array.least > 0);
                let is_tolerant = each.tolerated_count.is_some() || each.tolerated_percentage.is_some();
                let is_certain = self.enters() && has_items && !is_tolerant;
                let mut inner = env.clone();
                inner.set(each.item, items.elements());
                inner.note_reason(each.item, AnyReason::Item);
                // Without an item the scope is not entered.
                let output = match items.elements().is_never() {
                    true => Shape::never(),
                    false => self.analysis.enter(each.body, &inner, is_certain),
                };
                if output.is_never() && has_items && !is_tolerant {
                    return None;
                }
                self.is_certain = false;
                // An iteration whose failure is tolerated has null as its output.
                let output = if is_tolerant { output.join(&Shape::null()) } else { output };
                let outputs = Shape::list(if each.completion_order { Shape::any() } else { output });
                let phrase = format!("the outputs of the iterations of {}", self.state_name());
                env.set(each.result, outputs.from_origin(ValueOrigin::new(step.span.at_start(), phrase)));
            }
            StepKind::DistributedMap(map) => {
                let settings = self.value(&map.settings, &env, step.span);
                if settings.is_never() {
                    return None;
                }
                let result = self.distributed(map, &settings, step.span);
                self.is_certain = false;
                env.set(map.result, result);
            }
            StepKind::Receive(receive) => {
                receive.collected.iter().for_each(|expr| _ = self.value(expr, &env, step.span));
                env.forget_for(receive.result, AnyReason::Received);
            }
            StepKind::Publish(publish) => {
                self.value(&publish.data, &env, step.span);
                env.set(publish.result, Shape::null());
            }
            StepKind::Call(call) => {
                let shape = self.value(&call.input, &env, step.span);
                self.seconds(call.timeout.as_ref(), &env, step.span)?;
                if shape.is_never() {
                    return None;
                }
                let mut output = Shape::any();
                if let CallTarget::Scope { scope, input } = &call.target {
                    let mut inner = LocalShapes::default();
                    inner.set(*input, shape);
                    let is_certain = self.enters() && !call.detached;
                    let returned = self.analysis.enter(*scope, &inner, is_certain);
                    if !call.detached && !returned.is_never() {
                        output = returned;
                    }
                }
                env.set(call.result, output);
                env.note_reason(call.result, AnyReason::Received);
            }
        }
        Some(env)
    }

    /// Returns `true` if each run enters the scopes of the current step, and fails if they fail.
    fn enters(&self) -> bool {
        self.is_certain && self.handlers == 0
    }

    fn invoke(&mut self, invoke: &'a Invoke, span: Span, mut env: LocalShapes) -> Option<LocalShapes> {
        let input = self.value(&invoke.input, &env, span);
        let credentials = invoke.credentials.as_ref().map(|expr| self.value(expr, &env, span));
        if input.is_never() || credentials.is_some_and(|credentials| credentials.is_never()) {
            return None;
        }
        self.seconds(invoke.timeout.as_ref(), &env, span)?;
        self.seconds(invoke.heartbeat.as_ref(), &env, span)?;
        if self.analysis.report.is_some() && !self.is_settling {
            self.analysis.tasks.invoke(invoke.task, &input);
        }
        env.set(invoke.result, self.task_result(invoke, &input, span));
        env.note_reason(invoke.result, AnyReason::Task);
        Some(env)
    }

    /// Evaluates a time. Returns `None` if this fails in every run.
    fn seconds(&mut self, time: Option<&'a Seconds>, env: &LocalShapes, span: Span) -> Option<()> {
        let Some(expr) = time.and_then(Seconds::expr) else { return Some(()) };
        (!self.value(expr, env, span).is_never()).then_some(())
    }

    /// Returns the state in words.
    fn state_name(&self) -> String {
        let scope = self.analysis.workflow.scope(self.scope);
        self.state.map_or_else(|| scope.label.clone(), |at| format!("`{}`", scope.states[at].name.value))
    }
}

/// Returns what the evaluation of an expression costs: the number of its parts, the length of its
/// programs, and the sizes of the shapes of its schemas.
fn weight(expr: &Expr) -> usize {
    let mut weight = 0;
    expr.walk(&mut |part| {
        weight += match part {
            Expr::Literal(literal) => literal_weight(literal),
            Expr::Apply(apply) => 1 + apply.program.source().len(),
            Expr::Call(call) => 1 + call.args.iter().map(schema_weight).sum::<usize>(),
            _ => 1,
        }
    });
    weight
}

fn schema_weight(arg: &Arg) -> usize {
    if let Arg::Schema(schema) = arg { schema.shape().size() } else { 0 }
}

fn literal_weight(literal: &Literal) -> usize {
    match literal {
        Literal::Array(items) => items.iter().map(literal_weight).sum::<usize>() + 1,
        Literal::Object(members) => members.iter().map(|(_, member)| literal_weight(member)).sum::<usize>() + 1,
        _ => 1,
    }
}

/// Returns `true` if a condition never has a result because of what is known of the data. One
/// constant stands for data that is still to come in many examples, and does not count.
fn is_decided(
    place: &report::ExprPlace<'_>,
    workflow: &Workflow,
    condition: &Expr,
    result: bool,
    env: &LocalShapes,
) -> bool {
    let env = env.generalised();
    if condition.locals().is_empty() || suppose(workflow, condition, &env).of(result).is_some() {
        return false;
    }
    // A condition that may fail has another outcome.
    let mut eval = Eval::new(workflow, &env, *place, true);
    eval.value(condition);
    eval.finish().is_empty()
}

fn join(places: &mut BTreeMap<Label, LocalShapes>, label: Label, env: LocalShapes) {
    let joined = match places.remove(&label) {
        Some(known) => known.join(&env),
        None => env,
    };
    places.insert(label, joined);
}

/// Returns `true` if a run may continue after a fault in the attempt: a catcher does more than
/// fail with it.
fn handles(attempt: &Try) -> bool {
    let fails = |body: &Body| matches!(body.next, Next::Fail { .. } | Next::FailWith(_) | Next::Raise(_));
    attempt.catchers.iter().any(|catcher| !fails(&catcher.body))
}

/// Returns `true` if a handler may catch a fault of the step itself.
fn can_fail(step: &Step) -> bool {
    match &step.kind {
        StepKind::Let { .. } | StepKind::Assign(_) | StepKind::Inspect { .. } => {
            step.exprs().into_iter().any(|expr| expr.fallibility() == Fallibility::Catchable)
        }
        StepKind::Block(_) | StepKind::Try(_) | StepKind::Deadline(_) => false,
        _ => true,
    }
}

/// Returns the shape of a value that a step computes, with the step as its origin.
fn with_origin(shape: Shape, value: &Expr, span: Span, state: String) -> Shape {
    match value {
        Expr::Local(_) => shape,
        Expr::Call(_) if value.edited().is_some() => shape,
        _ if !shape.is_any() => shape.or_origin(|| ValueOrigin::new(span, format!("set by {state}"))),
        _ => shape,
    }
}
