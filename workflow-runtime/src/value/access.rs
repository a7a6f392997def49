//! Access to values: by kind, by key and by position.

use std::sync::Arc;

use super::{Array, Object, Value, number};

impl Value {
    /// Returns the member of an object (`"id"`) or the element of an array (`0`; `-1` is the
    /// last). `None` for any other value.
    pub fn get(&self, key: impl Key) -> Option<&Value> {
        key.get_in(self)
    }

    /// Returns a member or element for modification, as [`Value::get`] does. Copies the shared
    /// values on the path to it.
    pub fn get_mut(&mut self, key: impl Key) -> Option<&mut Value> {
        key.get_mut_in(self)
    }

    /// Takes the value, and leaves null.
    pub fn take(&mut self) -> Value {
        std::mem::take(self)
    }

    /// Returns `true` for `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Returns the boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the number if it is whole and fits, whatever its representation (`1` and `1.0` are
    /// equal).
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Int(value) => Some(*value),
            Value::Float(value) => number::whole(*value),
            _ => None,
        }
    }

    /// Returns the number. Whole numbers beyond 2^53 are rounded to the nearest double.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Int(value) => Some(*value as f64),
            Value::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the elements of an array.
    pub fn as_array(&self) -> Option<&Array> {
        match self {
            Value::Array(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the elements of an array for modification. Copies them if they are shared.
    pub fn as_array_mut(&mut self) -> Option<&mut Array> {
        match self {
            Value::Array(value) => Some(Arc::make_mut(value)),
            _ => None,
        }
    }

    /// Returns the members of an object.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Value::Object(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the members of an object for modification. Copies them if they are shared.
    pub fn as_object_mut(&mut self) -> Option<&mut Object> {
        match self {
            Value::Object(value) => Some(Arc::make_mut(value)),
            _ => None,
        }
    }

    /// Returns the kind of the value: `object`, `array`, `string`, `number`, `boolean` or `null`.
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

/// A step from a value to a value inside of it: the key of a member or the index of an element.
#[doc(hidden)]
pub trait Key {
    /// Returns the value inside of `value`. See [`Value::get`].
    fn get_in(self, value: &Value) -> Option<&Value>;

    /// Returns the value inside of `value` for modification. See [`Value::get_mut`].
    fn get_mut_in(self, value: &mut Value) -> Option<&mut Value>;
}

impl Key for &str {
    fn get_in(self, value: &Value) -> Option<&Value> {
        value.as_object()?.get(self)
    }

    fn get_mut_in(self, value: &mut Value) -> Option<&mut Value> {
        // Look first, so that nothing is copied in vain.
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

/// Returns the position of an index in an array of this length. Negative indexes count from the
/// end.
fn resolve(index: i64, len: usize) -> Option<usize> {
    let position = if index < 0 {
        len.checked_sub(usize::try_from(index.unsigned_abs()).ok()?)?
    } else {
        usize::try_from(index).ok()?
    };
    (position < len).then_some(position)
}

/// The method `get` on the result of another `get`, so that reads can be chained.
///
/// ```
/// use workflow_runtime::value::Get;
/// use workflow_runtime::{Value, value};
///
/// let order = value!({ "lines": [{ "sku": "x" }] });
/// assert_eq!(order.get("lines").get(0).get("sku").and_then(Value::as_str), Some("x"));
/// assert_eq!(order.get("customer").get("name"), None);
/// ```
pub trait Get<'a> {
    /// Returns the value inside of this one. See [`Value::get`].
    fn get(self, key: impl Key) -> Option<&'a Value>;
}

impl<'a> Get<'a> for Option<&'a Value> {
    fn get(self, key: impl Key) -> Option<&'a Value> {
        self?.get(key)
    }
}
