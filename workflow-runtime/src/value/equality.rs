//! Equality of JSON values, with bounded stack. The time is linear in the distinct parts, which
//! values may share.

use std::cmp::Ordering;
use std::sync::Arc;

use super::pairs::{Pairs, same_text};
use super::{Array, Object, Value};
use crate::budget;

/// The number of levels that are compared by recursion. Deeper values wait on a list.
const LEVELS: u32 = 64;

type Later<'a> = Vec<(&'a Value, &'a Value)>;

impl PartialEq for Value {
    #[inline]
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Array(_), Value::Array(_)) | (Value::Object(_), Value::Object(_)) => equal_parts([(self, other)]),
            _ => equal_scalars(self, other),
        }
    }
}

impl PartialEq for Array {
    fn eq(&self, other: &Array) -> bool {
        self.len() == other.len() && equal_parts(self.iter().zip(other.iter()))
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        // A missing member equals nothing, not even null.
        let members = || self.iter().map(|(key, left)| Some((left, other.get(key)?)));
        self.len() == other.len() && members().all(|pair| pair.is_some()) && equal_parts(members().flatten())
    }
}

/// Compares all pairs. The result is arbitrary once the budget is exhausted.
fn equal_parts<'a>(pairs: impl IntoIterator<Item = (&'a Value, &'a Value)>) -> bool {
    let (mut visited, mut later) = (Pairs::new(budget::spend), Later::new());
    for (left, right) in pairs {
        if !equal(left, right, 0, &mut visited, &mut later) {
            return false;
        }
        while let Some((left, right)) = later.pop() {
            if !equal(left, right, 0, &mut visited, &mut later) {
                return false;
            }
        }
    }
    true
}

#[inline]
fn equal_scalars(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => {
            left.compare_numbers(right) == Some(Ordering::Equal)
        }
        (Value::String(left), Value::String(right)) => same_text(left, right, budget::spend),
        _ => false,
    }
}

fn equal<'a>(left: &'a Value, right: &'a Value, level: u32, visited: &mut Pairs, later: &mut Later<'a>) -> bool {
    match (left, right) {
        (Value::Array(a), Value::Array(b)) => {
            if Arc::ptr_eq(a, b) {
                return true;
            }
            if a.len() != b.len() {
                return false;
            }
            if level == LEVELS {
                later.push((left, right));
                return visited.spend(1);
            }
            !visited.is_new(a, b)
                || a.iter()
                    .zip(b.iter())
                    .all(|(left, right)| visited.spend(1) && equal(left, right, level + 1, visited, later))
        }
        (Value::Object(a), Value::Object(b)) => {
            if Arc::ptr_eq(a, b) {
                return true;
            }
            if a.len() != b.len() {
                return false;
            }
            if level == LEVELS {
                later.push((left, right));
                return visited.spend(1);
            }
            let mut same = |(key, left): (_, &'a Value), visited: &mut Pairs| {
                let right = b.get(key);
                right.is_some_and(|right| visited.spend(1) && equal(left, right, level + 1, visited, later))
            };
            !visited.is_new(a, b) || a.iter().all(|(key, left)| same((key.as_str(), left), visited))
        }
        _ => equal_scalars(left, right),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// Returns a value of 2^levels leaves.
    fn doubled(leaf: Value, levels: usize) -> Value {
        (0..levels).fold(leaf, |inner, level| match level % 2 {
            0 => vec![inner.clone(), inner].into(),
            _ => crate::value!({ "a": (inner.clone()), "b": (inner) }),
        })
    }

    #[test]
    fn values_that_share_their_parts_are_compared_by_their_distinct_parts() {
        let start = Instant::now();
        for levels in [60, 2_000] {
            let one = doubled(Value::Int(1), levels);
            assert!(one == doubled(Value::Float(1.0), levels));
            assert!(one != doubled(Value::Int(2), levels));
            assert!(one.as_array() == doubled(1.into(), levels).as_array());
            assert!(one.as_object() == doubled(1.into(), levels).as_object());
        }
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_comparison_ends_with_the_turn() {
        let flat = |last: i64| -> Value { (0..3_000_000).map(|at| Value::Int(at % 7)).chain([last.into()]).collect() };
        let (one, other) = (flat(1), flat(1));
        let compared = || one == other;
        assert!(compared());
        let (answer, _) = budget::run(Duration::MAX, Duration::ZERO, || (compared(), budget::is_spent()));
        assert_eq!(answer, (false, true), "the answer is any, and the turn is over");
        let text = |last: &str| Value::from("x".repeat(10_000) + last);
        assert!(text("a") == text("a") && text("a") != text("b") && text("a") != text("aa"));
    }
}
