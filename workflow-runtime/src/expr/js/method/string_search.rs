//! `String.prototype`: methods that search in a string (ECMA-262 §22.1.3).

use super::super::call::{argument, as_function};
use super::super::{Js, Result, Run, budget, coerce, text};
use super::string::this_text;
use crate::value::Str;

/// Returns the text, the searched text, and the start position, limited to the length. A match
/// never begins or ends inside a surrogate pair, unless the searched text is empty.
fn search(this: &Js, arguments: &[Js], absent: f64) -> Result<(Str, Str, usize)> {
    let text = this_text(this)?;
    let wanted = coerce::string(&argument(arguments, 0))?;
    let position = match argument(arguments, 1) {
        Js::Undefined => absent,
        position => coerce::integer(&position)?,
    };
    let position = position.clamp(0.0, text::length(&text) as f64) as usize;
    Ok((text, wanted, position))
}

pub(super) fn includes(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let (text, wanted, position) = search(this, arguments, 0.0)?;
    Ok(Js::Bool(text::find(&text, text::byte_of(&text, position).0, &wanted).is_some()))
}

pub(super) fn starts_with(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let (text, wanted, position) = search(this, arguments, 0.0)?;
    let (start, inside) = text::byte_of(&text, position);
    budget::walk(wanted.len());
    Ok(Js::Bool(wanted.is_empty() || (!inside && text[start..].starts_with(wanted.as_str()))))
}

pub(super) fn ends_with(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let (text, wanted, position) = search(this, arguments, f64::INFINITY)?;
    let (end, inside) = text::byte_of(&text, position);
    budget::walk(wanted.len());
    Ok(Js::Bool(wanted.is_empty() || (!inside && text[..end].ends_with(wanted.as_str()))))
}

pub(super) fn index_of(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let (text, wanted, position) = search(this, arguments, 0.0)?;
    if wanted.is_empty() {
        return Ok(Js::Number(position as f64));
    }
    let start = text::byte_of(&text, position).0;
    let position = text::find(&text, start, &wanted).map(|at| text::units_before(&text, at));
    Ok(Js::Number(position.map_or(-1.0, |at| at as f64)))
}

/// Implements `lastIndexOf` (§22.1.3.11). A position that is NaN is the end.
pub(super) fn last_index_of(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let text = this_text(this)?;
    let wanted = coerce::string(&argument(arguments, 0))?;
    let position = coerce::number(&argument(arguments, 1))?;
    let position = if position.is_nan() { f64::INFINITY } else { position.trunc() };
    let length = text::length(&text) as f64;
    let position = position.clamp(0.0, length) + 0.0;
    if wanted.is_empty() {
        return Ok(Js::Number(position));
    }
    let (start, inside) = text::byte_of(&text, position as usize);
    // The last match can start at `start` and extend beyond it.
    let mut end = start.saturating_add(wanted.len()).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let last = text[..end]
        .rmatch_indices(wanted.as_str())
        .map(|(at, _)| at)
        .find(|at| *at < start || (*at == start && !inside));
    budget::walk(end - last.unwrap_or(0) + wanted.len());
    Ok(Js::Number(last.map_or(-1.0, |at| text::units_before(&text, at) as f64)))
}

/// Compares by code points, because no locale is supported.
pub(super) fn locale_compare(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let (left, right) = (this_text(this)?, coerce::string(&argument(arguments, 0))?);
    budget::walk(left.len().min(right.len()));
    Ok(Js::Number(f64::from(left.as_str().cmp(right.as_str()) as i8)))
}

pub(super) fn replace(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    replaced(run, this, arguments, 1)
}

pub(super) fn replace_all(run: &Run, this: &Js, arguments: &[Js]) -> Result {
    replaced(run, this, arguments, usize::MAX)
}

/// Implements `replace` and `replaceAll` (§22.1.3.19, §22.1.3.20).
fn replaced(run: &Run, this: &Js, arguments: &[Js], limit: usize) -> Result {
    let text = this_text(this)?;
    let wanted = coerce::string(&argument(arguments, 0))?;
    let by = argument(arguments, 1);
    let function = as_function(&by);
    let template = if function.is_some() { Str::default() } else { coerce::string(&by)? };
    let mut out = String::new();
    let (mut done, mut counted, mut position) = (0, 0, 0);
    budget::walk(text.len());
    for (at, matched) in text.match_indices(wanted.as_str()).take(limit) {
        let part = match &function {
            Some(function) => {
                position += text::units_in(&text[counted..at]);
                counted = at;
                let arguments = [Js::String(wanted.clone()), Js::Number(position as f64), Js::String(text.clone())];
                coerce::string(&run.nested(|| (function.call)(run, &Js::Undefined, &arguments))?)?
            }
            None => {
                run.tick()?;
                expand(&template, &text, at, matched)?
            }
        };
        text::reserve(part.len() + at - done)?;
        out.push_str(&text[done..at]);
        out.push_str(&part);
        done = at + matched.len();
    }
    if done == 0 && out.is_empty() {
        return Ok(Js::String(text));
    }
    text::reserve(text.len() - done)?;
    out.push_str(&text[done..]);
    Ok(Js::from(out))
}

/// Implements `GetSubstitution` (§22.1.3.19.1) without captures.
fn expand(template: &Str, text: &str, at: usize, matched: &str) -> Result<Str> {
    if !template.contains('$') {
        return Ok(template.clone());
    }
    let mut out = String::new();
    let mut rest = template.as_str();
    while let Some(position) = rest.find('$') {
        out.push_str(&rest[..position]);
        let tail = &rest[position + 1..];
        let (part, taken) = match tail.as_bytes().first() {
            Some(b'$') => ("$", 1),
            Some(b'&') => (matched, 1),
            Some(b'`') => (&text[..at], 1),
            Some(b'\'') => (&text[at + matched.len()..], 1),
            _ => ("$", 0),
        };
        text::reserve(part.len())?;
        out.push_str(part);
        rest = &tail[taken..];
    }
    out.push_str(rest);
    Ok(out.into())
}
