//! Pass that marks the blocks whose functions take the turn: those that issue a command, notify an
//! observer or evaluate an expression with the turn, and those that call such a block.
//!
//! After this pass, [`Block::takes_turn`](crate::machine::Block::takes_turn) is final. No function
//! takes a turn that it does not use.

use crate::expr::{Expr, Script};
use crate::hir::Workflow;
use crate::index::IndexVec;
use crate::machine::{BlockBody, BlockId, Machine, OnFault, Op, OpKind, Terminator};

/// Marks the blocks, from those that use the turn themselves to their callers.
pub fn mark_turns(machine: &mut Machine, workflow: &Workflow) {
    let mut callers: IndexVec<BlockId, Vec<BlockId>> = IndexVec::filled_like(&machine.blocks, Vec::new());
    let mut open = Vec::new();
    for (at, block) in machine.blocks.entries() {
        if uses_turn(&block.body, workflow) {
            open.push(at);
        }
        block.body.walk(&mut |body| {
            let handlers = body.ops.iter().filter_map(callee_at_fault);
            handlers.chain(callee_at_end(&body.terminator)).for_each(|callee| callers[callee].push(at));
        });
    }
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut machine.blocks[at].takes_turn, true) {
            open.extend(&callers[at]);
        }
    }
}

/// Returns the block that the operation calls with its fault. The resume point, not the block,
/// passes on a fault in place of the awaited result.
fn callee_at_fault(op: &Op) -> Option<BlockId> {
    match op.kind {
        OpKind::Receive(_) => None,
        _ => op.handler(),
    }
}

/// Returns the block that the terminator itself calls.
fn callee_at_end(end: &Terminator) -> Option<BlockId> {
    match end {
        Terminator::Goto { block, bounce: None } => Some(*block),
        Terminator::Wait { on_fault, .. } | Terminator::Choose { on_fault, .. } => *on_fault,
        Terminator::Raise { handler, .. } => *handler,
        // The runtime enters the block of a bounce.
        Terminator::Goto { bounce: Some(_), .. }
        | Terminator::Done(_)
        | Terminator::Terminate(_)
        | Terminator::Fail { .. }
        | Terminator::FailWith(_)
        | Terminator::Handle { .. } => None,
    }
}

/// Returns `true` if a body uses the turn, apart from calls of blocks.
fn uses_turn(body: &BlockBody, workflow: &Workflow) -> bool {
    body.ops.iter().any(|op| op_uses_turn(op, workflow))
        || end_uses_turn(&body.terminator)
        || body.terminator.bodies().into_iter().any(|body| uses_turn(body, workflow))
}

fn op_uses_turn(op: &Op, workflow: &Workflow) -> bool {
    let uses = match &op.kind {
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
    };
    uses || matches!(&op.on_fault, Some(OnFault::Run(handler)) if uses_turn(handler, workflow))
}

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
            Expr::Apply(apply) => {
                let signature = apply.program.signature();
                signature.takes_turn || signature.needs_engine || signature.has_limits || signature.takes_time
            }
            _ => false,
        };
    });
    found
}
