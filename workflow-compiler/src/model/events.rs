//! Events that a workflow awaits or publishes, and the correlation of events with executions.

use super::EventId;
use crate::expr::{Expr, LocalId};
use crate::source::Span;

/// A kind of event that a workflow awaits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AwaitedEvent {
    /// The name in the definition.
    pub name: String,
    /// The required `subject`, compared without regard to case. `None` matches any. An event may
    /// lack it if a `type` is required, too.
    pub subject: Option<String>,
    /// The required `type`. `None` matches any.
    pub kind: Option<String>,
    /// The required `source`. `None` matches any.
    pub source: Option<String>,
    /// Required values of further context attributes, by name.
    pub attributes: Vec<(String, String)>,
    /// The context attribute that must equal the correlation key of the execution.
    pub correlation: Option<String>,
    /// The span of the event's definition.
    pub span: Span,
}

/// The correlation keys of a workflow.
#[derive(Debug, Clone, Default)]
pub struct Correlation {
    /// The context attributes that carry the correlation key, in awaited or published events. Each
    /// is listed once.
    pub attributes: Vec<String>,
    /// The expression that reads the key from the input, if the program binds one.
    pub read: Option<ReadCorrelation>,
}

/// The expression that reads the correlation key of an execution from its input.
#[derive(Debug, Clone)]
pub struct ReadCorrelation {
    /// Evaluates to the key, or to nothing if the path selects nothing. The input is the current
    /// value.
    pub value: Expr,
    /// The path as written.
    pub path: String,
}

/// The reception of an event.
#[derive(Debug, Clone)]
pub struct Receive {
    /// The kinds of events. Any one of them ends the wait. So does a deadline around the step.
    pub events: Vec<EventId>,
    /// `true` if events of other kinds that arrive during the wait are discarded.
    pub discards_unmatched: bool,
    /// The array of events received so far, if one event of each kind is awaited. Each received
    /// event counts for the first kind that it matches and that has no event yet. Matched kinds
    /// are no longer awaited.
    pub collected: Option<Expr>,
    /// Receives the event, in the JSON format of CloudEvents, or null if the deadline passes.
    pub result: LocalId,
}

/// An event that is published.
#[derive(Debug, Clone)]
pub struct Publish {
    /// Its `type`.
    pub kind: String,
    /// Its `source`. Defaults to the execution.
    pub source: Option<String>,
    /// Its `subject`.
    pub subject: Option<String>,
    /// Other attributes.
    pub attributes: Vec<(String, String)>,
    /// The context attribute that carries the correlation key. Its name is legal in CloudEvents.
    pub correlation: Option<String>,
    /// Its data.
    pub data: Expr,
    /// Receives null.
    pub result: LocalId,
}
