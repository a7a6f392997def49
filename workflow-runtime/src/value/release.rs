//! Drops nested values with bounded stack.
//!
//! The members of arrays and objects are dropped by recursion as long as they are nested as documents usually are;
//! what lies deeper waits on a list, which costs an allocation per [`LEVELS`] levels and nothing before.

use std::sync::Arc;

use super::Value;

/// How many levels are dropped by recursion.
const LEVELS: u32 = 64;

/// Whether there is anything to drop that may be nested.
pub(super) fn any_nested<'a>(values: impl IntoIterator<Item = &'a Value>) -> bool {
    values.into_iter().any(|value| matches!(value, Value::Array(_) | Value::Object(_)))
}

/// Drops the values.
pub(super) fn all(values: impl IntoIterator<Item = Value>) {
    let mut later = Vec::new();
    for value in values {
        release(value, 0, &mut later);
    }
    while let Some(value) = later.pop() {
        release(value, 0, &mut later);
    }
}

fn release(value: Value, level: u32, later: &mut Vec<Value>) {
    match value {
        nested @ (Value::Array(_) | Value::Object(_)) if level == LEVELS => later.push(nested),
        // Of several threads that drop the last handles at once, exactly one is given the array.
        Value::Array(array) => {
            if let Some(array) = Arc::into_inner(array) {
                for item in array.into_vec() {
                    release(item, level + 1, later);
                }
            }
        }
        Value::Object(object) => {
            if let Some(object) = Arc::into_inner(object) {
                for (_, value) in object.into_members() {
                    release(value, level + 1, later);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::String(_) => {}
    }
}
