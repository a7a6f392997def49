//! This pass finds out what every block needs and what every point must carry: what is read afterwards, and no more.
//!
//! After this point parameters and payloads are final, operations whose value nobody reads are gone, and every operation
//! knows which locals it must leave in place.

use super::order::{WorkList, postorder};
use crate::expr::{Expr, LocalId};
use crate::machine::{Block, BlockId, End, Machine, Op, OpKind, Point, PointId, PointKind, Tail};
use std::collections::BTreeSet;

type Set = BTreeSet<LocalId>;

/// Fills in parameters, payloads and what operations keep.
pub fn infer_payloads(machine: &mut Machine) {
    let faults = machine.blocks.iter().map(handled_fault).collect();
    let receivers = machine.blocks.iter().map(receive_handler).collect();
    let blocks = vec![Set::new(); machine.blocks.len()];
    let on_timeout = machine.on_timeout.map(|(_, document)| document);
    let mut live = Live { blocks, faults, receivers, points: machine.points.clone(), on_timeout };
    // The sets only grow, so this ends. A block comes after those it needs, whatever the order of the states.
    let needs: Vec<Vec<usize>> = machine.blocks.iter().map(|block| live.needs(&block.tail)).collect();
    let mut needed_by = vec![Vec::new(); needs.len()];
    for (at, needs) in needs.iter().enumerate() {
        needs.iter().for_each(|need| needed_by[*need].push(at));
    }
    let mut open = WorkList::new(postorder(&needs, 0..needs.len()), needs.len());
    while let Some(at) = open.next() {
        let needed = live.before_tail(&machine.blocks[at].tail);
        if needed != live.blocks[at] {
            live.blocks[at] = needed;
            needed_by[at].iter().for_each(|user| open.open(*user));
        }
    }
    for (at, block) in machine.blocks.iter_mut().enumerate() {
        live.settle_tail(&mut block.tail);
        block.params = live.blocks[at].iter().copied().collect();
        // A handler takes the fault last, whoever calls it.
        let fault = live.faults[at];
        block.params.sort_by_key(|local| (Some(*local) == fault, *local));
    }
    for at in 0..machine.points.len() {
        let mut payload: Vec<LocalId> = live.at_point(PointId(at as u32)).into_iter().collect();
        machine.sort_payload(&mut payload);
        machine.points[at].payload = payload;
    }
}

/// The local that receives the fault, where the block is a handler.
fn handled_fault(block: &Block) -> Option<LocalId> {
    match block.tail.end {
        End::Handle { fault, .. } => Some(fault),
        _ => None,
    }
}

/// The handler of a fault that comes in place of the result that a block receives.
fn receive_handler(block: &Block) -> Option<BlockId> {
    match block.tail.ops.first() {
        Some(Op { kind: OpKind::Receive(_), on_fault, .. }) => *on_fault,
        _ => None,
    }
}

struct Live {
    /// What each block needs.
    blocks: Vec<Set>,
    /// The fault that each handler is given.
    faults: Vec<Option<LocalId>>,
    /// The handler of what each block receives.
    receivers: Vec<Option<BlockId>>,
    points: Vec<Point>,
    /// What the top level carries wherever it waits.
    on_timeout: Option<LocalId>,
}

impl Live {
    /// The blocks whose needs are a tail's own: those it calls, and those that run on from its points.
    fn needs(&self, tail: &Tail) -> Vec<usize> {
        let mut found: Vec<usize> = tail.calls().into_iter().map(|block| block.0 as usize).collect();
        tail.walk(&mut |tail| match &tail.end {
            End::Wait { point, .. } | End::Handle { retry: Some((.., point)), .. } => {
                self.needs_of_point(*point, &mut found);
            }
            _ => {}
        });
        found
    }

    fn needs_of_point(&self, point: PointId, found: &mut Vec<usize>) {
        let kind = &self.points[point.0 as usize].kind;
        let block = kind.block().0 as usize;
        found.push(block);
        found.extend(self.receivers[block].map(|handler| handler.0 as usize));
        match kind {
            PointKind::Enter(_) | PointKind::Resume(_) | PointKind::Elapsed(_) => {}
            PointKind::Fork(_, children) => children.iter().for_each(|child| self.needs_of_point(*child, found)),
            PointKind::ForEach { child, .. } => self.needs_of_point(*child, found),
        }
    }

    fn before_tail(&self, tail: &Tail) -> Set {
        let mut live = self.before_end(&tail.end);
        for op in tail.ops.iter().rev() {
            self.before_op(op, &mut live);
        }
        live
    }

    fn before_op(&self, op: &Op, live: &mut Set) {
        if is_dead(&op.kind, live) {
            return;
        }
        for local in op.kind.sets() {
            live.remove(&local);
        }
        live.extend(op.kind.reads());
        // A fault in place of a result is given to its handler by the point, not by the block.
        if !matches!(op.kind, OpKind::Receive(_)) {
            live.extend(self.at_handler(op.on_fault));
        }
    }

    fn before_end(&self, end: &End) -> Set {
        match end {
            End::Goto { block, .. } => self.blocks[block.0 as usize].clone(),
            End::Wait { command, point, on_fault, .. } => {
                let mut live = self.at_point(*point);
                live.extend(command.locals());
                live.extend(self.at_handler(*on_fault));
                live
            }
            End::Done(output) | End::Terminate(output) | End::FailWith(output) => output.locals().into_iter().collect(),
            End::Fail { error, cause } => error.iter().chain(cause).flat_map(Expr::locals).collect(),
            End::Raise { fault, handler } => {
                let mut live = self.at_handler(*handler);
                live.insert(*fault);
                live
            }
            End::Choose { arms, otherwise, on_fault } => {
                let mut live = self.before_tail(otherwise);
                live.extend(self.at_handler(*on_fault));
                for (condition, tail) in arms {
                    live.extend(condition.locals());
                    live.extend(self.before_tail(tail));
                }
                live
            }
            End::Handle { fault, retry, catchers, otherwise } => {
                let mut live = self.before_tail(otherwise);
                for (_, tail) in catchers {
                    live.extend(self.before_tail(tail));
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

    /// What a handler needs besides the fault, which it is given.
    fn at_handler(&self, handler: Option<BlockId>) -> Set {
        let Some(handler) = handler else { return Set::new() };
        let mut live = self.blocks[handler.0 as usize].clone();
        if let Some(fault) = self.faults[handler.0 as usize] {
            live.remove(&fault);
        }
        live
    }

    /// What a point carries: what its block needs, and what the frames it starts need.
    fn at_point(&self, point: PointId) -> Set {
        let kind = &self.points[point.0 as usize].kind;
        let block = kind.block().0 as usize;
        let mut live = self.blocks[block].clone();
        live.extend(self.at_handler(self.receivers[block]));
        live.extend(self.on_timeout.filter(|_| self.points[point.0 as usize].is_top_level()));
        match kind {
            PointKind::Enter(_) | PointKind::Resume(_) | PointKind::Elapsed(_) => {}
            PointKind::Fork(_, children) => children.iter().for_each(|child| live.extend(self.at_point(*child))),
            PointKind::ForEach { child, item, .. } => {
                let mut child = self.at_point(*child);
                child.remove(item);
                live.extend(child);
            }
        }
        live
    }

    /// Drops dead operations, and notes what each operation must leave in place.
    fn settle_tail(&self, tail: &mut Tail) {
        match &mut tail.end {
            End::Choose { arms, otherwise, .. } => {
                arms.iter_mut().for_each(|(_, tail)| self.settle_tail(tail));
                self.settle_tail(otherwise);
            }
            End::Handle { catchers, otherwise, .. } => {
                catchers.iter_mut().for_each(|(_, tail)| self.settle_tail(tail));
                self.settle_tail(otherwise);
            }
            End::Wait { point, on_fault, keeps, .. } => {
                *keeps = self.at_point(*point);
                keeps.extend(self.at_handler(*on_fault));
            }
            End::Goto { .. }
            | End::Done(_)
            | End::Terminate(_)
            | End::Fail { .. }
            | End::FailWith(_)
            | End::Raise { .. } => {}
        }
        let mut live = self.before_end(&tail.end);
        let mut kept = Vec::new();
        for mut op in std::mem::take(&mut tail.ops).into_iter().rev() {
            if is_dead(&op.kind, &live) {
                continue;
            }
            if let OpKind::Assign(values) = &mut op.kind {
                values.retain(|(local, value)| live.contains(local) || value.can_fail());
            }
            op.keeps = live.clone();
            op.kind.sets().iter().for_each(|local| _ = op.keeps.remove(local));
            op.keeps.extend(self.at_handler(op.on_fault));
            self.before_op(&op, &mut live);
            kept.push(op);
        }
        kept.reverse();
        tail.ops = kept;
    }
}

/// Whether an operation changes nothing that anybody would notice.
fn is_dead(kind: &OpKind, live: &Set) -> bool {
    match kind {
        OpKind::Let { local, value } => !live.contains(local) && !value.can_fail(),
        OpKind::Assign(values) => values.iter().all(|(local, value)| !live.contains(local) && !value.can_fail()),
        OpKind::Declare(local) | OpKind::NewRetries(local) => !live.contains(local),
        OpKind::BeginTries { .. } | OpKind::CountCalls { .. } => false,
        OpKind::Enter { .. } | OpKind::Receive(_) | OpKind::Run(_) | OpKind::Locate(_) | OpKind::Inspect { .. } => {
            false
        }
    }
}

impl OpKind {
    /// The locals it sets.
    pub fn sets(&self) -> Vec<LocalId> {
        match self {
            OpKind::Let { local, .. }
            | OpKind::Declare(local)
            | OpKind::NewRetries(local)
            | OpKind::BeginTries { tries: local, .. }
            | OpKind::Receive(local) => vec![*local],
            OpKind::Assign(values) => values.iter().map(|(local, _)| *local).collect(),
            OpKind::Run(run) => run.locals(),
            OpKind::Enter { .. } | OpKind::CountCalls { .. } | OpKind::Locate(_) | OpKind::Inspect { .. } => Vec::new(),
        }
    }

    /// The locals it reads.
    pub fn reads(&self) -> Vec<LocalId> {
        match self {
            OpKind::Enter { input, .. } => vec![*input],
            OpKind::Let { value, .. } | OpKind::Inspect { value, .. } => value.locals(),
            OpKind::Assign(values) => values.iter().flat_map(|(_, value)| value.locals()).collect(),
            OpKind::Run(run) => run.locals(),
            OpKind::CountCalls { tries, .. } => tries.iter().copied().collect(),
            OpKind::Locate(fault) => vec![*fault],
            OpKind::Declare(_) | OpKind::NewRetries(_) | OpKind::BeginTries { .. } | OpKind::Receive(_) => Vec::new(),
        }
    }
}
