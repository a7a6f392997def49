//! The operators `+ - * / %` and negation.

use std::sync::Arc;

use super::budget::{self, ELEMENT};
use super::number::{as_double, float, is_exact, number};
use super::{Error, Result, order, strings, type_error, type_error2};
use crate::value::{Array, Object, Value};

/// Implements `left + right`. Reuses the left operand's memory if it is not shared.
#[inline]
pub fn add(left: Value, right: &Value) -> Result<Value> {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) if is_exact(a) && is_exact(*b) => Ok(whole(a + b)),
        (left, right) => add_any(left, right),
    }
}

fn add_any(left: Value, right: &Value) -> Result<Value> {
    match (left, right) {
        (left, Value::Null) => Ok(left),
        (Value::Null, right) => Ok(right.clone()),
        (Value::String(left), Value::String(right)) => {
            budget::charge(left.len().saturating_add(right.len()))?;
            Ok(Value::from([left.as_str(), right.as_str()].concat()))
        }
        (Value::Array(mut left), Value::Array(right)) => {
            if left.is_empty() {
                return Ok(Value::Array(Arc::clone(right)));
            }
            budget::charge_elements(right.len())?;
            owned_array(&mut left)?.extend(right.iter().cloned());
            Ok(Value::Array(left))
        }
        (Value::Object(mut left), Value::Object(right)) => {
            if left.is_empty() {
                return Ok(Value::Object(Arc::clone(right)));
            }
            budget::charge_elements(right.len())?;
            owned_object(&mut left)?.extend(right.iter().map(|(key, value)| (key.clone(), value.clone())));
            Ok(Value::Object(left))
        }
        (left, right) => match (as_double(&left), as_double(right)) {
            (Some(a), Some(b)) => Ok(number(a + b)),
            _ => Err(type_error2(&left, right, "cannot be added")),
        },
    }
}

/// Implements `left - right`: numbers, or an array without the elements of the other array.
#[inline]
pub fn sub(left: Value, right: &Value) -> Result<Value> {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) if is_exact(a) && is_exact(*b) => Ok(whole(a - b)),
        (left, right) => sub_any(left, right),
    }
}

fn sub_any(left: Value, right: &Value) -> Result<Value> {
    match (left, right) {
        (Value::Array(mut left), Value::Array(right)) => {
            budget::steps((left.len() as u64).saturating_mul(right.len() as u64))?;
            owned_array(&mut left)?.retain(|item| !right.iter().any(|other| order::eq(item, other)));
            Ok(Value::Array(left))
        }
        (left, right) => match (as_double(&left), as_double(right)) {
            (Some(a), Some(b)) => Ok(number(a - b)),
            _ => Err(type_error2(&left, right, "cannot be subtracted")),
        },
    }
}

/// Implements `left * right`: numbers, a repeated string, or objects merged recursively.
#[inline]
pub fn mul(left: Value, right: &Value) -> Result<Value> {
    match (left, right) {
        // A product of zero can be `-0`.
        (Value::Int(a), Value::Int(b)) if a > 0 && *b > 0 && a < 1 << 26 && *b < 1 << 26 => Ok(Value::Int(a * b)),
        (left, right) => mul_any(left, right),
    }
}

fn mul_any(left: Value, right: &Value) -> Result<Value> {
    match (as_double(&left), as_double(right)) {
        (Some(a), Some(b)) => return Ok(number(a * b)),
        (Some(times), None) => {
            if let Value::String(text) = right {
                return repeat_text(text, times);
            }
        }
        (None, Some(times)) => {
            if let Value::String(text) = &left {
                return repeat_text(text, times);
            }
        }
        (None, None) => {}
    }
    match (left, right) {
        (Value::Object(mut left), Value::Object(right)) => {
            merge(&mut left, right)?;
            Ok(Value::Object(left))
        }
        (left, right) => Err(type_error2(&left, right, "cannot be multiplied")),
    }
}

/// The length limit of jq for a repeated string, in bytes.
const LONGEST: f64 = 2_147_483_639.0;

fn repeat_text(text: &str, times: f64) -> Result<Value> {
    if times < 0.0 || times.is_nan() {
        return Ok(Value::Null);
    }
    // The fraction of the number of repetitions is dropped.
    let times = times.trunc().min(f64::from(i32::MAX));
    if text.len() as f64 * times >= LONGEST {
        return Err(Error::message("Repeat string result too long"));
    }
    let times = times as usize;
    budget::charge(text.len() * times)?;
    Ok(Value::from(text.repeat(times)))
}

/// Merges objects recursively.
fn merge(left: &mut Arc<Object>, right: &Arc<Object>) -> Result<()> {
    let mut pending = vec![(left, right)];
    while let Some((left, right)) = pending.pop() {
        budget::charge_elements(right.len())?;
        let left = owned_object(left)?;
        let is_object = |key: &str, left: &Object| matches!(left.get(key), Some(Value::Object(_)));
        for (key, value) in right.iter() {
            if !(matches!(value, Value::Object(_)) && is_object(key, left)) {
                left.insert(key.clone(), value.clone());
            }
        }
        let others: Vec<_> = left.keys().map(|key| right.get(key)).collect();
        for (value, other) in left.values_mut().zip(others) {
            // A member that was just inserted is identical on both sides, and merging it would
            // change nothing.
            if let (Value::Object(value), Some(Value::Object(other))) = (value, other)
                && !Arc::ptr_eq(value, other)
            {
                pending.push((value, other));
            }
        }
    }
    Ok(())
}

/// Implements `left / right`: numbers, or a string split at another string.
pub fn div(left: Value, right: &Value) -> Result<Value> {
    if let (Some(a), Some(b)) = (as_double(&left), as_double(right)) {
        if b == 0.0 {
            return Err(type_error2(&left, right, "cannot be divided because the divisor is zero"));
        }
        return Ok(number(a / b));
    }
    match (&left, right) {
        (Value::String(text), Value::String(separator)) => strings::split_text(text, separator),
        _ => Err(type_error2(&left, right, "cannot be divided")),
    }
}

/// Implements `left % right` of the integer parts of two numbers.
pub fn rem(left: Value, right: &Value) -> Result<Value> {
    let (Some(a), Some(b)) = (as_double(&left), as_double(right)) else {
        return Err(type_error2(&left, right, "cannot be divided (remainder)"));
    };
    if a.is_nan() || b.is_nan() {
        return Ok(float(f64::NAN));
    }
    match b as i64 {
        0 => Err(type_error2(&left, right, "cannot be divided (remainder) because the divisor is zero")),
        divisor => Ok(number((a as i64).wrapping_rem(divisor) as f64)),
    }
}

/// Implements `-value`.
pub fn neg(value: Value) -> Result<Value> {
    match value {
        Value::Int(value) => Ok(value.checked_neg().map_or_else(|| float(-(value as f64)), Value::Int)),
        Value::Float(value) if value == 0.0 => Ok(number(-value)),
        // A number that was written with a point stays a double.
        Value::Float(value) => Ok(float(-value)),
        value => Err(type_error(&value, "cannot be negated")),
    }
}

/// Returns the sum or difference of two exact integers.
fn whole(sum: i64) -> Value {
    if is_exact(sum) { Value::Int(sum) } else { float(sum as f64) }
}

/// Returns the elements for modification. Copies them if they are shared.
pub(super) fn owned_array(items: &mut Arc<Array>) -> Result<&mut Array> {
    if Arc::get_mut(items).is_none() {
        budget::charge_elements(items.len())?;
    }
    Ok(Arc::make_mut(items))
}

/// Returns the members for modification. Copies them if they are shared.
pub(super) fn owned_object(members: &mut Arc<Object>) -> Result<&mut Object> {
    if Arc::get_mut(members).is_none() {
        budget::charge(members.len().saturating_mul(ELEMENT))?;
    }
    Ok(Arc::make_mut(members))
}
