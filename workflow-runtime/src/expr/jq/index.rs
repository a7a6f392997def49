//! Access by a key that is known at run time: reading, setting, slices.

use std::ops::Range;
use std::sync::Arc;

use super::arith::{owned_array, owned_object};
use super::number::{count, is_nan};
use super::{Error, Result, budget, cannot_index, order};
use crate::value::{Array, Object, Value, object};

/// The maximum index for setting an element.
const GREATEST: i64 = (i32::MAX >> 2) as i64;

/// Implements `value[key]`: returns a member, an element, a slice (for a key `{start, end}`), or
/// the positions of an array in an array. Null yields null.
pub fn index(value: &Value, key: &Value) -> Result<Value> {
    match (value, key) {
        (Value::Object(members), Value::String(key)) => Ok(members.get(key).cloned().unwrap_or_default()),
        (Value::Array(items), Value::Int(_) | Value::Float(_)) => {
            Ok(position(key, items.len()).and_then(|at| items.get(at)).cloned().unwrap_or_default())
        }
        (Value::Array(_) | Value::String(_), Value::Object(bounds)) => slice_of(value, bounds),
        (Value::Array(items), Value::Array(wanted)) => array_indices(items, wanted),
        (Value::Null, Value::String(_) | Value::Int(_) | Value::Float(_) | Value::Object(_)) => Ok(Value::Null),
        _ => Err(cannot_index(value, key)),
    }
}

/// Implements `value[from:to]`. Either bound may be null.
pub fn slice(value: &Value, from: &Value, to: &Value) -> Result<Value> {
    match value {
        Value::Null => Ok(Value::Null),
        Value::Array(items) => {
            let range = slice_range(items.len(), from, to)?;
            if range.len() == items.len() {
                return Ok(value.clone());
            }
            budget::charge_elements(range.len())?;
            Ok(Value::from(items[range].to_vec()))
        }
        Value::String(text) => {
            budget::read(text)?;
            // Characters of an ASCII text are bytes.
            if text.is_ascii() {
                let range = slice_range(text.len(), from, to)?;
                budget::charge(range.len())?;
                return Ok(Value::from(&text[range]));
            }
            budget::charge(text.len())?;
            let range = slice_range(text.chars().count(), from, to)?;
            Ok(Value::from(text.chars().skip(range.start).take(range.len()).collect::<String>()))
        }
        _ => Err(cannot_index(value, &object([("start", from.clone()), ("end", to.clone())]))),
    }
}

fn slice_of(value: &Value, bounds: &Object) -> Result<Value> {
    let (Some(from), Some(to)) = (bounds.get("start"), bounds.get("end")) else { return Err(not_whole()) };
    slice(value, from, to)
}

#[cold]
fn not_whole() -> Error {
    Error::message("Array/string slice indices must be integers")
}

/// Returns the positions between two bounds in an array or string of this length. Negative bounds
/// count from the end. Fractions widen the slice.
pub fn slice_range(len: usize, from: &Value, to: &Value) -> Result<Range<usize>> {
    let bound = |bound: &Value, default: f64| match bound {
        Value::Null => Some(default),
        bound => bound.as_f64().map(|bound| if bound.is_nan() { default } else { bound }),
    };
    let length = len as f64;
    let (Some(from), Some(to)) = (bound(from, 0.0), bound(to, length)) else { return Err(not_whole()) };
    let counted = |bound: f64| if bound < 0.0 { bound + length } else { bound };
    let start = counted(from).clamp(0.0, length) as usize;
    let to = counted(to);
    let end = if to < 0.0 { start } else { to.ceil().min(length) as usize };
    Ok(start..end.max(start))
}

/// Returns the position for a number. A negative number counts from the end.
fn position(index: &Value, len: usize) -> Option<usize> {
    match index {
        Value::Int(index) if *index >= 0 => usize::try_from(*index).ok(),
        Value::Int(index) => len.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
        Value::Float(index) if index.is_nan() => None,
        Value::Float(index) => position(&Value::Int(index.trunc() as i64), len),
        _ => None,
    }
}

/// Returns the start positions of one array within another array.
fn array_indices(items: &Array, wanted: &Array) -> Result<Value> {
    let mut positions = Vec::new();
    if !wanted.is_empty() {
        for (at, part) in items.windows(wanted.len()).enumerate() {
            budget::tick()?;
            if part.iter().zip(wanted.iter()).all(|(item, wanted)| budget::walk(1) && order::eq(item, wanted)) {
                budget::charge_elements(1)?;
                positions.push(count(at));
            }
        }
    }
    Ok(Value::from(positions))
}

/// Implements `value | .[key] = new` for one key. Changes unshared data in place.
pub fn set(value: Value, key: &Value, new: Value) -> Result<Value> {
    match (value, key) {
        (Value::Null, Value::String(key)) => {
            let mut members = Object::new();
            members.insert(key, new);
            Ok(members.into())
        }
        (Value::Object(mut members), Value::String(key)) => {
            budget::charge_elements(1)?;
            owned_object(&mut members)?.insert(key, new);
            Ok(Value::Object(members))
        }
        (Value::Null, Value::Int(_) | Value::Float(_)) => set_item(Arc::default(), key, new),
        (Value::Array(items), Value::Int(_) | Value::Float(_)) => set_item(items, key, new),
        (Value::Null, Value::Object(bounds)) => set_slice(Arc::default(), bounds, new),
        (Value::Array(items), Value::Object(bounds)) => set_slice(items, bounds, new),
        (Value::String(_), Value::Object(_)) => Err(Error::message("Cannot update string slices")),
        (value, key) => Err(Error::message(format!("Cannot update field at {} index of {}", key.kind(), value.kind()))),
    }
}

/// Returns the position for setting an element, which can be past the end.
pub fn position_to_set(index: &Value, len: usize) -> Result<usize> {
    if is_nan(index) {
        return Err(Error::message("Cannot set array element at NaN index"));
    }
    // The index is truncated to an integer of 32 bits.
    let index = index.as_f64().unwrap_or_default() as i32;
    let position = if index < 0 { i64::from(index) + len as i64 } else { i64::from(index) };
    if position < 0 {
        return Err(Error::message("Out of bounds negative array index"));
    }
    if position > GREATEST {
        return Err(Error::message("Array index too large"));
    }
    Ok(position as usize)
}

fn set_item(mut items: Arc<Array>, index: &Value, new: Value) -> Result<Value> {
    let position = position_to_set(index, items.len())?;
    if position >= items.len() {
        budget::charge_elements(position - items.len() + 1)?;
    }
    let owned = owned_array(&mut items)?;
    if position >= owned.len() {
        owned.resize(position + 1, Value::Null);
    }
    owned[position] = new;
    Ok(Value::Array(items))
}

fn set_slice(mut items: Arc<Array>, bounds: &Object, new: Value) -> Result<Value> {
    let (Some(from), Some(to)) = (bounds.get("start"), bounds.get("end")) else { return Err(not_whole()) };
    let range = slice_range(items.len(), from, to)?;
    let Value::Array(new) = new else {
        return Err(Error::message("A slice of an array can only be assigned another array"));
    };
    budget::charge_elements(new.len())?;
    owned_array(&mut items)?.splice(range, new.iter().cloned());
    Ok(Value::Array(items))
}

/// Implements `has(key)`.
pub fn has(value: &Value, key: &Value) -> Result<bool> {
    match (value, key) {
        (Value::Null, _) => Ok(false),
        (Value::Object(members), Value::String(key)) => Ok(members.contains_key(key)),
        (Value::Array(items), Value::Int(_) | Value::Float(_)) => {
            let at = key.as_f64().filter(|at| !at.is_nan()).map(|at| at as i64);
            Ok(at.and_then(|at| usize::try_from(at).ok()).is_some_and(|at| at < items.len()))
        }
        _ => Err(Error::message(format!("Cannot check whether {} has a {} key", value.kind(), key.kind()))),
    }
}
