//! The error of a store.

use std::error::Error;
use std::fmt;

use workflow_runtime::fault::with_sources;

/// The failure of a store. Its text names the key, and never the credentials.
///
/// ```
/// use workflow_objects::store::{StoreErrorKind, Stores};
///
/// let error = Stores::new().bucket("orders").err().expect("the bucket is unknown");
/// assert_eq!(error.kind(), StoreErrorKind::NotFound);
/// ```
#[derive(Debug)]
pub struct StoreError {
    kind: StoreErrorKind,
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

/// The kind of a failure.
///
/// See the example of [`StoreError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreErrorKind {
    /// There is no such bucket, or no such object.
    NotFound,
    /// The credentials are missing, or do not suffice.
    Denied,
    /// The object does not have the wanted ETag: it was replaced.
    Changed,
    /// Any other failure, such as that of the network.
    Other,
}

impl StoreError {
    /// Creates an error. The message has no credentials.
    pub fn new(kind: StoreErrorKind, message: impl Into<String>) -> StoreError {
        StoreError { kind, message: message.into(), source: None }
    }

    /// Creates an error with its source. The texts of the source have no credentials.
    pub fn with_source(
        kind: StoreErrorKind,
        message: impl Into<String>,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> StoreError {
        StoreError { kind, message: message.into(), source: Some(source.into()) }
    }

    /// Returns the kind.
    pub fn kind(&self) -> StoreErrorKind {
        self.kind
    }

    /// Creates the error of a file operation.
    pub(crate) fn of_file(error: std::io::Error, what: &str, key: &str) -> StoreError {
        let kind = match error.kind() {
            std::io::ErrorKind::NotFound => StoreErrorKind::NotFound,
            std::io::ErrorKind::PermissionDenied => StoreErrorKind::Denied,
            _ => StoreErrorKind::Other,
        };
        StoreError::with_source(kind, format!("cannot {what} {key:?}"), error)
    }

    /// Returns the texts of the error and its sources, each once.
    ///
    /// ```
    /// use workflow_objects::store::{StoreError, StoreErrorKind};
    ///
    /// let error = StoreError::with_source(StoreErrorKind::Other, "cannot open the bucket", "no region is set");
    /// assert_eq!(error.describe(), "cannot open the bucket: no region is set");
    /// ```
    pub fn describe(&self) -> String {
        with_sources(self)
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}
