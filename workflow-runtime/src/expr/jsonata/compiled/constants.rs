//! Constants of expressions.

use std::sync::{Arc, OnceLock};

use workflow_jsonata::Pattern;

use super::{Maybe, Run};
use crate::expr::jsonata::convert;
use crate::expr::jsonata::error::Result;
use crate::expr::jsonata::function::JsonataFunction;
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::natives;
use crate::value::{Str, Value};

/// Returns a whole number.
pub fn int(value: i64) -> Maybe {
    Some(Item::Value(Value::Int(value)))
}

/// Returns a number as an expression has it.
pub fn float(value: f64) -> Maybe {
    Some(convert::number(value))
}

/// Returns a string.
pub fn text(value: &'static str) -> Maybe {
    Some(Item::Value(Value::String(Str::from_static(value))))
}

/// Returns `true` or `false`.
pub fn bool(value: bool) -> Maybe {
    Some(Item::Value(Value::Bool(value)))
}

/// Returns null.
pub fn null() -> Maybe {
    Some(Item::Value(Value::Null))
}

/// Returns nothing: undefined.
pub fn nothing() -> Maybe {
    None
}

/// Returns the position of an item, as `$map` and the like pass it.
pub fn position(at: usize) -> Maybe {
    Some(Item::Value(at.into()))
}

/// Returns the function of the language that has this name, as a value.
///
/// # Errors
/// Fails if a limit is exceeded.
pub fn native(name: &str, run: &mut Run<'_>) -> Result<Maybe> {
    natives::native(name).map(|native| run.function(JsonataFunction::Native(native))).transpose()
}

/// A regular expression of an expression.
pub struct JsonataRegex {
    text: &'static str,
    flags: &'static str,
    pattern: OnceLock<Arc<Pattern>>,
}

impl JsonataRegex {
    /// Creates the expression `/text/flags`. Generated code calls this.
    pub const fn new(text: &'static str, flags: &'static str) -> JsonataRegex {
        JsonataRegex { text, flags, pattern: OnceLock::new() }
    }
}

/// Returns a regular expression as a value: a function.
///
/// # Errors
/// Fails if the pattern is invalid, and if a limit is exceeded.
pub fn regex(regex: &'static JsonataRegex, run: &mut Run<'_>) -> Result<Maybe> {
    let pattern = regex.pattern.get_or_init(|| {
        Arc::new(Pattern {
            text: regex.text.to_owned(),
            ignores_case: regex.flags.contains('i'),
            is_multiline: regex.flags.contains('m'),
        })
    });
    let compiled = run.regex(pattern)?;
    run.function(JsonataFunction::Regex(compiled)).map(Some)
}
