//! HTTP requests that a definition writes out.

use std::fmt;

/// An HTTP request whose address the definition contains. Its input is `{"method", "url", "query",
/// "headers", "body"}`; secrets are not part of the input. Its result is `{"status", "headers",
/// "body"}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Http {
    /// The method, in capitals.
    pub method: String,
    /// The constant start of the address.
    pub start: String,
    /// `true` if a value computed at run time follows `start` in the address.
    pub goes_on: bool,
    /// Headers whose values only the program has. The input does not contain them.
    pub secrets: Vec<SecretHeader>,
}

/// A header whose value is a secret of the program, or ends with one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretHeader {
    /// The name of the header.
    pub header: String,
    /// The constant text before the secret, such as `Bearer `.
    pub before: String,
    /// The name by which the program configures the secret.
    pub secret: String,
}

impl Http {
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

impl fmt::Display for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Http { method, start, goes_on, secrets } = self;
        write!(f, "{method} {start}{}", if *goes_on { "…" } else { "" })?;
        secrets.iter().try_for_each(|SecretHeader { header, before, secret }| {
            write!(f, "; Header {header:?} of {before:?} and the secret {secret:?}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn http(start: &str, goes_on: bool) -> Http {
        Http { method: "GET".to_owned(), start: start.to_owned(), goes_on, secrets: Vec::new() }
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

    #[test]
    fn everything_that_distinguishes_requests_is_printed() {
        let secret = SecretHeader { header: "X-Key".to_owned(), before: "Key ".to_owned(), secret: "key".to_owned() };
        let with = Http { secrets: vec![secret], ..http("https://a.example/", true) };
        assert_eq!(with.to_string(), "GET https://a.example/…; Header \"X-Key\" of \"Key \" and the secret \"key\"");
        assert_eq!(http("https://a.example/", false).to_string(), "GET https://a.example/");
    }
}
