//! Paths as arrays of keys, and traversals of values with paths.

use super::index::{index, set, slice_range};
use super::number::is_nan;
use super::{Error, Out, Result, arith, budget, number, order};
use crate::value::{Array, Str, Value};

/// The maximum length of a path.
const LONGEST: usize = 10_000;

fn keys_of(path: &Value) -> Result<&Array> {
    match path {
        Value::Array(keys) if keys.len() <= LONGEST => Ok(keys),
        Value::Array(_) => Err(Error::message("Path too deep")),
        _ => Err(Error::message("Path must be specified as an array")),
    }
}

/// Implements `getpath(path)`.
pub fn getpath(value: &Value, path: &Value) -> Result<Value> {
    let mut value = value.clone();
    for key in keys_of(path)?.iter() {
        budget::tick()?;
        value = index(&value, key)?;
    }
    Ok(value)
}

/// Implements `setpath(path; new)`.
pub fn setpath(value: Value, path: &Value, new: Value) -> Result<Value> {
    let keys = keys_of(path)?;
    // The enclosing values, outermost first. Each has its next value removed, so that the next
    // value is not shared.
    let mut around = Vec::with_capacity(keys.len());
    let mut part = value;
    for key in keys.iter() {
        budget::tick()?;
        let inner = index(&part, key)?;
        if !matches!(key, Value::Object(_)) {
            part = set(part, key, Value::Null)?;
        }
        around.push((part, key));
        part = inner;
    }
    around.into_iter().rev().try_fold(new, |inner, (outer, key)| set(outer, key, inner))
}

/// Implements `delpaths(paths)`.
pub fn delpaths(value: Value, paths: &Value) -> Result<Value> {
    let Value::Array(paths) = paths else { return Err(Error::message("Paths must be specified as an array")) };
    budget::charge_elements(paths.len())?;
    let paths = order::sort_by_key(paths.iter().collect(), |path: &&Value| path)?;
    let mut sorted = Vec::with_capacity(paths.len());
    for path in paths {
        match path {
            Value::Array(keys) if keys.len() <= LONGEST => sorted.push(keys.as_slice()),
            Value::Array(_) => return Err(Error::message("Path too deep")),
            _ => {
                let text = format!("Path must be specified as array, not {}", path.kind());
                return Err(Error::message(text));
            }
        }
    }
    match sorted.first() {
        None => Ok(value),
        Some([]) => Ok(Value::Null),
        Some(_) => delete_sorted(value, &sorted),
    }
}

/// A value with parts to delete.
struct Deleting<'a> {
    value: Value,
    /// The sorted paths below this value. The first `level` keys of each path lead here, and the
    /// first `done` paths are processed.
    paths: &'a [&'a [Value]],
    level: usize,
    done: usize,
    /// The keys to delete from this value.
    keys: Vec<&'a Value>,
}

/// Deletes the values at paths, which share their first keys. An explicit stack replaces
/// recursion.
fn delete_sorted(value: Value, paths: &[&[Value]]) -> Result<Value> {
    let mut open = vec![Deleting { value, paths, level: 0, done: 0, keys: Vec::new() }];
    loop {
        let Some(part) = open.last_mut() else { return Ok(Value::Null) };
        let Some(path) = part.paths.get(part.done) else {
            let Some(done) = open.pop() else { return Ok(Value::Null) };
            let deleted = delete_keys(done.value, &done.keys)?;
            let Some(outer) = open.last_mut() else { return Ok(deleted) };
            let key = &outer.paths[outer.done - 1][outer.level];
            outer.value = set(outer.value.take(), key, deleted)?;
            continue;
        };
        budget::tick()?;
        let (key, rest) = (&path[part.level], &part.paths[part.done..]);
        let alike = rest.iter().skip(1).take_while(|path| order::eq(&path[part.level], key)).count() + 1;
        budget::steps(alike as u64)?;
        let alike = &rest[..alike];
        part.done += alike.len();
        if path.len() == part.level + 1 {
            part.keys.push(key);
            continue;
        }
        let inner = index(&part.value, key)?;
        if !inner.is_null() {
            // The part is removed first, so that it is changed without a copy.
            if !matches!(key, Value::Object(_)) {
                part.value = set(part.value.take(), key, Value::Null)?;
            }
            let level = part.level + 1;
            open.push(Deleting { value: inner, paths: alike, level, done: 0, keys: Vec::new() });
        }
    }
}

/// Deletes members or elements.
fn delete_keys(value: Value, keys: &[&Value]) -> Result<Value> {
    if keys.is_empty() {
        return Ok(value);
    }
    match value {
        Value::Null => Ok(Value::Null),
        Value::Object(mut members) => {
            budget::charge_elements(members.len())?;
            let owned = arith::owned_object(&mut members)?;
            let mut names = Vec::with_capacity(keys.len());
            for key in keys {
                let Value::String(key) = key else {
                    return Err(Error::message(format!("Cannot delete {} field of object", key.kind())));
                };
                names.push(key);
            }
            match names.as_slice() {
                [name] => drop(owned.remove(name)),
                // The keys are sorted, because the paths are.
                names => owned.retain(|key, _| names.binary_search(&key).is_err()),
            }
            Ok(Value::Object(members))
        }
        Value::Array(mut items) => {
            let mut is_deleted = vec![false; items.len()];
            budget::charge(items.len())?;
            for key in keys {
                for at in deleted(key, items.len())? {
                    is_deleted[at] = true;
                }
            }
            let mut is_deleted = is_deleted.into_iter();
            arith::owned_array(&mut items)?.retain(|_| !is_deleted.next().unwrap_or(false));
            Ok(Value::Array(items))
        }
        value => Err(Error::message(format!("Cannot delete fields from {}", value.kind()))),
    }
}

/// Returns the elements that a key deletes from an array of this length.
fn deleted(key: &Value, len: usize) -> Result<std::ops::Range<usize>> {
    match key {
        Value::Int(_) | Value::Float(_) if is_nan(key) => Ok(0..0),
        Value::Int(_) | Value::Float(_) => {
            let number = key.as_f64().unwrap_or_default();
            let at = number.trunc() as i64 + if number < 0.0 { len as i64 } else { 0 };
            Ok(usize::try_from(at).ok().filter(|at| *at < len).map_or(0..0, |at| at..at + 1))
        }
        Value::Object(bounds) => {
            let whole = || Error::message("Array/string slice indices must be integers");
            let (from, to) = bounds.get("start").zip(bounds.get("end")).ok_or_else(whole)?;
            slice_range(len, from, to)
        }
        _ => Err(Error::message(format!("Cannot delete {} element of array", key.kind()))),
    }
}

/// An iterator over the entries of an array or object.
pub(super) enum Entries<'a> {
    Items(std::iter::Enumerate<std::slice::Iter<'a, Value>>),
    Members(<&'a crate::value::Object as IntoIterator>::IntoIter),
}

impl<'a> Entries<'a> {
    pub(super) fn of(value: &'a Value) -> Option<Entries<'a>> {
        match value {
            Value::Array(items) => Some(Entries::Items(items.iter().enumerate())),
            Value::Object(members) => Some(Entries::Members(members.iter())),
            _ => None,
        }
    }

    pub(super) fn next(&mut self) -> Option<(Value, &'a Value)> {
        match self {
            Entries::Items(rest) => rest.next().map(|(at, value)| (number::count(at), value)),
            Entries::Members(rest) => rest.next().map(|(key, value): (&Str, _)| (Value::String(key.clone()), value)),
        }
    }
}

/// Implements `path(..)`: yields every value with its path, parents first. The first value is the
/// root.
pub fn each_path(value: &Value, out: &mut dyn FnMut(&[Value], &Value) -> Result<()>) -> Result<()> {
    let mut path = Vec::new();
    let mut open: Vec<Entries> = Vec::new();
    out(&path, value)?;
    open.extend(Entries::of(value));
    while !open.is_empty() {
        budget::tick()?;
        path.truncate(open.len() - 1);
        let Some((key, value)) = open.last_mut().and_then(Entries::next) else {
            open.pop();
            continue;
        };
        path.push(key);
        out(&path, value)?;
        open.extend(Entries::of(value));
    }
    Ok(())
}

/// Returns the path as a value.
pub fn path_value(path: &[Value]) -> Result<Value> {
    budget::charge_elements(path.len() + 1)?;
    Ok(Value::from(path.to_vec()))
}

/// Implements `paths`.
pub fn paths(value: &Value, out: Out) -> Result<()> {
    each_path(value, &mut |path, _| if path.is_empty() { Ok(()) } else { out(path_value(path)?) })
}

/// Implements `leaf_paths`.
pub fn leaf_paths(value: &Value, out: Out) -> Result<()> {
    each_path(value, &mut |path, value| match value {
        Value::Array(_) | Value::Object(_) => Ok(()),
        _ if path.is_empty() => Ok(()),
        _ => out(path_value(path)?),
    })
}

/// Implements `..`.
pub fn recurse_all(value: &Value, out: Out) -> Result<()> {
    each_path(value, &mut |_, value| out(value.clone()))
}
