//! Pass that checks that variables are assigned before they are read. A read of a variable without
//! a value is an error. A read of a variable that has a value on some paths only is a warning. A
//! presence test does not read the value, and the variable has a value where the test succeeds.

use super::order::{WorkList, postorder};
use crate::diagnostics::codes::graph::{WF0204, WF0253};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::expr::{Expr, LocalId};
use crate::hir::{Block, Body, CallTarget, Label, Next, Scope, State, Step, StepKind, Try, Workflow};
use crate::index::IndexVec;
use crate::model::{LocalKind, ScopeId};
use crate::source::Span;
use std::collections::BTreeMap;

/// The number of variables that are analysed at once, 64 in each machine word. It bounds the
/// memory for definitions with very many variables.
const AT_ONCE: usize = 4096;

/// The variables of the current analysis, with their indexes in the sets.
type Places = BTreeMap<LocalId, usize>;

/// The assigned variables at a place: on every path to it, and on some path.
#[derive(Debug, Clone, PartialEq)]
struct Assigned {
    always: Vec<u64>,
    ever: Vec<u64>,
}

impl Assigned {
    fn nothing(variables: usize) -> Assigned {
        let words = variables.div_ceil(64);
        Assigned { always: vec![0; words], ever: vec![0; words] }
    }

    /// Adds another path to the place. Returns `true` if this changes the sets.
    fn join(&mut self, other: &Assigned) -> bool {
        let mut changed = false;
        for (own, other) in self.always.iter_mut().zip(&other.always) {
            changed |= *own & !other != 0;
            *own &= other;
        }
        for (own, other) in self.ever.iter_mut().zip(&other.ever) {
            changed |= other & !*own != 0;
            *own |= other;
        }
        changed
    }

    fn set(&mut self, place: usize) {
        self.always[place / 64] |= 1 << (place % 64);
        self.ever[place / 64] |= 1 << (place % 64);
    }

    fn may_set(&mut self, place: usize) {
        self.ever[place / 64] |= 1 << (place % 64);
    }

    /// Marks a variable that was found to have a value as always assigned, if any path assigns it.
    fn found(&mut self, place: usize) {
        self.always[place / 64] |= self.ever[place / 64] & 1 << (place % 64);
    }
}

fn has(set: &[u64], place: usize) -> bool {
    set[place / 64] >> (place % 64) & 1 == 1
}

/// Reports both kinds of reads.
pub fn check_variables(workflow: &Workflow, diagnostics: &mut Diagnostics) {
    let ids = (0..).map(LocalId).zip(&workflow.locals);
    let variables: Vec<LocalId> =
        ids.filter(|(_, local)| local.kind == LocalKind::Variable).map(|(id, _)| id).collect();
    for variables in variables.chunks(AT_ONCE) {
        let places = variables.iter().enumerate().map(|(place, local)| (*local, place)).collect();
        check_some(workflow, &places, diagnostics);
    }
}

fn check_some(workflow: &Workflow, places: &Places, diagnostics: &mut Diagnostics) {
    let mut at_scope = BTreeMap::from([(ScopeId(0), Assigned::nothing(places.len()))]);
    // A scope comes before the scopes nested in it, so the sets at the start of a nested scope are
    // known by then.
    for (id, scope) in workflow.scopes.entries() {
        let Some(entry) = at_scope.remove(&id) else { continue };
        let known = at_states(workflow, places, scope, entry);
        for (state, assigned) in scope.states.iter().zip(known) {
            let (Some(assigned), false) = (assigned, diagnostics.is_exhausted(state.span)) else { continue };
            let mut flow = Flow::new(workflow, places, Some(diagnostics));
            flow.body(&state.body, assigned);
            at_scope.extend(flow.nested);
        }
    }
}

/// Returns the assigned variables at the start of each state of a scope. `None` for unreachable
/// states.
fn at_states(workflow: &Workflow, places: &Places, scope: &Scope, entry: Assigned) -> Vec<Option<Assigned>> {
    let index: BTreeMap<&str, usize> =
        scope.states.iter().enumerate().map(|(at, state)| (&*state.name.value, at)).collect();
    let next =
        |state: &State| state.body.targets().into_iter().filter_map(|to| index.get(&*to.value).copied()).collect();
    let next: IndexVec<usize, Vec<usize>> = scope.states.iter().map(next).collect();
    let mut known: Vec<Option<Assigned>> = vec![None; scope.states.len()];
    let Some(start) = index.get(&*scope.start.value).copied() else { return known };
    known[start] = Some(entry);
    let mut order = postorder(&next, [start]);
    order.reverse();
    let mut open = WorkList::new(order, &next);
    while let Some(at) = open.next() {
        let Some(assigned) = known[at].clone() else { continue };
        let mut flow = Flow::new(workflow, places, None);
        flow.body(&scope.states[at].body, assigned);
        for (target, assigned) in flow.out {
            let Some(target) = index.get(target).copied() else { continue };
            let changed = match &mut known[target] {
                Some(known) => known.join(&assigned),
                unknown => unknown.replace(assigned).is_none(),
            };
            if changed {
                open.open(target);
            }
        }
    }
    known
}

/// The analysis of one state.
struct Flow<'a, 'd> {
    workflow: &'a Workflow,
    places: &'a Places,
    /// The assigned variables at each exit.
    out: Vec<(&'a str, Assigned)>,
    /// The assigned variables at the start of nested scopes.
    nested: Vec<(ScopeId, Assigned)>,
    /// The assigned variables at the transitions to each label.
    left: BTreeMap<Label, Assigned>,
    /// Receives diagnostics, once the sets are final.
    report: Option<&'d mut Diagnostics>,
}

impl<'a, 'd> Flow<'a, 'd> {
    fn new(workflow: &'a Workflow, places: &'a Places, report: Option<&'d mut Diagnostics>) -> Flow<'a, 'd> {
        Flow { workflow, places, out: Vec::new(), nested: Vec::new(), left: BTreeMap::new(), report }
    }

    fn body(&mut self, body: &'a Body, mut assigned: Assigned) {
        for step in &body.steps {
            match self.step(step, assigned) {
                Some(after) => assigned = after,
                // No path continues after the step.
                None => return,
            }
        }
        let assigned = &assigned;
        match &body.next {
            Next::Goto(target) => self.out.push((&target.value, assigned.clone())),
            Next::End(output) | Next::Terminate(output) => self.read(output, assigned, None),
            Next::Fail { error, cause } => error.iter().chain(cause).for_each(|expr| self.read(expr, assigned, None)),
            Next::FailWith(fault) => self.read(fault, assigned, None),
            Next::Raise(_) => {}
            Next::Leave(label) => match self.left.get_mut(label) {
                Some(known) => _ = known.join(assigned),
                None => _ = self.left.insert(*label, assigned.clone()),
            },
            Next::Retry(retry) => self.body(&retry.otherwise, assigned.clone()),
            Next::Repeat(_) | Next::Never => {}
            Next::Choose { arms, otherwise } => {
                // The conditions of the arms before do not hold.
                let mut left = assigned.clone();
                for arm in arms {
                    self.read(&arm.condition, &left, Some(arm.span));
                    let mut chosen = left.clone();
                    self.suppose(&arm.condition, true, &mut chosen);
                    self.body(&arm.body, chosen);
                    self.suppose(&arm.condition, false, &mut left);
                }
                self.body(otherwise, left);
            }
        }
    }

    /// Analyses a block. Returns the assigned variables after it, or `None` if no path continues
    /// there.
    fn block(&mut self, block: &'a Block, mut assigned: Assigned) -> Option<Assigned> {
        if block.repeated.is_some() {
            let bodies = std::iter::once(&block.body).chain(block.exits.iter().map(|exit| &exit.body));
            bodies.for_each(|body| self.may_set(body, &mut assigned));
        }
        self.body(&block.body, assigned);
        for exit in &block.exits {
            if let Some(assigned) = self.left.remove(&exit.label) {
                self.body(&exit.body, assigned);
            }
        }
        self.left.remove(&block.label)
    }

    /// Analyses an attempt, as [`Flow::block`] does for a block.
    fn attempt(&mut self, attempt: &'a Try, mut assigned: Assigned) -> Option<Assigned> {
        // A fault can occur before or after any assignment inside.
        let mut at_fault = assigned.clone();
        self.may_set(&attempt.body, &mut at_fault);
        if !attempt.block_retries.is_empty() {
            assigned = at_fault.clone();
            attempt.catchers.iter().for_each(|catcher| self.may_set(&catcher.body, &mut assigned));
        }
        self.body(&attempt.body, assigned);
        attempt.catchers.iter().for_each(|catcher| self.body(&catcher.body, at_fault.clone()));
        self.left.remove(&attempt.label)
    }

    /// Adds the variables that a body assigns to those that some path assigns. A repetition of the
    /// body adds no more.
    fn may_set(&self, body: &Body, assigned: &mut Assigned) {
        body.walk_steps(&mut |step| {
            let locals: Vec<LocalId> = match &step.kind {
                StepKind::Let { local, .. } => vec![*local],
                StepKind::Assign(values) => values.iter().map(|(local, _)| *local).collect(),
                _ => Vec::new(),
            };
            locals.iter().filter_map(|local| self.places.get(local)).for_each(|place| assigned.may_set(*place));
        });
    }

    /// Analyses a step. Returns the assigned variables after it, or `None` if no path continues
    /// there.
    fn step(&mut self, step: &'a Step, mut assigned: Assigned) -> Option<Assigned> {
        for expr in step.exprs() {
            self.read(expr, &assigned, Some(step.span));
        }
        match &step.kind {
            StepKind::Let { local, .. } => self.set(*local, &mut assigned),
            StepKind::Assign(values) => values.iter().for_each(|(local, _)| self.set(*local, &mut assigned)),
            StepKind::Block(block) => return self.block(block, assigned),
            StepKind::Try(inner) => return self.attempt(inner, assigned),
            StepKind::Deadline(deadline) => {
                self.body(&deadline.body, assigned);
                return self.left.remove(&deadline.label);
            }
            StepKind::Fork { branches, .. } => {
                branches.iter().for_each(|branch| self.nested.push((*branch, assigned.clone())));
            }
            StepKind::ForEach(each) => self.nested.push((each.body, assigned.clone())),
            StepKind::Call(call) => {
                if let CallTarget::Scope { scope, .. } = &call.target {
                    self.nested.push((*scope, Assigned::nothing(self.places.len())));
                }
            }
            StepKind::DistributedMap(map) => {
                let selection = map.selection.as_ref().map(|selection| selection.scope);
                for scope in std::iter::once(map.body).chain(selection) {
                    self.nested.push((scope, Assigned::nothing(self.places.len())));
                }
            }
            StepKind::Inspect { .. }
            | StepKind::Invoke(_)
            | StepKind::Receive(_)
            | StepKind::Publish(_)
            | StepKind::Run(_)
            | StepKind::Wait(_) => {}
        }
        Some(assigned)
    }

    fn set(&self, local: LocalId, assigned: &mut Assigned) {
        if let Some(place) = self.places.get(&local) {
            assigned.set(*place);
        }
    }

    /// Adds the variables that have a value where a condition holds, or does not hold.
    fn suppose(&self, condition: &Expr, holds: bool, assigned: &mut Assigned) {
        match condition {
            Expr::And(inner) if holds => inner.iter().for_each(|one| self.suppose(one, holds, assigned)),
            Expr::Or(inner) if !holds => inner.iter().for_each(|one| self.suppose(one, holds, assigned)),
            Expr::Not(inner) => self.suppose(inner, !holds, assigned),
            Expr::Call(call) if holds => {
                let local = match call.presence_of() {
                    Some(Expr::Find(path)) => path.base.as_local(),
                    sought => sought.and_then(Expr::as_local),
                };
                if let Some(place) = local.and_then(|local| self.places.get(&local)) {
                    assigned.found(*place);
                }
            }
            _ => {}
        }
    }

    fn read(&mut self, expr: &Expr, assigned: &Assigned, span: Option<Span>) {
        match expr {
            _ if self.report.is_none() => {}
            Expr::And(inner) | Expr::Or(inner) => {
                let mut assigned = assigned.clone();
                for one in inner {
                    self.read(one, &assigned, span);
                    self.suppose(one, matches!(expr, Expr::And(_)), &mut assigned);
                }
            }
            Expr::Not(inner) => self.read(inner, assigned, span),
            Expr::Call(call) if call.presence_of().is_some() => {}
            _ => self.read_values(expr, assigned, span),
        }
    }

    fn read_values(&mut self, expr: &Expr, assigned: &Assigned, span: Option<Span>) {
        let Some(diagnostics) = &mut self.report else { return };
        // A program that takes no input may read a variable without a value.
        let mut optional: BTreeMap<LocalId, usize> = BTreeMap::new();
        expr.walk(&mut |inner| match inner {
            Expr::Apply(apply) if !apply.program.takes_input() => {
                apply
                    .variables
                    .iter()
                    .flat_map(Expr::locals)
                    .for_each(|local| *optional.entry(local).or_default() += 1);
            }
            _ => {}
        });
        for local in expr.locals() {
            let Some(place) = self.places.get(&local).copied().filter(|place| !has(&assigned.always, *place)) else {
                continue;
            };
            let variable = self.workflow.local(local);
            let (name, span) = (&variable.name, read_at(self.workflow, local, span.unwrap_or(variable.span)));
            if let Some(reads @ 1..) = optional.get_mut(&local) {
                *reads -= 1;
                if !has(&assigned.ever, place) {
                    diagnostics.push(
                        Diagnostic::new(&WF0253, span, format!("variable `${name}` has no value here"))
                            .label("undefined: no path to this state assigns it")
                            .related(variable.span, "assigned only here")
                            .help(
                                "assign it in an earlier state: only later states can read the values of an `Assign`",
                            ),
                    );
                }
                continue;
            }
            diagnostics.push(if has(&assigned.ever, place) {
                Diagnostic::new(&WF0253, span, format!("variable `${name}` may not have a value here"))
                    .label("not assigned on every path to this state")
                    .related(variable.span, "assigned here")
                    .help("assign it in a state on every path")
            } else {
                Diagnostic::new(&WF0204, span, format!("variable `${name}` has no value here"))
                    .label("no path to this state assigns it")
                    .related(variable.span, "assigned only here")
                    .help("assign it in an earlier state: only later states can read the values of an `Assign`")
            });
        }
    }
}

/// Returns the span of the read of a variable inside a step.
fn read_at(workflow: &Workflow, variable: LocalId, step: Span) -> Span {
    let inside = |read: &Span| step.start <= read.start && read.end <= step.end;
    let mut reads = workflow.reads.iter().filter(|(local, _)| *local == variable).map(|(_, read)| *read);
    reads.find(inside).unwrap_or(step)
}
