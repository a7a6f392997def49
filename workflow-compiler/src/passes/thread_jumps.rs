//! Pass that redirects resume points and transitions past blocks that only jump (jump threading).
//!
//! After this pass no reachable block only jumps, except in a cycle of such blocks.

use crate::index::IndexVec;
use crate::machine::{Block, BlockId, Machine, ResumePointKind, Terminator};

/// Threads the jumps. Blocks that only jump remain, unreachable.
pub fn thread_jumps(machine: &mut Machine) {
    let targets: IndexVec<BlockId, BlockId> =
        machine.blocks.ids().map(|block| target(&machine.blocks, block)).collect();
    let thread = |block: &mut BlockId| *block = targets[*block];
    for point in &mut machine.points {
        match &mut point.kind {
            ResumePointKind::Enter(block) | ResumePointKind::Elapsed(block) => thread(block),
            // Blocks after these points receive a result, so they do more than jump.
            ResumePointKind::Resume(_) | ResumePointKind::Fork(..) | ResumePointKind::ForEach { .. } => {}
        }
    }
    for block in &mut machine.blocks {
        block.body.targets_mut(&mut |block| thread(block));
    }
}

/// Returns the final target of blocks that only jump. Cycles of such blocks stay.
fn target(blocks: &IndexVec<BlockId, Block>, from: BlockId) -> BlockId {
    let mut at = from;
    for _ in 0..blocks.len() {
        let block = &blocks[at];
        match &block.body.terminator {
            Terminator::Goto { block: next, .. } if block.body.ops.is_empty() => at = *next,
            _ => return at,
        }
    }
    from
}
