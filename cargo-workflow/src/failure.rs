//! Why a command ended early.

use std::io;
use workflow_compiler::escape::visible;

/// Why a command ended early.
#[derive(Debug)]
pub enum Failure {
    /// It could not be carried out.
    Message {
        /// What is wrong.
        message: String,
        /// How to mend it.
        help: Option<String>,
    },
    /// What is wrong has been told; this is the exit status.
    Told(u8),
    /// The help of the command is wanted.
    Help,
    /// Whoever read the output has gone away.
    NobodyReads,
}

impl Failure {
    /// Something is wrong.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure::Message { message: message.into(), help: None }
    }

    /// Something is wrong, and this is how to mend it.
    pub fn with_help(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Message { message: message.into(), help: Some(help.into()) }
    }

    /// Something cannot be done to a file.
    pub fn file(what: &str, path: &std::path::Path, error: &io::Error) -> Failure {
        Failure::new(format!("cannot {what} `{}`: {error}", visible(&path.to_string_lossy())))
    }
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Failure {
        Failure::with_help(error.to_string(), "`cargo workflow help` lists the commands and their options")
    }
}
