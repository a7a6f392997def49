//! The parts of a state while they are made.

use crate::expr::{Expr, LocalId};
use crate::hir::{self, Body, Catcher, Guard, Next, Part, Step, StepKind};
use crate::source::Span;

/// The parts of a state, and the one that is being written.
pub struct Parts {
    made: Vec<Part>,
    /// The part that is being written; none after it has led on.
    at: Option<u32>,
    steps: Vec<Step>,
    guards: Vec<Guard>,
    /// The guard that handles faults in what is being written.
    guard: Option<u32>,
    /// How many calls there are in what was written.
    calls: u32,
}

impl Parts {
    /// The first part begins.
    pub fn new() -> Parts {
        let (made, steps, guards) = (Vec::new(), Vec::new(), Vec::new());
        let mut parts = Parts { made, at: Some(0), steps, guards, guard: None, calls: 0 };
        parts.reserve("begin");
        parts
    }

    /// A part to be written later; the name says what it does.
    pub fn reserve(&mut self, name: &'static str) -> u32 {
        let body = Body { steps: Vec::new(), next: Next::FailWith(Expr::NULL) };
        self.made.push(Part { name, body, guard: None });
        self.made.len() as u32 - 1
    }

    /// Ends the part that is being written.
    pub fn close(&mut self, next: Next) {
        let steps = std::mem::take(&mut self.steps);
        if let Some(at) = self.at.take() {
            let part = &mut self.made[at as usize];
            (part.body, part.guard) = (Body { steps, next }, self.guard);
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

    /// Faults are handled by a new guard up to [`Parts::leave`], those of the part that is being written from its beginning on.
    pub fn enter(&mut self, fault: LocalId) -> u32 {
        self.guards.push(Guard { fault, catchers: Vec::new(), outer: self.guard });
        let guard = self.guards.len() as u32 - 1;
        self.guard = Some(guard);
        guard
    }

    /// The part that is being written was the last one that the guard is for; it leads on. Tells what is done about faults.
    pub fn leave(&mut self, guard: u32, next: Next, catchers: Vec<Catcher>) {
        self.close(next);
        let left = &mut self.guards[guard as usize];
        left.catchers = catchers;
        self.guard = left.outer;
    }

    /// Adds a step.
    pub fn push(&mut self, kind: StepKind, span: Span) {
        self.calls += u32::from(kind.is_call());
        self.steps.push(Step { kind, span });
    }

    /// How many calls there are in what was written so far.
    #[cfg(feature = "sm4c")]
    #[cfg_attr(not(feature = "sm4c"), expect(dead_code, reason = "SM4C alone asks for it"))]
    pub fn calls(&self) -> u32 {
        self.calls
    }

    /// Sets a local.
    pub fn set(&mut self, local: LocalId, value: Expr, span: Span) {
        self.push(StepKind::Let { local, value }, span);
    }

    /// The parts as the way on of a body.
    pub fn finish(self) -> Next {
        Next::Parts(hir::Parts { list: self.made, guards: self.guards })
    }
}
