//! Events that a workflow waits for or publishes, and by what they are told to be for an execution.

use crate::expr::{Expr, LocalId};
use crate::source::Span;

/// A kind of event that a workflow waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AwaitedEvent {
    /// What the definition calls it.
    pub name: String,
    /// The subject it must have, in any case of letters, if that matters.
    pub subject: Option<String>,
    /// The `type` it must have, if that matters.
    pub kind: Option<String>,
    /// The `source` it must have, if that matters.
    pub source: Option<String>,
    /// Values that other attributes must have.
    pub attributes: Vec<(String, String)>,
    /// The attribute of the context that must have the correlation value of the execution, if there is one.
    pub correlation: Option<String>,
    /// The place of its definition.
    pub span: Span,
}

/// By what events are told to be for an execution.
#[derive(Debug, Clone, Default)]
pub struct Correlation {
    /// The attributes that have the correlation value, of events that are waited for or published; each once.
    pub attributes: Vec<String>,
    /// How the value is read from the input, where the program says so.
    pub read: Option<ReadCorrelation>,
}

/// How the correlation value of an execution is read from its input.
#[derive(Debug, Clone)]
pub struct ReadCorrelation {
    /// What the path leads to, if it leads anywhere. The input is the current value.
    pub value: Expr,
    /// The path as written.
    pub path: String,
}

/// An event that is published.
#[derive(Debug, Clone)]
pub struct Publish {
    /// Its `type`.
    pub kind: String,
    /// Its `source`; the execution, if the definition says nothing.
    pub source: Option<String>,
    /// Its `subject`.
    pub subject: Option<String>,
    /// Other attributes.
    pub attributes: Vec<(String, String)>,
    /// The attribute that has the correlation value of the execution, if one has: of the names that CloudEvents allow.
    pub correlation: Option<String>,
    /// What it carries.
    pub data: Expr,
    /// Receives null.
    pub result: LocalId,
}
