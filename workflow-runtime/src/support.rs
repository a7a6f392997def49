//! Small helper functions for generated code.

use crate::fault::Fault;
use crate::value::{Str, Value, object};

/// A static `null`, for references.
pub static NULL: Value = Value::Null;

/// Returns a string of the definition. Allocates nothing.
#[inline]
pub fn string(text: &'static str) -> Value {
    Value::String(Str::from_static(text))
}

/// Runs a fallible expression, so that its fault can be handled.
#[inline]
pub fn attempt<T>(expression: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    expression()
}

/// Returns `true` for the boolean true.
#[inline]
pub fn is_true(value: &Value) -> bool {
    matches!(value, Value::Bool(true))
}
/// Returns the input of an execution that must be an object. A missing input becomes the empty
/// object.
pub fn object_input(input: &Value) -> Result<Value, Fault> {
    match input {
        Value::Null => Ok(object([])),
        Value::Object(_) => Ok(input.clone()),
        other => {
            let cause = format!("the input of a workflow must be an object, found {}", other.kind());
            Err(Fault::runtime(cause))
        }
    }
}

/// Checks that the input of an execution is an object, or missing.
pub fn is_object_input(input: &Value) -> Result<(), Fault> {
    object_input(input).map(|_| ())
}

/// Returns the correlation key that a path selects in the input of an execution, as text:
/// attributes of events are compared as text.
pub fn correlation(value: Option<&Value>, path: &str) -> Result<Option<Str>, Fault> {
    let refused =
        |problem: &str| Err(Fault::runtime(format!("`{path}` of the input is not a valid correlation key: {problem}")));
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.is_empty() => refused("it is empty"),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(value @ (Value::Array(_) | Value::Object(_))) => refused(&format!("it is of type {}", value.kind())),
        Some(other) => Ok(Some(other.to_string().into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value;

    #[test]
    fn a_correlation_value_is_a_text_or_what_is_shown_as_one() {
        for (found, value) in
            [(value!("17"), Some("17")), (value!(17), Some("17")), (value!(true), Some("true")), (Value::Null, None)]
        {
            assert_eq!(correlation(Some(&found), "$.order"), Ok(value.map(Str::from)));
        }
        assert_eq!(correlation(None, "$.order"), Ok(None));
        for (found, problem) in
            [(value!(""), "it is empty"), (value!([1]), "it is of type array"), (value!({}), "object")]
        {
            let fault = correlation(Some(&found), "$.order").expect_err("it is none");
            assert!(fault.to_string().contains("`$.order` of the input") && fault.to_string().contains(problem));
        }
    }

    #[test]
    fn an_input_is_an_object_or_nothing() {
        assert_eq!(object_input(&Value::Null), Ok(value!({})));
        assert_eq!(object_input(&value!({"a": 1})), Ok(value!({"a": 1})));
        assert!(object_input(&value!([1])).is_err_and(|fault| fault.to_string().contains("found array")));
    }
}
