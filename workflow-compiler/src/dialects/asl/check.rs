//! Validation across states. An inner scope must not reuse the name of a variable of an outer
//! scope (ASL §Variable Scope), if a state on a way to the inner scope assigns it. AWS refuses
//! such a definition with DUPLICATE_VARIABLE_NAME.

use super::ast::{Assign, Scope, State, StateKind, StateMachine, Transition};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::asl::codes;
use crate::source::{Span, Spanned};
use std::collections::{BTreeMap, BTreeSet};

/// Number of names in one scope whose ways are searched. Each takes a walk through the scope. A
/// further name counts as assigned on every way.
const MOST_NAMES: usize = 256;

/// Reports violations of rules across states.
pub fn check(machine: &StateMachine, diagnostics: &mut Diagnostics) {
    check_scope(&machine.scope, &mut Vec::new(), diagnostics);
}

/// Returns the variables that the states of a scope assign, each with its first assignment.
pub fn variables(scope: &Scope) -> BTreeMap<&str, Span> {
    let mut first_assigned = BTreeMap::new();
    let ways = scope.states.iter().flat_map(ways);
    for Spanned { value, span } in ways.filter_map(|way| way.assign).flat_map(|assign| &assign.names) {
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

/// Checks a scope and the scopes inside it. `outer` has the variables that are assigned on a way
/// to it, for each scope around it.
fn check_scope<'a>(scope: &'a Scope, outer: &mut Vec<BTreeMap<&'a str, Span>>, diagnostics: &mut Diagnostics) {
    let own = variables(scope);
    for (name, span) in &own {
        if let Some(other) = outer.iter().find_map(|scope| scope.get(name)) {
            let message = format!("the variable `{name}` of an outer scope cannot be assigned here");
            diagnostics.push(
                Diagnostic::new(&codes::WF0415, *span, message)
                    .related(*other, "assigned here in the outer scope")
                    .help("give the inner variable another name; inner scopes can read outer variables"),
            );
        }
    }
    let holders: Vec<&State> = scope.states.iter().filter(|state| !inner_scopes(state).is_empty()).collect();
    let mut inside = BTreeSet::new();
    holders.iter().flat_map(|state| inner_scopes(state)).for_each(|inner| all_variables(inner, &mut inside));
    let shared: Vec<(&str, Span)> =
        own.iter().filter(|(name, _)| inside.contains(*name)).map(|(name, span)| (*name, *span)).collect();
    let reached: Vec<Option<BTreeSet<&str>>> = shared
        .iter()
        .enumerate()
        .map(|(at, (name, _))| (at < MOST_NAMES).then(|| reached_after(scope, name, None)))
        .collect();
    for state in holders {
        let before = shared.iter().zip(&reached).filter(|((name, _), reached)| match reached {
            Some(reached) if !reached.contains(&*state.name.value) => false,
            // What the state itself assigns has a value only after its inner scopes.
            Some(_) if assigns(state, name) => reached_after(scope, name, Some(state)).contains(&*state.name.value),
            _ => true,
        });
        outer.push(before.map(|(shared, _)| *shared).collect());
        inner_scopes(state).iter().for_each(|inner| check_scope(inner, outer, diagnostics));
        outer.pop();
    }
}

/// Adds the variables that a scope and the scopes inside it assign.
fn all_variables<'a>(scope: &'a Scope, found: &mut BTreeSet<&'a str>) {
    found.extend(variables(scope).keys());
    scope.states.iter().flat_map(inner_scopes).for_each(|inner| all_variables(inner, found));
}

fn assigns(state: &State, name: &str) -> bool {
    ways(state).iter().any(|way| way.assigns(name))
}

/// Returns the states that an execution can enter after an assignment of a variable, other than
/// those of the state `but`.
fn reached_after<'a>(scope: &'a Scope, name: &str, but: Option<&State>) -> BTreeSet<&'a str> {
    let states: BTreeMap<&str, &State> = scope.states.iter().map(|state| (&*state.name.value, state)).collect();
    let is_left_out = |state: &State| but.is_some_and(|but| but.name.value == state.name.value);
    let assigning = scope.states.iter().filter(|state| !is_left_out(state)).flat_map(ways);
    let mut pending: Vec<&str> = assigning.filter(|way| way.assigns(name)).filter_map(|way| way.to).collect();
    let mut reached = BTreeSet::new();
    while let Some(state) = pending.pop() {
        if reached.insert(state) {
            pending.extend(states.get(state).into_iter().flat_map(|state| ways(state)).filter_map(|way| way.to));
        }
    }
    reached
}

/// A way out of a state.
struct Way<'a> {
    /// State that it leads to, if it does not end the scope.
    to: Option<&'a str>,
    /// Variables that are assigned on it.
    assign: Option<&'a Assign>,
}

impl Way<'_> {
    fn assigns(&self, name: &str) -> bool {
        self.assign.is_some_and(|assign| assign.names.iter().any(|own| own.value == name))
    }
}

/// Returns the ways out of a state: by `Next`, `Default`, its rules and its catchers.
fn ways(state: &State) -> Vec<Way<'_>> {
    let (flow, next, handlers) = match &state.kind {
        StateKind::Pass(pass) => (&pass.flow, &pass.next, None),
        StateKind::Task(task) => (&task.flow, &task.next, Some(&task.handlers)),
        StateKind::Wait(wait) => (&wait.flow, &wait.next, None),
        StateKind::Parallel(parallel) => (&parallel.flow, &parallel.next, Some(&parallel.handlers)),
        StateKind::Map(map) => (&map.flow, &map.next, Some(&map.handlers)),
        StateKind::Choice(choice) => {
            let to = choice.default.as_ref().map(|default| &*default.value);
            let rules = choice.rules.iter();
            let rules = rules.map(|rule| Way { to: Some(&rule.next.value), assign: rule.assign.as_ref() });
            return rules.chain([Way { to, assign: choice.flow.assign.as_ref() }]).collect();
        }
        StateKind::Succeed(_) | StateKind::Fail(_) => return Vec::new(),
    };
    let to = match next {
        Transition::Next(target) => Some(&*target.value),
        Transition::End => None,
    };
    let catchers = handlers.iter().flat_map(|handlers| &handlers.catchers);
    let caught = catchers.map(|catcher| Way { to: Some(&catcher.next.value), assign: catcher.assign.as_ref() });
    [Way { to, assign: flow.assign.as_ref() }].into_iter().chain(caught).collect()
}
