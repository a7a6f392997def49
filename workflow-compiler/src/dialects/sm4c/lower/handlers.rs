//! Lowering of error handlers. Handlers of concurrent actions run at the join.

use super::super::ast::{Action, ErrorHandler, RetryPolicy};
use super::super::functions::{ERROR, FIRST, FIRST_FAULT, HANDLE, IS_FIRST, IS_NULL, REST, UNLESS_FAULT};
use super::{Base, Cx, ERROR_HANDLER, Place};
use crate::dialects::parts::PartsBuilder;
use crate::expr::{Arg, Expr, LocalId, jq};
use crate::hir::{Arm, Body, Catcher, ErrorMatch, Jitter, LocalKind, Next, Retrier, Retry, Step, StepKind};
use crate::source::Span;

impl Cx<'_> {
    /// Lowers an action with its error handlers. `does` writes the action itself. Afterwards, the
    /// result is in `result`.
    pub(super) fn guarded(
        &mut self,
        action: &Action,
        times_out: bool,
        place: Place,
        result: LocalId,
        parts: &mut PartsBuilder,
        does: impl FnOnce(&mut Self, Place, &mut PartsBuilder),
    ) {
        if action.error_handlers.is_empty() && !times_out {
            return does(self, place, parts);
        }
        let span = action.span;
        let block_retries = self.workflow.add_local("retries", LocalKind::BlockRetries, span);
        let fault = self.workflow.add_local("fault", LocalKind::Fault, span);
        let retries = action.error_handlers.iter().any(|handler| handler.retry.is_some());
        if retries {
            parts.push(StepKind::BeginRetryBlock { block_retries, inner: place.retried.is_some() }, span);
        }
        let base = retries.then(|| Base { block_retries: Some(block_retries), calls: parts.calls() }).or(place.retried);
        let attempt = parts.split("try");
        let after = parts.reserve("go on");
        let guard = parts.open_guard(fault);
        let guarded = place.guarded || !action.error_handlers.is_empty();
        does(self, Place { guarded, retried: base, ..place }, parts);
        // A fault may skip calls that another attempt makes. Renumber, so that the numbers of
        // later calls, and with them their idempotency keys, do not depend on the attempt.
        let goes_on = place.guarded || times_out || action.error_handlers.iter().any(|handler| handler.retry.is_none());
        let counted = base.filter(|_| goes_on).map(|base| {
            let calls = parts.calls() - base.calls;
            Step { kind: StepKind::RenumberCalls { block_retries: base.block_retries, calls }, span }
        });
        let mut catchers = Vec::new();
        if times_out {
            // The call is cancelled, and its result is null ([S13](docs/sm4c.md#s13)).
            let null = Step { kind: StepKind::Let { local: result, value: Expr::NULL }, span };
            let steps = counted.iter().cloned().chain([null]).collect();
            let body = Body { steps, next: Next::Part(after) };
            catchers.push(Catcher { errors: vec![ErrorMatch::Timeout], body, span });
        }
        if !action.error_handlers.is_empty() {
            let error = self.local("error", span);
            let caught = Expr::call(&ERROR, vec![Arg::Owned(Expr::Local(fault))]);
            let caught = Step { kind: StepKind::Let { local: error, value: caught }, span };
            let steps = counted.into_iter().chain([caught]).collect();
            let tried = Tried { attempt, after, block_retries, fault, error, result };
            let next = self.handle(&action.error_handlers, tried, place);
            catchers.push(Catcher { errors: vec![ErrorMatch::Any], body: Body { steps, next }, span });
        }
        parts.close_guard(guard, Next::Part(after), catchers);
        parts.begin(after);
    }

    /// Lowers the choice of a handler: the first whose condition holds changes the global data,
    /// and then the action is retried or has the result null. An error without a handler, or one
    /// whose attempts are used up, is raised again.
    fn handle(&mut self, handlers: &[ErrorHandler], tried: Tried, place: Place) -> Next {
        let mut arms = Vec::new();
        for (at, handler) in handlers.iter().enumerate() {
            let steps = self.handler_steps(handler, tried.error, place);
            let next = match handler.retry.as_ref().map(|retry| &self.machine.retries[retry.index]) {
                // Without a policy, the handler swallows the error.
                None => Next::Part(tried.after),
                Some(policy) => Next::Retry(Box::new(Retry {
                    retrier: retrier(policy),
                    block_retries: tried.block_retries,
                    fault: tried.fault,
                    part: tried.attempt,
                    otherwise: Body { steps: Vec::new(), next: Next::Raise(tried.fault) },
                })),
            };
            let mut steps = steps;
            if let Next::Part(_) = next {
                let null = StepKind::Let { local: tried.result, value: Expr::NULL };
                steps.push(Step { kind: null, span: handler.span });
            }
            let body = Body { steps, next };
            let Some(condition) = &handler.condition else {
                handlers.iter().skip(at + 1).for_each(|handler| self.read_error_handler(handler));
                return match arms.is_empty() {
                    true => as_next(body),
                    false => Next::Choose { arms, otherwise: Box::new(body) },
                };
            };
            let error = Expr::Local(tried.error);
            let Some(condition) = self.filter(condition, "error condition", jq::ResultMode::Test, error, None) else {
                continue;
            };
            arms.push(Arm { condition, body, span: handler.span, on_error: true });
        }
        let otherwise = Box::new(Body { steps: Vec::new(), next: Next::Raise(tried.fault) });
        Next::Choose { arms, otherwise }
    }

    /// Returns the steps of a handler. At the top level, they change the global data. In a branch,
    /// they record the handler for the join.
    fn handler_steps(&mut self, handler: &ErrorHandler, error: LocalId, place: Place) -> Vec<Step> {
        let Some(expression) = &handler.handler else { return Vec::new() };
        let span = expression.span;
        let (local, value) = match place.handled {
            None => {
                let (data, error) = (Expr::Local(self.data), Some(Expr::Local(error)));
                match self.filter(expression, ERROR_HANDLER, jq::ResultMode::Value, data, error) {
                    Some(value) => (self.data, value),
                    None => return Vec::new(),
                }
            }
            Some(handled) => {
                let number = self.handlers.len() as i64;
                self.handlers.push(expression.clone());
                let args = vec![Arg::Value(Expr::Local(handled)), Arg::Int(number), Arg::Value(Expr::Local(error))];
                (handled, Expr::call(&HANDLE, args))
            }
        };
        vec![Step { kind: StepKind::Let { local, value }, span }]
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
        parts: &mut PartsBuilder,
    ) {
        let failed = guarded.then(|| {
            let failed = self.local("failed", span);
            parts.set(failed, Expr::NULL, span);
            failed
        });
        let again = parts.split("handle");
        let after = parts.reserve("handled");
        let guard = failed.map(|failed| {
            let fault = self.workflow.add_local("fault", LocalKind::Fault, span);
            (failed, fault, parts.open_guard(fault))
        });
        let rest = Expr::call(&REST, vec![Arg::Value(Expr::Local(to_do))]);
        let rest = Step { kind: StepKind::Let { local: to_do, value: rest }, span };
        let mut arms = vec![Arm {
            condition: Expr::call(&IS_NULL, vec![Arg::Value(Expr::call(&FIRST, vec![Arg::Value(Expr::Local(to_do))]))]),
            body: Body { steps: Vec::new(), next: Next::Part(after) },
            span,
            on_error: false,
        }];
        for number in from..self.handlers.len() {
            let handler = self.handlers[number].clone();
            let data = Expr::Local(self.data);
            let error = Expr::call(&FIRST, vec![Arg::Value(Expr::Local(to_do))]);
            let filtered = self.filter(&handler, ERROR_HANDLER, jq::ResultMode::Value, data, Some(error));
            let Some(value) = filtered else { continue };
            let change = StepKind::Let { local: self.data, value };
            let steps = vec![Step { kind: change, span: handler.span }, Step { span: handler.span, ..rest.clone() }];
            let args = vec![Arg::Value(Expr::Local(to_do)), Arg::Int(number as i64)];
            arms.push(Arm {
                condition: Expr::call(&IS_FIRST, args),
                body: Body { steps, next: Next::Part(again) },
                span: handler.span,
                on_error: false,
            });
        }
        let otherwise = Box::new(Body { steps: Vec::new(), next: Next::Part(after) });
        let next = Next::Choose { arms, otherwise };
        let Some((failed, fault, guard)) = guard else {
            parts.close(next);
            return parts.begin(after);
        };
        let faults = [failed, fault].map(|local| Arg::Owned(Expr::Local(local)));
        let first = StepKind::Let { local: failed, value: Expr::call(&FIRST_FAULT, faults.into()) };
        let body = Body { steps: vec![Step { kind: first, span }, rest], next: Next::Part(again) };
        parts.close_guard(guard, next, vec![Catcher { errors: vec![ErrorMatch::Any], body, span }]);
        parts.begin(after);
        parts.set(failed, Expr::call(&UNLESS_FAULT, vec![Arg::Owned(Expr::Local(failed))]), span);
    }
}

/// Locals and parts of a guarded action.
#[derive(Clone, Copy)]
struct Tried {
    attempt: u32,
    after: u32,
    block_retries: LocalId,
    fault: LocalId,
    error: LocalId,
    result: LocalId,
}

/// Returns the end of a body that does the steps of `body` first.
fn as_next(body: Body) -> Next {
    Next::Choose { arms: Vec::new(), otherwise: Box::new(body) }
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
        span: policy.span,
    }
}
