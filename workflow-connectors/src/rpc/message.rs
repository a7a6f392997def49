//! Requests and answers, by the JSON mapping of Protocol Buffers.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use prost_reflect::bytes::Bytes;
use prost_reflect::prost::Message;
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind, MapKey, MessageDescriptor, ReflectMessage, SerializeOptions, Value as Field,
};
use workflow_runtime::Value;
use workflow_runtime::value::{Array, Object};

/// How deep messages may be nested, as much as parsers of Protocol Buffers allow. Messages of any type are parsed by themselves, and
/// do not know how deep they are.
const DEEPEST: usize = 100;

/// The request that a value stands for; or what is wrong with it, and where.
pub(super) fn request(kind: &MessageDescriptor, value: &Value) -> Result<Vec<u8>, String> {
    let nothing = Value::from(Object::new());
    let value = if value.is_null() { &nothing } else { value };
    let message = value.deserialize_with(kind.clone()).map_err(|error| match error.path().as_str() {
        "$" => error.message().to_owned(),
        path => format!("{} at `{path}`", error.message()),
    })?;
    if let Some(missing) = missing(&message) {
        return Err(format!("the field `{missing}` is missing"));
    }
    Ok(message.encode_to_vec())
}

/// A required field that has no value.
fn missing(message: &DynamicMessage) -> Option<String> {
    let kind = message.descriptor();
    let within = |field: &FieldDescriptor, inner: &DynamicMessage| {
        missing(inner).map(|missing| format!("{}.{missing}", field.json_name()))
    };
    kind.fields().find_map(|field| match (message.has_field(&field), &*message.get_field(&field)) {
        (false, _) => field.is_required().then(|| field.json_name().to_owned()),
        (_, Field::Message(inner)) => within(&field, inner),
        (_, Field::List(items)) => items.iter().filter_map(Field::as_message).find_map(|inner| within(&field, inner)),
        (_, Field::Map(entries)) => {
            entries.values().filter_map(Field::as_message).find_map(|inner| within(&field, inner))
        }
        _ => None,
    })
}

/// The value that an answer stands for; or what is wrong with it. It is made of what was sent, whose bytes are bounded, and of
/// what fields have that were not sent, of which there may be so many.
pub(super) fn answer(kind: &MessageDescriptor, bytes: Bytes, most_unsent: usize) -> Result<Value, String> {
    let message = DynamicMessage::decode(kind.clone(), bytes).map_err(|error| error.to_string())?;
    Reading { most_unsent, unsent: 0, depth: 0 }.value_of(&message)
}

/// A message that becomes a value.
struct Reading {
    /// How many fields may have a value without having been sent: a message without any takes two bytes.
    most_unsent: usize,
    /// How many had one so far.
    unsent: usize,
    /// How many messages are around the one that is read.
    depth: usize,
}

impl Reading {
    fn value_of(&mut self, message: &DynamicMessage) -> Result<Value, String> {
        if self.depth == DEEPEST {
            return Err(format!("messages are nested too deep: there are more than {DEEPEST} levels"));
        }
        self.depth += 1;
        let kind = message.descriptor();
        let value = match kind.full_name().strip_prefix("google.protobuf.").unwrap_or_default() {
            "Any" => self.any(message),
            "Struct" | "ListValue" | "Value" => known(message).map(whole),
            "FloatValue" => message
                .get_field_by_number(1)
                .map_or(Ok(Value::Null), |value| self.value_of_field(&value, &Kind::Float)),
            "Timestamp" | "Duration" | "FieldMask" | "Empty" | "DoubleValue" | "Int32Value" | "Int64Value"
            | "UInt32Value" | "UInt64Value" | "BoolValue" | "StringValue" | "BytesValue" => known(message),
            _ => self.fields(message).map(Value::from),
        };
        self.depth -= 1;
        value
    }

    /// The members of a message: those that have a value, and those that always have one.
    fn fields(&mut self, message: &DynamicMessage) -> Result<Object, String> {
        let kind = message.descriptor();
        let mut members = Object::new();
        for field in kind.fields() {
            let is_sent = message.has_field(&field);
            if !is_sent && field.supports_presence() {
                continue;
            }
            self.unsent += usize::from(!is_sent);
            if self.unsent > self.most_unsent {
                return Err(format!("more than {} fields have a value that was not sent", self.most_unsent));
            }
            members.insert(field.json_name(), self.value_of_field(&message.get_field(&field), &field.kind())?);
        }
        Ok(members)
    }

    fn value_of_field(&mut self, value: &Field, kind: &Kind) -> Result<Value, String> {
        Ok(match value {
            Field::Bool(value) => (*value).into(),
            Field::I32(value) => i64::from(*value).into(),
            Field::U32(value) => i64::from(*value).into(),
            Field::I64(value) => value.to_string().into(),
            Field::U64(value) => value.to_string().into(),
            // As it is written in 32 bits: 0.1 is 0.1.
            Field::F32(value) => float(value.to_string().parse().unwrap_or(f64::from(*value))),
            Field::F64(value) => float(*value),
            Field::String(text) => text.as_str().into(),
            Field::Bytes(bytes) => BASE64_STANDARD.encode(bytes).into(),
            Field::EnumNumber(number) => match kind.as_enum() {
                Some(kind) if kind.full_name() == "google.protobuf.NullValue" => Value::Null,
                Some(kind) => match kind.get_value(*number) {
                    Some(value) => value.name().into(),
                    None => i64::from(*number).into(),
                },
                None => i64::from(*number).into(),
            },
            Field::Message(message) => self.value_of(message)?,
            Field::List(items) => {
                let items: Result<Vec<Value>, String> =
                    items.iter().map(|item| self.value_of_field(item, kind)).collect();
                Value::from(Array::from(items?))
            }
            Field::Map(entries) => {
                let of = kind.as_message().map(|entry| entry.map_entry_value_field().kind());
                let of = of.ok_or("a map has no entries")?;
                // In an order of their own, so that equal answers are equal values.
                let mut entries: Vec<(&MapKey, &Field)> = entries.iter().collect();
                entries.sort_by_key(|(key, _)| *key);
                let mut members = Object::new();
                for (key, value) in entries {
                    members.insert(key_text(key), self.value_of_field(value, &of)?);
                }
                members.into()
            }
        })
    }

    /// A message of any type, with its type.
    fn any(&mut self, message: &DynamicMessage) -> Result<Value, String> {
        let field = |number| message.get_field_by_number(number).map(std::borrow::Cow::into_owned);
        let (Some(Field::String(url)), Some(Field::Bytes(bytes))) = (field(1), field(2)) else {
            return Err("a message of any type has no type".to_owned());
        };
        let mut members = Object::new();
        if url.is_empty() && bytes.is_empty() {
            return Ok(members.into());
        }
        let name = url.rsplit('/').next().unwrap_or(&url);
        let kind = message.descriptor().parent_pool().get_message_by_name(name);
        let kind = kind.ok_or_else(|| format!("the type `{}` of a message is not known", name.escape_debug()))?;
        let inner = DynamicMessage::decode(kind, bytes).map_err(|error| error.to_string())?;
        members.insert("@type", url);
        match self.value_of(&inner)? {
            Value::Object(own) if !has_own_form(inner.descriptor().full_name()) => {
                for (key, value) in own.iter() {
                    members.insert(key.clone(), value.clone());
                }
            }
            value => drop(members.insert("value", value)),
        }
        Ok(members.into())
    }
}

fn key_text(key: &MapKey) -> String {
    match key {
        MapKey::Bool(key) => key.to_string(),
        MapKey::I32(key) => key.to_string(),
        MapKey::I64(key) => key.to_string(),
        MapKey::U32(key) => key.to_string(),
        MapKey::U64(key) => key.to_string(),
        MapKey::String(key) => key.clone(),
    }
}

/// JSON has no number for those that are not finite.
fn float(value: f64) -> Value {
    match value {
        _ if value.is_nan() => "NaN".into(),
        f64::INFINITY => "Infinity".into(),
        f64::NEG_INFINITY => "-Infinity".into(),
        _ => value.into(),
    }
}

/// A message whose JSON is not an object of its fields.
fn known(message: &DynamicMessage) -> Result<Value, String> {
    /// With the options of the mapping.
    struct Known<'a>(&'a DynamicMessage);
    impl serde::Serialize for Known<'_> {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.0.serialize_with_options(serializer, &SerializeOptions::new())
        }
    }
    Value::from_serialize(&Known(message)).map_err(|error| error.to_string())
}

/// JSON in a message knows floating-point numbers only: those that are whole are whole again.
fn whole(value: Value) -> Value {
    /// All whole numbers up to this one have a float.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Float(number) if number.fract() == 0.0 && number.abs() <= EXACT => (number as i64).into(),
        Value::Array(items) => items.iter().cloned().map(whole).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.clone(), whole(value.clone()))).collect::<Object>().into()
        }
        other => other,
    }
}

/// Whether the JSON of a message is something else than its fields.
fn has_own_form(name: &str) -> bool {
    let known = name.strip_prefix("google.protobuf.").unwrap_or_default();
    let own = ["Any", "Struct", "ListValue", "Value", "Timestamp", "Duration", "FieldMask", "Empty"];
    own.contains(&known) || known.ends_with("Value")
}

#[cfg(test)]
mod tests;
