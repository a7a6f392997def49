//! Conversion of values from and to JSON text and other formats, directly through serde.

use std::fmt;
use std::str::FromStr;

use serde_core::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_core::ser::{self, Serialize, Serializer};

use super::error::TOO_DEEP;
use super::keys::Keys;
use super::{Array, MAX_DEPTH, Object, Str, Value, ValueError, number};

impl Value {
    /// Reads JSON. The last of several members with the same key counts. Whole numbers beyond 64
    /// bits become doubles. Arrays and objects may be nested [`MAX_DEPTH`] levels deep.
    pub fn from_json(text: &str) -> Result<Value, ValueError> {
        serde_json::from_str(text).map_err(|error| ValueError::new(error.to_string()))
    }

    /// Reads JSON, as [`Value::from_json`].
    pub fn from_json_slice(text: &[u8]) -> Result<Value, ValueError> {
        serde_json::from_slice(text).map_err(|error| ValueError::new(error.to_string()))
    }

    /// Reads JSON as [`Value::from_json`] does, and refuses objects with duplicate keys. Programs
    /// disagree on which of the members counts, so that one program can check the first and
    /// another act on the second ([RFC 8259,
    /// §4](https://www.rfc-editor.org/rfc/rfc8259#section-4)). The error names the key.
    pub fn from_json_strict(text: impl AsRef<[u8]>) -> Result<Value, ValueError> {
        let read = || {
            let mut deserializer = serde_json::Deserializer::from_slice(text.as_ref());
            let value = Nested { levels: MAX_DEPTH, keys: &mut Keys::new(), recurring: Recurring::Refused }
                .deserialize(&mut deserializer)?;
            deserializer.end().map(|()| value)
        };
        read().map_err(|error: serde_json::Error| ValueError::new(error.to_string()))
    }
}

/// The treatment of duplicate keys.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Recurring {
    /// The last member counts.
    Last,
    Refused,
}

impl FromStr for Value {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Value, ValueError> {
        Value::from_json(text)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        Nested { levels: MAX_DEPTH, keys: &mut Keys::new(), recurring: Recurring::Last }.deserialize(deserializer)
    }
}

/// A value at some depth of the value that is read.
struct Nested<'a> {
    /// The number of further levels of nesting.
    levels: usize,
    keys: &'a mut Keys,
    recurring: Recurring,
}

impl Nested<'_> {
    fn inside<E: de::Error>(&mut self) -> Result<Nested<'_>, E> {
        let levels = self.levels.checked_sub(1).ok_or_else(|| E::custom(TOO_DEEP))?;
        Ok(Nested { levels, keys: self.keys, recurring: self.recurring })
    }
}

impl<'de> DeserializeSeed<'de> for Nested<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Returns the capacity to reserve for an announced length, which may be false.
fn initial_capacity(hint: Option<usize>) -> usize {
    hint.unwrap_or(0).min(128)
}

impl<'de> Visitor<'de> for Nested<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Float(value as f64), Value::Int))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Float(value as f64), Value::Int))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::with_capacity(initial_capacity(access.size_hint()));
        while let Some(item) = access.next_element_seed(self.inside()?)? {
            items.push(item);
        }
        Ok(Array::from(items).into())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut access: A) -> Result<Value, A::Error> {
        let mut members = Object::with_capacity(initial_capacity(access.size_hint()));
        while let Some(key) = access.next_key_seed(KeyOf(self.keys))? {
            if key == number::DIGITS && members.is_empty() {
                let digits: Str = access.next_value()?;
                return number::from_digits(&digits).ok_or_else(|| de::Error::custom("number out of range"));
            }
            if self.recurring == Recurring::Refused && members.contains_key(&key) {
                // Enough to find the key: it can be as long as the text.
                let shown: String = key.chars().take(64).flat_map(char::escape_debug).collect();
                return Err(de::Error::custom(format_args!("duplicate key `{shown}`")));
            }
            let value = access.next_value_seed(self.inside()?)?;
            members.insert(key, value);
        }
        Ok(members.into())
    }
}

/// The key of a member.
struct KeyOf<'a>(&'a mut Keys);

impl<'de> DeserializeSeed<'de> for KeyOf<'_> {
    type Value = Str;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Str, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeyOf<'_> {
    type Value = Str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string as key")
    }

    fn visit_str<E>(self, text: &str) -> Result<Str, E> {
        Ok(self.0.share(text))
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Limited { value: self, levels: MAX_DEPTH }.serialize(serializer)
    }
}

/// A value at some depth of the value that is written. Serializers recurse, so that the depth is
/// limited.
struct Limited<'a> {
    value: &'a Value,
    /// The number of further levels of nesting.
    levels: usize,
}

impl Serialize for Limited<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let inside = || self.levels.checked_sub(1).ok_or_else(|| ser::Error::custom(TOO_DEEP));
        match self.value {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Int(value) => serializer.serialize_i64(*value),
            Value::Float(value) => serializer.serialize_f64(*value),
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(items) => {
                let levels = inside()?;
                serializer.collect_seq(items.iter().map(|value| Limited { value, levels }))
            }
            Value::Object(members) => {
                let levels = inside()?;
                serializer.collect_map(members.iter().map(|(key, value)| (key, Limited { value, levels })))
            }
        }
    }
}

impl Serialize for Str {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for Str {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Str, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Str;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E>(self, text: &str) -> Result<Str, E> {
                Ok(text.into())
            }

            fn visit_string<E>(self, text: String) -> Result<Str, E> {
                Ok(text.into())
            }
        }
        deserializer.deserialize_string(Text)
    }
}
