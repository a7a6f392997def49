//! Lowering of error handlers. Handlers of concurrent actions run at the join.

use super::super::ast::{Action, ErrorHandler, RetryPolicy};
use super::super::functions::{ERROR, FIRST, FIRST_FAULT, HANDLE, IS_FIRST, IS_NULL, REST, UNLESS_FAULT};
use super::{Cx, ERROR_HANDLER, Place};
use crate::dialects::body::BodyBuilder;
use crate::expr::{Arg, Expr, LocalId, jq};
use crate::hir::{Arm, Body, Catcher, Label, Next, Retry};
use crate::model::{ErrorMatch, Jitter, LocalKind, Retrier};
use crate::source::Span;

impl Cx<'_> {
    /// Lowers an action with its error handlers. `does` writes the action itself. Afterwards, the
    /// result is in `result`.
    pub(super) fn attempt(
        &mut self,
        action: &Action,
        place: Place,
        result: LocalId,
        steps: &mut BodyBuilder,
        does: impl FnOnce(&mut Self, Place, &mut BodyBuilder),
    ) {
        let (span, handlers, machine) = (action.span, &action.error_handlers, self.machine);
        let times_out = action.call().is_some_and(|call| call.waits && call.timeout.is_some());
        if handlers.is_empty() && !times_out {
            return does(self, place, steps);
        }
        let fault = self.workflow.add_local("fault", LocalKind::Fault, span);
        let retries = handlers.iter().any(|handler| handler.retry.is_some());
        let block_retries = retries.then(|| self.workflow.add_local("retries", LocalKind::BlockRetries, span));
        steps.attempt(fault, block_retries.into_iter().collect(), "go on", span, |steps, attempt| {
            does(self, Place { guarded: place.guarded || !handlers.is_empty(), ..place }, steps);
            let mut catchers = Vec::new();
            if times_out {
                // The call is cancelled, and its result is null ([S13](docs/sm4c.md#s13)).
                let body = steps.body(Next::Leave(attempt), |steps| steps.set(result, Expr::NULL, span));
                catchers.push(Catcher { errors: vec![ErrorMatch::Timeout], body, span });
            }
            if !handlers.is_empty() {
                let then = |handler: &ErrorHandler, steps: &mut BodyBuilder| {
                    let policy = handler.retry.as_ref().map(|retry| &machine.retries[retry.index]);
                    let Some((policy, block_retries)) = policy.zip(block_retries) else {
                        // Without a policy, the handler swallows the error.
                        steps.set(result, Expr::NULL, handler.span);
                        return steps.close(Next::Leave(attempt));
                    };
                    let otherwise = Body::to(Next::Raise(fault));
                    let retry = Retry { attempt, retrier: retrier(policy), block_retries, fault, otherwise };
                    steps.close(Next::Retry(Box::new(retry)));
                };
                let body = steps.body(Next::Raise(fault), |steps| self.handle(action, fault, place, steps, then));
                catchers.push(Catcher { errors: vec![ErrorMatch::Any], body, span });
            }
            catchers
        });
    }

    /// Lowers the choice of a handler: the first whose condition holds changes the global data,
    /// and then `then` retries the action or makes its result null. An error without a handler is
    /// raised again.
    fn handle(
        &mut self,
        action: &Action,
        fault: LocalId,
        place: Place,
        steps: &mut BodyBuilder,
        then: impl Fn(&ErrorHandler, &mut BodyBuilder),
    ) {
        let error = self.local("error", action.span);
        steps.set(error, Expr::call(&ERROR, vec![Arg::Owned(Expr::Local(fault))]), action.span);
        let mut arms = Vec::new();
        let mut otherwise = Body::to(Next::Raise(fault));
        let mut handlers = action.error_handlers.iter();
        for handler in handlers.by_ref() {
            let body = steps.body(Next::Never, |steps| {
                self.change_data(handler, error, place, steps);
                then(handler, steps);
            });
            let Some(condition) = &handler.condition else {
                otherwise = body;
                break;
            };
            let input = Expr::Local(error);
            if let Some(condition) = self.filter(condition, "error condition", jq::ResultMode::Test, input, None) {
                arms.push(Arm { condition, body, span: handler.span, on_error: true });
            }
        }
        handlers.for_each(|handler| self.read_error_handler(handler));
        steps.choose(arms, otherwise);
    }

    /// Applies a handler to an error. At the top level, it changes the global data. In a branch,
    /// it is recorded for the join.
    fn change_data(&mut self, handler: &ErrorHandler, error: LocalId, place: Place, steps: &mut BodyBuilder) {
        let Some(expression) = &handler.handler else { return };
        match place.handled {
            None => {
                let (data, error) = (Expr::Local(self.data), Some(Expr::Local(error)));
                self.set_filtered(self.data, expression, ERROR_HANDLER, data, error, steps);
            }
            Some(handled) => {
                let number = self.handlers.len() as i64;
                self.handlers.push(expression.clone());
                let args = vec![Arg::Value(Expr::Local(handled)), Arg::Int(number), Arg::Value(Expr::Local(error))];
                steps.set(handled, Expr::call(&HANDLE, args), expression.span);
            }
        }
    }

    /// Runs the pending handlers of concurrent actions in order; `from` is the number of the first
    /// handler. A handler that fails changes nothing. If anything continues after its fault, the
    /// other handlers run before the first fault is raised.
    pub(super) fn apply_handlers(
        &mut self,
        from: usize,
        to_do: LocalId,
        guarded: bool,
        span: Span,
        steps: &mut BodyBuilder,
    ) {
        if !guarded {
            return steps.repeat("handle", "handled", span, |steps, handle| {
                self.apply_first(from, to_do, handle, span, steps);
            });
        }
        let failed = self.local("failed", span);
        steps.set(failed, Expr::NULL, span);
        steps.repeat("handle", "handled", span, |steps, handle| {
            let fault = self.workflow.add_local("fault", LocalKind::Fault, span);
            steps.attempt(fault, Vec::new(), "handled", span, |steps, _| {
                self.apply_first(from, to_do, handle, span, steps);
                let body = steps.body(Next::Repeat(handle), |steps| {
                    let faults = [failed, fault].map(|local| Arg::Owned(Expr::Local(local)));
                    steps.set(failed, Expr::call(&FIRST_FAULT, faults.into()), span);
                    steps.set(to_do, rest(to_do), span);
                });
                vec![Catcher { errors: vec![ErrorMatch::Any], body, span }]
            });
        });
        steps.set(failed, Expr::call(&UNLESS_FAULT, vec![Arg::Owned(Expr::Local(failed))]), span);
    }

    /// Runs the first pending handler and repeats the block `handle`, or leaves it if no handler
    /// is pending.
    fn apply_first(&mut self, from: usize, to_do: LocalId, handle: Label, span: Span, steps: &mut BodyBuilder) {
        let first = Expr::call(&FIRST, vec![Arg::Value(Expr::Local(to_do))]);
        let handled = Body::to(Next::Leave(handle));
        let condition = Expr::call(&IS_NULL, vec![Arg::Value(first.clone())]);
        let mut arms = vec![Arm { condition, body: handled.clone(), span, on_error: false }];
        for number in from..self.handlers.len() {
            let handler = self.handlers[number].clone();
            let body = steps.body(Next::Repeat(handle), |steps| {
                let data = Expr::Local(self.data);
                self.set_filtered(self.data, &handler, ERROR_HANDLER, data, Some(first.clone()), steps);
                steps.set(to_do, rest(to_do), handler.span);
            });
            let args = vec![Arg::Value(Expr::Local(to_do)), Arg::Int(number as i64)];
            arms.push(Arm { condition: Expr::call(&IS_FIRST, args), body, span: handler.span, on_error: false });
        }
        steps.choose(arms, handled);
    }
}

/// Returns the pending handlers without the first.
fn rest(to_do: LocalId) -> Expr {
    Expr::call(&REST, vec![Arg::Value(Expr::Local(to_do))])
}

/// Returns the retrier of a policy ([S9](docs/sm4c.md#s9)).
fn retrier(policy: &RetryPolicy) -> Retrier {
    let seconds = |time: &Option<super::super::ast::Timespan>| time.as_ref().map(|time| time.value.as_secs_f64());
    let delay = seconds(&policy.delay).unwrap_or(0.0);
    // `multiplier` has no effect beside `increment`, and without a delay there is nothing to
    // multiply.
    let multiplier = policy.multiplier.as_ref().filter(|_| policy.increment.is_none() && delay > 0.0);
    Retrier {
        errors: vec![ErrorMatch::Any],
        interval_seconds: delay,
        // `maxAttempts` counts executions, and the retrier counts retries.
        max_attempts: policy.max_attempts.value.saturating_sub(1),
        backoff_rate: multiplier.map_or(1.0, |multiplier| multiplier.value),
        max_delay_seconds: seconds(&policy.max_delay),
        increment_seconds: seconds(&policy.increment).unwrap_or(0.0),
        jitter: match policy.jitter.as_ref().map(|jitter| jitter.value) {
            None => Jitter::None,
            Some(super::super::ast::Jitter::Fraction(share)) => Jitter::Share(share),
            Some(super::super::ast::Jitter::Time(time)) => Jitter::Seconds(time.as_secs_f64()),
        },
    }
}
