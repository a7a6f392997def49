//! Errors of engines.

use std::fmt;
use std::sync::Arc;

use super::{Capability, Status};
use crate::id::InvalidId;
use crate::machine::{INBOX_CAPACITY, Inactive, UnwantedEvent};

/// Reason why an engine could not do what a caller asked. The kinds are those that callers treat
/// differently.
///
/// ```
/// use workflow_runtime::engine::{EngineError, Status};
///
/// let error = EngineError::NotNow { execution: "order-17".into(), status: Status::Failed, asked: "cancelled" };
/// assert_eq!(error.to_string(), "the execution `order-17` has failed and cannot be cancelled");
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum EngineError {
    /// No execution has this id.
    UnknownExecution(String),
    /// No workflow of this name can be started.
    UnknownWorkflow(String),
    /// No task waits for an outcome by this token: the task has ended, was abandoned, or never
    /// existed.
    UnknownToken {
        /// Id of the execution, if the caller named one that exists.
        execution: Option<String>,
    },
    /// An execution of this id was started before, of another workflow or with another input.
    IdTaken(String),
    /// The key belongs to a start with another input or another id.
    KeyReused {
        /// Idempotency key.
        key: String,
        /// Id of the execution that was started with it.
        execution: String,
    },
    /// The id is invalid.
    InvalidId(InvalidId),
    /// The workflow cannot be started with this input.
    InputRefused {
        /// Name of the workflow.
        workflow: String,
        /// Problem.
        problem: String,
    },
    /// The workflow cannot be started now: its definition names the interval in which it can.
    Inactive(Inactive),
    /// The definition of the execution does not wait for such an event, or the event's correlation
    /// key differs.
    UnwantedEvent {
        /// Id of the execution.
        execution: String,
        /// Problem.
        problem: String,
        /// The kinds of events that the definition waits for, and what differs from each, if the
        /// engine returns them.
        reason: Option<Box<UnwantedEvent>>,
    },
    /// The inbox of the execution is full.
    InboxFull(String),
    /// The status of the execution does not allow the command.
    NotNow {
        /// Id of the execution.
        execution: String,
        /// Status.
        status: Status,
        /// Command, as text: `cancelled`.
        asked: &'static str,
    },
    /// The engine cannot continue the execution, which remains as last written.
    CannotContinue {
        /// Id of the execution.
        execution: String,
        /// `true` if it cannot continue before the engine is opened again; `false` if it fits no
        /// definition of the program.
        halted: bool,
        /// Message.
        message: String,
    },
    /// The engine lacks a capability.
    Unsupported {
        /// Name of the engine.
        engine: &'static str,
        /// The missing capability.
        capability: Capability,
        /// The way to do without it.
        instead: &'static str,
    },
    /// The request or a document in it is refused, and repeating it does not help; the message.
    Invalid(String),
    /// The engine was shut down.
    Stopped,
    /// The engine cannot be reached or cannot use its store; the message.
    Unavailable(String),
    /// The engine processes as many requests of this kind as it can; the message. Nothing was
    /// changed.
    Busy(String),
    /// The engine has not answered in time; the message. The request may still have its effect.
    TimedOut(String),
    /// Any other error.
    Other(Arc<dyn std::error::Error + Send + Sync>),
}

impl EngineError {
    /// Returns the refusal to change an execution that is not the run of a distributed Map.
    pub fn no_map_run(id: &str) -> EngineError {
        EngineError::Invalid(format!(
            "the execution `{id}` is not the run of a distributed Map: the id of a run is in the description of its parent"
        ))
    }

    /// Returns an error of a kind that is not among the others: any error, or a text.
    pub fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> EngineError {
        EngineError::Other(Arc::from(error.into()))
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::UnknownExecution(id) => write!(f, "execution `{id}` not found"),
            EngineError::UnknownWorkflow(name) => write!(f, "the program has no workflow `{name}`"),
            EngineError::UnknownToken { execution: None } => f.write_str("no task waits for an outcome by this token"),
            EngineError::UnknownToken { execution: Some(id) } => {
                write!(f, "no task of the execution `{id}` waits for this token")
            }
            EngineError::IdTaken(id) => {
                write!(f, "the execution `{id}` already exists, with another workflow or input")
            }
            EngineError::KeyReused { key, execution } => {
                write!(
                    f,
                    "the key `{key}` was already used to start the execution `{execution}` with another input or id"
                )
            }
            EngineError::InvalidId(invalid) => invalid.fmt(f),
            EngineError::InputRefused { workflow, problem } => {
                write!(f, "cannot start the workflow `{workflow}`: {problem}")
            }
            EngineError::Inactive(inactive) => inactive.fmt(f),
            EngineError::UnwantedEvent { execution, problem, .. } => {
                write!(f, "the execution `{execution}` does not wait for this event: {problem}")
            }
            EngineError::InboxFull(id) => {
                write!(f, "the inbox of the execution `{id}` is full: it holds {INBOX_CAPACITY} events")
            }
            EngineError::NotNow { execution, status, asked } => {
                let status = match status {
                    Status::Queued => "has not started",
                    Status::Running => "is running",
                    Status::Succeeded => "has succeeded",
                    Status::Failed => "has failed",
                    Status::Cancelled => "was cancelled",
                    Status::Parked => "was parked",
                };
                write!(f, "the execution `{execution}` {status} and cannot be {asked}")
            }
            EngineError::CannotContinue { message, .. }
            | EngineError::Invalid(message)
            | EngineError::Unavailable(message)
            | EngineError::Busy(message)
            | EngineError::TimedOut(message) => f.write_str(message),
            EngineError::Unsupported { engine, capability, instead } => {
                write!(f, "the engine `{engine}` does not support {capability}: {instead}")
            }
            EngineError::Stopped => f.write_str("the engine was shut down"),
            EngineError::Other(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EngineError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            EngineError::Other(error) => error.source(),
            _ => None,
        }
    }
}
