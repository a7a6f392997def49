//! The locals that carry data from one state to another.

use crate::expr::{Expr, LocalId};
use crate::hir::{Body, CallTarget, Next, Step, StepKind, Workflow};
use crate::index::IndexVec;

/// Returns for each local whether more than one state mentions it. Of the other locals nothing is
/// kept at transitions, so that the cost does not grow with their number.
pub fn crossing(workflow: &Workflow) -> IndexVec<LocalId, bool> {
    let mut last: IndexVec<LocalId, Option<usize>> = IndexVec::filled_like(&workflow.locals, None);
    let mut crossing = IndexVec::filled_like(&workflow.locals, false);
    let mut place = 0;
    for scope in &workflow.scopes {
        let bodies = scope.states.iter().map(|state| Some((&state.body, state.input)));
        for body in std::iter::once(None).chain(bodies) {
            place += 1;
            let mut note = |local: LocalId| {
                crossing[local] |= last[local].replace(place).is_some_and(|before| before != place);
            };
            match body {
                None => scope.entry.iter().for_each(|step| note_step(step, &mut note)),
                Some((body, input)) => {
                    note(input);
                    note_body(body, &mut note);
                }
            }
        }
    }
    crossing
}

fn note_body(body: &Body, note: &mut dyn FnMut(LocalId)) {
    body.walk_steps(&mut |step| note_step(step, note));
    body.walk_exprs(&mut |expr| note_expr(expr, note));
    for inner in body.bodies() {
        if let Next::Raise(local) = inner.next {
            note(local);
        }
    }
}

fn note_expr(expr: &Expr, note: &mut dyn FnMut(LocalId)) {
    expr.walk(&mut |inner| {
        if let Expr::Local(local) = inner {
            note(*local);
        }
    });
}

fn note_step(step: &Step, note: &mut dyn FnMut(LocalId)) {
    step.exprs().into_iter().for_each(|expr| note_expr(expr, note));
    match &step.kind {
        StepKind::Let { local, .. } => note(*local),
        StepKind::Assign(values) => values.iter().for_each(|(local, _)| note(*local)),
        StepKind::Invoke(invoke) => note(invoke.result),
        StepKind::Run(run) => run.locals().into_iter().for_each(&mut *note),
        StepKind::Fork { result, .. } => note(*result),
        StepKind::Receive(receive) => note(receive.result),
        StepKind::Publish(publish) => note(publish.result),
        StepKind::Call(call) => {
            note(call.result);
            if let CallTarget::Scope { input, .. } = call.target {
                note(input);
            }
        }
        StepKind::ForEach(each) => [each.items, each.item, each.result].into_iter().for_each(&mut *note),
        StepKind::DistributedMap(map) => {
            let selected = map.selection.iter().map(|selection| selection.input);
            [map.input, map.result].into_iter().chain(selected).for_each(&mut *note);
        }
        StepKind::Try(attempt) => attempt.locals().for_each(&mut *note),
        StepKind::Deadline(deadline) => note(deadline.at),
        StepKind::Block(_) | StepKind::Inspect { .. } | StepKind::Wait(_) => {}
    }
}
