//! What becomes of the errors of a state ("Workflow Error Handling", rulings R6, R8, R15 and R19).

use super::super::ast::{self, ErrorHandler, Retry as Policy, StateKind};
use super::super::functions::{
    ERROR, ERROR_DATA, ERROR_VIEW, FILTERED, HAS_NEW_ERROR, IS_NULL, IS_VIOLATION, REFUSE_RESULTS, WITH_ALIAS,
    WITH_ERROR,
};
use super::Cx;
use super::condition::{Sees, asks_for_error};
use super::steps::{choose, to};
use crate::dialects::parts::Parts;
use crate::expr::{Arg, Expr, Function, If, LocalId, Step};
use crate::hir::{self, Arm, Body, Catcher, Jitter, LocalKind, Next, Retrier, Retry, StepKind};
use crate::schema;
use crate::syntax::Text;

/// What every error is named.
const ALL: &str = "States.ALL";

/// What an action fails with that takes too long.
pub(super) const TIMEOUT: &str = "States.Timeout";

/// The part of a state whose errors are looked at.
pub(super) struct Guarded {
    /// The data that each attempt begins with, if there can be several.
    kept: Option<LocalId>,
    /// Counts the attempts of each retry.
    tries: Vec<LocalId>,
    /// Where an attempt begins.
    attempt: u32,
    fault: LocalId,
    guard: u32,
}

/// Handlers that are still to be written: the part in which one is chosen, and what it knows.
pub(super) struct Pending {
    part: u32,
    fault: LocalId,
    error: LocalId,
    view: LocalId,
}

/// Whether an action of a state has a time-out.
fn has_timeouts(kind: &StateKind) -> bool {
    let limited = |action: &ast::Action| action.timeout.is_some();
    match kind {
        StateKind::Operation { actions } => actions.list.iter().any(limited),
        StateKind::Event { entries, .. } => entries.iter().flat_map(|entry| &entry.actions.list).any(limited),
        StateKind::Callback { action, .. } => limited(action),
        _ => false,
    }
}

impl Cx<'_> {
    /// Begins what is guarded, if anything is done about errors.
    pub(super) fn begin_guarded(&mut self, state: &ast::State, parts: &mut Parts) -> Option<Guarded> {
        // Ruling R15: where nobody says what becomes of it, a time-out lets the state go on.
        let goes_on = self.goes_on && has_timeouts(&state.kind);
        if !state.handles_errors() && !goes_on {
            return None;
        }
        let span = state.span;
        let kept = (!state.retries.is_empty()).then(|| {
            let kept = self.local("kept", span);
            parts.set(kept, Expr::Local(self.data), span);
            kept
        });
        let tries: Vec<LocalId> =
            state.retries.iter().map(|retry| self.workflow.add_local("tries", LocalKind::Tries, retry.span)).collect();
        for (tries, retry) in tries.iter().zip(&state.retries) {
            parts.push(StepKind::BeginTries { tries: *tries, inner: false }, retry.span);
        }
        let attempt = if kept.is_some() { parts.split("try") } else { 0 };
        let fault = self.workflow.add_local("fault", LocalKind::Fault, span);
        let guard = parts.enter(fault);
        if let Some(kept) = kept {
            parts.set(self.data, Expr::Local(kept), span);
        }
        Some(Guarded { kept, tries, attempt, fault, guard })
    }

    /// A state is tried again because of the results of its actions, too: if an expression holds for the data that it has made of
    /// them. What asks for the error holds only for one that is new.
    pub(super) fn refuse_results(&mut self, state: &ast::State, guarded: &Guarded, parts: &mut Parts) {
        let (Some(kept), false) =
            (guarded.kept, matches!(state.kind, StateKind::Parallel { .. } | StateKind::ForEach(_)))
        else {
            return;
        };
        // A schema has no say about the error that these ask for, too.
        let known = self.known.take();
        let mut arms = Vec::new();
        let (refuse, after) = (parts.reserve("refuse"), parts.reserve("results"));
        for retry in &state.retries {
            let Some(mut condition) = self.condition(&retry.expression, Sees { root: self.data, error: None }) else {
                continue;
            };
            if asks_for_error(&condition, self.data) {
                let (before, after) = (Arg::Value(Expr::Local(kept)), Arg::Value(Expr::Local(self.data)));
                condition = Expr::And(vec![Expr::call(&HAS_NEW_ERROR, vec![before, after]), condition]);
            }
            // One that is never followed by another attempt says which results are let through.
            let body = to(if retry.attempts > 0 { refuse } else { after });
            arms.push(Arm { condition, body, span: retry.span, on_error: true });
        }
        parts.close(Next::Choose { arms, otherwise: Box::new(to(after)) });
        parts.begin(refuse);
        let none = self.local("none", state.span);
        let args = vec![Arg::Value(Expr::Local(self.data)), Arg::Str(self.state.as_str().into())];
        parts.set(none, Expr::call(&REFUSE_RESULTS, args), state.span);
        // What fails leads nowhere.
        parts.close(Next::Part(after));
        parts.begin(after);
        self.known = known;
    }

    /// Ends what is guarded: it goes on with the part `after`.
    pub(super) fn end_guarded(
        &mut self,
        state: &ast::State,
        guarded: &Guarded,
        after: u32,
        parts: &mut Parts,
    ) -> Option<Pending> {
        if !state.handles_errors() {
            let catcher = Catcher { errors: vec![TIMEOUT.to_owned()], body: to(after), span: state.span };
            parts.leave(guarded.guard, Next::Part(after), vec![catcher]);
            return None;
        }
        let span = state.span;
        let (error, view) = (self.local("error", span), self.local("seen", span));
        let named = vec![Arg::Owned(Expr::Local(guarded.fault)), Arg::Str(self.state.as_str().into())];
        let seen = vec![Arg::Value(Expr::Local(self.data)), Arg::Value(Expr::Local(error))];
        let steps = vec![
            hir::Step { kind: StepKind::Let { local: error, value: Expr::call(&ERROR, named) }, span },
            hir::Step { kind: StepKind::Let { local: view, value: Expr::call(&ERROR_VIEW, seen) }, span },
        ];
        let part = parts.reserve("handle");
        let mut arms = Vec::new();
        for (retry, tries) in state.retries.iter().zip(&guarded.tries) {
            let Some(condition) = self.retry_condition(retry, view, error) else { continue };
            let again = Retry {
                retrier: retrier(retry),
                tries: *tries,
                fault: guarded.fault,
                part: guarded.attempt,
                otherwise: to(part),
            };
            let body = Body { steps: Vec::new(), next: Next::Retry(Box::new(again)) };
            arms.push(Arm { condition, body, span: retry.span, on_error: true });
        }
        let next = choose(arms, part);
        let catcher = Catcher { errors: vec![ALL.to_owned()], body: Body { steps, next }, span };
        parts.leave(guarded.guard, Next::Part(after), vec![catcher]);
        Some(Pending { part, fault: guarded.fault, error, view })
    }

    /// Whether a state is to be tried again after a fault. Where that is one of its results, there is no error.
    fn retry_condition(&mut self, retry: &Policy, view: LocalId, error: LocalId) -> Option<Expr> {
        let condition = self.condition(&retry.expression, Sees { root: view, error: None })?;
        if !asks_for_error(&condition, view) {
            return Some(condition);
        }
        let none = Expr::call(&IS_NULL, vec![Arg::Value(Expr::Local(error))]);
        Some(Expr::And(vec![Expr::Not(Box::new(none)), condition]))
    }

    /// The first handler whose expression holds; where none does, the error goes on.
    pub(super) fn handle(&mut self, state: &ast::State, pending: Pending, parts: &mut Parts) {
        parts.begin(pending.part);
        let mut arms = Vec::new();
        let mut chosen: Vec<(u32, &ErrorHandler)> = Vec::new();
        for handler in &state.handlers {
            let sees = Sees { root: pending.view, error: Some(pending.error) };
            let Some(condition) = self.condition(&handler.expression, sees) else { continue };
            let part = parts.reserve("handled");
            chosen.push((part, handler));
            arms.push(Arm { condition, body: to(part), span: handler.span, on_error: true });
        }
        let otherwise = Box::new(Body { steps: Vec::new(), next: Next::Raise(pending.fault) });
        parts.close(Next::Choose { arms, otherwise });
        for (part, handler) in chosen {
            parts.begin(part);
            self.known = None;
            self.merge_error(handler, pending.error, parts);
            if let Some(path) = &state.filter.output
                && let Some(base) = self.shown_error(path, &WITH_ALIAS, self.data, parts)
                && let Some(found) = self.selection(path, Expr::Local(base))
            {
                let args = vec![Arg::Maybe(found), Arg::Value(Expr::Local(self.data))];
                self.set_data(Expr::call(&FILTERED, args), path.span, parts);
            }
            // Ruling R20. The handlers of the state have been asked: what does not fit is an error of the state around. Where they
            // were asked because something does not fit, that is handled.
            if let Some(text) = &state.output_schema
                && let Some(schema) = schema::read(text, self.inputs, self.diagnostics)
            {
                let data = || Expr::Local(self.data);
                let test = Expr::call(&IS_VIOLATION, vec![Arg::Value(Expr::Local(pending.error))]);
                let otherwise = schema.check(data(), "the output of the state");
                let checked = Expr::If(Box::new(If { test, then: data(), otherwise }));
                parts.set(self.data, checked, text.span);
            }
            match (&handler.transition, &state.exit) {
                (Some(transition), _) => self.transit(transition, parts),
                (None, Some(exit)) => self.exit(exit, parts),
                // Refused where it is read.
                (None, None) => parts.close(Next::Raise(pending.fault)),
            }
        }
    }

    /// What a filter looks at for an error: the value itself, or, where the path begins with the other name of the error
    /// (ruling R6), one that has it. Nothing where it is all of it.
    fn shown_error(
        &mut self,
        filter: &Text,
        alias: &'static Function,
        base: LocalId,
        parts: &mut Parts,
    ) -> Option<LocalId> {
        let path = self.path(filter, Expr::Local(base))?;
        if path.expr == path.base {
            return None;
        }
        if !matches!(path.steps.as_deref(), Some([Step::Key(first), ..]) if first == "exception") {
            return Some(base);
        }
        let shown = self.local("shown", filter.span);
        parts.set(shown, Expr::call(alias, vec![Arg::Value(Expr::Local(base))]), filter.span);
        Some(shown)
    }

    fn merge_error(&mut self, handler: &ErrorHandler, error: LocalId, parts: &mut Parts) {
        if let Some(filter) = &handler.filter {
            let whole = self.local("error_data", filter.span);
            parts.set(whole, Expr::call(&ERROR_DATA, vec![Arg::Value(Expr::Local(error))]), filter.span);
            if let Some(shown) = self.shown_error(filter, &WITH_ALIAS, whole, parts) {
                self.merge_selected(filter, shown, Expr::Local(error), "error", parts);
                return;
            }
        }
        let args = vec![Arg::Owned(Expr::Local(self.data)), Arg::Value(Expr::Local(error))];
        self.set_data(Expr::call(&WITH_ERROR, args), handler.span, parts);
    }
}

fn retrier(retry: &Policy) -> Retrier {
    Retrier {
        errors: vec![ALL.to_owned()],
        interval_seconds: retry.interval,
        max_attempts: retry.attempts,
        backoff_rate: 1.0,
        max_delay_seconds: None,
        increment_seconds: retry.increment,
        jitter: Jitter::None,
        span: retry.span,
    }
}
