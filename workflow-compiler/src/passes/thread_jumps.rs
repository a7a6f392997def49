//! Pass that redirects resume points and transitions past blocks that only jump (jump threading).
//!
//! After this pass no reachable block only jumps, except in a cycle of such blocks.

use crate::machine::{Block, BlockId, Machine, ResumePointKind, Terminator};

/// Threads the jumps. Blocks that only jump remain, unreachable.
pub fn thread_jumps(machine: &mut Machine) {
    let targets: Vec<BlockId> =
        (0..machine.blocks.len()).map(|at| target(&machine.blocks, BlockId(at as u32))).collect();
    let thread = |block: &mut BlockId| *block = targets[block.0 as usize];
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
fn target(blocks: &[Block], from: BlockId) -> BlockId {
    let mut at = from;
    for _ in 0..blocks.len() {
        let block = &blocks[at.0 as usize];
        match &block.body.terminator {
            Terminator::Goto { block: next, .. } if block.body.ops.is_empty() => at = *next,
            _ => return at,
        }
    }
    from
}
