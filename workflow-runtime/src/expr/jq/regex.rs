//! `match`, and the functions that are based on it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use regex::{Captures, Regex, RegexBuilder};

use super::number::count;
use super::pattern::{self, PatternError};
use super::{Error, Out, Result, add, budget, index, type_error};
use crate::pattern_cost::{MAX_PATTERN, Positions};
use crate::value::{Object, Str, Value, object};

/// The size limit of a compiled pattern, in bytes. A pattern can come from data.
const SIZE_LIMIT: usize = 4 << 20;
/// The number of compiled patterns that a thread caches.
const KEPT: usize = 64;
/// The cost of compiling a pattern, in steps.
const COMPILING: u64 = 1_000;

/// The flags after a pattern.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Flags {
    global: bool,
    ignore_case: bool,
    extended: bool,
    /// `.` matches a line feed, too.
    any: bool,
    /// Empty matches are ignored.
    not_empty: bool,
}

struct Pattern {
    regex: Regex,
    positions: Positions,
    names: Vec<Option<Str>>,
    ends: bool,
}

type Key = (Str, Flags);

thread_local! {
    /// The cache of compiled patterns. It is cleared when it is full.
    static CACHE: RefCell<HashMap<Key, Rc<Pattern>>> = RefCell::default();
}

fn flags_of(flags: &Value) -> Result<Flags> {
    let mut read = Flags::default();
    let letters = match flags {
        Value::Null => return Ok(read),
        Value::String(letters) => letters,
        _ => return Err(type_error(flags, "is not a string")),
    };
    budget::charge(letters.len())?;
    for letter in letters.chars() {
        match letter {
            'g' => read.global = true,
            'i' => read.ignore_case = true,
            'x' => read.extended = true,
            'm' | 'p' => read.any = true,
            // The Perl syntax implies this flag.
            's' => {}
            'n' => read.not_empty = true,
            'l' => return Err(unsupported("the flag `l`, the longest match")),
            _ => return Err(Error::message(format!("{letters} is not a valid modifier string"))),
        }
    }
    Ok(read)
}

#[cold]
fn unsupported(what: &str) -> Error {
    Error::message(format!("Regex failure: {what} is not supported"))
}

fn pattern_of(pattern: &Str, flags: Flags) -> Result<Rc<Pattern>> {
    let key = (pattern.clone(), Flags { global: false, not_empty: false, ..flags });
    if let Some(compiled) = CACHE.with_borrow(|cache| cache.get(&key).cloned()) {
        return Ok(compiled);
    }
    budget::steps(COMPILING + pattern.len() as u64)?;
    let compiled = Rc::new(compile(pattern, flags)?);
    CACHE.with_borrow_mut(|cache| {
        if cache.len() >= KEPT {
            cache.clear();
        }
        cache.insert(key, Rc::clone(&compiled));
    });
    Ok(compiled)
}

fn compile(pattern: &str, flags: Flags) -> Result<Pattern> {
    if pattern.len() > MAX_PATTERN {
        return Err(Error::message("Regex failure: the pattern is too large"));
    }
    // The message of an error contains the pattern.
    budget::charge(pattern.len())?;
    let written = pattern::write(pattern, flags.extended).map_err(|error| match error {
        PatternError::Invalid(text) => Error::message(format!("Regex failure: {text}")),
        PatternError::Unsupported(what) => unsupported(what),
    })?;
    let mut builder = RegexBuilder::new(&written.pattern);
    builder.case_insensitive(flags.ignore_case).dot_matches_new_line(flags.any).size_limit(SIZE_LIMIT);
    let regex = builder.build().map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => Error::message("Regex failure: the pattern is too large"),
        error => Error::message(format!("Regex failure: {error}")),
    })?;
    let names = written.names.into_iter().map(|name| name.map(Str::from)).collect();
    let positions = Positions::of(&written.pattern);
    // The end of the text may be in two places.
    let positions = if written.ends { positions.twice() } else { positions };
    Ok(Pattern { regex, positions, names, ends: written.ends })
}

impl Pattern {
    /// Finds the first match at or after a position.
    fn find<'t>(&self, text: &'t str, from: usize) -> Result<Option<Captures<'t>>> {
        budget::search(self.positions, text.len() - from, || self.find_uncounted(text, from))
    }

    fn find_uncounted<'t>(&self, text: &'t str, from: usize) -> Option<Captures<'t>> {
        let anywhere = self.regex.captures_at(text, from);
        let before_end = match text.strip_suffix('\n') {
            // The end of the text may be before a final line feed.
            Some(line) if self.ends && from <= line.len() => self.regex.captures_at(line, from),
            _ => return anywhere,
        };
        let place = |captures: &Captures| captures.get(0).map(|all| (all.start(), std::cmp::Reverse(all.end())));
        match (anywhere, before_end) {
            (Some(anywhere), Some(before_end)) if place(&anywhere) <= place(&before_end) => Some(anywhere),
            (anywhere, None) => anywhere,
            (_, before_end) => before_end,
        }
    }

    /// Returns `true` if the pattern matches the empty text between arbitrary characters. jq
    /// continues by bytes after an empty match, and so also finds such a match inside a character.
    fn matches_nothing(&self) -> bool {
        const NEITHER: &str = "\u{10ffff}\u{10ffff}";
        self.regex.find_at(NEITHER, 4).is_some_and(|found| found.range() == (4..4))
    }
}

/// A match, with its position in bytes.
struct Match {
    start: usize,
    end: usize,
    value: Value,
}

/// Returns all matches, or the first match if the flags do not ask for all.
fn matches(value: &Value, pattern: &Value, flags: &Value) -> Result<Vec<Match>> {
    let Value::String(text) = value else {
        return Err(type_error(value, "cannot be matched, as it is not a string"));
    };
    let Value::String(pattern) = pattern else { return Err(type_error(pattern, "is not a string")) };
    let flags = flags_of(flags)?;
    let pattern = pattern_of(pattern, flags)?;
    let mut all = Vec::new();
    let mut places = Places { text, byte: 0, characters: 0 };
    let mut from = 0;
    while from <= text.len() {
        let captures = pattern.find(text, from)?;
        let place = captures.as_ref().and_then(|captures| captures.get(0)).map(|all| all.range());
        budget::charge(place.as_ref().map_or(text.len(), |place| place.end) - from + budget::ELEMENT)?;
        let (Some(captures), Some(place)) = (captures, place) else { break };
        let after = text[place.end..].chars().next().map_or(1, char::len_utf8);
        let is_empty = place.is_empty();
        if is_empty && flags.not_empty {
            from = place.end + after;
            continue;
        }
        from = if is_empty { place.end + after } else { place.end };
        let value = match_value(&pattern, &captures, &mut places)?;
        all.push(Match { start: place.start, end: place.end, value: value.clone() });
        if !flags.global {
            break;
        }
        if is_empty && after > 1 && pattern.matches_nothing() {
            // An empty match inside a character has the position after the character.
            let inside = places.count_to(place.end + after);
            for _ in 1..after {
                let mut value = value.clone();
                if let Some(members) = value.as_object_mut() {
                    members.insert("offset", count(inside));
                }
                let at = place.end + after;
                all.push(Match { start: at, end: at, value });
            }
        }
    }
    Ok(all)
}

/// Converter of ascending byte positions to character positions.
struct Places<'a> {
    text: &'a str,
    byte: usize,
    characters: usize,
}

impl Places<'_> {
    fn count_to(&mut self, byte: usize) -> usize {
        if byte < self.byte {
            (self.byte, self.characters) = (0, 0);
        }
        self.characters += self.text[self.byte..byte].chars().count();
        self.byte = byte;
        self.characters
    }
}

fn match_value(pattern: &Pattern, groups: &Captures, places: &mut Places) -> Result<Value> {
    let mut captures = Vec::with_capacity(pattern.names.len());
    let Some(all) = groups.get(0) else { return Ok(Value::Null) };
    let offset = places.count_to(all.start());
    budget::charge_elements(4 + 5 * pattern.names.len())?;
    budget::charge(all.len() * (1 + pattern.names.len()))?;
    for (at, name) in pattern.names.iter().enumerate() {
        let name = ("name", name.clone().map_or(Value::Null, Value::String));
        captures.push(match groups.get(at + 1) {
            None => object([("offset", Value::Int(-1)), ("string", Value::Null), ("length", Value::Int(0)), name]),
            Some(part) => {
                let place = ("offset", count(offset + places.text[all.start()..part.start()].chars().count()));
                let length = ("length", count(part.as_str().chars().count()));
                let string = ("string", part.as_str().into());
                // The members are in jq's order.
                if part.is_empty() {
                    object([place, string, length, name])
                } else {
                    object([place, length, string, name])
                }
            }
        });
    }
    Ok(object([
        ("offset", count(offset)),
        ("length", count(all.as_str().chars().count())),
        ("string", all.as_str().into()),
        ("captures", captures.into()),
    ]))
}

/// Splits the argument of functions with one argument: a pattern, or an array of a pattern and
/// flags.
pub fn pattern_and_flags(argument: &Value) -> Result<(Value, Value)> {
    match argument {
        Value::String(_) => Ok((argument.clone(), Value::Null)),
        Value::Array(parts) if !parts.is_empty() => Ok((parts[0].clone(), parts.get(1).cloned().unwrap_or_default())),
        _ => Err(Error::message(format!("{} not a string or array", argument.kind()))),
    }
}

/// Implements `match(pattern; flags)`.
pub fn match_with(value: &Value, pattern: &Value, flags: &Value, out: Out) -> Result<()> {
    matches(value, pattern, flags)?.into_iter().try_for_each(|matched| out(matched.value))
}

/// Implements `match(argument)`.
pub fn match_(value: &Value, argument: &Value, out: Out) -> Result<()> {
    let (pattern, flags) = pattern_and_flags(argument)?;
    match_with(value, &pattern, &flags, out)
}

/// Implements `test(pattern; flags)`.
pub fn test_with(value: &Value, pattern: &Value, flags: &Value) -> Result<bool> {
    let Value::String(text) = value else {
        return Err(type_error(value, "cannot be matched, as it is not a string"));
    };
    let Value::String(pattern) = pattern else { return Err(type_error(pattern, "is not a string")) };
    let flags = flags_of(flags)?;
    let compiled = pattern_of(pattern, flags)?;
    budget::charge(text.len())?;
    if flags.not_empty {
        return matches(value, &Value::String(pattern.clone()), &"n".into()).map(|all| !all.is_empty());
    }
    let ends = || compiled.ends && text.strip_suffix('\n').is_some_and(|line| compiled.regex.is_match(line));
    budget::search(compiled.positions, text.len(), || compiled.regex.is_match(text) || ends())
}

/// Implements `test(argument)`.
pub fn test(value: &Value, argument: &Value) -> Result<bool> {
    let (pattern, flags) = pattern_and_flags(argument)?;
    test_with(value, &pattern, &flags)
}

/// Returns the named groups of a match, as an object of their texts.
fn captured(matched: &Value) -> Value {
    let mut groups = Object::new();
    let captures = matched.get("captures").and_then(Value::as_array);
    budget::walk(captures.map_or(0, |captures| captures.len()));
    for capture in captures.into_iter().flat_map(|captures| captures.iter()) {
        if let Some(Value::String(name)) = capture.get("name") {
            groups.insert(name, capture.get("string").cloned().unwrap_or_default());
        }
    }
    groups.into()
}

/// Implements `capture(pattern; flags)`.
pub fn capture_with(value: &Value, pattern: &Value, flags: &Value, out: Out) -> Result<()> {
    matches(value, pattern, flags)?.iter().try_for_each(|matched| out(captured(&matched.value)))
}

/// Implements `capture(argument)`.
pub fn capture(value: &Value, argument: &Value, out: Out) -> Result<()> {
    let (pattern, flags) = pattern_and_flags(argument)?;
    capture_with(value, &pattern, &flags, out)
}

/// Implements `scan(pattern; flags)`.
pub fn scan_with(value: &Value, pattern: &Value, flags: &Value, out: Out) -> Result<()> {
    let flags = add("g".into(), flags)?;
    matches(value, pattern, &flags)?.into_iter().try_for_each(|matched| {
        let captures = matched.value.get("captures").and_then(Value::as_array);
        match captures {
            Some(captures) if !captures.is_empty() => {
                out(captures.iter().map(|capture| capture.get("string").cloned().unwrap_or_default()).collect())
            }
            _ => out(index(&matched.value, &"string".into())?),
        }
    })
}

/// Implements `scan(pattern)`.
pub fn scan(value: &Value, pattern: &Value, out: Out) -> Result<()> {
    scan_with(value, pattern, &Value::Null, out)
}

/// Implements `splits(pattern; flags)`.
pub fn splits_with(value: &Value, pattern: &Value, flags: &Value, out: Out) -> Result<()> {
    let flags = add(flags.clone(), &"g".into())?;
    let all = matches(value, pattern, &flags)?;
    let text = value.as_str().unwrap_or_default();
    let mut from = 0;
    for matched in &all {
        out(part(text, from, matched.start)?)?;
        from = matched.end;
    }
    out(part(text, from, text.len())?)
}

fn part(text: &str, from: usize, to: usize) -> Result<Value> {
    let part = text.get(from..to).unwrap_or_default();
    budget::charge(part.len())?;
    Ok(Value::from(part))
}

/// Implements `splits(pattern)`.
pub fn splits(value: &Value, pattern: &Value, out: Out) -> Result<()> {
    splits_with(value, pattern, &Value::Null, out)
}

/// Implements `split(pattern; flags)`.
pub fn split_with(value: &Value, pattern: &Value, flags: &Value) -> Result<Value> {
    let mut parts: Vec<Value> = Vec::new();
    splits_with(value, pattern, flags, &mut |part| {
        budget::charge_elements(1)?;
        parts.push(part);
        Ok(())
    })?;
    Ok(Value::from(parts))
}

/// Implements `sub(pattern; replacement; flags)` for a replacement with one output, whose input is
/// the object of the named groups.
pub fn sub_with(
    value: &Value,
    pattern: &Value,
    flags: &Value,
    mut replacement: impl FnMut(Value) -> Result<Value>,
) -> Result<Value> {
    let mut text = Value::Null;
    sub_many(value, pattern, flags, &mut |groups, out| out(replacement(groups)?), &mut |output| {
        text = output;
        Ok(())
    })?;
    Ok(text)
}

/// Implements `gsub(pattern; replacement; flags)` like [`sub_with`].
pub fn gsub_with(
    value: &Value,
    pattern: &Value,
    flags: &Value,
    replacement: impl FnMut(Value) -> Result<Value>,
) -> Result<Value> {
    sub_with(value, pattern, &add(flags.clone(), &"g".into())?, replacement)
}

/// Implements `sub(pattern; replacement; flags)`: yields one text for each output of the
/// replacement.
pub fn sub_many(value: &Value, pattern: &Value, flags: &Value, replacement: super::Many, out: Out) -> Result<()> {
    let all = matches(value, pattern, flags)?;
    let text = value.as_str().unwrap_or_default();
    // The text of each output. An output that occurs first at a later match lacks the text before
    // it.
    let mut texts: Vec<String> = Vec::new();
    let mut from = 0;
    for matched in &all {
        let gap = text.get(from..matched.start).unwrap_or_default();
        let mut inserts: Vec<Value> = Vec::new();
        replacement(captured(&matched.value), &mut |insert| {
            budget::charge_elements(1)?;
            inserts.push(insert);
            Ok(())
        })?;
        for (at, insert) in inserts.iter().enumerate() {
            if texts.len() <= at {
                texts.push(String::new());
            }
            let Value::String(insert) = insert else {
                // Null adds nothing, and any other value cannot be added.
                add(Value::from(gap), insert)?;
                budget::charge(gap.len())?;
                texts[at].push_str(gap);
                continue;
            };
            budget::charge(gap.len() + insert.len())?;
            texts[at].push_str(gap);
            texts[at].push_str(insert);
        }
        from = matched.end;
    }
    if texts.is_empty() {
        return out(value.clone());
    }
    let rest = text.get(from..).unwrap_or_default();
    texts.into_iter().try_for_each(|mut text| {
        budget::charge(rest.len())?;
        text.push_str(rest);
        out(text.into())
    })
}

/// Returns the parts of `sub` for a caller that applies the replacement itself: for each match the
/// text before it and its named groups, and the text after the last match.
#[cfg(feature = "jq-engine")]
pub(super) fn edits(value: &Value, pattern: &Value, flags: &Value) -> Result<Value> {
    let text = value.as_str().unwrap_or_default();
    let mut from = 0;
    let mut edits: Vec<Value> = Vec::new();
    for matched in matches(value, pattern, flags)? {
        edits.push(vec![part(text, from, matched.start)?, captured(&matched.value)].into());
        from = matched.end;
    }
    let rest = part(text, from, text.len())?;
    Ok(vec![edits.into(), rest].into())
}
