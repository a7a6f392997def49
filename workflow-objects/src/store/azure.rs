//! The builder of containers of Azure Blob Storage.

use std::fmt;

use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use workflow_runtime::Str;

use super::cloud::store_error;
use super::tls::{Connector, is_plain};
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
    /// federated tokens. Without them, the role of the machine is asked. `AZURE_STORAGE_ENDPOINT`
    /// is the address of another server, and with `AZURE_STORAGE_USE_EMULATOR` that is Azurite at
    /// `AZURITE_BLOB_STORAGE_URL`, by itself `http://127.0.0.1:10000`.
    ///
    /// Settings of the HTTP client, such as a proxy, are not read: the variables `HTTPS_PROXY` and
    /// `NO_PROXY` are.
    pub fn from_env(container: impl Into<Str>) -> Azure {
        let container = container.into();
        Azure::of_settings(MicrosoftAzureBuilder::from_env(), container)
    }

    /// Creates the builder of a container, with the settings of a builder.
    fn of_settings(builder: MicrosoftAzureBuilder, container: Str) -> Azure {
        let builder = builder.with_container_name(container.as_str());
        let endpoint = builder.get_config_value(&AzureConfigKey::Endpoint);
        let emulator = builder.get_config_value(&AzureConfigKey::UseEmulator).is_some_and(|used| used == "true");
        let plain = emulator || endpoint.is_some_and(|endpoint| is_plain(&endpoint));
        Azure { builder, container, plain }
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
        self.plain = is_plain(url);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_without_tls_may_be_in_each_setting() {
        use AzureConfigKey::{AccessKey, AccountName, Endpoint, UseEmulator};
        for (settings, plain) in [
            (&[][..], false),
            (&[(Endpoint, "http://localhost:10000/devstoreaccount1")], true),
            (&[(Endpoint, "https://example.org")], false),
            (&[(UseEmulator, "true")], true),
            (&[(UseEmulator, "false")], false),
        ] {
            let builder = MicrosoftAzureBuilder::new().with_config(AccountName, "a").with_config(AccessKey, "a2V5");
            let builder = settings.iter().fold(builder, |builder, (key, value)| builder.with_config(*key, *value));
            let azure = Azure::of_settings(builder, "orders".into());
            assert_eq!(azure.plain, plain, "{settings:?}");
            if plain {
                assert!(azure.build().is_ok(), "{settings:?}");
            }
        }
    }
}
