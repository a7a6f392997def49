//! Pass that marks the blocks whose functions take the turn: those that issue a command, notify an
//! observer or evaluate an expression with the turn, and those that call such a block.
//!
//! After this pass, [`Block::takes_turn`](crate::machine::Block::takes_turn) is final. No function
//! takes a turn that it does not use.

use crate::expr::{Expr, Script};
use crate::hir::Workflow;
use crate::index::IndexVec;
use crate::machine::{BlockId, Machine, Op, OpKind, Terminator};

/// Marks the blocks, from those that use the turn themselves to their callers.
pub fn mark_turns(machine: &mut Machine, workflow: &Workflow) {
    let mut callers: IndexVec<BlockId, Vec<BlockId>> = IndexVec::filled_like(&machine.blocks, Vec::new());
    let mut open = Vec::new();
    for (at, block) in machine.blocks.entries() {
        let mut uses_turn = false;
        block.body.walk(&mut |body| {
            uses_turn |= body.ops.iter().any(|op| op_uses_turn(op, workflow)) || end_uses_turn(&body.terminator);
            body.direct_calls().for_each(|callee| callers[callee].push(at));
        });
        if uses_turn {
            open.push(at);
        }
    }
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut machine.blocks[at].takes_turn, true) {
            open.extend(&callers[at]);
        }
    }
}

/// Returns `true` if the code of an operation uses the turn, apart from a handler of its fault.
fn op_uses_turn(op: &Op, workflow: &Workflow) -> bool {
    match &op.kind {
        OpKind::Enter { .. }
        | OpKind::BeginRetryBlock { .. }
        | OpKind::RenumberCalls { .. }
        | OpKind::Locate(_)
        | OpKind::Inspect { .. } => true,
        OpKind::Let { value, .. } => evaluates_with_turn(value),
        OpKind::Assign(values) => values.iter().any(|(_, value)| evaluates_with_turn(value)),
        OpKind::Run(run) => !matches!(workflow.scripts[run.script].code, Script::Rust { .. }),
        OpKind::Alias { .. }
        | OpKind::Declare(_)
        | OpKind::NewRetries(_)
        | OpKind::Receive(_)
        | OpKind::PassFault { .. } => false,
    }
}

/// Returns `true` if the code of a terminator uses the turn, apart from the bodies inside it and
/// calls of blocks.
fn end_uses_turn(end: &Terminator) -> bool {
    match end {
        // The turn takes the command.
        Terminator::Wait { .. } => true,
        Terminator::Done(value) | Terminator::Terminate(value) | Terminator::FailWith(value) => {
            evaluates_with_turn(value)
        }
        Terminator::Fail { error, cause } => error.iter().chain(cause).any(evaluates_with_turn),
        Terminator::Choose { arms, .. } => arms.iter().any(|(condition, _)| evaluates_with_turn(condition)),
        Terminator::Handle { retry, .. } => retry.is_some(),
        Terminator::Goto { .. } | Terminator::Raise { .. } => false,
    }
}

/// Returns `true` if the code of an expression uses the turn: for the context object, for a
/// function that takes it, or for a program that takes it or runs within its limits.
fn evaluates_with_turn(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |inner| {
        found |= match inner {
            Expr::Context => true,
            Expr::Call(call) => call.function.turn,
            Expr::Apply(apply) => apply.program.signature().mentions_turn(),
            _ => false,
        };
    });
    found
}
