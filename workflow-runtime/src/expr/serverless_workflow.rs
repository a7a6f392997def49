//! What workflows of Serverless Workflow (draft of June 2020) do to their data, apart from their expressions. Rulings are those of
//! the specification's reading, `R1` to `R27`, as `docs/serverless-workflow.md` tells them.

use std::collections::HashMap;
use std::sync::Arc;

pub use super::events::{in_seconds, is_event};
use super::merge::{DEEPEST, merge};
use crate::budget;
use crate::event::CloudEvent;
use crate::fault::{Fault, Place, names};
use crate::machine::Core;
use crate::support::{NULL, object_input};
use crate::value::{EXCERPT, Object, Str, Value, array, object};

/// What a state fails with because of its results.
const REFUSED_RESULTS: &str = "States.ErrorResult";

/// The data that an execution starts with: an object; nothing is the empty one.
pub fn input(input: Value) -> Result<Value, Fault> {
    object_input(&input)
}

/// An input as far as events are still to add to it: null, where it is more than the empty object.
pub fn to_be_given(input: &Value) -> Value {
    if input.as_object().is_some_and(|members| members.is_empty()) { input.clone() } else { Value::Null }
}

/// An input with what an event carries that starts the execution; what is no object has the name of the event.
pub fn given_by(input: Value, event: &Value, core: &mut Core) -> Value {
    let kinds = core.events();
    let read = CloudEvent::from_value(event).ok();
    let kind = read.and_then(|event| kinds.iter().find(|kind| kind.matches(&event)));
    with(input, event_data(event), kind.map_or("event", |kind| kind.name))
}

/// What a filter selects; all of the data where it selects nothing.
pub fn filtered<'v>(found: Option<&'v Value>, data: &'v Value) -> &'v Value {
    found.unwrap_or(data)
}

/// The element, where a filter selects one; all that it selects otherwise, if there is any.
pub fn one_or_more(selected: Option<&Value>) -> Option<Value> {
    match selected?.as_array().map(|all| all.as_slice()) {
        Some([]) => None,
        Some([only]) => Some(only.clone()),
        _ => selected.cloned(),
    }
}

/// All that a path selects, if there is any.
pub fn some(selected: Option<&Value>) -> Option<Value> {
    selected.filter(|selected| selected.as_array().is_none_or(|all| !all.is_empty())).cloned()
}

/// What a path selects, or null.
pub fn or_null(found: Option<&Value>) -> &Value {
    found.unwrap_or(&NULL)
}

/// Data as an object: into what is none nothing can be merged, so that it gives way.
fn as_object(data: Value) -> Value {
    if data.as_object().is_some() { data } else { object([]) }
}

/// Data with a value merged into them: an object key by key, all else under this name.
fn merged(data: Value, value: Value, name: &str) -> Value {
    let data = as_object(data);
    match value {
        Value::Object(_) => merge(data, value),
        other => put(data, &[name], other),
    }
}

/// Data with a value where the names lead. Objects that are missing on the way are made.
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

/// Data with a result merged into them. Null adds nothing.
pub fn with(data: Value, result: Value, name: &str) -> Value {
    if result.is_null() { data } else { merged(data, result, name) }
}

/// Data with what a path selects of a result; where it selects nothing, with all of the result at the place that it names. Null adds
/// nothing.
pub fn with_selected(data: Value, found: Option<&Value>, result: &Value, name: &str, place: &[&str]) -> Value {
    match (found, place) {
        (Some(found), _) => merged(data, found.clone(), name),
        (None, []) => data,
        (None, _) if result.is_null() => data,
        (None, _) => put(data, place, result.clone()),
    }
}

/// Data with members replaced.
pub fn injected(data: Value, members: Value) -> Value {
    let mut data = as_object(data);
    if let (Some(all), Some(new)) = (data.as_object_mut(), members.as_object()) {
        budget::spend(new.len());
        new.iter().for_each(|(name, value)| _ = all.insert(name.clone(), value.clone()));
    }
    data
}

/// Data with a value where the names lead.
pub fn set(data: Value, names: &[&str], value: Value) -> Value {
    put(data, names, value)
}

/// What an event carries.
pub fn event_data(event: &Value) -> Value {
    event.get("data").cloned().unwrap_or_default()
}

/// What a filter of an event sees: the members of what it carries, and before them its attributes.
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

/// Data, and the attributes of an event where they have no such names.
pub fn with_attributes(mut data: Value, event: &Value) -> Value {
    if let (Some(members), Some(attributes)) = (data.as_object_mut(), event.as_object()) {
        budget::spend(attributes.len());
        for (name, value) in attributes.iter().filter(|(name, _)| !matches!(&***name, "data" | "data_base64")) {
            if !members.contains_key(name) {
                members.insert(name.clone(), value.clone());
            }
        }
    }
    data
}

/// The events of a set, with one more, if none of its kind is there.
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

/// Whether all events of a set are there.
pub fn are_all(seen: &Value) -> bool {
    seen.as_array().is_some_and(|all| all.iter().all(|event| !event.is_null()))
}

/// An event of a set.
pub fn noted(seen: &Value, number: i64) -> &Value {
    seen.get(number).unwrap_or(&NULL)
}

/// Whether the time is between two others, or the first of them, in microseconds since 1970.
pub fn is_between(from: i64, until: i64, core: &mut Core) -> bool {
    (from..until).contains(&core.now().as_micros())
}

/// Whether the execution began less than so many seconds ago.
pub fn is_younger(seconds: f64, core: &mut Core) -> bool {
    core.now().since(core.started()).as_secs_f64() < seconds
}

/// Whether a value is null.
pub fn is_null(value: &Value) -> bool {
    value.is_null()
}

/// Whether an error is that data do not fit a schema.
pub fn is_violation(error: &Value) -> bool {
    error.get("name").and_then(Value::as_str) == Some(names::SCHEMA_VIOLATION)
}

/// The error of a fault that is given as `{"Error": …, "Cause": …}`. Names of the runtime's own are told without `States.`.
pub fn error(fault: Value, state: &str, core: &mut Core) -> Value {
    error_in(&fault, trace(core.places(), state))
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

/// Where an error arose, and the states around that up to the one that handles it: ``in the action `pay` of the state `Pay`, in the
/// state `Both` ``.
fn trace(places: &[Place], state: &str) -> String {
    let mut all: Vec<(bool, &str)> = Vec::with_capacity(places.len() + 1);
    all.extend(places.iter().map(|place| match *place {
        Place::Task(key) => (true, key),
        Place::State(name) => (false, name),
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

/// Data, and an error under its two names, if there is one.
pub fn error_view(data: &Value, error: &Value) -> Value {
    if error.is_null() {
        return data.clone();
    }
    let data = put(as_object(data.clone()), &["error"], error.clone());
    put(data, &["exception"], error.clone())
}

/// Data with an error merged into them, if there is one.
pub fn with_error(data: Value, error: &Value) -> Value {
    if error.is_null() { data } else { merged(data, object([("error", error.clone())]), "error") }
}

/// What a filter of an error sees, if there is one.
pub fn error_data(error: &Value) -> Value {
    if error.is_null() { object([]) } else { object([("error", error.clone())]) }
}

/// Data whose error has its other name, too.
pub fn with_alias(data: &Value) -> Value {
    match data.get("error") {
        Some(error) if data.get("exception").is_none() => put(data.clone(), &["exception"], error.clone()),
        _ => data.clone(),
    }
}

/// Whether data have an error that they had not before.
pub fn has_new_error(before: &Value, data: &Value) -> bool {
    let error = data.get("error").filter(|error| !error.is_null());
    error.is_some() && error != before.get("error")
}

/// Fails because of the results of a state.
pub fn refuse_results(data: &Value, state: &str) -> Result<Value, Fault> {
    let cause = format!("the results of the state `{state}` are to be tried again: {}", data.excerpt(SHOWN));
    Err(Fault::new(REFUSED_RESULTS, cause))
}

/// So much of the data is told in a message, in bytes.
const SHOWN: usize = 2000;

/// The elements of a foreach state.
pub fn elements<'v>(found: Option<&'v Value>, path: &str) -> Result<&'v Value, Fault> {
    match found {
        Some(all @ Value::Array(_)) => Ok(all),
        other => {
            let what = other.map_or("nothing".to_owned(), |other| format!("a value of type {}", other.kind()));
            let cause = format!("`inputCollection` is an array, and `{path}` leads to {what}");
            Err(Fault::evaluation(names::QUERY_EVALUATION_ERROR, cause))
        }
    }
}

/// What a branch has made of the data that it was given: what it has left as it was does not undo what other branches did.
fn changes(before: &Value, after: &Value) -> Value {
    changes_within(before, after, DEEPEST, &mut HashMap::new())
}

/// What has been found of two objects on a level.
type Known = HashMap<(usize, usize, usize), Value>;

/// As [`changes`]. What has been found of two objects is known by their addresses, which stay theirs: both are borrowed.
fn changes_within(before: &Value, after: &Value, levels: usize, known: &mut Known) -> Value {
    let (Value::Object(old), Value::Object(new), true) = (before, after, levels > 0) else { return after.clone() };
    let key = (Arc::as_ptr(old).addr(), Arc::as_ptr(new).addr(), levels);
    if let Some(known) = known.get(&key) {
        return known.clone();
    }
    if !budget::spend(1 + new.len()) {
        return after.clone();
    }
    let changed = new.iter().filter_map(|(name, value)| match old.get(name) {
        Some(old) if old == value => None,
        Some(old @ Value::Object(_)) if value.as_object().is_some() => {
            Some((name.clone(), changes_within(old, value, levels - 1, known)))
        }
        _ => Some((name.clone(), value.clone())),
    });
    let changed = Value::from(Object::from_iter(changed));
    // What nothing shares is met once.
    if Arc::strong_count(new) > 1 {
        known.insert(key, changed.clone());
    }
    changed
}

/// The data with the outputs of branches, in their order.
pub fn with_branches(data: Value, outputs: &Value, names: &[&str]) -> Value {
    let outputs = outputs.as_array().map(|all| all.as_slice()).unwrap_or_default();
    joined(data, outputs.iter().zip(names.iter().copied()))
}

/// The data with the outputs of the branches that have ended, in the order of the branches.
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

/// What an iteration ends with that does one thing only: the result of that, if it is no object.
pub fn only(data: Value, result: &Value) -> Value {
    match result {
        Value::Null | Value::Object(_) => data,
        result => result.clone(),
    }
}

/// Whether the value fits: as numbers where both are, as truth values, or else as texts. In an order only numbers stand, and texts
/// among each other.
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

/// A value as a number, also of a text that reads as one.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => read_number(text),
        other => other.as_f64(),
    }
}

/// A value as a whole number, also of a text that reads as one: of large ones every digit counts.
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

/// The answer of a task that decides.
pub fn decides(answer: &Value, task: &str) -> Result<bool, Fault> {
    answer.as_bool().ok_or_else(|| {
        let cause = format!(
            "the task `{task}` decides a condition by true or false, and yields a value of type {}",
            answer.kind()
        );
        Fault::evaluation(names::QUERY_EVALUATION_ERROR, cause)
    })
}

/// Fails because no condition of a switch holds.
pub fn no_condition(state: &str) -> Result<Value, Fault> {
    let cause = format!("no condition of the state `{state}` holds, and it has no `default`");
    Err(Fault::new("States.NoChoiceMatched", cause))
}

/// The fault of a transition whose expression does not hold.
pub fn guard(state: &str, expression: &str, data: &Value) -> Fault {
    let cause = format!(
        "the transition out of the state `{state}` needs `{expression}`, which does not hold for {}",
        data.excerpt(SHOWN)
    );
    Fault::new("States.TransitionRefused", cause).uncatchable()
}

/// The fault of an execution whose set of events is not complete in time.
pub fn incomplete(state: &str, seen: &Value) -> Fault {
    let all = seen.as_array().map(|all| all.as_slice()).unwrap_or_default();
    let came = all.iter().filter(|event| !event.is_null()).count();
    let cause = format!(
        "{came} of the {} events came that the state `{state}` waits for, and no further one in time",
        all.len()
    );
    Fault::new("States.IncompleteEvents", cause).uncatchable()
}

/// An array of so many nulls, in which a set of events is noted.
pub fn no_events(count: i64) -> Value {
    let mut all = array([]);
    if let Value::Array(items) = &mut all {
        Arc::make_mut(items).extend((0..count).map(|_| Value::Null));
    }
    all
}

#[cfg(test)]
mod tests;
