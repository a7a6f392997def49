//! Functions that look for a pattern in a text: `$contains`, `$match` and `$split`.

use super::args::{self, Args};
use super::limits;
use super::matcher::Matches;
use crate::expr::jsonata::convert;
use crate::expr::jsonata::error::{JsonataError, Result};
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::run::{Evaluation, JsonataFunction};
use crate::expr::jsonata::view::View;
use crate::value::{Str, Value};
use std::rc::Rc;

/// The text or pattern that a function looks for.
pub(super) enum Wanted<'a> {
    /// A text.
    Text(&'a Str),
    /// A regular expression, or a function that takes its place.
    Pattern(&'a Rc<JsonataFunction>),
}

/// Returns the argument that says what to look for.
pub(super) fn wanted(args: Args<'_>, at: usize) -> Option<Wanted<'_>> {
    match args::item(args, at)?.into() {
        View::String(text) => Some(Wanted::Text(text)),
        View::Function(function) => Some(Wanted::Pattern(function)),
        _ => None,
    }
}

/// Returns the argument that limits the number of matches. Fractions are cut.
///
/// # Errors
/// Fails with the error if the limit is below zero.
pub(super) fn limit(args: Args<'_>, at: usize, code: &'static str, text: &str) -> Result<u64> {
    match args::number(args, at) {
        None => Ok(u64::MAX),
        Some(limit) if limit < 0.0 => Err(JsonataError::new(code, text)),
        // The cast saturates, and turns NaN into zero.
        Some(limit) => Ok(limit as u64),
    }
}

/// Implements `$contains`.
pub(super) fn contains(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(text) = args::text(args, 0) else { return Ok(None) };
    limits::spend_bytes(run, text.len())?;
    let found = match wanted(args, 1) {
        None => return Ok(None),
        Some(Wanted::Text(part)) => text.contains(part.as_str()),
        Some(Wanted::Pattern(pattern)) => Matches::new(text, pattern, "contains").next(run)?.is_some(),
    };
    Ok(Some(Item::Value(Value::Bool(found))))
}

/// Implements `$match`.
pub(super) fn find_all(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(text) = args::text(args, 0) else { return Ok(None) };
    let limit = limit(args, 2, "D3040", "Third argument of match function must evaluate to a positive number")?;
    let mut all = Vec::new();
    if let Some(Wanted::Pattern(pattern)) = wanted(args, 1) {
        let mut matches = Matches::new(text, pattern, "match");
        while (all.len() as u64) < limit
            && let Some(found) = matches.next(run)?
        {
            run.charge(4)?;
            all.push(convert::object(vec![
                (Str::from_static("match"), convert::text(found.matched)),
                (Str::from_static("index"), found.index),
                (Str::from_static("groups"), convert::array(found.groups)),
            ]));
        }
    }
    Ok(Some(convert::sequence(all)))
}

/// Implements `$split`.
pub(super) fn split(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(text) = args::text(args, 0) else { return Ok(None) };
    let limit = limit(args, 2, "D3020", "Third argument of split function must evaluate to a positive number")?;
    limits::spend_bytes(run, text.len())?;
    let mut parts = Vec::new();
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    match wanted(args, 1) {
        None => parts.push(convert::text(text.clone())),
        Some(Wanted::Text(separator)) if separator.is_empty() => {
            let count = text.len().min(most);
            run.charge(count)?;
            // A character has up to four bytes.
            limits::reserve(run, text.len().min(count.saturating_mul(4)) as u64)?;
            parts.extend(text.chars().take(most).map(|c| convert::text(&*c.encode_utf8(&mut [0; 4]))));
        }
        Some(Wanted::Text(separator)) => {
            for part in text.split(separator.as_str()).take(most) {
                parts.push(copied(run, part)?);
            }
        }
        Some(Wanted::Pattern(pattern)) => {
            let mut matches = Matches::new(text, pattern, "split");
            let mut start = 0;
            while parts.len() < most
                && let Some(found) = matches.next(run)?
            {
                parts.push(copied(run, between(text, start, found.start))?);
                start = found.end;
            }
            if parts.len() < most {
                parts.push(copied(run, &text[start..])?);
            }
        }
    }
    Ok(Some(convert::array(parts)))
}

/// Returns a copy of a part of a text, and counts it.
fn copied(run: &mut Evaluation, part: &str) -> Result<Item> {
    run.charge(1)?;
    limits::reserve(run, part.len() as u64)?;
    Ok(convert::text(part))
}

/// Returns the text between two positions, of which either can be the first.
pub(super) fn between(text: &str, one: usize, other: usize) -> &str {
    &text[one.min(other)..one.max(other)]
}
