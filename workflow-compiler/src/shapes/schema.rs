//! Shapes as JSON Schemas.

use super::Shape;
use super::kind::{Numbers, Strings};
use crate::literal::Literal;

impl Shape {
    /// Returns the shape as a JSON Schema of the draft 2020-12.
    pub fn json_schema(&self) -> Literal {
        let Some(kinds) = self.kinds() else { return Literal::Bool(true) };
        let mut parts: Vec<Literal> = Vec::new();
        let typed = |name: &str| schema([("type", name.into())]);
        if let Some(object) = &kinds.object {
            let mut members = vec![("type", "object".into())];
            let fields = object.fields.iter();
            let properties: Vec<_> =
                fields.clone().map(|(name, field)| (name.to_string(), field.shape.json_schema())).collect();
            if !properties.is_empty() {
                members.push(("properties", Literal::Object(properties)));
            }
            let required: Vec<Literal> =
                fields.filter(|(_, field)| field.required).map(|(name, _)| (&**name).into()).collect();
            if !required.is_empty() {
                members.push(("required", Literal::Array(required)));
            }
            if !object.rest.is_any() {
                members.push(("additionalProperties", object.rest.json_schema()));
            }
            parts.push(schema(members));
        }
        if let Some(array) = &kinds.array {
            let mut members = vec![("type", "array".into())];
            if !array.prefix.is_empty() {
                members.push(("prefixItems", Literal::Array(array.prefix.iter().map(Shape::json_schema).collect())));
            }
            if !array.rest.is_any() {
                members.push(("items", array.rest.json_schema()));
            }
            if let Some(least) = i64::try_from(array.least).ok().filter(|least| *least > 0) {
                members.push(("minItems", Literal::Int(least)));
            }
            parts.push(schema(members));
        }
        match &kinds.strings {
            Strings::Any => parts.push(typed("string")),
            Strings::Known(known) if known.is_empty() => {}
            Strings::Known(known) => parts.push(one_of(known.iter().map(|text| (&**text).into()))),
        }
        match &kinds.numbers {
            Numbers::Any => parts.push(typed("number")),
            Numbers::Whole => parts.push(typed("integer")),
            Numbers::Known(known) if known.is_empty() => {}
            Numbers::Known(known) => parts.push(one_of(known.iter().map(|number| Literal::Int(*number)))),
        }
        match (kinds.can_be_false, kinds.can_be_true) {
            (true, true) => parts.push(typed("boolean")),
            (false, false) => {}
            (_, value) => parts.push(one_of([Literal::Bool(value)])),
        }
        if kinds.null {
            parts.push(typed("null"));
        }
        match parts.len() {
            0 => Literal::Bool(false),
            1 => parts.remove(0),
            _ => schema([("anyOf", Literal::Array(parts))]),
        }
    }
}

fn schema<'a>(members: impl IntoIterator<Item = (&'a str, Literal)>) -> Literal {
    Literal::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn one_of(values: impl IntoIterator<Item = Literal>) -> Literal {
    schema([("enum", Literal::Array(values.into_iter().collect()))])
}
