//! Data merged into other data.

use crate::value::Value;

/// Values that are nested deeper than this replace each other where they would be merged: data of tasks are not trusted.
pub(super) const DEEPEST: usize = 128;

/// Data with other data merged into them: members of objects one by one, on all levels; else what is new replaces what was, and
/// nothing adds nothing.
pub fn merge(data: Value, new: Value) -> Value {
    if new.is_null() {
        return data;
    }
    merge_within(data, new, DEEPEST)
}

fn merge_within(mut data: Value, new: Value, levels: usize) -> Value {
    let (Some(all), Some(more)) = (data.as_object_mut().filter(|_| levels > 0), new.as_object()) else { return new };
    for (key, value) in more.iter() {
        match all.get_mut(key) {
            Some(before @ Value::Object(_)) if value.as_object().is_some() => {
                *before = merge_within(std::mem::take(before), value.clone(), levels - 1);
            }
            Some(before) => *before = value.clone(),
            None => drop(all.insert(key.clone(), value.clone())),
        }
    }
    data
}
