//! Pass that drops the blocks that no resume point leads to, and numbers the others anew.
//!
//! It runs at the end of the passes that redirect jumps.

use crate::machine::{BlockId, Machine, ResumePointKind};

/// Drops the unreachable blocks.
pub fn drop_unreachable(machine: &mut Machine) {
    let mut used = vec![false; machine.blocks.len()];
    let mut open: Vec<BlockId> = machine.points.iter().map(|point| point.kind.block()).collect();
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut used[block.0 as usize], true) {
            open.extend(machine.blocks[block.0 as usize].body.calls());
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
            ResumePointKind::Enter(block) | ResumePointKind::Elapsed(block) | ResumePointKind::Resume(block) => block,
            ResumePointKind::Fork(block, _) | ResumePointKind::ForEach { block, .. } => block,
        };
        *block = places[block.0 as usize];
    }
    for block in &mut machine.blocks {
        block.body.targets_mut(&mut |block| *block = places[block.0 as usize]);
    }
}
