//! Bodies: which kind of text they are, and which arguments they are made of.

use super::operation::{Source, Version};
use super::reader::{At, Reader, key_span};
use super::schema::{self, Property, Shape};
use super::{Expected, Schema, parameter};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::services::{E0904, E0905};
use crate::hir::operation::{Body, Media, Parameter, Parts, Place, Style};
use crate::source::Span;
use crate::syntax::shown;

/// The argument that is the whole body.
const BODY: &str = "body";
const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

/// A body, and what it is to be: the schema, and where that stands.
type Read = (Body, (Option<Schema>, Span));

/// The body of an operation, if it has one. The fields of a form are parameters.
pub(super) fn read<'a>(
    source: Source<'a>,
    parameters: &mut Vec<Parameter>,
    expected: &mut Vec<Expected>,
    reader: &mut Reader<'a>,
) -> Option<Read> {
    match source.version {
        Version::Two => two(source, parameters, reader),
        Version::Three => three(source, parameters, expected, reader),
    }
}

/// OpenAPI 2.0: a parameter in `body`, or parameters in `formData`.
fn two<'a>(source: Source<'a>, parameters: &[Parameter], reader: &mut Reader<'a>) -> Option<Read> {
    let kinds = source.operation.get("consumes").or_else(|| source.root.get("consumes"));
    let kinds: Vec<(&str, Span)> = kinds
        .into_iter()
        .flat_map(At::items)
        .filter_map(|kind| Some((kind.node.as_text()?.value.as_str(), kind.node.span)))
        .collect();
    let span = kinds.first().map_or(source.span, |(_, span)| *span);
    let mut body = None;
    for owner in [source.operation, source.item] {
        for at in owner.get("parameters").into_iter().flat_map(At::items) {
            let at = reader.follow(at)?;
            if at.text("in") == Some("body") && body.is_none() {
                body = Some(at);
            }
        }
    }
    if let Some(at) = body {
        let kind = if kinds.is_empty() { JSON } else { chosen(&kinds, span, reader)? };
        let name = at.text("name").unwrap_or(BODY);
        return made(
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
    // A form without files can be written either way.
    if !kinds.is_empty() && !kinds.iter().any(|(kind, _)| is_form(kind)) {
        chosen(&kinds, span, reader)?;
    }
    let whole =
        if parameters.iter().any(|parameter| parameter.argument == BODY) { Vec::new() } else { vec![BODY.to_owned()] };
    let required = fields.iter().any(|field| field.required);
    let body = Body { media: Media::Form, content_type: FORM.to_owned(), whole, members: false, required };
    Some((body, (None, source.span)))
}

/// OpenAPI 3: `requestBody`.
fn three<'a>(
    source: Source<'a>,
    parameters: &mut Vec<Parameter>,
    expected: &mut Vec<Expected>,
    reader: &mut Reader<'a>,
) -> Option<Read> {
    let written = source.operation.get("requestBody")?;
    let span = key_span(source.operation, "requestBody");
    let at = reader.follow(written)?;
    let required = at.flag("required");
    let content = at.get("content");
    let kinds: Vec<(&str, Span)> =
        content.into_iter().flat_map(At::members).map(|(kind, _)| (kind.value.as_str(), kind.span)).collect();
    if kinds.is_empty() {
        let message = "a body needs `content`";
        let help = "add `content`, with a member like `application/json`";
        reader.push(Diagnostic::new(&E0904, span, message).help(help));
        return None;
    }
    let kind = chosen(&kinds, span, reader)?;
    let media = content.and_then(|content| content.get(kind))?;
    let schema = media.get("schema");
    if is_form(kind) {
        return form(media, schema, required, span, parameters, expected, reader);
    }
    made(kind, schema, &[BODY], required, span, parameters, reader)
}

/// A body that is one value.
fn made<'a>(
    kind: &str,
    schema: Option<At<'a>>,
    names: &[&str],
    required: bool,
    span: Span,
    parameters: &[Parameter],
    reader: &mut Reader<'a>,
) -> Option<Read> {
    let is_json = is_json(kind);
    let shape = match schema {
        Some(schema) => schema::shape(schema, reader)?,
        None => Shape::anything(),
    };
    let members = is_json && shape.is_object;
    // A name that something else has is not the whole body.
    let is_free = |name: &&&str| {
        let is_parameter = parameters.iter().any(|parameter| parameter.argument == ***name);
        let is_member = members && shape.properties.iter().any(|property| property.name == ***name);
        !is_parameter && !is_member
    };
    let mut whole: Vec<String> = names.iter().filter(is_free).map(|name| (*name).to_owned()).collect();
    whole.dedup();
    let media = if is_json { Media::Json } else { Media::Text };
    // What any type of JSON will do for is JSON.
    let content_type = if kind.contains('*') && is_json { JSON } else { kind };
    let content_type = if kind.contains('*') && !is_json { "text/plain" } else { content_type };
    let body = Body { media, content_type: content_type.to_owned(), whole, members, required };
    Some((body, (schema.map(Schema::of), span)))
}

/// A form: the properties of its schema are the fields.
fn form<'a>(
    media: At<'a>,
    schema: Option<At<'a>>,
    required: bool,
    span: Span,
    parameters: &mut Vec<Parameter>,
    expected: &mut Vec<Expected>,
    reader: &mut Reader<'a>,
) -> Option<Read> {
    let shape = match schema {
        Some(schema) => schema::shape(schema, reader)?,
        None => Shape::anything(),
    };
    if !shape.is_object {
        let message = "the body is a form, and its schema is not an object";
        reader.push(Diagnostic::new(&E0904, span, message).help("let its `type` be `object`"));
        return None;
    }
    let mut fields = Vec::new();
    for property in &shape.properties {
        let encoding = media.get("encoding").and_then(|encoding| encoding.get(&property.name));
        let (style, explode, parts) = field(property, encoding, reader)?;
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
            parts,
        };
        let what = parameter::what(Place::Form);
        let schema = Some(Schema::of(property.at));
        fields.push((field, Expected { argument: name, what, required: is_needed, schema, span: property.span }));
    }
    let others = std::mem::take(parameters).into_iter().zip(std::mem::take(expected));
    let mut all: Vec<(Parameter, Expected)> = others.chain(fields).collect();
    parameter::name_arguments(&mut all);
    (*parameters, *expected) = all.into_iter().unzip();
    let whole =
        if parameters.iter().any(|parameter| parameter.argument == BODY) { Vec::new() } else { vec![BODY.to_owned()] };
    let body = Body { media: Media::Form, content_type: FORM.to_owned(), whole, members: shape.is_open, required };
    Some((body, (schema.map(Schema::of), span)))
}

/// How a field of a form is written, and what its value may be taken apart into.
///
/// By the Encoding Object, with `style`, `explode` or `allowReserved` a field is written as a query parameter is, and `contentType`
/// is ignored ("if a value is explicitly defined, then the value of `contentType` (implicit or explicit) SHALL be ignored", OpenAPI 3.1.0,
/// 4.8.15; 3.0.4, 4.8.15.1.2: the presence of one of the three is what tells). Without all of them it is written as its `contentType`
/// says, whose default is that of its type: `application/json` for objects, that of its items for an array, text for others. The
/// sentence of 3.0 that the default is the style `form` is read with these: it is the default of `style` where one of the others
/// is there.
fn field<'a>(
    property: &Property<'a>,
    encoding: Option<At<'a>>,
    reader: &mut Reader<'a>,
) -> Option<(Style, bool, Parts)> {
    let parts = schema::parts(property.at, reader)?;
    let styled = ["style", "explode", "allowReserved"];
    if let Some(encoding) = encoding.filter(|at| styled.iter().any(|key| at.get(key).is_some())) {
        let (style, explode) = parameter::style(encoding, Place::Form, reader)?;
        return Some((style, explode, parts));
    }
    let by_type = match parts {
        Parts::None | Parts::Items => (Style::Form, true, parts),
        // Where nothing but an object will do, it is JSON, and so is all that stands in its place.
        Parts::Members if schema::is_object(property.at, reader)? => (Style::Json, false, Parts::Any),
        Parts::Members | Parts::Any => (Style::Typed, false, parts),
    };
    let Some(written) = encoding.and_then(|encoding| encoding.get("contentType")) else { return Some(by_type) };
    let kinds = written.node.as_text().map(|text| text.value.as_str()).unwrap_or_default();
    let kinds = kinds.split(',').map(str::trim);
    let (is_text, is_json) = kinds.fold((false, false), |(text, json), kind| {
        let is_any = essence(kind) == "*/*";
        (text || is_any || is_text(kind) || essence(kind) == "application/octet-stream", json || self::is_json(kind))
    });
    match (is_text, is_json, parts) {
        (true, true, _) => Some(by_type),
        (false, true, _) => Some((Style::Json, false, Parts::Any)),
        // What is text has no members.
        (true, false, Parts::Any) => Some((Style::Form, true, Parts::Items)),
        (true, false, Parts::None | Parts::Items) => Some((Style::Form, true, parts)),
        _ => {
            let message = format!("the field `{}` cannot be written as its `contentType`", shown(&property.name));
            let help = "what can be sent is `application/json`, or `text/plain` for what is no object";
            reader.push(Diagnostic::new(&E0905, written.node.span, message).help(help));
            None
        }
    }
}

/// The kind that a body is sent as: JSON if that will do, then a form, then text.
fn chosen<'k>(kinds: &[(&'k str, Span)], span: Span, reader: &mut Reader<'_>) -> Option<&'k str> {
    let first = |will_do: fn(&str) -> bool| kinds.iter().map(|(kind, _)| *kind).find(|kind| will_do(kind));
    let is_plain_json = |kind: &str| essence(kind) == JSON;
    let found = first(is_plain_json).or_else(|| first(is_json)).or_else(|| first(is_form)).or_else(|| first(is_text));
    if found.is_none() {
        let names: Vec<String> = kinds.iter().map(|(kind, _)| format!("`{}`", shown(kind))).collect();
        let message = format!("the body can only be {}, which is not sent", names.join(" or "));
        let help = "name an operation that takes JSON, an urlencoded form or plain text";
        reader.push(Diagnostic::new(&E0905, span, message).help(help));
    }
    found
}

/// A media type without its parameters, in small letters.
fn essence(kind: &str) -> String {
    kind.split(';').next().unwrap_or(kind).trim().to_ascii_lowercase()
}

/// Whether JSON is of this media type.
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
