//! Services: address, metadata and connection.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tonic::metadata::{Ascii, AsciiMetadataKey, MetadataMap, MetadataValue};
use tonic::transport::{Channel, ClientTlsConfig, Endpoint, Uri};

use crate::config::check_secret;
use crate::{ssrf, tls};

/// Longest time to set up a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// Time without traffic after which the system probes the other end.
const KEEP_ALIVE: Duration = Duration::from_secs(60);
/// Replacement of a secret in texts.
const HIDDEN: &str = "…";

/// Service: its address, and the metadata of each call.
///
/// See the example of [`Rpc`](super::Rpc).
#[derive(Clone)]
pub struct RpcService {
    address: String,
    metadata: Vec<(String, String)>,
    plaintext: bool,
    ignore_certs: bool,
    allow_link_local: bool,
}

/// Omits the values of metadata, which are mostly secrets, and the address, which is not checked
/// yet and may contain a password.
impl fmt::Debug for RpcService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let metadata: Vec<&str> = self.metadata.iter().map(|(name, _)| &**name).collect();
        f.debug_struct("RpcService")
            .field("metadata", &metadata)
            .field("plaintext", &self.plaintext)
            .field("ignore_certs", &self.ignore_certs)
            .field("allow_link_local", &self.allow_link_local)
            .finish_non_exhaustive()
    }
}

impl RpcService {
    /// Returns a service at this address: `bank.example.com:8443`, or `https://bank.example.com`,
    /// whose port is 443. Without TLS it is `http://localhost:50051`.
    pub fn at(address: impl Into<String>) -> RpcService {
        RpcService {
            address: address.into(),
            metadata: Vec::new(),
            plaintext: false,
            ignore_certs: false,
            allow_link_local: false,
        }
    }

    /// Sends a token in the metadatum `authorization`.
    pub fn bearer(self, token: impl AsRef<str>) -> RpcService {
        let value = format!("Bearer {}", token.as_ref().trim());
        self.metadata("authorization", value)
    }

    /// Sends a metadatum, whose value is kept secret.
    pub fn metadata(mut self, name: impl Into<String>, value: impl Into<String>) -> RpcService {
        self.metadata.push((name.into(), value.into()));
        self
    }

    /// Sets whether an address with `http://` may be on another machine. A machine in the middle
    /// can then read and change everything.
    pub fn plaintext(mut self, plaintext: bool) -> RpcService {
        self.plaintext = plaintext;
        self
    }

    /// Sets whether any certificate is accepted, for example a self-signed one. A machine in the
    /// middle can then read the metadata. The environment cannot turn this on.
    pub fn ignore_certs(mut self, ignore: bool) -> RpcService {
        self.ignore_certs = ignore;
        self
    }

    /// Sets whether the service may have a link-local or other metadata address.
    pub fn allow_link_local(mut self, allow: bool) -> RpcService {
        self.allow_link_local = allow;
        self
    }

    /// Checks the configuration.
    pub(super) fn check(&self) -> Result<GrpcChannel, String> {
        let endpoint = self.endpoint()?;
        let mut metadata = MetadataMap::new();
        let mut secrets = Vec::new();
        for (name, value) in &self.metadata {
            let shown_name = name.escape_debug();
            let lower = name.to_ascii_lowercase();
            let is_own = ["te", "user-agent", "content-type", "grpc-", "idempotency-key"]
                .iter()
                .any(|own| lower == *own || (own.ends_with('-') && lower.starts_with(own)));
            let key = lower.parse::<AsciiMetadataKey>().ok().filter(|_| !is_own);
            let key = key.ok_or_else(|| format!("`{shown_name}` is not allowed as a metadata key"))?;
            check_secret(format_args!("the metadata entry `{shown_name}`"), value)
                .map_err(|error| error.to_string())?;
            let mut sent: MetadataValue<Ascii> = value
                .trim()
                .parse()
                .map_err(|_| format!("the value of the metadata entry `{shown_name}` is invalid"))?;
            sent.set_sensitive(true);
            metadata.append(key, sent);
            secrets.push(value.trim().to_owned());
            secrets.extend(value.trim().split_once(' ').map(|(_, token)| token.trim().to_owned()));
        }
        secrets.retain(|secret| !secret.is_empty());
        Ok(GrpcChannel { endpoint, is_guarded: !self.allow_link_local, metadata, secrets, channel: Mutex::new(None) })
    }

    fn endpoint(&self) -> Result<Endpoint, String> {
        let address = self.address.trim();
        let with_scheme = if address.contains("://") { address.to_owned() } else { format!("https://{address}") };
        let wrong = |what: &str| format!("invalid address: {what}");
        let uri: Uri = with_scheme.parse().map_err(|_| wrong("it is not a URI"))?;
        let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(|| wrong("it has no host"))?;
        if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            return Err(wrong("it contains credentials, which must be in the metadata"));
        }
        if uri.path_and_query().is_some_and(|path| path.as_str() != "/") {
            return Err(wrong("it has a path after the host and the port"));
        }
        if !self.allow_link_local && ssrf::is_metadata_host(host) {
            return Err(wrong("it is a link-local or metadata address, which must be allowed explicitly"));
        }
        let endpoint = match uri.scheme_str() {
            Some("https") => {
                let verifier = tls::verifier(self.ignore_certs)
                    .map_err(|problem| format!("cannot set up connections: {problem}"))?;
                let config = ClientTlsConfig::new().timeout(CONNECT);
                Endpoint::from(uri)
                    .tls_config_with_verifier(config, verifier)
                    .map_err(|error| wrong(&error.to_string()))?
            }
            Some("http") if self.plaintext || is_loopback(host) => Endpoint::from(uri),
            Some("http") => {
                return Err(wrong("`http` is only allowed for this machine, unless `plaintext` is set"));
            }
            _ => return Err(wrong("the scheme must be `https` or `http`")),
        };
        let agent = concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"));
        let endpoint = endpoint.user_agent(agent).map_err(|error| wrong(&error.to_string()))?;
        Ok(endpoint.connect_timeout(CONNECT).tcp_keepalive(Some(KEEP_ALIVE)))
    }
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    address.map_or(host == "localhost", |address| address.is_loopback())
}

/// Checked service. Its connection is made at the first call, and kept.
pub(super) struct GrpcChannel {
    endpoint: Endpoint,
    /// Set if metadata addresses are refused.
    is_guarded: bool,
    metadata: MetadataMap,
    secrets: Vec<String>,
    channel: Mutex<Option<Channel>>,
}

impl GrpcChannel {
    /// Returns the connection. `anew` replaces one that is no longer usable.
    pub(super) fn channel(&self, anew: bool) -> Channel {
        let mut channel = self.channel.lock().unwrap_or_else(PoisonError::into_inner);
        if anew {
            *channel = None;
        }
        let connect = || match self.is_guarded {
            true => self.endpoint.connect_with_connector_lazy(ssrf::connector(CONNECT, KEEP_ALIVE)),
            false => self.endpoint.connect_lazy(),
        };
        channel.get_or_insert_with(connect).clone()
    }

    /// Returns the metadata of each call.
    pub(super) fn metadata(&self) -> MetadataMap {
        self.metadata.clone()
    }

    /// Removes secrets from a text.
    pub(super) fn redact(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, HIDDEN))
    }
}

impl fmt::Debug for GrpcChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Only names of metadata; their values are secret.
        let metadata: Vec<String> = self.metadata.keys().map(|key| format!("{key:?}")).collect();
        f.debug_struct("GrpcChannel")
            .field("address", self.endpoint.uri())
            .field("metadata", &metadata)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked() {
        for (address, expected) in [
            ("bank.example.com:8443", "https://bank.example.com:8443/"),
            ("https://bank.example.com", "https://bank.example.com/"),
            ("http://localhost:50051", "http://localhost:50051/"),
            (" http://127.0.0.2:1/ ", "http://127.0.0.2:1/"),
            ("http://[::1]:80", "http://[::1]:80/"),
        ] {
            let checked = RpcService::at(address).check().unwrap();
            assert_eq!(checked.endpoint.uri().to_string(), expected);
        }
        assert!(RpcService::at("http://bank.example.com").plaintext(true).check().is_ok());
        assert!(RpcService::at("169.254.1.1:443").allow_link_local(true).check().is_ok());
        let large = RpcService::at("https://bank.example.com").bearer("x".repeat(16 << 10)).check();
        let message = large.err().unwrap_or_default();
        assert_eq!(message, "the metadata entry `authorization` has 16391 bytes; the maximum is 16384");
        for (address, problem) in [
            ("", "it is not a URI"),
            ("http://bank.example.com", "`http` is only allowed for this machine"),
            ("http://localhost.example.com", "`http` is only allowed for this machine"),
            ("ftp://bank.example.com", "the scheme must be `https` or `http`"),
            ("https://user:hidden@bank.example.com", "it contains credentials"),
            ("https://bank.example.com/v1", "it has a path after the host and the port"),
            ("https://bank.example.com?key=hidden", "it has a path after the host and the port"),
            ("https://bank example.com", "it is not a URI"),
            ("169.254.169.254:443", "which must be allowed explicitly"),
            ("https://[fd00:ec2::254]", "which must be allowed explicitly"),
            ("https://[64:ff9b:1::a9fe:a9fe]", "which must be allowed explicitly"),
        ] {
            let service = RpcService::at(address);
            assert!(!format!("{service:?}").contains("hidden"));
            let message = service.check().map(drop).unwrap_err();
            assert!(message.contains(problem) && !message.contains("hidden"), "{address}: {message}");
        }
    }

    #[test]
    fn metadata_are_sent_and_not_shown() {
        let service = RpcService::at("localhost:1").bearer(" hidden\n").metadata("X-Api-Key", "secret");
        assert!(!format!("{service:?}").contains("hidden") && !format!("{service:?}").contains("secret"));
        let checked = service.check().unwrap();
        assert_eq!(checked.metadata.get("authorization").unwrap(), "Bearer hidden");
        assert_eq!(checked.metadata.get("x-api-key").unwrap(), "secret");
        let shown = format!("{checked:?} {:?}", checked.metadata);
        assert!(!shown.contains("hidden") && !shown.contains("secret"), "{shown}");
        assert_eq!(checked.redact("`Bearer hidden`, hidden, secret"), "`…`, …, …");
        for (name, value) in [
            ("", "hidden"),
            ("a b", "hidden"),
            ("a-bin", "hidden"),
            ("grpc-timeout", "hidden"),
            ("Content-Type", "hidden"),
            ("te", "hidden"),
            ("idempotency-key", "hidden"),
            ("a", "hid\nden"),
        ] {
            let message = RpcService::at("localhost:1").metadata(name, value).check().map(drop).unwrap_err();
            assert!(!message.contains("hid"), "{message}");
        }
    }
}
