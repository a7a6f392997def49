//! Lowering of `Retry` and `Catch`.

use super::jsonata::StatesLocals;
use super::{Cx, goto, set};
use crate::dialects::asl::ast::{Catcher, Handlers, QueryLanguage, ResultPath, State};
use crate::expr::{Expr, Literal, LocalId};
use crate::hir::{self, Body, Label, Next, Step, StepKind, Try};
use crate::model::{LocalKind, Retrier};
use crate::source::Span;

/// The attempt of a state.
const ATTEMPT: Label = Label(0);
/// The part of the attempt whose faults an inspector sees before the retriers.
const INSPECTED: Label = Label(1);

impl Cx<'_> {
    /// Returns the steps with their faults retried and caught, or the steps themselves if there is
    /// no handler.
    pub fn handled(&mut self, state: &State, handlers: &Handlers, body: Vec<Step>) -> Vec<Step> {
        if handlers.is_empty() {
            return body;
        }
        let has_retriers = !handlers.retriers.is_empty();
        let retries = has_retriers.then(|| self.shared("retries", LocalKind::Retries, state.span));
        let fault = self.shared("fault", LocalKind::Fault, state.span);
        let retriers = handlers.retriers.clone();
        let catchers = handlers.catchers.iter().enumerate();
        let catchers = catchers.map(|(at, catcher)| self.catcher(at, catcher, fault)).collect();
        let span = handlers.span.unwrap_or(state.span);
        let body = match self.options.inspect && has_retriers {
            true => inspected(&handlers.retriers, fault, span, body),
            false => body,
        };
        let body = Body { steps: body, next: Next::Leave(ATTEMPT) };
        let (label, block_retries) = (ATTEMPT, Vec::new());
        let attempt = Try { label, body, retriers, retries, block_retries, catchers, fault, after: "go on" };
        let kind = StepKind::Try(Box::new(attempt));
        vec![Step { kind, span }]
    }

    /// Lowers the catcher with this index. Its error output is combined with the raw input of the
    /// state, and no other field of the state applies to it (ASL §Fallback states).
    fn catcher(&mut self, at: usize, catcher: &Catcher, fault: LocalId) -> hir::Catcher {
        let mut steps = Vec::new();
        if self.options.inspect {
            steps.push(error_details("catchIndex", at, catcher.span));
        }
        if catcher.language == QueryLanguage::Jsonata {
            let result = self.shared("result", LocalKind::Value, catcher.span);
            let document = self.document();
            set(result, Expr::Local(fault), catcher.span, &mut steps);
            let states = StatesLocals { input: document, result: Some(result) };
            let (output, assign) = (catcher.output.as_ref(), catcher.assign.as_ref());
            let output = self.computed_output(output, assign, states, result, &mut steps);
            set(document, Expr::Local(output), catcher.span, &mut steps);
        } else if !matches!(catcher.result_path, ResultPath::Discard) || catcher.assign.is_some() {
            let result = self.shared("result", LocalKind::Value, catcher.span);
            let document = self.document();
            set(result, Expr::Local(fault), catcher.span, &mut steps);
            let output = self.result_path(&catcher.result_path, result, document, &mut steps);
            set(document, Expr::Local(output), catcher.span, &mut steps);
            self.assign(catcher.assign.as_ref(), result, &mut steps);
        }
        let body = Body { steps, next: goto(&catcher.next) };
        hir::Catcher { errors: catcher.errors.clone(), body, span: catcher.span }
    }
}

/// Returns the steps with a report of the retrier that decides about each of their faults: the
/// first that matches, even if it is exhausted. The faults themselves are passed on.
fn inspected(retriers: &[Retrier], fault: LocalId, span: Span, steps: Vec<Step>) -> Vec<Step> {
    let report = |(at, retrier): (usize, &Retrier)| {
        let body = Body { steps: vec![error_details("retryIndex", at, span)], next: Next::Raise(fault) };
        hir::Catcher { errors: retrier.errors.clone(), body, span }
    };
    let attempt = Try {
        label: INSPECTED,
        body: Body { steps, next: Next::Leave(INSPECTED) },
        retriers: Vec::new(),
        retries: None,
        block_retries: Vec::new(),
        catchers: retriers.iter().enumerate().map(report).collect(),
        fault,
        after: "go on",
    };
    vec![Step { kind: StepKind::Try(Box::new(attempt)), span }]
}

/// Returns a step that shows the index of the handler of a fault.
fn error_details(handler: &str, at: usize, span: Span) -> Step {
    let details = vec![(handler.to_owned(), Literal::Int(at as i64))];
    let value = Expr::Literal(Literal::Object(details));
    Step { kind: StepKind::Inspect { stage: "errorDetails", value }, span }
}

impl Handlers {
    /// Returns `true` if there is no retrier and no catcher.
    pub fn is_empty(&self) -> bool {
        self.retriers.is_empty() && self.catchers.is_empty()
    }
}
