//! What can go wrong with a store, and what it says of executions.

use std::fmt;
use std::path::PathBuf;

use workflow_runtime::id::InvalidId;
use workflow_runtime::machine::{EVENTS_KEPT, Inactive};

/// Why the engine could not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Another process has the database.
    InUse {
        /// The file.
        path: PathBuf,
        /// What that process wrote of itself.
        by: String,
    },
    /// The file is no database of this engine. It was not touched.
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it seems to be.
        is: String,
    },
    /// A newer version of the engine wrote the database. It was not touched.
    TooNew {
        /// The file.
        path: PathBuf,
        /// The version of its schema.
        found: i64,
        /// The newest version that is known here.
        known: i64,
    },
    /// The database is damaged.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        problem: String,
    },
    /// The database can no longer be read or written: the disk is full, or gone. What was acknowledged before is kept; the
    /// engine has stopped, and goes on when it is opened again.
    Store {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        problem: String,
    },
    /// The database does not take what was to be written: it is larger than SQLite's limits, for one. Nothing of it was
    /// written; all else goes on.
    Unwritten {
        /// What SQLite says.
        problem: String,
    },
    /// The database does not take what the execution has done. It is as it was last written, and goes on from there when the
    /// database is opened again.
    Unkept {
        /// The execution.
        execution: String,
        /// What SQLite says.
        problem: String,
    },
    /// The engine was shut down.
    Stopped,
    /// No execution has this id.
    UnknownExecution(String),
    /// No workflow of this name was registered.
    UnknownWorkflow(String),
    /// The workflow cannot be started with this input: it does not fit the schema that the definition names.
    InputRefused {
        /// The workflow.
        workflow: String,
        /// What is wrong.
        problem: String,
    },
    /// No task waits for an outcome by this token: it has one, it was given up, or it never was.
    UnknownToken,
    /// The key was used before, with another input or another id.
    KeyReused {
        /// The key.
        key: String,
        /// The execution that was started with it.
        execution: String,
    },
    /// An execution of this id was started before, of another workflow or with another input.
    IdTaken(String),
    /// No execution can be given this id.
    InvalidId(InvalidId),
    /// The workflow cannot be started now: its definition says in which interval it can.
    Inactive(Inactive),
    /// The definition of the execution does not wait for such an event, or the event correlates with other executions.
    UnwantedEvent(String),
    /// The execution keeps so many events that it does not wait for yet that it takes no more.
    TooManyEvents(String),
    /// The execution is not in a state in which this can be done.
    NotNow {
        /// The execution.
        execution: String,
        /// What it does or did.
        status: &'static str,
        /// What was asked.
        asked: &'static str,
    },
    /// What runs the execution has panicked, which is a mistake of this engine or of an observer. It is as it was last written,
    /// and goes on when the database is opened again.
    Halted(String),
    /// What is stored of the execution does not fit the workflow that the program has. It was not touched.
    Mismatch(Box<Mismatch>),
}

/// What is stored of an execution does not fit the workflow that the program has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The execution.
    pub execution: String,
    /// Its workflow.
    pub workflow: String,
    /// The states that it waits in.
    pub states: Vec<String>,
    /// The hash of the definition that it was started with.
    pub stored: u64,
    /// The hashes of the definitions of that name that the program has.
    pub known: Vec<u64>,
    /// What does not fit.
    pub problem: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::InUse { path, by } => {
                write!(f, "the database `{}` is in use by another process ({by}); stop that one first", path.display())
            }
            Error::Foreign { path, is } => {
                write!(f, "`{}` is no database of workflows, but {is}; it was left as it is", path.display())
            }
            Error::TooNew { path, found, known } => write!(
                f,
                "the database `{}` has the schema {found}, and this program knows those up to {known}: use a newer version",
                path.display()
            ),
            Error::Damaged { path, problem } => {
                write!(f, "the database `{}` is damaged: {problem}; restore it from a backup", path.display())
            }
            Error::Store { path, problem } => {
                write!(f, "the database `{}` cannot be used: {problem}", path.display())
            }
            Error::Unwritten { problem } => write!(f, "the database does not take what is to be written: {problem}"),
            Error::Unkept { execution, problem } => write!(
                f,
                "the database does not take what the execution `{execution}` has done: {problem}; it is left as it was \
                 last written"
            ),
            Error::Stopped => f.write_str("the engine was shut down"),
            Error::UnknownExecution(id) => write!(f, "there is no execution `{id}`"),
            Error::UnknownWorkflow(name) => write!(f, "the program has no workflow `{name}`"),
            Error::InputRefused { workflow, problem } => {
                write!(f, "the workflow `{workflow}` cannot be started: {problem}")
            }
            Error::UnknownToken => f.write_str("no task waits for an outcome by this token"),
            Error::KeyReused { key, execution } => {
                write!(f, "the key `{key}` was used to start the execution `{execution}`, with another input or id")
            }
            Error::IdTaken(id) => {
                write!(f, "there is an execution `{id}` already, of another workflow or with another input")
            }
            Error::InvalidId(invalid) => invalid.fmt(f),
            Error::Inactive(inactive) => inactive.fmt(f),
            Error::UnwantedEvent(id) => write!(
                f,
                "the definition of the execution `{id}` does not wait for such an event, or not for one of this correlation value"
            ),
            Error::TooManyEvents(id) => {
                write!(
                    f,
                    "the execution `{id}` keeps {EVENTS_KEPT} events that it does not wait for yet, and takes no more"
                )
            }
            Error::NotNow { execution, status, asked } => {
                write!(f, "the execution `{execution}` {status} and cannot be {asked}")
            }
            Error::Halted(id) => {
                write!(f, "the execution `{id}` has halted, for what runs it panicked; it goes on after a restart")
            }
            Error::Mismatch(mismatch) => mismatch.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { execution, workflow, states, stored, known, problem } = self;
        write!(f, "the execution `{execution}` of `{workflow}`")?;
        if !states.is_empty() {
            let states: Vec<String> = states.iter().map(|state| format!("`{state}`")).collect();
            write!(f, ", which waits in {},", states.join(", "))?;
        }
        write!(f, " was started with the definition {stored:016x}, and ")?;
        match known.as_slice() {
            [] => write!(f, "the program has no workflow of that name")?,
            known => {
                let known: Vec<String> = known.iter().map(|hash| format!("{hash:016x}")).collect();
                write!(f, "the program has {}: {problem}", known.join(", "))?;
            }
        }
        f.write_str("; it is left as it is")
    }
}
