//! This pass follows the assignments of variables: one that is read where it cannot have a value yet is an error, one that
//! has a value on some ways only is a warning.

use crate::diagnostics::codes::graph::{E0204, W0203};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::expr::{Expr, LocalId};
use crate::hir::{Body, LocalKind, Next, Scope, ScopeId, State, Step, StepKind, Workflow};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

type Set = BTreeSet<LocalId>;

/// What is assigned at a place: on every way there, and on some.
#[derive(Debug, Clone, PartialEq)]
struct Assigned {
    always: Set,
    ever: Set,
}

impl Assigned {
    fn join(&mut self, other: &Assigned) {
        self.always = self.always.intersection(&other.always).copied().collect();
        self.ever.extend(&other.ever);
    }

    fn set(&mut self, local: LocalId) {
        self.always.insert(local);
        self.ever.insert(local);
    }
}

/// Reports both.
pub fn check_variables(workflow: &Workflow, diagnostics: &mut Diagnostics) {
    if !workflow.locals.iter().any(|local| local.kind == LocalKind::Variable) {
        return;
    }
    let empty = Assigned { always: Set::new(), ever: Set::new() };
    let mut at_scope: BTreeMap<ScopeId, Assigned> = BTreeMap::from([(ScopeId(0), empty)]);
    // A scope comes before those nested in it, so what holds where a nested one starts is known by then.
    for (at, scope) in workflow.scopes.iter().enumerate() {
        let Some(entry) = at_scope.get(&ScopeId(at as u32)).cloned() else { continue };
        check_scope(workflow, scope, entry, &mut at_scope, diagnostics);
    }
}

fn check_scope(
    workflow: &Workflow,
    scope: &Scope,
    entry: Assigned,
    at_scope: &mut BTreeMap<ScopeId, Assigned>,
    diagnostics: &mut Diagnostics,
) {
    let mut at_state: BTreeMap<&str, Assigned> = BTreeMap::from([(&*scope.start.value, entry)]);
    let mut open: Vec<&State> = scope.states.iter().filter(|state| state.name.value == scope.start.value).collect();
    while let Some(state) = open.pop() {
        let mut flow = Flow { workflow, out: Vec::new(), nested: Vec::new(), report: None };
        flow.body(&state.body, &mut at_state[&*state.name.value].clone());
        for (target, assigned) in flow.out {
            let Some(next) = scope.states.iter().find(|state| &*state.name.value == target) else { continue };
            let known = at_state.get(target).cloned();
            let joined = match &known {
                Some(known) => {
                    let mut joined = known.clone();
                    joined.join(&assigned);
                    joined
                }
                None => assigned,
            };
            if known.as_ref() != Some(&joined) {
                at_state.insert(&next.name.value, joined);
                open.push(next);
            }
        }
    }
    for state in &scope.states {
        let Some(assigned) = at_state.get(&*state.name.value) else { continue };
        let mut flow = Flow { workflow, out: Vec::new(), nested: Vec::new(), report: Some(diagnostics) };
        flow.body(&state.body, &mut assigned.clone());
        at_scope.extend(flow.nested);
    }
}

/// Goes through one state.
struct Flow<'a, 'd> {
    workflow: &'a Workflow,
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
            StepKind::Let { local, .. } if self.is_variable(*local) => assigned.set(*local),
            StepKind::Assign(values) => values.iter().for_each(|(local, _)| assigned.set(*local)),
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
            StepKind::Let { .. } | StepKind::Inspect { .. } | StepKind::Invoke(_) | StepKind::Wait(_) => {}
        }
    }

    fn is_variable(&self, local: LocalId) -> bool {
        self.workflow.local(local).kind == LocalKind::Variable
    }

    fn read(&mut self, expr: &Expr, assigned: &Assigned, span: Option<Span>) {
        let Some(diagnostics) = &mut self.report else { return };
        for local in expr.locals() {
            let variable = self.workflow.local(local);
            if variable.kind != LocalKind::Variable || assigned.always.contains(&local) {
                continue;
            }
            let (name, span) = (&variable.name, place(self.workflow, local, span.unwrap_or(variable.span)));
            diagnostics.push(if assigned.ever.contains(&local) {
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
