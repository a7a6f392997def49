//! Sharing of object keys while values are read: the objects of an array mostly have the same
//! keys.

use super::Str;

/// A cache of recent keys. Its size is fixed: hostile keys can make it useless, and not large or
/// slow.
pub(super) struct Keys {
    recent: Vec<Str>,
}

/// The number of slots, a power of two.
const SLOTS: usize = 64;

impl Keys {
    pub(super) const fn new() -> Keys {
        Keys { recent: Vec::new() }
    }

    /// Returns the text as a string, shared with an equal text that was read recently.
    pub(super) fn share(&mut self, text: &str) -> Str {
        if self.recent.is_empty() {
            self.recent.resize(SLOTS, Str::default());
        }
        let slot = &mut self.recent[slot(text)];
        if slot.as_str() != text {
            *slot = Str::from(text);
        }
        slot.clone()
    }
}

fn slot(text: &str) -> usize {
    let byte = |at: usize| text.as_bytes().get(at).map_or(0, |byte| usize::from(*byte));
    let last = text.len().saturating_sub(1);
    (text.len() + byte(0) * 3 + byte(last / 2) * 7 + byte(last) * 13) % SLOTS
}
