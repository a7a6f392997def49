//! Regular expressions as functions: a regular expression maps a text to its first match, which
//! has a function that returns the next match.

use super::convert;
use super::error::{JsonataError, Result};
use super::item::Item;
use super::letter_case::with_alike;
use super::reach::Reach;
use super::run::{Evaluation, JsonataFunction};
use crate::budget;
use crate::pattern_cost::Positions;
use crate::value::{Str, Value};
use regex::{Regex, RegexBuilder};
use std::ops::Range;
use std::rc::Rc;
use workflow_jsonata::{Pattern, translate};

/// The size limits of a compiled pattern, in bytes. The first one that suffices is used.
const SIZES: [usize; 2] = [64 << 10, 4 << 20];
/// The memory that a search keeps for a group at a position, in bytes.
const BOUNDS: usize = 32;
/// The number of bytes times positions that cost one step. The steps of an expression then end the
/// slowest searches after some 600 million visits, a second or two.
const VISITS: usize = 1 << 6;
/// The cost of compiling a pattern, in units of the budget of the turn.
const COMPILING: usize = 1_000;

/// A compiled regular expression.
pub(crate) struct CompiledRegex {
    regex: Regex,
    positions: Positions,
    reach: Reach,
    /// The size that it can have in memory, in bytes.
    size: usize,
}

/// A match, with its places in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Match {
    /// The place of the match.
    pub range: Range<usize>,
    /// The places of the groups. A group that did not take part has none.
    pub groups: Vec<Option<Range<usize>>>,
}

impl Match {
    /// Returns the number of bytes of the match and of its groups.
    pub(crate) fn text_len(&self) -> usize {
        self.range.len() + self.groups.iter().flatten().map(|group| group.len()).sum::<usize>()
    }
}

impl CompiledRegex {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// Fails if the pattern is invalid, too large, or has look-around or back-references.
    pub(crate) fn new(pattern: &Pattern) -> Result<CompiledRegex> {
        let alike = |first, last| with_alike(first, last).ranges().iter().map(|r| (r.start(), r.end())).collect();
        let translated = translate(pattern, &alike).map_err(|message| JsonataError::new("", message))?;
        let too_large =
            || JsonataError::new("", format!("Invalid regular expression: /{}/: it is too large", pattern.text));
        CompiledRegex::compile(&translated, false)?.ok_or_else(too_large)
    }

    /// Compiles a pattern in the syntax of the crate `regex`. Returns nothing if it is too large.
    /// No steps are counted: what a thread keeps must not change where an evaluation ends.
    ///
    /// # Errors
    /// Fails if the time of the turn is over.
    pub(crate) fn compile(pattern: &str, ignores_case: bool) -> Result<Option<CompiledRegex>> {
        if !budget::spend(COMPILING + pattern.len()) {
            return Err(JsonataError::steps());
        }
        let build = |size: usize| {
            let regex = RegexBuilder::new(pattern).case_insensitive(ignores_case).size_limit(size).build();
            regex.ok().map(|regex| (regex, size))
        };
        let Some((regex, size)) = SIZES.into_iter().find_map(build) else { return Ok(None) };
        let (positions, reach) = (Positions::of(pattern), Reach::of(pattern, ignores_case));
        // A pattern with too many positions is never searched for.
        let bounds = positions.work(BOUNDS).unwrap_or(0).saturating_mul(regex.captures_len());
        let size = size.saturating_add(bounds);
        Ok(Some(CompiledRegex { regex, positions, reach, size }))
    }

    /// Returns the size that the expression can have in memory, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Returns the number of positions of the pattern.
    ///
    /// # Errors
    /// Fails if there are too many for a search.
    pub(crate) fn positions(&self) -> Result<usize> {
        self.positions.work(1).ok_or_else(JsonataError::steps)
    }

    /// Finds the first match at or after a position, which is a byte at the border of a character.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    pub(crate) fn find_at(&self, run: &mut Evaluation, text: &str, from: usize) -> Result<Option<Match>> {
        let search = || self.regex.captures_at(text, from);
        let found = self.positions.within(text.len() - from, budget::spend, budget::look, search);
        let found = found.ok_or_else(JsonataError::steps)?.map(|captures| {
            let mut places = captures.iter().map(|group| group.map(|group| group.range()));
            let range = places.next().flatten().unwrap_or(from..from);
            Match { range, groups: places.collect() }
        });
        let end = found.as_ref().map_or(text.len(), |found| self.reach.end(text, found.range.start));
        let read = end.saturating_sub(from);
        let visits = self.positions.work(read).ok_or_else(JsonataError::steps)?;
        run.steps((read / budget::STRIDE + visits / VISITS) as u64)?;
        run.charge(1 + found.as_ref().map_or(0, |found| found.groups.len()))?;
        Ok(found)
    }
}

/// The function `next` of a match: it finds the match that follows in the same text.
#[derive(Clone)]
pub(crate) struct NextMatch {
    regex: Rc<CompiledRegex>,
    text: Str,
    /// Where the search begins, in bytes and in UTF-16 code units.
    from: usize,
    units: usize,
    /// `true` for the first match, which may be empty.
    is_first: bool,
}

impl NextMatch {
    /// Creates the search for the first match in a text.
    pub(crate) fn first(regex: Rc<CompiledRegex>, text: Str) -> NextMatch {
        NextMatch { regex, text, from: 0, units: 0, is_first: true }
    }

    /// Finds the match, with the position of its start in UTF-16 code units, and the search for
    /// the match after it.
    ///
    /// # Errors
    /// Fails with D1004 if a match after the first one is empty, and if a limit is exceeded.
    pub(crate) fn find(&self, run: &mut Evaluation) -> Result<Option<(Match, usize, NextMatch)>> {
        if !self.is_first && self.from >= self.text.len() {
            return Ok(None);
        }
        let Some(found) = self.regex.find_at(run, &self.text, self.from)? else { return Ok(None) };
        if !self.is_first && found.range.is_empty() {
            return Err(JsonataError::new("D1004", "Regular expression matches zero length string"));
        }
        let start = self.units + units(&self.text[self.from..found.range.start]);
        let next = NextMatch {
            from: found.range.end,
            units: start + units(&self.text[found.range.clone()]),
            is_first: false,
            ..self.clone()
        };
        Ok(Some((found, start, next)))
    }

    /// Returns the match as an object: `match`, `start`, `end`, `groups` and `next`.
    ///
    /// # Errors
    /// Fails as [`NextMatch::find`] does.
    pub(crate) fn call(&self, run: &mut Evaluation) -> Result<Option<Item>> {
        let Some((found, start, next)) = self.find(run)? else { return Ok(None) };
        let text = |range: &Range<usize>| Value::from(&self.text[range.clone()]);
        // A group that did not take part is null in an array.
        let groups: Value = found.groups.iter().map(|group| group.as_ref().map_or(Value::Null, text)).collect();
        run.charge_bytes(found.text_len())?;
        Ok(Some(convert::object(vec![
            (Str::from_static("match"), Item::Value(text(&found.range))),
            (Str::from_static("start"), Item::Value(start.into())),
            (Str::from_static("end"), Item::Value(next.units.into())),
            (Str::from_static("groups"), Item::Value(groups)),
            (Str::from_static("next"), Item::Function(Rc::new(JsonataFunction::NextMatch(next)))),
        ])))
    }
}

/// Returns the number of UTF-16 code units of a text.
fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}
