//! Pass that refuses workflows whose states carry too many variables. Generated code and snapshots
//! grow with the number of states times the number of live variables.

use super::order::{WorkList, postorder};
use crate::diagnostics::codes::syntax::WF0113;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::expr::LocalId;
use crate::hir::{Scope, StepKind, Workflow};
use crate::index::IndexVec;
use crate::model::{LocalKind, ScopeId};
use std::collections::BTreeMap;

/// The maximum sum over all states of the variables that are read in the state or after it.
const MOST: usize = 100_000;
/// The number of variables that are analysed at once, 64 in each machine word. It bounds the
/// memory of this pass.
const AT_ONCE: usize = 4096;

type Places = BTreeMap<LocalId, usize>;

/// A set of variables, by index.
type Set = Vec<u64>;

/// Reports a workflow whose states carry too many variables.
pub fn check_live_variables(workflow: &Workflow, diagnostics: &mut Diagnostics) {
    let variables: Vec<LocalId> = (0..workflow.locals.len() as u32)
        .map(LocalId)
        .filter(|local| workflow.local(*local).kind == LocalKind::Variable)
        .collect();
    if variables.len() * workflow.states().count() <= MOST {
        return;
    }
    let mut carried = 0;
    for variables in variables.chunks(AT_ONCE) {
        let places = variables.iter().enumerate().map(|(place, local)| (*local, place)).collect();
        carried += carried_of(workflow, &places);
        if carried > MOST {
            let message = format!("the states have more than {MOST} live variables in total");
            let diagnostic = Diagnostic::new(&WF0113, workflow.span.at_start(), message)
                .help("assign fewer variables, or combine related values in one variable");
            return diagnostics.push(diagnostic);
        }
    }
}

/// Returns the number of these variables that all states together carry.
fn carried_of(workflow: &Workflow, places: &Places) -> usize {
    let mut carried = 0;
    // The live variables of the first state of each scope. A scope comes before the scopes nested
    // in it.
    let mut at_start: BTreeMap<ScopeId, Set> = BTreeMap::new();
    for (at, scope) in workflow.scopes.iter().enumerate().rev() {
        let live = live(scope, places, &at_start);
        carried += live.iter().flatten().map(|word| word.count_ones() as usize).sum::<usize>();
        let start = scope.states.iter().position(|state| state.name.value == scope.start.value);
        at_start.insert(ScopeId(at as u32), start.map(|start| live[start].clone()).unwrap_or_default());
    }
    carried
}

/// Returns the live variables at the start of each state of a scope.
fn live(scope: &Scope, places: &Places, at_start: &BTreeMap<ScopeId, Set>) -> Vec<Set> {
    let words = places.len().div_ceil(64);
    let index: BTreeMap<&str, usize> =
        scope.states.iter().enumerate().map(|(at, state)| (&*state.name.value, at)).collect();
    let mut live = vec![vec![0; words]; scope.states.len()];
    let mut assigned: Vec<Set> = live.clone();
    let mut next = IndexVec::new();
    let mut before = vec![Vec::new(); scope.states.len()];
    for (at, state) in scope.states.iter().enumerate() {
        state.body.walk_exprs(&mut |expr| {
            expr.locals().iter().filter_map(|local| places.get(local)).for_each(|place| insert(&mut live[at], *place));
        });
        state.body.walk_steps(&mut |step| match &step.kind {
            StepKind::Fork { branches, .. } => {
                branches
                    .iter()
                    .filter_map(|branch| at_start.get(branch))
                    .for_each(|inner| _ = join(&mut live[at], inner));
            }
            StepKind::ForEach(each) => at_start.get(&each.body).iter().for_each(|inner| _ = join(&mut live[at], inner)),
            _ => {}
        });
        // An assigned variable is not live before, if every path assigns it. With several paths,
        // every variable is taken to stay live.
        if state.body.is_straight() {
            state.body.walk_steps(&mut |step| {
                if let StepKind::Assign(values) = &step.kind {
                    let set = values.iter().filter_map(|(local, _)| places.get(local));
                    set.for_each(|place| insert(&mut assigned[at], *place));
                }
            });
        }
        let targets: Vec<usize> =
            state.body.targets().into_iter().filter_map(|target| index.get(&*target.value).copied()).collect();
        targets.iter().for_each(|target: &usize| before[*target].push(at));
        next.push(targets);
    }
    let mut open = WorkList::new(postorder(&next, next.ids()), &next);
    while let Some(at) = open.next() {
        let mut changed = false;
        for target in &next[at] {
            let passed: Set = live[*target].iter().zip(&assigned[at]).map(|(read, set)| read & !set).collect();
            changed |= join(&mut live[at], &passed);
        }
        if changed {
            before[at].iter().for_each(|state| open.open(*state));
        }
    }
    live
}

fn insert(set: &mut Set, place: usize) {
    set[place / 64] |= 1 << (place % 64);
}

/// Adds the other set. Returns `true` if this changes the set.
fn join(set: &mut Set, other: &Set) -> bool {
    let mut changed = false;
    for (own, other) in set.iter_mut().zip(other) {
        changed |= other & !*own != 0;
        *own |= other;
    }
    changed
}
