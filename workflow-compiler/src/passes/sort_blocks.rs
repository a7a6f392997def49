//! Pass that sorts the blocks into the order in which a person reads them: a scope after the
//! scopes around it, the states of a scope as in the definition, and the blocks of a state along
//! its control flow, handlers last.

use crate::hir::Workflow;
use crate::index::IndexVec;
use crate::machine::{BlockId, Machine, Terminator};
use std::collections::BTreeMap;

/// Sorts the blocks.
pub fn sort_blocks(machine: &mut Machine, workflow: &Workflow) {
    let mut order: Vec<BlockId> = machine.blocks.ids().collect();
    let rank = ranks(machine, workflow);
    order.sort_by_key(|block| rank[*block]);
    let mut sorted = Vec::with_capacity(order.len());
    let mut seen = IndexVec::filled_like(&machine.blocks, false);
    for root in order {
        let mut open = vec![root];
        while let Some(block) = open.pop() {
            let is_here = rank[block] == rank[root];
            if is_here && !std::mem::replace(&mut seen[block], true) {
                sorted.push(block);
                open.extend(successors(machine, block).into_iter().rev());
            }
        }
    }
    machine.keep_blocks(&sorted);
}

/// Returns the position of each block's state in the definition: its scope, and its number there.
/// The entry of a scope precedes its states.
fn ranks(machine: &Machine, workflow: &Workflow) -> IndexVec<BlockId, (u32, usize)> {
    let scopes = (0..).zip(&workflow.scopes);
    let states = scopes.flat_map(|(scope, content)| {
        (1..).zip(&content.states).map(move |(at, state)| ((scope, &*state.name.value), at))
    });
    let states: BTreeMap<(u32, &str), usize> = states.collect();
    let rank = |scope: u32, state: &str| (scope, states.get(&(scope, state)).copied().unwrap_or_default());
    let of_block = machine.blocks.iter().map(|block| match &block.origin {
        Some(origin) => rank(origin.scope.0, &origin.state),
        None => (block.scope.0, 0),
    });
    of_block.collect()
}

/// Returns the blocks that follow a block, in the order of its code. Handlers come last.
fn successors(machine: &Machine, block: BlockId) -> Vec<BlockId> {
    let (mut next, body) = (Vec::new(), &machine.block(block).body);
    body.walk(&mut |body| match &body.terminator {
        Terminator::Goto { block, .. } => next.push(*block),
        Terminator::Wait { point, .. } | Terminator::Handle { retry: Some((.., point)), .. } => {
            next.push(machine.point(*point).kind.block());
        }
        Terminator::Done(_)
        | Terminator::Terminate(_)
        | Terminator::Fail { .. }
        | Terminator::FailWith(_)
        | Terminator::Raise { .. }
        | Terminator::Choose { .. }
        | Terminator::Handle { retry: None, .. } => {}
    });
    next.extend(body.calls());
    next
}
