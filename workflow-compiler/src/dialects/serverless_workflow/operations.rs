//! Operations of services that functions name, by their types ("Function Definition"): `rest`,
//! `openapi` and `grpc`. A function of any other type is a task of the program.

use super::ast::{Action, Definition, Flow, FunctionDefinition, StateKind, Template};
use crate::diagnostics::codes::fields::WF0423;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::files::Inputs;
use crate::model::operation::{Body, Decomposition, Media, Parameter, Piece, Place, Rest};
use crate::model::{Operation, ServiceFunction, TaskShapes};
use crate::openapi::codes::WF0906;
use crate::openapi::{self, ArgumentValue, CallArgument, DescribedOperation, Documents};
use crate::rpc;
use crate::source::Spanned;
use crate::syntax::{Node, Text, shown};
use std::collections::BTreeSet;

/// Service operation of a function.
enum Service {
    /// Operation that an OpenAPI document describes.
    Described(Box<DescribedOperation>),
    /// Request whose URL is in the definition.
    Rest(Rest),
    /// Method called by gRPC.
    Rpc(rpc::RpcMethod),
}

/// Returns the service operation of each function, or `None` for a function of the program and
/// after reporting an error.
pub fn read(
    definition: &Definition,
    inputs: &mut Inputs,
    diagnostics: &mut Diagnostics,
) -> Vec<Option<ServiceFunction>> {
    let mut actions = Vec::new();
    collect(&definition.flow, &mut actions);
    let mut documents = Documents::new();
    let mut methods = rpc::MethodIndex::default();
    let services = definition.functions.iter().enumerate().map(|(at, function)| {
        let kind = function.kind.as_ref()?.value.to_ascii_lowercase();
        let is_service = matches!(kind.as_str(), "rest" | "openapi" | "grpc");
        let Some(resource) = function.resource.as_ref().filter(|_| is_service) else {
            if is_service {
                let message = format!("missing `resource` in a function of the type `{kind}`");
                diagnostics.push(
                    Diagnostic::new(&WF0423, function.name.span, message).help("add `resource`, the operation to call"),
                );
            }
            return None;
        };
        match kind.as_str() {
            "openapi" => {
                let (document, id) =
                    split_at_hash(resource, "the document and the operation: `bank.yaml#charge`", diagnostics)?;
                let id = Spanned::new(id.value, id.span);
                documents.operation(&document, &id, inputs, diagnostics).map(Box::new).map(Service::Described)
            }
            "grpc" => {
                let how = "the file, the service and the method: `bank.proto#acme.Bank/Charge`";
                let (file, named) = split_at_hash(resource, how, diagnostics)?;
                let Some(slash) = named.value.find('/') else {
                    report_malformed(resource, how, diagnostics);
                    return None;
                };
                let part = |start, end| Spanned::new(named.value[start..end].to_owned(), named.span_of(start, end));
                let (service, method) = (part(0, slash), part(slash + 1, named.value.len()));
                let file = Spanned::new(file.value, file.span);
                let named = rpc::MethodPath { file: &file, service: &service, method: &method };
                methods.find(named, inputs, diagnostics).map(Service::Rpc)
            }
            _ => rest(function, resource, at, &actions, diagnostics).map(Service::Rest),
        }
    });
    let mut services: Vec<Option<Service>> = services.collect();
    openapi::name_services(services.iter_mut().flatten().filter_map(|service| match service {
        Service::Described(described) => Some(&mut described.rest),
        Service::Rest(_) | Service::Rpc(_) => None,
    }));
    for action in &actions {
        match &services[action.function.index] {
            Some(Service::Described(operation)) => {
                let arguments: Vec<CallArgument<'_>> = parameters(action)
                    .iter()
                    .map(|(name, value)| CallArgument {
                        name,
                        value: constant(value),
                        span: value.map_or(name.span, |value| value.span),
                    })
                    .collect();
                documents.check_call(operation, &arguments, action.function.name.span, inputs, diagnostics);
            }
            Some(Service::Rpc(method)) => {
                let all = parameters(action);
                let arguments: Vec<rpc::RpcArgument<'_>> =
                    all.iter().map(|(name, value)| rpc::RpcArgument { name, value: *value }).collect();
                method.check(rpc::RpcCall { arguments: &arguments, span: action.function.name.span }, diagnostics);
            }
            Some(Service::Rest(rest)) => check_path(rest, action, diagnostics),
            None => {}
        }
    }
    let operation = |service: Service| match service {
        Service::Described(described) => {
            let DescribedOperation { rest, shapes, .. } = *described;
            ServiceFunction::new(Operation::Rest(rest), shapes)
        }
        Service::Rest(rest) => ServiceFunction::new(Operation::Rest(rest), TaskShapes::default()),
        Service::Rpc(method) => ServiceFunction::new(Operation::Rpc(method.rpc), method.shapes),
    };
    services.into_iter().map(|service| service.map(operation)).collect()
}

/// Collects the actions of a flow and of its nested flows.
fn collect<'d>(flow: &'d Flow, actions: &mut Vec<&'d Action>) {
    for state in &flow.states {
        match &state.kind {
            StateKind::Event { entries, .. } => actions.extend(entries.iter().flat_map(|entry| &entry.actions.list)),
            StateKind::Operation { actions: own } => actions.extend(&own.list),
            StateKind::Callback { action, .. } => actions.push(action),
            StateKind::Parallel { branches, .. } => {
                branches.iter().for_each(|branch| collect(&branch.flow, actions));
            }
            StateKind::ForEach(each) => collect(&each.flow, actions),
            _ => {}
        }
    }
}

/// Returns the parameters of a call. The value is `None` if it is not a constant.
fn parameters(action: &Action) -> Vec<(&Text, Option<&Node>)> {
    match &action.parameters {
        Some(Template::Object(members)) => members
            .iter()
            .map(|(name, value)| match value {
                Template::Constant(node) => (name, Some(node)),
                _ => (name, None),
            })
            .collect(),
        Some(Template::Constant(node)) => {
            node.as_object().unwrap_or_default().iter().map(|entry| (&entry.key, Some(&entry.value))).collect()
        }
        _ => Vec::new(),
    }
}

fn constant<'n>(value: &Option<&'n Node>) -> ArgumentValue<'n> {
    value.map_or(ArgumentValue::Unknown, ArgumentValue::Constant)
}

/// Reports a parameter of the path that a call does not pass. A call without parameters passes its
/// data, which are unknown here.
fn check_path(rest: &Rest, action: &Action, diagnostics: &mut Diagnostics) {
    if action.parameters.is_none() {
        return;
    }
    let arguments = parameters(action);
    for parameter in rest.parameters.iter().filter(|parameter| parameter.place == Place::Path) {
        if !arguments.iter().any(|(name, _)| name.value == parameter.argument) {
            let name = &action.function.name;
            let message = format!(
                "missing argument `{1}` of the function `{0}`: the URL has this parameter",
                name.value,
                shown(&parameter.argument)
            );
            let diagnostic = Diagnostic::new(&WF0906, name.span, message);
            diagnostics.push(diagnostic.help(format!("add `{}` to `parameters`", shown(&parameter.argument))));
        }
    }
}

/// Splits a resource at its one `#`.
fn split_at_hash(resource: &Text, how: &str, diagnostics: &mut Diagnostics) -> Option<(Text, Text)> {
    let text = &resource.value;
    let at = text.find('#').filter(|at| {
        let (before, after) = (&text[..*at], &text[at + 1..]);
        !before.trim().is_empty() && !after.trim().is_empty() && !after.contains('#')
    });
    match at {
        Some(at) => Some((resource.slice(0, at), resource.slice(at + 1, text.len()))),
        None => {
            report_malformed(resource, how, diagnostics);
            None
        }
    }
}

fn report_malformed(resource: &Text, how: &str, diagnostics: &mut Diagnostics) {
    let message = format!("`{}` does not name an operation of a service", shown(&resource.value));
    diagnostics.push(Diagnostic::new(&WF0423, resource.span, message).help(format!("write {how}")));
}

const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/// Returns the request of a function of the type `rest`. The resource is a URL, in which `{name}`
/// stands for a parameter. Other parameters go into the query if the method has no body, and
/// otherwise into the JSON body.
fn rest(
    function: &FunctionDefinition,
    resource: &Text,
    number: usize,
    actions: &[&Action],
    diagnostics: &mut Diagnostics,
) -> Option<Rest> {
    let how = "the URL of a service: `https://api.example.com/orders/{id}`";
    let address = resource.value.trim();
    let scheme = ["https://", "http://"]
        .into_iter()
        .find(|scheme| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    let Some(rest) = scheme.map(|scheme| &address[scheme.len()..]) else {
        report_malformed(resource, how, diagnostics);
        return None;
    };
    let (host, path) = rest.find('/').map_or((rest, "/"), |at| rest.split_at(at));
    if address.contains('?') {
        let message = format!("the URL `{}` must not have a query", shown(address));
        diagnostics.push(
            Diagnostic::new(&WF0423, resource.span, message).help("remove it, and pass its values as `parameters`"),
        );
        return None;
    }
    if host.is_empty() || host.contains(['{', '}', '?', '#', '@', ' ']) || path.contains(['?', '#', ' ']) {
        report_malformed(resource, how, diagnostics);
        return None;
    }
    let method = function.method.as_ref().map_or("POST".to_owned(), |method| method.value.trim().to_ascii_uppercase());
    if let Some(written) = function.method.as_ref().filter(|_| !METHODS.contains(&method.as_str())) {
        let message = format!("`{}` is not a supported HTTP method", shown(&written.value));
        let help = format!("use one of `{}`", METHODS.join("`, `"));
        diagnostics.push(Diagnostic::new(&WF0423, written.span, message).help(help));
        return None;
    }
    let mut operation = Rest {
        service: host.to_owned(),
        document: format!("{}{host}", scheme.unwrap_or_default()),
        id: function.name.value.to_string(),
        method: method.clone(),
        path: Vec::new(),
        parameters: Vec::new(),
        body: None,
        server: Some(format!("{}{host}", scheme.unwrap_or_default())),
        security: Vec::new(),
    };
    let parameter = |name: &str, place: Place, required: bool| {
        let (name, (style, explode)) = (name.to_owned(), place.usual_style());
        let (reserved, decomposition) = (false, Decomposition::Any);
        Parameter { argument: name.clone(), name, place, style, explode, required, reserved, decomposition }
    };
    let mut left = path;
    let mut in_path = BTreeSet::new();
    while let Some(open) = left.find('{') {
        let Some(close) = left[open..].find('}').map(|at| open + at).filter(|close| *close > open + 1) else {
            report_malformed(resource, how, diagnostics);
            return None;
        };
        let name = &left[open + 1..close];
        operation.path.push(Piece::Text(left[..open].to_owned()));
        operation.path.push(Piece::Parameter(operation.parameters.len()));
        operation.parameters.push(parameter(name, Place::Path, true));
        in_path.insert(name);
        left = &left[close + 1..];
    }
    if !left.is_empty() {
        operation.path.push(Piece::Text(left.to_owned()));
    }
    if matches!(method.as_str(), "POST" | "PUT" | "PATCH") {
        let content_type = "application/json".to_owned();
        operation.body =
            Some(Body { media: Media::Json, content_type, whole: Vec::new(), members: true, required: false });
        return Some(operation);
    }
    let calls = actions.iter().filter(|action| action.function.index == number);
    let names: BTreeSet<String> =
        calls.flat_map(|action| parameters(action)).map(|(name, _)| name.value.clone()).collect();
    let in_query = names.iter().filter(|name| !in_path.contains(name.as_str()));
    operation.parameters.extend(in_query.map(|name| parameter(name, Place::Query, false)));
    Some(operation)
}
