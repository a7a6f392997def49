//! Deserialisation of values into Rust data, with the results that `serde_json` has for the text.

use serde_core::de::{
    self, Deserialize, DeserializeSeed, Deserializer, Expected, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde_core::forward_to_deserialize_any;

use super::de_enum::{KeyText, Variant};
use super::{MAX_DEPTH, Str, Value, ValueError, number, object};
use crate::budget;

impl Value {
    /// Deserialises the value. An error has the path of the mismatch. [`Value::serialize_from`]
    /// does the opposite.
    ///
    /// A whole number fits an integer in either representation: `1` and `1.0` are the same number.
    pub fn deserialize_into<'de, T: Deserialize<'de>>(&'de self) -> Result<T, ValueError> {
        T::deserialize(Source { value: self, levels: MAX_DEPTH })
    }

    /// Deserialises the value with a seed, for types that are only known at run time.
    pub fn deserialize_with<'de, S: DeserializeSeed<'de>>(&'de self, seed: S) -> Result<S::Value, ValueError> {
        seed.deserialize(Source { value: self, levels: MAX_DEPTH })
    }
}

/// A value to deserialise.
#[derive(Clone, Copy)]
pub(super) struct Source<'de> {
    pub(super) value: &'de Value,
    /// The number of further levels of nesting. The recursion of the type follows the nesting of
    /// the value.
    pub(super) levels: usize,
}

impl<'de> Source<'de> {
    fn inside(self) -> Result<usize, ValueError> {
        self.levels.checked_sub(1).ok_or_else(ValueError::too_deep)
    }

    /// Returns the content of a variant, one level down.
    pub(super) fn content(self, value: &'de Value) -> Result<Source<'de>, ValueError> {
        Ok(Source { value, levels: self.inside()? })
    }

    pub(super) fn mismatch(self, expected: &dyn Expected) -> ValueError {
        let unexpected = match self.value {
            Value::Null => Unexpected::Unit,
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::Int(value) => Unexpected::Signed(*value),
            Value::Float(value) => Unexpected::Float(*value),
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        };
        de::Error::invalid_type(unexpected, expected)
    }

    fn integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        if let Value::Float(value) = self.value {
            if let Some(value) = number::whole(*value) {
                return visitor.visit_i64(value);
            }
            if let Some(value) = number::whole_unsigned(*value) {
                return visitor.visit_u64(value);
            }
        }
        self.deserialize_any(visitor)
    }
}

macro_rules! integers {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
            self.integer(visitor)
        })*
    };
}

impl<'de> Deserializer<'de> for Source<'de> {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        // Shared parts are deserialised once for each reference.
        if !budget::spend(1) {
            return Err(ValueError::new("the turn ran out of time while data were deserialised"));
        }
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Int(value) => visitor.visit_i64(*value),
            Value::Float(value) => visitor.visit_f64(*value),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => {
                let mut rest = Items { rest: items.iter(), position: 0, levels: self.inside()? };
                let data = visitor.visit_seq(&mut rest)?;
                match rest.rest.len() {
                    0 => Ok(data),
                    _ => Err(de::Error::invalid_length(items.len(), &"fewer elements in array")),
                }
            }
            Value::Object(members) => {
                let mut rest = Members { rest: members.iter(), entered: None, levels: self.inside()? };
                let data = visitor.visit_map(&mut rest)?;
                match rest.rest.len() {
                    0 => Ok(data),
                    _ => Err(de::Error::invalid_length(members.len(), &"fewer members in object")),
                }
            }
        }
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        visitor.visit_enum(Variant::of(self)?)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
    }
}

struct Items<'de> {
    rest: std::slice::Iter<'de, Value>,
    position: usize,
    levels: usize,
}

impl<'de> SeqAccess<'de> for &mut Items<'de> {
    type Error = ValueError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ValueError> {
        let Some(value) = self.rest.next() else { return Ok(None) };
        let position = self.position;
        self.position += 1;
        seed.deserialize(Source { value, levels: self.levels }).map(Some).map_err(|error| error.at_position(position))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

struct Members<'de> {
    rest: object::Iter<'de>,
    /// The member whose key was read and whose value was not.
    entered: Option<(&'de Str, &'de Value)>,
    levels: usize,
}

impl<'de> MapAccess<'de> for &mut Members<'de> {
    type Error = ValueError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ValueError> {
        self.entered = self.rest.next();
        let Some((key, _)) = self.entered else { return Ok(None) };
        seed.deserialize(KeyText(key)).map(Some).map_err(|error| error.at_key(key))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ValueError> {
        let (key, value) =
            self.entered.take().ok_or_else(|| ValueError::new("a value was requested before its key"))?;
        seed.deserialize(Source { value, levels: self.levels }).map_err(|error| error.at_key(key))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}
