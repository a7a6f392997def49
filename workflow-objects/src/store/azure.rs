//! The builder of containers of Azure Blob Storage.

use std::fmt;

use object_store::azure::MicrosoftAzureBuilder;
use workflow_runtime::Str;

use super::cloud::store_error;
use super::tls::Connector;
use super::{CloudStore, StoreError};

/// The builder of a container of Azure Blob Storage.
///
/// ```no_run
/// use workflow_objects::store::{Azure, Stores};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let stores = Stores::new().with("orders", Azure::from_env("orders").build()?);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Azure {
    builder: MicrosoftAzureBuilder,
    container: Str,
    plain: bool,
}

impl Azure {
    /// Creates the builder of a container, with the usual variables of the environment: among them
    /// `AZURE_STORAGE_ACCOUNT_NAME`, `AZURE_STORAGE_ACCOUNT_KEY` and those for client secrets and
    /// federated tokens. Without them, the role of the machine is asked.
    pub fn from_env(container: impl Into<Str>) -> Azure {
        let container = container.into();
        let builder = MicrosoftAzureBuilder::from_env().with_container_name(container.as_str());
        Azure { builder, container, plain: false }
    }

    /// Creates the builder of a container, without the environment.
    pub fn new(container: impl Into<Str>) -> Azure {
        let container = container.into();
        let builder = MicrosoftAzureBuilder::new().with_container_name(container.as_str());
        Azure { builder, container, plain: false }
    }

    /// Sets the account and its key.
    #[must_use]
    pub fn account(mut self, name: &str, access_key: &str) -> Azure {
        self.builder = self.builder.with_account(name).with_access_key(access_key);
        self
    }

    /// Sets the address of the server.
    #[must_use]
    pub fn endpoint(mut self, url: &str) -> Azure {
        self.plain = url.starts_with("http://");
        self.builder = self.builder.with_endpoint(url.to_owned());
        self
    }

    /// Returns the container.
    ///
    /// # Errors
    /// The settings are not complete, or wrong.
    pub fn build(self) -> Result<CloudStore, StoreError> {
        let plain = self.plain;
        let builder = self.builder.with_allow_http(plain).with_http_connector(Connector { plain });
        let client = builder.build().map_err(|error| store_error(error, "open the container", &self.container))?;
        Ok(CloudStore::new(client, self.container))
    }
}

impl fmt::Debug for Azure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Azure").field(&self.container).finish()
    }
}
