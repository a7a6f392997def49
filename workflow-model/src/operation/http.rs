//! HTTP requests that a definition states itself, without a document that describes them.

use crate::{Static, Storage};
use std::fmt;

/// An HTTP request whose address is in the definition. Its input is the whole request:
///
/// ```json
/// { "method": "POST", "url": "https://api.example.com/orders", "query": { "q": ["a", 7] }, "headers": { "Accept": "text/plain" }, "body": {} }
/// ```
///
/// `query`, `headers` and `body` are optional. Its output is `{"status": 200, "headers": {…},
/// "body": …}`.
///
/// See the example of [`Operation`](super::Operation).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Http<S: Storage = Static> {
    /// The method: `GET`.
    pub method: S::Text,
    /// The beginning of its address, as far as the definition determines it:
    /// `https://api.example.com/orders/`.
    pub start: S::Text,
    /// Set if the rest of the address is only known when the request is sent.
    pub goes_on: bool,
    /// Headers whose values only the program knows. They are not in the input.
    pub secrets: S::List<SecretHeader<S>>,
}

/// A header whose value is a secret of the program, or ends with one.
///
/// ```
/// use workflow_model::operation::SecretHeader;
///
/// /// `Authorization: Bearer …`, with the token that the program configures as `shop`.
/// const TOKEN: SecretHeader = SecretHeader::new("Authorization", "Bearer ", "shop");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretHeader<S: Storage = Static> {
    /// The name of the header: `Authorization`.
    pub header: S::Text,
    /// The text before the secret: `Bearer `.
    pub before: S::Text,
    /// The name that the secret is configured by.
    pub secret: S::Text,
}

impl Http {
    /// Creates a request with this address and without secrets, as generated code lists it.
    pub const fn new(method: &'static str, start: &'static str) -> Http {
        Http { method, start, goes_on: false, secrets: &[] }
    }

    /// Marks the address as incomplete: its rest is only known when the request is sent.
    pub const fn goes_on(mut self) -> Http {
        self.goes_on = true;
        self
    }

    /// Sets the headers whose values only the program knows.
    pub const fn secrets(mut self, secrets: &'static [SecretHeader]) -> Http {
        self.secrets = secrets;
        self
    }
}

impl SecretHeader {
    /// Creates a header with a secret after a text.
    pub const fn new(header: &'static str, before: &'static str, secret: &'static str) -> SecretHeader {
        SecretHeader { header, before, secret }
    }
}

impl<S: Storage> Http<S> {
    /// Returns the host of the address without its port, or `None` if the host depends on a
    /// run-time value.
    pub fn host(&self) -> Option<&str> {
        let (scheme, rest) = self.start.trim_start().split_once("://")?;
        let end = rest.find(['/', '?', '#', '\\']);
        let is_known = scheme.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"));
        let authority = &rest[..end.or((!self.goes_on).then_some(rest.len())).filter(|_| is_known)?];
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let port = host.rfind(':').filter(|at| host[at + 1..].bytes().all(|byte| byte.is_ascii_digit()));
        Some(&host[..port.unwrap_or(host.len())]).filter(|host| !host.is_empty())
    }
}

/// `GET https://api.example.com/orders/…`
impl<S: Storage> fmt::Display for Http<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Http { method, start, goes_on, secrets: _ } = self;
        write!(f, "{method} {start}{}", if *goes_on { "…" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn http(start: &'static str, goes_on: bool) -> Http {
        Http { goes_on, ..Http::new("GET", start) }
    }

    #[test]
    fn a_constant_host_is_returned() {
        for (start, goes_on, host) in [
            ("https://api.example.com/orders/", true, Some("api.example.com")),
            ("HTTPS://api.example.com:8443?id=", true, Some("api.example.com")),
            ("https://api.example.com", false, Some("api.example.com")),
            ("http://[::1]:80/", false, Some("[::1]")),
            ("http://[::1]/", false, Some("[::1]")),
            ("https://me@api.example.com/", false, Some("api.example.com")),
            ("https://api.exa", true, None),
            ("https://", true, None),
            ("https:///a", false, None),
            ("ftp://api.example.com/", false, None),
            ("", true, None),
        ] {
            assert_eq!(http(start, goes_on).host(), host, "{start}");
        }
    }
}
