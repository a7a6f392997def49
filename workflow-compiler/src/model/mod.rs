//! The parts of a workflow that HIR and MIR share: tasks, events, retriers, service operations,
//! and the typed indexes that refer to them.

mod error_match;
mod events;
pub mod operation;
mod starts;
mod task;
mod wait;

use crate::index::ids;
use workflow_model::Owned;

pub use error_match::ErrorNames;
pub use events::{AwaitedEvent, Correlation, Publish, ReadCorrelation, Receive};
pub use operation::Operation;
pub use starts::StartsOn;
pub use task::{AuthoredScript, InputTemplate, Invoke, Run, ServiceFunction, Task, TaskShapes, WholeBody};
pub use wait::{Join, Seconds, Wait};
pub use workflow_model::{Active, Jitter, ReaderKind, reader_rules, store_address};
#[doc(hidden)]
pub use workflow_model::{CONTEXT_SETTING, MOCKED};

/// An error that a retrier or catcher matches.
pub type ErrorMatch = workflow_model::ErrorMatch<Owned>;
/// A rule that retries steps.
pub type Retrier = workflow_model::Retrier<Owned>;
/// The interval in which executions can be started.
pub type Schedule = workflow_model::Schedule<Owned>;
/// The id and version by which other workflows start a workflow.
pub type WorkflowId = workflow_model::WorkflowId<Owned>;

ids! {
    /// Index of a scope of a workflow.
    ScopeId;

    /// Index of a task of a workflow.
    TaskId;

    /// Index of a script of a workflow.
    ScriptId;

    /// Index of a kind of event that a workflow awaits.
    EventId;
}

/// The kind of value that a local holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LocalKind {
    /// A value. It is always assigned before use.
    Value,
    /// An authored variable. It can be unassigned.
    Variable,
    /// A caught fault.
    Fault,
    /// The counters of the retriers of a body: one for each, of its retries.
    Retries,
    /// The counter of the attempts of a body that a catcher retries, with the number of the first
    /// call of the attempt.
    BlockRetries,
}
