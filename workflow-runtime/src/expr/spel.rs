//! Operators and methods of SpEL on JSON data. An absent value is null. Faults of operators can be
//! caught.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::jsonpath::{matches_whole, matches_whole_from_data};
use crate::budget;
use crate::fault::{Fault, names};
use crate::support::NULL;
use crate::value::text::push_text;
use crate::value::{DOCUMENT_LIMIT, Value};

/// An operand: a value, or `None` for a path that selects nothing.
type Operand<'a> = Option<&'a Value>;

/// Returns the result of a condition. Anything but a boolean is a fault.
pub fn is_true(value: Operand<'_>) -> Result<bool, Fault> {
    match or_null(value) {
        Value::Bool(value) => Ok(*value),
        other => Err(fault(format!("a condition must be a boolean, found {}", type_name(other)))),
    }
}

/// Implements `ne null`.
pub fn is_given(value: Operand<'_>) -> bool {
    !or_null(value).is_null()
}

/// Returns `true` if `?:` yields its left side: the value is neither null nor an empty text.
pub fn is_filled(value: Operand<'_>) -> bool {
    match or_null(value) {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        _ => true,
    }
}

/// Implements `eq`: compares numbers by value, arrays and objects deeply. Null equals only null.
pub fn equals(left: Operand<'_>, right: Operand<'_>) -> bool {
    or_null(left) == or_null(right)
}

/// Implements `lt`.
pub fn less_than(left: Operand<'_>, right: Operand<'_>) -> Result<bool, Fault> {
    order("lt", left, right).map(Ordering::is_lt)
}

/// Implements `le`.
pub fn less_than_equals(left: Operand<'_>, right: Operand<'_>) -> Result<bool, Fault> {
    order("le", left, right).map(Ordering::is_le)
}

/// Implements `gt`.
pub fn greater_than(left: Operand<'_>, right: Operand<'_>) -> Result<bool, Fault> {
    order("gt", left, right).map(Ordering::is_gt)
}

/// Implements `ge`.
pub fn greater_than_equals(left: Operand<'_>, right: Operand<'_>) -> Result<bool, Fault> {
    order("ge", left, right).map(Ordering::is_ge)
}

/// Compares numbers by value, and texts by UTF-16 code units, as Java does.
fn order(operator: &str, left: Operand<'_>, right: Operand<'_>) -> Result<Ordering, Fault> {
    let (left, right) = (or_null(left), or_null(right));
    let ordering = match (left, right) {
        (Value::String(left), Value::String(right)) => {
            budget::spend_text(left);
            Some(left.encode_utf16().cmp(right.encode_utf16()))
        }
        _ => left.compare_numbers(right),
    };
    ordering.ok_or_else(|| {
        fault(format!(
            "`{operator}` compares two numbers or two strings, found {} and {}",
            type_name(left),
            type_name(right)
        ))
    })
}

/// Implements `+`: adds two numbers, or concatenates if one side is a string.
pub fn add(left: Operand<'_>, right: Operand<'_>) -> Result<Value, Fault> {
    match (or_null(left), or_null(right)) {
        (left @ Value::String(_), right) | (left, right @ Value::String(_)) => {
            let (left, right) = (shown(left)?, shown(right)?);
            let mut text = String::new();
            let _ = push_text(&mut text, &left) && push_text(&mut text, &right);
            Ok(text.into())
        }
        _ => arithmetic("+", left, right, i64::checked_add, |left, right| left + right),
    }
}

/// Implements `-`.
pub fn subtract(left: Operand<'_>, right: Operand<'_>) -> Result<Value, Fault> {
    arithmetic("-", left, right, i64::checked_sub, |left, right| left - right)
}

/// Implements `*`.
pub fn multiply(left: Operand<'_>, right: Operand<'_>) -> Result<Value, Fault> {
    arithmetic("*", left, right, i64::checked_mul, |left, right| left * right)
}

/// Implements `/`. The quotient of two integers is truncated towards zero.
pub fn divide(left: Operand<'_>, right: Operand<'_>) -> Result<Value, Fault> {
    refuse_zero("/", left, right)?;
    arithmetic("/", left, right, i64::checked_div, |left, right| left / right)
}

/// Implements `%`: the remainder of a division, with the sign of the left side.
pub fn remainder(left: Operand<'_>, right: Operand<'_>) -> Result<Value, Fault> {
    refuse_zero("%", left, right)?;
    // Only `i64::MIN % -1` overflows. Its result is 0.
    let whole = |left: i64, right: i64| Some(left.wrapping_rem(right));
    arithmetic("%", left, right, whole, |left, right| left % right)
}

fn refuse_zero(operator: &str, left: Operand<'_>, right: Operand<'_>) -> Result<(), Fault> {
    let is_number = or_null(left).as_f64().is_some();
    match or_null(right).as_f64() {
        Some(0.0) if is_number => Err(fault(format!("the right side of `{operator}` is zero"))),
        _ => Ok(()),
    }
}

/// Implements the unary `-`.
pub fn negate(value: Operand<'_>) -> Result<Value, Fault> {
    match or_null(value) {
        Value::Int(value) => value.checked_neg().map(Value::Int).ok_or_else(|| too_large("-")),
        Value::Float(value) => Ok(Value::Float(-value)),
        other => Err(fault(format!("`-` takes a number, found {}", type_name(other)))),
    }
}

fn arithmetic(
    operator: &str,
    left: Operand<'_>,
    right: Operand<'_>,
    whole: impl Fn(i64, i64) -> Option<i64>,
    real: impl Fn(f64, f64) -> f64,
) -> Result<Value, Fault> {
    let (left, right) = (or_null(left), or_null(right));
    if let (Value::Int(left), Value::Int(right)) = (left, right) {
        return whole(*left, *right).map(Value::Int).ok_or_else(|| too_large(operator));
    }
    let (Some(left), Some(right)) = (left.as_f64(), right.as_f64()) else {
        return Err(fault(format!(
            "`{operator}` takes two numbers, found {} and {}",
            type_name(left),
            type_name(right)
        )));
    };
    let result = real(left, right);
    if result.is_finite() { Ok(Value::Float(result)) } else { Err(too_large(operator)) }
}

/// Implements `size()` of a list, an object or a string, and `length()`. The size of a string is
/// its number of UTF-16 code units, as in Java.
pub fn size(value: Operand<'_>, method: &'static str) -> Result<Value, Fault> {
    match or_null(value) {
        Value::Array(items) => Ok(items.len().into()),
        Value::Object(members) => Ok(members.len().into()),
        Value::String(text) => {
            budget::spend_text(text);
            Ok(text.encode_utf16().count().into())
        }
        other => Err(no_method(method, "a string, an array or an object", other)),
    }
}

/// Implements `isEmpty()`.
pub fn is_empty(value: Operand<'_>) -> Result<bool, Fault> {
    match or_null(value) {
        Value::Array(items) => Ok(items.is_empty()),
        Value::Object(members) => Ok(members.len() == 0),
        Value::String(text) => Ok(text.is_empty()),
        other => Err(no_method("isEmpty", "a string, an array or an object", other)),
    }
}

/// Implements `contains(…)`: Returns `true` if a string contains this substring, or an array
/// contains an equal element.
pub fn contains(value: Operand<'_>, part: Operand<'_>) -> Result<bool, Fault> {
    match or_null(value) {
        Value::Array(items) => Ok(items.iter().any(|item| budget::spend(1) && item == or_null(part))),
        Value::String(text) => {
            budget::spend_text(text);
            Ok(text.contains(argument("contains", part)?))
        }
        other => Err(no_method("contains", "a string or an array", other)),
    }
}

/// Implements `startsWith(…)`.
pub fn starts_with(value: Operand<'_>, part: Operand<'_>) -> Result<bool, Fault> {
    Ok(text("startsWith", value)?.starts_with(argument("startsWith", part)?))
}

/// Implements `endsWith(…)`.
pub fn ends_with(value: Operand<'_>, part: Operand<'_>) -> Result<bool, Fault> {
    Ok(text("endsWith", value)?.ends_with(argument("endsWith", part)?))
}

/// Implements `toLowerCase()`.
pub fn to_lower_case(value: Operand<'_>) -> Result<Value, Fault> {
    Ok(text("toLowerCase", value)?.to_lowercase().into())
}

/// Implements `toUpperCase()`.
pub fn to_upper_case(value: Operand<'_>) -> Result<Value, Fault> {
    Ok(text("toUpperCase", value)?.to_uppercase().into())
}

/// Implements `matches` with a pattern of the definition, which must match the whole text.
pub fn matches(value: Operand<'_>, pattern: &'static str) -> Result<bool, Fault> {
    matched(value, pattern, |text| matches_whole(text, pattern))
}

/// Implements `matches` with a pattern from the data.
pub fn matches_value(value: Operand<'_>, pattern: Operand<'_>) -> Result<bool, Fault> {
    match or_null(pattern) {
        Value::String(pattern) => matched(value, pattern, |text| matches_whole_from_data(text, pattern)),
        other => Err(fault(format!("the pattern of `matches` must be a string, found {}", type_name(other)))),
    }
}

/// Matches a value with a pattern. Null does not match. A number or a boolean is converted to
/// text.
fn matched(value: Operand<'_>, pattern: &str, test: impl Fn(&str) -> Option<bool>) -> Result<bool, Fault> {
    let is_match = match or_null(value) {
        Value::Null => Some(false),
        Value::String(text) => test(text),
        scalar @ (Value::Bool(_) | Value::Int(_) | Value::Float(_)) => test(&scalar.to_string()),
        other => return Err(fault(format!("`matches` takes a string, found {}", type_name(other)))),
    };
    is_match.ok_or_else(|| {
        let beginning: String = pattern.chars().take(100).collect();
        fault(format!("the pattern of `matches` is not a valid regular expression or is too large: {beginning}"))
    })
}

/// Returns the result of `#jsonPath(…)`: the element if the path selected exactly one, else the
/// array.
pub fn only(selected: Operand<'_>) -> Value {
    match or_null(selected) {
        Value::Array(items) if items.len() == 1 => items[0].clone(),
        other => other.clone(),
    }
}

fn or_null(value: Operand<'_>) -> &Value {
    value.unwrap_or(&NULL)
}

fn text<'a>(method: &str, value: Operand<'a>) -> Result<&'a str, Fault> {
    let value = or_null(value);
    let text = value.as_str().ok_or_else(|| no_method(method, "a string", value))?;
    // Each method scans the text at most a constant number of times.
    budget::spend_text(text);
    Ok(text)
}

fn argument<'a>(method: &str, value: Operand<'a>) -> Result<&'a str, Fault> {
    let value = or_null(value);
    value.as_str().ok_or_else(|| fault(format!("`{method}()` of a string takes a string, found {}", type_name(value))))
}

/// Returns the text of a value for concatenation: a text unchanged, any other value as JSON.
fn shown(value: &Value) -> Result<Cow<'_, str>, Fault> {
    match value {
        Value::String(text) => Ok(Cow::Borrowed(text)),
        other => {
            let text = other.to_json(DOCUMENT_LIMIT).map_err(|error| Fault::too_large("An operand of `+`", error))?;
            Ok(Cow::Owned(text))
        }
    }
}

/// Returns the name of the value's type for messages.
fn type_name(value: &Value) -> &'static str {
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
    fault(format!("`{method}()` is a method of {of}, found {}", type_name(value)))
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
