//! Checks of field values that are computed when a state runs: seconds, timestamps, numbers,
//! items.

use super::timestamp;
use crate::fault::Fault;
use crate::machine::Core;
use crate::time::Timestamp;
use crate::value::text::shortened;
use crate::value::{EXCERPT, Value};

/// The maximum delay of a Wait state, in seconds: 2^31 - 1 (recorded on AWS).
const LONGEST_DELAY: i64 = 2_147_483_647;

/// The beginning of a value in a message. A string is shown without quotes.
struct Shown<'a>(&'a Value);

impl std::fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Value::String(text) => f.write_str(&shortened(text)),
            other => f.write_str(&other.excerpt(EXCERPT)),
        }
    }
}

fn referenced<'a>(found: Option<&'a Value>, path: &str, field: &str) -> Result<&'a Value, Fault> {
    found.ok_or_else(|| Fault::runtime(format!("The {field} parameter does not reference an input value: {path}")))
}

fn too_long() -> Fault {
    Fault::runtime("Wait state delay is too long.")
}

/// Checks `SecondsPath`: a non-negative integer.
pub fn seconds_path<'a>(found: Option<&'a Value>, path: &'static str) -> Result<&'a Value, Fault> {
    let value = referenced(found, path, "SecondsPath")?;
    match value.as_i64() {
        Some(0..=LONGEST_DELAY) => Ok(value),
        Some(1..) => Err(too_long()),
        Some(_) => Err(Fault::runtime(format!(
            "The SecondsPath parameter references a negative value: {path} == {}",
            Shown(value)
        ))),
        None => Err(Fault::runtime(format!(
            "The SecondsPath parameter cannot be parsed as a long value: {path} == {}",
            Shown(value)
        ))),
    }
}

/// Checks `TimestampPath`: a timestamp that is not later than the maximum delay from now.
pub fn timestamp_path<'a>(found: Option<&'a Value>, path: &'static str, core: &mut Core) -> Result<&'a Value, Fault> {
    time_from(core.now(), found, path)
}

pub(super) fn time_from<'a>(now: Timestamp, found: Option<&'a Value>, path: &'static str) -> Result<&'a Value, Fault> {
    let value = referenced(found, path, "TimestampPath")?;
    let Some(time) = timestamp::of(value) else {
        return Err(Fault::runtime(format!(
            "The TimestampPath parameter does not reference a valid ISO-8601 extended offset date-time format string: \
             {path} == {}",
            Shown(value)
        )));
    };
    let now = now.as_micros().div_euclid(1_000_000);
    if time.seconds.saturating_sub(now) > LONGEST_DELAY {
        return Err(too_long());
    }
    Ok(value)
}

/// Checks `TimeoutSecondsPath` and `HeartbeatSecondsPath`: a positive integer.
pub fn timeout_path<'a>(value: &'a Value, path: &'static str, field: &'static str) -> Result<&'a Value, Fault> {
    match value.as_i64() {
        Some(1..) => Ok(value),
        _ => Err(not_valid(value, path, field, "positive integer")),
    }
}

/// Checks `MaxConcurrencyPath`.
pub fn max_concurrency_path<'a>(value: &'a Value, path: &'static str) -> Result<&'a Value, Fault> {
    integer_path(value, path, "MaxConcurrencyPath")
}

/// Checks `ToleratedFailureCountPath`.
pub fn tolerated_count_path<'a>(value: &'a Value, path: &'static str) -> Result<&'a Value, Fault> {
    integer_path(value, path, "ToleratedFailureCountPath")
}

/// Checks `ToleratedFailurePercentagePath`.
pub fn tolerated_percentage_path<'a>(value: &'a Value, path: &'static str) -> Result<&'a Value, Fault> {
    match value.as_f64() {
        Some(0.0..=100.0) => Ok(value),
        Some(_) => Err(Fault::runtime("ToleratedFailurePercentage must be between 0 and 100.")),
        None => Err(not_valid(value, path, "ToleratedFailurePercentagePath", "float")),
    }
}

/// Checks a field that takes a non-negative integer.
pub fn integer_path<'a>(value: &'a Value, path: &'static str, field: &'static str) -> Result<&'a Value, Fault> {
    // A text that contains an integer is accepted (recorded on AWS).
    let number = value.as_i64().or_else(|| value.as_str().and_then(|text| text.parse().ok()));
    match number {
        Some(0..) => Ok(value),
        Some(_) => {
            let name = field.strip_suffix("Path").unwrap_or(field);
            Err(Fault::runtime(format!("{name} must not be negative.")))
        }
        None => Err(not_valid(value, path, field, "integer")),
    }
}

fn not_valid(value: &Value, path: &str, field: &str, wanted: &str) -> Fault {
    let shown = Shown(value);
    Fault::runtime(format!("The {field} field refers to value \"{shown}\" which is not a valid {wanted}: {path}"))
}

/// Checks the items of a Map: an array.
pub fn items_array<'a>(value: &'a Value, path: &'static str) -> Result<&'a Value, Fault> {
    match value {
        Value::Array(_) => Ok(value),
        _ => Err(Fault::runtime(format!("Reference path \"{path}\" must point to array."))),
    }
}

/// Checks `ErrorPath` and `CausePath`, written as `source`: a string.
pub fn fault_string<'a>(value: &'a Value, source: &'static str, field: &'static str) -> Result<&'a Value, Fault> {
    match value {
        Value::String(_) => Ok(value),
        _ => Err(not_valid(value, source, field, "string")),
    }
}
