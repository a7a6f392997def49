//! The shapes of the arguments and of the results of operations.

use super::body::{self, is_json};
use super::documents::{ExpectedArgument, LocatedSchema};
use super::operation::{OpenApiVersion, OperationSource};
use super::reader::{NodeRef, Reader, key_span};
use crate::escape::shown;
use crate::literal::Literal;
use crate::model::TaskShapes;
use crate::model::operation::Media;
use crate::schema::Schema;
use crate::shapes::{Field, KindSet, RecordShape, Shape, ValueOrigin};
use crate::source::Span;
use crate::syntax::{Text, Tree};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of schemas that are read for one operation. Of the others nothing is known.
const MAX_VISITS: usize = 4096;
/// The nesting of schemas that is followed.
const MAX_DEPTH: usize = 32;
/// The status codes of responses without content.
const NO_CONTENT: [&str; 2] = ["204", "205"];
/// The keywords whose values are copied as they are.
const COPIED: [&str; 5] = ["type", "enum", "const", "minItems", "maxItems"];
/// The types of numbers.
const NUMBERS: [&str; 2] = ["integer", "number"];

/// The kind of a message.
#[derive(Debug, Clone, Copy)]
enum MessageKind {
    Request,
    Response,
}

/// Returns the shapes of an operation: its arguments, and the bodies of its successful responses.
/// Of a part that cannot be read nothing is known: a call does not need its shape. The pair has
/// the names of the document and of the operation.
pub(super) fn of<'a>(
    source: OperationSource<'a>,
    (path, id): (&str, &str),
    expected: &[ExpectedArgument],
    body: Option<&body::Read>,
    reader: &mut Reader<'a>,
) -> TaskShapes {
    let before = reader.diagnostics.len();
    let output = results(source, reader);
    reader.diagnostics.truncate(before);
    let mut own = Reader::new(reader.files);
    let input = arguments(expected, body, &mut own);
    reader.missing_files.append(&mut own.missing_files);
    let from = |shape: Shape, what: &str, span: Span| {
        let phrase = format!("{what} of `{}` in `{}`", shown(id), shown(path));
        if shape.is_any() { shape } else { shape.from_origin(ValueOrigin::new(span, phrase)) }
    };
    TaskShapes {
        input: from(input, "the request", source.span),
        output: from(output, "the response", key_span(source.operation, "responses")),
    }
}

/// Returns the shape of the arguments of a call. Missing ones and unknown ones are reported where
/// the arguments are checked.
fn arguments<'a>(expected: &'a [ExpectedArgument], body: Option<&'a body::Read>, reader: &mut Reader<'a>) -> Shape {
    let mut fields = BTreeMap::new();
    // An argument that is null is taken for absent.
    let mut add = |name: &str, shape: Shape| {
        let field = Field { shape: shape.join(&Shape::null()), required: false };
        fields.entry(Arc::from(name)).or_insert(field);
    };
    let mut located = |schema: &'a LocatedSchema| described(schema.at(), MessageKind::Request, reader);
    for argument in expected {
        add(&argument.argument, as_text(&argument.schema.as_ref().map_or_else(Shape::any, &mut located)));
    }
    if let Some((body, (Some(schema), _))) = body.filter(|(body, _)| body.media == Media::Json) {
        let shape = located(schema);
        body.whole.iter().for_each(|name| add(name, shape.clone()));
        let members = shape.as_object().filter(|_| body.members);
        members.into_iter().flat_map(|object| object.fields).for_each(|(name, field)| add(&name, field.shape));
    }
    Shape::object(RecordShape { fields, rest: Shape::any() })
}

/// Returns the values that are sent like those of a shape in an address, a header or a form, where
/// all scalars are texts.
fn as_text(shape: &Shape) -> Shape {
    let scalars = KindSet::STRING | KindSet::NUMBER | KindSet::BOOLEAN;
    if shape.is_any() || !shape.set().meets(scalars) {
        return shape.clone();
    }
    // A text outside of an enumeration stays wrong.
    let others = if shape.set().meets(KindSet::STRING) { KindSet::NUMBER | KindSet::BOOLEAN } else { scalars };
    shape.join(&Shape::any().only(others))
}

fn results<'a>(source: OperationSource<'a>, reader: &mut Reader<'a>) -> Shape {
    let responses = source.operation.get("responses");
    let responses: Vec<_> = responses.into_iter().flat_map(NodeRef::members).collect();
    let is_success = |code: &str| code.len() == 3 && code.starts_with('2');
    let mut successful: Vec<_> = responses.iter().filter(|(code, _)| is_success(&code.value)).collect();
    if successful.is_empty() {
        successful.extend(responses.iter().filter(|(code, _)| code.value == "default"));
    }
    if successful.is_empty() {
        return Shape::any();
    }
    let shapes: Vec<Shape> =
        successful.into_iter().map(|(code, at)| response(source, &code.value, *at, reader)).collect();
    Shape::union(&shapes)
}

/// Returns the shape of the result that a response becomes.
fn response<'a>(source: OperationSource<'a>, code: &str, at: NodeRef<'a>, reader: &mut Reader<'a>) -> Shape {
    if NO_CONTENT.contains(&code) {
        return Shape::null();
    }
    let Some(at) = reader.follow(at) else { return Shape::any() };
    if source.version == OpenApiVersion::V2 {
        let kinds = source.operation.get("produces").or_else(|| source.root.get("produces"));
        let mut kinds = kinds.into_iter().flat_map(NodeRef::items);
        let are_json = kinds.all(|kind| kind.node.as_text().is_some_and(|kind| is_json(&kind.value)));
        return match at.get("schema").filter(|_| are_json) {
            Some(schema) => described(schema, MessageKind::Response, reader),
            None => Shape::any(),
        };
    }
    let content: Vec<_> = at.get("content").into_iter().flat_map(NodeRef::members).collect();
    // A response without a description of its content often has some.
    if content.is_empty() {
        return Shape::any();
    }
    let of_media = |(kind, media): &(&Text, NodeRef<'a>)| match is_json(&kind.value) {
        true => media.get("schema").map_or_else(Shape::any, |schema| described(schema, MessageKind::Response, reader)),
        // The result of text is a text, and other media are refused.
        false => Shape::string(),
    };
    let shapes: Vec<Shape> = content.iter().map(of_media).collect();
    Shape::union(&shapes)
}

/// Returns the shape of the values that a schema describes.
fn described<'a>(schema: NodeRef<'a>, kind: MessageKind, reader: &mut Reader<'a>) -> Shape {
    let mut copy = CopiedSchema { reader, kind, names: BTreeMap::new(), targets: Vec::new(), remaining: MAX_VISITS };
    let root = copy.copy(schema, MAX_DEPTH);
    let mut definitions = Vec::new();
    // Copying a target can add targets.
    while let Some(target) = copy.targets.get(definitions.len()).copied() {
        let copied = copy.copy(target, MAX_DEPTH);
        definitions.push((definitions.len().to_string(), copied));
    }
    let parts =
        vec![("allOf".to_owned(), Literal::Array(vec![root])), ("$defs".to_owned(), Literal::Object(definitions))];
    Schema::of_tree(Literal::Object(parts), schema.node.span).shape()
}

/// A copy of a schema with all that it refers to, as a JSON Schema.
struct CopiedSchema<'r, 'a> {
    reader: &'r mut Reader<'a>,
    kind: MessageKind,
    /// The indexes of the targets, by file and position.
    names: BTreeMap<(&'a str, u32, u32), usize>,
    targets: Vec<NodeRef<'a>>,
    /// The number of schemas that may still be copied.
    remaining: usize,
}

impl<'a> CopiedSchema<'_, 'a> {
    fn copy(&mut self, schema: NodeRef<'a>, depth: usize) -> Literal {
        let Some(entries) = schema.node.as_object().filter(|_| depth > 0 && self.remaining > 0) else {
            // Another value is `true` or `false`, or not a schema.
            return Literal::Bool(schema.node.tree != Tree::Bool(false));
        };
        self.remaining -= 1;
        if schema.get("$ref").is_some() {
            let Some(target) = self.reader.follow(schema) else { return Literal::Bool(true) };
            let span = target.node.span;
            let next = self.targets.len();
            let at = *self.names.entry((target.file, span.start, span.end)).or_insert(next);
            if at == next {
                self.targets.push(target);
            }
            return Literal::Object(vec![("$ref".to_owned(), Literal::String(format!("#/$defs/{at}")))]);
        }
        let mut members = Vec::with_capacity(entries.len());
        for entry in entries {
            let (key, value) = (&*entry.key.value, NodeRef { node: &entry.value, ..schema });
            let copied = match key {
                "enum" if !is_consistent(schema, value) => continue,
                _ if COPIED.contains(&key) => Literal::from(value.node),
                "required" => self.required(schema, value),
                "properties" | "patternProperties" => Literal::Object(
                    value.members().map(|(name, part)| (name.value.clone(), self.copy(part, depth - 1))).collect(),
                ),
                "anyOf" | "oneOf" if value.items().next().is_none() => continue,
                "allOf" | "anyOf" | "oneOf" | "prefixItems" => {
                    Literal::Array(value.items().map(|part| self.copy(part, depth - 1)).collect())
                }
                "items" | "additionalProperties" => self.copy(value, depth - 1),
                _ => continue,
            };
            members.push((key.to_owned(), copied));
        }
        let copied = Literal::Object(members);
        if !(schema.flag("nullable") || schema.flag("x-nullable")) {
            return copied;
        }
        let null = Literal::Object(vec![("type".to_owned(), Literal::String("null".to_owned()))]);
        Literal::Object(vec![("anyOf".to_owned(), Literal::Array(vec![copied, null]))])
    }

    /// Returns the required members, without those that messages of the kind do not have.
    fn required(&mut self, schema: NodeRef<'a>, names: NodeRef<'a>) -> Literal {
        let properties = schema.get("properties");
        let other = match self.kind {
            MessageKind::Request => "readOnly",
            MessageKind::Response => "writeOnly",
        };
        let mut sent = Vec::new();
        for name in names.items() {
            let Some(text) = name.node.as_text() else { continue };
            let property = properties.and_then(|properties| properties.get(&text.value));
            let property = property.and_then(|property| self.reader.follow(property));
            if !property.is_some_and(|property| property.flag(other)) {
                sent.push(Literal::String(text.value.clone()));
            }
        }
        Literal::Array(sent)
    }
}

/// Returns `true` if the constants of a schema are strings or numbers of its type. Documents in
/// YAML list words such as `yes` that are no strings, and then mean them to be strings.
fn is_consistent(schema: NodeRef<'_>, constants: NodeRef<'_>) -> bool {
    let is_typed = |known: &[&str]| match schema.get("type") {
        None => true,
        Some(one) => {
            let names = one.items().chain([one]).filter_map(|name| name.node.as_text());
            names.into_iter().any(|name| known.contains(&&*name.value))
        }
    };
    let all = |is: fn(&Tree) -> bool| constants.items().all(|constant| is(&constant.node.tree));
    constants.items().next().is_some()
        && (is_typed(&["string"]) && all(|tree| matches!(tree, Tree::String(_)))
            || is_typed(&NUMBERS) && all(|tree| matches!(tree, Tree::Int(_) | Tree::Float(_))))
}
