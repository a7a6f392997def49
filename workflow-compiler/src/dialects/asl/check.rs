//! Validation across states. An inner scope must not assign a variable that its outer scope may
//! have assigned before (ASL §Variable Scope). AWS refuses it with DUPLICATE_VARIABLE_NAME.

use super::ast::{Assign, Scope, State, StateKind, StateMachine, Transition};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::asl::codes;
use crate::source::{Span, Spanned};
use std::collections::{BTreeMap, BTreeSet};

/// Number of transitions that the search for assignments follows in one scope. If it is exhausted,
/// every variable counts as assigned before.
const MOST_TRANSITIONS: usize = 1 << 20;

/// Reports violations of rules across states.
pub fn check(machine: &StateMachine, diagnostics: &mut Diagnostics) {
    check_scope(&machine.scope, &mut Vec::new(), diagnostics);
}

/// Returns the variables that the states of a scope assign, each with its first assignment.
pub fn variables(scope: &Scope) -> BTreeMap<&str, Span> {
    let mut first_assigned = BTreeMap::new();
    let exits = scope.states.iter().flat_map(exits);
    for Spanned { value, span } in exits.filter_map(|exit| exit.assign).flat_map(|assign| &assign.names) {
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

/// A scope around another one.
struct Outer<'a> {
    /// The variables that are assigned on a way to the state that holds the inner scope.
    variables: BTreeMap<&'a str, Span>,
    /// `true` if that state is a distributed Map.
    is_distributed: bool,
}

/// Checks a scope and the scopes inside it. `outer` has the variables that are assigned on a way
/// to it, for each scope around it.
fn check_scope<'a>(scope: &'a Scope, outer: &mut Vec<Outer<'a>>, diagnostics: &mut Diagnostics) {
    let own = variables(scope);
    for (name, span) in &own {
        let other = outer.iter().enumerate().find_map(|(at, scope)| Some((at, scope.variables.get(name)?)));
        if let Some((at, other)) = other {
            let is_execution = outer[at..].iter().any(|scope| scope.is_distributed);
            let help = match is_execution {
                // Its executions do not see the outer variable.
                true => "give the inner variable another name",
                false => "give the inner variable another name; inner scopes can read outer variables",
            };
            // The words of AWS.
            let message = format!("The variable name '{name}' was already defined in a parent scope");
            diagnostics.push(
                Diagnostic::new(&codes::WF0415, *span, message)
                    .related(*other, "assigned here in the outer scope")
                    .help(help),
            );
        }
    }
    let holders: Vec<&State> = scope.states.iter().filter(|state| !inner_scopes(state).is_empty()).collect();
    let mut inside = BTreeSet::new();
    holders.iter().flat_map(|state| inner_scopes(state)).for_each(|inner| all_variables(inner, &mut inside));
    let shared: Vec<(&str, Span)> =
        own.iter().filter(|(name, _)| inside.contains(*name)).map(|(name, span)| (*name, *span)).collect();
    let mut exits = Exits::of(scope);
    let reached: Vec<_> = shared.iter().map(|(name, _)| exits.reached_after(name, None)).collect();
    for state in holders {
        let holder = &*state.name.value;
        let mut before = BTreeMap::new();
        for ((name, span), reached) in shared.iter().zip(&reached) {
            // A variable that the state itself assigns has a value only after its inner scopes.
            let is_before = |reached: &Option<BTreeSet<&str>>| reached.as_ref().is_none_or(|all| all.contains(holder));
            if is_before(reached)
                && (!exits.assigns(holder, name) || is_before(&exits.reached_after(name, Some(holder))))
            {
                before.insert(*name, *span);
            }
        }
        let is_distributed = matches!(&state.kind, StateKind::Map(map) if map.distributed.is_some());
        outer.push(Outer { variables: before, is_distributed });
        inner_scopes(state).iter().for_each(|inner| check_scope(inner, outer, diagnostics));
        outer.pop();
    }
}

/// Adds the variables that a scope and the scopes inside it assign.
fn all_variables<'a>(scope: &'a Scope, found: &mut BTreeSet<&'a str>) {
    found.extend(variables(scope).keys());
    scope.states.iter().flat_map(inner_scopes).for_each(|inner| all_variables(inner, found));
}

/// The transitions of a scope.
struct Exits<'a> {
    /// The targets of each state.
    targets: BTreeMap<&'a str, Vec<&'a str>>,
    /// The transitions that assign a variable: from a state, to a state.
    assigning: BTreeMap<&'a str, Vec<(&'a str, Option<&'a str>)>>,
    /// The number of transitions that may still be followed.
    left: usize,
}

impl<'a> Exits<'a> {
    fn of(scope: &'a Scope) -> Exits<'a> {
        let mut all = Exits { targets: BTreeMap::new(), assigning: BTreeMap::new(), left: MOST_TRANSITIONS };
        for state in &scope.states {
            let from = &*state.name.value;
            for exit in exits(state) {
                all.targets.entry(from).or_default().extend(exit.to);
                for name in exit.assign.into_iter().flat_map(|assign| &assign.names) {
                    all.assigning.entry(&name.value).or_default().push((from, exit.to));
                }
            }
        }
        all
    }

    fn assigns(&self, state: &str, name: &str) -> bool {
        self.assigning.get(name).is_some_and(|exits| exits.iter().any(|(from, _)| *from == state))
    }

    /// Returns the states that an execution can enter after an assignment of a variable, other
    /// than those of the state `but`. Returns `None` if the search is too long.
    fn reached_after(&mut self, name: &str, but: Option<&str>) -> Option<BTreeSet<&'a str>> {
        let assigning = self.assigning.get(name).map(Vec::as_slice).unwrap_or_default();
        self.left = self.left.checked_sub(assigning.len())?;
        let assigning = assigning.iter().filter(|(from, _)| Some(*from) != but);
        let mut pending: Vec<&'a str> = assigning.filter_map(|(_, to)| *to).collect();
        let mut reached = BTreeSet::new();
        while let Some(state) = pending.pop() {
            if reached.insert(state) {
                let targets = self.targets.get(state).map(Vec::as_slice).unwrap_or_default();
                self.left = self.left.checked_sub(targets.len())?;
                pending.extend(targets);
            }
        }
        Some(reached)
    }
}

/// A transition of a state.
struct Exit<'a> {
    /// State that it leads to, if it does not end the scope.
    to: Option<&'a str>,
    /// Variables that are assigned on it.
    assign: Option<&'a Assign>,
}

/// Returns the transitions of a state: by `Next`, `Default`, its rules and its catchers.
fn exits(state: &State) -> Vec<Exit<'_>> {
    let (flow, next, handlers) = match &state.kind {
        StateKind::Pass(pass) => (&pass.flow, &pass.next, None),
        StateKind::Task(task) => (&task.flow, &task.next, Some(&task.handlers)),
        StateKind::Wait(wait) => (&wait.flow, &wait.next, None),
        StateKind::Parallel(parallel) => (&parallel.flow, &parallel.next, Some(&parallel.handlers)),
        StateKind::Map(map) => (&map.flow, &map.next, Some(&map.handlers)),
        StateKind::Choice(choice) => {
            let to = choice.default.as_ref().map(|default| &*default.value);
            let rules = choice.rules.iter();
            let rules = rules.map(|rule| Exit { to: Some(&rule.next.value), assign: rule.assign.as_ref() });
            return rules.chain([Exit { to, assign: choice.flow.assign.as_ref() }]).collect();
        }
        StateKind::Succeed(_) | StateKind::Fail(_) => return Vec::new(),
    };
    let to = match next {
        Transition::Next(target) => Some(&*target.value),
        Transition::End => None,
    };
    let catchers = handlers.iter().flat_map(|handlers| &handlers.catchers);
    let caught = catchers.map(|catcher| Exit { to: Some(&catcher.next.value), assign: catcher.assign.as_ref() });
    [Exit { to, assign: flow.assign.as_ref() }].into_iter().chain(caught).collect()
}
