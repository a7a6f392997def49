//! Regular expressions in filters (RFC 9535 §2.4.6 and §2.4.7, RFC 9485; Jayway's `=~`).

use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use regex::{Regex, RegexBuilder};

use crate::budget;
use crate::value::Value;

/// The largest compiled pattern, in bytes. A pattern can come from data.
const SIZE_LIMIT: usize = 1 << 20;

/// What a pattern is written in, and how much of the text it is to match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Flavour {
    Match,
    Search,
    Jayway,
}

/// Patterns by their text; [`None`] for one that cannot be compiled.
type Known = HashMap<(&'static str, Flavour), Option<Regex>>;

/// Patterns of definitions, compiled when they are first used. There are as many as generated code names.
static KNOWN: LazyLock<RwLock<Known>> = LazyLock::new(RwLock::default);

/// `match(…)`: whether the pattern matches the whole string.
pub fn matches(value: Option<&Value>, pattern: &'static str) -> bool {
    known(value, pattern, Flavour::Match)
}

/// `match(…)` with a pattern from the data; one that cannot be read matches nothing.
pub fn matches_value(value: Option<&Value>, pattern: Option<&Value>) -> bool {
    from_data(value, pattern, Flavour::Match)
}

/// `search(…)`: whether the pattern matches a part of the string.
pub fn searches(value: Option<&Value>, pattern: &'static str) -> bool {
    known(value, pattern, Flavour::Search)
}

/// `search(…)` with a pattern from the data; one that cannot be read matches nothing.
pub fn searches_value(value: Option<&Value>, pattern: Option<&Value>) -> bool {
    from_data(value, pattern, Flavour::Search)
}

/// `=~`: whether the pattern matches the whole string.
pub fn jayway_matches(value: Option<&Value>, pattern: &'static str) -> bool {
    known(value, pattern, Flavour::Jayway)
}

/// Whether a pattern of the definition matches a whole text; nothing of one that cannot be compiled.
#[cfg(feature = "serverless-workflow")]
pub(crate) fn matches_whole(text: &str, pattern: &'static str) -> Option<bool> {
    is_match(text, pattern, Flavour::Jayway)
}

/// Whether a pattern from the data matches a whole text; nothing of one that cannot be compiled.
#[cfg(feature = "serverless-workflow")]
pub(crate) fn matches_whole_from_data(text: &str, pattern: &str) -> Option<bool> {
    budget::spend_text(text);
    compile_counted(pattern, Flavour::Jayway).map(|regex| regex.is_match(text))
}

fn known(value: Option<&Value>, pattern: &'static str, flavour: Flavour) -> bool {
    value.and_then(Value::as_str).and_then(|text| is_match(text, pattern, flavour)).unwrap_or(false)
}

fn is_match(text: &str, pattern: &'static str, flavour: Flavour) -> Option<bool> {
    if !budget::spend_text(text) {
        return None;
    }
    let key = (pattern, flavour);
    let read = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = read.get(&key) {
        return found.as_ref().map(|regex| regex.is_match(text));
    }
    drop(read);
    let regex = compile(pattern, flavour);
    let found = regex.as_ref().map(|regex| regex.is_match(text));
    KNOWN.write().unwrap_or_else(PoisonError::into_inner).insert(key, regex);
    found
}

fn from_data(value: Option<&Value>, pattern: Option<&Value>, flavour: Flavour) -> bool {
    let (Some(text), Some(pattern)) = (value.and_then(Value::as_str), pattern.and_then(Value::as_str)) else {
        return false;
    };
    budget::spend_text(text);
    compile_counted(pattern, flavour).is_some_and(|regex| regex.is_match(text))
}

/// A pattern from the data, which can be of any length, and whose compilation takes a thousand units of work and more.
fn compile_counted(pattern: &str, flavour: Flavour) -> Option<Regex> {
    if budget::spend(1_000 + pattern.len()) { compile(pattern, flavour) } else { None }
}

fn compile(pattern: &str, flavour: Flavour) -> Option<Regex> {
    let pattern = match flavour {
        Flavour::Match => format!(r"\A(?:{})\z", with_narrow_dots(pattern)),
        Flavour::Search => with_narrow_dots(pattern),
        Flavour::Jayway => format!(r"\A(?:{pattern})\z"),
    };
    RegexBuilder::new(&pattern).size_limit(SIZE_LIMIT).build().ok()
}

/// The pattern with each `.` written as what it means in RFC 9485 §4: any character but `\n` and `\r`.
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
