//! The shapes of the arguments and of the results of operations.

use super::body::{self, is_json};
use super::documents::{ExpectedArgument, LocatedSchema};
use super::operation::{OpenApiVersion, OperationSource};
use super::reader::{NodeRef, Reader, key_span};
use crate::escape::shown;
use crate::literal::Literal;
use crate::model::operation::Media;
use crate::model::{TaskShapes, WholeBody};
use crate::schema::Schema;
use crate::shapes::{Field, KindSet, RecordShape, Shape, ValueOrigin};
use crate::source::Span;
use crate::syntax::Tree;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The nesting of schemas that is followed.
const MAX_DEPTH: usize = 32;
/// The status codes of responses without content.
const NO_CONTENT: [&str; 2] = ["204", "205"];
/// The range of all media types.
const ANY_MEDIA: &str = "*/*";
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
/// A part that cannot be read has the shape `any`, because a call does not need it. `path` and
/// `id` name the document and the operation.
pub(super) fn of<'a>(
    source: OperationSource<'a>,
    (path, id): (&str, &str),
    expected: &[ExpectedArgument],
    body: Option<&body::Read>,
    reader: &mut Reader<'a>,
) -> TaskShapes {
    let before = reader.diagnostics.len();
    reader.is_optional = true;
    let output = results(source, reader);
    reader.diagnostics.truncate(before);
    let mut own = Reader { is_optional: true, ..Reader::new(reader.files) };
    let (input, whole) = arguments(expected, body, &mut own);
    reader.missing_files.append(&mut own.missing_files);
    let mut member_names = std::mem::take(&mut reader.names);
    member_names.append(&mut own.names);
    let from = |shape: Shape, what: &str, span: Span| {
        let phrase = format!("{what} of `{}` in `{}`", shown(id), shown(path));
        if shape.is_any() { shape } else { shape.from_origin(ValueOrigin::new(span, phrase)) }
    };
    let names = body.map(|(body, _)| body.whole.clone()).unwrap_or_default();
    TaskShapes {
        input: from(input, "the request", source.span),
        whole: whole.map(|whole| WholeBody { names, input: from(whole, "the request", source.span) }),
        output: from(output, "the response", key_span(source.operation, "responses")),
        names: member_names,
        ..TaskShapes::default()
    }
}

/// Returns the shape of the arguments of a call, and that of a call with the whole body as one of
/// them, which sends no members of the body. Missing arguments and unknown ones are reported where
/// the arguments are checked.
fn arguments<'a>(
    expected: &'a [ExpectedArgument],
    body: Option<&'a body::Read>,
    reader: &mut Reader<'a>,
) -> (Shape, Option<Shape>) {
    let mut fields: BTreeMap<Arc<str>, Field> = BTreeMap::new();
    let mut located = |schema: &'a LocatedSchema| described(schema.at(), MessageKind::Request, reader);
    for argument in expected {
        let shape = as_text(&argument.schema.as_ref().map_or_else(Shape::any, &mut located));
        fields.entry(Arc::from(&*argument.argument)).or_insert_with(|| self::argument(shape));
    }
    if let Some((body, (Some(schema), _))) = body.filter(|(body, _)| body.media == Media::Json) {
        let shape = located(schema);
        for name in &body.whole {
            fields.entry(Arc::from(&**name)).or_insert_with(|| argument(shape.clone()));
        }
        let members = shape.as_object().filter(|_| body.members);
        if let Some(object) = members {
            let whole = arguments_of(fields.clone());
            for (name, own) in &object.fields {
                fields.entry(Arc::clone(name)).or_insert_with(|| argument(own.shape.clone()));
            }
            return (arguments_of(fields), Some(whole));
        }
    }
    (arguments_of(fields), None)
}

/// Returns an argument of a shape. One that is null is taken for absent.
fn argument(shape: Shape) -> Field {
    Field { shape: shape.join(&Shape::null()), required: false }
}

/// Returns the shape of some arguments. The runtime takes null for none.
fn arguments_of(fields: BTreeMap<Arc<str>, Field>) -> Shape {
    Shape::object(RecordShape { fields: fields.into_iter().collect(), rest: Shape::any() }).join(&Shape::null())
}

/// Returns the values that are sent like those of a shape in an address, a header or a form. All
/// scalars are texts there, and a list of one of them is like the scalar.
fn as_text(shape: &Shape) -> Shape {
    if shape.is_any() {
        return shape.clone();
    }
    let others = KindSet::NUMBER | KindSet::BOOLEAN;
    let scalars = others | KindSet::STRING;
    let sent = [
        // A text outside of an enumeration stays wrong.
        (KindSet::STRING, others),
        (others, scalars),
        (KindSet::ARRAY, scalars | KindSet::ARRAY),
        (KindSet::OBJECT, KindSet::OBJECT),
    ];
    let sent = sent.into_iter().filter(|(kinds, _)| shape.set().meets(*kinds));
    sent.fold(shape.clone(), |all, (_, alike)| all.join(&Shape::any().only(alike)))
}

fn results<'a>(source: OperationSource<'a>, reader: &mut Reader<'a>) -> Shape {
    let responses = source.operation.get("responses");
    let responses: Vec<_> = responses.into_iter().flat_map(NodeRef::members).collect();
    let is_success = |code: &str| {
        code.strip_prefix('2').is_some_and(|rest| {
            rest.eq_ignore_ascii_case("XX") || rest.len() == 2 && rest.bytes().all(|digit| digit.is_ascii_digit())
        })
    };
    let mut successful: Vec<_> = responses.iter().filter(|(code, _)| is_success(&code.value)).collect();
    if successful.is_empty() {
        successful.extend(responses.iter().filter(|(code, _)| code.value == "default"));
    }
    if successful.is_empty() {
        return Shape::any();
    }
    union(successful.into_iter().map(|(code, at)| response(source, &code.value, *at, reader)))
}

/// Joins shapes until nothing is known.
fn union(shapes: impl Iterator<Item = Shape>) -> Shape {
    let mut all = Shape::never();
    for shape in shapes {
        all = all.join(&shape);
        if all.is_any() {
            break;
        }
    }
    all
}

/// Returns the shape of the result that a response becomes.
fn response<'a>(source: OperationSource<'a>, code: &str, at: NodeRef<'a>, reader: &mut Reader<'a>) -> Shape {
    if NO_CONTENT.contains(&code) {
        return Shape::null();
    }
    let Some(at) = reader.follow(at) else { return Shape::any() };
    if source.version == OpenApiVersion::V2 {
        let Some(schema) = at.get("schema") else { return Shape::any() };
        let kinds = source.operation.get("produces").or_else(|| source.root.get("produces"));
        let kinds = kinds.into_iter().flat_map(NodeRef::items).filter_map(|kind| kind.node.as_text());
        let mut kinds: Vec<&str> = kinds.map(|kind| &*kind.value).collect();
        if kinds.is_empty() {
            kinds.push(ANY_MEDIA);
        }
        return union(kinds.iter().map(|kind| content(kind, Some(schema), reader)));
    }
    let media: Vec<_> = at.get("content").into_iter().flat_map(NodeRef::members).collect();
    // A response without a description of its content often has some.
    if media.is_empty() {
        return Shape::any();
    }
    union(media.iter().map(|(kind, media)| content(&kind.value, media.get("schema"), reader)))
}

/// Returns the shape of the result that content of a media type or range becomes.
fn content<'a>(kind: &str, schema: Option<NodeRef<'a>>, reader: &mut Reader<'a>) -> Shape {
    // The result of text is a text, and that of an empty body is null. Other media are refused.
    let text = Shape::string().join(&Shape::null());
    let is_range = kind.contains('*');
    if !(is_range || is_json(kind) || is_json_text(kind)) {
        return text;
    }
    let json = schema.map_or_else(Shape::any, |schema| described(schema, MessageKind::Response, reader));
    if is_range { json.join(&text) } else { json }
}

/// Returns `true` for the type that servers use for JSON besides those of requests.
fn is_json_text(kind: &str) -> bool {
    kind.split(';').next().unwrap_or(kind).trim().eq_ignore_ascii_case("text/json")
}

/// Returns the shape of the values that a schema describes.
fn described<'a>(schema: NodeRef<'a>, kind: MessageKind, reader: &mut Reader<'a>) -> Shape {
    let mut copy = CopiedSchema { reader, kind, names: BTreeMap::new(), targets: Vec::new() };
    let root = copy.copy(schema, MAX_DEPTH);
    let mut definitions = Vec::new();
    // Copying a target can add targets.
    while let Some(target) = copy.targets.get(definitions.len()).copied() {
        let copied = copy.copy(target, MAX_DEPTH);
        definitions.push((definitions.len().to_string(), copied));
    }
    let parts =
        vec![("allOf".to_owned(), Literal::Array(vec![root])), ("$defs".to_owned(), Literal::Object(definitions))];
    let copied = Schema::of_tree(Literal::Object(parts), schema.node.span);
    reader.names.extend(copied.member_names());
    copied.shape()
}

/// A copy of a schema with all that it refers to, as a JSON Schema.
struct CopiedSchema<'r, 'a> {
    reader: &'r mut Reader<'a>,
    kind: MessageKind,
    /// The indexes of the targets, by file and position.
    names: BTreeMap<(&'a str, u32, u32), usize>,
    targets: Vec<NodeRef<'a>>,
}

impl<'a> CopiedSchema<'_, 'a> {
    fn copy(&mut self, schema: NodeRef<'a>, depth: usize) -> Literal {
        let Some(entries) = schema.node.as_object().filter(|_| depth > 0 && self.reader.remaining_shapes > 0) else {
            // Another value is `true` or `false`, or not a schema.
            return Literal::Bool(schema.node.tree != Tree::Bool(false));
        };
        self.reader.remaining_shapes -= 1;
        if schema.get("$ref").is_some() {
            let Some(target) = self.reader.follow(schema) else { return Literal::Bool(true) };
            let span = target.node.span;
            let next = self.targets.len();
            let at = *self.names.entry((target.file, span.start, span.end)).or_insert(next);
            if at == next {
                self.targets.push(target);
            }
            let copied = Literal::Object(vec![("$ref".to_owned(), Literal::String(format!("#/$defs/{at}")))]);
            return or_null(schema, copied);
        }
        let mut members = Vec::new();
        for entry in entries {
            let (key, value) = (&*entry.key.value, NodeRef { node: &entry.value, ..schema });
            let copied = match key {
                "enum" if !is_consistent(schema, value.items()) => continue,
                "const" if !is_consistent(schema, std::iter::once(value)) => continue,
                _ if COPIED.contains(&key) => {
                    self.spend(value.items().count());
                    Literal::from(value.node)
                }
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
        or_null(schema, Literal::Object(members))
    }

    /// Counts what is copied besides schemas.
    fn spend(&mut self, count: usize) {
        self.reader.remaining_shapes = self.reader.remaining_shapes.saturating_sub(count);
    }

    /// Returns the required members, without those that messages of the kind do not have. Those
    /// that another schema describes are left out too, since it can except them.
    fn required(&mut self, schema: NodeRef<'a>, names: NodeRef<'a>) -> Literal {
        let properties = schema.get("properties").into_iter().flat_map(NodeRef::members);
        let properties: BTreeMap<&str, NodeRef<'a>> = properties.map(|(name, at)| (&*name.value, at)).collect();
        self.spend(names.items().count());
        let other = match self.kind {
            MessageKind::Request => "readOnly",
            MessageKind::Response => "writeOnly",
        };
        let mut sent = Vec::new();
        for name in names.items() {
            let Some(text) = name.node.as_text() else { continue };
            let Some(property) = properties.get(&*text.value) else { continue };
            let described = self.reader.follow(*property);
            if !property.flag(other) && described.is_some_and(|described| !excepts(described, other)) {
                sent.push(Literal::String(text.value.clone()));
            }
        }
        Literal::Array(sent)
    }
}

/// Returns a schema that also allows null if the document says so.
fn or_null(schema: NodeRef<'_>, copied: Literal) -> Literal {
    if !(schema.flag("nullable") || schema.flag("x-nullable")) {
        return copied;
    }
    let null = Literal::Object(vec![("type".to_owned(), Literal::String("null".to_owned()))]);
    Literal::Object(vec![("anyOf".to_owned(), Literal::Array(vec![copied, null]))])
}

/// Returns `true` if a property is not in all messages, or if a part of its schema may say so.
fn excepts(property: NodeRef<'_>, flag: &str) -> bool {
    property.flag(flag) || property.get("allOf").is_some()
}

/// Returns `true` if the constants of a schema are strings or numbers of its type. Documents in
/// YAML list words such as `yes` that are no strings, and then mean them to be strings.
fn is_consistent<'a>(schema: NodeRef<'_>, constants: impl Iterator<Item = NodeRef<'a>>) -> bool {
    let constants: Vec<NodeRef<'_>> = constants.collect();
    let is_typed = |known: &[&str]| match schema.get("type") {
        None => true,
        Some(one) => {
            let names = one.items().chain([one]).filter_map(|name| name.node.as_text());
            names.into_iter().any(|name| known.contains(&&*name.value))
        }
    };
    let all = |is: fn(&Tree) -> bool| constants.iter().all(|constant| is(&constant.node.tree));
    !constants.is_empty()
        && (is_typed(&["string"]) && all(|tree| matches!(tree, Tree::String(_)))
            || is_typed(&NUMBERS) && all(|tree| matches!(tree, Tree::Int(_) | Tree::Float(_))))
}
