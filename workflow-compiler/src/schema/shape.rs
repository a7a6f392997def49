//! Shapes of the values that schemas allow. A keyword that says nothing about a shape is ignored,
//! so that a shape has all valid values, and perhaps others.

use super::Schema;
use crate::escape::shown;
use crate::literal::Literal;
use crate::shapes::{ArrayShape, Field, KindSet, RecordShape, Shape, ValueOrigin};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

/// The nesting of schemas that is followed. Of deeper ones nothing is known.
const MAX_DEPTH: usize = 24;
/// The number of schemas that are read for one shape. Of the others nothing is known.
const MAX_VISITS: usize = 4096;

/// The shape of a schema, once it has been asked for. Clones of the schema share it. It follows
/// from the text, so that it does not count where schemas are compared.
#[derive(Debug, Clone, Default)]
pub(super) struct KnownShape(Arc<OnceLock<Shape>>);

impl PartialEq for KnownShape {
    fn eq(&self, _: &KnownShape) -> bool {
        true
    }
}

impl Schema {
    /// Returns the shape of the valid values.
    pub fn shape(&self) -> Shape {
        self.shape.0.get_or_init(|| self.read_shape().0).clone()
    }

    /// Returns the shape of the valid values, with the schema as its origin.
    pub fn described(&self) -> Shape {
        let shape = self.shape();
        let phrase = format!("described by the schema `{}`", shown(self.name()));
        if shape.is_any() { shape } else { shape.from_origin(ValueOrigin::new(self.place(), phrase)) }
    }

    /// Reads the shape of the valid values. Returns it with the number of schemas that were read.
    pub(super) fn read_shape(&self) -> (Shape, usize) {
        let mut reader = Reader { schema: self, remaining: MAX_VISITS, targets: HashMap::new() };
        let shape = reader.shape(self.tree(), MAX_DEPTH);
        (shape, MAX_VISITS - reader.remaining)
    }

    /// Returns the names of the members that the schema describes or requires, at any depth. A
    /// shape lacks those of which nothing is known.
    pub fn member_names(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let mut open = vec![self.tree()];
        while let Some(schema) = open.pop() {
            names.extend(entries(schema, "properties").iter().map(|(name, _)| name.clone()));
            names.extend(list(schema, "required").iter().filter_map(|name| match name {
                Literal::String(name) => Some(name.clone()),
                _ => None,
            }));
            match schema {
                Literal::Object(members) => open.extend(members.iter().map(|(_, part)| part)),
                Literal::Array(parts) => open.extend(parts),
                _ => {}
            }
        }
        names
    }

    /// Returns the target of a reference within the bundle.
    pub(super) fn target(&self, reference: &str) -> Option<&Literal> {
        let mut at = self.tree();
        let Some(name) = reference.strip_prefix("#/") else { return Some(at) };
        for part in name.split('/') {
            at = member(at, part)?;
        }
        Some(at)
    }
}

/// A reader of a schema.
struct Reader<'a> {
    schema: &'a Schema,
    /// The number of schemas that may still be read.
    remaining: usize,
    /// The shapes of references that have been read, each at a depth.
    targets: HashMap<(&'a str, usize), Shape>,
}

impl<'a> Reader<'a> {
    fn shape(&mut self, schema: &'a Literal, depth: usize) -> Shape {
        if depth == 0 || self.remaining == 0 {
            return Shape::any();
        }
        self.remaining -= 1;
        match schema {
            Literal::Bool(false) => return Shape::never(),
            Literal::Object(_) => {}
            _ => return Shape::any(),
        }
        let mut shape = Shape::any();
        if let Some(Literal::String(reference)) = member(schema, "$ref") {
            shape = self.referred(reference, depth - 1);
            if self.schema.draft().refs_stand_alone() {
                return shape;
            }
        }
        shape = shape.meet(&typed(schema)).meet(&constants(schema));
        for part in list(schema, "allOf") {
            shape = shape.meet(&self.shape(part, depth - 1));
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Literal::Array(parts)) = member(schema, key) {
                let parts: Vec<Shape> = parts.iter().map(|part| self.shape(part, depth - 1)).collect();
                shape = shape.meet(&Shape::union(&parts));
            }
        }
        shape.meet(&self.objects(schema, depth)).meet(&self.arrays(schema, depth))
    }

    /// Returns the shape of what a reference leads to.
    fn referred(&mut self, reference: &'a str, depth: usize) -> Shape {
        if let Some(known) = self.targets.get(&(reference, depth)) {
            return known.clone();
        }
        let schema = self.schema;
        let shape = schema.target(reference).map_or_else(Shape::any, |target| self.shape(target, depth));
        self.targets.insert((reference, depth), shape.clone());
        shape
    }

    /// Returns the shape of what is no object, or an object that the keywords for objects allow.
    fn objects(&mut self, schema: &'a Literal, depth: usize) -> Shape {
        let mut object = RecordShape::open();
        let (properties, patterns) = (entries(schema, "properties"), entries(schema, "patternProperties"));
        if let Some(others) = member(schema, "additionalProperties") {
            object.rest = self.shape(others, depth - 1);
        }
        // A name that no property has may match a pattern, in place of the schema for others.
        for (_, pattern) in patterns {
            object.rest = object.rest.join(&self.shape(pattern, depth - 1));
        }
        let mut fields = BTreeMap::new();
        for (name, property) in properties {
            let shape = self.shape(property, depth - 1);
            fields.insert(Arc::from(name.as_str()), Field { shape, required: false });
        }
        for name in list(schema, "required") {
            if let Literal::String(name) = name {
                let unknown = || Field { shape: object.rest.clone(), required: true };
                fields.entry(Arc::from(name.as_str())).or_insert_with(unknown).required = true;
            }
        }
        object.fields = fields.into_iter().collect();
        Shape::object(object).join(&other_than(KindSet::OBJECT))
    }

    /// Returns the shape of what is no array, or an array that the keywords for arrays allow.
    fn arrays(&mut self, schema: &'a Literal, depth: usize) -> Shape {
        let (first, others): (&'a [Literal], Option<&'a Literal>) =
            match (member(schema, "prefixItems"), member(schema, "items")) {
                (Some(Literal::Array(first)), others) => (first, others),
                (_, Some(Literal::Array(first))) => (first, member(schema, "additionalItems")),
                (_, others) => (&[], others),
            };
        let prefix = first.iter().map(|item| self.shape(item, depth - 1)).collect();
        let rest = others.map_or_else(Shape::any, |others| self.shape(others, depth - 1));
        let least = match member(schema, "minItems") {
            Some(Literal::Int(least)) => usize::try_from(*least).unwrap_or(0),
            _ => 0,
        };
        let array = match member(schema, "maxItems") {
            Some(Literal::Int(0)) => ArrayShape { prefix: Vec::new(), rest: Shape::never(), least },
            _ => ArrayShape { prefix, rest, least },
        };
        Shape::array(array).join(&other_than(KindSet::ARRAY))
    }
}

/// Returns the shape of all values of other kinds.
fn other_than(kinds: KindSet) -> Shape {
    Shape::any().only(kinds.complement())
}

/// Returns the shape of the values of the types that a schema names.
fn typed(schema: &Literal) -> Shape {
    let types = match member(schema, "type") {
        Some(one @ Literal::String(_)) => std::slice::from_ref(one),
        Some(Literal::Array(types)) => types,
        _ => return Shape::any(),
    };
    let shapes = types.iter().map(|name| match name {
        Literal::String(name) => match name.as_str() {
            "null" => Shape::null(),
            "boolean" => Shape::boolean(),
            "integer" => Shape::integer(),
            "number" => Shape::number(),
            "string" => Shape::string(),
            "array" => Shape::array(ArrayShape::open()),
            "object" => Shape::any_object(),
            _ => Shape::any(),
        },
        _ => Shape::any(),
    });
    let shapes: Vec<Shape> = shapes.collect();
    Shape::union(&shapes)
}

/// Returns the shape of the constants that a schema lists.
fn constants(schema: &Literal) -> Shape {
    let only = member(schema, "const").map_or_else(Shape::any, Shape::from);
    match member(schema, "enum") {
        Some(Literal::Array(values)) => {
            let values: Vec<Shape> = values.iter().map(Shape::from).collect();
            only.meet(&Shape::union(&values))
        }
        _ => only,
    }
}

fn member<'a>(schema: &'a Literal, key: &str) -> Option<&'a Literal> {
    let Literal::Object(members) = schema else { return None };
    members.iter().find(|(name, _)| name == key).map(|(_, value)| value)
}

fn list<'a>(schema: &'a Literal, key: &str) -> &'a [Literal] {
    match member(schema, key) {
        Some(Literal::Array(items)) => items,
        _ => &[],
    }
}

fn entries<'a>(schema: &'a Literal, key: &str) -> &'a [(String, Literal)] {
    match member(schema, key) {
        Some(Literal::Object(entries)) => entries,
        _ => &[],
    }
}
