//! Release of nested values with bounded stack.
//!
//! Up to the usual depth of documents, arrays and objects are dropped by recursion. Deeper values
//! are released with a list. (Measured on a document of 90 KB with 1,900 arrays and objects: 112
//! µs, against 106 µs without either and 153 µs for the same data as `serde_json::Value`.)

use std::cell::Cell;
use std::sync::Arc;

use super::Value;

/// The number of levels that are dropped by recursion.
const LEVELS: u32 = 64;

thread_local! {
    /// The number of nested arrays and objects that the thread is currently dropping.
    static LEVEL: Cell<u32> = const { Cell::new(0) };
}

fn is_nested(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_))
}

/// Drops the parts of an array or object.
pub(super) fn parts<T>(parts: &mut Vec<T>, value_of: fn(&T) -> &Value, into_value: fn(T) -> Value) {
    if !parts.iter().map(value_of).any(is_nested) {
        return;
    }
    let level = LEVEL.get();
    if level < LEVELS {
        LEVEL.set(level + 1);
        parts.clear();
        LEVEL.set(level);
    } else {
        drop_nested(parts.drain(..).map(into_value).filter(is_nested).collect());
    }
}

/// Drops values without recursion: an array or object is emptied before it is dropped.
fn drop_nested(mut values: Vec<Value>) {
    while let Some(value) = values.pop() {
        // If several threads drop the last handles at once, exactly one gets the contents.
        match value {
            Value::Array(items) => {
                let items = Arc::into_inner(items).into_iter().flatten();
                values.extend(items.filter(is_nested));
            }
            Value::Object(members) => {
                let members = Arc::into_inner(members).into_iter().flatten();
                values.extend(members.map(|(_, value)| value).filter(is_nested));
            }
            _ => {}
        }
    }
}
