//! The error of a reader.

use std::error::Error;
use std::fmt;

use workflow_runtime::Fault;

use crate::store::{StoreError, StoreErrorKind};

/// The failure of a reader. Its text is AWS's where that is known, and otherwise names the object
/// and the position in it.
///
/// See the example of [`ItemSource`](super::ItemSource).
#[derive(Debug)]
pub struct ReaderError {
    cause: String,
    source: Option<StoreError>,
}

impl ReaderError {
    /// The name of the error in definitions.
    pub const NAME: &'static str = "States.ItemReaderFailed";

    /// Creates the error of data or of an argument.
    pub(crate) fn new(cause: impl Into<String>) -> ReaderError {
        ReaderError { cause: cause.into(), source: None }
    }

    /// Creates the error of a store, which failed with an object or a listing.
    pub(crate) fn of_store(what: &str, error: StoreError) -> ReaderError {
        let verdict = match error.kind() {
            StoreErrorKind::NotFound => "does not exist",
            StoreErrorKind::Denied => "may not be read",
            StoreErrorKind::Changed => "changed while it was read",
            StoreErrorKind::Other => "cannot be read",
        };
        ReaderError { cause: format!("{what} {verdict}: {}", error.describe()), source: Some(error) }
    }

    /// Returns the cause, as the definition sees it.
    pub fn cause(&self) -> &str {
        &self.cause
    }

    /// Returns the kind of the store's failure, if it was the store that failed.
    pub fn store_kind(&self) -> Option<StoreErrorKind> {
        self.source.as_ref().map(StoreError::kind)
    }

    /// Returns the fault of the Map.
    pub fn fault(&self) -> Fault {
        Fault::new(ReaderError::NAME, self.cause.as_str())
    }
}

impl fmt::Display for ReaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)
    }
}

impl Error for ReaderError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| source as &(dyn Error + 'static))
    }
}
