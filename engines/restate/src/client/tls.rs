//! TLS connections to a server, and the trusted certificates.

use std::sync::{Arc, OnceLock};

use rustls_platform_verifier::BuilderVerifierExt;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::client::WantsClientCert;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ConfigBuilder, RootCertStore, WantsVerifier};

/// Certificates that a client trusts: those of the system, or given ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trust(Option<Arc<ClientConfig>>);

impl Trust {
    /// Trusts the certificates of a PEM text, and those signed with them.
    pub fn of(pem: &str) -> Result<Trust, String> {
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(pem.as_bytes()) {
            let added = certificate.map_err(|error| error.to_string());
            added.and_then(|certificate| roots.add(certificate).map_err(|error| error.to_string()))?;
        }
        if roots.is_empty() {
            return Err("the text contains no certificate".to_owned());
        }
        Ok(Trust(Some(config(builder()?.with_root_certificates(roots)))))
    }

    /// Opens a TLS connection to a host.
    pub async fn connect(&self, host: &str, stream: TcpStream) -> Result<TlsStream<TcpStream>, String> {
        let config = self.0.clone().map_or_else(system, Ok)?;
        let name = ServerName::try_from(host.to_owned()).map_err(|error| error.to_string())?;
        TlsConnector::from(config).connect(name, stream).await.map_err(|error| error.to_string())
    }
}

/// Returns the certificates of the system, which are read once.
fn system() -> Result<Arc<ClientConfig>, String> {
    static SYSTEM: OnceLock<Result<Arc<ClientConfig>, String>> = OnceLock::new();
    let read = || Ok(config(builder()?.with_platform_verifier().map_err(|error| error.to_string())?));
    SYSTEM.get_or_init(read).clone()
}

fn builder() -> Result<ConfigBuilder<ClientConfig, WantsVerifier>, String> {
    // Uses the cryptography provider that the program has chosen, and installs none.
    let provider = CryptoProvider::get_default().cloned().unwrap_or_else(|| Arc::new(ring::default_provider()));
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    builder.map_err(|error| error.to_string())
}

fn config(builder: ConfigBuilder<ClientConfig, WantsClientCert>) -> Arc<ClientConfig> {
    let mut config = builder.with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Arc::new(config)
}
