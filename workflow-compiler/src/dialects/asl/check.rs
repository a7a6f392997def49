//! Validation across states. An inner scope must not reuse the name of a variable of
//! an outer scope (ASL §Variable Scope).

use super::ast::{Assign, Scope, State, StateKind, StateMachine};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::asl::codes;
use crate::source::{Span, Spanned};
use std::collections::BTreeMap;

/// Reports violations of rules across states.
pub fn check(machine: &StateMachine, diagnostics: &mut Diagnostics) {
    check_scope(&machine.scope, &mut Vec::new(), diagnostics);
}

/// Returns the variables that the states of a scope assign, each with its first assignment.
pub fn variables(scope: &Scope) -> BTreeMap<&str, Span> {
    let mut first_assigned = BTreeMap::new();
    for Spanned { value, span } in scope.states.iter().flat_map(assigns).flat_map(|assign| &assign.names) {
        first_assigned.entry(value.as_str()).or_insert(*span);
    }
    first_assigned
}

/// Returns the scopes inside a state.
pub fn inner_scopes(state: &State) -> &[Scope] {
    match &state.kind {
        StateKind::Parallel(parallel) => &parallel.branches,
        StateKind::Map(map) => std::slice::from_ref(&map.processor),
        _ => &[],
    }
}

fn check_scope<'a>(scope: &'a Scope, outer: &mut Vec<BTreeMap<&'a str, Span>>, diagnostics: &mut Diagnostics) {
    let assigned = variables(scope);
    for (name, span) in &assigned {
        if let Some(other) = outer.iter().find_map(|scope| scope.get(name)) {
            let message = format!("the variable `{name}` of an outer scope cannot be assigned here");
            diagnostics.push(
                Diagnostic::new(&codes::WF0415, *span, message)
                    .related(*other, "assigned here in the outer scope")
                    .help("give the inner variable another name; inner scopes can read outer variables"),
            );
        }
    }
    outer.push(assigned);
    for inner in scope.states.iter().flat_map(inner_scopes) {
        check_scope(inner, outer, diagnostics);
    }
    outer.pop();
}

/// Returns every `Assign` of a state, of its rules and of its catchers.
fn assigns(state: &State) -> Vec<&Assign> {
    let (flow, catchers) = match &state.kind {
        StateKind::Pass(pass) => (&pass.flow, None),
        StateKind::Task(task) => (&task.flow, Some(&task.handlers)),
        StateKind::Choice(choice) => (&choice.flow, None),
        StateKind::Wait(wait) => (&wait.flow, None),
        StateKind::Parallel(parallel) => (&parallel.flow, Some(&parallel.handlers)),
        StateKind::Map(map) => (&map.flow, Some(&map.handlers)),
        StateKind::Succeed(_) | StateKind::Fail(_) => return Vec::new(),
    };
    let mut assigns: Vec<&Assign> = flow.assign.iter().collect();
    if let StateKind::Choice(choice) = &state.kind {
        assigns.extend(choice.rules.iter().filter_map(|rule| rule.assign.as_ref()));
    }
    let catchers = catchers.iter().flat_map(|handlers| &handlers.catchers);
    assigns.extend(catchers.filter_map(|catcher| catcher.assign.as_ref()));
    assigns
}
