//! Numbers: exact comparison of whole numbers with doubles.

use std::cmp::Ordering;

use super::Value;

/// 2^63, the first whole number above all `i64`.
const LIMIT: f64 = 9_223_372_036_854_775_808.0;

/// Returns the double as a signed whole number, if it is one that fits.
pub(super) fn whole(value: f64) -> Option<i64> {
    (value.fract() == 0.0 && (-LIMIT..LIMIT).contains(&value)).then_some(value as i64)
}

/// Returns the double as an unsigned whole number, if it is one that fits.
pub(super) fn whole_unsigned(value: f64) -> Option<u64> {
    (value.fract() == 0.0 && (0.0..2.0 * LIMIT).contains(&value)).then_some(value as u64)
}

/// The key of the object that represents a number for `serde_json` with the feature
/// `arbitrary_precision`, which any crate of a program turns on for all. Its value is the digits.
pub(super) const DIGITS: &str = "$serde_json::private::Number";

/// Returns the number with these digits, if a double can hold it.
pub(super) fn from_digits(digits: &str) -> Option<Value> {
    match digits.parse() {
        Ok(value) => Some(Value::Int(value)),
        Err(_) => digits.parse().ok().filter(|value: &f64| value.is_finite()).map(Value::Float),
    }
}

impl Value {
    /// Compares two numbers by value, without rounding. `None` if either value is not a number.
    pub fn compare_numbers(&self, other: &Value) -> Option<Ordering> {
        match (self, other) {
            (Value::Int(left), Value::Int(right)) => Some(left.cmp(right)),
            (Value::Float(left), Value::Float(right)) => left.partial_cmp(right),
            (Value::Int(left), Value::Float(right)) => compare(*left, *right),
            (Value::Float(left), Value::Int(right)) => compare(*right, *left).map(Ordering::reverse),
            _ => None,
        }
    }
}

fn compare(left: i64, right: f64) -> Option<Ordering> {
    if right.is_nan() {
        return None;
    }
    if right >= LIMIT {
        return Some(Ordering::Less);
    }
    if right < -LIMIT {
        return Some(Ordering::Greater);
    }
    // In this range the whole part fits, and the cast drops the fraction.
    let by_whole_part = left.cmp(&(right as i64));
    Some(by_whole_part.then_with(|| 0.0_f64.total_cmp(&(right.fract() + 0.0))))
}
