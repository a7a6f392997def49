//! Requests of HTTP that a definition writes out, without a document that describes them.

use std::fmt;

/// A request of HTTP whose address stands in the definition. All that is sent is in its input:
///
/// ```json
/// { "method": "POST", "url": "https://api.example.com/orders", "query": { "q": ["a", 7] }, "headers": { "Accept": "text/plain" }, "body": {} }
/// ```
///
/// `query`, `headers` and `body` need not be there. What it yields is `{"status": 200, "headers": {…}, "body": …}`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Http {
    /// The method: `GET`.
    pub method: &'static str,
    /// What its address begins with, as far as the definition tells: `https://api.example.com/orders/`.
    pub start: &'static str,
    /// Whether the address goes on with what is known when it is sent.
    pub goes_on: bool,
    /// Headers whose values only the program knows. They are not in the input.
    pub secrets: &'static [SecretHeader],
}

/// A header that is a secret of the program's, or has one at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SecretHeader {
    /// The name of the header: `Authorization`.
    pub header: &'static str,
    /// What stands before the secret: `Bearer `.
    pub before: &'static str,
    /// What the secret is configured by.
    pub secret: &'static str,
}

impl Http {
    /// A request with this address and without secrets, as generated code lists it.
    pub const fn new(method: &'static str, start: &'static str) -> Http {
        Http { method, start, goes_on: false, secrets: &[] }
    }

    /// Makes it one whose address goes on.
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
    /// A header with a secret behind a text.
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
