//! Lookup of operations in documents, and assembly of their requests.

use super::documents::ExpectedBody;
use super::reader::{NodeRef, Reader, key_span};
use super::{DescribedOperation, body, parameter, security, services, shapes};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::suggest::{did_you_mean, listed};
use crate::model::operation::{Piece, Place, Rest};
use crate::openapi::codes::{WF0901, WF0902, WF0904};
use crate::shapes::Shape;
use crate::source::{Span, Spanned};
use crate::syntax::{Text, Tree, shown};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// The members of a path item that are operations.
const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// Characters that a path cannot contain. A `%` is taken as the beginning of an encoded byte.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The supported versions of OpenAPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpenApiVersion {
    /// Version 2.0, called Swagger.
    V2,
    /// Versions 3.0 and 3.1.
    V3,
}

/// The parts of a document that describe an operation.
#[derive(Clone, Copy)]
pub(super) struct OperationSource<'a> {
    pub version: OpenApiVersion,
    pub root: NodeRef<'a>,
    /// The path item.
    pub item: NodeRef<'a>,
    /// The operation object.
    pub operation: NodeRef<'a>,
    /// The span of the operation's method.
    pub span: Span,
}

/// Reads the operation `id` of the document at `path`.
pub(super) fn read(
    reader: &mut Reader<'_>,
    path: &str,
    document: &Text,
    id: &Spanned<String>,
) -> Option<DescribedOperation> {
    let root = reader.root(path, document)?;
    let version = version(root, document, reader)?;
    let (template, method, source) = find(version, root, id, reader)?;
    let before = reader.diagnostics.len();
    let (mut parameters, mut expected) = parameter::read(source, reader);
    let body = body::read(source, &mut parameters, &mut expected, reader);
    let security = security::read(source, reader);
    let pieces = pieces(template, &parameters, source, reader);
    if reader.diagnostics.len() > before || !reader.missing_files.is_empty() {
        return None;
    }
    let mut shapes = shapes::of(source, (path, &id.value), &expected, body.as_ref(), reader);
    // Its response describes the body that another method has.
    if method == "head" {
        shapes.output = Shape::any();
    }
    let (body, schema) = body.unzip();
    let rest = Rest {
        service: services::short_name(path).to_owned(),
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
    if !reader.missing_files.is_empty() {
        return None;
    }
    Some(DescribedOperation { rest, shapes, expected, body })
}

/// Reads the version of a document.
fn version(root: NodeRef<'_>, document: &Text, reader: &mut Reader<'_>) -> Option<OpenApiVersion> {
    let of = |member: &str| {
        let node = &root.get(member)?.node;
        match &node.tree {
            Tree::String(text) => Some((text.value.clone(), node.span)),
            // A version without quotes is a number in YAML.
            Tree::Float(number) => Some((format!("{number:?}"), node.span)),
            Tree::Int(number) => Some((number.to_string(), node.span)),
            _ => None,
        }
    };
    let version =
        of("swagger").map(|found| ("swagger", found)).or_else(|| of("openapi").map(|found| ("openapi", found)));
    let Some((member, (version, span))) = version else {
        let message = format!("`{}` is not an OpenAPI document", shown(&document.value));
        let span = root.node.span.opening();
        let help = "start an OpenAPI document with `\"openapi\": \"3.1.0\"`, or `\"swagger\": \"2.0\"`";
        reader.push(
            Diagnostic::new(&WF0901, document.span, message)
                .related(span, "this document has neither `openapi` nor `swagger`")
                .help(help),
        );
        return None;
    };
    let is = |known: &str| version == known || version.strip_prefix(known).is_some_and(|rest| rest.starts_with('.'));
    match member {
        "swagger" if is("2.0") => Some(OpenApiVersion::V2),
        "openapi" if is("3.0") || is("3.1") => Some(OpenApiVersion::V3),
        _ => {
            let message = format!("OpenAPI version {} is not supported", shown(&version));
            reader.push(
                Diagnostic::new(&WF0901, span, message)
                    .related(document.span, "the document is named here")
                    .help("use version 2.0, 3.0 or 3.1"),
            );
            None
        }
    }
}

/// Finds the path, the method and the source of an operation.
fn find<'a>(
    version: OpenApiVersion,
    root: NodeRef<'a>,
    id: &Spanned<String>,
    reader: &mut Reader<'a>,
) -> Option<(&'a Text, &'static str, OperationSource<'a>)> {
    let mut names = Vec::new();
    let mut meant = Vec::new();
    let before = reader.diagnostics.len();
    let paths = root.get("paths").into_iter().flat_map(NodeRef::members);
    for (template, item) in paths.filter(|(template, _)| template.value.starts_with('/')) {
        let Some(item) = reader.follow(item) else { continue };
        for method in METHODS {
            let Some(operation) = item.get(method) else { continue };
            let Some(name) = operation.get("operationId").and_then(|name| name.node.as_text()) else { continue };
            names.push(name.value.as_str());
            if name.value == id.value {
                let source = OperationSource { version, root, item, operation, span: key_span(item, method) };
                meant.push((template, method, source, name.span));
            }
        }
    }
    if let [(first, method, source, span), others @ ..] = &meant[..] {
        // Errors in other path items do not matter.
        reader.diagnostics.truncate(before);
        let Some((_, _, _, other)) = others.first() else { return Some((first, method, *source)) };
        let message = format!("duplicate `operationId` `{}` in the document", shown(&id.value));
        reader.push(
            Diagnostic::new(&WF0902, id.span, message)
                .related(*span, "first defined here")
                .related(*other, "defined again here")
                .help("give one of them another `operationId`"),
        );
        return None;
    }
    if reader.diagnostics.len() > before {
        return None;
    }
    let help = did_you_mean(&id.value, names.iter().copied()).unwrap_or_else(|| {
        if names.is_empty() {
            return "add an `operationId` to the operation in the document".to_owned();
        }
        format!("the operations of the document are {}", listed(names.iter().copied()))
    });
    let message = format!("unknown operation `{}` in the document", shown(&id.value));
    reader.push(Diagnostic::new(&WF0902, id.span, message).label("not found").help(help));
    None
}

/// Splits a path template at its parameters.
fn pieces(
    template: &Text,
    parameters: &[crate::model::operation::Parameter],
    source: OperationSource<'_>,
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
            let message = "unclosed parameter in the path";
            reader.push(Diagnostic::new(&WF0904, span, message).help("write `}` after its name"));
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
                let message = format!("undescribed path parameter `{}`", shown(name));
                reader.push(Diagnostic::new(&WF0904, span, message).related(source.span, "in this operation").help(
                    format!(
                        "add `{{ \"name\": \"{name}\", \"in\": \"path\", … }}` to the `parameters` of the operation"
                    ),
                ));
            }
        }
        rest = &rest[end + 2..];
    }
    let path = parameters.iter().zip(used).filter(|(parameter, used)| parameter.place == Place::Path && !used);
    for (parameter, _) in path {
        let message = format!("the path parameter `{}` does not occur in the path", shown(&parameter.name));
        reader.push(
            Diagnostic::new(&WF0904, template.span, message)
                .related(source.span, "described for this operation")
                .help(format!("add `{{{}}}` to the path, or remove the parameter", parameter.name)),
        );
    }
    pieces
}

/// Percent-encodes the characters that a path cannot contain.
fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// Returns the server URL of a document.
fn server(source: OperationSource<'_>) -> Option<String> {
    if source.version == OpenApiVersion::V2 {
        let host = source.root.text("host")?;
        let scheme = source.root.get("schemes").and_then(|schemes| schemes.items().next()?.node.as_text());
        let scheme = scheme.map_or("https", |scheme| &scheme.value);
        let base = source.root.text("basePath").unwrap_or_default();
        return Some(format!("{scheme}://{host}{}", base.trim_end_matches('/')));
    }
    let of = |at: NodeRef<'_>| {
        let server = at.get("servers")?.items().next()?;
        let mut url = server.text("url")?.to_owned();
        for (name, variable) in server.get("variables").into_iter().flat_map(NodeRef::members) {
            url = url.replace(&format!("{{{}}}", name.value), variable.text("default").unwrap_or_default());
        }
        Some(url)
    };
    of(source.operation).or_else(|| of(source.item)).or_else(|| of(source.root))
}
