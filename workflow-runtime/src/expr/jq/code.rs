//! Primitives of generated code: access by key, loops, comparisons, and places for updates.

use std::iter::FusedIterator;
use std::sync::Arc;

use super::arith::{owned_array, owned_object};
#[cfg(feature = "jq-engine")]
use super::engine::JqProgram;
use super::number::{self, as_double};
use super::{
    Error, Finish, Out, Result, budget, cannot_index, cannot_iterate, cmp, eq, not_a_key, not_a_path, position_to_set,
};
use crate::fault::Fault;
use crate::machine::Turn;
use crate::support::NULL;
use crate::value::{Object, Str, Value, object};

/// Runs an expression within the limits of its execution.
#[inline]
pub fn apply<M, T: Finish>(turn: &Turn<M>, expression: impl FnOnce() -> Result<T>) -> std::result::Result<T, Fault> {
    super::run(turn.function_limits(), expression)
}

/// Runs a program on the engine within the limits of the execution. Returns a single output as it
/// is, and no output or several outputs as an array.
#[cfg(feature = "jq-engine")]
pub fn interpret<M>(
    turn: &Turn<M>,
    program: &JqProgram,
    input: &Value,
    variables: &[Value],
) -> std::result::Result<Value, Fault> {
    outputs(turn, program, input, variables).map(one_or_all)
}

/// Runs a program as [`interpret`] does. Returns `true` if the program has exactly one output and
/// it is `true`.
#[cfg(feature = "jq-engine")]
pub fn interpret_test<M>(
    turn: &Turn<M>,
    program: &JqProgram,
    input: &Value,
    variables: &[Value],
) -> std::result::Result<bool, Fault> {
    outputs(turn, program, input, variables).map(|values| only_true(&values))
}

/// Runs a program as [`interpret`] does. Returns all outputs as an array.
#[cfg(feature = "jq-engine")]
pub fn interpret_all<M>(
    turn: &Turn<M>,
    program: &JqProgram,
    input: &Value,
    variables: &[Value],
) -> std::result::Result<Value, Fault> {
    outputs(turn, program, input, variables).map(Value::from)
}

#[cfg(feature = "jq-engine")]
fn outputs<M>(
    turn: &Turn<M>,
    program: &JqProgram,
    input: &Value,
    variables: &[Value],
) -> std::result::Result<Vec<Value>, Fault> {
    Ok(program.outputs(turn.function_limits(), time(turn), input, variables)?)
}

/// Returns the execution's time for an expression, in seconds since 1970.
pub fn time<M>(turn: &Turn<M>) -> f64 {
    turn.now().as_micros() as f64 / 1e6
}

/// Collected values.
pub type Values = Vec<Value>;

/// Collected paths with their values.
pub type Places = Vec<(Value, Value)>;

/// Adds a path with its value.
pub fn push_place(places: &mut Places, path: Value, value: Value) {
    places.push((path, value));
}

/// Runs the body of a `try` with one output.
#[inline]
pub fn attempt<T>(body: impl FnOnce() -> Result<T>) -> Result<T> {
    body()
}

/// Returns `.name`. Null, and an object without the member, yield null.
#[inline]
pub fn get<'a>(value: &'a Value, name: &str) -> Result<&'a Value> {
    match value {
        Value::Object(members) => Ok(members.get(name).unwrap_or(&NULL)),
        Value::Null => Ok(&NULL),
        _ => Err(cannot_index(value, &Value::from(name))),
    }
}

/// Returns `.[position]`. Null, and an array without the element, yield null. A negative position
/// counts from the end.
#[inline]
pub fn at(value: &Value, position: i64) -> Result<&Value> {
    match value {
        Value::Array(items) => Ok(resolve(position, items.len()).and_then(|at| items.get(at)).unwrap_or(&NULL)),
        Value::Null => Ok(&NULL),
        _ => Err(cannot_index(value, &Value::Int(position))),
    }
}

fn resolve(position: i64, len: usize) -> Option<usize> {
    match usize::try_from(position) {
        Ok(position) => Some(position),
        Err(_) => len.checked_sub(usize::try_from(position.unsigned_abs()).ok()?),
    }
}

/// An iterator over the values of an array or object.
pub enum ValueIter<'a> {
    /// The elements of an array.
    Array(std::slice::Iter<'a, Value>),
    /// The members of an object.
    Object(<&'a Object as IntoIterator>::IntoIter),
}

impl<'a> Iterator for ValueIter<'a> {
    type Item = &'a Value;

    #[inline]
    fn next(&mut self) -> Option<&'a Value> {
        match self {
            ValueIter::Array(items) => items.next(),
            ValueIter::Object(members) => members.next().map(|(_, value)| value),
        }
    }
}

impl FusedIterator for ValueIter<'_> {}

/// Implements `.[]`.
#[inline]
pub fn iter(value: &Value) -> Result<ValueIter<'_>> {
    match value {
        Value::Array(items) => Ok(ValueIter::Array(items.iter())),
        Value::Object(members) => Ok(ValueIter::Object(members.iter())),
        _ => Err(cannot_iterate(value)),
    }
}

/// Implements `.[]` and returns each value with its key.
pub fn entries(value: &Value) -> Result<impl Iterator<Item = (Value, &Value)>> {
    let (items, members) = match value {
        Value::Array(items) => (Some(items.iter()), None),
        Value::Object(members) => (None, Some(members.iter())),
        _ => return Err(cannot_iterate(value)),
    };
    let items = items.into_iter().flatten().enumerate().map(|(at, item)| (number::count(at), item));
    let members = members.into_iter().flatten().map(|(key, member)| (Value::String(key.clone()), member));
    Ok(items.chain(members))
}

/// Implements `..`: returns the value and all its descendants, parents before children.
pub fn descend(value: &Value) -> impl Iterator<Item = &Value> {
    let mut open: Vec<ValueIter<'_>> = Vec::new();
    let mut first = Some(value);
    std::iter::from_fn(move || {
        let next = first.take().or_else(|| {
            while budget::walk(1) {
                match open.last_mut()?.next() {
                    Some(next) => return Some(next),
                    None => open.pop(),
                };
            }
            None
        })?;
        open.extend(iter(next).ok());
        Some(next)
    })
}

/// Implements `..` and returns each value with its path, appended to `base`.
pub fn descend_paths<'a>(base: &Value, value: &'a Value) -> impl Iterator<Item = (Value, &'a Value)> + use<'a> {
    let mut path: Vec<Value> = base.as_array().map_or_else(Vec::new, |keys| keys.to_vec());
    let outside = path.len();
    let mut open: Vec<Entries<'a>> = Vec::new();
    let mut first = Some(value);
    std::iter::from_fn(move || {
        let next = first.take().or_else(|| {
            while budget::walk(1 + path.len()) {
                let innermost = open.last_mut()?;
                if let Some((key, next)) = innermost.next() {
                    path.push(key);
                    return Some(next);
                }
                open.pop();
                // The keys up to the innermost open array or object.
                path.truncate(outside + open.len().saturating_sub(1));
            }
            None
        })?;
        let here = Value::from(path.clone());
        match Entries::new(next) {
            Some(inside) => open.push(inside),
            None => path.truncate(outside + open.len().saturating_sub(1)),
        }
        Some((here, next))
    })
}

enum Entries<'a> {
    Array(std::iter::Enumerate<std::slice::Iter<'a, Value>>),
    Object(<&'a Object as IntoIterator>::IntoIter),
}

impl<'a> Entries<'a> {
    fn new(value: &'a Value) -> Option<Self> {
        match value {
            Value::Array(items) => Some(Entries::Array(items.iter().enumerate())),
            Value::Object(members) => Some(Entries::Object(members.iter())),
            _ => None,
        }
    }

    fn next(&mut self) -> Option<(Value, &'a Value)> {
        match self {
            Entries::Array(items) => items.next().map(|(at, item)| (number::count(at), item)),
            Entries::Object(members) => members.next().map(|(key, member)| (Value::String(key.clone()), member)),
        }
    }
}

/// Implements `left != right`.
#[inline]
pub fn ne(left: &Value, right: &Value) -> bool {
    !eq(left, right)
}

/// Implements `left < right`.
#[inline]
pub fn lt(left: &Value, right: &Value) -> bool {
    cmp(left, right).is_lt()
}

/// Implements `left <= right`.
#[inline]
pub fn le(left: &Value, right: &Value) -> bool {
    cmp(left, right).is_le()
}

/// Implements `left > right`.
#[inline]
pub fn gt(left: &Value, right: &Value) -> bool {
    cmp(left, right).is_gt()
}

/// Implements `left >= right`.
#[inline]
pub fn ge(left: &Value, right: &Value) -> bool {
    cmp(left, right).is_ge()
}

/// Implements `error(value)`.
#[cold]
pub fn raise(value: Value) -> Result<Value> {
    Err(Error::raised(value))
}

/// Returns the error that a `try` catches from a `break` out of it.
#[cold]
pub fn left() -> Error {
    Error::raised(object([("__jq", Value::Int(0))]))
}

/// Returns the key of a constructed member.
pub fn key(value: &Value) -> Result<Str> {
    match value {
        Value::String(key) => Ok(key.clone()),
        _ => Err(not_a_key(value)),
    }
}

/// Returns a single value as it is, and no value or several values as an array.
pub fn one_or_all(mut values: Vec<Value>) -> Value {
    match (values.pop(), values.is_empty()) {
        (Some(only), true) => only,
        (last, _) => {
            values.extend(last);
            Value::from(values)
        }
    }
}

/// Returns `true` if there is exactly one value and it is `true`.
pub fn only_true(values: &[Value]) -> bool {
    matches!(values, [Value::Bool(true)])
}

/// Collects all values that a function yields.
pub fn collect(give: impl FnOnce(Out<'_>) -> Result<()>) -> Result<Vec<Value>> {
    let mut values = Vec::new();
    give(&mut |value| {
        budget::charge_elements(1)?;
        values.push(value);
        Ok(())
    })?;
    Ok(values)
}

/// Returns the number of values that `limit` lets pass.
pub fn limit(count: &Value) -> Result<u64> {
    // A fraction counts as one more value.
    counted(count, "limit doesn't support negative count", f64::ceil)
}

/// Returns the number of values that `skip` drops.
pub fn skip(count: &Value) -> Result<u64> {
    counted(count, "skip doesn't support negative count", f64::floor)
}

fn counted(count: &Value, negative: &str, round: fn(f64) -> f64) -> Result<u64> {
    match as_double(count) {
        Some(count) if count > 0.0 => Ok(round(count) as u64),
        Some(0.0) => Ok(0),
        Some(_) => Err(Error::message(negative)),
        // A value that is not a number is compared with 0. Only null, false and true are less.
        None if lt(count, &Value::Int(0)) => Err(Error::message(negative)),
        None => Err(super::type_error2(count, &Value::Int(1), "cannot be subtracted")),
    }
}

/// Implements `range(from; upto)`.
pub fn numbers(from: &Value, upto: &Value) -> Result<impl Iterator<Item = Value> + use<>> {
    let (Some(from), Some(upto)) = (as_double(from), as_double(upto)) else {
        return Err(Error::message("Range bounds must be numeric"));
    };
    let mut at = from;
    Ok(std::iter::from_fn(move || {
        // The start `nan` is never past the end.
        let is_over = at >= upto || !budget::walk(1);
        let next = at;
        at += 1.0;
        (!is_over).then(|| number::number(next))
    }))
}

/// Implements `range(from; upto; by)`, whose bounds can be values of any type, because jq compares
/// and adds any values. Each value or error is computed on demand.
pub fn steps(from: &Value, upto: &Value, by: &Value) -> impl Iterator<Item = Result<Value>> + use<> {
    let (upto, by) = (upto.clone(), by.clone());
    let direction = cmp(&by, &Value::Int(0));
    let (mut at, mut is_first) = (Some(from.clone()), true);
    std::iter::from_fn(move || {
        let before = at.take()?;
        let next = match std::mem::take(&mut is_first) {
            true => before,
            false => match super::add(before, &by) {
                Ok(next) => next,
                Err(error) => return Some(Err(error)),
            },
        };
        let goes_on = budget::walk(1) && direction.is_ne() && cmp(&next, &upto) == direction.reverse();
        at = goes_on.then(|| next.clone());
        goes_on.then_some(Ok(next))
    })
}

/// Implements `.name` for updates: null becomes an object, and a missing member becomes null.
#[inline]
pub fn get_mut<'a>(value: &'a mut Value, name: &'static str) -> Result<&'a mut Value> {
    if value.is_null() {
        *value = Value::Object(Arc::new(Object::new()));
    }
    match value {
        Value::Object(members) => Ok(owned_object(members)?.entry(Str::from_static(name))),
        value => Err(cannot_index(value, &Value::from(name))),
    }
}

/// Implements `.[position]` for updates: null becomes an array, and missing elements become null.
pub fn at_mut(value: &mut Value, position: i64) -> Result<&mut Value> {
    element_mut(value, &Value::Int(position))
}

/// Implements `.[key]` for updates.
pub fn index_mut<'a>(value: &'a mut Value, key: &Value) -> Result<&'a mut Value> {
    match (&*value, key) {
        (Value::Null | Value::Object(_), Value::String(name)) => {
            if value.is_null() {
                *value = Value::Object(Arc::new(Object::new()));
            }
            match value {
                Value::Object(members) => Ok(owned_object(members)?.entry(name)),
                value => Err(cannot_index(value, key)),
            }
        }
        _ => element_mut(value, key),
    }
}

fn element_mut<'a>(value: &'a mut Value, key: &Value) -> Result<&'a mut Value> {
    if value.is_null() && as_double(key).is_some() {
        *value = Value::from(Vec::<Value>::new());
    }
    if as_double(key).is_none() || value.as_array().is_none() {
        return Err(cannot_index(value, key));
    }
    match value {
        Value::Array(items) => {
            let position = position_to_set(key, items.len())?;
            let items = owned_array(items)?;
            if position >= items.len() {
                budget::charge_elements(position - items.len() + 1)?;
                items.resize(position + 1, Value::Null);
            }
            Ok(&mut items[position])
        }
        value => Ok(value),
    }
}

/// Implements `.[]` for updates.
pub fn iter_mut(value: &mut Value) -> Result<impl Iterator<Item = &mut Value>> {
    let (items, members) = match value {
        Value::Array(items) => (Some(owned_array(items)?.iter_mut()), None),
        Value::Object(members) => (None, Some(owned_object(members)?.values_mut())),
        _ => return Err(cannot_iterate(value)),
    };
    Ok(items.into_iter().flatten().chain(members.into_iter().flatten()))
}

/// Appends keys to a path.
pub fn join_path<const N: usize>(base: &Value, keys: [Value; N]) -> Value {
    let base = base.as_array().map_or_else(Vec::new, |keys| keys.to_vec());
    // The function cannot fail: if the budget is exhausted, the next step fails.
    budget::walk(base.len());
    Value::from(base.into_iter().chain(keys).collect::<Vec<_>>())
}

/// Concatenates two paths.
pub fn join_paths(base: &Value, path: &Value) -> Result<Value> {
    super::add(base.clone(), path)
}

/// Returns the error of a path expression that is a number literal.
pub fn no_place(value: &Value) -> Result<()> {
    Err(not_a_path(value))
}

/// Checks that an expression in a path yields the value at the path, and not a new value.
pub fn same_place(there: &Value, value: &Value) -> Result<()> {
    match (there, value) {
        (Value::Null, Value::Null) => Ok(()),
        (Value::Bool(there), Value::Bool(value)) if there == value => Ok(()),
        (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) if eq(there, value) => Ok(()),
        (Value::Array(there), Value::Array(value)) if Arc::ptr_eq(there, value) => Ok(()),
        (Value::Object(there), Value::Object(value)) if Arc::ptr_eq(there, value) => Ok(()),
        (Value::String(there), Value::String(value)) if std::ptr::eq(there.as_str(), value.as_str()) => Ok(()),
        _ => Err(not_a_path(value)),
    }
}
