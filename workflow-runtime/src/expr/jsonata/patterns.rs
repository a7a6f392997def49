//! Regular expressions of an expression: compiled once for a thread, and called as functions.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use workflow_jsonata::Pattern;

use super::error::Result;
use super::item::Item;
use super::regex::{CompiledRegex, NextMatch};
use super::run::Evaluation;
use super::text;

/// The size of all compiled patterns that a thread keeps in one list, in bytes.
const KEPT: usize = 32 << 20;

thread_local! {
    /// The compiled patterns. The pattern is that of the tree, whose address is in use as long as
    /// it is here.
    static COMPILED: RefCell<KeptPatterns<Arc<Pattern>>> = const { RefCell::new(KeptPatterns::new()) };
}

/// The compiled patterns that a thread keeps, the oldest one first.
pub(super) struct KeptPatterns<K> {
    kept: VecDeque<(K, Rc<CompiledRegex>)>,
    /// The size of all of them, in bytes.
    size: usize,
}

impl<K> KeptPatterns<K> {
    /// Creates an empty list.
    pub(super) const fn new() -> KeptPatterns<K> {
        KeptPatterns { kept: VecDeque::new(), size: 0 }
    }

    /// Returns the pattern whose key fits.
    pub(super) fn find(&self, fits: impl Fn(&K) -> bool) -> Option<Rc<CompiledRegex>> {
        self.kept.iter().find(|(key, _)| fits(key)).map(|(_, regex)| Rc::clone(regex))
    }

    /// Adds a pattern, and forgets the oldest ones if all are too large.
    pub(super) fn add(&mut self, key: K, regex: &Rc<CompiledRegex>) {
        self.size += regex.size();
        self.kept.push_back((key, Rc::clone(regex)));
        while self.size > KEPT
            && let Some((_, oldest)) = self.kept.pop_front()
        {
            self.size -= oldest.size();
        }
    }
}

impl Evaluation<'_> {
    /// Returns a compiled pattern.
    pub(super) fn regex(&mut self, pattern: &Arc<Pattern>) -> Result<Rc<CompiledRegex>> {
        if let Some(regex) = COMPILED.with_borrow(|compiled| compiled.find(|kept| Arc::ptr_eq(kept, pattern))) {
            return Ok(regex);
        }
        let regex = Rc::new(CompiledRegex::new(pattern)?);
        COMPILED.with_borrow_mut(|compiled| compiled.add(Arc::clone(pattern), &regex));
        Ok(regex)
    }

    /// Calls a regular expression: returns the first match in a text, as an object.
    pub(super) fn first_match(
        &mut self,
        regex: &Rc<CompiledRegex>,
        value: Option<&Option<Item>>,
    ) -> Result<Option<Item>> {
        let Some(Some(value)) = value else { return Ok(None) };
        let text = text::string(self, value, false)?;
        NextMatch::first(Rc::clone(regex), text).call(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_what_is_kept_is_bounded() {
        let compiled = |text: &str| {
            Rc::new(CompiledRegex::compile(text, false).ok().flatten().expect("the pattern is not too large"))
        };
        let (small, large) = (compiled("a"), compiled("[^x]{4000}"));
        assert!(small.size() < 1 << 20 && large.size() > 4 << 20);
        let mut kept = KeptPatterns::new();
        for key in 0..100 {
            kept.add(key, if key < 50 { &small } else { &large });
            assert!(kept.size <= KEPT);
            assert!(kept.find(|other| *other == key).is_some());
        }
        assert!(kept.find(|other| *other < 90).is_none());
    }

    #[test]
    fn nothing_is_compiled_after_the_end_of_the_turn() {
        let (regex, _) = crate::budget::run(std::time::Duration::MAX, std::time::Duration::ZERO, || {
            (0..10).find_map(|_| CompiledRegex::compile("a", false).err())
        });
        assert!(regex.is_some());
    }
}
