//! Functions of any value.

use super::args::{self, Args};
use crate::expr::jsonata::convert;
use crate::expr::jsonata::error::{JsonataError, Result};
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::run::Evaluation;
use crate::expr::jsonata::text;
use crate::expr::jsonata::truth::{self, out_of_range};
use crate::expr::jsonata::view::View;
use crate::value::Value;

/// Implements `$string`.
pub(super) fn string(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(item) = run.unwrapped(args::item(args, 0)) else { return Ok(None) };
    let pretty = matches!(args::item(args, 1), Some(Item::Value(Value::Bool(true))));
    text::string(run, &item, pretty).map(|text| Some(convert::text(text)))
}

/// Implements `$boolean`.
pub(super) fn boolean(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(item) = args::item(args, 0) else { return Ok(None) };
    Ok(Some(bool(truth::boolean(run, item)?)))
}

/// Implements `$not`.
pub(super) fn not(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(item) = args::item(args, 0) else { return Ok(None) };
    Ok(Some(bool(!truth::boolean(run, item)?)))
}

/// Implements `$exists`.
pub(super) fn exists(_: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    Ok(Some(bool(args::item(args, 0).is_some())))
}

/// Implements `$type`.
pub(super) fn type_of(_: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(item) = args::item(args, 0) else { return Ok(None) };
    let name = match View::from(item) {
        View::Null => "null",
        View::Bool(_) => "boolean",
        View::Float(value) if value.is_infinite() => return Err(out_of_range()),
        // NaN is not numeric, and what is left is an object.
        View::Float(value) if value.is_nan() => "object",
        View::Int(_) | View::Float(_) => "number",
        View::String(_) => "string",
        View::Array(_) => "array",
        View::Object(_) => "object",
        View::Function(_) => "function",
    };
    Ok(Some(convert::text(name)))
}

/// Implements `$error`, which always fails.
pub(super) fn error(_: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    Err(JsonataError::new("D3137", message_or(args, 0, "$error() function evaluated")))
}

/// Implements `$assert`, which fails unless the condition is true.
pub(super) fn assert(_: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    match args::item(args, 0) {
        Some(Item::Value(Value::Bool(true))) => Ok(None),
        _ => Err(JsonataError::new("D3141", message_or(args, 1, "$assert() statement failed"))),
    }
}

fn message_or(args: Args<'_>, at: usize, default: &str) -> String {
    let text = args::text(args, at).filter(|message| !message.is_empty());
    text.map_or(default, |message| message.as_str()).to_owned()
}

fn bool(value: bool) -> Item {
    Item::Value(Value::Bool(value))
}
