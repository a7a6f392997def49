//! Finds an operation in a document, and puts together what is sent.

use super::reader::{At, Reader, key_span};
use super::{Described, ExpectedBody, body, parameter, security};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::services::{E0901, E0902, E0904};
use crate::diagnostics::suggest::did_you_mean;
use crate::hir::operation::{Piece, Place, Rest};
use crate::source::{Span, Spanned};
use crate::syntax::{Text, Tree, shown};
use std::sync::Arc;

/// Methods that operations can be of.
const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
/// Of operations that are not meant so many are told at the most.
const TOLD: usize = 8;

/// The versions that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// 2.0, called Swagger.
    Two,
    /// 3.0 and 3.1.
    Three,
}

/// What an operation is read from.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub version: Version,
    pub root: At<'a>,
    /// What is said of the path.
    pub item: At<'a>,
    /// What is said of the operation.
    pub operation: At<'a>,
    /// The place of its method.
    pub span: Span,
}

/// The operation `id` of the document at `path`.
pub(super) fn read(reader: &mut Reader<'_>, path: &str, document: &Text, id: &Spanned<String>) -> Option<Described> {
    let root = reader.root(path, document)?;
    let version = version(root, document, reader)?;
    let (template, method, source) = find(version, root, id, reader)?;
    let before = reader.found.len();
    let (mut parameters, mut expected) = parameter::read(source, reader);
    let body = body::read(source, &mut parameters, &mut expected, reader);
    let security = security::read(source, reader);
    let pieces = pieces(template, &parameters, source, reader);
    if reader.found.len() > before || !reader.wanted.is_empty() {
        return None;
    }
    let (body, schema) = body.unzip();
    let rest = Rest {
        service: super::short_name(path).to_owned(),
        document: path.to_owned(),
        id: id.value.clone(),
        method: method.to_ascii_uppercase(),
        path: pieces,
        parameters,
        body,
        server: server(source),
        security,
    };
    let body = schema.map(|(schema, span)| ExpectedBody { schema, span });
    Some(Described { rest: Arc::new(rest), expected, body })
}

/// The version of a document.
fn version(root: At<'_>, document: &Text, reader: &mut Reader<'_>) -> Option<Version> {
    let of = |member: &str| {
        let node = &root.get(member)?.node;
        match &node.tree {
            Tree::String(text) => Some((text.value.clone(), node.span)),
            // YAML without quotes.
            Tree::Float(number) => Some((format!("{number:?}"), node.span)),
            Tree::Int(number) => Some((number.to_string(), node.span)),
            _ => None,
        }
    };
    let found = of("swagger").map(|found| ("swagger", found)).or_else(|| of("openapi").map(|found| ("openapi", found)));
    let Some((member, (version, span))) = found else {
        let message = format!("`{}` is not an OpenAPI document", shown(&document.value));
        let span = crate::dialects::fields::opening(root.node.span);
        let help = "an OpenAPI document begins with `\"openapi\": \"3.1.0\"`, or `\"swagger\": \"2.0\"`";
        reader.push(
            Diagnostic::new(&E0901, document.span, message)
                .related(span, "it has neither `openapi` nor `swagger`")
                .help(help),
        );
        return None;
    };
    let is = |known: &str| version == known || version.strip_prefix(known).is_some_and(|rest| rest.starts_with('.'));
    match member {
        "swagger" if is("2.0") => Some(Version::Two),
        "openapi" if is("3.0") || is("3.1") => Some(Version::Three),
        _ => {
            let message = format!("version {} of OpenAPI is not read", shown(&version));
            reader.push(
                Diagnostic::new(&E0901, span, message)
                    .related(document.span, "the document is named here")
                    .help("the versions 2.0, 3.0 and 3.1 are"),
            );
            None
        }
    }
}

/// The path, the method and the place of an operation.
fn find<'a>(
    version: Version,
    root: At<'a>,
    id: &Spanned<String>,
    reader: &mut Reader<'a>,
) -> Option<(&'a Text, &'static str, Source<'a>)> {
    let mut known = Vec::new();
    let mut meant = Vec::new();
    let before = reader.found.len();
    let paths = root.get("paths").into_iter().flat_map(At::members);
    for (template, item) in paths.filter(|(template, _)| template.value.starts_with('/')) {
        let Some(item) = reader.follow(item) else { continue };
        for method in METHODS {
            let Some(operation) = item.get(method) else { continue };
            let Some(name) = operation.get("operationId").and_then(|name| name.node.as_text()) else { continue };
            known.push(name.value.as_str());
            if name.value == id.value {
                let source = Source { version, root, item, operation, span: key_span(item, method) };
                meant.push((template, method, source, name.span));
            }
        }
    }
    if let [(first, method, source, span), others @ ..] = &meant[..] {
        // What could not be read on the way is nothing that is needed.
        reader.found.truncate(before);
        let Some((_, _, _, other)) = others.first() else { return Some((first, method, *source)) };
        let message = format!("two operations of the document are called `{}`", shown(&id.value));
        reader.push(
            Diagnostic::new(&E0902, id.span, message)
                .related(*span, "one is here")
                .related(*other, "another one is here")
                .help("give one of them another `operationId`"),
        );
        return None;
    }
    if reader.found.len() > before {
        return None;
    }
    let help = did_you_mean(&id.value, known.iter().copied()).unwrap_or_else(|| {
        if known.is_empty() {
            return "give the operation that is meant an `operationId` in the document".to_owned();
        }
        let told: Vec<String> = known.iter().take(TOLD).map(|name| format!("`{}`", shown(name))).collect();
        let more = if known.len() > TOLD { ", …" } else { "" };
        format!("its operations are {}{more}", told.join(", "))
    });
    let message = format!("the document has no operation `{}`", shown(&id.value));
    reader.push(Diagnostic::new(&E0902, id.span, message).label("no such `operationId`").help(help));
    None
}

/// The path, taken apart at its parameters.
fn pieces(
    template: &Text,
    parameters: &[crate::hir::operation::Parameter],
    source: Source<'_>,
    reader: &mut Reader<'_>,
) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut used = vec![false; parameters.len()];
    let mut rest = template.value.as_str();
    while !rest.is_empty() {
        let offset = template.value.len() - rest.len();
        let Some(name) = rest.strip_prefix('{') else {
            let end = rest.find('{').unwrap_or(rest.len());
            pieces.push(Piece::Text(encoded(&rest[..end])));
            rest = &rest[end..];
            continue;
        };
        let Some(end) = name.find('}') else {
            let span = template.span_of(offset, template.value.len());
            let message = "a parameter in this path is not closed";
            reader.push(Diagnostic::new(&E0904, span, message).help("write `}` after its name"));
            return pieces;
        };
        let name = &name[..end];
        match parameters.iter().position(|parameter| parameter.place == Place::Path && parameter.name == name) {
            Some(at) => {
                used[at] = true;
                pieces.push(Piece::Parameter(at));
            }
            None => {
                let span = template.span_of(offset, offset + end + 2);
                let message = format!("the path has a parameter `{}` that is not described", shown(name));
                reader.push(
                    Diagnostic::new(&E0904, span, message)
                        .related(source.span, "the operation is here")
                        .help(format!("add `{{ \"name\": \"{name}\", \"in\": \"path\", … }}` to its `parameters`")),
                );
            }
        }
        rest = &rest[end + 2..];
    }
    let path = parameters.iter().zip(used).filter(|(parameter, used)| parameter.place == Place::Path && !used);
    for (parameter, _) in path {
        let message = format!("the path has no place for its parameter `{}`", shown(&parameter.name));
        reader.push(
            Diagnostic::new(&E0904, template.span, message)
                .related(source.span, "it is one of this operation")
                .help(format!("put `{{{}}}` into the path, or remove the parameter", parameter.name)),
        );
    }
    pieces
}

/// A part of a path with all characters encoded that cannot stand there.
fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'%' => encoded.push(byte.into()),
            _ if b"-._~!$&'()*+,;=:@/".contains(&byte) => encoded.push(byte.into()),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// The address that a document gives for the service.
fn server(source: Source<'_>) -> Option<String> {
    if source.version == Version::Two {
        let host = source.root.text("host")?;
        let scheme = source.root.get("schemes").and_then(|schemes| schemes.items().next()?.node.as_text());
        let scheme = scheme.map_or("https", |scheme| &scheme.value);
        let base = source.root.text("basePath").unwrap_or_default();
        return Some(format!("{scheme}://{host}{}", base.trim_end_matches('/')));
    }
    let of = |at: At<'_>| {
        let server = at.get("servers")?.items().next()?;
        let mut url = server.text("url")?.to_owned();
        for (name, variable) in server.get("variables").into_iter().flat_map(At::members) {
            url = url.replace(&format!("{{{}}}", name.value), variable.text("default").unwrap_or_default());
        }
        Some(url)
    };
    of(source.operation).or_else(|| of(source.item)).or_else(|| of(source.root))
}
