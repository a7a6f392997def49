//! HTTP requests that a definition states itself, without a document that describes them.

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
#[non_exhaustive]
pub struct Http {
    /// The method: `GET`.
    pub method: &'static str,
    /// The beginning of its address, as far as the definition determines it:
    /// `https://api.example.com/orders/`.
    pub start: &'static str,
    /// Set if the rest of the address is only known when the request is sent.
    pub goes_on: bool,
    /// Headers whose values only the program knows. They are not in the input.
    pub secrets: &'static [SecretHeader],
}

/// A header whose value is a secret of the program, or ends with one.
///
/// ```
/// use workflow_runtime::operation::SecretHeader;
///
/// /// `Authorization: Bearer …`, with the token that the program configures as `shop`.
/// const TOKEN: SecretHeader = SecretHeader::new("Authorization", "Bearer ", "shop");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SecretHeader {
    /// The name of the header: `Authorization`.
    pub header: &'static str,
    /// The text before the secret: `Bearer `.
    pub before: &'static str,
    /// The name that the secret is configured by.
    pub secret: &'static str,
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

/// `GET https://api.example.com/orders/…`
impl fmt::Display for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", self.method, self.start, if self.goes_on { "…" } else { "" })
    }
}
