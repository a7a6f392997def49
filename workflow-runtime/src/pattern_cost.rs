//! The cost of a match of a regular expression, which cannot be interrupted.
//!
//! A match takes time in proportion to the length of the text and to the number of positions in
//! the pattern: the places that its characters, classes and empty parts take after repetitions are
//! written out. `[ab]{1000}` has a thousand of them. Patterns and texts can both come from data.

use regex_syntax::hir::{Hir, HirKind};

/// The largest product of bytes and positions of one match. Its match takes a few seconds.
const MAX_VISITS: usize = 1 << 27;
/// The product from which on a match makes the turn look at the clock.
const LONG: usize = 1 << 16;
/// The number of positions of a pattern that cannot be parsed here.
const UNKNOWN: usize = 1 << 15;

/// The number of positions in a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Positions(usize);

impl Positions {
    /// Counts the positions of a pattern.
    pub(crate) fn of(pattern: &str) -> Positions {
        Positions(regex_syntax::parse(pattern).map_or(UNKNOWN, |hir| {
            // A search copies the places of the groups along.
            count(&hir).saturating_mul(1 + hir.properties().explicit_captures_len() / 8)
        }))
    }

    /// Returns the positions of two patterns that are applied to one text.
    #[cfg(feature = "json-schema")]
    pub(crate) fn and(self, other: Positions) -> Positions {
        Positions(self.0.saturating_add(other.0))
    }

    /// Returns the work of a match in a text of this length, or `None` if it is too much.
    pub(crate) fn work(self, length: usize) -> Option<usize> {
        Some(self.0.saturating_mul(length)).filter(|visits| *visits <= MAX_VISITS)
    }

    /// Performs a match in a text of this length. Calls `look`, which returns whether there is time
    /// left, before and after a long match. Returns `None` if there is not enough time.
    pub(crate) fn within<T>(self, length: usize, look: impl Fn() -> bool, search: impl FnOnce() -> T) -> Option<T> {
        let is_long = self.work(length)? >= LONG;
        if is_long && !look() {
            return None;
        }
        let found = search();
        (!is_long || look()).then_some(found)
    }
}

fn count(part: &Hir) -> usize {
    let sum = |parts: &[Hir]| parts.iter().map(count).fold(parts.len(), usize::saturating_add);
    match part.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(_) => 1,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Repetition(repetition) => {
            let copies = repetition.max.unwrap_or(repetition.min.saturating_add(1));
            count(&repetition.sub).saturating_add(1).saturating_mul(copies as usize)
        }
        HirKind::Capture(capture) => count(&capture.sub).saturating_add(1),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => sum(parts),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn repetitions_are_written_out() {
        for (pattern, positions) in
            [("", 1), ("abc", 3), ("[a-z]", 1), ("a{10}", 20), ("(?:a?){1000}", 3000), ("a*", 2)]
        {
            assert_eq!(Positions::of(pattern), Positions(positions), "{pattern}");
        }
        assert!(Positions::of("(?:a{1000}){1000}").0 > 2_000_000);
        assert_eq!(Positions::of("("), Positions(UNKNOWN));
    }

    #[test]
    fn a_match_that_takes_too_long_is_not_begun() {
        let long = Positions::of("a{1000}");
        assert_eq!(long.within(1 << 10, || true, || 1), Some(1));
        assert_eq!(long.within(1 << 20, || true, || panic!("it is not begun")), None::<()>);
    }

    #[test]
    fn a_long_match_counts_its_time() {
        let looks = Cell::new(0);
        let look = || {
            looks.set(looks.get() + 1);
            looks.get() < 4
        };
        assert_eq!(Positions::of("a").within(10, look, || 1), Some(1));
        assert_eq!(looks.get(), 0, "a short match takes no time");
        assert_eq!(Positions::of("a{1000}").within(1 << 10, look, || 1), Some(1));
        assert_eq!(Positions::of("a{1000}").within(1 << 10, look, || 1), None, "the time ended meanwhile");
    }
}
