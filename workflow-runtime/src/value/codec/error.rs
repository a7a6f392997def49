//! Errors of loading snapshots.

use std::fmt;

/// The reason why a snapshot cannot be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadError {
    problem: String,
    /// The byte of the snapshot at which reading failed.
    at: Option<usize>,
}

impl LoadError {
    /// Creates an error about the content, rather than about the bytes.
    pub fn new(problem: impl Into<String>) -> LoadError {
        LoadError { problem: problem.into(), at: None }
    }

    /// Creates the error of a suspension point that the workflow does not have.
    pub fn unknown_point(point: &str) -> LoadError {
        LoadError::new(format!("the workflow has no suspension point `{point}`"))
    }

    pub(super) fn at(problem: impl Into<String>, at: usize) -> LoadError {
        LoadError { problem: problem.into(), at: Some(at) }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)?;
        match self.at {
            Some(at) => write!(f, " (byte {at} of the snapshot)"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for LoadError {}
