//! Extensions of Jayway's JsonPath to RFC 9535, as used by AWS Step Functions.

use std::cmp::Ordering;

use super::compare::order;
use crate::budget;
use crate::value::{Object, Str, Value};

/// Implements `==`, where the left side determines the conversion: a number converts a string to a
/// number, and a string converts a number to its text.
pub fn jayway_equal(left: Option<&Value>, right: Option<&Value>) -> bool {
    match (left, right) {
        (Some(number @ (Value::Int(_) | Value::Float(_))), Some(Value::String(text))) => {
            spelled(text).is_some_and(|spelled| *number == spelled)
        }
        (Some(Value::String(text)), Some(number @ (Value::Int(_) | Value::Float(_)))) => {
            text.as_str() == number.to_string()
        }
        _ => left == right,
    }
}

/// Implements `<=`, which is `false` except between two numbers or two strings.
pub fn jayway_less_or_equal(left: Option<&Value>, right: Option<&Value>) -> bool {
    order(left, right).is_some_and(Ordering::is_le)
}

/// Returns the number that a text contains.
fn spelled(text: &str) -> Option<Value> {
    budget::spend_text(text);
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'));
    if !is_number {
        return None;
    }
    text.parse::<i64>().map(Value::from).or_else(|_| text.parse::<f64>().map(Value::from)).ok()
}

/// Implements `in`: returns `true` if the right side is a list that contains the left side.
pub fn jayway_in(left: Option<&Value>, right: Option<&Value>) -> bool {
    left.is_some()
        && items(right).is_some_and(|list| list.iter().any(|item| budget::spend(1) && jayway_equal(left, Some(item))))
}

/// Implements `subsetof`: returns `true` if both sides are lists, and the right list contains all
/// elements of the left list.
pub fn jayway_subset_of(left: Option<&Value>, right: Option<&Value>) -> bool {
    let is_in = |item| budget::spend(1) && jayway_in(Some(item), right);
    items(left).is_some_and(|list| items(right).is_some() && list.iter().all(is_in))
}

/// Implements `anyof`: returns `true` if both sides are lists with a common element.
pub fn jayway_any_of(left: Option<&Value>, right: Option<&Value>) -> bool {
    items(left).is_some_and(|list| list.iter().any(|item| budget::spend(1) && jayway_in(Some(item), right)))
}

/// Implements `noneof`: returns `true` if both sides are lists without a common element.
pub fn jayway_none_of(left: Option<&Value>, right: Option<&Value>) -> bool {
    items(left).is_some() && items(right).is_some() && !jayway_any_of(left, right)
}

/// Implements `size`: returns `true` if the left side is a list or string whose length is the
/// number on the right side.
pub fn jayway_size(left: Option<&Value>, right: Option<&Value>) -> bool {
    right.and_then(Value::as_i64).is_some_and(|wanted| size(left).is_some_and(|size| size as i64 == wanted))
}

/// Implements `empty`: returns `true` if the left side is a list or string whose emptiness equals
/// the boolean on the right side.
pub fn jayway_empty(left: Option<&Value>, right: Option<&Value>) -> bool {
    right.and_then(Value::as_bool).is_some_and(|wanted| size(left).is_some_and(|size| (size == 0) == wanted))
}

/// Implements `contains`: returns `true` if the left side is a list that contains the right side,
/// or a string that contains it as a substring.
pub fn jayway_contains(left: Option<&Value>, right: Option<&Value>) -> bool {
    match (left, right) {
        (Some(Value::String(text)), Some(Value::String(part))) => {
            budget::spend_text(text);
            text.contains(part.as_str())
        }
        _ => jayway_in(right, left),
    }
}

/// Implements `.length()` of an array or object. Any other value has the length null.
pub fn jayway_length(value: Option<&Value>) -> Option<Value> {
    Some(match value? {
        Value::Array(items) => items.len().into(),
        Value::Object(members) => members.len().into(),
        _ => Value::Null,
    })
}

/// Implements `['a','b']` at the end of a definite path: returns an object of those members that
/// exist.
pub fn members(value: Option<&Value>, names: &[&'static str]) -> Option<Value> {
    let members = value?.as_object()?;
    let picked = names.iter().filter_map(|name| Some((Str::from_static(name), members.get(name)?.clone())));
    Some(picked.collect::<Object>().into())
}

/// Implements `['a','b']` at the end of any other path: returns such an object for every selected
/// object.
pub fn members_of_each(selected: Option<&Value>, names: &[&'static str]) -> Option<Value> {
    Some(items(selected)?.iter().filter(|_| budget::spend(1)).filter_map(|value| members(Some(value), names)).collect())
}

fn items(value: Option<&Value>) -> Option<&[Value]> {
    value?.as_array().map(|items| &items[..])
}

fn size(value: Option<&Value>) -> Option<usize> {
    match value? {
        Value::String(text) => {
            budget::spend_text(text);
            Some(text.chars().count())
        }
        Value::Array(items) => Some(items.len()),
        _ => None,
    }
}
