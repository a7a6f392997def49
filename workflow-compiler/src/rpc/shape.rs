//! The shapes of messages, by the JSON mapping of Protocol Buffers as the runtime applies it.

use super::MethodPath;
use crate::escape::shown;
use crate::shapes::{Field, KindSet, RecordShape, Shape, ValueOrigin};
use protox::prost_reflect::{EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The nesting of messages that is followed. Of deeper ones nothing is known. A message whose
/// shape is too large is read again with less.
const DEPTHS: [usize; 5] = [16, 8, 4, 2, 1];
/// The number of messages that are read for one shape. Of the others nothing is known.
const MAX_VISITS: usize = 4096;
/// The number of fields of a message of which each is known.
const MAX_FIELDS: usize = 256;
/// The number of names of an enumeration of which each is known.
const MAX_NAMES: usize = 16;

/// Returns the shape of the responses of a method.
pub(super) fn response(message: &MessageDescriptor, named: MethodPath<'_>) -> Shape {
    read(message, named, "response")
}

/// Returns the shape of the values that the runtime can write as a request of a method.
pub(super) fn request(message: &MessageDescriptor, named: MethodPath<'_>) -> Shape {
    read(message, named, "request")
}

fn read(message: &MessageDescriptor, named: MethodPath<'_>, what: &str) -> Shape {
    let mut reader = MessageShapes { is_request: what == "request", known: HashMap::new(), remaining: MAX_VISITS };
    let shape = DEPTHS.iter().map(|depth| reader.message(message, *depth)).find(|shape| !shape.is_any());
    let Some(shape) = shape else { return Shape::any() };
    // The runtime sends a message without fields in place of null.
    let shape = if reader.is_request { shape.join(&Shape::null()) } else { shape };
    let phrase = format!("the {what} of `{}` in `{}`", shown(&named.method.value), shown(&named.file.value));
    shape.from_origin(ValueOrigin::new(named.method.span, phrase))
}

/// A reader of messages.
struct MessageShapes {
    /// `true` if the values are read as messages, which takes more than is written: null in place
    /// of an absent field, either name of a field, and numbers as texts.
    is_request: bool,
    /// The shapes of messages that have been read, each at a depth.
    known: HashMap<(String, usize), Shape>,
    remaining: usize,
}

impl MessageShapes {
    fn message(&mut self, message: &MessageDescriptor, depth: usize) -> Shape {
        if let Some(shape) = well_known(message.full_name()) {
            // A wrapper has the JSON of the number in it.
            let is_number = shape.set().meets(KindSet::NUMBER) || message.full_name().ends_with("Int64Value");
            return if self.is_request && is_number && !shape.is_any() { number_or_text() } else { shape };
        }
        if self.is_request && message.full_name() == "google.protobuf.Empty" {
            return Shape::any_object();
        }
        if depth == 0 || self.remaining == 0 {
            return Shape::any();
        }
        let key = (message.full_name().to_owned(), depth);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        self.remaining -= 1;
        if message.fields().len() > MAX_FIELDS {
            return Shape::any_object();
        }
        let mut fields = BTreeMap::new();
        for field in message.fields() {
            let shape = self.field(&field, depth - 1);
            if !self.is_request {
                // A field without presence has its default value.
                let required = !field.supports_presence();
                fields.insert(Arc::from(field.json_name()), Field { shape, required });
                continue;
            }
            let required = field.is_required() && field.json_name() == field.name();
            let shape = if required { shape } else { shape.join(&Shape::null()) };
            for name in [field.name(), field.json_name()] {
                fields.insert(Arc::from(name), Field { shape: shape.clone(), required });
            }
        }
        // An extension has a name in brackets.
        let has_extensions = self.is_request && message.extension_ranges().next().is_some();
        let rest = if has_extensions { Shape::any() } else { Shape::never() };
        let shape = Shape::object(RecordShape { fields: fields.into_iter().collect(), rest });
        self.known.insert(key, shape.clone());
        shape
    }

    fn field(&mut self, field: &FieldDescriptor, depth: usize) -> Shape {
        let kind = field.kind();
        match kind.as_message() {
            Some(entry) if field.is_map() => {
                let rest = self.value(&entry.map_entry_value_field().kind(), depth);
                Shape::object(RecordShape { fields: Default::default(), rest })
            }
            _ if field.is_list() => Shape::list(self.value(&kind, depth)),
            _ => self.value(&kind, depth),
        }
    }

    fn value(&mut self, kind: &Kind, depth: usize) -> Shape {
        match kind {
            Kind::Message(message) => self.message(message, depth),
            Kind::Enum(kind) if !self.is_request => constants(kind),
            Kind::Bool => Shape::boolean(),
            Kind::String | Kind::Bytes => Shape::string(),
            Kind::Enum(kind) if kind.full_name() == "google.protobuf.NullValue" => Shape::any(),
            _ if self.is_request => number_or_text(),
            Kind::Int32 | Kind::Sint32 | Kind::Uint32 | Kind::Fixed32 | Kind::Sfixed32 => Shape::integer(),
            Kind::Double | Kind::Float => number(),
            // Integers of 64 bits are texts.
            _ => Shape::string(),
        }
    }
}

/// Returns the shape of the constants of an enumeration. One that the file does not name is a
/// number.
fn constants(kind: &EnumDescriptor) -> Shape {
    if kind.full_name() == "google.protobuf.NullValue" {
        return Shape::null();
    }
    if kind.values().len() > MAX_NAMES {
        return Shape::string().join(&Shape::integer());
    }
    let names: Vec<Shape> = kind.values().map(|value| Shape::text(value.name())).collect();
    Shape::union(&names).join(&Shape::integer())
}

/// Returns the shape of numbers with a fraction. JSON has no others than finite ones, which are
/// texts then.
fn number() -> Shape {
    ["NaN", "Infinity", "-Infinity"].iter().fold(Shape::number(), |number, text| number.join(&Shape::text(text)))
}

/// Returns the shape of what the runtime reads as a number or as a constant.
fn number_or_text() -> Shape {
    Shape::number().join(&Shape::string())
}

/// Returns the shape of a message whose JSON is not an object of its fields.
fn well_known(name: &str) -> Option<Shape> {
    Some(match name.strip_prefix("google.protobuf.")? {
        "Any" | "Value" => Shape::any(),
        "Struct" => Shape::any_object(),
        "ListValue" => Shape::list(Shape::any()),
        "FloatValue" | "DoubleValue" => number().join(&Shape::null()),
        "Int32Value" | "UInt32Value" => Shape::integer(),
        "BoolValue" => Shape::boolean(),
        "Timestamp" | "Duration" | "FieldMask" | "Int64Value" | "UInt64Value" | "StringValue" | "BytesValue" => {
            Shape::string()
        }
        _ => return None,
    })
}
