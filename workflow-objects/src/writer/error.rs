//! The error of a writer.

use std::error::Error;
use std::fmt;

use workflow_runtime::Fault;

use crate::store::{StoreError, StoreErrorKind};

/// The failure of a writer. Its text names the object.
///
/// See the example of [`ResultWriter`](super::ResultWriter).
#[derive(Debug)]
pub struct WriterError {
    cause: String,
    source: StoreError,
}

impl WriterError {
    /// The name of the error in definitions.
    pub const NAME: &'static str = "States.ResultWriterFailed";

    /// Creates the error of a store, which failed with an object.
    pub(crate) fn new(object: &str, error: StoreError) -> WriterError {
        let verdict = match error.kind() {
            StoreErrorKind::NotFound => "does not exist",
            StoreErrorKind::Denied => "may not be written",
            StoreErrorKind::Changed | StoreErrorKind::Other => "cannot be written",
        };
        WriterError { cause: format!("{object} {verdict}: {}", error.describe()), source: error }
    }

    /// Returns the cause, as the definition sees it.
    pub fn cause(&self) -> &str {
        &self.cause
    }

    /// Returns the kind of the store's failure.
    pub fn store_kind(&self) -> StoreErrorKind {
        self.source.kind()
    }

    /// Returns the fault of the Map.
    pub fn fault(&self) -> Fault {
        Fault::new(WriterError::NAME, self.cause.as_str())
    }
}

impl fmt::Display for WriterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)
    }
}

impl Error for WriterError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
}
