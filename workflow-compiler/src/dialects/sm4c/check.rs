//! What can be said of functions only when all are known: which of them are expressions, and whether these lead back to
//! themselves.

use super::ast::{ExpressionKind, FunctionDefinition, Operation};
use super::{CallOfFunction, Cx};
use crate::diagnostics::{Diagnostic, codes::fields as codes, codes::state_machines as own};

/// Of functions that stand for each other so many are told at the most.
const TOLD: usize = 8;

/// Looks at all uses of functions.
pub fn check_functions(functions: &[FunctionDefinition], cx: &mut Cx) {
    for reference in std::mem::take(&mut cx.functions_in_expressions) {
        let function = &functions[reference.index];
        if matches!(function.operation, Operation::Expression(_)) {
            continue;
        }
        let name = &function.name.value;
        let message = format!("the function `{name}` is not an expression");
        cx.push(
            Diagnostic::new(&own::E0811, reference.name.span, message)
                .related(function.name.span, "it is defined here")
                .help("call it by an action of the type `invokeFunction`, and use its result"),
        );
    }
    for CallOfFunction { function, unused } in std::mem::take(&mut cx.calls) {
        let function = &functions[function];
        if !matches!(function.operation, Operation::Expression(_)) {
            continue;
        }
        for (member, span) in unused {
            let name = &function.name.value;
            let message = format!("`{member}` has no effect: the function `{name}` is an expression");
            let help = match member {
                "arguments" => "remove it: the expression sees the input of the action",
                _ => "remove it",
            };
            cx.push(Diagnostic::new(&codes::W0405, span, message).help(help));
        }
    }
    check_circles(functions, cx);
}

/// Functions that stand for other functions, which stand for the first one: each has one that follows at the most.
fn check_circles(functions: &[FunctionDefinition], cx: &mut Cx) {
    let follower = |at: usize| match &functions[at].operation {
        Operation::Expression(expression) => match &expression.kind {
            ExpressionKind::Function(reference) => Some(reference.index),
            ExpressionKind::Jq => None,
        },
        _ => None,
    };
    // In which walk a function was passed, counted from 1.
    let mut passed = vec![0; functions.len()];
    for start in 0..functions.len() {
        let mut at = start;
        let closes = loop {
            match passed[at] {
                0 => passed[at] = start + 1,
                walk => break walk == start + 1,
            }
            match follower(at) {
                Some(next) => at = next,
                None => break false,
            }
        };
        if !closes {
            continue;
        }
        // Nobody leaves a circle: who follows is in it.
        let others = std::iter::successors(follower(at), |at| follower(*at)).take_while(|next| *next != at);
        let members = std::iter::once(at).chain(others).take(TOLD);
        let names: Vec<String> = members.map(|at| format!("`{}`", functions[at].name.value)).collect();
        let function = &functions[at];
        let message = match &names[..] {
            [only] => format!("the function {only} stands for itself"),
            _ => format!("the functions {} stand for each other", names.join(", ")),
        };
        cx.push(
            Diagnostic::new(&own::E0811, function.operation_span, message)
                .help("write an expression in jq for one of them"),
        );
    }
}
