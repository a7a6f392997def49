//! The intrinsic functions `States.StringToJson`, `States.JsonToString`, `States.JsonMerge` and
//! `States.StringSplit` (Amazon States Language, Appendix B).

use std::collections::HashSet;
use std::sync::Arc;

use super::intrinsic::{failed, object, refused, string};
use crate::budget;
use crate::expr::merge;
use crate::fault::Fault;
use crate::value::{DOCUMENT_LIMIT, MAX_DEPTH, Object, Value};

/// Implements `States.StringToJson`. Returns null for an empty string.
pub fn string_to_json(text: &Value, call: &'static str) -> Result<Value, Fault> {
    let text = string(text, call)?;
    budget::spend_text(text);
    if text.trim().is_empty() {
        return Ok(Value::Null);
    }
    match Value::from_json(text) {
        Ok(Value::Float(-0.0)) => Ok(Value::Int(0)),
        Ok(value) => Ok(value),
        Err(error) => {
            let reason = format_args!("Cannot convert String to Json in States.StringToJson, caused by: {error}");
            Err(failed(call, reason))
        }
    }
}

/// Implements `States.JsonToString`.
pub fn json_to_string(value: &Value, call: &'static str) -> Result<Value, Fault> {
    let text =
        value.to_json(DOCUMENT_LIMIT).map_err(|error| Fault::too_large(format_args!("The result of {call}"), error));
    text.map(Value::from)
}

/// Implements `States.JsonMerge`: members of the second object replace members of the first. A
/// deep merge merges members that are objects on both sides.
pub fn json_merge(first: &Value, second: &Value, deep: &Value, call: &'static str) -> Result<Value, Fault> {
    let (Value::Object(left), Value::Object(right)) = (first, second) else {
        object(first, call)?;
        object(second, call)?;
        return Ok(Value::Null);
    };
    match deep.as_bool() {
        Some(true) => match merge::merged(Arc::clone(left), right, MAX_DEPTH + 1) {
            (merged, false) => Ok(Value::Object(merged)),
            (_, true) => Err(refused(call)),
        },
        Some(false) => {
            budget::spend(left.len() + right.len());
            let mut merged = Object::clone(left);
            merged.extend(right.iter().map(|(key, value)| (key.clone(), value.clone())));
            Ok(merged.into())
        }
        None => Err(refused(call)),
    }
}

/// Implements `States.StringSplit`: each character of the second string is a separator. Empty
/// parts are dropped.
pub fn string_split(text: &Value, separators: &Value, call: &'static str) -> Result<Value, Fault> {
    let (text, separators) = (string(text, call)?, string(separators, call)?);
    // Both texts can be long.
    budget::spend_text(text);
    budget::spend_text(separators);
    let separators: HashSet<char> = separators.chars().collect();
    let parts = text.split(|c| separators.contains(&c));
    Ok(parts.filter(|part| !part.is_empty()).collect())
}
