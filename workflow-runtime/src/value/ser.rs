//! Serialisation of Rust data into values, in the shapes of `serde_json`.

use std::fmt::Display;

use serde_core::ser::{self, Serialize, Serializer};

use super::ser_key::KeySerializer;
use super::{Array, MAX_DEPTH, Object, Str, Value, ValueError, number};

impl Value {
    /// Serialises data into a value. [`Value::deserialize_into`] does the opposite.
    ///
    /// Fails for data that JSON cannot express: a key that is not text, a whole number that
    /// neither 64 signed bits nor a double holds exactly, and nesting beyond [`MAX_DEPTH`]. A
    /// number that is not finite becomes null.
    ///
    /// ```
    /// use workflow_runtime::{Value, value};
    ///
    /// let pair = Value::serialize_from(&(1, "one")).unwrap();
    /// assert_eq!(pair, value!([1, "one"]));
    /// assert_eq!(pair.deserialize_into(), Ok((1, "one".to_owned())));
    /// ```
    pub fn serialize_from<T: Serialize + ?Sized>(data: &T) -> Result<Value, ValueError> {
        data.serialize(Builder { levels: MAX_DEPTH })
    }
}

/// A builder of one value.
#[derive(Clone, Copy)]
struct Builder {
    /// The number of further levels of nesting.
    levels: usize,
}

impl Builder {
    fn inside(self) -> Result<Builder, ValueError> {
        Ok(Builder { levels: self.levels.checked_sub(1).ok_or_else(ValueError::too_deep)? })
    }

    /// Builds the content of a variant, inside of the object that names the variant.
    fn variant(self, name: &'static str, build: impl FnOnce(Builder) -> Result<Value, ValueError>) -> Built {
        let value = build(self.inside()?).map_err(|error| error.at_key(name))?;
        Ok(wrap(Some(name), value))
    }

    fn items(self, variant: Option<&'static str>, len: usize) -> Result<Items, ValueError> {
        let around = if variant.is_some() { self.inside()? } else { self };
        Ok(Items { inside: around.inside()?, items: Vec::with_capacity(len), variant })
    }

    fn members(self, variant: Option<&'static str>, len: usize) -> Result<Members, ValueError> {
        let around = if variant.is_some() { self.inside()? } else { self };
        Ok(Members { inside: around.inside()?, members: Object::with_capacity(len), key: Str::default(), variant })
    }
}

type Built = Result<Value, ValueError>;

/// Wraps the content of a variant into an object with one member, whose key is the name of the
/// variant.
fn wrap(variant: Option<&'static str>, value: Value) -> Value {
    match variant {
        Some(name) => super::object([(name, value)]),
        None => value,
    }
}

/// Returns a whole number beyond `i64`, if a double holds it exactly.
fn wide<T: Display>(digits: T, nearest: f64) -> Built {
    match digits.to_string() == format!("{nearest:.0}") {
        true => Ok(Value::Float(nearest)),
        false => Err(ValueError::new(format!(
            "the integer `{digits}` does not fit into 64 signed bits and would lose digits as a double"
        ))),
    }
}

impl Serializer for Builder {
    type Ok = Value;
    type Error = ValueError;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Items;
    type SerializeMap = Members;
    type SerializeStruct = Members;
    type SerializeStructVariant = Members;

    fn serialize_bool(self, value: bool) -> Built {
        Ok(Value::Bool(value))
    }

    fn serialize_i8(self, value: i8) -> Built {
        Ok(Value::Int(value.into()))
    }

    fn serialize_i16(self, value: i16) -> Built {
        Ok(Value::Int(value.into()))
    }

    fn serialize_i32(self, value: i32) -> Built {
        Ok(Value::Int(value.into()))
    }

    fn serialize_i64(self, value: i64) -> Built {
        Ok(Value::Int(value))
    }

    fn serialize_i128(self, value: i128) -> Built {
        i64::try_from(value).map_or_else(|_| wide(value, value as f64), |value| Ok(Value::Int(value)))
    }

    fn serialize_u8(self, value: u8) -> Built {
        Ok(Value::Int(value.into()))
    }

    fn serialize_u16(self, value: u16) -> Built {
        Ok(Value::Int(value.into()))
    }

    fn serialize_u32(self, value: u32) -> Built {
        Ok(Value::Int(value.into()))
    }

    fn serialize_u64(self, value: u64) -> Built {
        i64::try_from(value).map_or_else(|_| wide(value, value as f64), |value| Ok(Value::Int(value)))
    }

    fn serialize_u128(self, value: u128) -> Built {
        i64::try_from(value).map_or_else(|_| wide(value, value as f64), |value| Ok(Value::Int(value)))
    }

    fn serialize_f32(self, value: f32) -> Built {
        Ok(Value::from(f64::from(value)))
    }

    fn serialize_f64(self, value: f64) -> Built {
        Ok(Value::from(value))
    }

    fn serialize_char(self, value: char) -> Built {
        Ok(Value::from(&*value.encode_utf8(&mut [0; 4])))
    }

    fn serialize_str(self, value: &str) -> Built {
        Ok(Value::from(value))
    }

    fn serialize_bytes(self, value: &[u8]) -> Built {
        self.inside()?;
        Ok(value.iter().map(|byte| u32::from(*byte)).collect())
    }

    fn serialize_none(self) -> Built {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Built {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Built {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Built {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Built {
        Ok(Value::String(Str::from_static(variant)))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Built {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Built {
        self.variant(variant, |inside| value.serialize(inside))
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Items, ValueError> {
        self.items(None, len.unwrap_or(0))
    }

    fn serialize_tuple(self, len: usize) -> Result<Items, ValueError> {
        self.items(None, len)
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Items, ValueError> {
        self.items(None, len)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Items, ValueError> {
        self.items(Some(variant), len)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Members, ValueError> {
        self.members(None, len.unwrap_or(0))
    }

    fn serialize_struct(self, _: &'static str, len: usize) -> Result<Members, ValueError> {
        self.members(None, len)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Members, ValueError> {
        self.members(Some(variant), len)
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Built {
        Ok(Value::from(value.to_string()))
    }
}

/// A builder of an array.
struct Items {
    inside: Builder,
    items: Vec<Value>,
    variant: Option<&'static str>,
}

impl Items {
    fn add<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), ValueError> {
        let at = |error: ValueError| within(self.variant, error.at_position(self.items.len()));
        let item = item.serialize(self.inside).map_err(at)?;
        self.items.push(item);
        Ok(())
    }

    fn done(self) -> Built {
        Ok(wrap(self.variant, Array::from(self.items).into()))
    }
}

fn within(variant: Option<&'static str>, error: ValueError) -> ValueError {
    match variant {
        Some(name) => error.at_key(name),
        None => error,
    }
}

/// A builder of an object.
struct Members {
    inside: Builder,
    members: Object,
    /// The key of the member that is being built.
    key: Str,
    variant: Option<&'static str>,
}

impl Members {
    fn add<T: Serialize + ?Sized>(&mut self, key: Str, value: &T) -> Result<(), ValueError> {
        let at = |error: ValueError| within(self.variant, error.at_key(&key));
        let value = value.serialize(self.inside).map_err(at)?;
        self.members.insert(key, value);
        Ok(())
    }

    fn done(self) -> Built {
        match self.members.get_index(0) {
            Some((key, Value::String(digits))) if *key == number::DIGITS => {
                number::from_digits(digits).ok_or_else(|| ValueError::new("number out of range"))
            }
            _ => Ok(wrap(self.variant, self.members.into())),
        }
    }
}

impl ser::SerializeSeq for Items {
    type Ok = Value;
    type Error = ValueError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), ValueError> {
        self.add(item)
    }

    fn end(self) -> Built {
        self.done()
    }
}

impl ser::SerializeTuple for Items {
    type Ok = Value;
    type Error = ValueError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), ValueError> {
        self.add(item)
    }

    fn end(self) -> Built {
        self.done()
    }
}

impl ser::SerializeTupleStruct for Items {
    type Ok = Value;
    type Error = ValueError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), ValueError> {
        self.add(item)
    }

    fn end(self) -> Built {
        self.done()
    }
}

impl ser::SerializeTupleVariant for Items {
    type Ok = Value;
    type Error = ValueError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), ValueError> {
        self.add(item)
    }

    fn end(self) -> Built {
        self.done()
    }
}

impl ser::SerializeMap for Members {
    type Ok = Value;
    type Error = ValueError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), ValueError> {
        self.key = key.serialize(KeySerializer)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ValueError> {
        let key = std::mem::take(&mut self.key);
        self.add(key, value)
    }

    fn end(self) -> Built {
        self.done()
    }
}

impl ser::SerializeStruct for Members {
    type Ok = Value;
    type Error = ValueError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), ValueError> {
        self.add(Str::from_static(key), value)
    }

    fn end(self) -> Built {
        self.done()
    }
}

impl ser::SerializeStructVariant for Members {
    type Ok = Value;
    type Error = ValueError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), ValueError> {
        self.add(Str::from_static(key), value)
    }

    fn end(self) -> Built {
        self.done()
    }
}
