//! Functions that call a filter repeatedly. They implement jq's recursion without recursion in
//! Rust.
//!
//! A filter with one output is a closure that returns it. A filter with any number of outputs is a
//! closure that passes them to another closure.

use std::sync::Arc;

use super::budget;
use super::collections::items;
use super::{Error, Out, Result, numbers, steps};
use crate::value::{Array, Object, Str, Value};

/// A filter with any number of outputs.
pub type Many<'a> = &'a mut dyn FnMut(Value, Out) -> Result<()>;

/// Implements `range(from; upto)`.
pub fn range(from: &Value, upto: &Value, out: Out) -> Result<()> {
    for number in numbers(from, upto)? {
        budget::tick()?;
        out(number)?;
    }
    Ok(())
}

/// Implements `range(from; upto; by)`.
pub fn range_by(from: &Value, upto: &Value, by: &Value, out: Out) -> Result<()> {
    for value in steps(from, upto, by) {
        budget::tick()?;
        out(value?)?;
    }
    Ok(())
}

/// Implements `until(condition; next)`, both with one output.
pub fn until(
    value: Value,
    mut condition: impl FnMut(&Value) -> Result<bool>,
    mut next: impl FnMut(Value) -> Result<Value>,
) -> Result<Value> {
    let mut value = value;
    while !condition(&value)? {
        budget::tick()?;
        value = next(value)?;
    }
    Ok(value)
}

/// Implements `while(condition; update)`, both with one output.
pub fn while_(
    value: Value,
    mut condition: impl FnMut(&Value) -> Result<bool>,
    mut update: impl FnMut(Value) -> Result<Value>,
    out: Out,
) -> Result<()> {
    let mut value = value;
    while condition(&value)? {
        budget::tick()?;
        out(value.clone())?;
        value = update(value)?;
    }
    Ok(())
}

/// Implements `repeat(filter)`: yields the outputs of the filter for the same input, without end.
pub fn repeat(value: &Value, filter: Many, out: Out) -> Result<()> {
    loop {
        budget::tick()?;
        filter(value.clone(), out)?;
    }
}

/// Implements `recurse(filter)`: yields the value, and recursively the outputs of the filter.
pub fn recurse(value: Value, filter: Many, out: Out) -> Result<()> {
    descend(value, &mut |value, inner| {
        out(value.clone())?;
        filter(value, inner)
    })
}

/// Implements `until(condition; next)`, where `next` has any number of outputs.
pub fn until_many(value: Value, mut condition: impl FnMut(&Value) -> Result<bool>, next: Many, out: Out) -> Result<()> {
    descend(value, &mut |value, inner| if condition(&value)? { out(value) } else { next(value, inner) })
}

/// Implements `while(condition; update)`, where `update` has any number of outputs.
pub fn while_many(
    value: Value,
    mut condition: impl FnMut(&Value) -> Result<bool>,
    update: Many,
    out: Out,
) -> Result<()> {
    descend(value, &mut |value, inner| {
        if !condition(&value)? {
            return Ok(());
        }
        out(value.clone())?;
        update(value, inner)
    })
}

/// Visits a value, then depth first each value that the visit yields.
fn descend(value: Value, visit: Many) -> Result<()> {
    // An error is raised after the values yielded before it.
    let mut pending = vec![Ok(value)];
    while let Some(next) = pending.pop() {
        budget::tick()?;
        let mut yielded = Vec::new();
        let ended = visit(next?, &mut |value| {
            budget::charge_elements(1)?;
            yielded.push(value);
            Ok(())
        });
        pending.extend(ended.err().map(Err));
        pending.extend(yielded.into_iter().rev().map(Ok));
    }
    Ok(())
}

/// An array or object that is being traversed.
enum Level {
    Array { rest: std::vec::IntoIter<Value>, done: Vec<Value> },
    Object { rest: std::vec::IntoIter<(Str, Value)>, key: Str, done: Object },
}

/// The next step in an array or object: a part, or the completed array or object.
enum Step {
    Part(Value),
    Done(Value),
}

impl Level {
    /// Opens an array or object. Any other value is complete.
    fn enter(value: Value) -> Result<std::result::Result<Level, Value>> {
        match value {
            Value::Array(items) => {
                budget::charge_elements(items.len())?;
                let items = Arc::unwrap_or_clone(items);
                let done = Vec::with_capacity(items.len());
                Ok(Ok(Level::Array { rest: items.into_iter(), done }))
            }
            Value::Object(members) => {
                budget::charge_elements(members.len())?;
                let members = Arc::unwrap_or_clone(members);
                let done = Object::with_capacity(members.len());
                Ok(Ok(Level::Object { rest: members.into_iter(), key: Str::default(), done }))
            }
            value => Ok(Err(value)),
        }
    }

    fn next(&mut self) -> Step {
        match self {
            Level::Array { rest, done } => match rest.next() {
                Some(item) => Step::Part(item),
                None => Step::Done(Array::from(std::mem::take(done)).into()),
            },
            Level::Object { rest, key, done } => match rest.next() {
                Some((next, value)) => {
                    *key = next;
                    Step::Part(value)
                }
                None => Step::Done(std::mem::take(done).into()),
            },
        }
    }

    fn add(&mut self, value: Value) {
        match self {
            Level::Array { done, .. } => done.push(value),
            Level::Object { key, done, .. } => drop(done.insert(&*key, value)),
        }
    }

    fn is_object(&self) -> bool {
        matches!(self, Level::Object { .. })
    }
}

/// A bottom-up traversal of a value. The caller adds the new value of each part to [`Walk::outer`]
/// before it asks for the next one.
struct Walk {
    open: Vec<Level>,
    entered: Option<Value>,
}

impl Walk {
    fn new(value: Value) -> Walk {
        Walk { open: Vec::new(), entered: Some(value) }
    }

    /// Returns the next value whose parts are all done.
    fn next(&mut self) -> Result<Value> {
        loop {
            budget::tick()?;
            if let Some(value) = self.entered.take() {
                match Level::enter(value)? {
                    Ok(level) => self.open.push(level),
                    Err(scalar) => return Ok(scalar),
                }
            }
            match self.open.last_mut().map(Level::next) {
                Some(Step::Part(value)) => self.entered = Some(value),
                Some(Step::Done(value)) => {
                    self.open.pop();
                    return Ok(value);
                }
                None => return Ok(Value::Null),
            }
        }
    }

    /// Returns the array or object around the last returned value, or `None` if it was the
    /// outermost value.
    fn outer(&mut self) -> Option<&mut Level> {
        self.open.last_mut()
    }
}

/// Implements `walk(filter)` of a filter with one output, bottom up.
pub fn walk(value: Value, mut filter: impl FnMut(Value) -> Result<Value>) -> Result<Value> {
    let mut walk = Walk::new(value);
    loop {
        let value = filter(walk.next()?)?;
        match walk.outer() {
            Some(outer) => outer.add(value),
            None => return Ok(value),
        }
    }
}

/// Implements `walk(filter)` of a filter with any number of outputs. An array gets all outputs, a
/// member the first output.
pub fn walk_many(value: Value, filter: Many, out: Out) -> Result<()> {
    /// The label that ends the filter of a member.
    const ENOUGH: u32 = u32::MAX;
    let mut walk = Walk::new(value);
    loop {
        let value = walk.next()?;
        let Some(outer) = walk.outer() else { return filter(value, out) };
        let only_first = outer.is_object();
        let ended = filter(value, &mut |value| {
            budget::charge_elements(1)?;
            outer.add(value);
            if only_first { Err(Error::break_to(ENOUGH)) } else { Ok(()) }
        });
        match ended {
            Err(error) if error.is_break_to(ENOUGH) => {}
            ended => ended?,
        }
    }
}

/// Implements `map(filter)` of a filter with one output.
pub fn map(value: &Value, mut filter: impl FnMut(&Value) -> Result<Value>) -> Result<Value> {
    let mut mapped = Vec::new();
    for item in items(value)? {
        budget::charge_elements(1)?;
        mapped.push(filter(item)?);
    }
    Ok(Value::from(mapped))
}
