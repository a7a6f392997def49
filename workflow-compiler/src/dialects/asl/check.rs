//! Checks that need more than one state: names of variables must differ between a scope and those inside it
//! (ASL §Variable Scope).

use super::ast::{Assign, Kind, Machine, Scope, State};
use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes};
use crate::source::{Span, Spanned};
use std::collections::BTreeMap;

/// Reports what is wrong across states.
pub fn check(machine: &Machine, diagnostics: &mut Diagnostics) {
    check_scope(&machine.scope, &mut Vec::new(), diagnostics);
}

/// The variables that the states of a scope assign, each where it is assigned first.
pub fn variables(scope: &Scope) -> BTreeMap<&str, Span> {
    let mut found = BTreeMap::new();
    for Spanned { value, span } in scope.states.iter().flat_map(assigns).flat_map(|assign| &assign.names) {
        found.entry(value.as_str()).or_insert(*span);
    }
    found
}

/// The scopes inside a state.
pub fn inner_scopes(state: &State) -> &[Scope] {
    match &state.kind {
        Kind::Parallel(parallel) => &parallel.branches,
        Kind::Map(map) => std::slice::from_ref(&map.processor),
        _ => &[],
    }
}

fn check_scope<'a>(scope: &'a Scope, outer: &mut Vec<BTreeMap<&'a str, Span>>, diagnostics: &mut Diagnostics) {
    let own = variables(scope);
    for (name, span) in &own {
        if let Some(other) = outer.iter().find_map(|scope| scope.get(name)) {
            let message = format!("the variable `{name}` belongs to an outer scope, and cannot be assigned in here");
            diagnostics.push(
                Diagnostic::new(&codes::E0415, *span, message)
                    .related(*other, "it is assigned here, in the outer scope")
                    .help("give the inner variable another name; inner scopes can read outer variables"),
            );
        }
    }
    outer.push(own);
    for inner in scope.states.iter().flat_map(inner_scopes) {
        check_scope(inner, outer, diagnostics);
    }
    outer.pop();
}

/// Every `Assign` of a state: its own, and those of its rules and catchers.
fn assigns(state: &State) -> Vec<&Assign> {
    let (flow, catchers) = match &state.kind {
        Kind::Pass(pass) => (&pass.flow, None),
        Kind::Task(task) => (&task.flow, Some(&task.handlers)),
        Kind::Choice(choice) => (&choice.flow, None),
        Kind::Wait(wait) => (&wait.flow, None),
        Kind::Parallel(parallel) => (&parallel.flow, Some(&parallel.handlers)),
        Kind::Map(map) => (&map.flow, Some(&map.handlers)),
        Kind::Succeed(_) | Kind::Fail(_) => return Vec::new(),
    };
    let mut found: Vec<&Assign> = flow.assign.iter().collect();
    if let Kind::Choice(choice) = &state.kind {
        found.extend(choice.rules.iter().filter_map(|rule| rule.assign.as_ref()));
    }
    let catchers = catchers.iter().flat_map(|handlers| &handlers.catchers);
    found.extend(catchers.filter_map(|catcher| catcher.assign.as_ref()));
    found
}
