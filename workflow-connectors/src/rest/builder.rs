//! Builder of the REST connector: services, credentials and limits.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};

use super::credentials::Secret;
use super::{ConfigError, Rest};
use crate::config::check_secret;
use crate::{http, ssrf};

/// Default limit of a request, longer than most services take.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Default limit of a response in bytes.
const MAX_BYTES: usize = 8 << 20;

/// Builder of a [`Rest`].
///
/// See the example of [`Rest`].
#[derive(Clone, Debug)]
pub struct RestBuilder {
    services: BTreeMap<String, (String, RestService)>,
    timeout: Duration,
    max_response_bytes: usize,
}

/// Service: its address, credentials and headers.
///
/// See the example of [`Rest`].
#[derive(Clone)]
pub struct RestService {
    url: String,
    credentials: BTreeMap<String, Secret>,
    headers: Vec<(String, String)>,
    allow_link_local: bool,
}

/// Checked service.
pub(super) struct ReadyService {
    pub client: Client,
    /// Address without a trailing slash.
    pub base: String,
    pub url: Url,
    /// Credentials, by folded scheme name.
    pub credentials: BTreeMap<String, Secret>,
    pub headers: HeaderMap,
    /// Values of `headers`.
    pub secrets: Vec<Secret>,
}

/// Folds a name for comparison, as environment variables write it.
pub(super) fn folded(name: &str) -> String {
    name.chars().flat_map(char::to_uppercase).map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

impl RestService {
    /// Returns a service at this address, which precedes the paths of its document:
    /// `https://bank.example.com/v1`.
    pub fn new(url: impl Into<String>) -> RestService {
        RestService { url: url.into(), credentials: BTreeMap::new(), headers: Vec::new(), allow_link_local: false }
    }

    /// Sets the credentials for a security scheme of the document: a token, `user:password`, or a
    /// key.
    pub fn credentials(mut self, scheme: &str, secret: impl Into<String>) -> RestService {
        self.credentials.insert(folded(scheme), Secret::new(secret.into()));
        self
    }

    /// Adds a header to every request, for example for a gateway. Its value is kept secret.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> RestService {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets whether the service may have a link-local or other metadata address.
    pub fn allow_link_local(mut self, allow: bool) -> RestService {
        self.allow_link_local = allow;
        self
    }

    fn ready(self, name: &str) -> Result<ReadyService, ConfigError> {
        let wrong = |what: &str| ConfigError::new(format!("invalid address of the service `{name}`: {what}"));
        let url = Url::parse(self.url.trim()).map_err(|error| wrong(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong("the scheme must be `https` or `http`"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong("it contains credentials, which must be set for a security scheme"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("it has a query or a fragment"));
        }
        if !self.allow_link_local && ssrf::is_metadata_host(url.host_str().unwrap_or_default()) {
            return Err(wrong("it is a link-local or metadata address, which must be allowed explicitly"));
        }
        for (scheme, secret) in &self.credentials {
            check_secret(format_args!("the secret `{scheme}` of the service `{name}`"), secret.text())?;
        }
        for (header, value) in &self.headers {
            let header = header.escape_debug();
            check_secret(format_args!("the header `{header}` of the service `{name}`"), value)?;
        }
        let client = if self.allow_link_local { http::client(&url, false) } else { http::guarded_client(&url) };
        let client = client.map_err(|problem| {
            ConfigError::new(format!("cannot set up connections to the service `{name}`: {problem}"))
        })?;
        let mut headers = HeaderMap::new();
        for (header, value) in &self.headers {
            let pair = HeaderName::try_from(header).ok().zip(HeaderValue::try_from(value).ok());
            let (header, mut value) = pair.ok_or_else(|| {
                ConfigError::new(format!("a header of the service `{name}` contains characters that are not allowed"))
            })?;
            value.set_sensitive(true);
            headers.append(header, value);
        }
        let base = url.as_str().trim_end_matches('/').to_owned();
        let secrets = self.headers.into_iter().map(|(_, value)| Secret::new(value)).collect();
        Ok(ReadyService { client, base, url, credentials: self.credentials, headers, secrets })
    }
}

impl RestBuilder {
    pub(super) fn new() -> RestBuilder {
        RestBuilder { services: BTreeMap::new(), timeout: TIMEOUT, max_response_bytes: MAX_BYTES }
    }

    /// Adds a service, by the name of its document. Replaces one of the same name.
    pub fn service(mut self, name: &str, service: RestService) -> RestBuilder {
        self.services.insert(folded(name), (name.to_owned(), service));
        self
    }

    /// Limits the time of a request; by default a minute. The deadline of a task applies as well.
    pub fn timeout(mut self, timeout: Duration) -> RestBuilder {
        self.timeout = timeout;
        self
    }

    /// Limits the size of responses; by default 8 MiB.
    pub fn max_response_bytes(mut self, bytes: usize) -> RestBuilder {
        self.max_response_bytes = bytes;
        self
    }

    /// Checks the configuration. Makes no connection yet.
    pub fn build(self) -> Result<Rest, ConfigError> {
        let ready = self.services.into_iter().map(|(key, (name, service))| Ok((key, service.ready(&name)?)));
        let services = Arc::new(ready.collect::<Result<_, ConfigError>>()?);
        Ok(Rest { services, timeout: self.timeout, max_response_bytes: self.max_response_bytes })
    }
}

/// Omits the address, which is not checked yet and may contain a password.
impl fmt::Debug for RestService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("RestService")
            .field("credentials", &self.credentials)
            .field("headers", &headers)
            .field("allow_link_local", &self.allow_link_local)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for ReadyService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadyService")
            .field("url", &self.base)
            .field("credentials", &self.credentials)
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_have_a_largest_size() {
        let large = "x".repeat((16 << 10) + 1);
        let build = |service: RestService| Rest::builder().service("bank", service).build().map(drop);
        let service = || RestService::new("https://bank.example.com");
        assert_eq!(build(service().credentials("token", &large[1..])), Ok(()));
        for (service, what) in [
            (service().credentials("token", &large), "the secret `TOKEN`"),
            (service().header("X-Gate", &large), "the header `X-Gate`"),
        ] {
            let message = build(service).unwrap_err().to_string();
            assert_eq!(message, format!("{what} of the service `bank` has 16385 bytes; the maximum is 16384"));
        }
    }

    #[test]
    fn addresses_are_checked_and_credentials_not_shown() {
        let service = |url: &str| RestService::new(url).credentials("token", "hidden").header("X-Gate", "hidden");
        for (service, problem) in [
            (service("bank.example.com"), "invalid address of the service `bank`: "),
            (service("ftp://bank.example.com"), "the scheme must be `https` or `http`"),
            (service("https://user:hidden@bank.example.com"), "which must be set for a security scheme"),
            (service("https://bank.example.com?key=hidden"), "it has a query or a fragment"),
            (service("http://169.254.169.254/latest"), "which must be allowed explicitly"),
            (service("http://2852039166/"), "which must be allowed explicitly"),
            (service("http://[::ffff:169.254.169.254]/"), "which must be allowed explicitly"),
            (service("http://[fd00:ec2::254]"), "which must be allowed explicitly"),
            (service("http://0/"), "which must be allowed explicitly"),
            (service("https://bank.example.com").header("a b", "c"), "a header of the service `bank`"),
        ] {
            let builder = Rest::builder().service("bank", service);
            assert!(!format!("{builder:?}").contains("hidden"), "{builder:?}");
            let message = builder.build().unwrap_err().to_string();
            assert!(message.contains(problem) && !message.contains("hidden"), "{message}");
        }
        let rest = Rest::builder().service("bank", service("http://127.0.0.1:1/v1/")).build().unwrap();
        let shown = format!("{rest:?}");
        assert!(shown.contains("http://127.0.0.1:1/v1") && !shown.contains("hidden"), "{shown}");
        assert!(rest.service("BANK").is_some() && rest.service("bunk").is_none());
        let allowed = service("http://169.254.169.254").allow_link_local(true);
        assert!(Rest::builder().service("bank", allowed).build().is_ok());
    }
}
