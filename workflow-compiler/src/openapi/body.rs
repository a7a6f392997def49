//! Request bodies: their media type and the arguments they consist of.

use super::documents::{ExpectedArgument, LocatedSchema};
use super::operation::{OpenApiVersion, OperationSource};
use super::parameter;
use super::reader::{NodeRef, Reader, key_span};
use super::schema::{self, ObjectShape, Property};
use crate::diagnostics::Diagnostic;
use crate::model::operation::{Body, Decomposition, Media, Parameter, Place, Style};
use crate::openapi::codes::{WF0904, WF0905};
use crate::source::Span;
use crate::syntax::shown;

/// The argument that holds the whole body.
const BODY: &str = "body";
const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

/// A body with its schema, if any, and the span of its description.
pub(super) type Read = (Body, (Option<LocatedSchema>, Span));

/// Reads the body of an operation, if it has one. The fields of a form become parameters.
pub(super) fn read<'a>(
    source: OperationSource<'a>,
    parameters: &mut Vec<Parameter>,
    expected: &mut Vec<ExpectedArgument>,
    reader: &mut Reader<'a>,
) -> Option<Read> {
    match source.version {
        OpenApiVersion::V2 => body_v2(source, parameters, reader),
        OpenApiVersion::V3 => body_v3(source, parameters, expected, reader),
    }
}

/// Reads a body of OpenAPI 2.0: a parameter in `body`, or parameters in `formData`.
fn body_v2<'a>(source: OperationSource<'a>, parameters: &[Parameter], reader: &mut Reader<'a>) -> Option<Read> {
    let kinds = source.operation.get("consumes").or_else(|| source.root.get("consumes"));
    let kinds: Vec<(&str, Span)> = kinds
        .into_iter()
        .flat_map(NodeRef::items)
        .filter_map(|kind| Some((kind.node.as_text()?.value.as_str(), kind.node.span)))
        .collect();
    let span = kinds.first().map_or(source.span, |(_, span)| *span);
    let mut body = None;
    for owner in [source.operation, source.item] {
        for at in owner.get("parameters").into_iter().flat_map(NodeRef::items) {
            let at = reader.follow(at)?;
            if at.text("in") == Some("body") && body.is_none() {
                body = Some(at);
            }
        }
    }
    if let Some(at) = body {
        let kind = if kinds.is_empty() { JSON } else { choose_media_type(&kinds, span, reader)? };
        let name = at.text("name").unwrap_or(BODY);
        return value_body(
            kind,
            at.get("schema"),
            &[BODY, name],
            at.flag("required"),
            key_span(at, "name"),
            parameters,
            reader,
        );
    }
    let fields: Vec<&Parameter> = parameters.iter().filter(|parameter| parameter.place == Place::Form).collect();
    if fields.is_empty() {
        return None;
    }
    // A form without files has the same fields in either form encoding.
    if !kinds.is_empty() && !kinds.iter().any(|(kind, _)| is_form(kind)) {
        choose_media_type(&kinds, span, reader)?;
    }
    let whole =
        if parameters.iter().any(|parameter| parameter.argument == BODY) { Vec::new() } else { vec![BODY.to_owned()] };
    let required = fields.iter().any(|field| field.required);
    let body = Body { media: Media::Form, content_type: FORM.to_owned(), whole, members: false, required };
    Some((body, (None, source.span)))
}

/// Reads a `requestBody` of OpenAPI 3.
fn body_v3<'a>(
    source: OperationSource<'a>,
    parameters: &mut Vec<Parameter>,
    expected: &mut Vec<ExpectedArgument>,
    reader: &mut Reader<'a>,
) -> Option<Read> {
    let written = source.operation.get("requestBody")?;
    let span = key_span(source.operation, "requestBody");
    let at = reader.follow(written)?;
    let required = at.flag("required");
    let content = at.get("content");
    let kinds: Vec<(&str, Span)> =
        content.into_iter().flat_map(NodeRef::members).map(|(kind, _)| (kind.value.as_str(), kind.span)).collect();
    if kinds.is_empty() {
        let message = "missing `content` in a request body";
        let help = "add `content`, with a member such as `application/json`";
        reader.push(Diagnostic::new(&WF0904, span, message).help(help));
        return None;
    }
    let kind = choose_media_type(&kinds, span, reader)?;
    let media = content.and_then(|content| content.get(kind))?;
    let schema = media.get("schema");
    if is_form(kind) {
        return form_body(media, schema, required, span, parameters, expected, reader);
    }
    value_body(kind, schema, &[BODY], required, span, parameters, reader)
}

/// Builds a body that is a single value.
fn value_body<'a>(
    kind: &str,
    schema: Option<NodeRef<'a>>,
    names: &[&str],
    required: bool,
    span: Span,
    parameters: &[Parameter],
    reader: &mut Reader<'a>,
) -> Option<Read> {
    let is_json = is_json(kind);
    let shape = match schema {
        Some(schema) => schema::shape(schema, reader)?,
        None => ObjectShape::anything(),
    };
    let members = is_json && shape.is_object;
    // A parameter or member of the same name takes precedence over the whole body.
    let is_free = |name: &&&str| {
        let is_parameter = parameters.iter().any(|parameter| parameter.argument == ***name);
        let is_member = members && shape.properties.iter().any(|property| property.name == ***name);
        !is_parameter && !is_member
    };
    let mut whole: Vec<String> = names.iter().filter(is_free).map(|name| (*name).to_owned()).collect();
    whole.dedup();
    let media = if is_json { Media::Json } else { Media::Text };
    // A media range that includes JSON is sent as JSON.
    let content_type = if kind.contains('*') && is_json { JSON } else { kind };
    let content_type = if kind.contains('*') && !is_json { "text/plain" } else { content_type };
    let body = Body { media, content_type: content_type.to_owned(), whole, members, required };
    Some((body, (schema.map(LocatedSchema::of), span)))
}

/// Builds a form, whose fields are the properties of its schema.
fn form_body<'a>(
    media: NodeRef<'a>,
    schema: Option<NodeRef<'a>>,
    required: bool,
    span: Span,
    parameters: &mut Vec<Parameter>,
    expected: &mut Vec<ExpectedArgument>,
    reader: &mut Reader<'a>,
) -> Option<Read> {
    let shape = match schema {
        Some(schema) => schema::shape(schema, reader)?,
        None => ObjectShape::anything(),
    };
    if !shape.is_object {
        let message = "the body is a form, but its schema is not an object";
        reader.push(Diagnostic::new(&WF0904, span, message).help("set its `type` to `object`"));
        return None;
    }
    let mut fields = Vec::new();
    for property in &shape.properties {
        let encoding = media.get("encoding").and_then(|encoding| encoding.get(&property.name));
        let (style, explode, decomposition) = field_encoding(property, encoding, reader)?;
        let name = property.name.clone();
        let is_needed = required && property.required;
        let field = Parameter {
            name: name.clone(),
            argument: name.clone(),
            place: Place::Form,
            style,
            explode,
            required: is_needed,
            reserved: encoding.is_some_and(|encoding| encoding.flag("allowReserved")),
            decomposition,
        };
        let what = parameter::term(Place::Form);
        let schema = Some(LocatedSchema::of(property.at));
        fields
            .push((field, ExpectedArgument { argument: name, what, required: is_needed, schema, span: property.span }));
    }
    let others = std::mem::take(parameters).into_iter().zip(std::mem::take(expected));
    let mut all: Vec<(Parameter, ExpectedArgument)> = others.chain(fields).collect();
    parameter::name_arguments(&mut all);
    (*parameters, *expected) = all.into_iter().unzip();
    let whole =
        if parameters.iter().any(|parameter| parameter.argument == BODY) { Vec::new() } else { vec![BODY.to_owned()] };
    let body = Body { media: Media::Form, content_type: FORM.to_owned(), whole, members: shape.is_open, required };
    Some((body, (schema.map(LocatedSchema::of), span)))
}

/// Returns the style and `explode` of a form field, and the decomposition of its value.
///
/// With `style`, `explode` or `allowReserved` in its Encoding Object, a field is serialized like a
/// query parameter and `contentType` is ignored: "if a value is explicitly defined, then the value
/// of `contentType` (implicit or explicit) SHALL be ignored" (section 4.8.15 of OpenAPI 3.1.0,
/// section 4.8.15.1.2 of OpenAPI 3.0.4). Otherwise `contentType` determines the serialization. Its
/// default depends on the type: `application/json` for an object, the default of the items for an
/// array, and text for other types. OpenAPI 3.0 also names the style `form` as the default; this
/// applies only if one of the three members is present.
fn field_encoding<'a>(
    property: &Property<'a>,
    encoding: Option<NodeRef<'a>>,
    reader: &mut Reader<'a>,
) -> Option<(Style, bool, Decomposition)> {
    let decomposition = schema::decomposition(property.at, reader)?;
    let styled = ["style", "explode", "allowReserved"];
    if let Some(encoding) = encoding.filter(|at| styled.iter().any(|key| at.get(key).is_some())) {
        let (style, explode) = parameter::style(encoding, Place::Form, reader)?;
        return Some((style, explode, decomposition));
    }
    let by_type = match decomposition {
        Decomposition::None | Decomposition::Items => (Style::Form, true, decomposition),
        // A value that is always an object is sent as JSON. A value of another type in its place
        // is then JSON as well.
        Decomposition::Members if schema::is_object(property.at, reader)? => (Style::Json, false, Decomposition::Any),
        Decomposition::Members | Decomposition::Any => (Style::Typed, false, decomposition),
    };
    let Some(written) = encoding.and_then(|encoding| encoding.get("contentType")) else { return Some(by_type) };
    let kinds = written.node.as_text().map(|text| text.value.as_str()).unwrap_or_default();
    let kinds = kinds.split(',').map(str::trim);
    let (is_text, is_json) = kinds.fold((false, false), |(text, json), kind| {
        let is_any = essence(kind) == "*/*";
        (text || is_any || is_text(kind) || essence(kind) == "application/octet-stream", json || self::is_json(kind))
    });
    match (is_text, is_json, decomposition) {
        (true, true, _) => Some(by_type),
        (false, true, _) => Some((Style::Json, false, Decomposition::Any)),
        // Text has no members.
        (true, false, Decomposition::Any) => Some((Style::Form, true, Decomposition::Items)),
        (true, false, Decomposition::None | Decomposition::Items) => Some((Style::Form, true, decomposition)),
        _ => {
            let message = format!("the field `{}` cannot be encoded as its `contentType`", shown(&property.name));
            let help = "use `application/json`, or `text/plain` for a value that is not an object";
            reader.push(Diagnostic::new(&WF0905, written.node.span, message).help(help));
            None
        }
    }
}

/// Chooses the media type to send: JSON if possible, then a form, then text.
fn choose_media_type<'k>(kinds: &[(&'k str, Span)], span: Span, reader: &mut Reader<'_>) -> Option<&'k str> {
    let first = |will_do: fn(&str) -> bool| kinds.iter().map(|(kind, _)| *kind).find(|kind| will_do(kind));
    let is_plain_json = |kind: &str| essence(kind) == JSON;
    let media_type =
        first(is_plain_json).or_else(|| first(is_json)).or_else(|| first(is_form)).or_else(|| first(is_text));
    if media_type.is_none() {
        let names: Vec<String> = kinds.iter().map(|(kind, _)| format!("`{}`", shown(kind))).collect();
        let message = format!("no supported media type of the body: found {}", names.join(", "));
        let help = "call an operation that takes JSON, a URL-encoded form or plain text";
        reader.push(Diagnostic::new(&WF0905, span, message).help(help));
    }
    media_type
}

/// Returns a media type in lower case and without parameters.
fn essence(kind: &str) -> String {
    kind.split(';').next().unwrap_or(kind).trim().to_ascii_lowercase()
}

/// Returns `true` if JSON satisfies this media type or range.
pub(super) fn is_json(kind: &str) -> bool {
    let kind = essence(kind);
    matches!(&*kind, JSON | "*/*" | "application/*") || (kind.starts_with("application/") && kind.ends_with("+json"))
}

fn is_form(kind: &str) -> bool {
    essence(kind) == FORM
}

fn is_text(kind: &str) -> bool {
    matches!(&*essence(kind), "text/plain" | "text/*")
}
