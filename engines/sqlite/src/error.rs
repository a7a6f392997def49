//! Errors of the engine.

use std::fmt;
use std::path::PathBuf;

use workflow_runtime::engine::{EngineError, Status};
use workflow_runtime::id::InvalidId;
use workflow_runtime::machine::{Inactive, UnwantedEvent};

/// Reason why the engine could not do what a caller asked.
///
/// ```no_run
/// use workflow_sqlite::{Engine, Error};
///
/// # async fn open() {
/// match Engine::at("orders.db").open().await {
///     Ok(engine) => println!("{:?}", engine.workflows()),
///     Err(Error::InUse { by, address, .. }) => println!("{by} uses the database, and serves {address:?}"),
///     Err(Error::Mismatch(mismatch)) => println!("{} waits in {:?}", mismatch.execution, mismatch.states),
///     Err(error) => println!("{error}"),
/// }
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Another process holds the lease on the database.
    InUse {
        /// Path of the file.
        path: PathBuf,
        /// Text that the process wrote into the lease.
        by: String,
        /// Address at which the process serves the database, if it does ([`Engine::announce`]).
        ///
        /// [`Engine::announce`]: crate::Engine::announce
        address: Option<String>,
    },
    /// The file is not a database of this engine. It was not changed.
    Foreign {
        /// Path of the file.
        path: PathBuf,
        /// Apparent kind of the file.
        is: String,
    },
    /// A newer version of the engine wrote the database. It was not changed.
    TooNew {
        /// Path of the file.
        path: PathBuf,
        /// Schema version of the file.
        found: i64,
        /// Newest schema version that this program knows.
        known: i64,
    },
    /// The database is damaged.
    Damaged {
        /// Path of the file.
        path: PathBuf,
        /// Message of SQLite, or the damaged part.
        problem: String,
    },
    /// The database can no longer be read or written, for example because the disk is full or
    /// gone. Acknowledged requests are stored. The engine has stopped, and continues when it
    /// is opened again.
    Store {
        /// Path of the file.
        path: PathBuf,
        /// Message of SQLite.
        problem: String,
    },
    /// The database rejects a write, for example because it exceeds a limit of SQLite. Nothing of
    /// it was written; everything else continues.
    Unwritten {
        /// Message of SQLite.
        problem: String,
    },
    /// The database rejects a commit of the execution. The execution remains as last written, and
    /// continues from there when the database is opened again.
    Unkept {
        /// Id of the execution.
        execution: String,
        /// Message of SQLite.
        problem: String,
    },
    /// The engine was shut down.
    Stopped,
    /// No execution has this id.
    UnknownExecution(String),
    /// No workflow of this name was registered.
    UnknownWorkflow(String),
    /// The workflow cannot be started with this input, which violates the schema that the
    /// definition names.
    InputRefused {
        /// Name of the workflow.
        workflow: String,
        /// Problem.
        problem: String,
    },
    /// No task waits for an outcome by this token: the task has ended, was abandoned, or never
    /// existed.
    UnknownToken,
    /// The key belongs to a start with another input or another id.
    KeyReused {
        /// Idempotency key.
        key: String,
        /// Id of the execution that was started with it.
        execution: String,
    },
    /// An execution of this id was started before, of another workflow or with another input.
    IdTaken(String),
    /// The id is invalid.
    InvalidId(InvalidId),
    /// The workflow cannot be started now: its definition names the interval in which it can.
    Inactive(Inactive),
    /// The definition of the execution does not wait for such an event, or the event's correlation
    /// key differs.
    UnwantedEvent {
        /// Id of the execution.
        execution: String,
        /// The kinds of events that the definition waits for, and what differs from each.
        reason: Box<UnwantedEvent>,
    },
    /// The inbox of the execution is full.
    TooManyEvents(String),
    /// The change of a run of a distributed Map is refused; the message.
    InvalidUpdate(String),
    /// The status of the execution does not allow the command.
    NotNow {
        /// Id of the execution.
        execution: String,
        /// Status.
        status: Status,
        /// Command, as text.
        asked: &'static str,
    },
    /// The driver of the execution has panicked, which is a defect of this engine or of an
    /// observer. The execution remains as last written, and continues when the database is opened
    /// again.
    Halted(String),
    /// The stored execution does not fit the definitions of the program. It was not changed.
    Mismatch(Box<Mismatch>),
}

/// Mismatch between a stored execution and the definitions of the program.
///
/// See the example of [`Error`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// Id of the execution.
    pub execution: String,
    /// Name of the workflow.
    pub workflow: String,
    /// States that it waits in.
    pub states: Vec<String>,
    /// Hash of the definition that it was started with.
    pub stored: u64,
    /// Hashes of the program's definitions of that name.
    pub known: Vec<u64>,
    /// Problem.
    pub problem: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::InUse { path, by, .. } => {
                write!(
                    f,
                    "the database `{}` is in use by another process ({by}): stop that process first",
                    path.display()
                )
            }
            Error::Foreign { path, is } => {
                write!(f, "`{}` is not a workflow database: it is {is}, and was not changed", path.display())
            }
            Error::TooNew { path, found, known } => write!(
                f,
                "the database `{}` has schema version {found}, but this program supports versions up to {known}: use a newer program",
                path.display()
            ),
            Error::Damaged { path, problem } => {
                write!(f, "the database `{}` is damaged ({problem}): restore it from a backup", path.display())
            }
            Error::Store { path, problem } => {
                write!(f, "cannot use the database `{}`: {problem}", path.display())
            }
            Error::Unwritten { problem } => write!(f, "the database rejects a write: {problem}"),
            Error::Unkept { execution, problem } => {
                write!(f, "cannot save the execution `{execution}`: {problem}. The last saved state is kept")
            }
            Error::Halted(id) => {
                write!(f, "the execution `{id}` was stopped because its driver panicked: it continues after a restart")
            }
            Error::Mismatch(mismatch) => mismatch.fmt(f),
            common => EngineError::from(common.clone()).fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// Damage of a stored part, which SQLite cannot notice.
#[derive(Debug)]
struct Damage(String);

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Damage {}

/// Returns the error of a query that finds a damaged part.
pub(crate) fn damaged(problem: String) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Blob, Box::new(Damage(problem)))
}

/// Returns the problem of an error that [`damaged`] has created.
pub(crate) fn damage_of(error: &rusqlite::Error) -> Option<&str> {
    match error {
        rusqlite::Error::FromSqlConversionFailure(_, _, inner) => Some(&inner.downcast_ref::<Damage>()?.0),
        _ => None,
    }
}

impl From<Error> for EngineError {
    fn from(error: Error) -> EngineError {
        let message = match &error {
            Error::Unkept { .. }
            | Error::Halted(_)
            | Error::Mismatch(_)
            | Error::Store { .. }
            | Error::Damaged { .. }
            | Error::Unwritten { .. } => error.to_string(),
            _ => String::new(),
        };
        match error {
            Error::UnknownExecution(id) => EngineError::UnknownExecution(id),
            Error::UnknownWorkflow(name) => EngineError::UnknownWorkflow(name),
            Error::InputRefused { workflow, problem } => EngineError::InputRefused { workflow, problem },
            Error::UnknownToken => EngineError::UnknownToken { execution: None },
            Error::KeyReused { key, execution } => EngineError::KeyReused { key, execution },
            Error::IdTaken(id) => EngineError::IdTaken(id),
            Error::InvalidId(invalid) => EngineError::InvalidId(invalid),
            Error::Inactive(inactive) => EngineError::Inactive(inactive),
            Error::UnwantedEvent { execution, reason } => {
                EngineError::UnwantedEvent { execution, problem: reason.to_string(), reason: Some(reason) }
            }
            Error::TooManyEvents(id) => EngineError::InboxFull(id),
            Error::InvalidUpdate(message) => EngineError::Invalid(message),
            Error::NotNow { execution, status, asked } => EngineError::NotNow { execution, status, asked },
            Error::Stopped => EngineError::Stopped,
            Error::Unkept { execution, .. } | Error::Halted(execution) => {
                EngineError::CannotContinue { execution, halted: true, message }
            }
            Error::Mismatch(mismatch) => {
                EngineError::CannotContinue { execution: mismatch.execution, halted: false, message }
            }
            Error::Store { .. } | Error::Damaged { .. } => EngineError::Unavailable(message),
            Error::Unwritten { .. } => EngineError::Invalid(message),
            Error::InUse { .. } | Error::Foreign { .. } | Error::TooNew { .. } => EngineError::other(error),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { execution, workflow, states, stored, known, problem } = self;
        write!(f, "the execution `{execution}` of `{workflow}`")?;
        if !states.is_empty() {
            let states: Vec<String> = states.iter().map(|state| format!("`{state}`")).collect();
            write!(f, ", which waits in {},", states.join(", "))?;
        }
        write!(f, " was started with the definition {stored:016x}, but ")?;
        match known.as_slice() {
            [] => write!(f, "the program has no workflow with this name")?,
            known => {
                let known: Vec<String> = known.iter().map(|hash| format!("{hash:016x}")).collect();
                write!(f, "the program has {}: {problem}", known.join(", "))?;
            }
        }
        f.write_str("; the execution was not changed")
    }
}
