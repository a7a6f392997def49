//! Parameters and their serialization.

use super::documents::{ExpectedArgument, LocatedSchema};
use super::operation::{OpenApiVersion, OperationSource};
use super::reader::{NodeRef, Reader, key_span};
use super::schema;
use crate::diagnostics::Diagnostics;
use crate::diagnostics::{Diagnostic, codes::fields::WF0401};
use crate::model::operation::{Decomposition, Parameter, Place, Style};
use crate::openapi::codes::{WF0904, WF0905};
use crate::syntax::shown;
use crate::syntax::wrong_type;

/// Headers that arguments cannot set, because the connector derives them from the body, the
/// credentials or the connection.
const OWN_HEADERS: [&str; 12] = [
    "accept",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "cookie",
    "host",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The header for the idempotency key of a call. The connector also sends it without an argument.
const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Reads the parameters of an operation, except the body, and the expectations of their arguments.
pub(super) fn read<'a>(
    source: OperationSource<'a>,
    reader: &mut Reader<'a>,
) -> (Vec<Parameter>, Vec<ExpectedArgument>) {
    let mut all: Vec<(Parameter, ExpectedArgument)> = Vec::new();
    for owner in [source.item, source.operation] {
        for at in owner.get("parameters").into_iter().flat_map(NodeRef::items) {
            let Some(at) = reader.follow(at) else { continue };
            let Some((parameter, expected)) = parameter(at, source.version, reader) else { continue };
            // A parameter of the operation overrides the same parameter of its path item.
            let is_same = |(other, _): &(Parameter, ExpectedArgument)| {
                other.place == parameter.place && other.name == parameter.name
            };
            match all.iter_mut().find(|other| is_same(other)) {
                Some(known) => *known = (parameter, expected),
                None => all.push((parameter, expected)),
            }
        }
    }
    name_arguments(&mut all);
    all.into_iter().unzip()
}

/// Names the arguments. Parameters that share a name are qualified by their location: `path.id`
/// and `query.id`.
pub(super) fn name_arguments(all: &mut [(Parameter, ExpectedArgument)]) {
    let names: Vec<String> = all.iter().map(|(parameter, _)| parameter.name.clone()).collect();
    for (parameter, expected) in all {
        if names.iter().filter(|name| **name == parameter.name).count() > 1 {
            parameter.argument = format!("{}.{}", location_name(parameter.place), parameter.name);
        }
        expected.argument.clone_from(&parameter.argument);
    }
}

fn location_name(place: Place) -> &'static str {
    match place {
        Place::Path => "path",
        Place::Query => "query",
        Place::Header => "header",
        Place::Cookie => "cookie",
        Place::Form => "form",
    }
}

/// Returns the term for a parameter in messages.
pub(super) fn term(place: Place) -> &'static str {
    match place {
        Place::Path => "path parameter",
        Place::Query => "query parameter",
        Place::Header => "header",
        Place::Cookie => "cookie",
        Place::Form => "form field",
    }
}

/// Reads one parameter. Returns `None` if no argument can set it, and after reporting an error.
fn parameter<'a>(
    at: NodeRef<'a>,
    version: OpenApiVersion,
    reader: &mut Reader<'a>,
) -> Option<(Parameter, ExpectedArgument)> {
    let name = text(at, "name", reader)?;
    let place = text(at, "in", reader)?;
    let place = match (place, version) {
        ("path", _) => Place::Path,
        ("query", _) => Place::Query,
        ("header", _) if OWN_HEADERS.iter().any(|own| own.eq_ignore_ascii_case(name)) => return None,
        ("header", _) => Place::Header,
        ("cookie", OpenApiVersion::V3) => Place::Cookie,
        ("formData", OpenApiVersion::V2) => Place::Form,
        ("body", OpenApiVersion::V2) => return None,
        (other, _) => {
            let message = format!("invalid location `{}` of a parameter", shown(other));
            let span = at.get("in").map_or(at.node.span, |node| node.node.span);
            let help = match version {
                OpenApiVersion::V2 => "use `path`, `query`, `header`, `formData` or `body`",
                OpenApiVersion::V3 => "use `path`, `query`, `header` or `cookie`",
            };
            reader.push(Diagnostic::new(&WF0904, span, message).help(help));
            return None;
        }
    };
    let mut parameter = Parameter {
        name: name.to_owned(),
        argument: name.to_owned(),
        place,
        style: Style::Simple,
        explode: false,
        required: at.flag("required") || place == Place::Path,
        reserved: at.flag("allowReserved") && place == Place::Query,
        decomposition: Decomposition::Any,
    };
    if place == Place::Header && name.eq_ignore_ascii_case(IDEMPOTENCY_KEY) {
        parameter.required = false;
    }
    let schema = match version {
        OpenApiVersion::V2 => {
            (parameter.style, parameter.explode) = collection_format(at, place, reader)?;
            if at.text("type") == Some("file") {
                let span = at.get("type").map_or(at.node.span, |node| node.node.span);
                let message = format!("files in forms are not supported: `{}`", shown(name));
                let help = "call an operation that takes JSON, or a form without files";
                reader.push(Diagnostic::new(&WF0905, span, message).help(help));
                return None;
            }
            Some(at)
        }
        OpenApiVersion::V3 if at.get("content").is_some() => {
            let mut kinds = at.get("content").into_iter().flat_map(NodeRef::members);
            let (kind, media) = kinds.next()?;
            if !super::body::is_json(&kind.value) {
                let message = format!("unsupported media type `{}` of a parameter", shown(&kind.value));
                reader.push(Diagnostic::new(&WF0905, kind.span, message).help("use `application/json`"));
                return None;
            }
            parameter.style = Style::Json;
            media.get("schema")
        }
        OpenApiVersion::V3 => {
            (parameter.style, parameter.explode) = style(at, place, reader)?;
            at.get("schema")
        }
    };
    // A JSON value is serialized as a whole.
    if let Some(schema) = schema.filter(|_| parameter.style != Style::Json) {
        parameter.decomposition = schema::decomposition(schema, reader)?;
    }
    let expected = ExpectedArgument {
        argument: parameter.argument.clone(),
        what: term(place),
        required: parameter.required,
        schema: schema.map(LocatedSchema::of),
        span: key_span(at, "name"),
    };
    Some((parameter, expected))
}

/// Reads a required string member.
fn text<'a>(at: NodeRef<'a>, name: &'static str, reader: &mut Reader<'_>) -> Option<&'a str> {
    let Some(node) = at.node.get(name) else {
        let message = format!("missing `{name}` in a parameter");
        let help = format!("add `{name}`");
        reader.push(Diagnostic::new(&WF0401, at.node.span.opening(), message).help(help));
        return None;
    };
    let text = node.as_text().map(|text| text.value.as_str());
    if text.is_none() {
        let mut diagnostics = Diagnostics::default();
        wrong_type(node, name, "a string", &mut diagnostics);
        reader.diagnostics.extend(diagnostics.finish());
    }
    text
}

/// Reads `style` and `explode` (section 4.8.12 of OpenAPI 3.1.0) of a parameter or form field.
pub(super) fn style(at: NodeRef<'_>, place: Place, reader: &mut Reader<'_>) -> Option<(Style, bool)> {
    let is_form = matches!(place, Place::Query | Place::Cookie | Place::Form);
    let written = at.text("style");
    let style = match (written, place) {
        (None, _) if is_form => Style::Form,
        (None, _) => Style::Simple,
        (Some("simple"), Place::Path | Place::Header) => Style::Simple,
        (Some("label"), Place::Path) => Style::Label,
        (Some("matrix"), Place::Path) => Style::Matrix,
        (Some("form"), _) if is_form => Style::Form,
        (Some("spaceDelimited"), Place::Query | Place::Form) => Style::Spaces,
        (Some("pipeDelimited"), Place::Query | Place::Form) => Style::Pipes,
        (Some("deepObject"), Place::Query | Place::Form) => Style::Deep,
        (Some(other), _) => {
            let message = format!("invalid style `{1}` of a {0}", term(place), shown(other));
            let span = at.get("style").map_or(at.node.span, |node| node.node.span);
            let help = match place {
                Place::Path => "its styles are `simple`, `label` and `matrix`",
                Place::Header => "its style is `simple`",
                Place::Cookie => "its style is `form`",
                Place::Query | Place::Form => {
                    "its styles are `form`, `spaceDelimited`, `pipeDelimited` and `deepObject`"
                }
            };
            reader.push(Diagnostic::new(&WF0904, span, message).help(help));
            return None;
        }
    };
    let explode = at.get("explode").map_or(style == Style::Form, |_| at.flag("explode"));
    Some((style, explode || style == Style::Deep))
}

/// Reads `collectionFormat` (OpenAPI 2.0).
fn collection_format(at: NodeRef<'_>, place: Place, reader: &mut Reader<'_>) -> Option<(Style, bool)> {
    let has_name = matches!(place, Place::Query | Place::Form);
    let commas = if has_name { Style::Form } else { Style::Simple };
    Some(match at.text("collectionFormat").unwrap_or("csv") {
        "csv" => (commas, false),
        "ssv" => (Style::Spaces, false),
        "tsv" => (Style::Tabs, false),
        "pipes" => (Style::Pipes, false),
        "multi" if has_name => (Style::Form, true),
        other => {
            let message = format!("invalid collection format `{1}` of a {0}", term(place), shown(other));
            let span = at.get("collectionFormat").map_or(at.node.span, |node| node.node.span);
            let help = if has_name {
                "use `csv`, `ssv`, `tsv`, `pipes` or `multi`"
            } else {
                "use `csv`, `ssv`, `tsv` or `pipes`"
            };
            reader.push(Diagnostic::new(&WF0904, span, message).help(help));
            return None;
        }
    })
}
