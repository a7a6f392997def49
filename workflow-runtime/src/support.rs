//! Small functions that generated code is made of.

use crate::fault::Fault;
use crate::value::{Str, Value};

/// `null`, to refer to.
pub static NULL: Value = Value::Null;

/// A string of the definition; costs no allocation.
#[inline]
pub fn string(text: &'static str) -> Value {
    Value::String(Str::from_static(text))
}

/// Runs an expression that can fail, so that its fault can be handled.
#[inline]
pub fn attempt<T>(expression: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    expression()
}

/// Whether a value is the boolean true.
#[inline]
pub fn is_true(value: &Value) -> bool {
    matches!(value, Value::Bool(true))
}
