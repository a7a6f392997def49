//! Pass that coalesces locals within a block: where a local takes the last value of another one,
//! both have one identifier, and nothing is copied.
//!
//! The payload of a resume point must not depend on other states, so the two remain separate
//! locals of the machine.
//! After this pass the only copies of a last value are those that the block binds again later.

use crate::expr::{Expr, LocalId};
use crate::index::IndexVec;
use crate::machine::{BlockBody, Local, Machine, OnFault, Op, OpKind, Terminator};
use crate::model::LocalKind;

/// Coalesces locals in every block.
pub fn coalesce_locals(machine: &mut Machine) {
    let Machine { blocks, locals, .. } = machine;
    blocks.iter_mut().for_each(|block| coalesce_body(&mut block.body, locals));
}

fn coalesce_body(body: &mut BlockBody, locals: &IndexVec<LocalId, Local>) {
    for at in 0..body.ops.len() {
        if let Some((to, from)) = last_copy(&body.ops[at], locals)
            && !rebinds(&body.ops[at + 1..], &body.terminator, &[to, from])
        {
            body.ops[at].kind = OpKind::Alias { to, from };
        }
    }
    body.bodies_mut().into_iter().for_each(|inner| coalesce_body(inner, locals));
}

/// Returns `(to, from)` if the operation sets a local to another one of its kind, which nothing
/// reads afterwards.
fn last_copy(op: &Op, locals: &IndexVec<LocalId, Local>) -> Option<(LocalId, LocalId)> {
    let kind = |local: LocalId| locals[local].kind;
    match op.kind {
        OpKind::Let { local, value: Expr::Local(from) }
            if !op.live_after.contains(&from)
                && !op.unread.contains(&local)
                && kind(local) == kind(from)
                && matches!(kind(local), LocalKind::Value | LocalKind::Variable) =>
        {
            Some((local, from))
        }
        _ => None,
    }
}

/// Returns `true` if a later operation binds one of the locals again. A change in place does not.
fn rebinds(ops: &[Op], end: &Terminator, locals: &[LocalId]) -> bool {
    let binds = |op: &Op| match &op.kind {
        OpKind::Run(_) => false,
        OpKind::Let { local, value } if value.edited() == Some(*local) => false,
        kind => kind.sets().iter().any(|local| locals.contains(local)),
    };
    let rebinds_inside = |body: &BlockBody| rebinds(&body.ops, &body.terminator, locals);
    let handles = |op: &Op| matches!(&op.on_fault, Some(OnFault::Run(handler)) if rebinds_inside(handler));
    ops.iter().any(|op| binds(op) || handles(op)) || end.bodies().into_iter().any(rebinds_inside)
}
