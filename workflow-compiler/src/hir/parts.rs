//! The parts of a state that is more than one body, and what guards them.

use super::*;

/// The parts of a state.
#[derive(Debug, Clone)]
pub struct Parts {
    /// The parts, by their numbers; the state goes on with the first.
    pub list: Vec<Part>,
    /// What handles faults in them. One that is inside of another comes after it.
    pub guards: Vec<Guard>,
}

/// A part of a state.
#[derive(Debug, Clone)]
pub struct Part {
    /// What it does, in a word that generated code calls it by.
    pub name: &'static str,
    /// What it does.
    pub body: Body,
    /// The guard that handles its faults.
    pub guard: Option<u32>,
}

/// Handles faults in parts of a state.
#[derive(Debug, Clone)]
pub struct Guard {
    /// Receives the fault ([`LocalKind::Fault`]).
    pub fault: LocalId,
    /// Asked in order. What none is for is passed on.
    pub catchers: Vec<Catcher>,
    /// The guard that handles faults in the catchers, and what they pass on.
    pub outer: Option<u32>,
}

/// One more try of a part of a state.
#[derive(Debug, Clone)]
pub struct Retry {
    /// How often and after how long.
    pub retrier: Retrier,
    /// Counts ([`LocalKind::Tries`]); made anew by [`StepKind::BeginTries`].
    pub tries: LocalId,
    /// The fault that the part failed with ([`LocalKind::Fault`]).
    pub fault: LocalId,
    /// The part.
    pub part: u32,
    /// What follows if there is no further try.
    pub otherwise: Body,
}

impl Parts {
    /// What the parts do, and what is done about their faults.
    pub fn bodies(&self) -> impl Iterator<Item = &Body> {
        let catchers = self.guards.iter().flat_map(|guard| &guard.catchers);
        self.list.iter().map(|part| &part.body).chain(catchers.map(|catcher| &catcher.body))
    }

    /// As [`Parts::bodies`].
    pub fn bodies_mut(&mut self) -> impl Iterator<Item = &mut Body> {
        let catchers = self.guards.iter_mut().flat_map(|guard| &mut guard.catchers);
        self.list.iter_mut().map(|part| &mut part.body).chain(catchers.map(|catcher| &mut catcher.body))
    }
}
