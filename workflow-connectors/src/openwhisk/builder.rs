//! Builder of the OpenWhisk connector: platform, key and limits.

use std::fmt;
use std::time::Duration;

use reqwest::Url;

use super::environment;
use super::key::Key;
use super::name::{DEFAULT_NAMESPACE, below, check_part};
use super::{ConfigError, OpenWhisk};
use crate::config::check_secret;
use crate::http;

/// Default limit of a call: the longest run of an action on a platform.
const TIMEOUT: Duration = Duration::from_secs(600);
/// Default limit of a response in bytes, much more than the megabyte that the platform allows a
/// result.
const MAX_BYTES: usize = 16 << 20;
/// Default number of retries of a request without effect.
const RETRIES: u32 = 3;

/// Builder of an [`OpenWhisk`]. The API host and the key are required; the rest has a default.
///
/// See the example of [`OpenWhisk`].
#[derive(Clone)]
pub struct OpenWhiskBuilder {
    pub(super) api_host: Option<String>,
    pub(super) api_key: Option<String>,
    pub(super) namespace: Option<String>,
    /// Set if the environment was read.
    pub(super) from_env: bool,
    timeout: Duration,
    max_response_bytes: usize,
    retries: u32,
    ignore_certs: bool,
}

/// Omits the host and the key, which are not checked yet and may contain a password.
impl fmt::Debug for OpenWhiskBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenWhiskBuilder")
            .field("namespace", &self.namespace)
            .field("timeout", &self.timeout)
            .field("max_response_bytes", &self.max_response_bytes)
            .field("retries", &self.retries)
            .field("ignore_certs", &self.ignore_certs)
            .finish_non_exhaustive()
    }
}

impl OpenWhiskBuilder {
    pub(super) fn new() -> OpenWhiskBuilder {
        OpenWhiskBuilder {
            api_host: None,
            api_key: None,
            namespace: None,
            from_env: false,
            timeout: TIMEOUT,
            max_response_bytes: MAX_BYTES,
            retries: RETRIES,
            ignore_certs: false,
        }
    }

    /// Sets the API host, such as `openwhisk.example.com`. The scheme is `https` unless the host
    /// starts with `http://`, as in `http://localhost:3233`.
    pub fn api_host(mut self, host: impl Into<String>) -> OpenWhiskBuilder {
        self.api_host = Some(host.into());
        self
    }

    /// Sets the API key: `user:password`.
    pub fn api_key(mut self, key: impl Into<String>) -> OpenWhiskBuilder {
        self.api_key = Some(key.into());
        self
    }

    /// Sets the namespace of actions whose names have none; by default `_`, that of the key's
    /// owner.
    pub fn namespace(mut self, namespace: impl Into<String>) -> OpenWhiskBuilder {
        self.namespace = Some(namespace.into());
        self
    }

    /// Limits the time of a call with all its waits; by default ten minutes. The deadline of a
    /// task applies as well.
    pub fn timeout(mut self, timeout: Duration) -> OpenWhiskBuilder {
        self.timeout = timeout;
        self
    }

    /// Limits the size of responses; by default 16 MiB.
    pub fn max_response_bytes(mut self, bytes: usize) -> OpenWhiskBuilder {
        self.max_response_bytes = bytes;
        self
    }

    /// Sets the number of retries of a call that certainly had no effect; by default 3.
    pub fn retries(mut self, retries: u32) -> OpenWhiskBuilder {
        self.retries = retries;
        self
    }

    /// Sets whether any certificate is accepted, for example a self-signed one. A machine in the
    /// middle can then read the key. The environment cannot turn this on.
    pub fn ignore_certs(mut self, ignore: bool) -> OpenWhiskBuilder {
        self.ignore_certs = ignore;
        self
    }

    /// Checks the configuration. Makes no connection yet.
    pub fn build(self) -> Result<OpenWhisk, ConfigError> {
        let host = self.api_host.as_deref().map(str::trim).filter(|host| !host.is_empty());
        let api = api(host.ok_or_else(|| self.missing("host", &environment::HOST))?)?;
        let key = self.api_key.as_ref().ok_or_else(|| self.missing("key", &environment::KEY))?;
        check_secret("the API key", key)?;
        let key = Key::parse(key).map_err(ConfigError::new)?;
        let namespace = self.namespace.as_deref().map(str::trim).filter(|namespace| !namespace.is_empty());
        let namespace = namespace.unwrap_or(DEFAULT_NAMESPACE).to_owned();
        check_part(&namespace).map_err(|problem| ConfigError::new(format!("the namespace {problem}")))?;
        let client = http::client(&api, self.ignore_certs)
            .map_err(|problem| ConfigError::new(format!("cannot set up connections: {problem}")))?;
        Ok(OpenWhisk {
            client,
            api,
            key,
            namespace,
            timeout: self.timeout,
            max_response_bytes: self.max_response_bytes,
            retries: self.retries,
        })
    }

    /// Returns the error for a missing setting, with its sources.
    fn missing(&self, what: &str, [action, shell, property]: &[&str; 3]) -> ConfigError {
        let mut text = format!("the API {what} is missing");
        if self.from_env {
            text.push_str(&format!(
                ": set `{shell}` (the platform sets `{action}` in an action), or `{property}` in `~/.wskprops`"
            ));
        }
        ConfigError::new(text)
    }
}

/// Returns the API address of a host.
fn api(host: &str) -> Result<Url, ConfigError> {
    let with_scheme = if host.contains("://") { host.to_owned() } else { format!("https://{host}") };
    let wrong = |what: &str| ConfigError::new(format!("invalid API host: {what}"));
    let url = Url::parse(&with_scheme).map_err(|error| wrong(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("the scheme must be `https` or `http`"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("it contains credentials, which must be in the API key"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("it has a query or a fragment"));
    }
    let is_whole = url.path().trim_end_matches('/').ends_with("/api/v1");
    Ok(if is_whole { url } else { below(&url, &["api", "v1"]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_become_addresses() {
        let cases = [
            ("openwhisk.example.com", "https://openwhisk.example.com/api/v1"),
            ("localhost:3233", "https://localhost:3233/api/v1"),
            ("http://localhost:3233/", "http://localhost:3233/api/v1"),
            ("https://gateway.example/whisk", "https://gateway.example/whisk/api/v1"),
            ("https://host.example/api/v1/", "https://host.example/api/v1/"),
        ];
        for (host, expected) in cases {
            assert_eq!(api(host).unwrap().as_str(), expected);
        }
    }

    #[test]
    fn problems_are_reported_without_the_key() {
        let builder = || OpenWhiskBuilder::new().api_host("http://127.0.0.1:1").api_key("user:hidden");
        let cases = [
            (OpenWhiskBuilder::new().api_key("user:hidden"), "the API host is missing"),
            (OpenWhiskBuilder::new().api_host("localhost"), "the API key is missing"),
            (builder().api_key("a:".repeat(10_000)), "the API key has 20000 bytes; the maximum is 16384"),
            (builder().api_key("hidden"), "the API key must have the form `user:password`"),
            (builder().api_host("ftp://localhost"), "the scheme must be `https` or `http`"),
            (builder().api_host("https://user:hidden@localhost"), "which must be in the API key"),
            (builder().api_host("https://localhost?a=hidden"), "it has a query or a fragment"),
            (builder().api_host("https://local host"), "invalid API host: "),
            (builder().namespace("a/b"), "the namespace contains '/', which is not allowed"),
        ];
        for (builder, problem) in cases {
            assert!(!format!("{builder:?}").contains("hidden"), "{builder:?}");
            let message = builder.build().unwrap_err().to_string();
            assert!(message.contains(problem) && !message.contains("hidden"), "{message}");
        }
        assert!(!format!("{:?}", builder().build().unwrap()).contains("hidden"));
    }
}
