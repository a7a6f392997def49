//! The pointer to the items within a JSON document (RFC 6901).

use std::fmt;

/// A pointer to the items.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Pointer {
    text: String,
    segments: Vec<String>,
}

impl Pointer {
    /// Reads a pointer.
    ///
    /// # Errors
    /// The text does not start with a slash. The message is AWS's.
    pub(crate) fn parse(text: &str) -> Result<Pointer, String> {
        let segments = match text.strip_prefix('/') {
            None if text.is_empty() => Vec::new(),
            None => return Err(format!("Invalid input: JSON Pointer expression must start with '/': \"{text}\"")),
            Some(rest) => rest.split('/').map(|part| part.replace("~1", "/").replace("~0", "~")).collect(),
        };
        Ok(Pointer { text: text.to_owned(), segments })
    }

    /// Returns a segment: the name of a member, or the index of an element.
    pub(crate) fn segment(&self, at: usize) -> Option<&str> {
        self.segments.get(at).map(String::as_str)
    }

    /// Returns `true` if it points to the whole document.
    pub(crate) fn is_root(&self) -> bool {
        self.segments.is_empty()
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns the index that a segment is. It has no leading zeros.
pub(crate) fn index_of(segment: &str) -> Option<u64> {
    let plain = segment.bytes().all(|byte| byte.is_ascii_digit()) && (segment == "0" || !segment.starts_with('0'));
    plain.then(|| segment.parse().ok()).flatten()
}
