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
use super::event::Waited;
use crate::dialects::body::BodyBuilder;
use crate::expr::{Arg, Expr, Function, If, LocalId, PathStep};
use crate::hir::{Arm, BlockExit, Body, Catcher, Label, Next, Retry};
use crate::model::{ErrorMatch, Jitter, LocalKind, Retrier};
use crate::schema;
use crate::syntax::Text;

/// Locals of a caught fault.
#[derive(Clone, Copy)]
struct Caught {
    fault: LocalId,
    error: LocalId,
    /// The data with the error.
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
    /// Lowers the work of a state and its exit, or the transitions of a switch.
    pub(super) fn work_and_exit(&mut self, state: &ast::State, waited: Option<&Waited>, steps: &mut BodyBuilder) {
        if state.handles_errors() {
            return self.attempt(state, waited, steps);
        }
        if self.goes_on && has_timeouts(&state.kind) {
            self.go_on_after_timeout(state, waited, steps);
        } else {
            self.work(state, waited, steps);
        }
        if let Some(exit) = &state.exit {
            self.filter_output(state, steps);
            self.exit(exit, steps);
        }
    }

    /// Lowers the work of a state without retries and handlers: a timeout lets the state go on
    /// ([R15](docs/serverless-workflow.md#r15)).
    fn go_on_after_timeout(&mut self, state: &ast::State, waited: Option<&Waited>, steps: &mut BodyBuilder) {
        let span = state.span;
        let fault = self.workflow.add_local("fault", LocalKind::Fault, span);
        steps.attempt(fault, Vec::new(), "leave", span, |steps, leave| {
            self.work(state, waited, steps);
            vec![Catcher { errors: vec![ErrorMatch::Timeout], body: Body::to(Next::Leave(leave)), span }]
        });
        self.known = None;
    }

    /// Lowers the work and exit of a state with retries or handlers. The handlers and all
    /// transitions are outside of the attempt.
    fn attempt(&mut self, state: &ast::State, waited: Option<&Waited>, steps: &mut BodyBuilder) {
        let span = state.span;
        // The data at the start of each attempt.
        let kept = (!state.retries.is_empty()).then(|| {
            let kept = self.local("kept", span);
            steps.set(kept, Expr::Local(self.data), span);
            kept
        });
        let counter = |retry: &Policy| self.workflow.add_local("tries", LocalKind::BlockRetries, retry.span);
        let block_retries: Vec<LocalId> = state.retries.iter().map(counter).collect();
        let fault = self.workflow.add_local("fault", LocalKind::Fault, span);
        let caught = Caught { fault, error: self.local("error", span), view: self.local("seen", span) };
        steps.block_with_exits("handle", span, |steps, handle| {
            let mut ways = Vec::new();
            steps.attempt(fault, block_retries.clone(), "leave", span, |steps, attempt| {
                if let Some(kept) = kept {
                    steps.set(self.data, Expr::Local(kept), span);
                }
                ways = self.work(state, waited, steps);
                if state.exit.is_some() {
                    self.refuse_results(state, kept, steps);
                    self.filter_output(state, steps);
                }
                vec![self.catcher(state, caught, attempt, &block_retries, handle, steps)]
            });
            self.known = None;
            match &state.exit {
                Some(exit) => self.exit(exit, steps),
                None => steps.close(Next::Never),
            }
            let exit = |(label, transition)| {
                let body = steps.body(Next::Never, |steps| self.transit(transition, steps));
                BlockExit { label, role: "go", body }
            };
            ways.into_iter().map(exit).collect()
        });
        self.handle(state, caught, steps);
    }

    /// Lowers the retries that depend on the results of actions: the retry expressions are
    /// evaluated on the data after success, too. An expression that reads the error counts only if
    /// the error is new.
    fn refuse_results(&mut self, state: &ast::State, kept: Option<LocalId>, steps: &mut BodyBuilder) {
        let (Some(kept), false) = (kept, matches!(state.kind, StateKind::Parallel { .. } | StateKind::ForEach(_)))
        else {
            return;
        };
        // Schemas do not describe the error that these expressions read.
        let known = self.known.take();
        let span = state.span;
        steps.block("accepted", span, |steps, results| {
            steps.block("refuse", span, |steps, refuse| {
                let mut arms = Vec::new();
                for retry in &state.retries {
                    let Some(condition) = self.result_condition(retry, kept) else { continue };
                    // A retry with no attempts names the results that are accepted.
                    let body = Body::to(Next::Leave(if retry.attempts > 0 { refuse } else { results }));
                    arms.push(Arm { condition, body, span: retry.span, on_error: true });
                }
                steps.choose(arms, Body::to(Next::Leave(results)));
            });
            let none = self.local("none", span);
            let args = vec![Arg::Value(Expr::Local(self.data)), Arg::Str(self.state.as_str().into())];
            // The step always fails.
            steps.set(none, Expr::call(&REFUSE_RESULTS, args), span);
        });
        self.known = known;
    }

    /// Returns the condition under which a retry refuses or accepts a result; `kept` are the data
    /// before it.
    fn result_condition(&mut self, retry: &Policy, kept: LocalId) -> Option<Expr> {
        let condition = self.condition(&retry.expression, Sees { root: self.data, error: None })?;
        if !asks_for_error(&condition, self.data) {
            return Some(condition);
        }
        let (before, after) = (Arg::Value(Expr::Local(kept)), Arg::Value(Expr::Local(self.data)));
        Some(Expr::And(vec![Expr::call(&HAS_NEW_ERROR, vec![before, after]), condition]))
    }

    /// Returns the catcher of a state. The first retry whose expression is true comes before the
    /// handlers, to which the catcher leaves.
    fn catcher(
        &mut self,
        state: &ast::State,
        caught: Caught,
        attempt: Label,
        block_retries: &[LocalId],
        handle: Label,
        steps: &mut BodyBuilder,
    ) -> Catcher {
        let span = state.span;
        let Caught { fault, error, view } = caught;
        let body = steps.body(Next::Never, |steps| {
            let named = vec![Arg::Owned(Expr::Local(fault)), Arg::Str(self.state.as_str().into())];
            steps.set(error, Expr::call(&ERROR, named), span);
            let seen = vec![Arg::Value(Expr::Local(self.data)), Arg::Value(Expr::Local(error))];
            steps.set(view, Expr::call(&ERROR_VIEW, seen), span);
            let mut arms = Vec::new();
            for (retry, block_retries) in state.retries.iter().zip(block_retries) {
                let Some(condition) = self.retry_condition(retry, view, error) else { continue };
                let (retrier, otherwise) = (retrier(retry), Body::to(Next::Leave(handle)));
                let again = Retry { attempt, retrier, block_retries: *block_retries, fault, otherwise };
                let body = Body::to(Next::Retry(Box::new(again)));
                arms.push(Arm { condition, body, span: retry.span, on_error: true });
            }
            steps.choose(arms, Body::to(Next::Leave(handle)));
        });
        Catcher { errors: vec![ErrorMatch::Any], body, span }
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
    fn handle(&mut self, state: &ast::State, caught: Caught, steps: &mut BodyBuilder) {
        let mut arms = Vec::new();
        for handler in &state.handlers {
            let sees = Sees { root: caught.view, error: Some(caught.error) };
            let Some(condition) = self.condition(&handler.expression, sees) else { continue };
            let body = steps.body(Next::Never, |steps| self.handler(state, handler, caught, steps));
            arms.push(Arm { condition, body, span: handler.span, on_error: true });
        }
        steps.choose(arms, Body::to(Next::Raise(caught.fault)));
    }

    /// Lowers a handler: the filters of the error and of the output, and a transition.
    fn handler(&mut self, state: &ast::State, handler: &ErrorHandler, caught: Caught, steps: &mut BodyBuilder) {
        self.known = None;
        self.merge_error(handler, caught.error, steps);
        if let Some(path) = &state.filter.output
            && let Some(base) = self.shown_error(path, &WITH_ALIAS, self.data, steps)
            && let Some(selection) = self.selection(path, Expr::Local(base))
        {
            let args = vec![Arg::Maybe(selection), Arg::Value(Expr::Local(self.data))];
            self.set_data(Expr::call(&FILTERED, args), path.span, steps);
        }
        // The output schema is checked here ([R20](docs/serverless-workflow.md#r20)). The handlers
        // of this state have had their turn, so that a violation is an error of the enclosing
        // state. If the handled error is itself a violation, the data are not checked again.
        if let Some(text) = &state.output_schema
            && let Some(schema) = schema::read(text, self.inputs, self.diagnostics)
        {
            let data = || Expr::Local(self.data);
            let test = Expr::call(&IS_VIOLATION, vec![Arg::Value(Expr::Local(caught.error))]);
            let otherwise = schema.check(data(), "the output of the state");
            let checked = Expr::If(Box::new(If { test, then: data(), otherwise }));
            steps.set(self.data, checked, text.span);
        }
        match (&handler.transition, &state.exit) {
            (Some(transition), _) => self.transit(transition, steps),
            (None, Some(exit)) => self.exit(exit, steps),
            // The parser has refused such a handler.
            (None, None) => steps.close(Next::Raise(caught.fault)),
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
        steps: &mut BodyBuilder,
    ) -> Option<LocalId> {
        let path = self.path(filter, Expr::Local(base))?;
        if path.expr == path.base {
            return None;
        }
        if !matches!(path.steps.as_deref(), Some([PathStep::Key(first), ..]) if first == "exception") {
            return Some(base);
        }
        let shown = self.local("shown", filter.span);
        steps.set(shown, Expr::call(alias, vec![Arg::Value(Expr::Local(base))]), filter.span);
        Some(shown)
    }

    fn merge_error(&mut self, handler: &ErrorHandler, error: LocalId, steps: &mut BodyBuilder) {
        if let Some(filter) = &handler.filter {
            let whole = self.local("error_data", filter.span);
            steps.set(whole, Expr::call(&ERROR_DATA, vec![Arg::Value(Expr::Local(error))]), filter.span);
            if let Some(shown) = self.shown_error(filter, &WITH_ALIAS, whole, steps) {
                self.merge_selected(filter, shown, Expr::Local(error), "error", steps);
                return;
            }
        }
        let args = vec![Arg::Owned(Expr::Local(self.data)), Arg::Value(Expr::Local(error))];
        self.set_data(Expr::call(&WITH_ERROR, args), handler.span, steps);
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
    }
}
