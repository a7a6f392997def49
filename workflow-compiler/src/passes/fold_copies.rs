//! This pass removes locals that only pass a value on: `result = …; d = result` becomes `d = …`, and
//! `result = …; put(d, result)` becomes `put(d, …)`.

use crate::expr::{Arg, Expr, LocalId};
use crate::machine::{End, Local, Machine, Op, OpKind, Tail};

/// Folds in every block.
pub fn fold_copies(machine: &mut Machine) {
    let Machine { blocks, locals, .. } = machine;
    for block in blocks {
        fold_tail(&mut block.tail, locals);
    }
}

fn fold_tail(tail: &mut Tail, locals: &[Local]) {
    let mut folded: Vec<Op> = Vec::new();
    for op in std::mem::take(&mut tail.ops) {
        if let Some((to, from)) = copy(&op, locals)
            && let Some(last) = folded.last_mut()
            && redirect(last, from, to)
        {
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
    tail.ops = folded;
    if let End::Done(output) | End::Terminate(output) = &mut tail.end
        && let Expr::Local(from) = *output
        && let Some(OpKind::Let { local, value }) = tail.ops.last().map(|op| &op.kind)
        && *local == from
        && tail.ops.last().is_some_and(|op| op.on_fault.is_none())
        && !edits(value)
        && locals[from.0 as usize].kind == crate::hir::LocalKind::Value
    {
        *output = value.clone();
        tail.ops.pop();
    }
    match &mut tail.end {
        End::Choose { arms, otherwise, .. } => {
            arms.iter_mut().for_each(|(_, tail)| fold_tail(tail, locals));
            fold_tail(otherwise, locals);
        }
        End::Handle { catchers, otherwise, .. } => {
            catchers.iter_mut().for_each(|(_, tail)| fold_tail(tail, locals));
            fold_tail(otherwise, locals);
        }
        End::Goto { .. }
        | End::Wait { .. }
        | End::Done(_)
        | End::Terminate(_)
        | End::Fail { .. }
        | End::FailWith(_)
        | End::Raise { .. } => {}
    }
}

/// Whether a value is made by editing a local, which is a step of its own.
fn edits(value: &Expr) -> bool {
    matches!(value, Expr::Call(call) if matches!(call.args.first(), Some(Arg::Edit(_))))
}

/// Puts the value that `before` gives a local in the one place where `op`, an edit, uses it up.
fn inline(before: &Op, op: &mut Op, locals: &[Local]) -> bool {
    let OpKind::Let { local, value } = &before.kind else { return false };
    let OpKind::Let { value: Expr::Call(call), .. } = &mut op.kind else { return false };
    let Some(Arg::Edit(edited)) = call.args.first() else { return false };
    let last_use = locals[local.0 as usize].kind == crate::hir::LocalKind::Value && !op.keeps.contains(local);
    // What reads the document must be done before it is edited, and a fault must find the same handler.
    let apart = !value.locals().contains(edited)
        && (!value.can_fail() || before.on_fault == op.on_fault && op.on_fault.is_none());
    let uses = call.args.iter().filter(|arg| matches!(arg, Arg::Owned(Expr::Local(used)) if used == local)).count();
    if !(last_use && apart && uses == 1) {
        return false;
    }
    for arg in &mut call.args {
        if matches!(arg, Arg::Owned(Expr::Local(used)) if used == local) {
            *arg = Arg::Owned(value.clone());
        }
    }
    true
}

/// `(to, from)` where the operation sets a local to another that nobody needs afterwards.
fn copy(op: &Op, locals: &[Local]) -> Option<(LocalId, LocalId)> {
    match op.kind {
        OpKind::Let { local, value: Expr::Local(from) }
            if !op.keeps.contains(&from) && locals[local.0 as usize].kind == locals[from.0 as usize].kind =>
        {
            Some((local, from))
        }
        _ => None,
    }
}

/// Lets an operation that sets `from` set `to` instead.
fn redirect(op: &mut Op, from: LocalId, to: LocalId) -> bool {
    match &mut op.kind {
        OpKind::Let { local, .. } | OpKind::Receive(local) if *local == from => {
            *local = to;
            true
        }
        _ => false,
    }
}
