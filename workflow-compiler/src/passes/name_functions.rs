//! Pass that names the functions of blocks after their states.
//!
//! After this pass, [`Block::name`](crate::machine::Block::name) is final.

use crate::machine::{Block, Machine};
use crate::model::ScopeId;
use crate::names::Names;
use std::collections::BTreeMap;

/// Names the functions in the order of their blocks: by the state and the role of the block, and
/// by what the state has awaited before it, where a state has several blocks of one role.
pub fn name_functions(machine: &mut Machine, names: &mut Names) {
    let mut count: BTreeMap<(ScopeId, String), usize> = BTreeMap::new();
    for block in &machine.blocks {
        *count.entry(short(block)).or_default() += 1;
    }
    for block in &mut machine.blocks {
        let label = &block.label;
        block.name = match count[&short(block)] {
            1 => names.function(&label.short()),
            _ => names.function(&label.long()),
        };
    }
}

fn short(block: &Block) -> (ScopeId, String) {
    (block.scope, block.label.short())
}
