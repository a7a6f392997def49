//! `States.Array…` (ASL, Appendix B).

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::intrinsic::{array, failed, truncated};
use crate::budget;
use crate::fault::Fault;
use crate::value::{Str, Value};

/// The largest array that `States.ArrayRange` makes.
const LONGEST_RANGE: i64 = 1000;

/// How many levels of a value make its fingerprint, and how many elements or members at each.
const LEVELS: u32 = 3;
const BREADTH: usize = 32;

/// `States.ArrayPartition`: parts of at most this many elements. What lies behind the point of the size is dropped.
pub fn array_partition(items: &Value, size: &Value, call: &'static str) -> Result<Value, Fault> {
    let items = array(items, call)?;
    let size = truncated(size, call)?;
    if size < 1 {
        return Err(failed(call, "the size of a part must be at least 1."));
    }
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    budget::spend(items.len());
    Ok(items.chunks(size).map(|part| part.iter().collect::<Value>()).collect())
}

/// `States.ArrayContains`
pub fn array_contains(items: &Value, wanted: &Value, call: &'static str) -> Result<Value, Fault> {
    Ok(array(items, call)?.iter().any(|item| budget::spend(1) && item == wanted).into())
}

/// `States.ArrayRange`: from the first to the last number, which is included if it is met. What lies behind the points is
/// dropped.
pub fn array_range(first: &Value, last: &Value, step: &Value, call: &'static str) -> Result<Value, Fault> {
    let (first, last, step) = (truncated(first, call)?, truncated(last, call)?, truncated(step, call)?);
    if step == 0 {
        return Err(failed(call, "the step cannot be 0."));
    }
    // In 128 bits nothing overflows.
    let steps = (i128::from(last) - i128::from(first)) / i128::from(step);
    let is_empty = if step > 0 { last < first } else { last > first };
    let len = if is_empty { 0 } else { steps + 1 };
    if len > i128::from(LONGEST_RANGE) {
        return Err(failed(call, "the range has more than 1000 elements."));
    }
    // Every element lies between the first and the last number, and so in 64 bits.
    Ok((0..len).map(|number| Value::Int((i128::from(first) + number * i128::from(step)) as i64)).collect())
}

/// `States.ArrayGetItem`: null of an empty array. What lies behind the point of the index is dropped.
pub fn array_get_item(items: &Value, index: &Value, call: &'static str) -> Result<Value, Fault> {
    let items = array(items, call)?;
    let index = truncated(index, call)?;
    if items.is_empty() {
        return Ok(Value::Null);
    }
    let found = usize::try_from(index).ok().and_then(|index| items.get(index));
    found.cloned().ok_or_else(|| {
        failed(call, format_args!("the index {index} is outside the array, which has {} elements.", items.len()))
    })
}

/// `States.ArrayLength`
pub fn array_length(items: &Value, call: &'static str) -> Result<Value, Fault> {
    Ok(array(items, call)?.len().into())
}

/// `States.ArrayUnique`: the first of equal elements stays.
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

/// A number that equal values share, and others seldom do.
fn fingerprint(value: &Value, levels: u32) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.kind().hash(&mut hasher);
    budget::spend(1);
    match value {
        Value::Null => {}
        Value::Bool(value) => value.hash(&mut hasher),
        // Equal numbers have equal nearest doubles; adding 0 makes -0 a 0.
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
                // Equal objects may have their members in different orders.
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
