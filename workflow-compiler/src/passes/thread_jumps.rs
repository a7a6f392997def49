//! This pass lets points and transitions lead past blocks that do nothing but lead on.
//!
//! After this point no block is only a transition, unless nothing leads to it.

use crate::machine::{Block, BlockId, End, Machine, PointKind};

/// Threads the jumps and drops the blocks that are left without use.
pub fn thread_jumps(machine: &mut Machine) {
    let targets: Vec<BlockId> =
        (0..machine.blocks.len()).map(|at| target(&machine.blocks, BlockId(at as u32))).collect();
    let thread = |block: &mut BlockId| *block = targets[block.0 as usize];
    for point in &mut machine.points {
        match &mut point.kind {
            PointKind::Enter(block) | PointKind::Elapsed(block) => thread(block),
            // These receive something: their blocks do more than lead on.
            PointKind::Resume(_) | PointKind::Fork(..) | PointKind::ForEach { .. } => {}
        }
    }
    for block in &mut machine.blocks {
        block.tail.targets_mut(&mut |block| thread(block));
    }
    drop_unused(machine);
}

/// Where a block leads without doing anything. Circles of such blocks are left alone.
fn target(blocks: &[Block], from: BlockId) -> BlockId {
    let mut at = from;
    for _ in 0..blocks.len() {
        let block = &blocks[at.0 as usize];
        match &block.tail.end {
            End::Goto { block: next, .. } if block.tail.ops.is_empty() => at = *next,
            _ => return at,
        }
    }
    from
}

fn drop_unused(machine: &mut Machine) {
    let mut used = vec![false; machine.blocks.len()];
    let mut open: Vec<BlockId> = machine.points.iter().map(|point| point.kind.block()).collect();
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut used[block.0 as usize], true) {
            open.extend(machine.blocks[block.0 as usize].tail.calls());
        }
    }
    let mut places = Vec::with_capacity(used.len());
    let mut kept = 0;
    for used in &used {
        places.push(BlockId(kept));
        kept += u32::from(*used);
    }
    let mut flags = used.iter();
    machine.blocks.retain(|_| *flags.next().unwrap_or(&true));
    for point in &mut machine.points {
        let block = match &mut point.kind {
            PointKind::Enter(block) | PointKind::Elapsed(block) | PointKind::Resume(block) => block,
            PointKind::Fork(block, _) | PointKind::ForEach { block, .. } => block,
        };
        *block = places[block.0 as usize];
    }
    for block in &mut machine.blocks {
        block.tail.targets_mut(&mut |block| *block = places[block.0 as usize]);
    }
}
