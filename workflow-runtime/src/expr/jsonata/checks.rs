//! Checks of the values that fields compute: whole numbers, percentages, timestamps, items.

use crate::expr::asl::{LARGEST_BATCH, timestamp as rfc3339};
use crate::fault::{Fault, names};
use crate::value::text::shortened;
use crate::value::{EXCERPT, Value};
use std::ops::RangeInclusive;

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
    whole(value, field, 0..=i64::MAX)
}

/// Checks `TimeoutSeconds` or `HeartbeatSeconds`, and returns the whole number.
///
/// # Errors
/// A number with decimals and one that is out of range are faults that can be caught.
pub fn task_seconds(value: &Value, field: &'static str) -> Result<Value, Fault> {
    whole(value, field, 0..=LONGEST_TIME)
}

/// Checks `ToleratedFailureCount`, and returns the whole number.
///
/// # Errors
/// A number with decimals and a negative one are faults that can be caught.
pub fn tolerated_count(value: &Value, field: &'static str) -> Result<Value, Fault> {
    match value.as_f64() {
        Some(number) if number < 0.0 => Err(refused(format!("{field} cannot be negative."))),
        _ => whole(value, field, 0..=i64::MAX),
    }
}

/// Checks a whole number. A message about the range shows at most [`LONGEST_TIME`], as on AWS.
fn whole(value: &Value, field: &str, range: RangeInclusive<i64>) -> Result<Value, Fault> {
    let number = value.as_f64().unwrap_or(f64::NAN);
    if number.fract() != 0.0 {
        let shown = value.excerpt(EXCERPT);
        return Err(refused(format!("The {field} field cannot be parsed as an integer: {shown}")));
    }
    // The conversion saturates.
    let whole = value.as_i64().unwrap_or(number as i64);
    match range.contains(&whole) {
        true => Ok(Value::Int(whole)),
        false => {
            let shown = value.excerpt(EXCERPT);
            let (least, most) = (range.start(), range.end().min(&LONGEST_TIME));
            Err(refused(format!("{field} must be between {least} and {most} but was: {shown}")))
        }
    }
}

/// Checks `ToleratedFailurePercentage`: a number from 0 to 100.
///
/// # Errors
/// A number that is out of range is a fault that can be caught.
pub fn tolerated_percentage<'a>(value: &'a Value, field: &'static str) -> Result<&'a Value, Fault> {
    match value.as_f64() {
        Some(0.0..=100.0) => Ok(value),
        _ => Err(refused(format!("{field} must be between 0 and 100."))),
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
        Some(rest) if rest.starts_with(['Z', '+', '-']) => format!("{}:00{rest}", &upper[..16]),
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

/// Checks the items of a distributed Map state without `Items`: the input of the state.
///
/// # Errors
/// An input that is neither an array nor an object is a fault that can be caught.
pub fn map_items(value: &Value) -> Result<&Value, Fault> {
    match value {
        Value::Object(_) => Ok(value),
        _ => items(value),
    }
}

/// Checks `MaxItems`, and returns the whole number.
///
/// # Errors
/// A number with decimals and a negative one are faults that can be caught.
pub fn max_items(value: &Value, field: &'static str) -> Result<Value, Fault> {
    match value.as_f64() {
        Some(number) if number < 0.0 => Err(refused("field MaxItems must be positive".to_owned())),
        _ => whole(value, field_name(field), 0..=i64::MAX),
    }
}

/// Checks `MaxItemsPerBatch` or `MaxInputBytesPerBatch`, and returns the whole number.
///
/// # Errors
/// A number with decimals and one that is out of range are faults that can be caught.
pub fn batch_limit(value: &Value, field: &'static str) -> Result<Value, Fault> {
    let field = field_name(field);
    let most = if field == "MaxInputBytesPerBatch" { LARGEST_BATCH } else { i64::MAX };
    whole(value, field, 1..=most)
}

/// Returns the name of a field without the objects around it.
fn field_name(field: &'static str) -> &'static str {
    field.rsplit('/').next().unwrap_or(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cause(result: Result<Value, Fault>) -> String {
        let fault = result.expect_err("a fault");
        assert_eq!(fault.error(), Some(names::QUERY_EVALUATION_ERROR));
        fault.cause().and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    #[test]
    fn seconds_are_whole_and_in_their_range() {
        for (value, whole) in [(Value::Int(0), 0), (Value::Float(60.0), 60), (Value::Int(i64::MAX), i64::MAX)] {
            assert_eq!(whole_number(&value, "Seconds").expect("a number"), Value::Int(whole));
        }
        let fraction = cause(whole_number(&Value::Float(1.6), "TimeoutSeconds"));
        assert_eq!(fraction, "The TimeoutSeconds field cannot be parsed as an integer: 1.6");
        let negative = cause(task_seconds(&Value::Int(-1), "TimeoutSeconds"));
        assert_eq!(negative, "TimeoutSeconds must be between 0 and 99999999 but was: -1");
        assert!(task_seconds(&Value::Int(100_000_000), "TimeoutSeconds").is_err());
        let count = cause(tolerated_count(&Value::Int(-1), "ToleratedFailureCount"));
        assert_eq!(count, "ToleratedFailureCount cannot be negative.");
    }

    #[test]
    fn limits_of_batches_are_in_their_range() {
        let (items, bytes) = ("ItemBatcher/MaxItemsPerBatch", "ItemBatcher/MaxInputBytesPerBatch");
        for (value, field) in [(1, items), (LARGEST_BATCH + 1, items), (1, bytes), (LARGEST_BATCH, bytes)] {
            assert_eq!(batch_limit(&Value::Int(value), field).expect("a number"), Value::Int(value));
        }
        let none = cause(batch_limit(&Value::Int(0), items));
        assert_eq!(none, "MaxItemsPerBatch must be between 1 and 99999999 but was: 0");
        let many = cause(batch_limit(&Value::Int(LARGEST_BATCH + 1), bytes));
        assert_eq!(many, "MaxInputBytesPerBatch must be between 1 and 262144 but was: 262145");
    }

    #[test]
    fn percentages_go_from_0_to_100() {
        let is_valid = |value: Value| tolerated_percentage(&value, "ToleratedFailurePercentage").is_ok();
        assert!(is_valid(Value::Float(99.5)) && is_valid(Value::Int(100)));
        assert!(!is_valid(Value::Float(100.1)) && !is_valid(Value::Int(-1)));
    }

    #[test]
    fn timestamps_are_read_as_aws_reads_them() {
        for (text, whole) in [
            ("2016-03-14T01:59:00Z", "2016-03-14T01:59:00Z"),
            ("2016-03-14t01:59:00.123456789z", "2016-03-14T01:59:00.123456789Z"),
            ("2016-03-14T01:59Z", "2016-03-14T01:59:00Z"),
            ("2016-03-14T01:59+01:00", "2016-03-14T01:59:00+01:00"),
        ] {
            assert_eq!(timestamp(&Value::from(text)).expect("a timestamp"), Value::from(whole));
        }
        for text in [
            "",
            "2016-03-14",
            "2016-03-14 01:59:00Z",
            "2016-03-14T01:59:00",
            "2016-03-14T01:5ü:00Z",
            "2016-03-14T01:59.5Z",
        ] {
            assert!(cause(timestamp(&Value::from(text))).ends_with(text), "{text}");
        }
    }

    #[test]
    fn the_input_of_a_map_is_an_array() {
        assert!(items(&crate::value::array([Value::Int(1)])).is_ok());
        let refused = cause(items(&Value::Int(1)).cloned());
        assert_eq!(refused, "Map state input must be an array but was: 1");
    }
}
