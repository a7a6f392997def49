//! Deserialisation of variants of enums, and of keys.

use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{Deserialize, DeserializeSeed, Deserializer, EnumAccess, VariantAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use super::de::Source;
use super::{Value, ValueError};

/// A variant: a string, or an object with one member, whose key is the name of the variant.
pub(super) struct Variant<'de> {
    name: &'de str,
    whole: Source<'de>,
    content: Option<Source<'de>>,
}

impl<'de> Variant<'de> {
    pub(super) fn of(whole: Source<'de>) -> Result<Variant<'de>, ValueError> {
        let (name, content) = match whole.value {
            Value::String(name) => (name, None),
            Value::Object(members) => match members.get_index(0) {
                Some((name, value)) if members.len() == 1 => (name, Some(whole.content(value)?)),
                _ => return Err(ValueError::new("expected an object with exactly one member, the name of a variant")),
            },
            _ => return Err(whole.mismatch(&"the name of a variant or an object with one member")),
        };
        Ok(Variant { name, whole, content })
    }

    fn content(&self, expected: &'static str) -> Result<Source<'de>, ValueError> {
        self.content.ok_or_else(|| self.whole.mismatch(&expected))
    }
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = ValueError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), ValueError> {
        seed.deserialize(BorrowedStrDeserializer::<ValueError>::new(self.name)).map(|name| (name, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = ValueError;

    fn unit_variant(self) -> Result<(), ValueError> {
        self.content.map_or(Ok(()), <()>::deserialize).map_err(|error| error.at_key(self.name))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, ValueError> {
        seed.deserialize(self.content("a variant with content")?).map_err(|error| error.at_key(self.name))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, ValueError> {
        let content = self.content("a variant with an array as content")?;
        let data = match content.value {
            Value::Array(_) => content.deserialize_any(visitor),
            _ => Err(content.mismatch(&"an array")),
        };
        data.map_err(|error| error.at_key(self.name))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, ValueError> {
        let content = self.content("a variant with an object as content")?;
        let data = match content.value {
            Value::Array(_) | Value::Object(_) => content.deserialize_any(visitor),
            _ => Err(content.mismatch(&"an object")),
        };
        data.map_err(|error| error.at_key(self.name))
    }
}

/// The key of a member. For types other than text it is parsed.
pub(super) struct KeyText<'de>(pub(super) &'de str);

macro_rules! read_from_text {
    ($($method:ident $visit:ident $type:ty,)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
            match self.0.parse::<$type>() {
                Ok(value) => visitor.$visit(value),
                Err(_) => visitor.visit_borrowed_str(self.0),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for KeyText<'de> {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_borrowed_str(self.0)
    }

    read_from_text! {
        deserialize_bool visit_bool bool,
        deserialize_i8 visit_i64 i64,
        deserialize_i16 visit_i64 i64,
        deserialize_i32 visit_i64 i64,
        deserialize_i64 visit_i64 i64,
        deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u64 u64,
        deserialize_u16 visit_u64 u64,
        deserialize_u32 visit_u64 u64,
        deserialize_u64 visit_u64 u64,
        deserialize_u128 visit_u128 u128,
        deserialize_f32 visit_f64 f64,
        deserialize_f64 visit_f64 f64,
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        BorrowedStrDeserializer::new(self.0).deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
