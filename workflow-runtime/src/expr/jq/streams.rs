//! Values as streams of events `[path, leaf]` and `[path]`.

use super::paths::{Entries, path_value};
use super::{Out, Result, add, budget, cmp, collections, index, paths, setpath};
use crate::value::{Array, Value};

/// Implements `tostream`.
pub fn tostream(value: &Value, out: Out) -> Result<()> {
    let mut path = Vec::new();
    let mut open = Vec::new();
    enter(value, &path, &mut open, out)?;
    while let Some(innermost) = open.last_mut() {
        budget::tick()?;
        let next = Entries::next(innermost);
        // The end event of an array or object has the path of its last part.
        match next {
            Some((key, value)) => {
                path.truncate(open.len() - 1);
                path.push(key);
                enter(value, &path, &mut open, out)?;
            }
            None => {
                path.truncate(open.len());
                out(Value::from(vec![path_value(&path)?]))?;
                open.pop();
            }
        }
    }
    Ok(())
}

/// Yields a leaf, or opens an array or object that is not empty.
fn enter<'a>(value: &'a Value, path: &[Value], open: &mut Vec<Entries<'a>>, out: Out) -> Result<()> {
    let is_empty = match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => true,
    };
    match Entries::of(value) {
        Some(parts) if !is_empty => {
            open.push(parts);
            Ok(())
        }
        _ => out(Value::from(vec![path_value(path)?, value.clone()])),
    }
}

/// The state of `fromstream(…)`, which consumes events and yields the values that they describe.
#[derive(Default)]
pub struct FromStream {
    value: Value,
    /// `true` if the value is complete, and the next event begins another value.
    complete: bool,
}

impl FromStream {
    /// Consumes an event. Returns the value that the event completes.
    pub fn push(&mut self, event: &Value) -> Result<Option<Value>> {
        if std::mem::take(&mut self.complete) {
            self.value = Value::Null;
        }
        let is_leaf = collections::length(event)? == Value::Int(2);
        let path = index(event, &Value::Int(0))?;
        let length = collections::length(&path)?;
        if is_leaf {
            self.complete = length == Value::Int(0);
            super::tick()?;
            // jq prepends the key of the value to the path. A path that is not an array is an
            // error.
            let under = add(Value::from(vec![Value::from("x")]), &path)?;
            let keys: Vec<Value> =
                under.as_array().into_iter().flat_map(|keys: &Array| keys.iter().skip(1)).cloned().collect();
            self.value = setpath(self.value.take(), &Value::from(keys), index(event, &Value::Int(1))?)?;
        } else {
            self.complete = length == Value::Int(1);
        }
        Ok(self.complete.then(|| self.value.clone()))
    }
}

/// Implements `truncate_stream(…)`: returns the event without the first keys of its path, or
/// `None` if the path has no more keys.
pub fn truncate_stream(depth: &Value, event: &Value) -> Result<Option<Value>> {
    let path = index(event, &Value::Int(0))?;
    if cmp(&collections::length(&path)?, depth).is_le() {
        return Ok(None);
    }
    let rest = super::slice(&path, depth, &Value::Null)?;
    setpath(event.clone(), &Value::from(vec![Value::Int(0)]), rest).map(Some)
}

/// Implements `getpath(path)` for `pick`: puts the value at the path into the picked value.
pub fn pick(picked: Value, value: &Value, path: &Value) -> Result<Value> {
    setpath(picked, path, paths::getpath(value, path)?)
}
