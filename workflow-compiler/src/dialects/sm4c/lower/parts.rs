//! The parts of a state while they are made.

use crate::expr::{Expr, LocalId};
use crate::hir::{Body, Next, Part, Step, StepKind};
use crate::source::Span;

/// The parts of a state, and the one that is being written.
pub struct Parts {
    made: Vec<(&'static str, Option<Body>)>,
    /// The part that is being written; none after it has led on.
    at: Option<u32>,
    steps: Vec<Step>,
}

impl Parts {
    /// The first part begins.
    pub fn new() -> Parts {
        Parts { made: vec![("begin", None)], at: Some(0), steps: Vec::new() }
    }

    /// A part to be written later; the name says what it does.
    pub fn reserve(&mut self, name: &'static str) -> u32 {
        self.made.push((name, None));
        self.made.len() as u32 - 1
    }

    /// Ends the part that is being written.
    pub fn close(&mut self, next: Next) {
        let steps = std::mem::take(&mut self.steps);
        if let Some(at) = self.at.take() {
            self.made[at as usize].1 = Some(Body { steps, next });
        }
    }

    /// Begins a part that was reserved.
    pub fn begin(&mut self, part: u32) {
        self.at = Some(part);
    }

    /// Goes on in a new part, which others can lead to.
    pub fn split(&mut self, name: &'static str) -> u32 {
        let part = self.reserve(name);
        self.close(Next::Part(part));
        self.begin(part);
        part
    }

    /// Adds a step.
    pub fn push(&mut self, kind: StepKind, span: Span) {
        self.steps.push(Step { kind, span });
    }

    /// Sets a local.
    pub fn set(&mut self, local: LocalId, value: Expr, span: Span) {
        self.push(StepKind::Let { local, value }, span);
    }

    /// The parts as the way on of a body. A state of one part needs none.
    pub fn finish(self) -> Next {
        let none = || Body { steps: Vec::new(), next: Next::FailWith(Expr::NULL) };
        let part = |(name, body): (_, Option<Body>)| Part { name, body: body.unwrap_or_else(none) };
        Next::Parts(self.made.into_iter().map(part).collect())
    }
}
