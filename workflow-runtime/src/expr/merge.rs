//! Deep merging of objects.
//!
//! Values can share their parts: two values that contain one object twice on each of sixty levels
//! have 2^60 places to merge. The merge remembers the result for each pair of objects, so that its
//! time is bounded by the distinct parts, and the result shares its parts as well.

use std::collections::HashMap;
use std::sync::Arc;

use crate::budget;
use crate::value::{Object, Value};

/// The maximum depth of a merge. Deeper objects replace each other instead of being merged,
/// because data of tasks are not trusted.
#[cfg(any(feature = "serverless-workflow", feature = "workflow-dsl"))]
pub(super) const DEEPEST: usize = 128;

/// Merges `new` into `data`: objects member by member, on all levels. Any other new value replaces
/// the old value, and null adds nothing.
#[cfg(any(feature = "serverless-workflow", feature = "workflow-dsl"))]
pub fn merge(data: Value, new: Value) -> Value {
    match (data, new) {
        (data, Value::Null) => data,
        (Value::Object(data), Value::Object(new)) => Value::Object(merged(data, &new, DEEPEST).0),
        (_, new) => new,
    }
}

/// Merges the members of two objects, recursively where both members are objects, down to `levels`
/// levels including the outermost. Returns `true` with the result if objects below this depth
/// replaced each other.
pub(super) fn merged(mut data: Arc<Object>, new: &Arc<Object>, levels: usize) -> (Arc<Object>, bool) {
    let mut merge = Merge::default();
    merge.add(&mut data, new, levels);
    (data, merge.is_too_deep)
}

/// The state of one merge.
#[derive(Default)]
struct Merge {
    is_too_deep: bool,
    /// The results for shared target objects, by the addresses of both objects and the remaining
    /// levels.
    results: HashMap<(usize, usize, usize), MergeResult>,
}

/// The result for two objects. Both objects are kept alive, so that their addresses stay unique.
struct MergeResult {
    _before: (Arc<Object>, Arc<Object>),
    merged: Arc<Object>,
}

impl Merge {
    /// Merges members into an object, in place if the object is not shared. Stops when the turn's
    /// budget is spent.
    fn add(&mut self, object: &mut Arc<Object>, new: &Arc<Object>, levels: usize) {
        if Arc::ptr_eq(object, new) {
            return;
        }
        // The depth limit makes the result depend on the level.
        let key = (Arc::as_ptr(object).addr(), Arc::as_ptr(new).addr(), levels);
        // An object that is not shared is visited only once.
        let before = (Arc::strong_count(object) > 1).then(|| (Arc::clone(object), Arc::clone(new)));
        if before.is_some()
            && let Some(result) = self.results.get(&key)
        {
            *object = Arc::clone(&result.merged);
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
            self.results.insert(key, MergeResult { _before: before, merged: Arc::clone(object) });
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
    fn too_many_levels_are_reported() {
        for (levels, exceeds_limit) in [(3, false), (2, true)] {
            let (merged, is_too_deep) = merged(doubled("x", 2), &doubled("y", 2), levels);
            assert_eq!(is_too_deep, exceeds_limit);
            let leaf = Value::Object(merged).get("a").and_then(|a| a.get("b")?.get("x")).cloned();
            assert_eq!(leaf.is_some(), !exceeds_limit);
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
