//! Why a snapshot cannot be loaded.

use std::fmt;

/// Why a snapshot cannot be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadError {
    problem: String,
    /// The byte of the snapshot where it was noticed, if it was in reading one.
    at: Option<usize>,
}

impl LoadError {
    /// An error of what was read, rather than of the bytes.
    pub fn new(problem: impl Into<String>) -> LoadError {
        LoadError { problem: problem.into(), at: None }
    }

    /// The snapshot waits at a point that the workflow does not have.
    pub fn unknown_point(point: &str) -> LoadError {
        LoadError::new(format!("the workflow has no point `{point}`"))
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
