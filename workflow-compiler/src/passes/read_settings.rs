//! This pass reads the settings of an execution where they are used, so that no point has to carry them.
//!
//! After this point only settings that stand for variables of the author's are locals.

use crate::expr::{Arg, Expr, Fails, Function, Type};
use crate::hir::{LocalKind, Workflow};
use crate::machine::Machine;
use std::collections::BTreeMap;

/// `Turn::setting`: a value that was given when the execution started.
pub static SETTING: Function =
    Function { path: "setting", returns: Type::Value, fails: Fails::Never, turn: true, context: false };

/// Replaces the locals of settings by calls.
pub fn read_settings(machine: &mut Machine, workflow: &Workflow) {
    let settings: BTreeMap<_, _> = workflow
        .settings
        .iter()
        .filter(|(local, _)| workflow.local(*local).kind == LocalKind::Value)
        .map(|(local, name)| (*local, Expr::call(&SETTING, vec![Arg::Str(name.as_str().into())])))
        .collect();
    if settings.is_empty() {
        return;
    }
    for block in &mut machine.blocks {
        block.tail.exprs_mut(&mut |expr| {
            expr.walk_mut(&mut |inner| {
                if let Expr::Local(local) = inner
                    && let Some(call) = settings.get(local)
                {
                    *inner = call.clone();
                }
            });
        });
    }
}
