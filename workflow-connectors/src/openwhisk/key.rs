//! API key, which is never shown.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reqwest::header::HeaderValue;

/// Replacement of the key in texts.
const HIDDEN: &str = "…";

/// API key: `user:password`.
#[derive(Clone)]
pub(super) struct Key {
    text: String,
    header: HeaderValue,
}

impl Key {
    /// Reads a key. The error does not contain it.
    pub(super) fn parse(text: &str) -> Result<Key, &'static str> {
        let text = text.trim();
        let parts = text.split_once(':').filter(|(user, password)| !user.is_empty() && !password.is_empty());
        parts.ok_or("the API key must have the form `user:password`")?;
        let mut header = HeaderValue::try_from(format!("Basic {}", BASE64_STANDARD.encode(text)))
            .map_err(|_| "the API key contains characters that are not allowed in a header")?;
        header.set_sensitive(true);
        Ok(Key { text: text.to_owned(), header })
    }

    /// Returns the value of the header `Authorization`.
    pub(super) fn header(&self) -> HeaderValue {
        self.header.clone()
    }

    /// Removes the key from a text.
    pub(super) fn redact(&self, text: &str) -> String {
        let password = self.text.split_once(':').map_or("", |(_, password)| password);
        let encoded = BASE64_STANDARD.encode(&self.text);
        let secrets = [&self.text, &encoded, password];
        secrets.iter().fold(text.to_owned(), |text, secret| text.replace(*secret, HIDDEN))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_sent_and_not_shown() {
        let key = Key::parse(" 23bc:123zO3 \n").unwrap();
        assert_eq!(key.header().to_str().unwrap(), "Basic MjNiYzoxMjN6TzM=");
        assert_eq!(format!("{key:?} {:?}", key.header()), "… Sensitive");
        assert_eq!(key.redact("23bc:123zO3, 123zO3 or Basic MjNiYzoxMjN6TzM="), "…, … or Basic …");
        for text in ["", "secret", "secret:", ":secret"] {
            assert!(!Key::parse(text).unwrap_err().contains("secret"));
        }
    }
}
