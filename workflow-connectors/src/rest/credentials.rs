//! Credentials, which are never shown.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reqwest::header::HeaderValue;
use workflow_runtime::Value;
use workflow_runtime::operation::SchemeKind;

/// Replacement of a secret in texts.
const HIDDEN: &str = "…";

/// Least length in bytes of a word of a secret that is removed on its own.
const LEAST_WORD: usize = 4;

/// Credentials of a security scheme.
#[derive(Clone)]
pub(super) struct Secret(String);

impl Secret {
    pub fn new(text: String) -> Secret {
        Secret(text.trim().to_owned())
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    /// Returns the value of `Authorization`, for schemes that use it.
    pub fn authorization(&self, kind: SchemeKind) -> Option<Result<HeaderValue, &'static str>> {
        let value = match kind {
            SchemeKind::Basic if !self.0.contains(':') => return Some(Err("must have the form `user:password`")),
            SchemeKind::Basic => format!("Basic {}", BASE64_STANDARD.encode(&self.0)),
            SchemeKind::Bearer => format!("Bearer {}", self.0),
            SchemeKind::ApiKey(..) | SchemeKind::Other(_) => return None,
        };
        Some(sensitive(&value).ok_or("contain characters that are not allowed in a header"))
    }

    /// Removes the secret from a text.
    pub fn redact(&self, text: &str) -> String {
        without(text, &self.forms())
    }

    /// Returns the length of the longest form of the secret.
    pub fn longest(&self) -> usize {
        self.forms().first().map_or(0, String::len)
    }

    /// Returns the texts that reveal the secret, longest first.
    pub fn forms(&self) -> Vec<String> {
        let password = self.0.split_once(':').map_or("", |(_, password)| password);
        let json = Value::from(self.0.as_str()).to_string();
        let mut forms = vec![
            self.0.clone(),
            BASE64_STANDARD.encode(&self.0),
            super::style::encoded(&self.0, false),
            json.trim_matches('"').to_owned(),
            password.to_owned(),
        ];
        // A header can start with a word for its kind. Short words occur in any text.
        forms.extend(self.0.split_whitespace().skip(1).filter(|word| word.len() >= LEAST_WORD).map(str::to_owned));
        forms.retain(|form| !form.is_empty());
        forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        forms
    }
}

/// Removes these forms of secrets from a text.
pub(super) fn without(text: &str, forms: &[String]) -> String {
    forms.iter().fold(text.to_owned(), |text, form| match text.contains(form.as_str()) {
        true => text.replace(form, HIDDEN),
        false => text,
    })
}

/// Returns a header value that is marked as sensitive.
pub(super) fn sensitive(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::try_from(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_sent_and_not_shown() {
        let secret = Secret::new(" me:pass word \n".to_owned());
        let header = |kind| secret.authorization(kind).map(|value| value.unwrap().to_str().unwrap().to_owned());
        assert_eq!(header(SchemeKind::Basic).as_deref(), Some("Basic bWU6cGFzcyB3b3Jk"));
        assert_eq!(header(SchemeKind::Bearer).as_deref(), Some("Bearer me:pass word"));
        assert_eq!(header(SchemeKind::Other("digest")), None);
        assert_eq!(format!("{secret:?} {:?}", secret.authorization(SchemeKind::Basic)), "… Some(Ok(Sensitive))");
        assert_eq!(secret.redact("me:pass word, pass word, bWU6cGFzcyB3b3Jk, me%3Apass%20word"), "…, …, …, …");
        assert_eq!(Secret::new("a\"b".to_owned()).redact(r#"{"sent": "a\"b"}"#), r#"{"sent": "…"}"#);
        let header = Secret::new("Bearer of abcd".to_owned());
        assert_eq!(header.redact("Bearer of abcd, one of abcd"), "…, one of …");
        assert_eq!(secret.longest(), "me%3Apass%20word".len());
        assert!(Secret::new("x".to_owned()).authorization(SchemeKind::Basic).unwrap().is_err());
        assert!(Secret::new("a\nb".to_owned()).authorization(SchemeKind::Bearer).unwrap().is_err());
    }
}
