//! The reasons for a command to end early.

use std::io;
use workflow_compiler::escape::visible;

/// The reasons for a command to end early.
#[derive(Debug)]
pub enum Failure {
    /// The command could not be carried out.
    Message {
        /// The problem.
        message: String,
        /// A way to fix it.
        help: Option<String>,
    },
    /// The command has already reported the problem. This is the exit status.
    Reported(u8),
    /// The arguments ask for the help of the command.
    Help,
    /// The reader of standard output has closed it.
    NobodyReads,
}

impl Failure {
    /// Returns a failure with a message.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure::Message { message: message.into(), help: None }
    }

    /// Returns a failure with a message and a way to fix the problem.
    pub fn with_help(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Message { message: message.into(), help: Some(help.into()) }
    }

    /// Returns the failure `cannot WHAT PATH` of an operation on a file.
    pub fn file(what: &str, path: &std::path::Path, error: &io::Error) -> Failure {
        Failure::new(format!("cannot {what} `{}`: {error}", visible(&path.to_string_lossy())))
    }
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Failure {
        Failure::with_help(error.to_string(), "`cargo workflow help` lists the commands and their options")
    }
}
