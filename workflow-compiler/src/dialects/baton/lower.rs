//! Lowering of the AST to the HIR. The data of the definition are one local, and those of a branch
//! another, which begins with the data of the state around it.

use super::ast::{Baton, CatchRule, ChooseRule, Course, EventDeadline, Formula, JoinBranch, Leg, LegForm, Name};
use super::ast::{RetryRule, Work};
use super::dialect::DIALECT;
use crate::dialects::body::{BodyBuilder, Limit};
use crate::expr::{Apply, Expr, Fallibility, Literal, LocalId};
use crate::hir::{Arm, Body, Catcher, Expiry, Next, Scope, State, Step, StepKind, Try, Workflow};
use crate::model::{
    AwaitedEvent, ErrorNames, EventId, InputTemplate, Invoke, Jitter, Join, LocalKind, Receive, Retrier, ScopeId,
    Seconds, Task, TaskId, TaskShapes, Wait,
};
use crate::source::{Span, Spanned};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Lowers a definition.
pub fn lower(baton: &Baton, name: &str) -> Workflow {
    let span = baton.course.span;
    let workflow = Workflow {
        comment: Some(baton.description.clone()),
        input_must_be_object: true,
        error_names: ErrorNames { any: "any", timeout: "timeout", ..ErrorNames::NEUTRAL },
        ..Workflow::new(name, DIALECT.name, "data", span)
    };
    let mut cx = Cx { workflow, leg: Arc::default(), awaited: BTreeMap::new() };
    cx.course(&baton.course, "the top level".to_owned(), None, LocalId(0), Vec::new());
    cx.workflow
}

struct Cx {
    workflow: Workflow,
    /// Name of the state that is being lowered.
    leg: Arc<str>,
    /// Awaited events, by type.
    awaited: BTreeMap<Arc<str>, EventId>,
}

/// Scope with the local of its data.
#[derive(Clone, Copy)]
struct Place {
    scope: ScopeId,
    data: LocalId,
}

impl Cx {
    /// Lowers states as a scope.
    fn course(
        &mut self,
        course: &Course,
        label: String,
        parent: Option<(ScopeId, Arc<str>)>,
        data: LocalId,
        entry: Vec<Step>,
    ) -> ScopeId {
        let (start, span) = (course.start.clone(), course.span);
        let scope = self.workflow.scopes.push(Scope { label, parent, entry, start, states: Vec::new(), span });
        let place = Place { scope, data };
        let states = course.legs.iter().map(|leg| self.leg(leg, place)).collect();
        self.workflow.scopes[scope].states = states;
        scope
    }

    fn leg(&mut self, leg: &Leg, place: Place) -> State {
        self.leg = leg.name.value.clone();
        let mut steps = BodyBuilder::new();
        match &leg.form {
            LegForm::Work { retries, catches, next, .. } => {
                if retries.is_empty() && catches.is_empty() {
                    self.work(leg, place, &mut steps);
                } else {
                    self.attempt(leg, retries, catches, place, &mut steps);
                }
                steps.close(Next::Goto(next.clone()));
            }
            LegForm::Choose { rules, otherwise } => {
                let arms = rules.iter().map(|rule| self.arm(rule, place)).collect();
                steps.choose(arms, go(otherwise));
            }
            LegForm::End(output) => {
                steps.close(Next::End(self.apply(output, "output", Expr::Local(place.data), None)));
            }
            LegForm::Fail { error, cause } => {
                let cause = cause.as_ref().map(text);
                steps.close(Next::Fail { error: Some(text(error)), cause });
            }
        }
        State {
            name: leg.name.clone(),
            comment: None,
            kind: leg.form.name(),
            span: leg.span,
            input: place.data,
            body: steps.finish(Next::Never),
            is_synthetic: false,
        }
    }

    fn arm(&mut self, rule: &ChooseRule, place: Place) -> Arm {
        let condition = self.apply(&rule.condition, "condition", Expr::Local(place.data), None);
        Arm { condition, body: go(&rule.next), span: rule.span, on_error: false }
    }

    /// Lowers the work of a state with its rules for errors.
    fn attempt(
        &mut self,
        leg: &Leg,
        retries: &[RetryRule],
        catches: &[CatchRule],
        place: Place,
        steps: &mut BodyBuilder,
    ) {
        let fault = self.workflow.add_local("fault", LocalKind::Fault, leg.span);
        let has_retries = !retries.is_empty();
        let counters = has_retries.then(|| self.workflow.add_local("retries", LocalKind::Retries, leg.span));
        let label = steps.label();
        let body = steps.body(Next::Leave(label), |steps| self.work(leg, place, steps));
        let catchers = catches.iter().map(|rule| self.catcher(rule, fault, place, steps)).collect();
        let attempt = Try {
            label,
            body,
            retriers: retries.iter().map(retrier).collect(),
            retries: counters,
            block_retries: Vec::new(),
            catchers,
            fault,
            after: "go on",
        };
        steps.push(StepKind::Try(Box::new(attempt)), leg.span);
    }

    fn catcher(&mut self, rule: &CatchRule, fault: LocalId, place: Place, steps: &mut BodyBuilder) -> Catcher {
        let body = steps.body(Next::Goto(rule.next.clone()), |steps| {
            let Some(keep) = &rule.keep else { return };
            let error = self.local("error", rule.span);
            steps.set(error, Expr::Local(fault), rule.span);
            self.keep(keep, error, place, steps);
        });
        Catcher { errors: rule.errors.clone(), body, span: rule.span }
    }

    /// Lowers the work of a state, and the new data that it leads to.
    fn work(&mut self, leg: &Leg, place: Place, steps: &mut BodyBuilder) {
        let LegForm::Work { work, keep, .. } = &leg.form else { return };
        let result = self.local("result", leg.span);
        match work {
            Work::Task { key, input, limit } => {
                let data = Expr::Local(place.data);
                let input = match input {
                    Some(input) => self.apply(input, "input", data, None),
                    None => data,
                };
                let timeout = limit.as_ref().map(|limit| Seconds::Fixed(limit.value.as_secs_f64()));
                let task = self.task(key);
                let invoke = Invoke {
                    task,
                    input,
                    template: InputTemplate::default(),
                    timeout,
                    heartbeat: None,
                    credentials: None,
                    callback: false,
                    result,
                };
                steps.push(StepKind::Invoke(Box::new(invoke)), leg.span);
            }
            Work::Wait(time) => {
                return steps.push(StepKind::Wait(Wait::For(Seconds::Fixed(time.value.as_secs_f64()))), time.span);
            }
            Work::Event { kind, deadline } => self.receive(kind, deadline.as_ref(), result, leg.span, steps),
            Work::Join { first, branches, collect } => {
                self.join(*first, branches, result, place, leg.span, steps);
                let names = branches.iter().map(|branch| Literal::String(branch.name.value.to_string())).collect();
                let names = Expr::Literal(Literal::Array(names));
                steps.set(result, self.apply(collect, "outputs", Expr::Local(result), Some(names)), leg.span);
            }
        }
        if let Some(keep) = keep {
            self.keep(keep, result, place, steps);
        }
    }

    /// Replaces the data by those that an expression makes of them and of a result or an error.
    fn keep(&mut self, keep: &Formula, value: LocalId, place: Place, steps: &mut BodyBuilder) {
        let data = self.apply(keep, "data", Expr::Local(place.data), Some(Expr::Local(value)));
        steps.set(place.data, data, keep.span);
    }

    /// Lowers the wait for an event. After the deadline, the state that is late follows.
    fn receive(
        &mut self,
        kind: &Name,
        deadline: Option<&EventDeadline>,
        result: LocalId,
        span: Span,
        steps: &mut BodyBuilder,
    ) {
        let events = vec![self.event(kind)];
        let limit = deadline.map(|deadline| {
            let span = deadline.limit.span;
            let at = self.local("until", span);
            Limit { seconds: deadline.limit.value.as_secs_f64(), at, expiry: Expiry::Null, span }
        });
        let receive = Receive { events, discards_unmatched: false, collected: None, result };
        steps.deadline(limit, |steps| steps.push(StepKind::Receive(Box::new(receive)), span));
        let Some(deadline) = deadline else { return };
        let condition = self.apply(&deadline.has_passed, "deadline", Expr::Local(result), None);
        let arm = Arm { condition, body: go(&deadline.late), span: deadline.late.span, on_error: false };
        steps.block("heard", span, |steps, heard| {
            steps.choose(vec![arm], Body::to(Next::Leave(heard)));
        });
    }

    /// Lowers concurrent branches. Afterwards, `result` has the array of their outputs, or that of
    /// the indices and outputs of the first ones.
    fn join(
        &mut self,
        first: Option<u32>,
        branches: &[JoinBranch],
        result: LocalId,
        place: Place,
        span: Span,
        steps: &mut BodyBuilder,
    ) {
        let leg = self.leg.clone();
        let scopes = branches.iter().map(|branch| {
            let data = self.local("data", branch.name.span);
            let value = Expr::Local(place.data);
            let entry = vec![Step { kind: StepKind::Let { local: data, value }, span: branch.name.span }];
            let label = format!("`{}` of `{leg}`", branch.name.value);
            self.course(&branch.course, label, Some((place.scope, leg.clone())), data, entry)
        });
        let branches = scopes.collect();
        self.leg = leg;
        let join = first.map_or(Join::All, Join::NOf);
        steps.push(StepKind::Fork { branches, join, result }, span);
    }

    /// Applies an expression to an input, with the value of its variable.
    fn apply(&self, formula: &Formula, what: &str, input: Expr, variable: Option<Expr>) -> Expr {
        Expr::Apply(Apply {
            program: formula.program.clone(),
            name: format!("{} {what}", self.leg),
            input: Box::new(input),
            variables: variable.filter(|_| formula.reads_variable).into_iter().collect(),
            fallibility: Fallibility::Catchable,
        })
    }

    /// Adds the task that the state invokes.
    fn task(&mut self, key: &Name) -> TaskId {
        let name = key.value.to_string();
        self.workflow.tasks.push(Task {
            key: name.clone(),
            method: name.clone(),
            resource: name,
            state: self.leg.clone(),
            span: key.span,
            is_function: false,
            operation: None,
            shapes: TaskShapes::default(),
        });
        TaskId(self.workflow.tasks.len() as u32 - 1)
    }

    /// Returns the awaited event of this type.
    fn event(&mut self, kind: &Name) -> EventId {
        let events = &mut self.workflow.events;
        *self.awaited.entry(kind.value.clone()).or_insert_with(|| {
            events.push(AwaitedEvent {
                name: kind.value.to_string(),
                subject: None,
                kind: Some(kind.value.to_string()),
                source: None,
                attributes: Vec::new(),
                correlation: None,
                span: kind.span,
            });
            EventId(events.len() as u32 - 1)
        })
    }

    fn local(&mut self, name: &str, span: Span) -> LocalId {
        self.workflow.add_local(name, LocalKind::Value, span)
    }
}

/// Returns the body that continues with a state.
fn go(target: &Name) -> Body {
    Body::to(Next::Goto(target.clone()))
}

fn text(text: &Spanned<String>) -> Expr {
    Expr::Literal(Literal::String(text.value.clone()))
}

fn retrier(rule: &RetryRule) -> Retrier {
    Retrier {
        errors: rule.errors.clone(),
        interval_seconds: rule.every.value.as_secs_f64(),
        max_attempts: rule.times,
        backoff_rate: rule.factor,
        max_delay_seconds: None,
        increment_seconds: 0.0,
        jitter: Jitter::None,
    }
}
