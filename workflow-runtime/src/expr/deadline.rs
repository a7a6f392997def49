//! Deadlines: the time at which each passes, and what is left until then.

use std::time::Duration;

use crate::fault::{Fault, names};
use crate::machine::Core;
use crate::time::Timestamp;
use crate::value::Value;

/// Returns the timestamp `seconds` from now.
pub fn in_seconds(seconds: f64, core: &mut Core) -> Value {
    Value::from(core.now().plus(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)))
}

/// Returns the earlier of two timestamps.
pub fn earlier(one: Value, other: &Value) -> Value {
    match (timestamp(&one), timestamp(other)) {
        (Some(first), Some(second)) if second < first => other.clone(),
        _ => one,
    }
}

/// Returns the timestamp if it is in the future, else the fault of a timeout.
pub fn in_time(time: Value, cause: &str, core: &mut Core) -> Result<Value, Fault> {
    match timestamp(&time) {
        Some(time) if time <= core.now() => Err(too_late(cause)),
        _ => Ok(time),
    }
}

/// Returns the event if one has arrived, else the fault of a timeout.
pub fn received(event: Value, cause: &str) -> Result<Value, Fault> {
    if event.is_null() { Err(too_late(cause)) } else { Ok(event) }
}

fn too_late(cause: &str) -> Fault {
    Fault::named(names::TIMEOUT, cause)
}

/// Returns the seconds until a timestamp.
pub fn remaining(time: &Value, core: &mut Core) -> Value {
    let left = timestamp(time).map_or(Duration::ZERO, |time| time.since(core.now()));
    Value::from(left.as_secs_f64())
}

/// Returns the timestamp that a text is.
pub(super) fn timestamp(value: &Value) -> Option<Timestamp> {
    value.as_str()?.parse().ok()
}
