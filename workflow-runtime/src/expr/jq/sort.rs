//! Sorting and grouping, by the values themselves or by keys that a filter computes.

use super::collections::items;
use super::{Result, budget, order, type_error, type_error2};
use crate::value::{Array, Value};

/// The function that returns the sort key of an element. For a filter without exactly one output,
/// the key is the array of its outputs.
pub type KeyFilter<'a> = &'a mut dyn FnMut(&Value) -> Result<Value>;

/// The elements with their keys, in the order of the keys.
struct Keyed<'a>(Vec<(Value, &'a Value)>);

impl<'a> Keyed<'a> {
    fn sorted(value: &'a Value, refusal: &str, key: KeyFilter) -> Result<Keyed<'a>> {
        let (items, keys) = keys_of(value, key, refusal)?;
        let keyed = keys.into_iter().zip(items).collect();
        order::sort_by_key(keyed, |(key, _)| key).map(Keyed)
    }
}

/// Returns the keys of all elements. A value that is not an array is an error, but its keys are
/// computed first if it can be iterated.
fn keys_of<'a>(value: &'a Value, key: KeyFilter, refusal: &str) -> Result<(&'a Array, Vec<Value>)> {
    let all = items(value)?;
    let mut keys = Vec::new();
    for item in all {
        budget::charge_elements(2)?;
        keys.push(key(item)?);
    }
    match value {
        Value::Array(items) => Ok((items, keys)),
        _ => {
            let keys: Value = keys.into_iter().map(|key| Value::from(vec![key])).collect();
            Err(type_error2(value, &keys, refusal))
        }
    }
}

const UNSORTED: &str = "cannot be sorted, as they are not both arrays";
const UNITERATED: &str = "cannot be iterated over";

/// Implements `sort`.
pub fn sort(value: &Value) -> Result<Value> {
    let Value::Array(items) = value else {
        return Err(type_error(value, "cannot be sorted, as it is not an array"));
    };
    budget::charge_elements(items.len())?;
    order::sort_by_key(items.to_vec(), |item| item).map(Value::from)
}

/// Implements `sort_by(key)`.
pub fn sort_by(value: &Value, mut key: impl FnMut(&Value) -> Result<Value>) -> Result<Value> {
    let keyed = Keyed::sorted(value, UNSORTED, &mut key)?;
    Ok(keyed.0.into_iter().map(|(_, item)| item).collect())
}

/// Implements `group_by(key)`.
pub fn group_by(value: &Value, mut key: impl FnMut(&Value) -> Result<Value>) -> Result<Value> {
    let keyed = Keyed::sorted(value, UNSORTED, &mut key)?;
    let mut groups: Vec<Vec<Value>> = Vec::new();
    let mut current: Option<Value> = None;
    for (key, item) in keyed.0 {
        budget::charge_elements(1)?;
        match groups.last_mut() {
            Some(group) if current.as_ref().is_some_and(|current| order::eq(current, &key)) => group.push(item.clone()),
            _ => {
                groups.push(vec![item.clone()]);
                current = Some(key);
            }
        }
    }
    Ok(groups.into_iter().map(Value::from).collect())
}

/// Implements `unique`.
pub fn unique(value: &Value) -> Result<Value> {
    let Value::Array(mut sorted) = sort(value)? else { return Ok(Value::Null) };
    // Keeps the first of equal elements. Comparisons count their own steps.
    budget::steps(sorted.len() as u64)?;
    std::sync::Arc::make_mut(&mut sorted).dedup_by(|later, first| order::eq(first, later));
    Ok(Value::Array(sorted))
}

/// Implements `unique_by(key)`.
pub fn unique_by(value: &Value, mut key: impl FnMut(&Value) -> Result<Value>) -> Result<Value> {
    let mut keyed = Keyed::sorted(value, UNSORTED, &mut key)?.0;
    budget::steps(keyed.len() as u64)?;
    keyed.dedup_by(|later, first| order::eq(&first.0, &later.0));
    Ok(keyed.into_iter().map(|(_, item)| item).collect())
}

/// Implements `min`.
pub fn min(value: &Value) -> Result<Value> {
    extreme(value, true)
}

/// Implements `max`: returns the last of the greatest elements.
pub fn max(value: &Value) -> Result<Value> {
    extreme(value, false)
}

fn extreme(value: &Value, least: bool) -> Result<Value> {
    match value {
        Value::Array(items) => chosen(items.iter().map(|item| (item, item)), least),
        _ => Err(type_error2(value, value, UNITERATED)),
    }
}

/// Implements `min_by(key)`.
pub fn min_by(value: &Value, mut key: impl FnMut(&Value) -> Result<Value>) -> Result<Value> {
    extreme_by(value, true, &mut key)
}

/// Implements `max_by(key)`.
pub fn max_by(value: &Value, mut key: impl FnMut(&Value) -> Result<Value>) -> Result<Value> {
    extreme_by(value, false, &mut key)
}

fn extreme_by(value: &Value, least: bool, key: KeyFilter) -> Result<Value> {
    let (items, keys) = keys_of(value, key, UNITERATED)?;
    chosen(keys.iter().zip(items.iter()), least)
}

fn chosen<'a>(mut keyed: impl Iterator<Item = (&'a Value, &'a Value)>, least: bool) -> Result<Value> {
    let Some(mut best) = keyed.next() else { return Ok(Value::Null) };
    for next in keyed {
        budget::tick()?;
        if order::cmp(next.0, best.0).is_lt() == least {
            best = next;
        }
    }
    Ok(best.1.clone())
}

/// Implements `bsearch(wanted)`: returns the position in a sorted array, or `-1` minus the
/// position for an insertion.
pub fn bsearch(value: &Value, wanted: &Value) -> Result<Value> {
    let Value::Array(items) = value else { return Err(type_error(value, "cannot be searched from")) };
    let (mut start, mut end) = (0, items.len());
    while start < end {
        budget::tick()?;
        let middle = start + (end - start) / 2;
        match order::cmp(wanted, &items[middle]) {
            std::cmp::Ordering::Equal => return Ok(super::number::count(middle)),
            std::cmp::Ordering::Less => end = middle,
            std::cmp::Ordering::Greater => start = middle + 1,
        }
    }
    Ok(Value::Int(-1 - start as i64))
}
