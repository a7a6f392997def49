//! The cost of a match of a regular expression, which cannot be interrupted.
//!
//! A match takes time in proportion to the length of the text times the number of positions in
//! the pattern. A position is a byte of a literal, a class, an assertion or an operator.
//! Repetitions count once for each copy: `[ab]{1000}` has 2,000. Patterns and texts can both come
//! from data.

use regex_syntax::hir::{Hir, HirKind};

#[cfg(feature = "regex")]
use crate::budget;

/// The maximum length of a pattern, in bytes. Parsing and case folding take up to a millisecond
/// for a few bytes, and have no limit of their own.
#[cfg(feature = "regex")]
pub(crate) const MAX_PATTERN: usize = 8 << 10;
#[cfg(feature = "asl")]
const _: () = assert!(MAX_PATTERN == workflow_jsonata::MAX_PATTERN, "all languages have one limit");
/// The maximum product of bytes and positions of one match. Such a match takes a few seconds.
const MAX_VISITS: usize = 1 << 27;
/// The maximum product of positions and groups. A search keeps the bounds of each group for each
/// position, in 16 bytes.
const MAX_BOUNDS: usize = 1 << 20;
/// The smallest product for which a match looks at the clock.
#[cfg(feature = "regex")]
const LONG: usize = 1 << 16;
/// The number of positions of a pattern that is refused.
const TOO_MANY: usize = usize::MAX;

/// The number of positions in a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Positions(usize);

impl Positions {
    /// Counts the positions of a pattern. A pattern that cannot be parsed, or whose search takes
    /// too much memory, has so many that no text may be matched.
    pub(crate) fn of(pattern: &str) -> Positions {
        let Ok(hir) = regex_syntax::parse(pattern) else { return Positions(TOO_MANY) };
        let (positions, groups) = (count(&hir), hir.properties().explicit_captures_len());
        match positions.saturating_mul(groups + 1) > MAX_BOUNDS {
            true => Positions(TOO_MANY),
            // For each position, a search copies the bounds of all groups.
            false => Positions(positions * (1 + groups / 8)),
        }
    }

    /// Returns the positions of a pattern that is searched for twice.
    #[cfg(feature = "jq")]
    pub(crate) fn twice(self) -> Positions {
        Positions(self.0.saturating_mul(2))
    }

    /// Returns the work of a match in a text of this length, or `None` if it is too much.
    pub(crate) fn work(self, length: usize) -> Option<usize> {
        Some(self.0.saturating_mul(length)).filter(|visits| *visits <= MAX_VISITS)
    }

    /// Performs a match in a text of this length. `spend` counts units of work, and `look` looks
    /// at the clock; both return `false` if no time is left. Returns `None` if the time does not
    /// suffice.
    #[cfg(feature = "regex")]
    pub(crate) fn within<T>(
        self,
        length: usize,
        spend: impl Fn(usize) -> bool,
        look: impl Fn() -> bool,
        search: impl FnOnce() -> T,
    ) -> Option<T> {
        let work = self.work(length)?;
        if !spend(work / budget::STRIDE) || (work >= LONG && !look()) {
            return None;
        }
        let found = search();
        (work < LONG || look()).then_some(found)
    }
}

/// Counts the positions of a part.
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

#[cfg(all(test, feature = "regex"))]
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
        for pattern in ["(?:a{1000}){1000}", "(", &format!("(?:a?){{40000}}{}", "()".repeat(512))] {
            assert_eq!(Positions::of(pattern), Positions(TOO_MANY), "{pattern}");
        }
    }

    #[test]
    fn a_match_that_takes_too_long_is_not_begun() {
        let long = Positions::of("a{1000}");
        let always = |_| true;
        assert_eq!(long.within(1 << 10, always, || true, || 1), Some(1));
        assert_eq!(long.within(1 << 20, always, || true, || panic!("it is not begun")), None::<()>);
        assert_eq!(Positions::of("(").within(0, always, || true, || 1), Some(1));
        assert_eq!(Positions::of("(").within(1, always, || true, || 1), None);
    }

    #[test]
    fn a_match_counts_its_work_and_a_long_one_its_time() {
        let (spent, looks) = (Cell::new(0), Cell::new(0));
        let spend = |units| {
            spent.set(spent.get() + units);
            true
        };
        let look = || {
            looks.set(looks.get() + 1);
            looks.get() < 4
        };
        assert_eq!(Positions::of("a").within(640, spend, look, || 1), Some(1));
        assert_eq!((spent.get(), looks.get()), (10, 0));
        assert_eq!(Positions::of("a{1000}").within(1 << 10, spend, look, || 1), Some(1));
        assert_eq!(Positions::of("a{1000}").within(1 << 10, spend, look, || 1), None, "the time ended meanwhile");
    }
}
