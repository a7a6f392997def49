//! Messages: requests and responses in the JSON mapping of Protocol Buffers.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use prost_reflect::bytes::Bytes;
use prost_reflect::prost::Message;
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind, MapKey, MessageDescriptor, ReflectMessage, SerializeOptions, Value as Field,
};
use workflow_runtime::Value;
use workflow_runtime::value::{Array, Object};

/// Deepest nesting of messages, the limit of Protocol Buffers parsers. `Any` messages are parsed
/// separately, and their parser does not know their depth.
const MAX_DEPTH: usize = 100;

/// Encodes a value as a request. The error names the problem and its path.
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

/// Returns the path of a required field without a value.
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

/// Decodes a response. Its size is bounded by the bytes that were sent, and by `max_defaults`
/// fields with default values.
pub(super) fn answer(kind: &MessageDescriptor, bytes: Bytes, max_defaults: usize) -> Result<Value, String> {
    let message = DynamicMessage::decode(kind.clone(), bytes).map_err(|error| error.to_string())?;
    MessageReader { max_defaults, defaults: 0, depth: 0 }.value_of(&message)
}

/// Reader of a message.
struct MessageReader {
    /// Largest number of fields with default values: an empty message takes only two bytes.
    max_defaults: usize,
    /// Number of such fields so far.
    defaults: usize,
    /// Nesting depth.
    depth: usize,
}

impl MessageReader {
    fn value_of(&mut self, message: &DynamicMessage) -> Result<Value, String> {
        if self.depth == MAX_DEPTH {
            return Err(format!("messages are nested more than {MAX_DEPTH} levels deep"));
        }
        self.depth += 1;
        let kind = message.descriptor();
        let value = match kind.full_name().strip_prefix("google.protobuf.").unwrap_or_default() {
            "Any" => self.any(message),
            "Struct" | "ListValue" | "Value" => well_known(message).map(with_integers),
            "FloatValue" => message
                .get_field_by_number(1)
                .map_or(Ok(Value::Null), |value| self.value_of_field(&value, &Kind::Float)),
            "Timestamp" | "Duration" | "FieldMask" | "Empty" | "DoubleValue" | "Int32Value" | "Int64Value"
            | "UInt32Value" | "UInt64Value" | "BoolValue" | "StringValue" | "BytesValue" => well_known(message),
            _ => self.fields(message).map(Value::from),
        };
        self.depth -= 1;
        value
    }

    /// Returns the members of a message: those with a value, and those without presence.
    fn fields(&mut self, message: &DynamicMessage) -> Result<Object, String> {
        let kind = message.descriptor();
        let mut members = Object::new();
        for field in kind.fields() {
            let is_sent = message.has_field(&field);
            if !is_sent && field.supports_presence() {
                continue;
            }
            self.defaults += usize::from(!is_sent);
            if self.defaults > self.max_defaults {
                return Err(format!("more than {} fields have default values", self.max_defaults));
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
            // Converts by the text of 32 bits, so that 0.1 is 0.1.
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
                // Sorted, so that equal responses are equal values.
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

    /// Reads an `Any` message with its type.
    fn any(&mut self, message: &DynamicMessage) -> Result<Value, String> {
        let field = |number| message.get_field_by_number(number).map(std::borrow::Cow::into_owned);
        let (Some(Field::String(url)), Some(Field::Bytes(bytes))) = (field(1), field(2)) else {
            return Err("a message of the type `Any` has no type".to_owned());
        };
        let mut members = Object::new();
        if url.is_empty() && bytes.is_empty() {
            return Ok(members.into());
        }
        let name = url.rsplit('/').next().unwrap_or(&url);
        let kind = message.descriptor().parent_pool().get_message_by_name(name);
        let kind = kind.ok_or_else(|| format!("unknown message type `{}`", name.escape_debug()))?;
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

/// Returns a number, or a text for numbers that are not finite, which JSON lacks.
fn float(value: f64) -> Value {
    match value {
        _ if value.is_nan() => "NaN".into(),
        f64::INFINITY => "Infinity".into(),
        f64::NEG_INFINITY => "-Infinity".into(),
        _ => value.into(),
    }
}

/// Reads a well-known type whose JSON is not an object of its fields.
fn well_known(message: &DynamicMessage) -> Result<Value, String> {
    /// Message serialized with the options of the mapping.
    struct WellKnown<'a>(&'a DynamicMessage);
    impl serde::Serialize for WellKnown<'_> {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.0.serialize_with_options(serializer, &SerializeOptions::new())
        }
    }
    Value::serialize_from(&WellKnown(message)).map_err(|error| error.to_string())
}

/// Converts whole floating-point numbers in a `Struct` back to integers.
fn with_integers(value: Value) -> Value {
    /// Largest integer up to which all have an exact float.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Float(number) if number.fract() == 0.0 && number.abs() <= EXACT => (number as i64).into(),
        Value::Array(items) => items.iter().cloned().map(with_integers).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.clone(), with_integers(value.clone()))).collect::<Object>().into()
        }
        other => other,
    }
}

/// Returns `true` for well-known types with a JSON form of their own.
fn has_own_form(name: &str) -> bool {
    let well_known = name.strip_prefix("google.protobuf.").unwrap_or_default();
    let own = ["Any", "Struct", "ListValue", "Value", "Timestamp", "Duration", "FieldMask", "Empty"];
    own.contains(&well_known) || well_known.ends_with("Value")
}

#[cfg(test)]
mod tests;
