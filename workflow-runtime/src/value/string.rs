//! Strings that are cloned in constant time: constants of the program, or shared.

use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// A string that is cloned in constant time.
///
/// The text is either a constant of the program (without allocation and counting) or shared. The
/// difference cannot be observed.
///
/// ```
/// use workflow_runtime::{Str, Value};
///
/// const CURRENCY: Str = Str::from_static("EUR");
/// let shared = Str::from(format!("order {}", 7));
/// assert_eq!((CURRENCY.as_str(), &*shared), ("EUR", "order 7"));
/// assert_eq!(Value::from(shared.clone()).as_str(), Some("order 7"));
/// ```
#[derive(Clone)]
pub struct Str(Repr);

#[derive(Clone)]
enum Repr {
    Static(&'static str),
    Shared(Arc<str>),
}

impl Str {
    /// Creates a string from a constant of the program. Allocates nothing.
    pub const fn from_static(text: &'static str) -> Str {
        Str(Repr::Static(text))
    }

    /// Returns the text.
    #[inline]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Static(text) => text,
            Repr::Shared(text) => text,
        }
    }

    /// Returns the handle of the text, if it is shared.
    pub(super) fn shared(&self) -> Option<&Arc<str>> {
        match &self.0 {
            Repr::Static(_) => None,
            Repr::Shared(text) => Some(text),
        }
    }
}

impl Deref for Str {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Str {
    fn as_ref(&self) -> &str {
        self
    }
}

impl Borrow<str> for Str {
    fn borrow(&self) -> &str {
        self
    }
}

impl Default for Str {
    fn default() -> Str {
        Str::from_static("")
    }
}

/// Copies the text. For constants, prefer [`Str::from_static`].
impl From<&str> for Str {
    fn from(text: &str) -> Str {
        Str(Repr::Shared(text.into()))
    }
}

impl From<String> for Str {
    fn from(text: String) -> Str {
        Str(Repr::Shared(text.into()))
    }
}

impl From<&String> for Str {
    fn from(text: &String) -> Str {
        text.as_str().into()
    }
}

impl From<Cow<'_, str>> for Str {
    fn from(text: Cow<'_, str>) -> Str {
        Str(Repr::Shared(text.into()))
    }
}

impl From<Arc<str>> for Str {
    fn from(text: Arc<str>) -> Str {
        Str(Repr::Shared(text))
    }
}

impl From<&Str> for Str {
    fn from(text: &Str) -> Str {
        text.clone()
    }
}

impl From<Str> for String {
    fn from(text: Str) -> String {
        text.as_str().to_owned()
    }
}

impl PartialEq for Str {
    fn eq(&self, other: &Str) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Str {}

impl PartialEq<str> for Str {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Str {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialOrd for Str {
    fn partial_cmp(&self, other: &Str) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Str {
    fn cmp(&self, other: &Str) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Hash for Str {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Display for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}
