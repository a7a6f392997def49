//! TLS configuration: trusts the certificates of the system, or all if the program asks for that.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
#[cfg(any(feature = "events", feature = "openwhisk", feature = "rest"))]
use rustls::{ClientConfig, RootCertStore};
use rustls::{DigitallySignedStruct, Error, SignatureScheme};
#[cfg(any(feature = "events", feature = "openwhisk", feature = "rest"))]
use rustls_platform_verifier::BuilderVerifierExt;

/// Returns the configuration of a client. If it is not `used`, it trusts nobody, so that it also
/// works on a system without certificates.
#[cfg(any(feature = "events", feature = "openwhisk", feature = "rest"))]
pub(crate) fn config(used: bool, ignore_certs: bool) -> Result<ClientConfig, String> {
    let provider = provider();
    let builder = ClientConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| error.to_string())?;
    let mut config = match (used, ignore_certs) {
        (false, _) => builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth(),
        (true, false) => builder.with_platform_verifier().map_err(|error| error.to_string())?.with_no_client_auth(),
        (true, true) => {
            builder.dangerous().with_custom_certificate_verifier(Arc::new(Anybody(provider))).with_no_client_auth()
        }
    };
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

/// Returns the verifier of server certificates.
#[cfg(feature = "rpc")]
pub(crate) fn verifier(ignore_certs: bool) -> Result<Arc<dyn ServerCertVerifier>, String> {
    match ignore_certs {
        true => Ok(Arc::new(Anybody(provider()))),
        false => {
            let verifier = rustls_platform_verifier::Verifier::new(provider()).map_err(|error| error.to_string())?;
            Ok(Arc::new(verifier))
        }
    }
}

/// Returns the cryptography provider that the program has chosen, or the default. Installs none.
fn provider() -> Arc<CryptoProvider> {
    CryptoProvider::get_default().cloned().unwrap_or_else(|| Arc::new(ring::default_provider()))
}

/// Verifier that trusts every certificate. It still checks that the server has the key.
#[derive(Debug)]
struct Anybody(Arc<CryptoProvider>);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _certificate: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        rustls::crypto::verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        rustls::crypto::verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
