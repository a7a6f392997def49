//! Validation of functions that need all definitions: `fn:name` must refer to an expression, and
//! expressions must not refer to each other in a cycle.

use super::ast::{ExpressionKind, FunctionDefinition, FunctionOperation};
use super::{FunctionCall, Sm4cParseCx};
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::dialects::sm4c::codes as own;

/// Number of functions of a cycle that a diagnostic lists at most.
const MAX_NAMES_SHOWN: usize = 8;

/// Checks all uses of functions.
pub fn check_functions(functions: &[FunctionDefinition], cx: &mut Sm4cParseCx) {
    for reference in std::mem::take(&mut cx.functions_in_expressions) {
        let function = &functions[reference.index];
        if matches!(function.operation, FunctionOperation::Expression(_)) {
            continue;
        }
        let name = &function.name.value;
        let message = format!("the function `{name}` is not an expression");
        cx.push(
            Diagnostic::new(&own::WF0811, reference.name.span, message)
                .related(function.name.span, "defined here")
                .help("call it with an `invokeFunction` action, and use the result"),
        );
    }
    for FunctionCall { function, without_effect, unobserved } in std::mem::take(&mut cx.calls) {
        let function = &functions[function];
        if !matches!(function.operation, FunctionOperation::Expression(_)) {
            continue;
        }
        if let Some(span) = unobserved {
            let name = &function.name.value;
            let message =
                format!("this call has no effect: the function `{name}` is an expression, and its value is discarded");
            cx.push(Diagnostic::new(&codes::WF0455, span, message).help("add `\"waitForCompletion\": true`"));
        }
        for (member, span) in without_effect {
            let name = &function.name.value;
            let message = format!("`{member}` has no effect: the function `{name}` is an expression");
            let help = match member {
                "arguments" => "remove it: the expression reads the input of the action",
                _ => "remove it",
            };
            cx.push(Diagnostic::new(&codes::WF0455, span, message).help(help));
        }
    }
    check_cycles(functions, cx);
}

/// Reports cycles of functions that stand for other functions. Each function stands for at most
/// one other.
fn check_cycles(functions: &[FunctionDefinition], cx: &mut Sm4cParseCx) {
    let successor = |at: usize| match &functions[at].operation {
        FunctionOperation::Expression(expression) => match &expression.kind {
            ExpressionKind::Function(reference) => Some(reference.index),
            ExpressionKind::Jq => None,
        },
        _ => None,
    };
    // Number of the walk that visited a function, counted from 1.
    let mut visited = vec![0; functions.len()];
    for start in 0..functions.len() {
        let mut at = start;
        let closes = loop {
            match visited[at] {
                0 => visited[at] = start + 1,
                walk => break walk == start + 1,
            }
            match successor(at) {
                Some(next) => at = next,
                None => break false,
            }
        };
        if !closes {
            continue;
        }
        // Every function has at most one successor, so that all successors of a member of the
        // cycle are in the cycle.
        let others = std::iter::successors(successor(at), |at| successor(*at)).take_while(|next| *next != at);
        let members = std::iter::once(at).chain(others).take(MAX_NAMES_SHOWN);
        let names: Vec<String> = members.map(|at| format!("`{}`", functions[at].name.value)).collect();
        let function = &functions[at];
        let (message, help) = match &names[..] {
            [only] => (
                format!("the function {only} refers to itself"),
                "define the function by a jq expression without `fn:`",
            ),
            _ => (
                format!("the functions {} refer to each other", names.join(", ")),
                "define one of the functions by a jq expression without `fn:`",
            ),
        };
        cx.push(Diagnostic::new(&own::WF0811, function.operation_span, message).help(help));
    }
}
