//! Pass that computes the parameters of blocks and the payloads of resume points by liveness: the
//! locals that are read later, and no others.
//!
//! After this pass parameters and payloads are final, dead operations are removed, and every
//! operation lists the locals that are live after it.

use super::order::{WorkList, postorder};
use crate::expr::{Expr, LocalId};
use crate::index::IndexVec;
use crate::machine::{
    Block, BlockBody, BlockId, Local, Machine, OnFault, Op, OpKind, ResumePoint, ResumePointId, ResumePointKind,
    Terminator,
};
use crate::model::LocalKind;
use std::collections::BTreeSet;

type Set = BTreeSet<LocalId>;

/// Computes parameters, payloads and `live_after`.
pub fn compute_liveness(machine: &mut Machine) {
    let faults = machine.blocks.iter().map(|block| block.body.handled_fault()).collect();
    let receivers = machine.blocks.iter().map(receive_handler).collect();
    let blocks = IndexVec::filled_like(&machine.blocks, Set::new());
    let on_timeout = machine.on_timeout.map(|(_, document)| document);
    let mut live = Live { blocks, faults, receivers, points: machine.points.clone(), on_timeout };
    // The sets only grow, so the loop ends. The order visits a block after the blocks that it
    // needs, whatever the order of the states.
    let needs: IndexVec<BlockId, Vec<BlockId>> = machine.blocks.iter().map(|block| live.needs(&block.body)).collect();
    let mut needed_by = IndexVec::filled_like(&needs, Vec::new());
    for (at, needs) in needs.entries() {
        needs.iter().for_each(|need| needed_by[*need].push(at));
    }
    let mut open = WorkList::new(postorder(&needs, needs.ids()), &needs);
    while let Some(at) = open.next() {
        let needed = live.before_body(&machine.blocks[at].body);
        if needed != live.blocks[at] {
            live.blocks[at] = needed;
            needed_by[at].iter().for_each(|user| open.open(*user));
        }
    }
    for (at, block) in machine.blocks.entries_mut() {
        live.settle_body(&mut block.body);
        block.params = live.blocks[at].iter().copied().collect();
        // A handler receives the fault as its last parameter from all callers.
        let fault = live.faults[at];
        block.params.sort_by_key(|local| (Some(*local) == fault, *local));
        debug_assert!(has_one_fault(&block.params, &machine.locals), "`{}` takes two faults", block.name);
    }
    for at in machine.points.ids() {
        let mut payload: Vec<LocalId> = live.at_point(at).into_iter().collect();
        machine.sort_payload(&mut payload);
        machine.points[at].payload = payload;
    }
}

/// Returns `true` if at most one local is a fault. All faults have the name `fault`.
fn has_one_fault(locals: &[LocalId], table: &IndexVec<LocalId, Local>) -> bool {
    locals.iter().filter(|local| table[**local].kind == LocalKind::Fault).count() <= 1
}

/// Returns the handler of a fault that arrives in place of the block's awaited result.
fn receive_handler(block: &Block) -> Option<BlockId> {
    match block.body.ops.first() {
        Some(op @ Op { kind: OpKind::Receive(_), .. }) => op.handler(),
        _ => None,
    }
}

struct Live {
    /// The live locals at the entry of each block.
    blocks: IndexVec<BlockId, Set>,
    /// The fault parameter of each handler.
    faults: IndexVec<BlockId, Option<LocalId>>,
    /// The handler of faults in place of the result that each block receives.
    receivers: IndexVec<BlockId, Option<BlockId>>,
    points: IndexVec<ResumePointId, ResumePoint>,
    /// The local that the top level carries at every resume point.
    on_timeout: Option<LocalId>,
}

impl Live {
    /// Returns the blocks that determine the needs of a body: the blocks that it calls, and the
    /// blocks after its resume points.
    fn needs(&self, body: &BlockBody) -> Vec<BlockId> {
        let mut found = body.calls();
        body.walk(&mut |body| match &body.terminator {
            Terminator::Wait { point, .. } | Terminator::Handle { retry: Some((.., point)), .. } => {
                self.needs_of_point(*point, &mut found);
            }
            _ => {}
        });
        found
    }

    fn needs_of_point(&self, point: ResumePointId, found: &mut Vec<BlockId>) {
        let kind = &self.points[point].kind;
        let block = kind.block();
        found.push(block);
        found.extend(self.receivers[block]);
        match kind {
            ResumePointKind::Enter(_) | ResumePointKind::Resume(_) | ResumePointKind::Elapsed(_) => {}
            ResumePointKind::Fork(_, children) => children.iter().for_each(|child| self.needs_of_point(*child, found)),
            ResumePointKind::ForEach { child, .. } => self.needs_of_point(*child, found),
        }
    }

    fn before_body(&self, body: &BlockBody) -> Set {
        let mut live = self.before_end(&body.terminator);
        for op in body.ops.iter().rev() {
            self.before_op(op, &mut live);
        }
        live
    }

    fn before_op(&self, op: &Op, live: &mut Set) {
        if is_dead(&op.kind, live) {
            return;
        }
        let reads = match &op.kind {
            OpKind::Assign(values) => {
                let needed = values.iter().filter(|(local, value)| is_needed(*local, value, live));
                needed.flat_map(|(_, value)| value.locals()).collect()
            }
            kind => kind.reads(),
        };
        for local in op.kind.sets() {
            live.remove(&local);
        }
        live.extend(reads);
        // The resume point passes such a fault to its handler; the block does not.
        if !matches!(op.kind, OpKind::Receive(_)) {
            live.extend(self.at_fault(op.on_fault.as_ref()));
        }
    }

    fn before_end(&self, end: &Terminator) -> Set {
        match end {
            Terminator::Goto { block, .. } => self.blocks[*block].clone(),
            Terminator::Wait { command, point, on_fault, .. } => {
                let mut live = self.at_point(*point);
                live.extend(command.locals());
                live.extend(self.at_handler(*on_fault));
                live
            }
            Terminator::Done(output) | Terminator::Terminate(output) | Terminator::FailWith(output) => {
                output.locals().into_iter().collect()
            }
            Terminator::Fail { error, cause } => error.iter().chain(cause).flat_map(Expr::locals).collect(),
            Terminator::Raise { fault, handler } => {
                let mut live = self.at_handler(*handler);
                live.insert(*fault);
                live
            }
            Terminator::Choose { arms, otherwise, on_fault } => {
                let mut live = self.before_body(otherwise);
                live.extend(self.at_handler(*on_fault));
                for (condition, body) in arms {
                    live.extend(condition.locals());
                    live.extend(self.before_body(body));
                }
                live
            }
            Terminator::Handle { fault, retry, catchers, otherwise } => {
                let mut live = self.before_body(otherwise);
                for (_, body) in catchers {
                    live.extend(self.before_body(body));
                }
                if let Some((_, counters, point)) = retry {
                    live.extend(self.at_point(*point));
                    live.insert(*counters);
                }
                live.insert(*fault);
                live
            }
        }
    }

    /// Returns the live locals at the entry of the handler of an operation, without its fault.
    fn at_fault(&self, on_fault: Option<&OnFault>) -> Set {
        match on_fault {
            None => Set::new(),
            Some(OnFault::Call(handler)) => self.at_handler(Some(*handler)),
            Some(OnFault::Run(body)) => {
                let mut live = self.before_body(body);
                body.handled_fault().iter().for_each(|fault| _ = live.remove(fault));
                live
            }
        }
    }

    /// Returns the live locals at the entry of a handler, without its fault.
    fn at_handler(&self, handler: Option<BlockId>) -> Set {
        let Some(handler) = handler else { return Set::new() };
        let mut live = self.blocks[handler].clone();
        if let Some(fault) = self.faults[handler] {
            live.remove(&fault);
        }
        live
    }

    /// Returns the payload of a resume point: the needs of its block and of the frames that it
    /// starts.
    fn at_point(&self, point: ResumePointId) -> Set {
        let kind = &self.points[point].kind;
        let block = kind.block();
        let mut live = self.blocks[block].clone();
        live.extend(self.at_handler(self.receivers[block]));
        live.extend(self.on_timeout.filter(|_| self.points[point].is_top_level()));
        match kind {
            ResumePointKind::Enter(_) | ResumePointKind::Resume(_) | ResumePointKind::Elapsed(_) => {}
            ResumePointKind::Fork(_, children) => children.iter().for_each(|child| live.extend(self.at_point(*child))),
            ResumePointKind::ForEach { child, item, .. } => {
                let mut child = self.at_point(*child);
                child.remove(item);
                live.extend(child);
            }
        }
        live
    }

    /// Removes dead operations and fills in `live_after`.
    fn settle_body(&self, body: &mut BlockBody) {
        match &mut body.terminator {
            Terminator::Choose { arms, otherwise, .. } => {
                arms.iter_mut().for_each(|(_, body)| self.settle_body(body));
                self.settle_body(otherwise);
            }
            Terminator::Handle { catchers, otherwise, .. } => {
                catchers.iter_mut().for_each(|(_, body)| self.settle_body(body));
                self.settle_body(otherwise);
            }
            Terminator::Wait { point, on_fault, live_after, .. } => {
                *live_after = self.at_point(*point);
                live_after.extend(self.at_handler(*on_fault));
            }
            Terminator::Goto { .. }
            | Terminator::Done(_)
            | Terminator::Terminate(_)
            | Terminator::Fail { .. }
            | Terminator::FailWith(_)
            | Terminator::Raise { .. } => {}
        }
        let mut live = self.before_end(&body.terminator);
        let mut kept = Vec::new();
        for mut op in std::mem::take(&mut body.ops).into_iter().rev() {
            if is_dead(&op.kind, &live) {
                continue;
            }
            if let Some(OnFault::Run(handler)) = &mut op.on_fault {
                self.settle_body(handler);
            }
            if let OpKind::Assign(values) = &mut op.kind {
                values.retain(|(local, value)| is_needed(*local, value, &live));
            }
            op.unread = op.kind.sets().into_iter().filter(|local| !live.contains(local)).collect();
            op.live_after = live.clone();
            op.kind.sets().iter().for_each(|local| _ = op.live_after.remove(local));
            op.live_after.extend(self.at_fault(op.on_fault.as_ref()));
            self.before_op(&op, &mut live);
            kept.push(op);
        }
        kept.reverse();
        body.ops = kept;
    }
}

/// Returns `true` if an operation has no observable effect.
fn is_dead(kind: &OpKind, live: &Set) -> bool {
    match kind {
        OpKind::Let { local, value } => !is_needed(*local, value, live),
        OpKind::Assign(values) => !values.iter().any(|(local, value)| is_needed(*local, value, live)),
        OpKind::Declare(local) | OpKind::NewRetries(local) => !live.contains(local),
        OpKind::Alias { to, .. } | OpKind::PassFault { to, .. } => !live.contains(to),
        OpKind::BeginRetryBlock { .. } | OpKind::RenumberCalls { .. } => false,
        OpKind::Enter { .. } | OpKind::Receive(_) | OpKind::Run(_) | OpKind::Locate(_) | OpKind::Inspect { .. } => {
            false
        }
    }
}

/// Returns `true` if a local is read later, or if its value can fail.
fn is_needed(local: LocalId, value: &Expr, live: &Set) -> bool {
    live.contains(&local) || value.can_fail()
}

impl OpKind {
    /// Returns the locals that the operation sets.
    pub fn sets(&self) -> Vec<LocalId> {
        match self {
            OpKind::Let { local, .. }
            | OpKind::Declare(local)
            | OpKind::NewRetries(local)
            | OpKind::BeginRetryBlock { block_retries: local, .. }
            | OpKind::Alias { to: local, .. }
            | OpKind::PassFault { to: local, .. }
            | OpKind::Receive(local) => vec![*local],
            OpKind::Assign(values) => values.iter().map(|(local, _)| *local).collect(),
            OpKind::Run(run) => run.locals(),
            OpKind::Enter { .. } | OpKind::RenumberCalls { .. } | OpKind::Locate(_) | OpKind::Inspect { .. } => {
                Vec::new()
            }
        }
    }

    /// Returns the locals that the operation reads.
    pub fn reads(&self) -> Vec<LocalId> {
        match self {
            OpKind::Enter { input, .. } => vec![*input],
            OpKind::Let { value, .. } | OpKind::Inspect { value, .. } => value.locals(),
            OpKind::Assign(values) => values.iter().flat_map(|(_, value)| value.locals()).collect(),
            OpKind::Run(run) => run.locals(),
            OpKind::RenumberCalls { block_retries, .. } => block_retries.iter().copied().collect(),
            OpKind::Locate(local) | OpKind::Alias { from: local, .. } | OpKind::PassFault { from: local, .. } => {
                vec![*local]
            }
            OpKind::Declare(_) | OpKind::NewRetries(_) | OpKind::BeginRetryBlock { .. } | OpKind::Receive(_) => {
                Vec::new()
            }
        }
    }
}
