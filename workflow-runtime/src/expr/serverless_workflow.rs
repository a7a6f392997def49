//! The data operations of Serverless Workflow (draft of June 2020), apart from its expressions.
//! `docs/serverless-workflow.md` has the rules.

use std::collections::HashMap;
use std::sync::Arc;

pub use super::events::is_event;
use super::merge::{DEEPEST, merge};
use crate::budget;
use crate::event::CloudEvent;
use crate::fault::{Fault, TraceEntry, names};
use crate::machine::Core;
use crate::support::{NULL, object_input};
use crate::value::{EXCERPT, Object, Str, Value, array, object};

/// The error name of a state that fails because of its results.
const REFUSED_RESULTS: &str = "States.ErrorResult";

/// Returns the data that an execution starts with. The input must be an object. Null becomes the
/// empty object.
pub fn input(input: Value) -> Result<Value, Fault> {
    object_input(&input)
}

/// Returns the input if it is the empty object, to which the data of start events are added.
/// Returns null for any other input.
pub fn to_be_given(input: &Value) -> Value {
    if input.as_object().is_some_and(|members| members.is_empty()) { input.clone() } else { Value::Null }
}

/// Merges the data of a start event into the input. Data that are not an object become a member
/// with the name of the event.
pub fn given_by(input: Value, event: &Value, core: &mut Core) -> Value {
    let kinds = core.events();
    let read = CloudEvent::from_value(event).ok();
    let kind = read.and_then(|event| kinds.iter().find(|kind| kind.matches(&event)));
    with(input, event_data(event), kind.map_or("event", |kind| kind.name))
}

/// Returns the value that a filter selects, or all of the data if the filter selects nothing.
pub fn filtered<'v>(found: Option<&'v Value>, data: &'v Value) -> &'v Value {
    found.unwrap_or(data)
}

/// Returns the element if a filter selects exactly one, else the array of the selected elements.
/// Returns `None` if the filter selects nothing.
pub fn one_or_more(selected: Option<&Value>) -> Option<Value> {
    match selected?.as_array().map(|all| all.as_slice()) {
        Some([]) => None,
        Some([only]) => Some(only.clone()),
        _ => selected.cloned(),
    }
}

/// Returns the array of all values that a path selects, or `None` if it selects nothing.
pub fn some(selected: Option<&Value>) -> Option<Value> {
    selected.filter(|selected| selected.as_array().is_none_or(|all| !all.is_empty())).cloned()
}

/// Returns the value that a path selects, or null.
pub fn or_null(found: Option<&Value>) -> &Value {
    found.unwrap_or(&NULL)
}

/// Returns data that are an object, or an empty object in place of any other data, because nothing
/// can be merged into other data.
fn as_object(data: Value) -> Value {
    if data.as_object().is_some() { data } else { object([]) }
}

/// Merges a value into data: an object key by key, any other value as a member of this name.
fn merged(data: Value, value: Value, name: &str) -> Value {
    let data = as_object(data);
    match value {
        Value::Object(_) => merge(data, value),
        other => put(data, &[name], other),
    }
}

/// Puts a value at a path of names. Creates missing objects on the path.
fn put(mut data: Value, names: &[&str], value: Value) -> Value {
    place(&mut data, names, value);
    data
}

fn place(at: &mut Value, names: &[&str], value: Value) {
    let Some((name, rest)) = names.split_first() else {
        *at = value;
        return;
    };
    if at.as_object().is_none() {
        *at = object([]);
    }
    if let Some(members) = at.as_object_mut() {
        place(members.entry(Str::from(*name)), rest, value);
    }
}

/// Merges a result into data. Null adds nothing.
pub fn with(data: Value, result: Value, name: &str) -> Value {
    if result.is_null() { data } else { merged(data, result, name) }
}

/// Merges the part of a result that a path selects into data. If the path selects nothing, puts
/// the whole result at the place that the path names. Null adds nothing.
pub fn with_selected(data: Value, found: Option<&Value>, result: &Value, name: &str, place: &[&str]) -> Value {
    match (found, place) {
        (Some(found), _) => merged(data, found.clone(), name),
        (None, []) => data,
        (None, _) if result.is_null() => data,
        (None, _) => put(data, place, result.clone()),
    }
}

/// Replaces members of data.
pub fn injected(data: Value, members: Value) -> Value {
    let mut data = as_object(data);
    if let (Some(all), Some(new)) = (data.as_object_mut(), members.as_object()) {
        budget::spend(new.len());
        new.iter().for_each(|(name, value)| _ = all.insert(name.clone(), value.clone()));
    }
    data
}

/// Puts a value at a path of names.
pub fn set(data: Value, names: &[&str], value: Value) -> Value {
    put(data, names, value)
}

/// Returns the data of an event.
pub fn event_data(event: &Value) -> Value {
    event.get("data").cloned().unwrap_or_default()
}

/// Returns the data that an event filter is applied to: the attributes of the event and the
/// members of its data. The members of the data win.
pub fn event_view(event: &Value) -> Value {
    match event.get("data") {
        None | Some(Value::Null) => event.clone(),
        Some(Value::Object(members)) => {
            let mut view = event.clone();
            if let Some(all) = view.as_object_mut() {
                budget::spend(members.len());
                members.iter().for_each(|(name, value)| _ = all.insert(name.clone(), value.clone()));
            }
            view
        }
        Some(other) => other.clone(),
    }
}

/// Adds the data and the attributes of an event to data. Members of the data win, then those of
/// the event's data.
pub fn with_event(mut data: Value, event: &Value) -> Value {
    let Some(members) = data.as_object_mut() else { return data };
    let is_attribute = |name: &str| !matches!(name, "data" | "data_base64");
    let own = event.get("data").and_then(Value::as_object).into_iter().flat_map(|own| own.iter());
    let attributes = event.as_object().into_iter().flat_map(|event| event.iter());
    for (name, value) in own.chain(attributes.filter(|(name, _)| is_attribute(name))) {
        if !budget::spend(1) {
            break;
        }
        if !members.contains_key(name) {
            members.insert(name.clone(), value.clone());
        }
    }
    data
}

/// Records an event in a set of events, unless the set has an event of its kind. `numbers` are the
/// event kinds of the set.
pub fn note(mut seen: Value, event: &Value, numbers: &[&str], core: &mut Core) -> Value {
    let Ok(read) = CloudEvent::from_value(event) else { return seen };
    if let Some(all) = seen.as_array_mut() {
        let is_it = |number: &&str| number.parse().is_ok_and(|number| core.is_event(number, &read));
        let kinds: Vec<bool> = numbers.iter().map(is_it).collect();
        let place = all.iter_mut().zip(kinds).find(|(place, is_it)| *is_it && place.is_null());
        place.into_iter().for_each(|(place, _)| *place = event.clone());
    }
    seen
}

/// Returns `true` if all events of a set have arrived.
pub fn are_all(seen: &Value) -> bool {
    seen.as_array().is_some_and(|all| all.iter().all(|event| !event.is_null()))
}

/// Returns an event of a set, or null if the event has not arrived.
pub fn noted(seen: &Value, number: i64) -> &Value {
    seen.get(number).unwrap_or(&NULL)
}

/// Returns `true` if the current time is in `from..until`, in microseconds since 1970.
pub fn is_between(from: i64, until: i64, core: &mut Core) -> bool {
    (from..until).contains(&core.now().as_micros())
}

/// Returns `true` if the execution began less than this number of seconds ago.
pub fn is_younger(seconds: f64, core: &mut Core) -> bool {
    core.now().since(core.started()).as_secs_f64() < seconds
}

/// Returns `true` if a value is null.
pub fn is_null(value: &Value) -> bool {
    value.is_null()
}

/// Returns `true` if an error is a schema violation.
pub fn is_violation(error: &Value) -> bool {
    error.get("name").and_then(Value::as_str) == Some(names::SCHEMA_VIOLATION)
}

/// Returns the error object of a fault that is passed as `{"Error": …, "Cause": …}`. The prefix
/// `States.` is removed from the names of the runtime's own faults.
pub fn error(fault: Value, state: &str, core: &mut Core) -> Value {
    error_in(&fault, trace(core.trace(), state))
}

fn error_in(fault: &Value, trace: String) -> Value {
    let name = fault.get("Error").and_then(Value::as_str).unwrap_or("Error");
    if name == REFUSED_RESULTS {
        return Value::Null;
    }
    let name = name.strip_prefix("States.").unwrap_or(name);
    let message = match fault.get("Cause") {
        None | Some(Value::Null) => Value::from(""),
        Some(text @ Value::String(_)) => text.clone(),
        Some(other) => Value::from(other.excerpt(EXCERPT)),
    };
    object([("name", Value::from(name)), ("message", message), ("trace", Value::from(trace))])
}

/// Returns the trace of an error: the place of its origin, then the enclosing states up to the
/// state that handles it: ``in the action `pay` of the state `Pay`, in the state `Both` ``.
fn trace(places: &[TraceEntry], state: &str) -> String {
    let mut all: Vec<(bool, &str)> = Vec::with_capacity(places.len() + 1);
    all.extend(places.iter().map(|place| match *place {
        TraceEntry::Task(key) => (true, key),
        TraceEntry::State(name) => (false, name),
    }));
    if all.last() != Some(&(false, state)) {
        all.push((false, state));
    }
    let mut text = String::new();
    let mut is_of_task = false;
    for (is_task, name) in all {
        text.push_str(match (text.is_empty(), is_task, is_of_task) {
            (true, true, _) => "in the action",
            (true, false, _) => "in the state",
            (false, false, true) => " of the state",
            (false, false, false) => ", in the state",
            (false, true, _) => ", in the action",
        });
        text.extend([" `", name, "`"]);
        is_of_task = is_task;
    }
    text
}

/// Adds an error to data under both of its names, `error` and `exception`. A null error adds
/// nothing.
pub fn error_view(data: &Value, error: &Value) -> Value {
    if error.is_null() {
        return data.clone();
    }
    let data = put(as_object(data.clone()), &["error"], error.clone());
    put(data, &["exception"], error.clone())
}

/// Merges an error into data. A null error adds nothing.
pub fn with_error(data: Value, error: &Value) -> Value {
    if error.is_null() { data } else { merged(data, object([("error", error.clone())]), "error") }
}

/// Returns the data that an error filter is applied to. They are empty if the error is null.
pub fn error_data(error: &Value) -> Value {
    if error.is_null() { object([]) } else { object([("error", error.clone())]) }
}

/// Adds the member `exception` to data that have only `error`.
pub fn with_alias(data: &Value) -> Value {
    match data.get("error") {
        Some(error) if data.get("exception").is_none() => put(data.clone(), &["exception"], error.clone()),
        _ => data.clone(),
    }
}

/// Returns `true` if `data` have an error that differs from the error of `before`.
pub fn has_new_error(before: &Value, data: &Value) -> bool {
    let error = data.get("error").filter(|error| !error.is_null());
    error.is_some() && error != before.get("error")
}

/// Fails because of the results of a state.
pub fn refuse_results(data: &Value, state: &str) -> Result<Value, Fault> {
    let cause = format!("the state `{state}` rejects its results and is retried: {}", data.excerpt(SHOWN));
    Err(Fault::new(REFUSED_RESULTS, cause))
}

/// The length limit of data in a message, in bytes.
const SHOWN: usize = 2000;

/// Returns the elements of a foreach state. Anything but an array is a fault.
pub fn elements<'v>(found: Option<&'v Value>, path: &str) -> Result<&'v Value, Fault> {
    match found {
        Some(all @ Value::Array(_)) => Ok(all),
        other => {
            let what = other.map_or("nothing".to_owned(), |other| format!("a value of type {}", other.kind()));
            let cause = format!("`inputCollection` must be an array, but `{path}` selects {what}");
            Err(Fault::evaluation(names::QUERY_EVALUATION_ERROR, cause))
        }
    }
}

/// Returns the members that a branch has changed in its input. A member that the branch left
/// unchanged must not undo the change of another branch.
fn changes(before: &Value, after: &Value) -> Value {
    changes_within(before, after, DEEPEST, &mut HashMap::new())
}

/// The changes between two objects, by the addresses of both and the remaining levels.
type ChangesCache = HashMap<(usize, usize, usize), Value>;

/// Computes [`changes`] down to `levels` levels. The results are stored by address. The addresses
/// stay unique, because both values are borrowed.
fn changes_within(before: &Value, after: &Value, levels: usize, cache: &mut ChangesCache) -> Value {
    let (Value::Object(old), Value::Object(new), true) = (before, after, levels > 0) else { return after.clone() };
    let key = (Arc::as_ptr(old).addr(), Arc::as_ptr(new).addr(), levels);
    if let Some(changes) = cache.get(&key) {
        return changes.clone();
    }
    if !budget::spend(1 + new.len()) {
        return after.clone();
    }
    let changed = new.iter().filter_map(|(name, value)| match old.get(name) {
        Some(old) if old == value => None,
        Some(old @ Value::Object(_)) if value.as_object().is_some() => {
            Some((name.clone(), changes_within(old, value, levels - 1, cache)))
        }
        _ => Some((name.clone(), value.clone())),
    });
    let changed = Value::from(Object::from_iter(changed));
    // An object that is not shared is visited only once.
    if Arc::strong_count(new) > 1 {
        cache.insert(key, changed.clone());
    }
    changed
}

/// Merges the outputs of branches into the data, in the order of the branches.
pub fn with_branches(data: Value, outputs: &Value, names: &[&str]) -> Value {
    let outputs = outputs.as_array().map(|all| all.as_slice()).unwrap_or_default();
    joined(data, outputs.iter().zip(names.iter().copied()))
}

/// Merges the outputs of the completed branches into the data, in the order of the branches.
/// `ended` contains pairs of branch number and output.
pub fn with_first(data: Value, ended: &Value, names: &[&str]) -> Value {
    let ended = ended.as_array().map(|all| all.as_slice()).unwrap_or_default();
    let numbered = ended.iter().filter_map(|one| {
        let number = usize::try_from(one.get(0)?.as_i64()?).ok()?;
        Some((number, one.get(1)?, *names.get(number)?))
    });
    let mut numbered: Vec<(usize, &Value, &str)> = numbered.collect();
    numbered.sort_by_key(|(number, ..)| *number);
    joined(data, numbered.into_iter().map(|(_, output, name)| (output, name)))
}

fn joined<'v>(data: Value, outputs: impl Iterator<Item = (&'v Value, &'v str)>) -> Value {
    let before = data.clone();
    outputs.fold(data, |data, (output, name)| with(data, changes(&before, output), name))
}

/// Returns the output of an iteration with a single action: the result of the action, unless it is
/// an object, which has been merged into the data.
pub fn only(data: Value, result: &Value) -> Value {
    match result {
        Value::Null | Value::Object(_) => data,
        result => result.clone(),
    }
}

/// Compares a value with the text of a condition: as numbers where both are numbers, as booleans,
/// or else as texts. Only two numbers or two texts have an order.
pub fn compares(found: Option<&Value>, operator: &str, with: &str) -> bool {
    let order = || order(found?, with);
    match operator {
        "exists" => found.is_some(),
        "notexists" => found.is_none(),
        "null" => found.is_some_and(Value::is_null),
        "notnull" => found.is_some_and(|value| !value.is_null()),
        "equals" => found.is_some_and(|value| equals(value, with)),
        "notequals" => !found.is_some_and(|value| equals(value, with)),
        "lessthan" => order().is_some_and(|order| order.is_lt()),
        "lessthanorequals" => order().is_some_and(|order| order.is_le()),
        "greaterthan" => order().is_some_and(|order| order.is_gt()),
        "greaterthanorequals" => order().is_some_and(|order| order.is_ge()),
        _ => false,
    }
}

/// Returns a value as a number, including a text that contains a number.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => read_number(text),
        other => other.as_f64(),
    }
}

/// Returns a value as an integer, including a text that contains an integer. Integers are compared
/// exactly, large ones too.
fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::String(text) => {
            budget::spend_text(text);
            text.trim().parse().ok()
        }
        Value::Int(value) => Some(*value),
        _ => None,
    }
}

fn read_number(text: &str) -> Option<f64> {
    let text = text.trim();
    budget::spend_text(text);
    let is_plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    text.parse().ok().filter(|number: &f64| is_plain && number.is_finite())
}

fn equals(value: &Value, with: &str) -> bool {
    if let (Some(left), Ok(right)) = (whole(value), with.trim().parse::<i64>()) {
        return left == right;
    }
    if let (Some(left), Some(right)) = (number(value), read_number(with)) {
        return left == right;
    }
    match value {
        Value::String(text) => **text == *with,
        Value::Bool(flag) => with.trim() == if *flag { "true" } else { "false" },
        other => other.to_json(with.len() as u64).is_ok_and(|text| text == with),
    }
}

fn order(value: &Value, with: &str) -> Option<std::cmp::Ordering> {
    if let (Some(left), Ok(right)) = (whole(value), with.trim().parse::<i64>()) {
        return Some(left.cmp(&right));
    }
    match (number(value), read_number(with), value) {
        (Some(left), Some(right), _) => left.partial_cmp(&right),
        (None, None, Value::String(text)) => Some((**text).cmp(with)),
        _ => None,
    }
}

/// Returns the boolean result of a task that decides a condition.
pub fn decides(answer: &Value, task: &str) -> Result<bool, Fault> {
    answer.as_bool().ok_or_else(|| {
        let cause = format!("the task `{task}` decides a condition and must return a boolean, found {}", answer.kind());
        Fault::evaluation(names::QUERY_EVALUATION_ERROR, cause)
    })
}

/// Fails because no condition of a switch state holds.
pub fn no_condition(state: &str) -> Result<Value, Fault> {
    let cause = format!("no condition of the state `{state}` holds, and the state has no `default`");
    Err(Fault::new("States.NoChoiceMatched", cause))
}

/// Returns the fault of a transition whose expression does not hold.
pub fn guard(state: &str, expression: &str, data: &Value) -> Fault {
    let cause = format!(
        "the transition from the state `{state}` requires `{expression}`, which is false for {}",
        data.excerpt(SHOWN)
    );
    Fault::new("States.TransitionRefused", cause).uncatchable()
}

/// Returns the fault of an execution whose set of events is not complete in time.
pub fn incomplete(state: &str, seen: &Value) -> Fault {
    let all = seen.as_array().map(|all| all.as_slice()).unwrap_or_default();
    let came = all.iter().filter(|event| !event.is_null()).count();
    let cause = format!("the state `{state}` waited for {} events, but only {came} arrived in time", all.len());
    Fault::new("States.IncompleteEvents", cause).uncatchable()
}

/// Returns an array of `count` nulls, in which a set of events is recorded.
pub fn no_events(count: i64) -> Value {
    let mut all = array([]);
    if let Value::Array(items) = &mut all {
        Arc::make_mut(items).extend((0..count).map(|_| Value::Null));
    }
    all
}

#[cfg(test)]
mod tests;
