//! Matches of a regular expression, or of a function that takes its place.

use super::limits;
use crate::expr::jsonata::error::{JsonataError, Result};
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::regex::NextMatch;
use crate::expr::jsonata::run::{Evaluation, JsonataFunction};
use crate::expr::jsonata::view::{MembersView, View};
use crate::value::{Str, Value};
use std::rc::Rc;

/// The matches in a text, one after the other.
pub(super) struct Matches {
    text: Str,
    next: Next,
    /// The name of the function that looks for matches.
    caller: &'static str,
}

/// The source of the next match.
enum Next {
    /// A regular expression.
    Regex(NextMatch),
    /// A function, whose argument is the text if the match is the first one.
    Function(Rc<JsonataFunction>, Option<Item>),
    /// Nothing: there is no further match.
    Nothing,
}

/// A match.
pub(super) struct Found {
    /// The text that matched.
    pub matched: Str,
    /// The start of the match, in UTF-16 code units.
    pub index: Item,
    /// The start of the match in bytes.
    pub start: usize,
    /// The end of the match in bytes.
    pub end: usize,
    /// The text of the groups. A group that did not take part is null.
    pub groups: Vec<Item>,
    /// The argument of a function that replaces the match.
    search: Search,
}

/// The source of the object that describes a match.
enum Search {
    /// The search that found the match.
    Regex(NextMatch),
    /// The object itself.
    Object(Item),
}

impl Found {
    /// Returns the object that describes the match.
    pub(super) fn object(&self, run: &mut Evaluation) -> Result<Option<Item>> {
        match &self.search {
            Search::Regex(search) => search.call(run),
            Search::Object(object) => Ok(Some(object.clone())),
        }
    }
}

impl Matches {
    /// Creates the matches of a pattern, which is a function.
    pub(super) fn new(text: &Str, pattern: &Rc<JsonataFunction>, caller: &'static str) -> Matches {
        let next = match &**pattern {
            JsonataFunction::Regex(regex) => Next::Regex(NextMatch::first(Rc::clone(regex), text.clone())),
            _ => Next::Function(Rc::clone(pattern), Some(Item::Value(text.clone().into()))),
        };
        Matches { text: text.clone(), next, caller }
    }

    /// Returns the next match.
    pub(super) fn next(&mut self, run: &mut Evaluation) -> Result<Option<Found>> {
        let (function, argument) = match std::mem::replace(&mut self.next, Next::Nothing) {
            Next::Nothing => return Ok(None),
            Next::Regex(search) => return self.find(run, search),
            Next::Function(function, argument) => (function, argument),
        };
        let args: &[Option<Item>] = &[argument];
        let args = if args[0].is_none() { &[] } else { args };
        let Some(object) = run.apply(&function, args)? else { return Ok(None) };
        let members = match View::from(&object) {
            View::Object(members) => members,
            _ => return Err(self.wrong_structure()),
        };
        let number = |name| members.get(name).and_then(View::number);
        let groups = match members.get("groups") {
            Some(View::Array(groups)) => Some(groups.items().collect()),
            _ => None,
        };
        if number("start").is_none() && groups.is_none() && function_of(members, "next").is_none() {
            return Err(self.wrong_structure());
        }
        if let Some(next) = function_of(members, "next") {
            self.next = Next::Function(next, None);
        }
        limits::spend_bytes(run, self.text.len())?;
        let start = number("start").unwrap_or(0.0);
        let matched = members.get("match").and_then(View::text).cloned().unwrap_or_default();
        let found = Found {
            matched,
            index: members.value("start").unwrap_or(Item::Value(Value::Null)),
            start: self.byte(start),
            end: self.byte(number("end").unwrap_or(start)),
            groups: groups.unwrap_or_default(),
            search: Search::Object(object.clone()),
        };
        Ok(Some(found))
    }

    fn find(&mut self, run: &mut Evaluation, search: NextMatch) -> Result<Option<Found>> {
        let Some((found, start, next)) = search.find(run)? else { return Ok(None) };
        self.next = Next::Regex(next);
        let text = |range: std::ops::Range<usize>| Str::from(&self.text[range]);
        run.charge_bytes(found.text_len())?;
        Ok(Some(Found {
            matched: text(found.range.clone()),
            index: Item::Value(start.into()),
            start: found.range.start,
            end: found.range.end,
            groups: found
                .groups
                .into_iter()
                .map(|group| Item::Value(group.map_or(Value::Null, |group| text(group).into())))
                .collect(),
            search: Search::Regex(search),
        }))
    }

    /// Returns the byte of a position in UTF-16 code units.
    fn byte(&self, units: f64) -> usize {
        let mut passed = 0.0;
        for (at, c) in self.text.char_indices() {
            if passed >= units {
                return at;
            }
            passed += c.len_utf16() as f64;
        }
        self.text.len()
    }

    fn wrong_structure(&self) -> JsonataError {
        let text = format!(
            "The matcher function argument passed to function \"{}\" does not return the correct object structure",
            self.caller
        );
        JsonataError::new("T1010", text)
    }
}

fn function_of(members: MembersView<'_>, name: &str) -> Option<Rc<JsonataFunction>> {
    match members.get(name)? {
        View::Function(function) => Some(Rc::clone(function)),
        _ => None,
    }
}
