//! Lookup of methods in the files that definitions name.

use super::{MethodPath, RpcMethod, proto, prune, shape};
use crate::diagnostics::suggest::{did_you_mean, likely, listed};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::files::Inputs;
use crate::model::TaskShapes;
use crate::model::operation::Rpc;
use crate::rpc::codes::{WF1002, WF1003};
use crate::source::Spanned;
use crate::syntax::{Text, shown};
use protox::prost_reflect::{DescriptorPool, MethodDescriptor, ServiceDescriptor};
use std::collections::BTreeMap;

/// The compiled files, each compiled once.
#[derive(Debug, Default)]
pub struct MethodIndex {
    /// The descriptors by path. `None` marks a file that cannot be compiled, which has been
    /// reported.
    files: BTreeMap<String, Option<DescriptorPool>>,
}

impl MethodIndex {
    /// Finds a method. Returns `None` after reporting an error.
    pub fn find(
        &mut self,
        named: MethodPath<'_>,
        inputs: &mut Inputs,
        diagnostics: &mut Diagnostics,
    ) -> Option<RpcMethod> {
        let MethodPath { file, service, method } = named;
        let pool = match self.files.get(&file.value) {
            Some(known) => known.clone(),
            None => {
                let path = Text::verbatim(&file.value, file.span, file.span.start as usize);
                let pool = match file.value.to_ascii_lowercase().ends_with(".proto") {
                    true => proto::compile(&path, inputs, diagnostics),
                    false => proto::decode(&path, inputs, diagnostics),
                };
                self.files.insert(file.value.clone(), pool.clone());
                pool
            }
        }?;
        let service = find_service(&pool, file, service, diagnostics)?;
        let method = find_method(&service, method, diagnostics)?;
        let descriptors = prune::descriptors_for(&method);
        inputs.hash_meaning(&file.value, &descriptors);
        let rpc = Rpc { service: service.full_name().to_owned(), method: method.name().to_owned(), descriptors };
        let (input, output) = (shape::request(&method.input(), named), shape::response(&method.output(), named));
        Some(RpcMethod { rpc, shapes: TaskShapes { input, output, ..TaskShapes::default() }, request: method.input() })
    }
}

fn find_service(
    pool: &DescriptorPool,
    file: &Spanned<String>,
    name: &Spanned<String>,
    diagnostics: &mut Diagnostics,
) -> Option<ServiceDescriptor> {
    if let Some(found) = pool.get_service_by_name(&name.value) {
        return Some(found);
    }
    let services: Vec<ServiceDescriptor> = pool.services().collect();
    let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_ascii_lowercase();
    // A likely mistake is a missing or wrong package.
    let same: Vec<&ServiceDescriptor> =
        services.iter().filter(|service| last(service.full_name()) == last(&name.value)).collect();
    let meant = match same[..] {
        [only] => Some(only.full_name()),
        _ => likely(&name.value, services.iter().map(ServiceDescriptor::full_name)),
    };
    let help = match (meant, &services[..]) {
        (Some(meant), _) => format!("did you mean `{meant}`?"),
        (None, []) => "neither the file nor its imports define a service".to_owned(),
        (None, services) => {
            format!("its services are {}", listed(services.iter().map(ServiceDescriptor::full_name)))
        }
    };
    let (file, listed) = (shown(&file.value), shown(&name.value));
    let diagnostic =
        Diagnostic::new(&WF1002, name.span, format!("the file `{file}` has no service `{listed}`")).help(help);
    diagnostics.push(match meant {
        Some(meant) => diagnostic.fix(name.span, meant),
        None => diagnostic,
    });
    None
}

fn find_method(
    service: &ServiceDescriptor,
    name: &Spanned<String>,
    diagnostics: &mut Diagnostics,
) -> Option<MethodDescriptor> {
    let methods: Vec<MethodDescriptor> = service.methods().collect();
    let Some(found) = methods.iter().find(|method| method.name() == name.value) else {
        let names = || methods.iter().map(MethodDescriptor::name);
        let help = did_you_mean(&name.value, names()).unwrap_or_else(|| match &methods[..] {
            [] => "the service has no methods".to_owned(),
            _ => format!("its methods are {}", listed(names())),
        });
        let message = format!("the service `{}` has no method `{}`", service.full_name(), shown(&name.value));
        let diagnostic = Diagnostic::new(&WF1002, name.span, message).help(help);
        diagnostics.push(match likely(&name.value, names()) {
            Some(meant) => diagnostic.fix(name.span, meant),
            None => diagnostic,
        });
        return None;
    };
    let streams = match (found.is_client_streaming(), found.is_server_streaming()) {
        (false, false) => return Some(found.clone()),
        (true, false) => "takes a stream of requests",
        (false, true) => "returns a stream",
        (true, true) => "takes a stream of requests and returns a stream",
    };
    let message = format!("the method `{}` {streams} and cannot be called", name.value);
    let help = "call a method that takes one request and returns one response";
    diagnostics.push(Diagnostic::new(&WF1003, name.span, message).help(help));
    None
}
