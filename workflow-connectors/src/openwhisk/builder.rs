//! Where the platform is, as whom it is called, and within which bounds.

use std::fmt;
use std::time::Duration;

use reqwest::Url;

use super::environment;
use super::key::Key;
use super::name::{DEFAULT_NAMESPACE, below, check_part};
use super::{ConfigError, OpenWhisk};
use crate::config::check_secret;
use crate::http;

/// As long as platforms let an action run, and longer than most do.
const TIMEOUT: Duration = Duration::from_secs(600);
/// Much more than the megabyte that the platform lets a result have.
const MOST_BYTES: usize = 16 << 20;
/// How often a request that was not carried out is sent once more.
const RETRIES: u32 = 3;

/// Sets up an [`OpenWhisk`]. The address of the API and the key must be given; the rest has a default.
#[derive(Clone)]
pub struct Builder {
    pub(super) api_host: Option<String>,
    pub(super) api_key: Option<String>,
    pub(super) namespace: Option<String>,
    /// Whether the environment was asked.
    pub(super) from_env: bool,
    timeout: Duration,
    max_response_bytes: usize,
    retries: u32,
    ignore_certs: bool,
}

/// Without the host and the key: neither is checked yet, and both may have a password in them.
impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("namespace", &self.namespace)
            .field("timeout", &self.timeout)
            .field("max_response_bytes", &self.max_response_bytes)
            .field("retries", &self.retries)
            .field("ignore_certs", &self.ignore_certs)
            .finish_non_exhaustive()
    }
}

impl Builder {
    pub(super) fn new() -> Builder {
        Builder {
            api_host: None,
            api_key: None,
            namespace: None,
            from_env: false,
            timeout: TIMEOUT,
            max_response_bytes: MOST_BYTES,
            retries: RETRIES,
            ignore_certs: false,
        }
    }

    /// The host of the API, as `openwhisk.example.com`; `https` is meant unless it says `http://`, as in
    /// `http://localhost:3233`.
    pub fn api_host(mut self, host: impl Into<String>) -> Builder {
        self.api_host = Some(host.into());
        self
    }

    /// The API key: `user:password`.
    pub fn api_key(mut self, key: impl Into<String>) -> Builder {
        self.api_key = Some(key.into());
        self
    }

    /// The namespace of actions whose names do not say one; by default `_`, that of whom the key belongs to.
    pub fn namespace(mut self, namespace: impl Into<String>) -> Builder {
        self.namespace = Some(namespace.into());
        self
    }

    /// How long a call may take, with all that is waited for; by default ten minutes. The deadline of a task counts too.
    pub fn timeout(mut self, timeout: Duration) -> Builder {
        self.timeout = timeout;
        self
    }

    /// The largest answer that is read; by default 16 MiB.
    pub fn max_response_bytes(mut self, bytes: usize) -> Builder {
        self.max_response_bytes = bytes;
        self
    }

    /// How often a call that certainly was not carried out is sent once more; by default 3 times.
    pub fn retries(mut self, retries: u32) -> Builder {
        self.retries = retries;
        self
    }

    /// Whether any certificate will do, as those that installations sign themselves. Whoever is between here and there can
    /// read the key then. The environment cannot turn this on.
    pub fn ignore_certs(mut self, ignore: bool) -> Builder {
        self.ignore_certs = ignore;
        self
    }

    /// Checks what was given. No connection is made yet.
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
            .map_err(|problem| ConfigError::new(format!("connections cannot be set up: {problem}")))?;
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

    /// The error that something was not given, with the places where it was looked for.
    fn missing(&self, what: &str, [action, shell, property]: &[&str; 3]) -> ConfigError {
        let mut text = format!("the API {what} is missing");
        if self.from_env {
            text.push_str(&format!(
                ": set `{shell}` (in an action, `{action}` is set), or `{property}` in `~/.wskprops`"
            ));
        }
        ConfigError::new(text)
    }
}

/// The address of the API of a host.
fn api(host: &str) -> Result<Url, ConfigError> {
    let with_scheme = if host.contains("://") { host.to_owned() } else { format!("https://{host}") };
    let wrong = |what: &str| ConfigError::new(format!("the API host cannot be used: {what}"));
    let url = Url::parse(&with_scheme).map_err(|error| wrong(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("only `https` and `http` are spoken"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("it has credentials in it; they belong into the API key"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("it goes on after its path"));
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
    fn what_is_wrong_is_told_without_the_key() {
        let builder = || Builder::new().api_host("http://127.0.0.1:1").api_key("user:hidden");
        let cases = [
            (Builder::new().api_key("user:hidden"), "the API host is missing"),
            (Builder::new().api_host("localhost"), "the API key is missing"),
            (builder().api_key("a:".repeat(10_000)), "the API key has 20000 bytes, and can have 16384 at the most"),
            (builder().api_key("hidden"), "the API key has to be of the form `user:password`"),
            (builder().api_host("ftp://localhost"), "only `https` and `http` are spoken"),
            (builder().api_host("https://user:hidden@localhost"), "they belong into the API key"),
            (builder().api_host("https://localhost?a=hidden"), "it goes on after its path"),
            (builder().api_host("https://local host"), "the API host cannot be used: "),
            (builder().namespace("a/b"), "the namespace has '/' in it, which is not allowed"),
        ];
        for (builder, problem) in cases {
            assert!(!format!("{builder:?}").contains("hidden"), "{builder:?}");
            let told = builder.build().unwrap_err().to_string();
            assert!(told.contains(problem) && !told.contains("hidden"), "{told}");
        }
        assert!(!format!("{:?}", builder().build().unwrap()).contains("hidden"));
    }
}
