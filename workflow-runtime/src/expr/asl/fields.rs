//! Checks of field values that are computed when a state runs: seconds, timestamps, numbers,
//! items.

use super::absence::missing_field;
use super::selection::{Selection, Written};
use super::timestamp;
use crate::fault::{Fault, names};
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

fn referenced<'a>(selection: &Selection<'a>, field: &str) -> Result<&'a Value, Fault> {
    selection.found.ok_or_else(|| {
        let path = selection.path();
        Fault::runtime(format!("The {field} parameter does not reference an input value: {path}"))
    })
}

fn too_long() -> Fault {
    Fault::runtime("Wait state delay is too long.")
}

/// Checks `SecondsPath`: a non-negative integer.
pub fn seconds_path(selection: Selection<'_>) -> Result<&Value, Fault> {
    let (value, path) = (referenced(&selection, "SecondsPath")?, selection.path());
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
pub fn timestamp_path<'a>(selection: Selection<'a>, core: &mut Core) -> Result<&'a Value, Fault> {
    time_from(core.now(), selection)
}

pub(super) fn time_from(now: Timestamp, selection: Selection<'_>) -> Result<&Value, Fault> {
    let (value, path) = (referenced(&selection, "TimestampPath")?, selection.path());
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
pub fn timeout_path<'a>(selection: Selection<'a>, field: &'static str) -> Result<&'a Value, Fault> {
    let value = selection.required()?;
    match value.as_i64() {
        Some(1..) => Ok(value),
        _ => Err(not_valid(value, selection.path(), field, "positive integer")),
    }
}

/// Checks `MaxConcurrencyPath`, and returns the number.
pub fn max_concurrency_path(selection: Selection<'_>) -> Result<Value, Fault> {
    integer_path(selection, "MaxConcurrencyPath")
}

/// Checks `ToleratedFailureCountPath`, and returns the number.
pub fn tolerated_count_path(selection: Selection<'_>) -> Result<Value, Fault> {
    integer_path(selection, "ToleratedFailureCountPath")
}

/// Checks `ToleratedFailurePercentagePath`, and returns the number.
pub fn tolerated_percentage_path(selection: Selection<'_>) -> Result<Value, Fault> {
    let value = selection.required()?;
    // A text that contains a number is accepted (recorded on AWS).
    let number = value.as_f64().or_else(|| value.as_str().and_then(|text| text.parse().ok()));
    match number {
        Some(number @ 0.0..=100.0) if value.as_str().is_some() => Ok(Value::from(number)),
        Some(0.0..=100.0) => Ok(value.clone()),
        Some(number) if !number.is_nan() => {
            Err(Fault::runtime("ToleratedFailurePercentage must be between 0 and 100."))
        }
        _ => Err(not_valid(value, selection.path(), "ToleratedFailurePercentagePath", "float")),
    }
}

/// Returns the whole number that a value is. A text that contains an integer is accepted (recorded
/// on AWS).
fn integer(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str().and_then(|text| text.parse().ok()))
}

/// Checks a field that takes a non-negative integer.
fn integer_path(selection: Selection<'_>, field: &'static str) -> Result<Value, Fault> {
    let value = selection.required()?;
    match integer(value) {
        Some(number @ 0..) => Ok(Value::Int(number)),
        Some(_) => {
            let name = field.strip_suffix("Path").unwrap_or(field);
            Err(Fault::runtime(format!("{name} must not be negative.")))
        }
        None => Err(not_valid(value, selection.path(), field, "integer")),
    }
}

/// Checks `MaxItemsPath`, and returns the number. A negative one is a failure of the reader, which
/// handlers can catch.
pub fn max_items_path(selection: Selection<'_>) -> Result<Value, Fault> {
    let value = selection.required()?;
    match integer(value) {
        Some(number @ 0..) => Ok(Value::Int(number)),
        Some(_) => Err(Fault::new(names::ITEM_READER_FAILED, "field MaxItems must be positive")),
        None => Err(not_valid(value, selection.path(), "MaxItemsPath", "integer")),
    }
}

/// Checks `MaxItemsPerBatchPath`, and returns the number.
pub fn max_items_per_batch_path(selection: Selection<'_>) -> Result<Value, Fault> {
    positive_path(selection, "MaxItemsPerBatchPath")
}

/// The maximum of `MaxInputBytesPerBatch`: the size of the input of an execution on AWS.
pub(crate) const LARGEST_BATCH: i64 = 262_144;

/// Checks `MaxInputBytesPerBatchPath`, and returns the number.
pub fn max_input_bytes_path(selection: Selection<'_>) -> Result<Value, Fault> {
    match positive_path(selection, "MaxInputBytesPerBatchPath")? {
        Value::Int(number) if number > LARGEST_BATCH => {
            Err(Fault::runtime(format!("MaxInputBytesPerBatch must be between 1 and {LARGEST_BATCH}.")))
        }
        number => Ok(number),
    }
}

/// Checks a field that takes a positive integer.
fn positive_path(selection: Selection<'_>, field: &'static str) -> Result<Value, Fault> {
    let value = selection.required()?;
    match integer(value) {
        Some(number @ 1..) => Ok(Value::Int(number)),
        _ => Err(not_valid(value, selection.path(), field, "positive integer")),
    }
}

fn not_valid(value: &Value, path: Written, field: &str, wanted: &str) -> Fault {
    let shown = Shown(value);
    Fault::runtime(format!("The {field} field refers to value \"{shown}\" which is not a valid {wanted}: {path}"))
}

/// Checks the items of a Map: an array.
pub fn items_array(selection: Selection<'_>) -> Result<&Value, Fault> {
    match selection.required()? {
        value @ Value::Array(_) => Ok(value),
        _ => Err(Fault::runtime(format!("Reference path \"{}\" must point to array.", selection.path()))),
    }
}

/// Checks the items of a distributed Map: an array, or an object whose members are the items.
pub fn map_items(selection: Selection<'_>) -> Result<&Value, Fault> {
    match selection.required()? {
        value @ Value::Object(_) => Ok(value),
        _ => items_array(selection),
    }
}

/// Checks `ErrorPath` and `CausePath`: a string. `input` is what the state reads.
pub fn fault_string<'a>(selection: Selection<'a>, input: &Value, field: &'static str) -> Result<&'a Value, Fault> {
    match selection.found {
        Some(value @ Value::String(_)) => Ok(value),
        Some(value) => Err(not_valid(value, selection.path(), field, "string")),
        None => Err(missing_field(selection.path(), field, input)),
    }
}
