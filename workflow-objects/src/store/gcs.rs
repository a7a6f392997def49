//! The builder of buckets of Google Cloud Storage.

use std::fmt;

use object_store::gcp::GoogleCloudStorageBuilder;
use workflow_runtime::Str;

use super::cloud::store_error;
use super::tls::Connector;
use super::{CloudStore, StoreError};

/// The builder of a bucket of Google Cloud Storage.
///
/// ```no_run
/// use workflow_objects::store::{Gcs, Stores};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let stores = Stores::new().with("orders", Gcs::from_env("orders").build()?);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Gcs {
    builder: GoogleCloudStorageBuilder,
    bucket: Str,
}

impl Gcs {
    /// Creates the builder of a bucket, with the usual variables of the environment: among them
    /// `GOOGLE_SERVICE_ACCOUNT` and `GOOGLE_SERVICE_ACCOUNT_KEY`. Without them, the role of the
    /// machine is asked.
    ///
    /// Settings of the HTTP client, such as a proxy, are not read: the variables `HTTPS_PROXY` and
    /// `NO_PROXY` are.
    pub fn from_env(bucket: impl Into<Str>) -> Gcs {
        let bucket = bucket.into();
        Gcs { builder: GoogleCloudStorageBuilder::from_env().with_bucket_name(bucket.as_str()), bucket }
    }

    /// Creates the builder of a bucket, without the environment.
    pub fn new(bucket: impl Into<Str>) -> Gcs {
        let bucket = bucket.into();
        Gcs { builder: GoogleCloudStorageBuilder::new().with_bucket_name(bucket.as_str()), bucket }
    }

    /// Sets the key of a service account, as JSON text.
    #[must_use]
    pub fn service_account_key(mut self, key: &str) -> Gcs {
        self.builder = self.builder.with_service_account_key(key);
        self
    }

    /// Returns the bucket.
    ///
    /// # Errors
    /// The settings are not complete, or wrong.
    pub fn build(self) -> Result<CloudStore, StoreError> {
        let builder = self.builder.with_http_connector(Connector { plain: false });
        let client = builder.build().map_err(|error| store_error(error, "open the bucket", &self.bucket))?;
        Ok(CloudStore::new(client, self.bucket))
    }
}

impl fmt::Debug for Gcs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Gcs").field(&self.bucket).finish()
    }
}
