//! Reading values: by kind, by key, by position.

use std::sync::Arc;

use super::{Array, Object, Value, number};

impl Value {
    /// The member of an object (`"id"`) or the element of an array (`0`; `-1` is the last); `None` of anything else.
    pub fn get(&self, key: impl Key) -> Option<&Value> {
        key.get_in(self)
    }

    /// As [`Value::get`], to be changed. Copies what is shared on the way.
    pub fn get_mut(&mut self, key: impl Key) -> Option<&mut Value> {
        key.get_mut_in(self)
    }

    /// The value, of which null is left.
    pub fn take(&mut self) -> Value {
        std::mem::take(self)
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The truth value.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The number, if it is a whole one that fits, in whichever form it is kept (`1` and `1.0` are equal).
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Int(value) => Some(*value),
            Value::Float(value) => number::whole(*value),
            _ => None,
        }
    }

    /// The number; of a whole one beyond 2^53 the nearest double.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Int(value) => Some(*value as f64),
            Value::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(value) => Some(value),
            _ => None,
        }
    }

    /// The elements of an array.
    pub fn as_array(&self) -> Option<&Array> {
        match self {
            Value::Array(value) => Some(value),
            _ => None,
        }
    }

    /// The elements of an array, to be changed. Copied if they are shared.
    pub fn as_array_mut(&mut self) -> Option<&mut Array> {
        match self {
            Value::Array(value) => Some(Arc::make_mut(value)),
            _ => None,
        }
    }

    /// The members of an object.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Value::Object(value) => Some(value),
            _ => None,
        }
    }

    /// The members of an object, to be changed. Copied if they are shared.
    pub fn as_object_mut(&mut self) -> Option<&mut Object> {
        match self {
            Value::Object(value) => Some(Arc::make_mut(value)),
            _ => None,
        }
    }

    /// What kind of value it is: `object`, `array`, `string`, `number`, `boolean` or `null`.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Int(_) | Value::Float(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }
    }
}

/// What leads from a value to one inside: the key of a member, or the position of an element.
pub trait Key {
    /// See [`Value::get`].
    fn get_in(self, value: &Value) -> Option<&Value>;

    /// See [`Value::get_mut`].
    fn get_mut_in(self, value: &mut Value) -> Option<&mut Value>;
}

impl Key for &str {
    fn get_in(self, value: &Value) -> Option<&Value> {
        value.as_object()?.get(self)
    }

    fn get_mut_in(self, value: &mut Value) -> Option<&mut Value> {
        // Asked first, so that nothing is copied in vain.
        value.as_object()?.position(self)?;
        value.as_object_mut()?.get_mut(self)
    }
}

impl Key for i64 {
    fn get_in(self, value: &Value) -> Option<&Value> {
        let items = value.as_array()?;
        items.get(resolve(self, items.len())?)
    }

    fn get_mut_in(self, value: &mut Value) -> Option<&mut Value> {
        let position = resolve(self, value.as_array()?.len())?;
        value.as_array_mut()?.get_mut(position)
    }
}

/// The position that an index stands for in an array of this length; negative ones count from the end.
fn resolve(index: i64, len: usize) -> Option<usize> {
    let position = if index < 0 {
        len.checked_sub(usize::try_from(index.unsigned_abs()).ok()?)?
    } else {
        usize::try_from(index).ok()?
    };
    (position < len).then_some(position)
}

/// The same `get` on what another one returned, so that reads can be chained.
pub trait Get<'a> {
    /// See [`Value::get`].
    fn get(self, key: impl Key) -> Option<&'a Value>;
}

impl<'a> Get<'a> for Option<&'a Value> {
    fn get(self, key: impl Key) -> Option<&'a Value> {
        self?.get(key)
    }
}
