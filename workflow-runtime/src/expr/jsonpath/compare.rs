//! Comparisons and functions in filters (RFC 9535, sections 2.3.5.2.2 and 2.4). A path that
//! selects nothing is `None`.

use std::cmp::Ordering;

use crate::budget;
use crate::value::Value;
use crate::value::pairs::compare_texts;

/// Implements `==`.
pub fn equal(left: Option<&Value>, right: Option<&Value>) -> bool {
    left == right
}

/// Implements `<`.
pub fn less(left: Option<&Value>, right: Option<&Value>) -> bool {
    order(left, right) == Some(Ordering::Less)
}

/// Implements `<=`.
pub fn less_or_equal(left: Option<&Value>, right: Option<&Value>) -> bool {
    less(left, right) || equal(left, right)
}

/// Compares two numbers or two strings. Other values have no order.
pub(super) fn order(left: Option<&Value>, right: Option<&Value>) -> Option<Ordering> {
    match (left?, right?) {
        // The byte order of UTF-8 is the order of Unicode scalar values.
        (Value::String(left), Value::String(right)) => Some(compare_texts(left, right, budget::spend)),
        (left, right) => left.compare_numbers(right),
    }
}

/// Returns `true` if a definite path selects a value.
pub fn exists(value: Option<&Value>) -> bool {
    value.is_some()
}

/// Returns `true` if a definite path selects a value other than null and false.
pub fn holds(value: Option<&Value>) -> bool {
    !matches!(value, None | Some(Value::Null | Value::Bool(false)))
}

/// Returns `true` if a path selected anything.
pub fn any(selected: &Value) -> bool {
    selected.as_array().is_some_and(|items| !items.is_empty())
}

/// Implements `length(…)`: the number of characters of a string, elements of an array, or members
/// of an object.
pub fn length(value: Option<&Value>) -> Option<Value> {
    Some(match value? {
        Value::String(text) => {
            budget::spend_text(text);
            text.chars().count().into()
        }
        Value::Array(items) => items.len().into(),
        Value::Object(members) => members.len().into(),
        _ => return None,
    })
}

/// Implements `count(…)`: the number of values that a path selected.
pub fn count(selected: &Value) -> Value {
    selected.as_array().map_or(0, |items| items.len()).into()
}

/// Implements `count(…)` of a definite path.
pub fn count_one(value: Option<&Value>) -> Value {
    usize::from(value.is_some()).into()
}

/// Implements `value(…)`: the value that a path selected, if it selected exactly one.
pub fn value(selected: &Value) -> Option<Value> {
    match &selected.as_array()?[..] {
        [one] => Some(one.clone()),
        _ => None,
    }
}
