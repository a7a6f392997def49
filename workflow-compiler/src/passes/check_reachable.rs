//! Pass that finds unreachable states, and states from which no end is reachable.
//!
//! A state without predecessors, and a scope without any end, are errors in dialects that refuse
//! them ([A8](docs/amazon-states-language.md#a8)). Unreachable cycles, and cycles that never lead
//! to an end, are warnings.

use crate::diagnostics::codes::graph::{WF0205, WF0206, WF0251, WF0252};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::hir::{Outline, ScopeOutline};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of states that a diagnostic names.
const NAMED: usize = 8;

/// Reports unreachable states and states without a path to an end.
pub fn check_reachable(workflow: &Outline, diagnostics: &mut Diagnostics) {
    for scope in &workflow.scopes {
        check_scope(scope, workflow.refuses_dead_ends, diagnostics);
    }
}

fn check_scope(scope: &ScopeOutline, refuses: bool, diagnostics: &mut Diagnostics) {
    let index: BTreeMap<&str, usize> =
        scope.states.iter().enumerate().map(|(at, state)| (&*state.name.value, at)).collect();
    let next: Vec<Vec<usize>> = scope
        .states
        .iter()
        .map(|state| state.targets.iter().filter_map(|target| index.get(&*target.value).copied()).collect())
        .collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); next.len()];
    for (from, targets) in next.iter().enumerate() {
        targets.iter().for_each(|target| before[*target].push(from));
    }
    let Some(first) = &scope.start else { return };
    let reached = closure(index.get(&*first.value).copied(), &next);
    for (at, state) in scope.states.iter().enumerate().filter(|(at, _)| !reached.contains(at)) {
        if diagnostics.is_exhausted(state.name.span) {
            return;
        }
        let name = &state.name.value;
        let incoming = before[at].iter().any(|from| *from != at);
        let code = if refuses && !incoming { &WF0205 } else { &WF0251 };
        let why = if incoming { "only unreachable states lead here" } else { "no transition leads here" };
        let mut diagnostic = Diagnostic::new(code, state.name.span, format!("state `{name}` is unreachable"))
            .label(why)
            .help("add a transition to it, or remove it");
        if let Some(first) = index.get(&*first.value) {
            let place = scope.states[*first].name.span;
            diagnostic = diagnostic.related(place, format!("the first state of {}", scope.label));
        }
        diagnostics.push(diagnostic);
    }
    let ends = scope.states.iter().enumerate().filter(|(_, state)| state.can_end).map(|(at, _)| at);
    let ending = closure(ends, &before);
    let stuck: Vec<usize> = reached.iter().copied().filter(|at| !ending.contains(at)).collect();
    if let Some(first) = stuck.first() {
        let names = stuck.iter().take(NAMED).map(|at| format!("`{}`", scope.states[*at].name.value));
        let names: Vec<String> = names.collect();
        let others = if stuck.len() > NAMED { format!(" and {} more", stuck.len() - NAMED) } else { String::new() };
        let endless = !scope.states.iter().any(|state| state.can_end);
        let code = if refuses && endless { &WF0206 } else { &WF0252 };
        let subject = if names.len() == 1 { "state" } else { "states" };
        let message = format!("no path leads from {subject} {}{others} to an end", names.join(", "));
        diagnostics.push(
            Diagnostic::new(code, scope.states[*first].name.span, message)
                .label("an execution that reaches this state never ends")
                .help("end the scope in one of these states, or add a transition out of the cycle"),
        );
    }
}

fn closure(from: impl IntoIterator<Item = usize>, next: &[Vec<usize>]) -> BTreeSet<usize> {
    let mut open: Vec<usize> = from.into_iter().collect();
    let mut reached: BTreeSet<usize> = open.iter().copied().collect();
    while let Some(at) = open.pop() {
        for target in &next[at] {
            if reached.insert(*target) {
                open.push(*target);
            }
        }
    }
    reached
}
