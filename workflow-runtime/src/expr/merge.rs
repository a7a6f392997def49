//! Data merged into other data.
//!
//! Values share their parts: two that hold one object twice on each of sixty levels have 2^60 places to be merged. What has been
//! merged with each other is remembered, so that the result shares its parts as they do.

use std::collections::HashMap;
use std::sync::Arc;

use crate::budget;
use crate::value::{Object, Value};

/// Values that are nested deeper than this replace each other where they would be merged: data of tasks are not trusted.
#[cfg(any(feature = "serverless-workflow", feature = "workflow-dsl"))]
pub(super) const DEEPEST: usize = 128;

/// Data with other data merged into them: members of objects one by one, on all levels; else what is new replaces what was, and
/// nothing adds nothing.
#[cfg(any(feature = "serverless-workflow", feature = "workflow-dsl"))]
pub fn merge(data: Value, new: Value) -> Value {
    match (data, new) {
        (data, Value::Null) => data,
        (Value::Object(data), Value::Object(new)) => Value::Object(merged(data, &new, DEEPEST).0),
        (_, new) => new,
    }
}

/// The members of two objects, of which those that are objects in both are merged; and whether there were some on deeper levels
/// than these, the outermost one included, which replace each other.
pub(super) fn merged(mut data: Arc<Object>, new: &Arc<Object>, levels: usize) -> (Arc<Object>, bool) {
    let mut merge = Merge::default();
    merge.add(&mut data, new, levels);
    (data, merge.is_too_deep)
}

/// Objects that have been merged.
#[derive(Default)]
struct Merge {
    is_too_deep: bool,
    /// What became of a shared object that another one was merged into, by the addresses of both.
    known: HashMap<(usize, usize, usize), Known>,
}

/// What became of two objects; they are kept so that their addresses stay theirs.
struct Known {
    _before: (Arc<Object>, Arc<Object>),
    merged: Arc<Object>,
}

impl Merge {
    /// Merges members into an object, in place where nothing else holds it. Stops when the turn's budget is spent.
    fn add(&mut self, object: &mut Arc<Object>, new: &Arc<Object>, levels: usize) {
        if Arc::ptr_eq(object, new) {
            return;
        }
        // What is too deep depends on the level.
        let key = (Arc::as_ptr(object).addr(), Arc::as_ptr(new).addr(), levels);
        // What nothing shares is met once.
        let before = (Arc::strong_count(object) > 1).then(|| (Arc::clone(object), Arc::clone(new)));
        if before.is_some()
            && let Some(known) = self.known.get(&key)
        {
            *object = Arc::clone(&known.merged);
            return;
        }
        let copied = if before.is_some() { object.len() } else { 0 };
        if !budget::spend(1 + copied + new.len()) {
            return;
        }
        let members = Arc::make_mut(object);
        for (key, value) in new.iter() {
            match (members.get_mut(key), value) {
                (Some(Value::Object(inner)), Value::Object(more)) if levels > 1 => self.add(inner, more, levels - 1),
                (Some(before), value) => {
                    self.is_too_deep |= matches!((&*before, value), (Value::Object(_), Value::Object(_)));
                    *before = value.clone();
                }
                (None, value) => drop(members.insert(key, value)),
            }
        }
        if let Some(before) = before {
            self.known.insert(key, Known { _before: before, merged: Arc::clone(object) });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::value;

    fn doubled(leaf: &str, levels: usize) -> Arc<Object> {
        let mut object = Arc::new(Object::from_iter([(leaf.into(), Value::Int(1))]));
        for _ in 0..levels {
            let members = ["a", "b"].map(|key| (key.into(), Value::Object(Arc::clone(&object))));
            object = Arc::new(Object::from_iter(members));
        }
        object
    }

    #[test]
    fn objects_that_share_their_parts_are_merged_by_their_distinct_parts() {
        let start = Instant::now();
        let (merged, is_too_deep) = merged(doubled("x", 100), &doubled("y", 100), 127);
        assert!(start.elapsed() < Duration::from_secs(5) && !is_too_deep);
        let leaf =
            (0..100).fold(&Value::Object(merged), |value, at| value.get(["a", "b"][at % 2]).expect("a member")).clone();
        assert_eq!(leaf, value!({"x": 1, "y": 1}));
    }

    #[test]
    fn too_many_levels_are_told() {
        for (levels, is_told) in [(3, false), (2, true)] {
            let (merged, is_too_deep) = merged(doubled("x", 2), &doubled("y", 2), levels);
            assert_eq!(is_too_deep, is_told);
            let leaf = Value::Object(merged).get("a").and_then(|a| a.get("b")?.get("x")).cloned();
            assert_eq!(leaf.is_some(), !is_told);
        }
    }

    #[cfg(any(feature = "serverless-workflow", feature = "workflow-dsl"))]
    #[test]
    fn data_are_merged_where_they_are() {
        let merged =
            merge(value!({"a": {"b": 1, "c": {"d": 1}}, "e": 1}), value!({"a": {"c": {"f": 2}}, "e": {"g": 3}}));
        assert_eq!(merged, value!({"a": {"b": 1, "c": {"d": 1, "f": 2}}, "e": {"g": 3}}));
        assert_eq!(merge(value!({"a": 1}), Value::Null), value!({"a": 1}));
        assert_eq!(merge(value!({"a": 1}), value!([1])), value!([1]));
    }
}
