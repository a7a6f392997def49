//! Numbers: doubles in computations, exact integers as long as they are only passed on.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use super::budget;
use super::paths::Entries;
use crate::value::{Object, Value};

/// 2^53: up to here, every integer is a double.
const EXACT: u64 = 1 << 53;

thread_local! {
    /// `true` if a number that is not finite was computed since the last check.
    static NOT_FINITE: Cell<bool> = const { Cell::new(false) };
}

/// Returns `true` if the double of an integer is exact.
#[inline]
pub(super) fn is_exact(number: i64) -> bool {
    number.unsigned_abs() <= EXACT
}

/// Returns a computed number. Integers up to 2^53 become `Value::Int`, so that `3 / 3` is `1`.
/// `-0` stays a double.
#[inline]
pub fn number(value: f64) -> Value {
    let whole = value as i64;
    if whole as f64 == value && is_exact(whole) && (whole != 0 || value.is_sign_positive()) {
        Value::Int(whole)
    } else {
        float(value)
    }
}

/// Returns a number that is not an integer, or too large to be exact.
pub(super) fn float(value: f64) -> Value {
    if !value.is_finite() {
        NOT_FINITE.set(true);
    }
    Value::Float(value)
}

/// Returns a length or position.
pub(super) fn count(number: usize) -> Value {
    Value::from(number)
}

/// Returns a number as a double.
#[inline]
pub(super) fn as_double(value: &Value) -> Option<f64> {
    value.as_f64()
}

/// Returns `true` if the value is `nan`.
pub(super) fn is_nan(value: &Value) -> bool {
    matches!(value, Value::Float(number) if number.is_nan())
}

/// Converts a value to its JSON form, in which it leaves an expression: `nan` becomes null, and an
/// infinity the largest finite number.
///
/// Traverses the value only if a number that is not finite was computed on this thread.
pub fn finish(value: Value) -> Value {
    if NOT_FINITE.get() { finite(value) } else { value }
}

/// Converts a value as [`finish`] does, for expressions that are evaluated without limits: nothing
/// resets the flag before such an expression.
#[inline]
pub fn finished(value: Value) -> Value {
    if NOT_FINITE.replace(false) { finite(value) } else { value }
}

/// Resets the flag for numbers that are not finite, before an evaluation.
pub(super) fn forget() {
    NOT_FINITE.set(false);
}

/// An array or object whose parts are being converted.
struct Level<'a> {
    of: &'a Value,
    rest: Entries<'a>,
    parts: Vec<Value>,
}

/// Converts a value of any depth. Converts each shared part once. If the budget is exhausted, the
/// result is arbitrary.
fn finite(value: Value) -> Value {
    // Addresses stay unique, because the value is borrowed.
    let mut converted: HashMap<usize, Value> = HashMap::new();
    let mut open: Vec<Level<'_>> = Vec::new();
    let mut part = &value;
    loop {
        let address = shared_address(part);
        let mut complete = match Entries::of(part) {
            None => Some(finite_scalar(part)),
            Some(rest) => match address.and_then(|address| converted.get(&address)) {
                Some(value) => Some(value.clone()),
                None => {
                    open.push(Level { of: part, rest, parts: Vec::new() });
                    None
                }
            },
        };
        part = loop {
            let Some(innermost) = open.last_mut() else { return complete.unwrap_or_default() };
            innermost.parts.extend(complete.take());
            if !budget::walk(1) {
                return Value::Null;
            }
            match innermost.rest.next() {
                Some((_, next)) => break next,
                None => {
                    let done = open.pop().map(Level::close);
                    if let Some((of, value)) = done {
                        converted.extend(shared_address(of).map(|address| (address, value.clone())));
                        complete = Some(value);
                    }
                }
            }
        };
    }
}

impl<'a> Level<'a> {
    fn close(self) -> (&'a Value, Value) {
        let value = match self.of {
            Value::Object(members) => Object::from_distinct(members.keys().cloned().zip(self.parts).collect()).into(),
            _ => Value::from(self.parts),
        };
        (self.of, value)
    }
}

fn finite_scalar(value: &Value) -> Value {
    match value {
        Value::Float(number) if number.is_nan() => Value::Null,
        Value::Float(number) if number.is_infinite() => Value::Float(f64::MAX.copysign(*number)),
        other => other.clone(),
    }
}

/// Returns the address of an array or object with several references.
fn shared_address(value: &Value) -> Option<usize> {
    match value {
        Value::Array(items) if Arc::strong_count(items) > 1 => Some(Arc::as_ptr(items).addr()),
        Value::Object(members) if Arc::strong_count(members) > 1 => Some(Arc::as_ptr(members).addr()),
        _ => None,
    }
}

/// Appends the number as jq prints it.
pub(super) fn print(value: &Value, out: &mut String) {
    match value {
        Value::Int(number) => out.push_str(&number.to_string()),
        Value::Float(number) if number.is_nan() => out.push_str("null"),
        Value::Float(number) => print_double(number.clamp(f64::MIN, f64::MAX), out),
        _ => {}
    }
}

fn print_double(number: f64, out: &mut String) {
    if number.fract() == 0.0 && number.abs() < EXACT as f64 && number != 0.0 {
        // A computed number would be an integer. This number was written with a point, which is
        // kept.
        out.push_str(&format!("{number:?}"));
        return;
    }
    // The shortest digits that parse to the same double: `d.ddde-n`.
    let scientific = format!("{number:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if mantissa.starts_with('-') {
        out.push('-');
    }
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    // The position of the point, counted from the first digit.
    let point = exponent + 1;
    let len = digits.len() as i32;
    if point <= -4 || point > len + 15 {
        let (first, rest) = digits.split_at(1);
        out.push_str(first);
        if !rest.is_empty() {
            out.push('.');
            out.push_str(rest);
        }
        let sign = if exponent < 0 { '-' } else { '+' };
        out.push_str(&format!("e{sign}{:02}", exponent.unsigned_abs()));
    } else if point <= 0 {
        out.push_str("0.");
        out.extend(std::iter::repeat_n('0', point.unsigned_abs() as usize));
        out.push_str(&digits);
    } else {
        let whole = (point.min(len)) as usize;
        out.push_str(&digits[..whole]);
        out.extend(std::iter::repeat_n('0', (point - len).max(0) as usize));
        if whole < digits.len() {
            out.push('.');
            out.push_str(&digits[whole..]);
        }
    }
}
