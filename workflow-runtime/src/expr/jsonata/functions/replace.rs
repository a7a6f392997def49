//! `$replace`.

use super::args::{self, Args};
use super::limits;
use super::matcher::{Found, Matches};
use super::matching::{Wanted, between, limit, wanted};
use crate::expr::jsonata::convert;
use crate::expr::jsonata::error::{JsonataError, Result};
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::run::{Evaluation, JsonataFunction};
use crate::expr::jsonata::text;
use crate::expr::jsonata::view::View;
use crate::value::Str;

/// Implements `$replace`.
pub(super) fn replace(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(text) = args::text(args, 0) else { return Ok(None) };
    let pattern = wanted(args, 1);
    if matches!(pattern, Some(Wanted::Text(part)) if part.is_empty()) {
        return Err(JsonataError::new("D3010", "Second argument of replace function cannot be an empty string"));
    }
    let limit = limit(args, 3, "D3011", "Fourth argument of replace function must evaluate to a positive number")?;
    limits::spend_bytes(run, text.len())?;
    let (Some(pattern), Some(replacement), true) = (pattern, wanted(args, 2), limit > 0) else {
        return Ok(Some(convert::text(text.clone())));
    };
    let replaced = match pattern {
        Wanted::Text(part) => replace_text(run, text, part, &replacement, limit)?,
        Wanted::Pattern(pattern) => replace_matches(run, text, pattern, &replacement, limit)?,
    };
    Ok(Some(convert::text(replaced)))
}

fn replace_text(run: &mut Evaluation, text: &Str, part: &str, replacement: &Wanted<'_>, limit: u64) -> Result<String> {
    let mut out = String::new();
    let mut start = 0;
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    for (at, _) in text.match_indices(part).take(most) {
        push(run, &mut out, &text[start..at])?;
        match replacement {
            Wanted::Text(replacement) => push(run, &mut out, replacement)?,
            Wanted::Pattern(_) => return Err(no_text()),
        }
        start = at + part.len();
    }
    push(run, &mut out, &text[start..])?;
    Ok(out)
}

fn replace_matches(
    run: &mut Evaluation,
    text: &Str,
    pattern: &std::rc::Rc<JsonataFunction>,
    replacement: &Wanted<'_>,
    limit: u64,
) -> Result<String> {
    let mut out = String::new();
    let (mut start, mut count) = (0, 0);
    let mut matches = Matches::new(text, pattern, "replace");
    while count < limit
        && let Some(found) = matches.next(run)?
    {
        push(run, &mut out, between(text, start, found.start))?;
        match replacement {
            Wanted::Text(template) => substitute(run, &mut out, template, &found)?,
            Wanted::Pattern(function) => {
                let object = found.object(run)?;
                match run.apply(function, &[object])? {
                    Some(Item::Value(crate::value::Value::String(replaced))) => push(run, &mut out, &replaced)?,
                    _ => return Err(no_text()),
                }
            }
        }
        start = after(text, &found);
        count += 1;
    }
    push(run, &mut out, &text[start..])?;
    Ok(out)
}

fn no_text() -> JsonataError {
    JsonataError::new("D3012", "Attempted to replace a matched string with a non-string value")
}

/// Returns the byte after the text that matched.
fn after(text: &str, found: &Found) -> usize {
    let end = found.start.saturating_add(found.matched.len()).min(text.len());
    // A function can return any text.
    (end..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// Adds a replacement, with the text of groups for `$1` and so on, the match for `$0`, and `$` for
/// `$$`.
fn substitute(run: &mut Evaluation, out: &mut String, template: &str, found: &Found) -> Result<()> {
    limits::spend_bytes(run, template.len())?;
    run.steps(template.bytes().filter(|byte| *byte == b'$').count() as u64)?;
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('$') {
        push(run, out, before)?;
        rest = match after.as_bytes().first() {
            Some(b'$') => {
                push(run, out, "$")?;
                &after[1..]
            }
            Some(b'0') => {
                push(run, out, &found.matched)?;
                &after[1..]
            }
            Some(b'1'..=b'9') => {
                let (group, length) = group_number(after, found.groups.len());
                if let Some(item) = group.checked_sub(1).and_then(|group| found.groups.get(group))
                    && !matches!(View::from(item), View::Null)
                {
                    let text = text::string(run, item, false)?;
                    push(run, out, &text)?;
                }
                &after[length..]
            }
            _ => {
                push(run, out, "$")?;
                after
            }
        };
    }
    push(run, out, rest)
}

/// Reads the number of a group and returns it with the number of its digits. It has no more digits
/// than the number of groups, and one less if there is no such group.
fn group_number(text: &str, groups: usize) -> (usize, usize) {
    // The number of digits of a count.
    let most = groups.checked_ilog10().map_or(1, |digits| digits as usize + 1);
    let digits = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let read = |length: usize| text[..length].parse().unwrap_or(0);
    let number: usize = read(digits);
    if most > 1 && digits == most && number > groups {
        return (read(digits - 1), digits - 1);
    }
    (number, digits)
}

fn push(run: &mut Evaluation, out: &mut String, text: &str) -> Result<()> {
    run.fits_bytes(out.len() + text.len())?;
    limits::reserve(run, text.len() as u64)?;
    out.push_str(text);
    Ok(())
}
