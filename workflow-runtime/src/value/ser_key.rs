//! Serialisation of keys: text, or the types that `serde_json` writes as text.

use std::fmt::Display;

use serde_core::ser::{Impossible, Serialize, Serializer};

use super::{Str, ValueError};

/// A builder of a key.
pub(super) struct KeySerializer;

type Built = Result<Str, ValueError>;

fn written(value: impl Display) -> Built {
    Ok(value.to_string().into())
}

fn refused<T>(kind: &str) -> Result<T, ValueError> {
    Err(ValueError::new(format!("the key of a member must be a string, not {kind}")))
}

impl Serializer for KeySerializer {
    type Ok = Str;
    type Error = ValueError;
    type SerializeSeq = Impossible<Str, ValueError>;
    type SerializeTuple = Impossible<Str, ValueError>;
    type SerializeTupleStruct = Impossible<Str, ValueError>;
    type SerializeTupleVariant = Impossible<Str, ValueError>;
    type SerializeMap = Impossible<Str, ValueError>;
    type SerializeStruct = Impossible<Str, ValueError>;
    type SerializeStructVariant = Impossible<Str, ValueError>;

    fn serialize_bool(self, value: bool) -> Built {
        Ok(Str::from_static(if value { "true" } else { "false" }))
    }

    fn serialize_i8(self, value: i8) -> Built {
        written(value)
    }

    fn serialize_i16(self, value: i16) -> Built {
        written(value)
    }

    fn serialize_i32(self, value: i32) -> Built {
        written(value)
    }

    fn serialize_i64(self, value: i64) -> Built {
        written(value)
    }

    fn serialize_i128(self, value: i128) -> Built {
        written(value)
    }

    fn serialize_u8(self, value: u8) -> Built {
        written(value)
    }

    fn serialize_u16(self, value: u16) -> Built {
        written(value)
    }

    fn serialize_u32(self, value: u32) -> Built {
        written(value)
    }

    fn serialize_u64(self, value: u64) -> Built {
        written(value)
    }

    fn serialize_u128(self, value: u128) -> Built {
        written(value)
    }

    fn serialize_f32(self, value: f32) -> Built {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Built {
        match value.is_finite() {
            true => Ok(format!("{value:?}").into()),
            false => refused("a number that is not finite"),
        }
    }

    fn serialize_char(self, value: char) -> Built {
        written(value)
    }

    fn serialize_str(self, value: &str) -> Built {
        Ok(value.into())
    }

    fn serialize_bytes(self, _: &[u8]) -> Built {
        refused("bytes")
    }

    fn serialize_none(self) -> Built {
        refused("null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Built {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Built {
        refused("null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Built {
        refused("null")
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Built {
        Ok(Str::from_static(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Built {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Built {
        refused("an object")
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, ValueError> {
        refused("an array")
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, ValueError> {
        refused("an array")
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, ValueError> {
        refused("an array")
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, ValueError> {
        refused("an object")
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, ValueError> {
        refused("an object")
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, ValueError> {
        refused("an object")
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, ValueError> {
        refused("an object")
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Built {
        written(value)
    }
}
