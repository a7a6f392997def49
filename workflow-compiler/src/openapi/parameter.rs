//! Parameters, and how their values become text.

use super::operation::{Source, Version};
use super::reader::{At, Reader, key_span};
use super::{Expected, Schema, schema};
use crate::diagnostics::Diagnostics;
use crate::diagnostics::codes::services::{E0904, E0905};
use crate::diagnostics::{Diagnostic, codes::fields::E0401};
use crate::dialects::fields::{opening, wrong_type};
use crate::hir::operation::{Parameter, Parts, Place, Style};
use crate::syntax::shown;

/// Headers that are made of other things than arguments: the body, the credentials, the connection.
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

/// The header that names a call, which is sent also where no argument is given for it.
const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// The parameters of an operation but its body, and what is expected of their arguments.
pub(super) fn read<'a>(source: Source<'a>, reader: &mut Reader<'a>) -> (Vec<Parameter>, Vec<Expected>) {
    let mut all: Vec<(Parameter, Expected)> = Vec::new();
    for owner in [source.item, source.operation] {
        for at in owner.get("parameters").into_iter().flat_map(At::items) {
            let Some(at) = reader.follow(at) else { continue };
            let Some((parameter, expected)) = parameter(at, source.version, reader) else { continue };
            // What is said of the operation goes before what is said of its path.
            let is_same =
                |(other, _): &(Parameter, Expected)| other.place == parameter.place && other.name == parameter.name;
            match all.iter_mut().find(|other| is_same(other)) {
                Some(known) => *known = (parameter, expected),
                None => all.push((parameter, expected)),
            }
        }
    }
    name_arguments(&mut all);
    all.into_iter().unzip()
}

/// Two parameters of one name are told apart by their places: `path.id` and `query.id`.
pub(super) fn name_arguments(all: &mut [(Parameter, Expected)]) {
    let names: Vec<String> = all.iter().map(|(parameter, _)| parameter.name.clone()).collect();
    for (parameter, expected) in all {
        if names.iter().filter(|name| **name == parameter.name).count() > 1 {
            parameter.argument = format!("{}.{}", word(parameter.place), parameter.name);
        }
        expected.argument.clone_from(&parameter.argument);
    }
}

fn word(place: Place) -> &'static str {
    match place {
        Place::Path => "path",
        Place::Query => "query",
        Place::Header => "header",
        Place::Cookie => "cookie",
        Place::Form => "form",
    }
}

/// What a parameter is called in messages.
pub(super) fn what(place: Place) -> &'static str {
    match place {
        Place::Path => "path parameter",
        Place::Query => "query parameter",
        Place::Header => "header",
        Place::Cookie => "cookie",
        Place::Form => "form field",
    }
}

/// One parameter. `None` where it is no argument, and where it is wrong, which has been reported.
fn parameter<'a>(at: At<'a>, version: Version, reader: &mut Reader<'a>) -> Option<(Parameter, Expected)> {
    let name = text(at, "name", reader)?;
    let place = text(at, "in", reader)?;
    let place = match (place, version) {
        ("path", _) => Place::Path,
        ("query", _) => Place::Query,
        ("header", _) if OWN_HEADERS.iter().any(|own| own.eq_ignore_ascii_case(name)) => return None,
        ("header", _) => Place::Header,
        ("cookie", Version::Three) => Place::Cookie,
        ("formData", Version::Two) => Place::Form,
        ("body", Version::Two) => return None,
        (other, _) => {
            let message = format!("a parameter cannot be in `{}`", shown(other));
            let span = at.get("in").map_or(at.node.span, |node| node.node.span);
            let help = match version {
                Version::Two => "it is in `path`, `query`, `header`, `formData` or `body`",
                Version::Three => "it is in `path`, `query`, `header` or `cookie`",
            };
            reader.push(Diagnostic::new(&E0904, span, message).help(help));
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
        parts: Parts::Any,
    };
    if place == Place::Header && name.eq_ignore_ascii_case(IDEMPOTENCY_KEY) {
        parameter.required = false;
    }
    let schema = match version {
        Version::Two => {
            (parameter.style, parameter.explode) = collection_format(at, place, reader)?;
            if at.text("type") == Some("file") {
                let span = at.get("type").map_or(at.node.span, |node| node.node.span);
                let message = format!("`{}` is a file, and forms with files are not sent", shown(name));
                let help = "name an operation that takes its data as JSON, or as a form without files";
                reader.push(Diagnostic::new(&E0905, span, message).help(help));
                return None;
            }
            Some(at)
        }
        Version::Three if at.get("content").is_some() => {
            let mut kinds = at.get("content").into_iter().flat_map(At::members);
            let (kind, media) = kinds.next()?;
            if !super::body::is_json(&kind.value) {
                let message = format!("a parameter cannot be written as `{}`", shown(&kind.value));
                reader.push(Diagnostic::new(&E0905, kind.span, message).help("`application/json` can be"));
                return None;
            }
            parameter.style = Style::Json;
            media.get("schema")
        }
        Version::Three => {
            (parameter.style, parameter.explode) = style(at, place, reader)?;
            at.get("schema")
        }
    };
    // What is JSON is not taken apart.
    if let Some(schema) = schema.filter(|_| parameter.style != Style::Json) {
        parameter.parts = schema::parts(schema, reader)?;
    }
    let expected = Expected {
        argument: parameter.argument.clone(),
        what: what(place),
        required: parameter.required,
        schema: schema.map(Schema::of),
        span: key_span(at, "name"),
    };
    Some((parameter, expected))
}

/// A member that must be a text.
fn text<'a>(at: At<'a>, name: &'static str, reader: &mut Reader<'_>) -> Option<&'a str> {
    let Some(node) = at.node.get(name) else {
        let message = format!("a parameter needs `{name}`");
        let help = format!("add `{name}`");
        reader.push(Diagnostic::new(&E0401, opening(at.node.span), message).help(help));
        return None;
    };
    let text = node.as_text().map(|text| text.value.as_str());
    if text.is_none() {
        let mut found = Diagnostics::default();
        wrong_type(node, name, "a string", &mut found);
        reader.found.extend(found.finish());
    }
    text
}

/// `style` and `explode` (OpenAPI 3.1, 4.8.12), of parameters and of fields of forms.
pub(super) fn style(at: At<'_>, place: Place, reader: &mut Reader<'_>) -> Option<(Style, bool)> {
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
            let message = format!("a {} has no style `{}`", what(place), shown(other));
            let span = at.get("style").map_or(at.node.span, |node| node.node.span);
            let help = match place {
                Place::Path => "its styles are `simple`, `label` and `matrix`",
                Place::Header => "its style is `simple`",
                Place::Cookie => "its style is `form`",
                Place::Query | Place::Form => {
                    "its styles are `form`, `spaceDelimited`, `pipeDelimited` and `deepObject`"
                }
            };
            reader.push(Diagnostic::new(&E0904, span, message).help(help));
            return None;
        }
    };
    let explode = at.get("explode").map_or(style == Style::Form, |_| at.flag("explode"));
    Some((style, explode || style == Style::Deep))
}

/// `collectionFormat` (OpenAPI 2.0).
fn collection_format(at: At<'_>, place: Place, reader: &mut Reader<'_>) -> Option<(Style, bool)> {
    let has_name = matches!(place, Place::Query | Place::Form);
    let commas = if has_name { Style::Form } else { Style::Simple };
    Some(match at.text("collectionFormat").unwrap_or("csv") {
        "csv" => (commas, false),
        "ssv" => (Style::Spaces, false),
        "tsv" => (Style::Tabs, false),
        "pipes" => (Style::Pipes, false),
        "multi" if has_name => (Style::Form, true),
        other => {
            let message = format!("a {} has no collection format `{}`", what(place), shown(other));
            let span = at.get("collectionFormat").map_or(at.node.span, |node| node.node.span);
            let help = if has_name {
                "it is `csv`, `ssv`, `tsv`, `pipes` or `multi`"
            } else {
                "it is `csv`, `ssv`, `tsv` or `pipes`"
            };
            reader.push(Diagnostic::new(&E0904, span, message).help(help));
            return None;
        }
    })
}
