//! Errors of a connector's configuration.

use std::fmt;

/// Largest secret in bytes. Servers accept no larger headers, and the search for secrets in texts
/// needs a bound.
pub(crate) const MAX_SECRET: usize = 16 << 10;

/// Refuses a secret that is too large.
pub(crate) fn check_secret(what: impl fmt::Display, secret: &str) -> Result<(), ConfigError> {
    match secret.trim().len() {
        0..=MAX_SECRET => Ok(()),
        bytes => Err(ConfigError(format!("{what} has {bytes} bytes; the maximum is {MAX_SECRET}"))),
    }
}

/// Reason why a connector cannot be set up. The text contains no secrets.
///
/// ```
/// # #[cfg(feature = "events")] {
/// use workflow_connectors::HttpSink;
///
/// let error = HttpSink::new("ftp://broker.example.com").unwrap_err();
/// println!("the sink cannot be set up: {error}");
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError(String);

impl ConfigError {
    pub(crate) fn new(text: impl Into<String>) -> ConfigError {
        ConfigError(text.into())
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}
