//! Argument checks and the faults of the intrinsic functions.

use crate::fault::Fault;
use crate::value::{Array, Object, Str, Value};

/// Returns the fault of the function call written as `call`, whose arguments the function refuses.
/// AWS names neither the argument nor the reason ([A33](docs/amazon-states-language.md#a33)).
pub(super) fn refused(call: &'static str) -> Fault {
    failed(call, format_args!("Invalid arguments in {}", name(call)))
}

/// Returns the `States.Runtime` fault of the function call written as `call`.
pub(super) fn failed(call: &str, reason: impl std::fmt::Display) -> Fault {
    Fault::runtime(format!("There was an error while evaluating the intrinsic function: {call}. {reason}"))
}

/// Returns the name of the called function.
fn name(call: &str) -> &str {
    call.split('(').next().unwrap_or(call)
}

/// Fails as a call with a wrong number of arguments fails on AWS, which finds them only when it
/// evaluates the call ([A37](docs/amazon-states-language.md#a37)).
pub fn wrong_arguments(call: &'static str) -> Result<Value, Fault> {
    let more = if name(call) == "States.JsonToString" { ": only a single argument is allowed." } else { "" };
    Err(failed(call, format_args!("Invalid arguments in {}{more}", name(call))))
}

pub(super) fn array<'a>(value: &'a Value, call: &'static str) -> Result<&'a Array, Fault> {
    value.as_array().ok_or_else(|| refused(call))
}

pub(super) fn object<'a>(value: &'a Value, call: &'static str) -> Result<&'a Object, Fault> {
    value.as_object().ok_or_else(|| refused(call))
}

pub(super) fn string<'a>(value: &'a Value, call: &'static str) -> Result<&'a Str, Fault> {
    match value {
        Value::String(text) => Ok(text),
        _ => Err(refused(call)),
    }
}

/// Checks that a string is within AWS's length limit for encoding and hashing, 10,000 characters.
pub(super) fn short<'a>(text: &'a str, call: &'static str) -> Result<&'a str, Fault> {
    const LONGEST: usize = 10_000;
    // A character has at most four bytes.
    if text.len() > 4 * LONGEST || (text.len() > LONGEST && text.chars().count() > LONGEST) {
        return Err(refused(call));
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
        Value::Float(number) => Value::Float(to_whole(*number)).as_i64().ok_or_else(|| refused(call)),
        _ => Err(refused(call)),
    }
}
