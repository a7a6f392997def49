//! Pass that removes locals that only pass a value on: `result = …; d = result` becomes `d = …`,
//! and `result = …; put(d, result)` becomes `put(d, …)`.

use crate::expr::{Arg, Expr, LocalId};
use crate::index::IndexVec;
use crate::machine::{BlockBody, Local, Machine, Op, OpKind, Terminator};
use crate::model::LocalKind;

/// Propagates copies in every block.
pub fn propagate_copies(machine: &mut Machine) {
    let Machine { blocks, locals, .. } = machine;
    for block in blocks {
        fold_tail(&mut block.body, locals);
    }
}

fn fold_tail(body: &mut BlockBody, locals: &IndexVec<LocalId, Local>) {
    let mut folded: Vec<Op> = Vec::new();
    for op in std::mem::take(&mut body.ops) {
        if let Some((to, from)) = copy(&op, locals)
            && let Some(last) = folded.last_mut()
            && redirect(last, from, to)
        {
            last.unread.clone_from(&op.unread);
            continue;
        }
        let mut op = op;
        if let Some(last) = folded.last()
            && inline(last, &mut op, locals)
        {
            folded.pop();
        }
        folded.push(op);
    }
    body.ops = folded;
    if let Terminator::Done(output) | Terminator::Terminate(output) = &mut body.terminator
        && let Expr::Local(from) = *output
        && let Some(OpKind::Let { local, value }) = body.ops.last().map(|op| &op.kind)
        && *local == from
        && body.ops.last().is_some_and(|op| op.on_fault.is_none())
        && value.edited().is_none()
        && locals[from].kind == LocalKind::Value
    {
        *output = value.clone();
        body.ops.pop();
    }
    body.bodies_mut().into_iter().for_each(|inner| fold_tail(inner, locals));
}

/// Moves the value that `before` gives a local to its only use in `op`, an edit.
fn inline(before: &Op, op: &mut Op, locals: &IndexVec<LocalId, Local>) -> bool {
    let OpKind::Let { local, value } = &before.kind else { return false };
    let reads = op.kind.reads().iter().filter(|read| *read == local).count();
    let OpKind::Let { value: Expr::Call(call), .. } = &mut op.kind else { return false };
    let Some(Arg::Edit(edited)) = call.args.first() else { return false };
    let last_use = locals[*local].kind == LocalKind::Value && !op.live_after.contains(local);
    // Reads of the document must precede the edit, and a fault must reach the same handler.
    let can_move = value.edited().is_none()
        && !value.locals().contains(edited)
        && (!value.can_fail() || before.on_fault.is_none() && op.on_fault.is_none());
    let uses = call.args.iter().filter(|arg| matches!(arg, Arg::Owned(Expr::Local(used)) if used == local)).count();
    if !(last_use && can_move && reads == 1 && uses == 1) {
        return false;
    }
    for arg in &mut call.args {
        if matches!(arg, Arg::Owned(Expr::Local(used)) if used == local) {
            *arg = Arg::Owned(value.clone());
        }
    }
    true
}

/// Returns `(to, from)` if the operation sets a local to another local that is dead afterwards.
fn copy(op: &Op, locals: &IndexVec<LocalId, Local>) -> Option<(LocalId, LocalId)> {
    match op.kind {
        OpKind::Let { local, value: Expr::Local(from) }
            if !op.live_after.contains(&from) && locals[local].kind == locals[from].kind =>
        {
            Some((local, from))
        }
        _ => None,
    }
}

/// Makes an operation that sets `from` set `to` instead.
fn redirect(op: &mut Op, from: LocalId, to: LocalId) -> bool {
    match &mut op.kind {
        OpKind::Let { local, .. } | OpKind::Receive(local) if *local == from => {
            *local = to;
            true
        }
        _ => false,
    }
}
