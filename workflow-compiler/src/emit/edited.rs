//! The locals that blocks edit in place.

use crate::expr::LocalId;
use crate::machine::{BlockBody, OnFault, Op, OpKind, Terminator};
use std::collections::BTreeSet;

/// Returns the locals that a body edits in place before it binds them. Their bindings are mutable.
fn edited(body: &BlockBody) -> BTreeSet<LocalId> {
    let mut found = edited_at_end(&body.terminator);
    body.ops.iter().rev().for_each(|op| add_edited(op, &mut found));
    found
}

/// Adds the locals that an operation edits to those that are edited after it.
pub fn add_edited(op: &Op, found: &mut BTreeSet<LocalId>) {
    if let OpKind::Alias { to, from } = op.kind
        && found.contains(&to)
    {
        found.insert(from);
    }
    op.kind.sets().iter().for_each(|local| _ = found.remove(local));
    match &op.kind {
        OpKind::Let { local, value } if value.edited() == Some(*local) => _ = found.insert(*local),
        OpKind::Run(run) => found.extend(run.locals()),
        _ => {}
    }
    if let Some(OnFault::Run(handler)) = &op.on_fault {
        found.extend(edited(handler));
    }
}

/// Returns the locals that a terminator edits in place before it binds them.
pub fn edited_at_end(end: &Terminator) -> BTreeSet<LocalId> {
    let mut found: BTreeSet<LocalId> = end.bodies().into_iter().flat_map(edited).collect();
    if let Terminator::Handle { retry: Some((_, counters, _)), .. } = end {
        found.insert(*counters);
    }
    found
}
