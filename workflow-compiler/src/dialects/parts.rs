//! Builder of the parts of a state. A part is a block of steps that ends by leading to another
//! part or out of the state.

use crate::expr::{Expr, LocalId};
use crate::hir::{self, Body, Catcher, Guard, Next, Part, Step, StepKind};
use crate::source::Span;

/// Builder of the parts of a state. Steps go into the current part.
pub struct PartsBuilder {
    parts: Vec<Part>,
    /// Index of the current part. `None` after [`PartsBuilder::close`] until a part begins.
    current: Option<u32>,
    steps: Vec<Step>,
    guards: Vec<Guard>,
    /// Innermost guard that handles faults of the current part.
    guard: Option<u32>,
    /// Number of calls written so far.
    calls: u32,
}

impl PartsBuilder {
    /// Creates a builder whose current part is the first one.
    pub fn new() -> PartsBuilder {
        let (parts, steps, guards) = (Vec::new(), Vec::new(), Vec::new());
        let mut builder = PartsBuilder { parts, current: Some(0), steps, guards, guard: None, calls: 0 };
        builder.reserve("begin");
        builder
    }

    /// Reserves a part that is written later, and returns its index. `name` describes the part.
    pub fn reserve(&mut self, name: &'static str) -> u32 {
        let body = Body { steps: Vec::new(), next: Next::FailWith(Expr::NULL) };
        self.parts.push(Part { name, body, guard: None });
        self.parts.len() as u32 - 1
    }

    /// Ends the current part with `next`. Has no effect if no part is current.
    pub fn close(&mut self, next: Next) {
        let steps = std::mem::take(&mut self.steps);
        if let Some(part) = self.current.take() {
            let part = &mut self.parts[part as usize];
            (part.body, part.guard) = (Body { steps, next }, self.guard);
        }
    }

    /// Makes a reserved part the current one.
    pub fn begin(&mut self, part: u32) {
        self.current = Some(part);
    }

    /// Ends the current part and goes on in a new one, to which other parts can lead. Returns its
    /// index.
    pub fn split(&mut self, name: &'static str) -> u32 {
        let part = self.reserve(name);
        self.close(Next::Part(part));
        self.begin(part);
        part
    }

    /// Opens a guard, which handles faults up to [`PartsBuilder::close_guard`], and returns its
    /// index. The guard covers the current part from its beginning.
    pub fn open_guard(&mut self, fault: LocalId) -> u32 {
        self.guards.push(Guard { fault, catchers: Vec::new(), outer: self.guard });
        let guard = self.guards.len() as u32 - 1;
        self.guard = Some(guard);
        guard
    }

    /// Closes a guard: the current part is the last one that it covers and ends with `next`.
    /// `catchers` handle the faults.
    pub fn close_guard(&mut self, guard: u32, next: Next, catchers: Vec<Catcher>) {
        self.close(next);
        let left = &mut self.guards[guard as usize];
        left.catchers = catchers;
        self.guard = left.outer;
    }

    /// Adds a step to the current part.
    pub fn push(&mut self, kind: StepKind, span: Span) {
        self.calls += u32::from(kind.is_call());
        self.steps.push(Step { kind, span });
    }

    /// Returns the number of calls written so far.
    #[cfg(feature = "sm4c")]
    #[cfg_attr(not(feature = "sm4c"), expect(dead_code, reason = "only SM4C uses it"))]
    pub fn calls(&self) -> u32 {
        self.calls
    }

    /// Adds a step that sets a local.
    pub fn set(&mut self, local: LocalId, value: Expr, span: Span) {
        self.push(StepKind::Let { local, value }, span);
    }

    /// Returns the parts as the end of a body.
    pub fn finish(self) -> Next {
        Next::Parts(hir::Parts { list: self.parts, guards: self.guards })
    }
}
