//! Checks of the values that fields compute: whole numbers, percentages, timestamps, items.

use crate::expr::asl::timestamp as rfc3339;
use crate::fault::{Fault, names};
use crate::value::text::shortened;
use crate::value::{EXCERPT, Value};

/// The largest number of seconds that AWS accepts.
const LONGEST_TIME: i64 = 99_999_999;

/// Returns the fault of a value that a field cannot have.
#[cold]
fn refused(cause: String) -> Fault {
    Fault::evaluation(names::QUERY_EVALUATION_ERROR, cause)
}

/// Checks a field that takes a whole number of at least 0, and returns the number.
///
/// # Errors
/// A number with decimals and a negative one are faults that can be caught.
pub fn whole_number(value: &Value, field: &'static str) -> Result<Value, Fault> {
    whole(value, field, i64::MAX)
}

/// Checks `TimeoutSeconds` or `HeartbeatSeconds`, and returns the whole number.
///
/// # Errors
/// A number with decimals and one that is out of range are faults that can be caught.
pub fn task_seconds(value: &Value, field: &'static str) -> Result<Value, Fault> {
    whole(value, field, LONGEST_TIME)
}

fn whole(value: &Value, field: &str, most: i64) -> Result<Value, Fault> {
    let number = value.as_f64().unwrap_or(f64::NAN);
    if number.fract() != 0.0 {
        let shown = value.excerpt(EXCERPT);
        return Err(refused(format!("The {field} field cannot be parsed as an integer: {shown}")));
    }
    // The conversion saturates.
    let whole = value.as_i64().unwrap_or(number as i64);
    match (0..=most).contains(&whole) {
        true => Ok(Value::Int(whole)),
        false => Err(refused(format!("{field} must be between 0 and {LONGEST_TIME} but was: {whole}"))),
    }
}

/// Checks `ToleratedFailurePercentage`: a number from 0 to 100.
///
/// # Errors
/// A number that is out of range is a fault that can be caught.
pub fn percentage(value: &Value) -> Result<&Value, Fault> {
    match value.as_f64() {
        Some(0.0..=100.0) => Ok(value),
        _ => Err(refused("ToleratedFailurePercentage must be between 0 and 100.".to_owned())),
    }
}

/// Checks `Timestamp`, and returns it in the form of RFC 3339. A lower-case `t` or `z` and missing
/// seconds are accepted, as on AWS.
///
/// # Errors
/// A text that is not a timestamp is a fault that can be caught.
pub fn timestamp(value: &Value) -> Result<Value, Fault> {
    let text = value.as_str().unwrap_or_default();
    let upper = text.to_ascii_uppercase();
    let whole = match upper.get(16..) {
        // `2016-03-14T01:59` and an offset.
        Some(rest) if !rest.starts_with(':') => format!("{}:00{rest}", &upper[..16]),
        _ => upper,
    };
    if rfc3339::read(&whole).is_some() {
        return Ok(Value::from(whole));
    }
    let shown = shortened(text);
    Err(refused(format!(
        "The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: {shown}"
    )))
}

/// Checks the input of a Map state without `Items`: an array.
///
/// # Errors
/// Any other value is a fault that can be caught.
pub fn items(value: &Value) -> Result<&Value, Fault> {
    match value {
        Value::Array(_) => Ok(value),
        _ => Err(refused(format!("Map state input must be an array but was: {}", value.excerpt(EXCERPT)))),
    }
}
