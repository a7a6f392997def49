//! Makes one state a workflow of its own, so that it can be tried by itself.
//!
//! The workflow takes the state's input and yields `{"next": …, "output": …}`: the state it would lead to (absent at an
//! end) and what that would be given. Variables and levels of a stack that the state reads become settings.

use crate::expr::{Expr, Literal, LocalId};
use crate::hir::{Body, LocalKind, Next, Scope, ScopeId, Step, StepKind, Workflow};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The state `name` of a checked workflow as a workflow; `None` if there is no such state.
pub fn single_state(workflow: &Workflow, name: &str) -> Option<Workflow> {
    let (scope, state) = workflow.states().find(|(_, state)| *state.name.value == *name)?;
    let inputs = workflow.scope(scope).states.iter().map(|state| (state.name.value.clone(), state.input)).collect();
    let mut state = state.clone();
    end_after(&mut state.body, &inputs);
    let (input, span) = (state.input, state.span);
    let mut single = Workflow { timeout: None, ..workflow.clone() };
    single.scopes = vec![Scope {
        label: "the top level".to_owned(),
        parent: None,
        entry: Vec::new(),
        start: state.name.clone(),
        span,
        states: vec![state],
    }];
    keep_inner_scopes(workflow, &mut single);
    let mut entry = take_variables(&mut single, span);
    if input != single.input {
        let value = Expr::Local(single.input);
        entry.push(Step { kind: StepKind::Let { local: input, value }, span });
    }
    single.scopes[0].entry = entry;
    Some(single)
}

/// Every transition becomes an end that tells where it would have led.
fn end_after(body: &mut Body, inputs: &BTreeMap<Arc<str>, LocalId>) {
    for step in &mut body.steps {
        end_catchers(step, inputs);
    }
    let told = |next: Option<&str>, output: Expr| {
        let next = next.map(|next| ("next".to_owned(), Expr::Literal(Literal::String(next.to_owned()))));
        Next::End(Expr::Object(next.into_iter().chain([("output".to_owned(), output)]).collect()))
    };
    match &mut body.next {
        Next::Goto(target) => {
            let input = inputs.get(&target.value).map_or(Expr::NULL, |input| Expr::Local(*input));
            body.next = told(Some(&target.value), input);
        }
        Next::End(output) => body.next = told(None, output.clone()),
        Next::Choose { arms, otherwise } => {
            arms.iter_mut().for_each(|arm| end_after(&mut arm.body, inputs));
            end_after(otherwise, inputs);
        }
        Next::Fail { .. } | Next::FailWith(_) | Next::Raise(_) => {}
    }
}

fn end_catchers(step: &mut Step, inputs: &BTreeMap<Arc<str>, LocalId>) {
    if let StepKind::Try(inner) = &mut step.kind {
        inner.body.iter_mut().for_each(|step| end_catchers(step, inputs));
        inner.catchers.iter_mut().for_each(|catcher| end_after(&mut catcher.body, inputs));
    }
}

/// Makes settings of the variables that are read and that come from outside of the state, and drops the settings that
/// nothing reads. Yields the steps that give the variables their values.
fn take_variables(single: &mut Workflow, span: Span) -> Vec<Step> {
    let mut read = BTreeSet::new();
    single.walk_exprs(&mut |expr| read.extend(expr.locals()));
    let (own, inner) = single.scopes.split_at(1);
    let (own, inner) = (assigned(own), assigned(inner));
    single.settings.retain(|(local, _)| read.contains(local));
    let mut entry = Vec::new();
    for local in carried(single) {
        let name = single.local(local).name.clone();
        single.settings.push((local, name));
    }
    for local in read {
        // A variable that is assigned inside of a branch belongs to the branch.
        if single.local(local).kind != LocalKind::Variable || inner.contains(&local) {
            continue;
        }
        let name = single.local(local).name.clone();
        if own.contains(&local) {
            let given = single.add_local(format!("given_{name}"), LocalKind::Value, span);
            single.settings.push((given, name));
            entry.push(Step { kind: StepKind::Assign(vec![(local, Expr::Local(given))]), span });
        } else {
            single.locals[local.0 as usize].kind = LocalKind::Value;
            single.settings.push((local, name));
        }
    }
    entry
}

/// The values that the state is not given as its input and reads before it has set them: other states left them for it.
fn carried(single: &Workflow) -> BTreeSet<LocalId> {
    let known = single.settings.iter().map(|(local, _)| *local).chain([single.input]);
    let mut found = BTreeSet::new();
    for state in &single.scopes[0].states {
        let mut set: BTreeSet<LocalId> = known.clone().chain([state.input]).collect();
        collect_carried(&state.body, &mut set, &mut found);
    }
    found.retain(|local| single.local(*local).kind == LocalKind::Value);
    found
}

fn collect_carried(body: &Body, set: &mut BTreeSet<LocalId>, found: &mut BTreeSet<LocalId>) {
    body.steps.iter().for_each(|step| collect_of_step(step, set, found));
    match &body.next {
        Next::End(expr) | Next::FailWith(expr) => collect_reads(expr, set, found),
        Next::Fail { error, cause } => {
            error.iter().chain(cause).for_each(|expr| collect_reads(expr, set, found));
        }
        Next::Choose { arms, otherwise } => {
            for arm in arms {
                collect_reads(&arm.condition, set, found);
                collect_carried(&arm.body, &mut set.clone(), found);
            }
            collect_carried(otherwise, &mut set.clone(), found);
        }
        Next::Goto(_) | Next::Raise(_) => {}
    }
}

fn collect_of_step(step: &Step, set: &mut BTreeSet<LocalId>, found: &mut BTreeSet<LocalId>) {
    step.exprs().into_iter().for_each(|expr| collect_reads(expr, set, found));
    match &step.kind {
        StepKind::Let { local, .. } => _ = set.insert(*local),
        StepKind::Assign(values) => set.extend(values.iter().map(|(local, _)| *local)),
        StepKind::Invoke(invoke) => _ = set.insert(invoke.result),
        StepKind::Fork { result, .. } => _ = set.insert(*result),
        StepKind::ForEach(each) => {
            found.extend(Some(each.items).filter(|items| !set.contains(items)));
            set.insert(each.result);
        }
        StepKind::Run(run) => found.extend(run.locals().into_iter().filter(|local| !set.contains(local))),
        StepKind::Try(inner) => {
            let mut before = set.clone();
            inner.body.iter().for_each(|step| collect_of_step(step, set, found));
            before.extend([inner.fault, inner.retries]);
            inner.catchers.iter().for_each(|catcher| collect_carried(&catcher.body, &mut before.clone(), found));
        }
        StepKind::Inspect { .. } | StepKind::Wait(_) => {}
    }
}

fn collect_reads(expr: &Expr, set: &BTreeSet<LocalId>, found: &mut BTreeSet<LocalId>) {
    found.extend(expr.locals().into_iter().filter(|local| !set.contains(local)));
}

/// The variables that states of these scopes assign.
fn assigned(scopes: &[Scope]) -> BTreeSet<LocalId> {
    let mut assigned = BTreeSet::new();
    for state in scopes.iter().flat_map(|scope| &scope.states) {
        state.body.walk_steps(&mut |step| {
            if let StepKind::Assign(values) = &step.kind {
                assigned.extend(values.iter().map(|(local, _)| *local));
            }
        });
    }
    assigned
}

/// Copies the branches and bodies that the state runs, each after the one it is in, and refers to them by their new places.
fn keep_inner_scopes(workflow: &Workflow, single: &mut Workflow) {
    let mut at = 0;
    while at < single.scopes.len() {
        let mut scope = single.scopes[at].clone();
        let (parent, mut next) = (ScopeId(at as u32), single.scopes.len() as u32);
        let mut inner = Vec::new();
        for state in &mut scope.states {
            let name = state.name.value.clone();
            let mut renumber = |id: &mut ScopeId| {
                inner.push(Scope { parent: Some((parent, name.clone())), ..workflow.scope(*id).clone() });
                *id = ScopeId(next);
                next += 1;
            };
            renumber_body(&mut state.body, &mut renumber);
        }
        single.scopes[at] = scope;
        single.scopes.extend(inner);
        at += 1;
    }
}

fn renumber_body(body: &mut Body, renumber: &mut dyn FnMut(&mut ScopeId)) {
    body.steps.iter_mut().for_each(|step| renumber_step(step, renumber));
    if let Next::Choose { arms, otherwise } = &mut body.next {
        arms.iter_mut().for_each(|arm| renumber_body(&mut arm.body, renumber));
        renumber_body(otherwise, renumber);
    }
}

fn renumber_step(step: &mut Step, renumber: &mut dyn FnMut(&mut ScopeId)) {
    match &mut step.kind {
        StepKind::Fork { branches, .. } => branches.iter_mut().for_each(renumber),
        StepKind::ForEach(each) => renumber(&mut each.body),
        StepKind::Try(inner) => {
            inner.body.iter_mut().for_each(|step| renumber_step(step, renumber));
            inner.catchers.iter_mut().for_each(|catcher| renumber_body(&mut catcher.body, renumber));
        }
        StepKind::Let { .. }
        | StepKind::Assign(_)
        | StepKind::Inspect { .. }
        | StepKind::Run(_)
        | StepKind::Invoke(_)
        | StepKind::Wait(_) => {}
    }
}
