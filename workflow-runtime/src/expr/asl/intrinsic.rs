//! What intrinsic functions have in common: what they take, and how they fail.

use crate::fault::Fault;
use crate::value::{Array, Object, Str, Value};

/// The name of the fault (ASL, Appendix A).
const FAILURE: &str = "States.IntrinsicFailure";

/// The fault of the function that was called as `call`.
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

/// A string of the length that AWS allows for encoding and hashing.
pub(super) fn short<'a>(text: &'a str, call: &'static str) -> Result<&'a str, Fault> {
    const LONGEST: usize = 10_000;
    // No character has more than four bytes.
    if text.len() > 4 * LONGEST || (text.len() > LONGEST && text.chars().count() > LONGEST) {
        return Err(failed(call, "the data is longer than 10,000 characters."));
    }
    Ok(text)
}

/// A number without what lies behind its point.
pub(super) fn truncated(value: &Value, call: &'static str) -> Result<i64, Fault> {
    whole(value, call, f64::trunc)
}

/// The whole number nearest to a number, the greater one of two.
pub(super) fn rounded(value: &Value, call: &'static str) -> Result<i64, Fault> {
    whole(value, call, |number| {
        let below = number.floor();
        // Not `(number + 0.5).floor()`, which rounds 0.49999999999999994 up.
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
