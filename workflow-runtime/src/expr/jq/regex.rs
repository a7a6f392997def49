//! `match` and the functions that are made of it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use regex::{Captures, Regex, RegexBuilder};

use super::number::count;
use super::pattern::{self, Flaw};
use super::{Error, Out, Result, add, budget, index, type_error};
use crate::value::{Object, Str, Value, object};

/// The largest compiled pattern, in bytes. A pattern can come from data.
const SIZE_LIMIT: usize = 4 << 20;
/// How many compiled patterns a thread keeps.
const KEPT: usize = 64;
/// What compiling a pattern counts, in steps.
const COMPILING: u64 = 1_000;

/// What the letters behind a pattern ask for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Flags {
    global: bool,
    ignore_case: bool,
    extended: bool,
    /// `.` matches a line feed, too.
    any: bool,
    /// Empty matches do not count.
    not_empty: bool,
}

struct Pattern {
    regex: Regex,
    names: Vec<Option<Str>>,
    ends: bool,
}

type Key = (Str, Flags);

thread_local! {
    /// Patterns that were compiled. When there are too many, all are forgotten.
    static KNOWN: RefCell<HashMap<Key, Rc<Pattern>>> = RefCell::default();
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
            // The Perl syntax has it anyway.
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
    if let Some(known) = KNOWN.with_borrow(|known| known.get(&key).cloned()) {
        return Ok(known);
    }
    budget::steps(COMPILING + pattern.len() as u64)?;
    let compiled = Rc::new(compile(pattern, flags)?);
    KNOWN.with_borrow_mut(|known| {
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert(key, Rc::clone(&compiled));
    });
    Ok(compiled)
}

fn compile(pattern: &str, flags: Flags) -> Result<Pattern> {
    // An error has the pattern in it.
    budget::charge(pattern.len())?;
    let written = pattern::write(pattern, flags.extended).map_err(|flaw| match flaw {
        Flaw::Invalid(text) => Error::message(format!("Regex failure: {text}")),
        Flaw::Unsupported(what) => unsupported(what),
    })?;
    let mut builder = RegexBuilder::new(&written.pattern);
    builder.case_insensitive(flags.ignore_case).dot_matches_new_line(flags.any).size_limit(SIZE_LIMIT);
    let regex = builder.build().map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => Error::message("Regex failure: the pattern is too large"),
        error => Error::message(format!("Regex failure: {error}")),
    })?;
    let names = written.names.into_iter().map(|name| name.map(Str::from)).collect();
    Ok(Pattern { regex, names, ends: written.ends })
}

impl Pattern {
    /// The first match from a place on.
    fn find<'t>(&self, text: &'t str, from: usize) -> Option<Captures<'t>> {
        let found = self.regex.captures_at(text, from);
        let before_end = match text.strip_suffix('\n') {
            // The end may be asked for before the line feed there.
            Some(line) if self.ends && from <= line.len() => self.regex.captures_at(line, from),
            _ => return found,
        };
        let place = |found: &Captures| found.get(0).map(|all| (all.start(), std::cmp::Reverse(all.end())));
        match (found, before_end) {
            (Some(found), Some(before_end)) if place(&found) <= place(&before_end) => Some(found),
            (found, None) => found,
            (_, before_end) => before_end,
        }
    }

    /// Whether nothing matches in the middle of what matches nothing: jq goes on by bytes after an empty match.
    fn matches_nothing(&self) -> bool {
        const NEITHER: &str = "\u{10ffff}\u{10ffff}";
        self.regex.find_at(NEITHER, 4).is_some_and(|found| found.range() == (4..4))
    }
}

/// A match, with its place in bytes.
struct Found {
    start: usize,
    end: usize,
    value: Value,
}

/// All matches, or the first one if the flags do not ask for all.
fn matches(value: &Value, pattern: &Value, flags: &Value) -> Result<Vec<Found>> {
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
        let found = pattern.find(text, from);
        let place = found.as_ref().and_then(|found| found.get(0)).map(|all| all.range());
        budget::charge(place.as_ref().map_or(text.len(), |place| place.end) - from + budget::ELEMENT)?;
        let (Some(found), Some(place)) = (found, place) else { break };
        let after = text[place.end..].chars().next().map_or(1, char::len_utf8);
        let is_empty = place.is_empty();
        if is_empty && flags.not_empty {
            from = place.end + after;
            continue;
        }
        from = if is_empty { place.end + after } else { place.end };
        let value = match_value(&pattern, &found, &mut places)?;
        all.push(Found { start: place.start, end: place.end, value: value.clone() });
        if !flags.global {
            break;
        }
        if is_empty && after > 1 && pattern.matches_nothing() {
            // In characters these lie behind the one that they are in.
            let inside = places.count_to(place.end + after);
            for _ in 1..after {
                let mut value = value.clone();
                if let Some(members) = value.as_object_mut() {
                    members.insert("offset", count(inside));
                }
                let at = place.end + after;
                all.push(Found { start: at, end: at, value });
            }
        }
    }
    Ok(all)
}

/// Places in a text, counted in characters, one behind the other.
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

fn match_value(pattern: &Pattern, found: &Captures, places: &mut Places) -> Result<Value> {
    let mut captures = Vec::with_capacity(pattern.names.len());
    let Some(all) = found.get(0) else { return Ok(Value::Null) };
    let offset = places.count_to(all.start());
    budget::charge_elements(4 + 5 * pattern.names.len())?;
    budget::charge(all.len() * (1 + pattern.names.len()))?;
    for (at, name) in pattern.names.iter().enumerate() {
        let name = ("name", name.clone().map_or(Value::Null, Value::String));
        captures.push(match found.get(at + 1) {
            None => object([("offset", Value::Int(-1)), ("string", Value::Null), ("length", Value::Int(0)), name]),
            Some(part) => {
                let place = ("offset", count(offset + places.text[all.start()..part.start()].chars().count()));
                let length = ("length", count(part.as_str().chars().count()));
                let string = ("string", part.as_str().into());
                // In the order that jq has them.
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

/// What functions with one argument are given: a pattern, or an array of a pattern and flags.
pub fn pattern_and_flags(argument: &Value) -> Result<(Value, Value)> {
    match argument {
        Value::String(_) => Ok((argument.clone(), Value::Null)),
        Value::Array(parts) if !parts.is_empty() => Ok((parts[0].clone(), parts.get(1).cloned().unwrap_or_default())),
        _ => Err(Error::message(format!("{} not a string or array", argument.kind()))),
    }
}

/// `match(pattern; flags)`
pub fn match_with(value: &Value, pattern: &Value, flags: &Value, out: Out) -> Result<()> {
    matches(value, pattern, flags)?.into_iter().try_for_each(|found| out(found.value))
}

/// `match(argument)`
pub fn match_(value: &Value, argument: &Value, out: Out) -> Result<()> {
    let (pattern, flags) = pattern_and_flags(argument)?;
    match_with(value, &pattern, &flags, out)
}

/// `test(pattern; flags)`
pub fn test_with(value: &Value, pattern: &Value, flags: &Value) -> Result<bool> {
    let Value::String(text) = value else {
        return Err(type_error(value, "cannot be matched, as it is not a string"));
    };
    let Value::String(pattern) = pattern else { return Err(type_error(pattern, "is not a string")) };
    let flags = flags_of(flags)?;
    let compiled = pattern_of(pattern, flags)?;
    budget::charge(text.len())?;
    if flags.not_empty {
        return matches(value, &Value::String(pattern.clone()), &"n".into()).map(|found| !found.is_empty());
    }
    let ends = || compiled.ends && text.strip_suffix('\n').is_some_and(|line| compiled.regex.is_match(line));
    Ok(compiled.regex.is_match(text) || ends())
}

/// `test(argument)`
pub fn test(value: &Value, argument: &Value) -> Result<bool> {
    let (pattern, flags) = pattern_and_flags(argument)?;
    test_with(value, &pattern, &flags)
}

/// The named groups of a match, as an object of their texts.
fn captured(found: &Value) -> Value {
    let mut groups = Object::new();
    let captures = found.get("captures").and_then(Value::as_array);
    budget::walk(captures.map_or(0, |captures| captures.len()));
    for capture in captures.into_iter().flat_map(|captures| captures.iter()) {
        if let Some(Value::String(name)) = capture.get("name") {
            groups.insert(name, capture.get("string").cloned().unwrap_or_default());
        }
    }
    groups.into()
}

/// `capture(pattern; flags)`
pub fn capture_with(value: &Value, pattern: &Value, flags: &Value, out: Out) -> Result<()> {
    matches(value, pattern, flags)?.iter().try_for_each(|found| out(captured(&found.value)))
}

/// `capture(argument)`
pub fn capture(value: &Value, argument: &Value, out: Out) -> Result<()> {
    let (pattern, flags) = pattern_and_flags(argument)?;
    capture_with(value, &pattern, &flags, out)
}

/// `scan(pattern; flags)`
pub fn scan_with(value: &Value, pattern: &Value, flags: &Value, out: Out) -> Result<()> {
    let flags = add("g".into(), flags)?;
    matches(value, pattern, &flags)?.into_iter().try_for_each(|found| {
        let captures = found.value.get("captures").and_then(Value::as_array);
        match captures {
            Some(captures) if !captures.is_empty() => {
                out(captures.iter().map(|capture| capture.get("string").cloned().unwrap_or_default()).collect())
            }
            _ => out(index(&found.value, &"string".into())?),
        }
    })
}

/// `scan(pattern)`
pub fn scan(value: &Value, pattern: &Value, out: Out) -> Result<()> {
    scan_with(value, pattern, &Value::Null, out)
}

/// `splits(pattern; flags)`
pub fn splits_with(value: &Value, pattern: &Value, flags: &Value, out: Out) -> Result<()> {
    let flags = add(flags.clone(), &"g".into())?;
    let found = matches(value, pattern, &flags)?;
    let text = value.as_str().unwrap_or_default();
    let mut from = 0;
    for found in &found {
        out(part(text, from, found.start)?)?;
        from = found.end;
    }
    out(part(text, from, text.len())?)
}

fn part(text: &str, from: usize, to: usize) -> Result<Value> {
    let part = text.get(from..to).unwrap_or_default();
    budget::charge(part.len())?;
    Ok(Value::from(part))
}

/// `splits(pattern)`
pub fn splits(value: &Value, pattern: &Value, out: Out) -> Result<()> {
    splits_with(value, pattern, &Value::Null, out)
}

/// `split(pattern; flags)`
pub fn split_with(value: &Value, pattern: &Value, flags: &Value) -> Result<Value> {
    let mut parts: Vec<Value> = Vec::new();
    splits_with(value, pattern, flags, &mut |part| {
        budget::charge_elements(1)?;
        parts.push(part);
        Ok(())
    })?;
    Ok(Value::from(parts))
}

/// `sub(pattern; replacement; flags)`, of a replacement with one output, which is given the named groups.
pub fn sub_with(
    value: &Value,
    pattern: &Value,
    flags: &Value,
    mut replacement: impl FnMut(Value) -> Result<Value>,
) -> Result<Value> {
    let mut text = Value::Null;
    sub_many(value, pattern, flags, &mut |groups, out| out(replacement(groups)?), &mut |made| {
        text = made;
        Ok(())
    })?;
    Ok(text)
}

/// `gsub(pattern; replacement; flags)`, as [`sub_with`].
pub fn gsub_with(
    value: &Value,
    pattern: &Value,
    flags: &Value,
    replacement: impl FnMut(Value) -> Result<Value>,
) -> Result<Value> {
    sub_with(value, pattern, &add(flags.clone(), &"g".into())?, replacement)
}

/// `sub(pattern; replacement; flags)`: one text for each output of the replacement.
pub fn sub_many(value: &Value, pattern: &Value, flags: &Value, replacement: super::Many, out: Out) -> Result<()> {
    let found = matches(value, pattern, flags)?;
    let text = value.as_str().unwrap_or_default();
    // One for each output; what an output has not yet been there for is missing.
    let mut made: Vec<String> = Vec::new();
    let mut from = 0;
    for found in &found {
        let gap = text.get(from..found.start).unwrap_or_default();
        let mut inserts: Vec<Value> = Vec::new();
        replacement(captured(&found.value), &mut |insert| {
            budget::charge_elements(1)?;
            inserts.push(insert);
            Ok(())
        })?;
        for (at, insert) in inserts.iter().enumerate() {
            if made.len() <= at {
                made.push(String::new());
            }
            let Value::String(insert) = insert else {
                // Null adds nothing, and anything else cannot be added.
                add(Value::from(gap), insert)?;
                budget::charge(gap.len())?;
                made[at].push_str(gap);
                continue;
            };
            budget::charge(gap.len() + insert.len())?;
            made[at].push_str(gap);
            made[at].push_str(insert);
        }
        from = found.end;
    }
    if made.is_empty() {
        return out(value.clone());
    }
    let rest = text.get(from..).unwrap_or_default();
    made.into_iter().try_for_each(|mut made| {
        budget::charge(rest.len())?;
        made.push_str(rest);
        out(made.into())
    })
}

/// What `sub` is made of where the replacement is not at hand: for each match what is before it and its named groups; and
/// what is behind the last.
#[cfg(feature = "jq-engine")]
pub(super) fn edits(value: &Value, pattern: &Value, flags: &Value) -> Result<Value> {
    let text = value.as_str().unwrap_or_default();
    let mut from = 0;
    let mut edits: Vec<Value> = Vec::new();
    for found in matches(value, pattern, flags)? {
        edits.push(vec![part(text, from, found.start)?, captured(&found.value)].into());
        from = found.end;
    }
    let rest = part(text, from, text.len())?;
    Ok(vec![edits.into(), rest].into())
}
