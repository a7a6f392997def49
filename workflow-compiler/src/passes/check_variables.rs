//! This pass follows the assignments of variables: one that is read where it cannot have a value yet is an error, one that
//! has a value on some ways only is a warning.

use crate::diagnostics::codes::graph::{E0204, W0203};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::expr::{Expr, LocalId};
use crate::hir::{Body, LocalKind, Next, Scope, ScopeId, State, Step, StepKind, Workflow};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The most variables that are followed, so that the costs are bounded. What is wrong with further ones shows when they are
/// read.
const MOST: usize = 1024;

/// A set of variables, by their place among all of them.
#[derive(Debug, Clone, PartialEq)]
struct Set(Vec<u64>);

impl Set {
    fn contains(&self, variable: usize) -> bool {
        self.0[variable / 64] & 1 << (variable % 64) != 0
    }

    fn insert(&mut self, variable: usize) {
        self.0[variable / 64] |= 1 << (variable % 64);
    }
}

/// What is assigned at a place: on every way there, and on some.
#[derive(Debug, Clone, PartialEq)]
struct Assigned {
    always: Set,
    ever: Set,
}

impl Assigned {
    /// Joins what is assigned on another way; whether that changes anything.
    fn join(&mut self, other: &Assigned) -> bool {
        let mut changed = false;
        for (always, other) in self.always.0.iter_mut().zip(&other.always.0) {
            changed |= *always & other != *always;
            *always &= other;
        }
        for (ever, other) in self.ever.0.iter_mut().zip(&other.ever.0) {
            changed |= *ever | other != *ever;
            *ever |= other;
        }
        changed
    }

    fn set(&mut self, variable: usize) {
        self.always.insert(variable);
        self.ever.insert(variable);
    }
}

/// The variables that are followed, each with its place.
type Followed = BTreeMap<LocalId, usize>;

/// Reports both.
pub fn check_variables(workflow: &Workflow, diagnostics: &mut Diagnostics) {
    let variables = (0..workflow.locals.len() as u32).map(LocalId);
    let variables = variables.filter(|local| workflow.local(*local).kind == LocalKind::Variable).take(MOST);
    let followed: Followed = variables.enumerate().map(|(at, local)| (local, at)).collect();
    if followed.is_empty() {
        return;
    }
    let none = Set(vec![0; followed.len().div_ceil(64)]);
    let empty = Assigned { always: none.clone(), ever: none };
    let mut at_scope: BTreeMap<ScopeId, Assigned> = BTreeMap::from([(ScopeId(0), empty)]);
    // A scope comes before those nested in it, so what holds where a nested one starts is known by then.
    for (at, scope) in workflow.scopes.iter().enumerate() {
        let Some(entry) = at_scope.remove(&ScopeId(at as u32)) else { continue };
        check_scope(workflow, &followed, scope, entry, &mut at_scope, diagnostics);
    }
}

fn check_scope(
    workflow: &Workflow,
    followed: &Followed,
    scope: &Scope,
    entry: Assigned,
    at_scope: &mut BTreeMap<ScopeId, Assigned>,
    diagnostics: &mut Diagnostics,
) {
    let order = order(scope);
    let place: BTreeMap<&str, usize> = order.iter().enumerate().map(|(at, state)| (&*state.name.value, at)).collect();
    let mut at_state: Vec<Option<Assigned>> = vec![None; order.len()];
    if let Some(start) = at_state.first_mut() {
        *start = Some(entry);
    }
    // States are looked at in an order in which most ways lead forwards, and again where a way back changes something.
    let mut open: BTreeSet<usize> = (0..order.len().min(1)).collect();
    while let Some(at) = open.pop_first() {
        let Some(mut assigned) = at_state[at].clone() else { continue };
        let mut flow = Flow { workflow, followed, out: Vec::new(), nested: Vec::new(), report: None };
        flow.body(&order[at].body, &mut assigned);
        for (target, assigned) in flow.out {
            let Some(next) = place.get(target).copied() else { continue };
            let changed = match &mut at_state[next] {
                Some(known) => known.join(&assigned),
                unknown => {
                    *unknown = Some(assigned);
                    true
                }
            };
            if changed {
                open.insert(next);
            }
        }
    }
    for (state, assigned) in order.iter().zip(at_state) {
        let (Some(mut assigned), false) = (assigned, diagnostics.is_exhausted(state.span)) else { continue };
        let mut flow = Flow { workflow, followed, out: Vec::new(), nested: Vec::new(), report: Some(diagnostics) };
        flow.body(&state.body, &mut assigned);
        at_scope.extend(flow.nested);
    }
}

/// The states that can be reached, from the first, each after those it is reached from as far as there are no circles.
fn order(scope: &Scope) -> Vec<&State> {
    let index: BTreeMap<&str, &State> = scope.states.iter().map(|state| (&*state.name.value, state)).collect();
    let mut seen = BTreeSet::new();
    let mut done = Vec::new();
    // The ways out of each state that is being left, backwards: the last is looked at first.
    let mut open: Vec<(&State, Vec<&str>)> = Vec::new();
    if let Some(start) = index.get(&*scope.start.value) {
        seen.insert(&*start.name.value);
        open.push((start, targets(start)));
    }
    while let Some((state, left)) = open.last_mut() {
        let Some(target) = left.pop() else {
            done.push(*state);
            open.pop();
            continue;
        };
        match index.get(target) {
            Some(next) if seen.insert(&*next.name.value) => open.push((next, targets(next))),
            _ => {}
        }
    }
    done.reverse();
    done
}

fn targets(state: &State) -> Vec<&str> {
    state.body.targets().into_iter().map(|target| &*target.value).collect()
}

/// Goes through one state.
struct Flow<'a, 'd> {
    workflow: &'a Workflow,
    followed: &'a Followed,
    /// What is assigned at each way out.
    out: Vec<(&'a str, Assigned)>,
    /// What is assigned where nested scopes start.
    nested: Vec<(ScopeId, Assigned)>,
    /// Where findings go, once the sets are final.
    report: Option<&'d mut Diagnostics>,
}

impl<'a> Flow<'a, '_> {
    fn body(&mut self, body: &'a Body, assigned: &mut Assigned) {
        for step in &body.steps {
            self.step(step, assigned);
        }
        match &body.next {
            Next::Goto(target) => self.out.push((&target.value, assigned.clone())),
            Next::End(output) => self.read(output, assigned, None),
            Next::Fail { error, cause } => error.iter().chain(cause).for_each(|expr| self.read(expr, assigned, None)),
            Next::Raise(_) => {}
            Next::Choose { arms, otherwise } => {
                for arm in arms {
                    self.read(&arm.condition, assigned, Some(arm.span));
                    self.body(&arm.body, &mut assigned.clone());
                }
                self.body(otherwise, &mut assigned.clone());
            }
        }
    }

    fn step(&mut self, step: &'a Step, assigned: &mut Assigned) {
        for expr in step.exprs() {
            self.read(expr, assigned, Some(step.span));
        }
        match &step.kind {
            StepKind::Let { local, .. } => self.set(*local, assigned),
            StepKind::Assign(values) => values.iter().for_each(|(local, _)| self.set(*local, assigned)),
            StepKind::Try(inner) => {
                // A fault can come before or after any assignment inside.
                let mut at_fault = assigned.clone();
                inner.body.iter().for_each(|step| self.step(step, assigned));
                at_fault.join(assigned);
                inner.catchers.iter().for_each(|catcher| self.body(&catcher.body, &mut at_fault.clone()));
            }
            StepKind::Fork { branches, .. } => {
                branches.iter().for_each(|branch| self.nested.push((*branch, assigned.clone())));
            }
            StepKind::ForEach(each) => self.nested.push((each.body, assigned.clone())),
            StepKind::Inspect { .. } | StepKind::Invoke(_) | StepKind::Wait(_) => {}
        }
    }

    fn set(&self, local: LocalId, assigned: &mut Assigned) {
        self.followed.get(&local).into_iter().for_each(|variable| assigned.set(*variable));
    }

    fn read(&mut self, expr: &Expr, assigned: &Assigned, span: Option<Span>) {
        let Some(diagnostics) = &mut self.report else { return };
        for local in expr.locals() {
            let Some(at) = self.followed.get(&local).copied().filter(|at| !assigned.always.contains(*at)) else {
                continue;
            };
            let variable = self.workflow.local(local);
            let (name, span) = (&variable.name, place(self.workflow, local, span.unwrap_or(variable.span)));
            diagnostics.push(if assigned.ever.contains(at) {
                Diagnostic::new(&W0203, span, format!("variable `${name}` may not have a value here"))
                    .label("not assigned on every way to this state")
                    .related(variable.span, "assigned here")
                    .help("assign it in a state that every way passes through")
            } else {
                Diagnostic::new(&E0204, span, format!("variable `${name}` has no value here"))
                    .label("no way to this state assigns it")
                    .related(variable.span, "assigned only here")
                    .help("assign it in a state before this one; a state reads what its `Assign` sets only in later states")
            });
        }
    }
}

/// Where the variable is read inside of a step.
fn place(workflow: &Workflow, variable: LocalId, step: Span) -> Span {
    let inside = |read: &Span| step.start <= read.start && read.end <= step.end;
    let mut reads = workflow.reads.iter().filter(|(local, _)| *local == variable).map(|(_, read)| *read);
    reads.find(inside).unwrap_or(step)
}
