//! The data operations of the Workflow DSL, apart from its expressions.

use std::borrow::Cow;
use std::sync::Arc;

use super::deadline::timestamp;
pub use super::events::{input, is_event};
pub use super::merge::merge;
use crate::budget;
use crate::fault::{Fault, names};
use crate::machine::Core;
use crate::time;
use crate::uri;
use crate::value::text::{push_text, shortened};
use crate::value::{DOCUMENT_LIMIT, Object, Value, object};

/// Returns a member of the data, or null if the data have no such member or are not an object.
pub fn member<'v>(data: &'v Value, name: &str) -> &'v Value {
    data.get(name).unwrap_or(&crate::support::NULL)
}

/// Merges members of the data: arrays are concatenated, and in objects later members win. Missing
/// members are skipped.
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
                    "" => {
                        format!("the filter can only merge arrays or objects, but `{name}` is of type {}", value.kind())
                    }
                    _ => {
                        format!("the filter cannot merge `{name}` of type {} with a value of type {what}", value.kind())
                    }
                };
                return Err(Fault::evaluation(names::QUERY_EVALUATION_ERROR, cause));
            }
        });
    }
    Ok(merged.unwrap_or_default())
}

/// Adds the result of a call to data: an object is merged, any other value becomes the member
/// `result`, and null adds nothing.
pub fn with_result(data: Value, result: &Value) -> Value {
    match result {
        Value::Object(_) | Value::Null => merge(data, result.clone()),
        _ => merge(data, object([("result", result.clone())])),
    }
}

/// Converts the output of a task to the answer of a call. An object of `status` (an integer),
/// `headers` (an object) and `body` is the answer itself. Any other output becomes the body of an
/// answer with the status 200.
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

/// Concatenates pieces to a text: texts unchanged, null as nothing, any other value as JSON.
pub fn text(pieces: &[&Value]) -> Result<Value, Fault> {
    let mut text = String::new();
    for piece in pieces {
        if !push_text(&mut text, &shown(piece)?) {
            break;
        }
    }
    Ok(text.into())
}

/// Builds an address from pieces. Pieces marked `v` are values, which are percent-encoded and
/// cannot leave their segment. A value in the path that is null or an empty text is a fault,
/// because it would change the structure of the address.
pub fn address(pieces: &[&Value], kinds: &str) -> Result<Value, Fault> {
    let mut address = String::new();
    for (piece, kind) in pieces.iter().zip(kinds.chars()) {
        let piece = shown(piece)?;
        if !budget::spend_text(&piece) {
            break;
        }
        if kind != 't' && piece.is_empty() && !address.contains('?') {
            let address = shortened(&address);
            let cause = format!("the expression after `{address}` in the address has no result");
            return Err(Fault::evaluation(names::QUERY_EVALUATION_ERROR, cause));
        }
        address.push_str(&if kind == 'v' { encode(&piece).into() } else { piece });
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

/// Percent-encodes a text as a segment of a path. A segment of dots only is encoded, too, because
/// it would change the path.
fn encode(text: &str) -> String {
    if matches!(text, "." | "..") { text.replace('.', "%2E") } else { uri::encode(text) }
}

/// Returns the data of an event.
pub fn payload(event: &Value) -> Value {
    event.get("data").cloned().unwrap_or_default()
}

/// Increments a number.
pub fn one_more(number: Value) -> Value {
    Value::from(number.as_i64().unwrap_or(0).saturating_add(1))
}

/// Returns `true` if a timestamp comes before the next attempt after this number of failures.
/// Delays grow by `coefficient`, up to `most` seconds.
pub fn comes_first(
    failures: &Value,
    time: &Value,
    interval: f64,
    coefficient: f64,
    most: f64,
    core: &mut Core,
) -> bool {
    let previous = failures.as_i64().unwrap_or(1).saturating_sub(1).min(i64::from(i32::MAX)) as i32;
    let delay = (interval * coefficient.powi(previous)).min(most).max(0.0);
    timestamp(time).is_some_and(|time| time <= core.now().plus(time::seconds(delay)))
}

/// Returns the fault of a workflow whose activity has failed. Its error name is that of the
/// activity's fault, and the cause names the activity.
pub fn failed(activity: &str, fault: Value) -> Fault {
    let part = |name: &str| fault.get(name).filter(|part| !part.is_null()).cloned();
    let mut cause = Object::new();
    cause.insert("activity", Value::from(activity));
    cause.insert("cause", part("Cause").unwrap_or_default());
    Fault::from_parts(part("Error"), Some(cause.into()))
}

/// Returns the fault of a switch with no condition that holds.
pub fn no_condition(activity: &str) -> Fault {
    let cause = object([
        ("activity", Value::from(activity)),
        ("cause", Value::from("no condition holds, and the activity has no `defaultCondition`")),
    ]);
    Fault::from_parts(Some(Value::from("States.NoChoiceMatched")), Some(cause))
}
