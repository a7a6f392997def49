//! Regular expressions in filters (RFC 9535, sections 2.4.6 and 2.4.7; RFC 9485; Jayway's `=~`).

use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use regex::{Regex, RegexBuilder};

use crate::budget;
use crate::pattern_cost::{MAX_PATTERN, Positions};
use crate::value::Value;

/// The size limit of a compiled pattern, in bytes. A pattern can come from data.
const SIZE_LIMIT: usize = 1 << 20;

/// The syntax of a pattern, and the extent of the text that it has to match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Flavour {
    Match,
    Search,
    Jayway,
}

/// A compiled pattern.
struct Pattern {
    regex: Regex,
    positions: Positions,
}

impl Pattern {
    /// Returns `true` if the pattern matches. A match that takes too long exhausts the budget.
    fn is_match(&self, text: &str) -> bool {
        if self.positions.work(text.len()).is_none() {
            budget::exhaust("a regular expression is too large for the length of the text that it is matched against");
        }
        let matched = self.positions.within(text.len(), budget::spend, budget::look, || self.regex.is_match(text));
        matched.unwrap_or(false)
    }
}

/// Compiled patterns by their text. `None` marks a pattern that cannot be compiled.
type PatternCache = HashMap<(&'static str, Flavour), Option<Pattern>>;

/// The patterns of definitions, compiled on first use. Their number is bounded by the generated
/// code.
static KNOWN: LazyLock<RwLock<PatternCache>> = LazyLock::new(RwLock::default);

/// Implements `match(…)`: returns `true` if the pattern matches the whole string.
pub fn matches(value: Option<&Value>, pattern: &'static str) -> bool {
    matches_cached(value, pattern, Flavour::Match)
}

/// Implements `match(…)` with a pattern from the data. An invalid pattern matches nothing.
pub fn matches_value(value: Option<&Value>, pattern: Option<&Value>) -> bool {
    from_data(value, pattern, Flavour::Match)
}

/// Implements `search(…)`: returns `true` if the pattern matches a part of the string.
pub fn searches(value: Option<&Value>, pattern: &'static str) -> bool {
    matches_cached(value, pattern, Flavour::Search)
}

/// Implements `search(…)` with a pattern from the data. An invalid pattern matches nothing.
pub fn searches_value(value: Option<&Value>, pattern: Option<&Value>) -> bool {
    from_data(value, pattern, Flavour::Search)
}

/// Implements `=~`: returns `true` if the pattern matches the whole string.
pub fn jayway_matches(value: Option<&Value>, pattern: &'static str) -> bool {
    matches_cached(value, pattern, Flavour::Jayway)
}

/// Returns `true` if a pattern of the definition matches a whole text, or `None` if the pattern
/// cannot be compiled.
#[cfg(feature = "serverless-workflow")]
pub(crate) fn matches_whole(text: &str, pattern: &'static str) -> Option<bool> {
    is_match(text, pattern, Flavour::Jayway)
}

/// Returns `true` if a pattern from the data matches a whole text, or `None` if the pattern cannot
/// be compiled.
#[cfg(feature = "serverless-workflow")]
pub(crate) fn matches_whole_from_data(text: &str, pattern: &str) -> Option<bool> {
    budget::spend_text(text);
    compile_counted(pattern, Flavour::Jayway).map(|pattern| pattern.is_match(text))
}

fn matches_cached(value: Option<&Value>, pattern: &'static str, flavour: Flavour) -> bool {
    value.and_then(Value::as_str).and_then(|text| is_match(text, pattern, flavour)).unwrap_or(false)
}

fn is_match(text: &str, pattern: &'static str, flavour: Flavour) -> Option<bool> {
    if !budget::spend_text(text) {
        return None;
    }
    let key = (pattern, flavour);
    let read = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(result) = read.get(&key) {
        return result.as_ref().map(|pattern| pattern.is_match(text));
    }
    drop(read);
    let compiled = compile(pattern, flavour);
    let result = compiled.as_ref().map(|pattern| pattern.is_match(text));
    KNOWN.write().unwrap_or_else(PoisonError::into_inner).insert(key, compiled);
    result
}

fn from_data(value: Option<&Value>, pattern: Option<&Value>, flavour: Flavour) -> bool {
    let (Some(text), Some(pattern)) = (value.and_then(Value::as_str), pattern.and_then(Value::as_str)) else {
        return false;
    };
    budget::spend_text(text);
    compile_counted(pattern, flavour).is_some_and(|pattern| pattern.is_match(text))
}

/// Compiles a pattern from the data, which can be of any length. A compilation costs a thousand
/// units of work or more.
fn compile_counted(pattern: &str, flavour: Flavour) -> Option<Pattern> {
    (pattern.len() <= MAX_PATTERN && budget::spend(1_000 + pattern.len())).then(|| compile(pattern, flavour)).flatten()
}

fn compile(pattern: &str, flavour: Flavour) -> Option<Pattern> {
    let pattern = match flavour {
        Flavour::Match => format!(r"\A(?:{})\z", with_narrow_dots(pattern)),
        Flavour::Search => with_narrow_dots(pattern),
        Flavour::Jayway => format!(r"\A(?:{pattern})\z"),
    };
    let regex = RegexBuilder::new(&pattern).size_limit(SIZE_LIMIT).build().ok()?;
    Some(Pattern { regex, positions: Positions::of(&pattern) })
}

/// Rewrites each `.` to its meaning in RFC 9485, section 4: any character but `
/// ` and `\r`.
fn with_narrow_dots(pattern: &str) -> String {
    let mut written = String::with_capacity(pattern.len());
    let mut characters = pattern.chars();
    let mut in_class = false;
    while let Some(c) = characters.next() {
        match c {
            '\\' => {
                written.push(c);
                written.extend(characters.next());
                continue;
            }
            '[' => in_class = true,
            ']' => in_class = false,
            '.' if !in_class => {
                written.push_str(r"[^\n\r]");
                continue;
            }
            _ => {}
        }
        written.push(c);
    }
    written
}
