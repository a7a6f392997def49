//! Functions of strings.

use super::args::{self, Args};
use super::limits;
use crate::expr::jsonata::convert;
use crate::expr::jsonata::error::Result;
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::run::Evaluation;
use crate::expr::jsonata::view::View;

/// Implements `$length`: the number of characters.
pub(super) fn length(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(text) = args::text(args, 0) else { return Ok(None) };
    limits::spend_bytes(run, text.len())?;
    // The length of a text is far below 2^53.
    Ok(Some(convert::number(text.chars().count() as f64)))
}

/// Implements `$substring`. Positions below zero count from the end.
pub(super) fn substring(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(text) = args::text(args, 0) else { return Ok(None) };
    limits::spend_bytes(run, text.len())?;
    let count = text.chars().count();
    // Without a start, no end can be computed.
    if args::number(args, 1).is_none() && args::number(args, 2).is_some() {
        return Ok(Some(convert::text("")));
    }
    let mut start = args::number(args, 1).unwrap_or(0.0);
    // The length of a text is far below 2^53.
    let length = count as f64;
    if length + start < 0.0 {
        start = 0.0;
    }
    let from = position(start, count);
    let to = match args::number(args, 2) {
        None => count,
        Some(wanted) if wanted <= 0.0 => return Ok(Some(convert::text(""))),
        Some(wanted) if start >= 0.0 => position(start + wanted, count),
        Some(wanted) => position(length + start + wanted, count),
    };
    run.charge_bytes(text.len())?;
    let part: String = text.chars().skip(from).take(to.saturating_sub(from)).collect();
    Ok(Some(convert::text(part)))
}

/// Returns the position that a number stands for. Fractions are cut.
fn position(number: f64, length: usize) -> usize {
    // Casts of doubles saturate, and turn NaN into zero.
    if number <= -1.0 { length.saturating_sub((-number) as usize) } else { (number as usize).min(length) }
}

/// Implements `$substringBefore`.
pub(super) fn substring_before(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    around(run, args, |text, at, _| &text[..at])
}

/// Implements `$substringAfter`.
pub(super) fn substring_after(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    around(run, args, |text, at, length| &text[at + length..])
}

/// Returns a part of the first argument beside the first occurrence of the second one, or all of
/// it if there is none.
fn around(run: &mut Evaluation, args: Args<'_>, part: fn(&str, usize, usize) -> &str) -> Result<Option<Item>> {
    let Some(text) = args::text(args, 0) else { return Ok(None) };
    limits::spend_bytes(run, text.len())?;
    let found = args::text(args, 1).and_then(|separator| Some((text.find(separator.as_str())?, separator.len())));
    let Some((at, length)) = found else { return Ok(Some(convert::text(text.clone()))) };
    let part = part(text, at, length);
    limits::reserve(run, part.len() as u64)?;
    Ok(Some(convert::text(part)))
}

/// Implements `$lowercase`.
pub(super) fn lowercase(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    changed(run, args, str::to_lowercase)
}

/// Implements `$uppercase`.
pub(super) fn uppercase(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    changed(run, args, str::to_uppercase)
}

/// Implements `$trim`: white space at both ends is removed, and white space inside becomes one
/// blank.
pub(super) fn trim(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    changed(run, args, |text| {
        let words = text.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join(" ")
    })
}

fn changed(run: &mut Evaluation, args: Args<'_>, change: fn(&str) -> String) -> Result<Option<Item>> {
    let Some(text) = args::text(args, 0) else { return Ok(None) };
    limits::spend_bytes(run, text.len())?;
    let changed = change(text);
    limits::reserve(run, changed.len() as u64)?;
    Ok(Some(convert::text(changed)))
}

/// Implements `$pad`: a positive width pads at the end, a negative one at the start.
pub(super) fn pad(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(text) = args::text(args, 0) else { return Ok(None) };
    limits::spend_bytes(run, text.len())?;
    let width = args::number(args, 1).unwrap_or(0.0);
    // The cast saturates, and cuts a fraction.
    let missing = (width.abs() as u64).saturating_sub(text.chars().count() as u64);
    if missing == 0 {
        return Ok(Some(convert::text(text.clone())));
    }
    let filler = args::text(args, 2).map_or("", |filler| filler.as_str());
    let filler = if filler.is_empty() { " " } else { filler };
    let each = filler.chars().count() as u64;
    let rest = usize::try_from(missing % each).unwrap_or(0);
    let rest = filler.char_indices().nth(rest).map_or(filler.len(), |(at, _)| at);
    let whole = (missing / each).saturating_mul(filler.len() as u64);
    let total = whole.saturating_add((rest + text.len()) as u64);
    let mut out = String::with_capacity(limits::reserve(run, total)?);
    if width > 0.0 {
        out.push_str(text);
    }
    for _ in 0..missing / each {
        out.push_str(filler);
    }
    out.push_str(&filler[..rest]);
    if width < 0.0 {
        out.push_str(text);
    }
    Ok(Some(convert::text(out)))
}

/// Implements `$join`.
pub(super) fn join(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(parts) = args::elements(args, 0) else { return Ok(None) };
    let separator = args::text(args, 1).map_or("", |separator| separator.as_str());
    run.steps(parts.len() as u64)?;
    let texts = || parts.iter().filter_map(View::text);
    let separators = (parts.len() as u64).saturating_sub(1).saturating_mul(separator.len() as u64);
    let total = texts().fold(separators, |sum, part| sum.saturating_add(part.len() as u64));
    let mut out = String::with_capacity(limits::reserve(run, total)?);
    for (at, part) in texts().enumerate() {
        if at > 0 {
            out.push_str(separator);
        }
        out.push_str(part);
    }
    Ok(Some(convert::text(out)))
}
