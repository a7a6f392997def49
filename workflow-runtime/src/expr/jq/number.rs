//! Numbers: doubles in computations, exact whole numbers as long as they are only passed on.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use super::budget;
use super::paths::Parts;
use crate::value::{Object, Value};

/// 2^53: up to here every whole number is a double.
const EXACT: u64 = 1 << 53;

thread_local! {
    /// Whether a number was made that is not finite, since the last time one asked.
    static NOT_FINITE: Cell<bool> = const { Cell::new(false) };
}

/// Whether computing with the number is computing with its double.
#[inline]
pub(super) fn is_exact(number: i64) -> bool {
    number.unsigned_abs() <= EXACT
}

/// A computed number. Whole ones are kept as such up to 2^53, so that `3 / 3` is `1`; `-0` is a double.
#[inline]
pub fn number(value: f64) -> Value {
    let whole = value as i64;
    if whole as f64 == value && is_exact(whole) && (whole != 0 || value.is_sign_positive()) {
        Value::Int(whole)
    } else {
        float(value)
    }
}

/// A number that is not whole, or too large to be exact.
pub(super) fn float(value: f64) -> Value {
    if !value.is_finite() {
        NOT_FINITE.set(true);
    }
    Value::Float(value)
}

/// A length or position.
pub(super) fn count(number: usize) -> Value {
    Value::from(number)
}

/// The number as computations see it.
#[inline]
pub(super) fn as_double(value: &Value) -> Option<f64> {
    value.as_f64()
}

/// Whether the value is `nan`.
pub(super) fn is_nan(value: &Value) -> bool {
    matches!(value, Value::Float(number) if number.is_nan())
}

/// The value as JSON can tell it, which is how it leaves an expression: `nan` becomes null, what is infinite the greatest
/// number there is.
///
/// Looks into the value only if a number was made on this thread that is not finite.
pub fn finish(value: Value) -> Value {
    if NOT_FINITE.get() { finite(value) } else { value }
}

/// As [`finish`], for what is evaluated without limits: nothing forgets before it what numbers were made.
#[inline]
pub fn finished(value: Value) -> Value {
    if NOT_FINITE.replace(false) { finite(value) } else { value }
}

/// Forgets what numbers were made, before an evaluation.
pub(super) fn forget() {
    NOT_FINITE.set(false);
}

/// An array or object of which finite parts are being made.
struct Level<'a> {
    of: &'a Value,
    rest: Parts<'a>,
    made: Vec<Value>,
}

/// Makes the finite value once of each part that is shared; nested to any depth. Without a budget the result is any.
fn finite(value: Value) -> Value {
    // By their addresses, which stay as they are: the value is borrowed.
    let mut known: HashMap<usize, Value> = HashMap::new();
    let mut open: Vec<Level<'_>> = Vec::new();
    let mut part = &value;
    loop {
        let address = shared_address(part);
        let mut made = match Parts::of(part) {
            None => Some(finite_scalar(part)),
            Some(rest) => match address.and_then(|address| known.get(&address)) {
                Some(known) => Some(known.clone()),
                None => {
                    open.push(Level { of: part, rest, made: Vec::new() });
                    None
                }
            },
        };
        part = loop {
            let Some(innermost) = open.last_mut() else { return made.unwrap_or_default() };
            innermost.made.extend(made.take());
            if !budget::walk(1) {
                return Value::Null;
            }
            match innermost.rest.next() {
                Some((_, next)) => break next,
                None => {
                    let done = open.pop().map(Level::close);
                    if let Some((of, value)) = done {
                        known.extend(shared_address(of).map(|address| (address, value.clone())));
                        made = Some(value);
                    }
                }
            }
        };
    }
}

impl<'a> Level<'a> {
    fn close(self) -> (&'a Value, Value) {
        let value = match self.of {
            Value::Object(members) => Object::from_distinct(members.keys().cloned().zip(self.made).collect()).into(),
            _ => Value::from(self.made),
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

/// The address of an array or object that there are several handles of.
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
        // Computed, it would be whole: it was written with a point, which is kept.
        out.push_str(&format!("{number:?}"));
        return;
    }
    // The shortest digits that read back the same: `d.ddde-n`.
    let scientific = format!("{number:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if mantissa.starts_with('-') {
        out.push('-');
    }
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    // Where the point stands, counted from the first digit.
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
