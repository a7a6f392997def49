//! Comparisons and functions of filters (RFC 9535 §2.3.5.2.2 and §2.4). A path that leads nowhere is [`None`].

use std::cmp::Ordering;

use crate::budget;
use crate::value::Value;
use crate::value::pairs::compare_texts;

/// `==`
pub fn equal(left: Option<&Value>, right: Option<&Value>) -> bool {
    left == right
}

/// `<`
pub fn less(left: Option<&Value>, right: Option<&Value>) -> bool {
    order(left, right) == Some(Ordering::Less)
}

/// `<=`
pub fn less_or_equal(left: Option<&Value>, right: Option<&Value>) -> bool {
    less(left, right) || equal(left, right)
}

/// How two numbers or two strings are ordered; nothing else has an order.
pub(super) fn order(left: Option<&Value>, right: Option<&Value>) -> Option<Ordering> {
    match (left?, right?) {
        // By Unicode scalar values, which is what the bytes of UTF-8 are ordered by.
        (Value::String(left), Value::String(right)) => Some(compare_texts(left, right, budget::spend)),
        (left, right) => left.compare_numbers(right),
    }
}

/// Whether a definite path leads somewhere.
pub fn exists(value: Option<&Value>) -> bool {
    value.is_some()
}

/// Whether a definite path leads to something that is neither null nor false.
pub fn holds(value: Option<&Value>) -> bool {
    !matches!(value, None | Some(Value::Null | Value::Bool(false)))
}

/// Whether a path selected anything.
pub fn any(selected: &Value) -> bool {
    selected.as_array().is_some_and(|items| !items.is_empty())
}

/// `length(…)`: the characters of a string, the elements of an array, the members of an object.
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

/// `count(…)`: how many values a path selected.
pub fn count(selected: &Value) -> Value {
    selected.as_array().map_or(0, |items| items.len()).into()
}

/// `count(…)` of a definite path.
pub fn count_one(value: Option<&Value>) -> Value {
    usize::from(value.is_some()).into()
}

/// `value(…)`: the value that a path selected, if it is the only one.
pub fn value(selected: &Value) -> Option<Value> {
    match &selected.as_array()?[..] {
        [one] => Some(one.clone()),
        _ => None,
    }
}
