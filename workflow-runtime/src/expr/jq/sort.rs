//! Sorting and grouping, by the values themselves or by what a filter makes of them.

use super::collections::items;
use super::{Result, budget, order, type_error, type_error2};
use crate::value::{Array, Value};

/// What is made of each element to sort it by. Of a filter with other than one output it is the array of its outputs.
pub type Key<'a> = &'a mut dyn FnMut(&Value) -> Result<Value>;

/// The elements with their keys, in the order of the keys.
struct Keyed<'a>(Vec<(Value, &'a Value)>);

impl<'a> Keyed<'a> {
    fn sorted(value: &'a Value, refusal: &str, key: Key) -> Result<Keyed<'a>> {
        let (items, keys) = keys_of(value, key, refusal)?;
        let keyed = keys.into_iter().zip(items).collect();
        order::sort_by_key(keyed, |(key, _)| key).map(Keyed)
    }
}

/// The keys of all elements. What is no array has keys if it can be iterated, but is refused.
fn keys_of<'a>(value: &'a Value, key: Key, refusal: &str) -> Result<(&'a Array, Vec<Value>)> {
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

/// `sort`
pub fn sort(value: &Value) -> Result<Value> {
    let Value::Array(items) = value else {
        return Err(type_error(value, "cannot be sorted, as it is not an array"));
    };
    budget::charge_elements(items.len())?;
    order::sort_by_key(items.to_vec(), |item| item).map(Value::from)
}

/// `sort_by(key)`
pub fn sort_by(value: &Value, mut key: impl FnMut(&Value) -> Result<Value>) -> Result<Value> {
    let keyed = Keyed::sorted(value, UNSORTED, &mut key)?;
    Ok(keyed.0.into_iter().map(|(_, item)| item).collect())
}

/// `group_by(key)`
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

/// `unique`
pub fn unique(value: &Value) -> Result<Value> {
    let Value::Array(mut sorted) = sort(value)? else { return Ok(Value::Null) };
    // Of equal ones the first stays. Comparisons count what they take.
    budget::steps(sorted.len() as u64)?;
    std::sync::Arc::make_mut(&mut sorted).dedup_by(|later, first| order::eq(first, later));
    Ok(Value::Array(sorted))
}

/// `unique_by(key)`
pub fn unique_by(value: &Value, mut key: impl FnMut(&Value) -> Result<Value>) -> Result<Value> {
    let mut keyed = Keyed::sorted(value, UNSORTED, &mut key)?.0;
    budget::steps(keyed.len() as u64)?;
    keyed.dedup_by(|later, first| order::eq(&first.0, &later.0));
    Ok(keyed.into_iter().map(|(_, item)| item).collect())
}

/// `min`
pub fn min(value: &Value) -> Result<Value> {
    extreme(value, true)
}

/// `max`: the last of the greatest.
pub fn max(value: &Value) -> Result<Value> {
    extreme(value, false)
}

fn extreme(value: &Value, least: bool) -> Result<Value> {
    match value {
        Value::Array(items) => chosen(items.iter().map(|item| (item, item)), least),
        _ => Err(type_error2(value, value, UNITERATED)),
    }
}

/// `min_by(key)`
pub fn min_by(value: &Value, mut key: impl FnMut(&Value) -> Result<Value>) -> Result<Value> {
    extreme_by(value, true, &mut key)
}

/// `max_by(key)`
pub fn max_by(value: &Value, mut key: impl FnMut(&Value) -> Result<Value>) -> Result<Value> {
    extreme_by(value, false, &mut key)
}

fn extreme_by(value: &Value, least: bool, key: Key) -> Result<Value> {
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

/// `bsearch(wanted)`: where it is in a sorted array, or `-1` less the place where it belongs.
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
