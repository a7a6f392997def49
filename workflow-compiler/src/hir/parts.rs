//! Control flow within a state that has more than one body, and the handlers of its faults.

use super::*;

/// The bodies of a state, with their fault handlers.
#[derive(Debug, Clone)]
pub struct Parts {
    /// The bodies, in the order of their numbers. The state continues with the first.
    pub list: Vec<Part>,
    /// The fault handlers. An inner handler comes after the handler around it.
    pub guards: Vec<Guard>,
}

/// A numbered body of a state.
#[derive(Debug, Clone)]
pub struct Part {
    /// A short name, from which generated code names the function.
    pub name: &'static str,
    /// The steps and the transition.
    pub body: Body,
    /// Index in [`Parts::guards`] of the handler of its faults.
    pub guard: Option<u32>,
}

/// A fault handler of bodies of a state.
#[derive(Debug, Clone)]
pub struct Guard {
    /// Receives the fault ([`LocalKind::Fault`]).
    pub fault: LocalId,
    /// The catchers, tried in order. A fault that none matches goes to the outer handler.
    pub catchers: Vec<Catcher>,
    /// Index of the handler of faults in the catchers and of faults that no catcher matches.
    pub outer: Option<u32>,
}

/// A repetition of a body of a state after a fault.
#[derive(Debug, Clone)]
pub struct Retry {
    /// The limit, the interval and the back-off.
    pub retrier: Retrier,
    /// The retry counter ([`LocalKind::BlockRetries`]), reset by [`StepKind::BeginRetryBlock`].
    pub block_retries: LocalId,
    /// The fault of the failed body ([`LocalKind::Fault`]).
    pub fault: LocalId,
    /// Number of the body.
    pub part: u32,
    /// The continuation where the limit is reached.
    pub otherwise: Body,
}

impl Parts {
    /// Iterates over the bodies and the catchers' bodies.
    pub fn bodies(&self) -> impl Iterator<Item = &Body> {
        let catchers = self.guards.iter().flat_map(|guard| &guard.catchers);
        self.list.iter().map(|part| &part.body).chain(catchers.map(|catcher| &catcher.body))
    }

    /// Iterates mutably over the bodies of [`Parts::bodies`].
    pub fn bodies_mut(&mut self) -> impl Iterator<Item = &mut Body> {
        let catchers = self.guards.iter_mut().flat_map(|guard| &mut guard.catchers);
        self.list.iter_mut().map(|part| &mut part.body).chain(catchers.map(|catcher| &mut catcher.body))
    }
}
