//! The operations of services that functions are, and whether they are called with what they take.

use super::ast::{Action, ActionKind, Argument, ArgumentValue, ExpressionKind, Operation, StateMachine};
use crate::diagnostics::Diagnostics;
use crate::expr::jq;
use crate::files::Inputs;
use crate::hir;
use crate::openapi::{self, Described, Documents, Given, GivenValue};
use crate::source::Span;

/// The operation of each function that is one of a service. Why there is none has been reported.
pub fn read(machine: &StateMachine, inputs: &mut Inputs, diagnostics: &mut Diagnostics) -> Vec<Option<hir::Operation>> {
    let mut documents = Documents::new();
    let described = machine.functions.iter().map(|function| match &function.operation {
        Operation::Rest { document, operation } => documents.operation(document, operation, inputs, diagnostics),
        Operation::Expression(_) | Operation::Rpc { .. } => None,
    });
    let mut described: Vec<Option<Described>> = described.collect();
    openapi::name_services(described.iter_mut().flatten().map(Described::rest_mut));
    if described.iter().any(Option::is_some) {
        for action in actions(machine) {
            check(action, &described, &mut documents, inputs, diagnostics);
        }
    }
    described.into_iter().map(|described| described.map(|described| described.operation)).collect()
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
    described: &[Option<Described>],
    documents: &mut Documents,
    inputs: &mut Inputs,
    diagnostics: &mut Diagnostics,
) {
    match &action.kind {
        ActionKind::InvokeFunction { function, call } => {
            if let Some(operation) = &described[function.index] {
                let given = call.arguments.as_deref().unwrap_or_default();
                let given: Vec<Given<'_>> = given.iter().map(given_argument).collect();
                documents.check_call(operation, &given, function.name.span, inputs, diagnostics);
            }
        }
        ActionKind::ForEach { action, .. } => check(action, described, documents, inputs, diagnostics),
        ActionKind::Parallel { actions, .. } | ActionKind::Sequence { actions } => {
            for action in actions {
                check(action, described, documents, inputs, diagnostics);
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
