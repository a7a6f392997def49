//! `Date` (ECMA-262 §21.4.2, §21.4.3).

use super::super::call::argument;
use super::super::coerce::{Hint, primitive};
use super::super::object::{Obj, Special};
use super::super::{Js, Result, Run, coerce, date as calendar, date_parse as reader};

/// Implements `new Date(…)`. The current time is the time of the completion that the execution
/// processes.
pub fn date(run: &Run, arguments: &[Js]) -> Result {
    let time = match arguments {
        [] => run.now(),
        [Js::Object(object)] if object.time().is_some() => object.time().unwrap_or(f64::NAN),
        [value] => match primitive(value, Hint::Default)? {
            Js::String(text) => reader::parse(&text),
            value => calendar::clip(coerce::number(&value)?),
        },
        parts => of_parts(parts)?,
    };
    Ok(Js::Object(Obj::special(Special::Date(time))))
}

/// Implements `Date(…)` without `new`, which returns a text.
pub fn date_text(run: &Run, _: &[Js]) -> Result {
    Ok(Js::String(calendar::text(run.now())))
}

fn of_parts(arguments: &[Js]) -> Result<f64> {
    let mut parts = [f64::NAN, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
    for (part, argument) in parts.iter_mut().zip(arguments) {
        *part = coerce::number(argument)?;
    }
    parts[0] = calendar::full_year(parts[0]);
    Ok(calendar::clip(calendar::make(parts)))
}

/// Implements `Date.now`.
pub fn date_now(run: &Run, _: &[Js]) -> Result {
    Ok(Js::Number(run.now()))
}

/// Implements `Date.parse`.
pub fn date_parse(_: &Run, arguments: &[Js]) -> Result {
    Ok(Js::Number(reader::parse(&coerce::string(&argument(arguments, 0))?)))
}

/// Implements `Date.UTC`.
pub fn date_utc(_: &Run, arguments: &[Js]) -> Result {
    of_parts(arguments).map(Js::Number)
}
