//! What keeps a connector from being set up.

use std::fmt;

/// The most bytes of a secret. Servers take no larger headers, and what is searched for a secret is kept for that long.
pub(crate) const MOST_SECRET: usize = 16 << 10;

/// Refuses a secret that is too large.
pub(crate) fn check_secret(what: impl fmt::Display, secret: &str) -> Result<(), ConfigError> {
    match secret.trim().len() {
        0..=MOST_SECRET => Ok(()),
        bytes => Err(ConfigError(format!("{what} has {bytes} bytes, and can have {MOST_SECRET} at the most"))),
    }
}

/// Why a connector cannot be set up with what was given. No secrets are told.
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
