//! Comparisons of values. They need bounded stack for any depth, and time proportional to the
//! distinct parts.
//!
//! Comparisons count their steps ([`budget::walk`]). If the budget is exhausted, the result is
//! arbitrary, and the evaluation fails when it ends.

use std::cmp::Ordering;
use std::sync::Arc;

use super::{Result, budget};
use crate::value::pairs::{Pairs, compare_texts, same_text};
use crate::value::{Object, Str, Value};

/// Returns `true` if a value counts as true. Only null and false do not.
#[inline]
pub fn truthy(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false))
}

/// Compares two values: null, false, true, numbers, strings, arrays, objects.
///
/// `nan` is less than any number, itself included. Numbers are compared as doubles, but integers
/// of the data are compared exactly.
#[inline]
pub fn cmp(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => left.cmp(right),
        (Value::String(left), Value::String(right)) => compare_texts(left, right, budget::walk),
        (Value::Array(_), Value::Array(_)) | (Value::Object(_), Value::Object(_)) => compare(left, right, numbers),
        _ => compare_scalars(left, right, numbers),
    }
}

/// Compares as [`cmp`] does, but with a total order, for sorting: all `nan` are equal, and numbers
/// are compared exactly.
pub(super) fn total(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Array(_), Value::Array(_)) | (Value::Object(_), Value::Object(_)) => {
            compare(left, right, numbers_total)
        }
        _ => compare_scalars(left, right, numbers_total),
    }
}

/// Returns `true` if two values are equal. `nan` is not equal to itself. `[nan]` is equal only to
/// the same array in memory.
#[inline]
pub fn eq(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => left == right,
        (Value::String(left), Value::String(right)) => same_text(left, right, budget::walk),
        (Value::Array(_), Value::Array(_)) | (Value::Object(_), Value::Object(_)) => equal(left, right),
        _ => same_scalar(left, right),
    }
}

fn numbers(left: &Value, right: &Value) -> Ordering {
    if let (Value::Int(left), Value::Int(right)) = (left, right) {
        return left.cmp(right);
    }
    let (left, right) = (left.as_f64().unwrap_or_default(), right.as_f64().unwrap_or_default());
    if left.is_nan() {
        Ordering::Less
    } else if right.is_nan() {
        Ordering::Greater
    } else {
        left.partial_cmp(&right).unwrap_or(Ordering::Equal)
    }
}

fn numbers_total(left: &Value, right: &Value) -> Ordering {
    left.compare_numbers(right).unwrap_or_else(|| super::number::is_nan(right).cmp(&super::number::is_nan(left)))
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(false) => 1,
        Value::Bool(true) => 2,
        Value::Int(_) | Value::Float(_) => 3,
        Value::String(_) => 4,
        Value::Array(_) => 5,
        Value::Object(_) => 6,
    }
}

/// Compares two values that are neither both arrays nor both objects.
fn compare_scalars(left: &Value, right: &Value, numbers: fn(&Value, &Value) -> Ordering) -> Ordering {
    match (left, right) {
        (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => numbers(left, right),
        (Value::String(left), Value::String(right)) => compare_texts(left, right, budget::walk),
        _ => rank(left).cmp(&rank(right)),
    }
}

/// Tests two values for equality as [`compare_scalars`] does.
fn same_scalar(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Int(left), Value::Int(right)) => left == right,
        (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => left.as_f64() == right.as_f64(),
        (Value::String(left), Value::String(right)) => same_text(left, right, budget::walk),
        _ => false,
    }
}

/// Two arrays or objects whose parts are being compared.
enum Pair<'a> {
    /// The remaining elements of both arrays, and the comparison of the lengths.
    Arrays(std::iter::Zip<std::slice::Iter<'a, Value>, std::slice::Iter<'a, Value>>, Ordering),
    /// The members of two objects with the same keys, in the order of the keys.
    Objects(std::vec::IntoIter<(&'a Value, &'a Value)>),
}

fn compare(left: &Value, right: &Value, numbers: fn(&Value, &Value) -> Ordering) -> Ordering {
    let mut open = Vec::new();
    let mut pairs = Pairs::new(budget::walk);
    let mut order = enter(left, right, numbers, &mut pairs, &mut open);
    while order.is_eq() && pairs.spend(1) {
        let Some(innermost) = open.last_mut() else { break };
        let next = match innermost {
            Pair::Arrays(parts, lengths) => parts.next().ok_or(*lengths),
            Pair::Objects(parts) => parts.next().ok_or(Ordering::Equal),
        };
        order = match next {
            Ok((left, right)) => enter(left, right, numbers, &mut pairs, &mut open),
            Err(order) => {
                open.pop();
                order
            }
        };
    }
    order
}

/// Compares two values, or pushes a pair of arrays or objects for later.
fn enter<'a>(
    left: &'a Value,
    right: &'a Value,
    numbers: fn(&Value, &Value) -> Ordering,
    pairs: &mut Pairs,
    open: &mut Vec<Pair<'a>>,
) -> Ordering {
    match (left, right) {
        // An array is compared even with itself: it can contain `nan`, which is less than itself.
        (Value::Array(left), Value::Array(right)) => {
            if !pairs.is_new(left, right) {
                return Ordering::Equal;
            }
            open.push(Pair::Arrays(left.iter().zip(right.iter()), left.len().cmp(&right.len())));
            Ordering::Equal
        }
        (Value::Object(left), Value::Object(right)) => {
            if !pairs.is_new(left, right) || !pairs.spend(left.len() + right.len()) {
                return Ordering::Equal;
            }
            let (left, right) = (sorted(left), sorted(right));
            let order = left.iter().map(|(key, _)| key).cmp(right.iter().map(|(key, _)| key));
            if order.is_eq() {
                let parts: Vec<_> = left.iter().zip(&right).map(|(left, right)| (left.1, right.1)).collect();
                open.push(Pair::Objects(parts.into_iter()));
            }
            order
        }
        _ => compare_scalars(left, right, numbers),
    }
}

/// Returns the members of an object in the order of their keys.
pub(super) fn sorted(object: &Object) -> Vec<(&Str, &Value)> {
    let mut members: Vec<_> = object.iter().collect();
    members.sort_unstable_by_key(|(key, _)| *key);
    members
}

fn equal(left: &Value, right: &Value) -> bool {
    let mut later = Vec::new();
    let mut pairs = Pairs::new(budget::walk);
    let mut same = same(left, right, &mut pairs, &mut later);
    while let Some((left, right)) = later.pop().filter(|_| same) {
        same = self::same(left, right, &mut pairs, &mut later);
    }
    same
}

type Later<'a> = Vec<(&'a Value, &'a Value)>;

/// Returns `true` if two values are equal, apart from the parts that are added to `later`.
fn same<'a>(left: &'a Value, right: &'a Value, pairs: &mut Pairs, later: &mut Later<'a>) -> bool {
    match (left, right) {
        (Value::Array(a), Value::Array(b)) => {
            if Arc::ptr_eq(a, b) {
                return true;
            }
            if a.len() != b.len() || !pairs.is_new(a, b) {
                return a.len() == b.len();
            }
            a.iter().zip(b.iter()).all(|(a, b)| pairs.spend(1) && same_or_later(a, b, later))
        }
        (Value::Object(a), Value::Object(b)) => {
            if Arc::ptr_eq(a, b) {
                return true;
            }
            if a.len() != b.len() || !pairs.is_new(a, b) {
                return a.len() == b.len();
            }
            let members = |(key, a)| b.get(key as &Str).map(|b| (a, b));
            a.iter().map(members).all(|pair: Option<(&'a Value, &'a Value)>| {
                pair.is_some_and(|(a, b)| pairs.spend(1) && same_or_later(a, b, later))
            })
        }
        _ => same_scalar(left, right),
    }
}

/// Compares scalars immediately, and adds other values to `later`.
fn same_or_later<'a>(left: &'a Value, right: &'a Value, later: &mut Later<'a>) -> bool {
    match (left, right) {
        (Value::Array(_), Value::Array(_)) | (Value::Object(_), Value::Object(_)) => {
            later.push((left, right));
            true
        }
        _ => same_scalar(left, right),
    }
}

/// Sorts by keys. The sort is stable. It fails if the budget is exhausted, so that an arbitrary
/// order never becomes a result.
pub(super) fn sort_by_key<T: Clone>(mut items: Vec<T>, key: impl Fn(&T) -> &Value) -> Result<Vec<T>> {
    // The approximate number of comparisons.
    budget::steps(items.len() as u64 * u64::from(items.len().max(1).ilog2() + 1))?;
    if items.iter().map(&key).all(is_small) {
        items.sort_by(|left, right| total(key(left), key(right)));
        return Ok(items);
    }
    crate::expr::sort::merge_sort(items, &mut |left, right| {
        let order = total(key(left), key(right));
        budget::walked().map(|()| order)
    })
}

/// Returns `true` if the value is compared immediately and without counting.
fn is_small(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() < 256,
        Value::Array(_) | Value::Object(_) => false,
        _ => true,
    }
}
