//! Pass that names the functions of blocks after their states.
//!
//! After this pass, [`Block::name`](crate::machine::Block::name) is final.

use super::names::Names;
use crate::machine::Machine;

/// Names the functions in the order of their blocks.
pub fn name_functions(machine: &mut Machine, names: &mut Names) {
    for block in &mut machine.blocks {
        block.name = names.function(&block.label);
    }
}
