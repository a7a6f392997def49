//! Pass that reads settings at their use, so that no resume point has to carry them.
//!
//! After this pass only settings that stand for authored variables are locals.

use crate::expr::{Arg, Expr, Fallibility, Function, Type};
use crate::hir::Workflow;
use crate::machine::Machine;
use crate::model::LocalKind;
use std::collections::BTreeMap;

/// The call `Turn::setting`, which yields a value that was given when the execution started.
pub static SETTING: Function = Function {
    path: "setting",
    returns: Type::Value,
    fallibility: Fallibility::Infallible,
    turn: true,
    context: false,
};

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
        block.body.exprs_mut(&mut |expr| {
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
