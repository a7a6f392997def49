//! The HTTP client of cloud stores, with rustls.

use std::sync::Arc;
use std::time::Duration;

use object_store::ClientOptions;
use object_store::client::{HttpClient, HttpConnector};
use rustls::crypto::{CryptoProvider, ring};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

/// The longest time for a connection.
const CONNECT: Duration = Duration::from_secs(10);

/// The longest silence of a server. A whole request may take longer: objects are large.
const SILENCE: Duration = Duration::from_secs(60);

/// A maker of HTTP clients.
#[derive(Debug, Clone, Copy)]
pub(super) struct Connector {
    /// `true` if the server has no TLS. Then a system without certificates is no error.
    pub(super) plain: bool,
}

impl HttpConnector for Connector {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        let failed = |source| object_store::Error::Generic { store: "HTTP", source };
        let tls = self.tls().map_err(|error| failed(error.into()))?;
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE)
            .build()
            .map_err(|error| failed(error.into()))?;
        Ok(HttpClient::new(client))
    }
}

/// Returns `true` for an address without TLS.
#[cfg(any(feature = "azure", feature = "s3"))]
pub(super) fn is_plain(url: &str) -> bool {
    url.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http://"))
}

impl Connector {
    fn tls(self) -> Result<ClientConfig, rustls::Error> {
        let provider = CryptoProvider::get_default().cloned();
        let provider = provider.unwrap_or_else(|| Arc::new(ring::default_provider()));
        let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        Ok(match self.plain {
            true => builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth(),
            false => builder.with_platform_verifier()?.with_no_client_auth(),
        })
    }
}
