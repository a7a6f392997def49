//! Pass that merges a block into the only block that jumps to it, and the handler of a fault into
//! the only operation whose fault it handles, or the only handler that passes a fault on to it.
//!
//! After this pass, a block has a single predecessor only if it is one of these:
//!
//! * the first block of a state, or the target of a resume point;
//! * the handler of faults of several values, or of a fault in place of an awaited result;
//! * a block to which its predecessor jumps from several places;
//! * a block whose predecessor has more than [`MAX_OPS`] operations, or is nested in more than
//!   [`MAX_DEPTH`] conditions or [`MAX_NESTING`] bodies.

use crate::expr::{Expr, Fallibility, LocalId};
use crate::index::IndexVec;
use crate::machine::{BlockBody, BlockId, Machine, OnFault, Op, OpKind, Terminator};
use std::collections::BTreeSet;

/// The maximum number of conditions around a block that is merged. Deeper code is hard to read.
const MAX_DEPTH: u32 = 4;

/// The maximum number of bodies around a block that is merged. Passes and the emitter recurse into
/// bodies.
const MAX_NESTING: u32 = 64;

/// The number of operations above which nothing is merged into a body.
const MAX_OPS: usize = 500;

/// Merges the blocks of a machine whose blocks are all reachable. The merged ones remain,
/// unreachable.
pub fn merge_blocks(machine: &mut Machine) {
    let is_merged = single_targets(machine);
    let roots = is_merged.entries().filter(|(_, is_merged)| !**is_merged).map(|(block, _)| block).collect();
    let mut merging = Merging { machine, is_merged, roots };
    while let Some(root) = merging.roots.pop() {
        let mut body = merging.take(root);
        merging.absorb(&mut body, 0, 0);
        merging.machine.blocks[root].body = body;
    }
}

/// Returns for each block whether a single jump or fault leads to it, and nothing else.
fn single_targets(machine: &mut Machine) -> IndexVec<BlockId, bool> {
    let mut jumps = IndexVec::filled_like(&machine.blocks, 0);
    let mut uses = jumps.clone();
    for point in &machine.points {
        uses[point.kind.block()] += 1;
    }
    for block in &mut machine.blocks {
        block.body.calls().iter().for_each(|target| uses[*target] += 1);
        block.body.gotos_mut(&mut |target, _| jumps[target] += 1);
        block.body.walk(&mut |body| {
            let single = body.ops.iter().filter(|op| raises_once(&op.kind));
            single.filter_map(Op::handler).for_each(|handler| jumps[handler] += 1);
            if let Terminator::Raise { handler: Some(handler), .. } = &body.terminator {
                jumps[*handler] += 1;
            }
        });
    }
    let begins_state = |block: &BlockBody| matches!(block.ops.first(), Some(Op { kind: OpKind::Enter { .. }, .. }));
    let blocks = machine.blocks.entries();
    blocks.map(|(at, block)| jumps[at] == 1 && uses[at] == 1 && !begins_state(&block.body)).collect()
}

/// Returns `true` for an operation with a single value whose fault goes to its handler.
fn raises_once(kind: &OpKind) -> bool {
    match kind {
        OpKind::Let { .. } => true,
        OpKind::Assign(values) => {
            values.iter().filter(|(_, value)| value.fallibility() == Fallibility::Catchable).count() == 1
        }
        _ => false,
    }
}

/// Returns the only block that follows, and the fault that is passed on to it.
fn successor(terminator: &Terminator) -> Option<(BlockId, Option<LocalId>)> {
    match terminator {
        Terminator::Goto { block, .. } => Some((*block, None)),
        Terminator::Raise { fault, handler: Some(handler) } => Some((*handler, Some(*fault))),
        _ => None,
    }
}

struct Merging<'a> {
    machine: &'a mut Machine,
    /// The blocks that are merged into their predecessors.
    is_merged: IndexVec<BlockId, bool>,
    /// The blocks that remain, and into which others are still to be merged.
    roots: Vec<BlockId>,
}

impl Merging<'_> {
    /// Merges the targets of the jumps of a body, which is nested in `depth` conditions and
    /// `nesting` bodies.
    fn absorb(&mut self, body: &mut BlockBody, depth: u32, nesting: u32) {
        while let Some((target, raised)) = successor(&body.terminator)
            && self.is_merged[target]
        {
            if depth > MAX_DEPTH || nesting > MAX_NESTING || body.ops.len() > MAX_OPS {
                self.keep(target);
                break;
            }
            let BlockBody { ops, terminator } = self.take(target);
            if let (Some(from), Terminator::Handle { fault, .. }) = (raised, &terminator) {
                let kind = OpKind::PassFault { to: *fault, from };
                body.ops.push(Op { kind, on_fault: None, unread: BTreeSet::new(), live_after: BTreeSet::new() });
            }
            body.ops.extend(ops);
            body.terminator = terminator;
        }
        for op in &mut body.ops {
            self.absorb_handler(op, depth, nesting);
        }
        match &mut body.terminator {
            Terminator::Choose { arms, otherwise, .. } => {
                arms.iter_mut().for_each(|(_, arm)| self.absorb(arm, depth + 1, nesting + 1));
                self.absorb(otherwise, depth + 1, nesting + 1);
            }
            Terminator::Handle { catchers, otherwise, .. } => {
                catchers.iter_mut().for_each(|(_, catcher)| self.absorb(catcher, depth + 1, nesting + 1));
                // The code after the last catcher is no deeper than the handler.
                self.absorb(otherwise, depth, nesting + 1);
            }
            Terminator::Goto { .. }
            | Terminator::Wait { .. }
            | Terminator::Done(_)
            | Terminator::Terminate(_)
            | Terminator::Fail { .. }
            | Terminator::FailWith(_)
            | Terminator::Raise { .. } => {}
        }
    }

    /// Merges the handler of an operation, which is nested in `depth` conditions and `nesting`
    /// bodies.
    fn absorb_handler(&mut self, op: &mut Op, depth: u32, nesting: u32) {
        let Some(handler) = op.handler().filter(|handler| self.is_merged[*handler]) else { return };
        if depth > MAX_DEPTH || nesting > MAX_NESTING {
            return self.keep(handler);
        }
        let mut body = self.take(handler);
        self.absorb(&mut body, depth + 1, nesting + 1);
        op.on_fault = Some(OnFault::Run(Box::new(body)));
    }

    /// Keeps a block that would be nested too deeply.
    fn keep(&mut self, block: BlockId) {
        self.is_merged[block] = false;
        self.roots.push(block);
    }

    fn take(&mut self, block: BlockId) -> BlockBody {
        let nothing = BlockBody { ops: Vec::new(), terminator: Terminator::Done(Expr::NULL) };
        std::mem::replace(&mut self.machine.blocks[block].body, nothing)
    }
}
