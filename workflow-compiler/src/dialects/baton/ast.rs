//! AST of Baton. Names of states are resolved.

use crate::expr::Program;
use crate::model::ErrorMatch;
use crate::source::{Span, Spanned};
use std::sync::Arc;

pub use crate::dialects::names::Name;
pub use crate::dialects::timespan::Timespan;

/// Definition.
#[derive(Debug, Clone)]
pub struct Baton {
    /// `baton`, the description.
    pub description: String,
    /// `start` and `states`.
    pub course: Course,
}

/// States of a definition or of a branch.
#[derive(Debug, Clone)]
pub struct Course {
    /// `start`.
    pub start: Name,
    /// `states`, in source order.
    pub legs: Vec<Leg>,
    /// Span of the node.
    pub span: Span,
}

/// State.
#[derive(Debug, Clone)]
pub struct Leg {
    /// Key in `states`.
    pub name: Name,
    /// Form of the state.
    pub form: LegForm,
    /// Span of the node.
    pub span: Span,
}

/// Form of a state.
#[derive(Debug, Clone)]
pub enum LegForm {
    /// `task`, `wait`, `event` or `join`, with the state that follows.
    Work {
        /// Operation.
        work: Work,
        /// `keep`, which sees the result as `$result`.
        keep: Option<Formula>,
        /// `retry`.
        retries: Vec<RetryRule>,
        /// `catch`.
        catches: Vec<CatchRule>,
        /// `next`.
        next: Name,
    },
    /// `choose`.
    Choose {
        /// Rules, in source order.
        rules: Vec<ChooseRule>,
        /// `else`.
        otherwise: Name,
    },
    /// `end`: the output.
    End(Formula),
    /// `fail`.
    Fail {
        /// Error name.
        error: Spanned<String>,
        /// `because`.
        cause: Option<Spanned<String>>,
    },
}

/// Operation of a state.
#[derive(Debug, Clone)]
pub enum Work {
    /// `task`.
    Task {
        /// Task key.
        key: Name,
        /// `with`. The data if absent.
        input: Option<Formula>,
        /// `within`.
        limit: Option<Timespan>,
    },
    /// `wait`.
    Wait(Timespan),
    /// `event`.
    Event {
        /// Type of the event.
        kind: Name,
        /// `within` and `late`.
        deadline: Option<EventDeadline>,
    },
    /// `join`.
    Join {
        /// Number of branches to await. `None` is all.
        first: Option<u32>,
        /// `branches`, in source order.
        branches: Vec<JoinBranch>,
        /// Program that makes an object of the outputs. Its variable has the branches' names.
        collect: Formula,
    },
}

/// Deadline of an event.
#[derive(Debug, Clone)]
pub struct EventDeadline {
    /// `within`.
    pub limit: Timespan,
    /// `late`.
    pub late: Name,
    /// Program that tests whether no event arrived.
    pub has_passed: Formula,
}

/// Branch of a join.
#[derive(Debug, Clone)]
pub struct JoinBranch {
    /// Key in `branches`.
    pub name: Name,
    /// Its states.
    pub course: Course,
}

/// Rule of `choose`.
#[derive(Debug, Clone)]
pub struct ChooseRule {
    /// `when`.
    pub condition: Formula,
    /// `next`.
    pub next: Name,
    /// Span of the node.
    pub span: Span,
}

/// Rule of `retry`.
#[derive(Debug, Clone)]
pub struct RetryRule {
    /// `errors`.
    pub errors: Vec<ErrorMatch>,
    /// `times`: number of retries.
    pub times: u32,
    /// `every`: interval before the first retry.
    pub every: Timespan,
    /// `factor` of the interval after each retry.
    pub factor: f64,
    /// Span of the node.
    pub span: Span,
}

/// Rule of `catch`.
#[derive(Debug, Clone)]
pub struct CatchRule {
    /// `errors`.
    pub errors: Vec<ErrorMatch>,
    /// `keep`, which sees the error as `$error`.
    pub keep: Option<Formula>,
    /// `next`.
    pub next: Name,
    /// Span of the node.
    pub span: Span,
}

/// Compiled expression.
#[derive(Debug, Clone)]
pub struct Formula {
    /// Program in jq.
    pub program: Arc<Program>,
    /// `true` if the program reads its variable.
    pub reads_variable: bool,
    /// Span of the text.
    pub span: Span,
}

impl LegForm {
    /// Returns the name of the form.
    pub fn name(&self) -> &'static str {
        match self {
            LegForm::Work { work: Work::Task { .. }, .. } => "task",
            LegForm::Work { work: Work::Wait(_), .. } => "wait",
            LegForm::Work { work: Work::Event { .. }, .. } => "event",
            LegForm::Work { work: Work::Join { .. }, .. } => "join",
            LegForm::Choose { .. } => "choose",
            LegForm::End(_) => "end",
            LegForm::Fail { .. } => "fail",
        }
    }
}
