//! Builder of the bodies of a state.

use crate::expr::{Expr, LocalId};
use crate::hir::{Arm, Block, BlockExit, Body, Catcher, Deadline, Expiry, Label, Next, Step, StepKind, Try};
use crate::source::Span;

/// Builder of the body of a state and the bodies inside it. Steps go to the innermost open body.
/// Nothing is added to a body after its transition.
#[derive(Default)]
pub struct BodyBuilder {
    steps: Vec<Step>,
    /// The transition of the open body, once it is known.
    next: Option<Next>,
    /// The number of labels so far.
    labels: u32,
}

/// A time limit of steps.
#[derive(Clone)]
pub struct Limit {
    /// The limit in seconds.
    pub seconds: f64,
    /// The local that receives the time at which it passes.
    pub at: LocalId,
    /// The effect on a step that waits when it passes.
    pub expiry: Expiry,
    /// The span of the time-out.
    pub span: Span,
}

impl BodyBuilder {
    /// Creates a builder whose open body is that of the state.
    pub fn new() -> BodyBuilder {
        BodyBuilder::default()
    }

    /// Returns a new label.
    pub fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    /// Adds a step.
    pub fn push(&mut self, kind: StepKind, span: Span) {
        if self.next.is_none() {
            self.steps.push(Step { kind, span });
        }
    }

    /// Adds a step that sets a local.
    pub fn set(&mut self, local: LocalId, value: Expr, span: Span) {
        self.push(StepKind::Let { local, value }, span);
    }

    /// Ends the open body with a transition. Has no effect on a body that has ended.
    pub fn close(&mut self, next: Next) {
        self.next.get_or_insert(next);
    }

    /// Returns a body that `fill` builds. It ends with `end` if `fill` does not close it.
    pub fn body(&mut self, end: Next, fill: impl FnOnce(&mut Self)) -> Body {
        self.filled(end, fill).0
    }

    /// Returns a body like [`BodyBuilder::body`], and the result of `fill`.
    fn filled<T>(&mut self, end: Next, fill: impl FnOnce(&mut Self) -> T) -> (Body, T) {
        let (steps, next) = (std::mem::take(&mut self.steps), self.next.take());
        let result = fill(self);
        let steps = std::mem::replace(&mut self.steps, steps);
        let next = std::mem::replace(&mut self.next, next).unwrap_or(end);
        (Body { steps, next }, result)
    }

    /// Adds a block, which continues after the step where `fill` does not close its body. `after`
    /// names what follows the step.
    pub fn block(&mut self, after: &'static str, span: Span, fill: impl FnOnce(&mut Self, Label)) {
        self.block_with_exits(after, span, |builder, label| {
            fill(builder, label);
            Vec::new()
        });
    }

    /// Adds a block like [`BodyBuilder::block`], with the exits that `fill` returns.
    pub fn block_with_exits(
        &mut self,
        after: &'static str,
        span: Span,
        fill: impl FnOnce(&mut Self, Label) -> Vec<BlockExit>,
    ) {
        let label = self.label();
        let (body, exits) = self.filled(Next::Leave(label), |builder| fill(builder, label));
        self.push(StepKind::Block(Box::new(Block { label, body, repeated: None, exits, after })), span);
    }

    /// Adds a block that [`Next::Repeat`] repeats. `role` names its body.
    pub fn repeat(&mut self, role: &'static str, after: &'static str, span: Span, fill: impl FnOnce(&mut Self, Label)) {
        let label = self.label();
        let body = self.body(Next::Leave(label), |builder| fill(builder, label));
        let (repeated, exits) = (Some(role), Vec::new());
        self.push(StepKind::Block(Box::new(Block { label, body, repeated, exits, after })), span);
    }

    /// Leaves to `target` if the condition holds. `otherwise` names the steps that follow if it
    /// does not.
    pub fn leave_if(&mut self, condition: Expr, target: Label, otherwise: &'static str, span: Span) {
        self.block(otherwise, span, |builder, after| {
            let body = Body::to(Next::Leave(target));
            let arm = Arm { condition, body, span, on_error: false };
            builder.choose(vec![arm], Body::to(Next::Leave(after)));
        });
    }

    /// Ends the open body with the choice of the first arm whose condition holds.
    pub fn choose(&mut self, arms: Vec<Arm>, otherwise: Body) {
        if !arms.is_empty() {
            return self.close(Next::Choose { arms, otherwise: Box::new(otherwise) });
        }
        if self.next.is_none() {
            self.steps.extend(otherwise.steps);
            self.next = Some(otherwise.next);
        }
    }

    /// Adds a body whose faults are caught. `fill` builds the body, which continues after the step
    /// if it is not closed, and returns the catchers. `after` names what follows the step.
    pub fn attempt(
        &mut self,
        fault: LocalId,
        block_retries: Vec<LocalId>,
        after: &'static str,
        span: Span,
        fill: impl FnOnce(&mut Self, Label) -> Vec<Catcher>,
    ) {
        let label = self.label();
        let (body, catchers) = self.filled(Next::Leave(label), |builder| fill(builder, label));
        let (retriers, retries) = (Vec::new(), None);
        let attempt = Try { label, body, retriers, retries, block_retries, catchers, fault, after };
        self.push(StepKind::Try(Box::new(attempt)), span);
    }

    /// Adds the steps of `fill`, with a time limit if there is one. Returns the result of `fill`.
    pub fn deadline<T>(&mut self, limit: Option<Limit>, fill: impl FnOnce(&mut Self) -> T) -> T {
        let Some(Limit { seconds, at, expiry, span }) = limit else { return fill(self) };
        let label = self.label();
        let (body, result) = self.filled(Next::Leave(label), fill);
        self.push(StepKind::Deadline(Box::new(Deadline { label, seconds, at, expiry, body })), span);
        result
    }

    /// Returns the body of the state. It ends with `end` if it has not ended.
    pub fn finish(self, end: Next) -> Body {
        Body { steps: self.steps, next: self.next.unwrap_or(end) }
    }
}
