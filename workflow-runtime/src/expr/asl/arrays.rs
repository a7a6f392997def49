//! The intrinsic functions `States.Array…` (Amazon States Language, Appendix B).

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::intrinsic::{array, refused, truncated};
use crate::budget;
use crate::fault::Fault;
use crate::value::{Str, Value};

/// The maximum length of an array made by `States.ArrayRange`.
const LONGEST_RANGE: i64 = 1000;

/// The depth of a fingerprint, and the number of elements or members on each level.
const LEVELS: u32 = 3;
const BREADTH: usize = 32;

/// Implements `States.ArrayPartition`: returns chunks of at most `size` elements. The fraction of
/// the size is dropped.
pub fn array_partition(items: &Value, size: &Value, call: &'static str) -> Result<Value, Fault> {
    let items = array(items, call)?;
    let size = truncated(size, call)?;
    if size < 1 {
        return Err(refused(call));
    }
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    budget::spend(items.len());
    Ok(items.chunks(size).map(|part| part.iter().collect::<Value>()).collect())
}

/// Implements `States.ArrayContains`.
pub fn array_contains(items: &Value, wanted: &Value, call: &'static str) -> Result<Value, Fault> {
    Ok(array(items, call)?.iter().any(|item| budget::spend(1) && item == wanted).into())
}

/// Implements `States.ArrayRange`: returns the numbers from `first` to `last`, inclusive.
/// Fractions are dropped.
pub fn array_range(first: &Value, last: &Value, step: &Value, call: &'static str) -> Result<Value, Fault> {
    let (first, last, step) = (truncated(first, call)?, truncated(last, call)?, truncated(step, call)?);
    if step == 0 {
        return Err(refused(call));
    }
    // 128 bits cannot overflow here.
    let steps = (i128::from(last) - i128::from(first)) / i128::from(step);
    let is_empty = if step > 0 { last < first } else { last > first };
    let len = if is_empty { 0 } else { steps + 1 };
    if len > i128::from(LONGEST_RANGE) {
        return Err(refused(call));
    }
    // Every element is between the first and the last number, and so fits in 64 bits.
    Ok((0..len).map(|number| Value::Int((i128::from(first) + number * i128::from(step)) as i64)).collect())
}

/// Implements `States.ArrayGetItem`. Returns null for an empty array. The fraction of the index is
/// dropped.
pub fn array_get_item(items: &Value, index: &Value, call: &'static str) -> Result<Value, Fault> {
    let items = array(items, call)?;
    let index = truncated(index, call)?;
    if items.is_empty() {
        return Ok(Value::Null);
    }
    let item = usize::try_from(index).ok().and_then(|index| items.get(index));
    item.cloned().ok_or_else(|| refused(call))
}

/// Implements `States.ArrayLength`.
pub fn array_length(items: &Value, call: &'static str) -> Result<Value, Fault> {
    Ok(array(items, call)?.len().into())
}

/// Implements `States.ArrayUnique`: keeps the first of equal elements.
pub fn array_unique(items: &Value, call: &'static str) -> Result<Value, Fault> {
    let mut kept: Vec<&Value> = Vec::new();
    let mut by_trait: HashMap<u64, Vec<&Value>> = HashMap::new();
    for item in array(items, call)?.iter() {
        if !budget::spend(1) {
            break;
        }
        let alike = by_trait.entry(fingerprint(item, LEVELS)).or_default();
        if !alike.iter().any(|other| budget::spend(1) && *other == item) {
            alike.push(item);
            kept.push(item);
        }
    }
    Ok(kept.into_iter().collect())
}

/// Returns a hash. Equal values have equal hashes.
fn fingerprint(value: &Value, levels: u32) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.kind().hash(&mut hasher);
    budget::spend(1);
    match value {
        Value::Null => {}
        Value::Bool(value) => value.hash(&mut hasher),
        // Equal numbers have equal nearest doubles. Adding 0 turns -0 into 0.
        Value::Int(number) => ((*number as f64) + 0.0).to_bits().hash(&mut hasher),
        Value::Float(number) => (number + 0.0).to_bits().hash(&mut hasher),
        Value::String(text) => {
            budget::spend_text(text);
            text.hash(&mut hasher);
        }
        Value::Array(items) => {
            items.len().hash(&mut hasher);
            if levels > 0 {
                items.iter().take(BREADTH).for_each(|item| fingerprint(item, levels - 1).hash(&mut hasher));
            }
        }
        Value::Object(members) => {
            members.len().hash(&mut hasher);
            if levels > 0 && members.len() <= BREADTH {
                // Equal objects can have their members in different orders.
                let member = |(key, value): (&Str, &Value)| {
                    let mut hasher = DefaultHasher::new();
                    (key, fingerprint(value, levels - 1)).hash(&mut hasher);
                    hasher.finish()
                };
                members.iter().map(member).fold(0, u64::wrapping_add).hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}
