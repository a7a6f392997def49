//! Operators and methods of SpEL on JSON data. What is absent is null; a fault of an operator can be caught.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::jsonpath::{matches_whole, matches_whole_from_data};
use crate::budget;
use crate::fault::{Fault, names};
use crate::support::NULL;
use crate::value::text::push_text;
use crate::value::{DOCUMENT_LIMIT, Value};

/// An operand: a value, or what a path that leads nowhere has found.
type Operand<'a> = Option<&'a Value>;

/// What a test comes to: only true and false are answers.
pub fn is_true(value: Operand<'_>) -> Result<bool, Fault> {
    match given(value) {
        Value::Bool(value) => Ok(*value),
        other => Err(fault(format!("a condition must be true or false, and is {}", told(other)))),
    }
}

/// `ne null`
pub fn is_given(value: Operand<'_>) -> bool {
    !given(value).is_null()
}

/// Whether `?:` takes its left side: it is neither null nor an empty text.
pub fn is_filled(value: Operand<'_>) -> bool {
    match given(value) {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        _ => true,
    }
}

/// `eq`: numbers by value, arrays and objects by all that is in them; null equals null only.
pub fn equals(left: Operand<'_>, right: Operand<'_>) -> bool {
    given(left) == given(right)
}

/// `lt`
pub fn less_than(left: Operand<'_>, right: Operand<'_>) -> Result<bool, Fault> {
    order("lt", left, right).map(Ordering::is_lt)
}

/// `le`
pub fn less_than_equals(left: Operand<'_>, right: Operand<'_>) -> Result<bool, Fault> {
    order("le", left, right).map(Ordering::is_le)
}

/// `gt`
pub fn greater_than(left: Operand<'_>, right: Operand<'_>) -> Result<bool, Fault> {
    order("gt", left, right).map(Ordering::is_gt)
}

/// `ge`
pub fn greater_than_equals(left: Operand<'_>, right: Operand<'_>) -> Result<bool, Fault> {
    order("ge", left, right).map(Ordering::is_ge)
}

/// Numbers by value; texts as Java orders them, by the units of UTF-16.
fn order(operator: &str, left: Operand<'_>, right: Operand<'_>) -> Result<Ordering, Fault> {
    let (left, right) = (given(left), given(right));
    let found = match (left, right) {
        (Value::String(left), Value::String(right)) => {
            budget::spend_text(left);
            Some(left.encode_utf16().cmp(right.encode_utf16()))
        }
        _ => left.compare_numbers(right),
    };
    found.ok_or_else(|| {
        fault(format!(
            "`{operator}` compares two numbers or two strings, and is given {} and {}",
            told(left),
            told(right)
        ))
    })
}

/// `+`: the sum of two numbers; where one side is a string, the other is written behind or before it.
pub fn add(left: Operand<'_>, right: Operand<'_>) -> Result<Value, Fault> {
    match (given(left), given(right)) {
        (left @ Value::String(_), right) | (left, right @ Value::String(_)) => {
            let (left, right) = (shown(left)?, shown(right)?);
            let mut text = String::new();
            let _ = push_text(&mut text, &left) && push_text(&mut text, &right);
            Ok(text.into())
        }
        _ => arithmetic("+", left, right, i64::checked_add, |left, right| left + right),
    }
}

/// `-`
pub fn subtract(left: Operand<'_>, right: Operand<'_>) -> Result<Value, Fault> {
    arithmetic("-", left, right, i64::checked_sub, |left, right| left - right)
}

/// `*`
pub fn multiply(left: Operand<'_>, right: Operand<'_>) -> Result<Value, Fault> {
    arithmetic("*", left, right, i64::checked_mul, |left, right| left * right)
}

/// `/`: of two whole numbers without what is left over, towards zero.
pub fn divide(left: Operand<'_>, right: Operand<'_>) -> Result<Value, Fault> {
    refuse_zero("/", left, right)?;
    arithmetic("/", left, right, i64::checked_div, |left, right| left / right)
}

/// `%`: what a division leaves over, with the sign of the left side.
pub fn remainder(left: Operand<'_>, right: Operand<'_>) -> Result<Value, Fault> {
    refuse_zero("%", left, right)?;
    // Only of the smallest number and -1 there is none, where it would be 0.
    let whole = |left: i64, right: i64| Some(left.wrapping_rem(right));
    arithmetic("%", left, right, whole, |left, right| left % right)
}

fn refuse_zero(operator: &str, left: Operand<'_>, right: Operand<'_>) -> Result<(), Fault> {
    let is_number = given(left).as_f64().is_some();
    match given(right).as_f64() {
        Some(0.0) if is_number => Err(fault(format!("the right side of `{operator}` is zero"))),
        _ => Ok(()),
    }
}

/// `-` before a number.
pub fn negate(value: Operand<'_>) -> Result<Value, Fault> {
    match given(value) {
        Value::Int(value) => value.checked_neg().map(Value::Int).ok_or_else(|| too_large("-")),
        Value::Float(value) => Ok(Value::Float(-value)),
        other => Err(fault(format!("`-` takes a number, and is given {}", told(other)))),
    }
}

fn arithmetic(
    operator: &str,
    left: Operand<'_>,
    right: Operand<'_>,
    whole: impl Fn(i64, i64) -> Option<i64>,
    real: impl Fn(f64, f64) -> f64,
) -> Result<Value, Fault> {
    let (left, right) = (given(left), given(right));
    if let (Value::Int(left), Value::Int(right)) = (left, right) {
        return whole(*left, *right).map(Value::Int).ok_or_else(|| too_large(operator));
    }
    let (Some(left), Some(right)) = (left.as_f64(), right.as_f64()) else {
        return Err(fault(format!("`{operator}` takes two numbers, and is given {} and {}", told(left), told(right))));
    };
    let result = real(left, right);
    if result.is_finite() { Ok(Value::Float(result)) } else { Err(too_large(operator)) }
}

/// `size()` of a list, an object or a string, and `length()`. Of a string it counts the units of UTF-16, as Java does.
pub fn size(value: Operand<'_>, method: &'static str) -> Result<Value, Fault> {
    match given(value) {
        Value::Array(items) => Ok(items.len().into()),
        Value::Object(members) => Ok(members.len().into()),
        Value::String(text) => {
            budget::spend_text(text);
            Ok(text.encode_utf16().count().into())
        }
        other => Err(no_method(method, "a string, an array or an object", other)),
    }
}

/// `isEmpty()`
pub fn is_empty(value: Operand<'_>) -> Result<bool, Fault> {
    match given(value) {
        Value::Array(items) => Ok(items.is_empty()),
        Value::Object(members) => Ok(members.len() == 0),
        Value::String(text) => Ok(text.is_empty()),
        other => Err(no_method("isEmpty", "a string, an array or an object", other)),
    }
}

/// `contains(…)`: whether a string has this part, or an array an element that is equal.
pub fn contains(value: Operand<'_>, part: Operand<'_>) -> Result<bool, Fault> {
    match given(value) {
        Value::Array(items) => Ok(items.iter().any(|item| budget::spend(1) && item == given(part))),
        Value::String(text) => {
            budget::spend_text(text);
            Ok(text.contains(argument("contains", part)?))
        }
        other => Err(no_method("contains", "a string or an array", other)),
    }
}

/// `startsWith(…)`
pub fn starts_with(value: Operand<'_>, part: Operand<'_>) -> Result<bool, Fault> {
    Ok(text("startsWith", value)?.starts_with(argument("startsWith", part)?))
}

/// `endsWith(…)`
pub fn ends_with(value: Operand<'_>, part: Operand<'_>) -> Result<bool, Fault> {
    Ok(text("endsWith", value)?.ends_with(argument("endsWith", part)?))
}

/// `toLowerCase()`
pub fn to_lower_case(value: Operand<'_>) -> Result<Value, Fault> {
    Ok(text("toLowerCase", value)?.to_lowercase().into())
}

/// `toUpperCase()`
pub fn to_upper_case(value: Operand<'_>) -> Result<Value, Fault> {
    Ok(text("toUpperCase", value)?.to_uppercase().into())
}

/// `matches` with a pattern that the definition has: whether it matches the whole text.
pub fn matches(value: Operand<'_>, pattern: &'static str) -> Result<bool, Fault> {
    matched(value, pattern, |text| matches_whole(text, pattern))
}

/// `matches` with a pattern from the data.
pub fn matches_value(value: Operand<'_>, pattern: Operand<'_>) -> Result<bool, Fault> {
    match given(pattern) {
        Value::String(pattern) => matched(value, pattern, |text| matches_whole_from_data(text, pattern)),
        other => Err(fault(format!("the pattern of `matches` must be a string, and is {}", told(other)))),
    }
}

/// Null matches nothing; a number and a truth value are taken for their text.
fn matched(value: Operand<'_>, pattern: &str, is_match: impl Fn(&str) -> Option<bool>) -> Result<bool, Fault> {
    let found = match given(value) {
        Value::Null => Some(false),
        Value::String(text) => is_match(text),
        scalar @ (Value::Bool(_) | Value::Int(_) | Value::Float(_)) => is_match(&scalar.to_string()),
        other => return Err(fault(format!("`matches` takes a string, and is given {}", told(other)))),
    };
    found.ok_or_else(|| {
        let beginning: String = pattern.chars().take(100).collect();
        fault(format!("the pattern of `matches` is no regular expression, or is too large: {beginning}"))
    })
}

/// What `#jsonPath(…)` yields of all that a path has selected: the element where there is one only.
pub fn only(selected: Operand<'_>) -> Value {
    match given(selected) {
        Value::Array(items) if items.len() == 1 => items[0].clone(),
        other => other.clone(),
    }
}

fn given(value: Operand<'_>) -> &Value {
    value.unwrap_or(&NULL)
}

fn text<'a>(method: &str, value: Operand<'a>) -> Result<&'a str, Fault> {
    let value = given(value);
    let text = value.as_str().ok_or_else(|| no_method(method, "a string", value))?;
    // All that methods do with a text is going through it.
    budget::spend_text(text);
    Ok(text)
}

fn argument<'a>(method: &str, value: Operand<'a>) -> Result<&'a str, Fault> {
    let value = given(value);
    value
        .as_str()
        .ok_or_else(|| fault(format!("`{method}()` of a string takes a string, and is given {}", told(value))))
}

/// A value behind or before a text: a text as it is, anything else as JSON.
fn shown(value: &Value) -> Result<Cow<'_, str>, Fault> {
    match value {
        Value::String(text) => Ok(Cow::Borrowed(text)),
        other => {
            let text = other.to_json(DOCUMENT_LIMIT).map_err(|error| Fault::too_large("An operand of `+`", error))?;
            Ok(Cow::Owned(text))
        }
    }
}

/// The type of a value, as messages tell it.
fn told(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Int(_) | Value::Float(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cold]
fn no_method(method: &str, of: &str, value: &Value) -> Fault {
    fault(format!("`{method}()` is a method of {of}, and is called on {}", told(value)))
}

#[cold]
fn too_large(operator: &str) -> Fault {
    fault(format!("the result of `{operator}` is too large"))
}

#[cold]
fn fault(cause: String) -> Fault {
    Fault::evaluation(names::QUERY_EVALUATION_ERROR, cause)
}

#[cfg(test)]
mod tests;
