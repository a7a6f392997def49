//! Equality of JSON values, with bounded stack.

use std::cmp::Ordering;
use std::sync::Arc;

use super::{Object, Value};

/// How many levels are compared by recursion; what lies deeper waits on a list.
const LEVELS: u32 = 64;

type Pairs<'a> = Vec<(&'a Value, &'a Value)>;

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        let mut later = Pairs::new();
        if !equal(self, other, 0, &mut later) {
            return false;
        }
        while let Some((left, right)) = later.pop() {
            if !equal(left, right, 0, &mut later) {
                return false;
            }
        }
        true
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        self.len() == other.len() && self.iter().all(|(key, left)| other.get(key).is_some_and(|right| left == right))
    }
}

fn equal<'a>(left: &'a Value, right: &'a Value, level: u32, later: &mut Pairs<'a>) -> bool {
    match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => {
            left.compare_numbers(right) == Some(Ordering::Equal)
        }
        (Value::String(left), Value::String(right)) => left == right,
        (Value::Array(a), Value::Array(b)) => {
            if Arc::ptr_eq(a, b) {
                return true;
            }
            if a.len() != b.len() {
                return false;
            }
            if level == LEVELS {
                later.push((left, right));
                return true;
            }
            a.iter().zip(b.iter()).all(|(left, right)| equal(left, right, level + 1, later))
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
                return true;
            }
            a.iter().all(|(key, left)| b.get(key).is_some_and(|right| equal(left, right, level + 1, later)))
        }
        _ => false,
    }
}
