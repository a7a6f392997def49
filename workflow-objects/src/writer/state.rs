//! The state of a writer: which files are complete.

use serde::{Deserialize, Serialize};
use workflow_runtime::{Str, Value, value};

/// The state of a writer. It can be stored: a writer that is opened with it goes on behind the
/// results that are in complete files.
///
/// See the example of [`ResultWriter`](super::ResultWriter).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriterState {
    /// The child executions that succeeded.
    pub succeeded: Written,
    /// The child executions that count as failed.
    pub failed: Written,
    /// The child executions that never started.
    pub pending: Written,
}

/// The complete files of a status.
///
/// See the example of [`ResultWriter`](super::ResultWriter).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// The files.
    pub files: Vec<ResultFile>,
    /// The number of files that are not listed, and whose names are not used again: those before a
    /// redrive.
    #[serde(default)]
    pub skipped: u64,
}

/// A complete file.
///
/// See the example of [`ResultWriter`](super::ResultWriter).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultFile {
    /// The key.
    pub key: Str,
    /// The size in bytes.
    pub size: u64,
}

impl WriterState {
    /// Prepares the state for the files of a redriven run. Those of children that succeeded stay,
    /// and the others are forgotten: the children run again. New files replace none, because the
    /// last manifest lists them until the next one is written.
    pub fn redrive(&mut self) {
        // The last files of the run before are listed in its manifest, and not in the state.
        self.succeeded.skipped += 1;
        for written in [&mut self.failed, &mut self.pending] {
            written.skipped += written.files.len() as u64 + 1;
            written.files.clear();
        }
    }
}

impl Written {
    /// Returns the number of the next file.
    pub(super) fn next(&self) -> u64 {
        self.skipped + self.files.len() as u64
    }

    /// Returns the files as the manifest lists them.
    pub(super) fn listed(&self) -> Value {
        let entry = |file: &ResultFile| {
            let size = i64::try_from(file.size).unwrap_or(i64::MAX);
            value!({ "Key": file.key.clone(), "Size": size })
        };
        self.files.iter().map(entry).collect()
    }
}
