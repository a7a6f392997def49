//! The data operations of SM4C state machines, apart from their expressions.

pub use super::events::{input, is_event};
use crate::budget;
use crate::fault::{Fault, names};
use crate::machine::Core;
use crate::value::{Array, EXCERPT, Object, Str, Value, array};

/// Returns the error object for handlers of a fault that is passed as `{"Error": …, "Cause": …}`
/// ([S14](docs/sm4c.md#s14)).
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

/// Returns the event as handlers see it: with its attributes under the names of CloudEvents and
/// under the names of the SM4C text ([S10](docs/sm4c.md#s10)).
pub fn event(event: &Value) -> Value {
    let Some(attributes) = event.as_object() else { return event.clone() };
    budget::spend(attributes.len());
    let attribute = |name: &str| attributes.get(name).cloned().unwrap_or_default();
    let standard = ["specversion", "id", "source", "type", "subject", "time", "data", "data_base64", "datacontenttype"];
    let others = attributes.iter().filter(|(name, _)| !standard.contains(&&***name));
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

/// Returns the event that an event group has received, or null.
pub fn seen(seen: &Value, group: i64) -> &Value {
    seen.get(group).unwrap_or(&crate::support::NULL)
}

/// Records the event of an event group.
pub fn note(mut seen: Value, group: i64, event: &Value) -> Value {
    if let (Some(all), Ok(at)) = (seen.as_array_mut(), usize::try_from(group)) {
        while all.len() <= at {
            all.push(Value::Null);
        }
        all[at] = event.clone();
    }
    seen
}

/// Returns the completed children, in the order of their completion: the number of each child, its
/// result, and its pending handlers.
fn children(ended: &Value) -> impl Iterator<Item = (usize, &Value, &Value)> {
    let pairs = ended.as_array().map(|pairs| pairs.as_slice()).unwrap_or_default();
    budget::spend(pairs.len());
    pairs.iter().filter_map(|pair| {
        let number = usize::try_from(pair.get(0)?.as_i64()?).ok()?;
        let output = pair.get(1)?;
        Some((number, output.get(0)?, output.get(1)?))
    })
}

/// Returns the results of the completed children as an object, in the order of `keys`.
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

/// Returns an object with the members of both objects. The second object wins.
pub fn both(mut first: Value, second: Value) -> Value {
    budget::spend(second.as_object().map_or(0, Object::len));
    for (key, value) in second.as_object().into_iter().flat_map(|second| second.iter()) {
        if let Some(first) = first.as_object_mut() {
            first.insert(key.clone(), value.clone());
        }
    }
    first
}

/// Returns the results of the iterations, in the order of the items.
pub fn in_order(ended: &Value) -> Value {
    let mut results: Vec<(usize, Value)> =
        children(ended).map(|(number, result, _)| (number, result.clone())).collect();
    results.sort_by_key(|(number, _)| *number);
    Value::from(Array::from(results.into_iter().map(|(_, result)| result).collect::<Vec<_>>()))
}

/// Returns the output of a failed child: no result, its pending handlers, and the fault, which is
/// passed as `{"Error": …, "Cause": …}`. Cancels the siblings of the child.
pub fn failed(handled: Value, fault: Value, core: &mut Core) -> Value {
    core.end_others();
    array([Value::Null, handled, fault])
}

/// Returns the outputs of the completed children, or the fault of a failed child.
pub fn unless_failed(ended: Value) -> Result<Value, Fault> {
    // A failed child is the last to complete, because it cancels its siblings.
    let last = ended.as_array().and_then(|pairs| pairs.as_slice().last());
    let fault = last.and_then(|pair| pair.get(1)).and_then(|output| output.get(2));
    match fault {
        None => Ok(ended),
        Some(fault) => Err(raised(fault)),
    }
}

/// Converts a fault that is passed as `{"Error": …, "Cause": …}`.
fn raised(fault: &Value) -> Fault {
    let part = |name: &str| fault.get(name).filter(|part| !part.is_null()).cloned();
    Fault::from_parts(part("Error"), part("Cause"))
}

/// Returns the elements to iterate over. Anything but an array is a fault.
pub fn elements(value: Value) -> Result<Value, Fault> {
    match value.as_array() {
        Some(_) => Ok(value),
        None => {
            let cause = format!("the input of `foreach` must be an array, found {}", value.kind());
            Err(Fault::evaluation(names::QUERY_EVALUATION_ERROR, cause))
        }
    }
}

/// Appends the pending handlers of the completed children to the pending handlers before them.
pub fn handled(before: &Value, ended: &Value) -> Value {
    let mut all = before.as_array().cloned().unwrap_or_default();
    for (_, _, more) in children(ended) {
        budget::spend(more.as_array().map_or(0, |more| more.len()));
        all.extend(more.as_array().into_iter().flat_map(|more| more.iter().cloned()));
    }
    all.into()
}

/// Appends a handler and its error to the pending handlers.
pub fn handle(before: &Value, handler: i64, error: &Value) -> Value {
    let mut all = before.as_array().cloned().unwrap_or_default();
    all.push(array([Value::from(handler), error.clone()]));
    all.into()
}

/// Returns `true` if the first pending handler is this one.
pub fn is_first(to_do: &Value, handler: i64) -> bool {
    to_do.get(0).and_then(|first| first.get(0)).and_then(Value::as_i64) == Some(handler)
}

/// Returns the error for the first pending handler, or null if no handler is pending.
pub fn first(to_do: &Value) -> Value {
    to_do.get(0).and_then(|first| first.get(1)).cloned().unwrap_or_default()
}

/// Returns the pending handlers without the first.
pub fn rest(to_do: &Value) -> Value {
    budget::spend(to_do.as_array().map_or(0, |all| all.len()));
    let rest = to_do.as_array().map(|all| all.iter().skip(1).cloned().collect::<Vec<_>>());
    Value::from(Array::from(rest.unwrap_or_default()))
}

/// Returns the first fault of handlers: `before`, or `fault` if `before` is null.
pub fn first_fault(before: Value, fault: Value) -> Value {
    if before.is_null() { fault } else { before }
}

/// Fails with the fault of a handler, unless it is null.
pub fn unless_fault(fault: Value) -> Result<Value, Fault> {
    if fault.is_null() { Ok(fault) } else { Err(raised(&fault)) }
}

/// Returns `true` if a value is null.
pub fn is_null(value: &Value) -> bool {
    value.is_null()
}

/// Returns `true` if a value is this text.
pub fn is(value: &Value, text: &str) -> bool {
    value.as_str() == Some(text)
}

/// Returns the fault of a state without a transition that can be taken ([S7](docs/sm4c.md#s7)).
pub fn stuck(state: &str) -> Fault {
    let cause = format!("no condition of the state `{state}` holds, and the state waits for no event or time");
    Fault::named("States.NoChoiceMatched", cause)
}
