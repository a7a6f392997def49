//! Operations of services that functions name, and checks of the arguments of their calls.

use super::ast::{
    Action, ActionKind, ExpressionKind, FunctionOperation, InvocationArgument, InvocationValue, StateMachine,
};
use crate::diagnostics::Diagnostics;
use crate::expr::jq;
use crate::files::Inputs;
use crate::model::{Operation, ServiceFunction};
use crate::openapi::{self, ArgumentValue, CallArgument, DescribedOperation, Documents};
use crate::rpc;
use crate::source::Span;

/// Service operation of a function.
enum Service {
    /// Operation that an OpenAPI document describes.
    Rest(Box<DescribedOperation>),
    /// Method called by gRPC.
    Rpc(Box<rpc::RpcMethod>),
}

/// Returns the service operation of each function, or `None` for an expression and after reporting
/// an error.
pub fn read(
    machine: &StateMachine,
    inputs: &mut Inputs,
    diagnostics: &mut Diagnostics,
) -> Vec<Option<ServiceFunction>> {
    let mut documents = Documents::new();
    let mut methods = rpc::MethodIndex::default();
    let services = machine.functions.iter().map(|function| match &function.operation {
        FunctionOperation::Rest { document, operation } => {
            documents.operation(document, operation, inputs, diagnostics).map(Box::new).map(Service::Rest)
        }
        FunctionOperation::Rpc { file, service, method } => {
            methods.find(rpc::MethodPath { file, service, method }, inputs, diagnostics).map(Box::new).map(Service::Rpc)
        }
        FunctionOperation::Expression(_) => None,
    });
    let mut services: Vec<Option<Service>> = services.collect();
    openapi::name_services(services.iter_mut().flatten().filter_map(|service| match service {
        Service::Rest(described) => Some(&mut described.rest),
        Service::Rpc(_) => None,
    }));
    if services.iter().any(Option::is_some) {
        for action in actions(machine) {
            check(action, &services, &mut documents, inputs, diagnostics);
        }
    }
    let operation = |service: Service| match service {
        Service::Rest(described) => {
            let DescribedOperation { rest, shapes, .. } = *described;
            ServiceFunction::new(Operation::Rest(rest), shapes)
        }
        Service::Rpc(method) => ServiceFunction::new(Operation::Rpc(method.rpc), method.shapes),
    };
    services.into_iter().map(|service| service.map(operation)).collect()
}

/// Iterates over the outermost actions.
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
            let arguments = call.arguments.as_deref().unwrap_or_default();
            match &services[function.index] {
                Some(Service::Rest(operation)) => {
                    let arguments: Vec<CallArgument<'_>> = arguments.iter().map(openapi_argument).collect();
                    documents.check_call(operation, &arguments, function.name.span, inputs, diagnostics);
                }
                Some(Service::Rpc(method)) => {
                    let arguments: Vec<rpc::RpcArgument<'_>> = arguments.iter().map(rpc_argument).collect();
                    method.check(rpc::RpcCall { arguments: &arguments, span: function.name.span }, diagnostics);
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

fn openapi_argument(argument: &InvocationArgument) -> CallArgument<'_> {
    let (value, span): (ArgumentValue<'_>, Span) = match &argument.value {
        InvocationValue::Constant(node) => (ArgumentValue::Constant(node), node.span),
        InvocationValue::Expression(expression) => {
            let evident = match expression.kind {
                ExpressionKind::Jq => jq::evident_type(expression.source()),
                ExpressionKind::Function(_) => None,
            };
            (evident.map_or(ArgumentValue::Unknown, ArgumentValue::Type), expression.text.span)
        }
    };
    CallArgument { name: &argument.name, value, span }
}

fn rpc_argument(argument: &InvocationArgument) -> rpc::RpcArgument<'_> {
    let value = match &argument.value {
        InvocationValue::Constant(node) => Some(node),
        InvocationValue::Expression(_) => None,
    };
    rpc::RpcArgument { name: &argument.name, value }
}
