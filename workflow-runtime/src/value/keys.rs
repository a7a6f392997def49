//! Sharing the keys of objects while values are read: the objects of an array mostly have the same ones.

use super::Str;

/// The keys seen last. A table of fixed size: hostile keys can make it useless, never large or slow.
pub(super) struct Keys {
    recent: Vec<Str>,
}

/// A power of two.
const SLOTS: usize = 64;

impl Keys {
    pub(super) const fn new() -> Keys {
        Keys { recent: Vec::new() }
    }

    /// The text as a string, shared with an equal one read shortly before.
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
