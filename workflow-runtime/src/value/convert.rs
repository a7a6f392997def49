//! Making values of other things.

use std::sync::Arc;

use super::{Array, Object, Str, Value};

/// An object of these members, for generated code: it spares the search for members with the same key, of which there
/// must be none. Elsewhere, [`value!`](crate::value!) is the better way.
pub fn object<const N: usize>(members: [(&'static str, Value); N]) -> Value {
    let members: Vec<_> = members.into_iter().map(|(key, value)| (Str::from_static(key), value)).collect();
    Value::Object(Arc::new(Object::from_distinct(members)))
}

/// An array of these elements.
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

/// Above `i64::MAX`, the nearest double.
impl From<u64> for Value {
    fn from(value: u64) -> Value {
        i64::try_from(value).map_or(Value::Float(value as f64), Value::Int)
    }
}

/// Above `i64::MAX`, the nearest double.
impl From<usize> for Value {
    fn from(value: usize) -> Value {
        i64::try_from(value).map_or(Value::Float(value as f64), Value::Int)
    }
}

/// What is not finite is no JSON number, and becomes null.
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

/// An array of the items.
impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Value {
        Value::from(items.into_iter().map(Into::into).collect::<Array>())
    }
}
