//! Pass that drops the blocks that no resume point leads to. It runs after `thread_jumps` and
//! `merge_blocks`.

use crate::index::IndexVec;
use crate::machine::{BlockId, Machine};

/// Drops the unreachable blocks.
pub fn drop_unreachable(machine: &mut Machine) {
    let mut used = IndexVec::filled_like(&machine.blocks, false);
    let mut open: Vec<BlockId> = machine.points.iter().map(|point| point.kind.block()).collect();
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut used[block], true) {
            open.extend(machine.block(block).body.calls());
        }
    }
    let kept: Vec<BlockId> = used.entries().filter(|(_, used)| **used).map(|(block, _)| block).collect();
    machine.keep_blocks(&kept);
}
