//! Pass that names the function of every program that an expression applies. Equal programs become
//! one function.
//!
//! After this pass all items of the module are named.

use crate::expr::{Expr, Program};
use crate::machine::Machine;
use crate::names::Names;
use std::sync::Arc;

/// Collects the programs of a machine in the order of its blocks.
pub fn name_programs(machine: &mut Machine, mut names: Names) {
    let mut programs: Vec<(String, Arc<Program>)> = Vec::new();
    for block in &mut machine.blocks {
        block.body.exprs_mut(&mut |expr| {
            expr.walk(&mut |inner| {
                if let Expr::Apply(apply) = inner
                    && programs.iter().all(|(_, known)| *known != apply.program)
                {
                    // A program for an engine becomes a constant.
                    let name = match apply.program.signature().needs_engine {
                        true => names.constant(&apply.name),
                        false => names.function(&apply.name),
                    };
                    programs.push((name, Arc::clone(&apply.program)));
                }
            });
        });
    }
    machine.programs = programs;
    machine.constants = names.constants();
}
