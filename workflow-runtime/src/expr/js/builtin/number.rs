//! `Number` (ECMA-262 §21.1.2).

use super::super::call::argument;
use super::super::{Js, Result, Run};
use super::global;

fn is(arguments: &[Js], test: fn(f64) -> bool) -> Result {
    Ok(Js::Bool(matches!(argument(arguments, 0), Js::Number(number) if test(number))))
}

/// Implements `Number.isInteger`.
pub fn number_is_integer(_: &Run, arguments: &[Js]) -> Result {
    is(arguments, |number| number.is_finite() && number.fract() == 0.0)
}

/// Implements `Number.isSafeInteger`.
pub fn number_is_safe_integer(_: &Run, arguments: &[Js]) -> Result {
    is(arguments, |number| number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_991.0)
}

/// Implements `Number.isFinite`.
pub fn number_is_finite(_: &Run, arguments: &[Js]) -> Result {
    is(arguments, f64::is_finite)
}

/// Implements `Number.isNaN`.
pub fn number_is_nan(_: &Run, arguments: &[Js]) -> Result {
    is(arguments, f64::is_nan)
}

/// Implements `Number.parseFloat`.
pub fn number_parse_float(run: &Run, arguments: &[Js]) -> Result {
    global::parse_float(run, arguments)
}

/// Implements `Number.parseInt`.
pub fn number_parse_int(run: &Run, arguments: &[Js]) -> Result {
    global::parse_int(run, arguments)
}
