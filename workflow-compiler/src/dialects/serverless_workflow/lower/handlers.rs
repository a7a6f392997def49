//! Lowering of retries and error handlers ("Workflow Error Handling",
//! [R6](docs/serverless-workflow.md#r6), [R8](docs/serverless-workflow.md#r8),
//! [R15](docs/serverless-workflow.md#r15) and [R19](docs/serverless-workflow.md#r19)).

use super::super::ast::{self, ErrorHandler, Retry as Policy, StateKind};
use super::super::functions::{
    ERROR, ERROR_DATA, ERROR_VIEW, FILTERED, HAS_NEW_ERROR, IS_NULL, IS_VIOLATION, REFUSE_RESULTS, WITH_ALIAS,
    WITH_ERROR,
};
use super::Cx;
use super::condition::{Sees, asks_for_error};
use super::steps::{choose, to};
use crate::dialects::parts::PartsBuilder;
use crate::expr::{Arg, Expr, Function, If, LocalId, PathStep};
use crate::hir::{self, Arm, Body, Catcher, ErrorMatch, Jitter, LocalKind, Next, Retrier, Retry, StepKind};
use crate::schema;
use crate::syntax::Text;

/// Guarded part of a state.
pub(super) struct Guarded {
    /// Local of the data at the start of each attempt, if the state has retries.
    kept: Option<LocalId>,
    /// Retry state of each retry.
    block_retries: Vec<LocalId>,
    /// Part in which an attempt begins.
    attempt: u32,
    fault: LocalId,
    guard: u32,
}

/// Handlers that are still to be lowered: the part that chooses one, and the locals that it reads.
pub(super) struct Pending {
    part: u32,
    fault: LocalId,
    error: LocalId,
    view: LocalId,
}

/// Returns `true` if an action of a state has a timeout.
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
    /// Opens the guard of a state with retries or handlers, or with timeouts that let the state go
    /// on.
    pub(super) fn begin_guarded(&mut self, state: &ast::State, parts: &mut PartsBuilder) -> Option<Guarded> {
        // Without retries and handlers, a timeout lets the state go on
        // ([R15](docs/serverless-workflow.md#r15)).
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
        let block_retries: Vec<LocalId> = state
            .retries
            .iter()
            .map(|retry| self.workflow.add_local("tries", LocalKind::BlockRetries, retry.span))
            .collect();
        for (block_retries, retry) in block_retries.iter().zip(&state.retries) {
            parts.push(StepKind::BeginRetryBlock { block_retries: *block_retries, inner: false }, retry.span);
        }
        let attempt = if kept.is_some() { parts.split("try") } else { 0 };
        let fault = self.workflow.add_local("fault", LocalKind::Fault, span);
        let guard = parts.open_guard(fault);
        if let Some(kept) = kept {
            parts.set(self.data, Expr::Local(kept), span);
        }
        Some(Guarded { kept, block_retries, attempt, fault, guard })
    }

    /// Lowers the retries that depend on the results of actions: the retry expressions are
    /// evaluated on the data after success, too. An expression that reads the error counts only if
    /// the error is new.
    pub(super) fn refuse_results(&mut self, state: &ast::State, guarded: &Guarded, parts: &mut PartsBuilder) {
        let (Some(kept), false) =
            (guarded.kept, matches!(state.kind, StateKind::Parallel { .. } | StateKind::ForEach(_)))
        else {
            return;
        };
        // Schemas do not describe the error that these expressions read.
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
            // A retry with no attempts names the results that are accepted.
            let body = to(if retry.attempts > 0 { refuse } else { after });
            arms.push(Arm { condition, body, span: retry.span, on_error: true });
        }
        parts.close(Next::Choose { arms, otherwise: Box::new(to(after)) });
        parts.begin(refuse);
        let none = self.local("none", state.span);
        let args = vec![Arg::Value(Expr::Local(self.data)), Arg::Str(self.state.as_str().into())];
        parts.set(none, Expr::call(&REFUSE_RESULTS, args), state.span);
        // The step before always fails, so that this transition is never taken.
        parts.close(Next::Part(after));
        parts.begin(after);
        self.known = known;
    }

    /// Closes the guard of a state, which continues with the part `after`.
    pub(super) fn end_guarded(
        &mut self,
        state: &ast::State,
        guarded: &Guarded,
        after: u32,
        parts: &mut PartsBuilder,
    ) -> Option<Pending> {
        if !state.handles_errors() {
            let catcher = Catcher { errors: vec![ErrorMatch::Timeout], body: to(after), span: state.span };
            parts.close_guard(guarded.guard, Next::Part(after), vec![catcher]);
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
        for (retry, block_retries) in state.retries.iter().zip(&guarded.block_retries) {
            let Some(condition) = self.retry_condition(retry, view, error) else { continue };
            let again = Retry {
                retrier: retrier(retry),
                block_retries: *block_retries,
                fault: guarded.fault,
                part: guarded.attempt,
                otherwise: to(part),
            };
            let body = Body { steps: Vec::new(), next: Next::Retry(Box::new(again)) };
            arms.push(Arm { condition, body, span: retry.span, on_error: true });
        }
        let next = choose(arms, part);
        let catcher = Catcher { errors: vec![ErrorMatch::Any], body: Body { steps, next }, span };
        parts.close_guard(guarded.guard, Next::Part(after), vec![catcher]);
        Some(Pending { part, fault: guarded.fault, error, view })
    }

    /// Returns the condition under which a fault is retried. If the fault is a refused result,
    /// there is no error.
    fn retry_condition(&mut self, retry: &Policy, view: LocalId, error: LocalId) -> Option<Expr> {
        let condition = self.condition(&retry.expression, Sees { root: view, error: None })?;
        if !asks_for_error(&condition, view) {
            return Some(condition);
        }
        let none = Expr::call(&IS_NULL, vec![Arg::Value(Expr::Local(error))]);
        Some(Expr::And(vec![Expr::Not(Box::new(none)), condition]))
    }

    /// Lowers the choice of the first handler whose expression is true. Without one, the error is
    /// raised again.
    pub(super) fn handle(&mut self, state: &ast::State, pending: Pending, parts: &mut PartsBuilder) {
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
                && let Some(selection) = self.selection(path, Expr::Local(base))
            {
                let args = vec![Arg::Maybe(selection), Arg::Value(Expr::Local(self.data))];
                self.set_data(Expr::call(&FILTERED, args), path.span, parts);
            }
            // The output schema is checked here ([R20](docs/serverless-workflow.md#r20)). The
            // handlers of this state have had their turn, so that a violation is an error of the
            // enclosing state. If the handled error is itself a violation, the data are not
            // checked again.
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
                // The parser has refused such a handler.
                (None, None) => parts.close(Next::Raise(pending.fault)),
            }
        }
    }

    /// Returns the local that a filter of an error reads: `base`, or a copy with the member
    /// `exception` if the path begins with that name ([R6](docs/serverless-workflow.md#r6)).
    /// Returns `None` for the path `$`.
    fn shown_error(
        &mut self,
        filter: &Text,
        alias: &'static Function,
        base: LocalId,
        parts: &mut PartsBuilder,
    ) -> Option<LocalId> {
        let path = self.path(filter, Expr::Local(base))?;
        if path.expr == path.base {
            return None;
        }
        if !matches!(path.steps.as_deref(), Some([PathStep::Key(first), ..]) if first == "exception") {
            return Some(base);
        }
        let shown = self.local("shown", filter.span);
        parts.set(shown, Expr::call(alias, vec![Arg::Value(Expr::Local(base))]), filter.span);
        Some(shown)
    }

    fn merge_error(&mut self, handler: &ErrorHandler, error: LocalId, parts: &mut PartsBuilder) {
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
        errors: vec![ErrorMatch::Any],
        interval_seconds: retry.interval,
        max_attempts: retry.attempts,
        backoff_rate: 1.0,
        max_delay_seconds: None,
        increment_seconds: retry.increment,
        jitter: Jitter::None,
        span: retry.span,
    }
}
