//! What state machines of SM4C do to their data, apart from their expressions.

pub use super::events::{in_seconds, input, is_event};
use crate::budget;
use crate::fault::{Fault, names};
use crate::machine::Core;
use crate::value::{Array, EXCERPT, Object, Str, Value, array};

/// The error that handlers see, of a fault that is given as `{"Error": …, "Cause": …}` (ruling S14).
pub fn error(fault: Value) -> Value {
    let part = |name: &str| fault.get(name).cloned().unwrap_or_default();
    let (name, cause) = (part("Error"), part("Cause"));
    let mut error = Object::new();
    error.insert("ClassName", if name.is_null() { Value::from("Error") } else { name.clone() });
    let message = match &cause {
        Value::String(_) => cause.clone(),
        Value::Null => Value::from(""),
        other => Value::from(other.excerpt(EXCERPT)),
    };
    error.insert("Message", message);
    error.insert("code", name);
    if !matches!(cause, Value::Null | Value::String(_)) {
        error.insert("data", cause);
    }
    error.into()
}

/// The event that handlers see: its attributes under the names of CloudEvents, and under those of the source text (ruling
/// S10).
pub fn event(event: &Value) -> Value {
    let Some(attributes) = event.as_object() else { return event.clone() };
    budget::spend(attributes.len());
    let attribute = |name: &str| attributes.get(name).cloned().unwrap_or_default();
    let known = ["specversion", "id", "source", "type", "subject", "time", "data", "data_base64", "datacontenttype"];
    let others = attributes.iter().filter(|(name, _)| !known.contains(&&***name));
    let mut shown = attributes.clone();
    let context = Object::from_iter(others.map(|(name, value)| (name.clone(), value.clone())));
    for (name, of) in [
        ("EventId", "id"),
        ("EventName", "subject"),
        ("EventSource", "source"),
        ("EventType", "type"),
        ("Timestamp", "time"),
        ("Data", "data"),
    ] {
        shown.insert(name, attribute(of));
    }
    shown.insert("ContextAttributes", Value::from(context));
    shown.into()
}

/// The event that an event group has had; null if it has had none.
pub fn seen(seen: &Value, group: i64) -> &Value {
    seen.get(group).unwrap_or(&crate::support::NULL)
}

/// The events that event groups have had, with one more.
pub fn note(mut seen: Value, group: i64, event: &Value) -> Value {
    if let (Some(all), Ok(at)) = (seen.as_array_mut(), usize::try_from(group)) {
        while all.len() <= at {
            all.push(Value::Null);
        }
        all[at] = event.clone();
    }
    seen
}

/// The children that have ended, in the order in which they have: the number of each, its result, and what handlers are to do.
fn children(ended: &Value) -> impl Iterator<Item = (usize, &Value, &Value)> {
    let pairs = ended.as_array().map(|pairs| pairs.as_slice()).unwrap_or_default();
    budget::spend(pairs.len());
    pairs.iter().filter_map(|pair| {
        let number = usize::try_from(pair.get(0)?.as_i64()?).ok()?;
        let output = pair.get(1)?;
        Some((number, output.get(0)?, output.get(1)?))
    })
}

/// The results of the children that have ended, under their keys, in the order of those.
pub fn ended(ended: &Value, keys: &[&str]) -> Value {
    let mut results = vec![None; keys.len()];
    for (number, result, _) in children(ended) {
        if let Some(place) = results.get_mut(number) {
            *place = Some(result.clone());
        }
    }
    let members = keys.iter().zip(results).filter_map(|(key, result)| Some((Str::from(*key), result?)));
    Value::from(Object::from_iter(members))
}

/// The members of two objects.
pub fn both(mut first: Value, second: Value) -> Value {
    budget::spend(second.as_object().map_or(0, Object::len));
    for (key, value) in second.as_object().into_iter().flat_map(|second| second.iter()) {
        if let Some(first) = first.as_object_mut() {
            first.insert(key.clone(), value.clone());
        }
    }
    first
}

/// The results of iterations, in the order of the items.
pub fn in_order(ended: &Value) -> Value {
    let mut results: Vec<(usize, Value)> =
        children(ended).map(|(number, result, _)| (number, result.clone())).collect();
    results.sort_by_key(|(number, _)| *number);
    Value::from(Array::from(results.into_iter().map(|(_, result)| result).collect::<Vec<_>>()))
}

/// What a child ends with that has failed: no result, what handlers are to do, and the fault, which is given as
/// `{"Error": …, "Cause": …}`. Those beside it are waited for no longer.
pub fn failed(handled: Value, fault: Value, core: &mut Core) -> Value {
    core.end_others();
    array([Value::Null, handled, fault])
}

/// The children that have ended, if none of them has failed; else its fault.
pub fn unless_failed(ended: Value) -> Result<Value, Fault> {
    // Who fails is the last.
    let last = ended.as_array().and_then(|pairs| pairs.as_slice().last());
    let fault = last.and_then(|pair| pair.get(1)).and_then(|output| output.get(2));
    match fault {
        None => Ok(ended),
        Some(fault) => Err(raised(fault)),
    }
}

/// A fault that is given as `{"Error": …, "Cause": …}`.
fn raised(fault: &Value) -> Fault {
    let part = |name: &str| fault.get(name).filter(|part| !part.is_null()).cloned();
    Fault::from_parts(part("Error"), part("Cause"))
}

/// The elements to iterate over.
pub fn elements(value: Value) -> Result<Value, Fault> {
    match value.as_array() {
        Some(_) => Ok(value),
        None => {
            let cause = format!("the input of `foreach` must be an array, and is of type {}", value.kind());
            Err(Fault::evaluation(names::QUERY_EVALUATION_ERROR, cause))
        }
    }
}

/// What handlers are to do: what they were before, then what they are after these children.
pub fn handled(before: &Value, ended: &Value) -> Value {
    let mut all = before.as_array().cloned().unwrap_or_default();
    for (_, _, more) in children(ended) {
        budget::spend(more.as_array().map_or(0, |more| more.len()));
        all.extend(more.as_array().into_iter().flat_map(|more| more.iter().cloned()));
    }
    all.into()
}

/// What handlers are to do, with one more.
pub fn handle(before: &Value, handler: i64, error: &Value) -> Value {
    let mut all = before.as_array().cloned().unwrap_or_default();
    all.push(array([Value::from(handler), error.clone()]));
    all.into()
}

/// Whether the first handler that is to do something is this one.
pub fn is_first(to_do: &Value, handler: i64) -> bool {
    to_do.get(0).and_then(|first| first.get(0)).and_then(Value::as_i64) == Some(handler)
}

/// The error that the first handler is to handle; null if none is to do anything.
pub fn first(to_do: &Value) -> Value {
    to_do.get(0).and_then(|first| first.get(1)).cloned().unwrap_or_default()
}

/// What is to be done after the first.
pub fn rest(to_do: &Value) -> Value {
    budget::spend(to_do.as_array().map_or(0, |all| all.len()));
    let rest = to_do.as_array().map(|all| all.iter().skip(1).cloned().collect::<Vec<_>>());
    Value::from(Array::from(rest.unwrap_or_default()))
}

/// The first fault of handlers: the one before, or this one if there is none.
pub fn first_fault(before: Value, fault: Value) -> Value {
    if before.is_null() { fault } else { before }
}

/// Passes on the fault of a handler, if there is one.
pub fn unless_fault(fault: Value) -> Result<Value, Fault> {
    if fault.is_null() { Ok(fault) } else { Err(raised(&fault)) }
}

/// Whether a value is null.
pub fn is_null(value: &Value) -> bool {
    value.is_null()
}

/// Whether a value is this text.
pub fn is(value: &Value, text: &str) -> bool {
    value.as_str() == Some(text)
}

/// The fault of a state that no transition leads out of (ruling S7).
pub fn stuck(state: &str) -> Fault {
    let cause = format!("no condition of the state `{state}` holds, and it waits for no event and no time");
    Fault::named("States.NoChoiceMatched", cause)
}
