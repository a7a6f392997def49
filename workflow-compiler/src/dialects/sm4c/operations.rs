//! The operations of services that functions are, and whether they are called with what they take.

use super::ast::{Action, ActionKind, Argument, ArgumentValue, ExpressionKind, Operation, StateMachine};
use crate::diagnostics::Diagnostics;
use crate::expr::jq;
use crate::files::Inputs;
use crate::hir;
use crate::openapi::{self, Described, Documents, Given, GivenValue};
use crate::rpc;
use crate::source::Span;

/// What a function is an operation of.
enum Service {
    /// An OpenAPI document describes it.
    Rest(Described),
    /// It has methods that are called by gRPC.
    Rpc(rpc::Method),
}

/// The operation of each function that is one of a service. Why there is none has been reported.
pub fn read(machine: &StateMachine, inputs: &mut Inputs, diagnostics: &mut Diagnostics) -> Vec<Option<hir::Operation>> {
    let mut documents = Documents::new();
    let mut methods = rpc::Methods::default();
    let services = machine.functions.iter().map(|function| match &function.operation {
        Operation::Rest { document, operation } => {
            documents.operation(document, operation, inputs, diagnostics).map(Service::Rest)
        }
        Operation::Rpc { file, service, method } => {
            methods.find(rpc::Named { file, service, method }, inputs, diagnostics).map(Service::Rpc)
        }
        Operation::Expression(_) => None,
    });
    let mut services: Vec<Option<Service>> = services.collect();
    openapi::name_services(services.iter_mut().flatten().filter_map(|service| match service {
        Service::Rest(described) => Some(described.rest_mut()),
        Service::Rpc(_) => None,
    }));
    if services.iter().any(Option::is_some) {
        for action in actions(machine) {
            check(action, &services, &mut documents, inputs, diagnostics);
        }
    }
    let operation = |service: Service| match service {
        Service::Rest(described) => hir::Operation::Rest(described.rest),
        Service::Rpc(method) => hir::Operation::Rpc(method.rpc),
    };
    services.into_iter().map(|service| service.map(operation)).collect()
}

/// The outermost actions.
fn actions(machine: &StateMachine) -> impl Iterator<Item = &Action> {
    let of_timeout = machine.timeout.iter().filter_map(|timeout| timeout.action.as_ref());
    let steps = machine.states.iter().flat_map(|state| {
        let transitions = state.transitions.iter().map(|transition| &transition.step);
        [&state.enter, &state.exit].into_iter().chain(transitions)
    });
    of_timeout.chain(steps.filter_map(|step| step.action.as_ref()))
}

fn check(
    action: &Action,
    services: &[Option<Service>],
    documents: &mut Documents,
    inputs: &mut Inputs,
    diagnostics: &mut Diagnostics,
) {
    match &action.kind {
        ActionKind::InvokeFunction { function, call } => {
            let given = call.arguments.as_deref().unwrap_or_default();
            match &services[function.index] {
                Some(Service::Rest(operation)) => {
                    let given: Vec<Given<'_>> = given.iter().map(given_argument).collect();
                    documents.check_call(operation, &given, function.name.span, inputs, diagnostics);
                }
                Some(Service::Rpc(method)) => {
                    let given: Vec<rpc::Argument<'_>> = given.iter().map(request_argument).collect();
                    method.check(rpc::Call { arguments: &given, span: function.name.span }, diagnostics);
                }
                None => {}
            }
        }
        ActionKind::ForEach { action, .. } => check(action, services, documents, inputs, diagnostics),
        ActionKind::Parallel { actions, .. } | ActionKind::Sequence { actions } => {
            for action in actions {
                check(action, services, documents, inputs, diagnostics);
            }
        }
        ActionKind::Delay { .. }
        | ActionKind::InjectData { .. }
        | ActionKind::InvokeSubflow { .. }
        | ActionKind::SendEvent { .. } => {}
    }
}

fn given_argument(argument: &Argument) -> Given<'_> {
    let (value, span): (GivenValue<'_>, Span) = match &argument.value {
        ArgumentValue::Constant(node) => (GivenValue::Constant(node), node.span),
        ArgumentValue::Expression(expression) => {
            let evident = match expression.kind {
                ExpressionKind::Jq => jq::evident_type(expression.source()),
                ExpressionKind::Function(_) => None,
            };
            (evident.map_or(GivenValue::Unknown, GivenValue::Type), expression.text.span)
        }
    };
    Given { name: &argument.name, value, span }
}

fn request_argument(argument: &Argument) -> rpc::Argument<'_> {
    let value = match &argument.value {
        ArgumentValue::Constant(node) => Some(node),
        ArgumentValue::Expression(_) => None,
    };
    rpc::Argument { name: &argument.name, value }
}
