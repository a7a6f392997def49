//! `States.MathAdd` (ASL, Appendix B).

use super::intrinsic::{failed, rounded};
use crate::fault::Fault;
use crate::value::Value;

/// `States.MathAdd`: each number is rounded to a whole one first, halves upwards.
pub fn math_add(left: &Value, right: &Value, call: &'static str) -> Result<Value, Fault> {
    let sum = rounded(left, call)?.checked_add(rounded(right, call)?);
    sum.map(Value::Int).ok_or_else(|| failed(call, "the sum is too large."))
}
