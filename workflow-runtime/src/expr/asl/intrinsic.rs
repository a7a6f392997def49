//! Argument checks and the fault of the intrinsic functions.

use crate::fault::Fault;
use crate::value::{Array, Object, Str, Value};

/// The error name of a failed intrinsic function (Amazon States Language, Appendix A).
const FAILURE: &str = "States.IntrinsicFailure";

/// Returns the fault of the function call written as `call`.
pub(super) fn failed(call: &'static str, reason: impl std::fmt::Display) -> Fault {
    let name = call.split('(').next().unwrap_or(call);
    Fault::evaluation(
        FAILURE,
        format!(
            "There was an error while evaluating the intrinsic function: {call}. Invalid arguments in {name}: {reason}"
        ),
    )
}

fn wrong(call: &'static str, value: &Value, wanted: &str) -> Fault {
    failed(call, format_args!("{wanted} is expected, and the argument is of type {}.", value.kind()))
}

pub(super) fn array<'a>(value: &'a Value, call: &'static str) -> Result<&'a Array, Fault> {
    value.as_array().ok_or_else(|| wrong(call, value, "an array"))
}

pub(super) fn object<'a>(value: &'a Value, call: &'static str) -> Result<&'a Object, Fault> {
    value.as_object().ok_or_else(|| wrong(call, value, "an object"))
}

pub(super) fn string<'a>(value: &'a Value, call: &'static str) -> Result<&'a Str, Fault> {
    match value {
        Value::String(text) => Ok(text),
        _ => Err(wrong(call, value, "a string")),
    }
}

/// Checks that a string is within AWS's length limit for encoding and hashing.
pub(super) fn short<'a>(text: &'a str, call: &'static str) -> Result<&'a str, Fault> {
    const LONGEST: usize = 10_000;
    // A character has at most four bytes.
    if text.len() > 4 * LONGEST || (text.len() > LONGEST && text.chars().count() > LONGEST) {
        return Err(failed(call, "the data is longer than 10,000 characters."));
    }
    Ok(text)
}

/// Returns a number without its fraction.
pub(super) fn truncated(value: &Value, call: &'static str) -> Result<i64, Fault> {
    whole(value, call, f64::trunc)
}

/// Rounds a number to the nearest integer, halves upwards.
pub(super) fn rounded(value: &Value, call: &'static str) -> Result<i64, Fault> {
    whole(value, call, |number| {
        let below = number.floor();
        // `(number + 0.5).floor()` would round 0.49999999999999994 up.
        if number - below >= 0.5 { below + 1.0 } else { below }
    })
}

fn whole(value: &Value, call: &'static str, to_whole: impl Fn(f64) -> f64) -> Result<i64, Fault> {
    match value {
        Value::Int(number) => Ok(*number),
        Value::Float(number) => {
            Value::Float(to_whole(*number)).as_i64().ok_or_else(|| failed(call, "the number is too large."))
        }
        _ => Err(wrong(call, value, "a number")),
    }
}
