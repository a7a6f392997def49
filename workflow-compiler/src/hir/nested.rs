//! Bodies inside of a state: blocks, attempts, deadlines, and the transitions between them.

use super::*;

/// Name of a block, an exit, an attempt or a deadline. It is unique in its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(pub u32);

/// A nested body with the continuations that it can choose from.
#[derive(Debug, Clone)]
pub struct Block {
    /// [`Next::Leave`] with this label continues after the step. [`Next::Repeat`] runs the body
    /// again.
    pub label: Label,
    /// The body.
    pub body: Body,
    /// A short name of the body, if a transition repeats it. Generated code names a function after
    /// it.
    pub repeated: Option<&'static str>,
    /// Other continuations. The body can leave to each, and an exit to those after it.
    pub exits: Vec<BlockExit>,
    /// A short name of what is done after the step. See also [`ASK`].
    pub after: &'static str,
}

/// The name of what follows a block whose conditions do not hold, where a task decides the next
/// condition. Pictures do not show that the conditions do not hold.
pub const ASK: &str = "ask";

/// A continuation of a [`Block`].
#[derive(Debug, Clone)]
pub struct BlockExit {
    /// [`Next::Leave`] with this label continues here.
    pub label: Label,
    /// A short name, from which generated code names the function.
    pub role: &'static str,
    /// The continuation.
    pub body: Body,
}

/// A body with retriers and catchers for its faults.
#[derive(Debug, Clone)]
pub struct Try {
    /// [`Next::Leave`] with this label continues after the step. [`Next::Retry`] of a catcher runs
    /// the body again.
    pub label: Label,
    /// The body.
    pub body: Body,
    /// The retriers, tried in order. The first that matches the error name decides.
    pub retriers: Vec<Retrier>,
    /// The counters of `retriers` ([`LocalKind::Retries`]). `None` without retriers.
    pub retries: Option<LocalId>,
    /// The counters of each [`Next::Retry`] in the catchers ([`LocalKind::BlockRetries`]).
    pub block_retries: Vec<LocalId>,
    /// The catchers, tried in order if no retrier retries.
    pub catchers: Vec<Catcher>,
    /// Receives the caught fault ([`LocalKind::Fault`]).
    pub fault: LocalId,
    /// A short name of what is done after the step.
    pub after: &'static str,
}

/// A body with a time limit.
///
/// The limit bounds each step of the body that waits for events, and with [`Expiry::Fault`] also
/// each one that waits for a task, a child execution, an interval or the publication of an event.
/// Such tasks and child executions have no time-outs of their own, and such an interval
/// is constant or ends at a time. A deadline inside another has the same kind of [`Expiry`]. The
/// limit does not bound branches, iterations, and the interval before a retry.
#[derive(Debug, Clone)]
pub struct Deadline {
    /// [`Next::Leave`] with this label continues after the step.
    pub label: Label,
    /// The seconds from the start of the body. A deadline around it that passes earlier counts.
    pub seconds: f64,
    /// Receives the time at which the limit passes: an RFC 3339 time, as a value.
    pub at: LocalId,
    /// The effect of the limit on the step that waits.
    pub expiry: Expiry,
    /// The body.
    pub body: Body,
}

/// The effect of a [`Deadline`] that passes while a step of its body waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expiry {
    /// A [`Receive`] yields null. Other steps wait longer.
    Null,
    /// The step fails with a time-out fault, which handlers in the body see. The cause is this
    /// text, or that of a task or a child execution.
    Fault(String),
}

/// The decision of a catcher to run the body of its [`Try`] again after an interval.
#[derive(Debug, Clone)]
pub struct Retry {
    /// The body to run again.
    pub attempt: Label,
    /// The limit, the interval and the back-off.
    pub retrier: Retrier,
    /// The retry counter, among [`Try::block_retries`].
    pub block_retries: LocalId,
    /// The fault of the failed attempt.
    pub fault: LocalId,
    /// The continuation where the limit is reached.
    pub otherwise: Body,
}

impl Try {
    /// Returns `true` if the body can run more than once.
    pub fn is_repeated(&self) -> bool {
        self.retries.is_some() || !self.block_retries.is_empty()
    }

    /// Returns the local of the caught fault, and those of the retry counters.
    pub fn locals(&self) -> impl Iterator<Item = LocalId> {
        std::iter::once(self.fault).chain(self.retries).chain(self.block_retries.iter().copied())
    }
}

impl Step {
    /// Returns the bodies directly inside the step, in source order.
    pub fn bodies(&self) -> Vec<&Body> {
        match &self.kind {
            StepKind::Block(block) => {
                std::iter::once(&block.body).chain(block.exits.iter().map(|exit| &exit.body)).collect()
            }
            StepKind::Try(inner) => {
                std::iter::once(&inner.body).chain(inner.catchers.iter().map(|catcher| &catcher.body)).collect()
            }
            StepKind::Deadline(deadline) => vec![&deadline.body],
            _ => Vec::new(),
        }
    }

    /// Returns the bodies of [`Step::bodies`], for changes.
    pub fn bodies_mut(&mut self) -> Vec<&mut Body> {
        match &mut self.kind {
            StepKind::Block(block) => {
                std::iter::once(&mut block.body).chain(block.exits.iter_mut().map(|exit| &mut exit.body)).collect()
            }
            StepKind::Try(inner) => {
                let catchers = inner.catchers.iter_mut().map(|catcher| &mut catcher.body);
                std::iter::once(&mut inner.body).chain(catchers).collect()
            }
            StepKind::Deadline(deadline) => vec![&mut deadline.body],
            _ => Vec::new(),
        }
    }
}

impl Next {
    /// Returns the bodies directly inside the transition, in source order.
    pub fn bodies(&self) -> Vec<&Body> {
        match self {
            Next::Choose { arms, otherwise } => arms.iter().map(|arm| &arm.body).chain([&**otherwise]).collect(),
            Next::Retry(retry) => vec![&retry.otherwise],
            _ => Vec::new(),
        }
    }

    /// Returns the bodies of [`Next::bodies`], for changes.
    pub fn bodies_mut(&mut self) -> Vec<&mut Body> {
        match self {
            Next::Choose { arms, otherwise } => {
                arms.iter_mut().map(|arm| &mut arm.body).chain([&mut **otherwise]).collect()
            }
            Next::Retry(retry) => vec![&mut retry.otherwise],
            _ => Vec::new(),
        }
    }
}
