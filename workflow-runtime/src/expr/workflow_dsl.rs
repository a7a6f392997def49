//! What workflows of the Workflow DSL do to their data, apart from their expressions.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

pub use super::events::{in_seconds, input, is_event};
pub use super::merge::merge;
use crate::budget;
use crate::fault::{Fault, names};
use crate::machine::Core;
use crate::time::{self, Timestamp};
use crate::value::text::{push_text, shortened};
use crate::value::{DOCUMENT_LIMIT, Object, Value, object};

/// A member of the data; null where they have none, or are no object.
pub fn member<'v>(data: &'v Value, name: &str) -> &'v Value {
    data.get(name).unwrap_or(&crate::support::NULL)
}

/// Members of the data, merged: arrays one after the other, or objects, of which later ones win. Those that are not there are
/// passed over.
pub fn merged(data: &Value, names: &[&str]) -> Result<Value, Fault> {
    let mut merged: Option<Value> = None;
    for name in names {
        let Some(value) = data.get(*name).filter(|value| !value.is_null()) else { continue };
        merged = Some(match (merged, value) {
            (None, Value::Array(_) | Value::Object(_)) => value.clone(),
            (Some(Value::Array(mut all)), Value::Array(more)) => {
                budget::spend(all.len() + more.len());
                Arc::make_mut(&mut all).extend(more.iter().cloned());
                Value::Array(all)
            }
            (Some(Value::Object(mut all)), Value::Object(more)) => {
                budget::spend(all.len() + more.len());
                let members = Arc::make_mut(&mut all);
                for (key, value) in more.iter() {
                    members.insert(key.clone(), value.clone());
                }
                Value::Object(all)
            }
            (before, value) => {
                let what = before.map_or("", |before| before.kind());
                let cause = match what {
                    "" => format!("the filter merges arrays or objects, and `{name}` is of type {}", value.kind()),
                    _ => format!(
                        "the filter merges arrays or objects: `{name}` is of type {}, and what is before it of type {what}",
                        value.kind()
                    ),
                };
                return Err(Fault::evaluation(names::QUERY_EVALUATION_ERROR, cause));
            }
        });
    }
    Ok(merged.unwrap_or_default())
}

/// Data with the result of a call: an object is merged, something else becomes the member `result`; nothing adds nothing.
pub fn with_result(data: Value, result: &Value) -> Value {
    match result {
        Value::Object(_) | Value::Null => merge(data, result.clone()),
        _ => merge(data, object([("result", result.clone())])),
    }
}

/// The answer to a call, of what a task yields: that is an answer itself if it is an object of `status`, a whole number, `headers`,
/// an object, and `body`; else it is the body of one with the status 200.
pub fn answer(result: Value) -> Value {
    let is_answer = result.as_object().is_some_and(|answer| {
        answer.len() == 3
            && answer.get("body").is_some()
            && answer.get("status").is_some_and(|status| status.as_i64().is_some())
            && answer.get("headers").is_some_and(|headers| headers.as_object().is_some())
    });
    if is_answer {
        return result;
    }
    object([("status", Value::from(200_i64)), ("headers", object([])), ("body", result)])
}

/// A text made of pieces: texts as they are, nothing for null, and all else as JSON.
pub fn text(pieces: &[&Value]) -> Result<Value, Fault> {
    let mut text = String::new();
    for piece in pieces {
        if !push_text(&mut text, &shown(piece)?) {
            break;
        }
    }
    Ok(text.into())
}

/// An address made of pieces, of which those marked `v` are values: they stay in their part of it, whatever is in them. One of the
/// path that is nothing, or nothing but text of no length, would make another address of it: that is a fault.
pub fn address(pieces: &[&Value], kinds: &str) -> Result<Value, Fault> {
    let mut address = String::new();
    for (piece, kind) in pieces.iter().zip(kinds.chars()) {
        let piece = shown(piece)?;
        if !budget::spend_text(&piece) {
            break;
        }
        if kind != 't' && piece.is_empty() && !address.contains('?') {
            let address = shortened(&address);
            let cause = format!("the address `{address}` does not go on: the expression behind that yields nothing");
            return Err(Fault::evaluation(names::QUERY_EVALUATION_ERROR, cause));
        }
        if kind == 'v' { encode(&piece, &mut address) } else { address.push_str(&piece) }
    }
    Ok(Value::from(address))
}

fn shown(piece: &Value) -> Result<Cow<'_, str>, Fault> {
    match piece {
        Value::Null => Ok(Cow::Borrowed("")),
        Value::String(text) => Ok(Cow::Borrowed(text)),
        other => {
            let text = other.to_json(DOCUMENT_LIMIT).map_err(|error| Fault::too_large("A value in a text", error))?;
            Ok(Cow::Owned(text))
        }
    }
}

/// Writes what is not unreserved in RFC 3986 in percents. What is nothing but dots would be a way through folders.
fn encode(text: &str, out: &mut String) {
    let is_way = matches!(text, "." | "..");
    for byte in text.bytes() {
        match byte {
            b'.' if is_way => out.push_str("%2E"),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
}

/// What a message carries.
pub fn payload(event: &Value) -> Value {
    event.get("data").cloned().unwrap_or_default()
}

/// The earlier of two times.
pub fn earlier(one: Value, other: &Value) -> Value {
    match (timestamp(&one), timestamp(other)) {
        (Some(first), Some(second)) if second < first => other.clone(),
        _ => one,
    }
}

/// A time, if it has not come.
pub fn in_time(time: Value, limit: &str, core: &mut Core) -> Result<Value, Fault> {
    match timestamp(&time) {
        Some(time) if time <= core.now() => Err(too_late(limit)),
        _ => Ok(time),
    }
}

/// A message, if one has come.
pub fn received(event: Value, limit: &str) -> Result<Value, Fault> {
    if event.is_null() { Err(too_late(limit)) } else { Ok(event) }
}

fn too_late(limit: &str) -> Fault {
    Fault::named(names::TIMEOUT, format!("the time of the activity is over: {limit}"))
}

/// The seconds until a time.
pub fn remaining(time: &Value, core: &mut Core) -> Value {
    let left = timestamp(time).map_or(Duration::ZERO, |time| time.since(core.now()));
    Value::from(left.as_secs_f64())
}

/// One more than a number.
pub fn one_more(number: Value) -> Value {
    Value::from(number.as_i64().unwrap_or(0).saturating_add(1))
}

/// Whether a time comes before the next try of what has failed so often, of which each try is later than the one before by an
/// interval that grows.
pub fn comes_first(
    failures: &Value,
    time: &Value,
    interval: f64,
    coefficient: f64,
    most: f64,
    core: &mut Core,
) -> bool {
    let made = failures.as_i64().unwrap_or(1).saturating_sub(1).min(i64::from(i32::MAX)) as i32;
    let delay = (interval * coefficient.powi(made)).min(most).max(0.0);
    timestamp(time).is_some_and(|time| time <= core.now().plus(time::seconds(delay)))
}

fn timestamp(value: &Value) -> Option<Timestamp> {
    value.as_str()?.parse().ok()
}

/// The fault of a workflow whose activity has failed: its name is that of the activity's, and the cause tells which one that is.
pub fn failed(activity: &str, fault: Value) -> Fault {
    let part = |name: &str| fault.get(name).filter(|part| !part.is_null()).cloned();
    let mut cause = Object::new();
    cause.insert("activity", Value::from(activity));
    cause.insert("cause", part("Cause").unwrap_or_default());
    Fault::from_parts(part("Error"), Some(cause.into()))
}

/// The fault of a workflow of whose switch no condition holds.
pub fn no_condition(activity: &str) -> Fault {
    let cause = object([
        ("activity", Value::from(activity)),
        ("cause", Value::from("no condition holds, and there is no `defaultCondition`")),
    ]);
    Fault::from_parts(Some(Value::from("States.NoChoiceMatched")), Some(cause))
}
