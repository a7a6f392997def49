//! Conversions between seconds since 1970 and broken-down times, in UTC. jq's local time zone is
//! UTC as well.

use super::calendar::BrokenDownTime;
use super::number::number;
use super::{Error, Result, budget, format_time, parse_time};
use crate::time::Timestamp;
use crate::value::Value;

/// Implements `now`: returns the time of the execution.
pub fn now(time: Timestamp) -> Value {
    number(time.as_micros() as f64 / 1e6)
}

/// Converts a number like the C library: a number out of range becomes the minimum.
fn to_seconds(number: f64) -> i64 {
    if number.is_nan() || number >= 9_223_372_036_854_775_808.0 { i64::MIN } else { number as i64 }
}

pub(super) fn parts_value(parts: &BrokenDownTime, fraction: f64) -> Vec<Value> {
    let whole = [parts.year, parts.month, parts.day, parts.hour, parts.minute];
    let mut values: Vec<Value> = whole.into_iter().map(Value::Int).collect();
    values.push(number(parts.second as f64 + fraction));
    values.extend([Value::Int(parts.weekday), Value::Int(parts.yearday)]);
    values
}

fn gmtime_named(value: &Value, name: &str) -> Result<Value> {
    let Some(seconds) = value.as_f64() else {
        return Err(Error::message(format!("{name}() requires numeric inputs")));
    };
    let parts = BrokenDownTime::from_seconds(to_seconds(seconds));
    let parts = parts.ok_or_else(|| Error::message("error converting number of seconds since epoch to datetime"))?;
    Ok(Value::from(parts_value(&parts, seconds - seconds.floor())))
}

/// Implements `gmtime`.
pub fn gmtime(value: &Value) -> Result<Value> {
    gmtime_named(value, "gmtime")
}

/// Implements `localtime`. Local time is UTC.
pub fn localtime(value: &Value) -> Result<Value> {
    gmtime_named(value, "localtime")
}

/// Returns the fields in an array. Missing fields are 0. Returns `None` if a field is not a
/// number.
fn parts_of(value: &Value) -> Option<BrokenDownTime> {
    let mut read = [0; 8];
    // The year 0 of `struct tm`.
    read[0] = 1900;
    for (at, (part, value)) in read.iter_mut().zip(value.as_array()?.iter()).enumerate() {
        let number = value.as_f64().filter(|number| !number.is_nan())?;
        // Years count from 1900 and have 32 bits.
        *part = match at {
            0 => i64::from((number - 1900.0) as i32) + 1900,
            _ => i64::from(number as i32),
        };
    }
    let [year, month, day, hour, minute, second, weekday, yearday] = read;
    Some(BrokenDownTime { year, month, day, hour, minute, second, weekday, yearday })
}

/// Implements `mktime`.
pub fn mktime(value: &Value) -> Result<Value> {
    if !matches!(value, Value::Array(_)) {
        return Err(Error::message("mktime requires array inputs"));
    }
    let parts = parts_of(value).ok_or_else(|| Error::message("mktime requires parsed datetime inputs"))?;
    let seconds = parts.seconds();
    // The C library reports an error as -1, which is also the last second before 1970.
    if seconds == -1 || BrokenDownTime::from_seconds(seconds).is_none() {
        return Err(Error::message("invalid gmtime representation"));
    }
    Ok(number(seconds as f64))
}

fn strftime_named(value: &Value, format: &Value, name: &str) -> Result<Value> {
    let unparsed = || Error::message(format!("{name}/1 requires parsed datetime inputs"));
    let parsed;
    let parts = match value {
        Value::Int(_) | Value::Float(_) => {
            parsed = gmtime(value)?;
            &parsed
        }
        Value::Array(_) => value,
        _ => return Err(unparsed()),
    };
    let Value::String(format) = format else {
        return Err(Error::message(format!("{name}/1 requires a string format")));
    };
    budget::charge(format.len())?;
    let parts = parts_of(parts).ok_or_else(unparsed)?.normalized();
    let text = format_time::format(&parts, format);
    text.map(Value::from).ok_or_else(|| Error::message(format!("{name}/1: unknown system failure")))
}

/// Implements `strftime(format)`.
pub fn strftime(value: &Value, format: &Value) -> Result<Value> {
    strftime_named(value, format, "strftime")
}

/// Implements `strflocaltime(format)`, in UTC.
pub fn strflocaltime(value: &Value, format: &Value) -> Result<Value> {
    strftime_named(value, format, "strflocaltime")
}

/// Implements `strptime(format)`.
pub fn strptime(value: &Value, format: &Value) -> Result<Value> {
    let (Value::String(text), Value::String(format)) = (value, format) else {
        return Err(Error::message("strptime/1 requires string inputs and arguments"));
    };
    // The message of an error contains both.
    budget::charge(text.len() + format.len())?;
    let read = parse_time::parse(text, format)
        .filter(|(_, rest)| rest.chars().next().is_none_or(|c| c.is_ascii_whitespace() || c == '\u{b}'));
    let Some((parts, rest)) = read else {
        return Err(Error::message(format!("date \"{text}\" does not match format \"{format}\"")));
    };
    let mut values = parts_value(&parts, 0.0);
    values.extend((!rest.is_empty()).then(|| Value::from(rest)));
    Ok(Value::from(values))
}

/// The format of dates in JSON.
const ISO: &str = "%Y-%m-%dT%H:%M:%SZ";

/// Implements `todate` and `todateiso8601`.
pub fn todate(value: &Value) -> Result<Value> {
    strftime(value, &ISO.into())
}

/// Implements `fromdate` and `fromdateiso8601`.
pub fn fromdate(value: &Value) -> Result<Value> {
    mktime(&strptime(value, &ISO.into())?)
}
