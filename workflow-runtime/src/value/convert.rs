//! Conversions to values.

use std::sync::Arc;

use super::{Array, Object, Str, Value};

/// Creates an object, for generated code. The keys must be distinct: duplicates are not searched
/// for. Elsewhere, use [`value!`](crate::value!).
#[doc(hidden)]
pub fn object<const N: usize>(members: [(&'static str, Value); N]) -> Value {
    let members = members.map(|(key, value)| (Str::from_static(key), value));
    Value::Object(Arc::new(Object::from_distinct(Vec::from(members))))
}

/// Creates an array.
#[doc(hidden)]
pub fn array<const N: usize>(items: [Value; N]) -> Value {
    Value::from(Vec::from(items))
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Value {
        Value::Int(value.into())
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Int(value)
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Value {
        Value::Int(value.into())
    }
}

/// Numbers above `i64::MAX` become the nearest double.
impl From<u64> for Value {
    fn from(value: u64) -> Value {
        i64::try_from(value).map_or(Value::Float(value as f64), Value::Int)
    }
}

/// Numbers above `i64::MAX` become the nearest double.
impl From<usize> for Value {
    fn from(value: usize) -> Value {
        i64::try_from(value).map_or(Value::Float(value as f64), Value::Int)
    }
}

/// Numbers that are not finite become null, because JSON does not have them.
impl From<f64> for Value {
    fn from(value: f64) -> Value {
        if value.is_finite() { Value::Float(value) } else { Value::Null }
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Value {
        Value::String(value.into())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Value {
        Value::String(value.into())
    }
}

impl From<Str> for Value {
    fn from(value: Str) -> Value {
        Value::String(value)
    }
}

impl From<Array> for Value {
    fn from(value: Array) -> Value {
        Value::Array(Arc::new(value))
    }
}

impl From<Object> for Value {
    fn from(value: Object) -> Value {
        Value::Object(Arc::new(value))
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Value {
        items.into_iter().collect()
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, Into::into)
    }
}

impl From<&Value> for Value {
    fn from(value: &Value) -> Value {
        value.clone()
    }
}

/// Collects the items into an array.
impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Value {
        Value::from(items.into_iter().map(Into::into).collect::<Array>())
    }
}
