//! `JSON` (ECMA-262 §25.5).

use super::super::call::{argument, as_function, invoke};
use super::super::json::{self, Replacer};
use super::super::{Js, Result, Run, coerce, json_parse as reader, literal, property, text};
use crate::value::Str;

/// Implements `JSON.parse`.
pub fn json_parse(run: &Run, arguments: &[Js]) -> Result {
    let value = Js::from(reader::parse(&coerce::string(&argument(arguments, 0))?)?);
    let reviver = argument(arguments, 1);
    if as_function(&reviver).is_none() {
        return Ok(value);
    }
    revive(run, &literal::object([("", value)]), "", &reviver)
}

/// Implements `InternalizeJSONProperty` (§25.5.1.1). The nesting limit of calls applies.
fn revive(run: &Run, holder: &Js, key: &str, reviver: &Js) -> Result {
    run.nested(|| {
        let value = property::get(holder, key)?;
        let parts = if value.as_object().is_some() { property::keys(&value) } else { Vec::new() };
        for key in parts {
            match revive(run, &value, &key, reviver)? {
                Js::Undefined => drop(property::delete(&value, &key)?),
                revived => property::set_key(&value, key, revived)?,
            }
        }
        invoke(run, reviver, holder, &[Js::from(key), value])
    })
}

/// Implements `JSON.stringify`.
pub fn json_stringify(run: &Run, arguments: &[Js]) -> Result {
    let replacer = match argument(arguments, 1) {
        function if as_function(&function).is_some() => Replacer::Function(function),
        Js::Object(list) if list.is_array() => Replacer::Keys(json::listed(&list)?),
        _ => Replacer::Nothing,
    };
    let indent = indent(&argument(arguments, 2));
    Ok(match json::to_value(run, &argument(arguments, 0), &replacer)? {
        Some(value) => Js::String(json::write(&value, &indent)?),
        None => Js::Undefined,
    })
}

/// Returns the indentation: up to ten spaces, or up to ten characters of a text.
fn indent(space: &Js) -> Str {
    match space {
        Js::Number(count) => " ".repeat(count.clamp(0.0, 10.0) as usize).into(),
        Js::String(space) => text::slice(space, 0, text::length(space).min(10)),
        _ => Str::default(),
    }
}
