//! Visits of the parts of block bodies.

use super::{BlockBody, BlockId, OnFault, Op, OpKind, ResumePointId, Terminator};
use crate::expr::{Expr, LocalId};

impl BlockBody {
    /// Calls `visit` with this body and the bodies inside it, outer bodies first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a BlockBody)) {
        visit(self);
        self.bodies().into_iter().for_each(|body| body.walk(visit));
    }

    /// Returns the bodies inside this one, in order: those that handle faults of operations, and
    /// those of the terminator.
    pub fn bodies(&self) -> Vec<&BlockBody> {
        let handlers = self.ops.iter().filter_map(|op| match &op.on_fault {
            Some(OnFault::Run(body)) => Some(&**body),
            Some(OnFault::Call(_)) | None => None,
        });
        handlers.chain(self.terminator.bodies()).collect()
    }

    /// Returns the bodies inside this one, in order, for changes.
    pub fn bodies_mut(&mut self) -> Vec<&mut BlockBody> {
        let handlers = self.ops.iter_mut().filter_map(|op| match &mut op.on_fault {
            Some(OnFault::Run(body)) => Some(&mut **body),
            Some(OnFault::Call(_)) | None => None,
        });
        handlers.chain(self.terminator.bodies_mut()).collect()
    }

    /// Returns the local that holds the fault that the body handles, if it handles one.
    pub fn handled_fault(&self) -> Option<LocalId> {
        match self.terminator {
            Terminator::Handle { fault, .. } => Some(fault),
            _ => None,
        }
    }

    /// Calls `visit` with every block that the body refers to.
    pub fn targets_mut(&mut self, visit: &mut dyn FnMut(&mut BlockId)) {
        for op in &mut self.ops {
            if let Some(OnFault::Call(handler)) = &mut op.on_fault {
                visit(handler);
            }
        }
        match &mut self.terminator {
            Terminator::Goto { block, .. } => visit(block),
            Terminator::Wait { on_fault, .. } | Terminator::Choose { on_fault, .. } => {
                on_fault.iter_mut().for_each(&mut *visit);
            }
            Terminator::Raise { handler, .. } => handler.iter_mut().for_each(&mut *visit),
            Terminator::Handle { .. }
            | Terminator::Done(_)
            | Terminator::Terminate(_)
            | Terminator::Fail { .. }
            | Terminator::FailWith(_) => {}
        }
        self.bodies_mut().into_iter().for_each(|body| body.targets_mut(visit));
    }

    /// Calls `visit` with every expression of the body.
    pub fn exprs_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        for op in &mut self.ops {
            match &mut op.kind {
                OpKind::Let { value, .. } | OpKind::Inspect { value, .. } => visit(value),
                OpKind::Assign(values) => values.iter_mut().for_each(|(_, value)| visit(value)),
                OpKind::Enter { .. }
                | OpKind::Alias { .. }
                | OpKind::Declare(_)
                | OpKind::NewRetries(_)
                | OpKind::BeginRetryBlock { .. }
                | OpKind::RenumberCalls { .. }
                | OpKind::Receive(_)
                | OpKind::PassFault { .. }
                | OpKind::Run(_)
                | OpKind::Locate(_) => {}
            }
            if let Some(OnFault::Run(handler)) = &mut op.on_fault {
                handler.exprs_mut(visit);
            }
        }
        match &mut self.terminator {
            Terminator::Wait { command, .. } => command.exprs_mut(visit),
            Terminator::Done(output) | Terminator::Terminate(output) | Terminator::FailWith(output) => visit(output),
            Terminator::Fail { error, cause } => error.iter_mut().chain(cause).for_each(visit),
            Terminator::Choose { arms, otherwise, .. } => {
                for (condition, body) in arms {
                    visit(condition);
                    body.exprs_mut(visit);
                }
                otherwise.exprs_mut(visit);
            }
            Terminator::Handle { catchers, otherwise, .. } => {
                catchers.iter_mut().for_each(|(_, body)| body.exprs_mut(visit));
                otherwise.exprs_mut(visit);
            }
            Terminator::Goto { .. } | Terminator::Raise { .. } => {}
        }
    }

    /// Calls `visit` with every `Goto` of the body.
    pub fn gotos_mut(&mut self, visit: &mut dyn FnMut(BlockId, &mut Option<ResumePointId>)) {
        if let Terminator::Goto { block, bounce } = &mut self.terminator {
            visit(*block, bounce);
        }
        self.bodies_mut().into_iter().for_each(|body| body.gotos_mut(visit));
    }

    /// Returns the blocks that the body may call: by a transition or to handle a fault.
    pub fn calls(&self) -> Vec<BlockId> {
        let mut found = Vec::new();
        self.walk(&mut |body| found.extend(body.successors().map(|(block, _)| block)));
        found
    }

    /// Returns the blocks whose functions the code of this body calls, without those that the
    /// bodies inside it call. The runtime enters the block of a bounce. The resume point passes on
    /// a fault in place of the awaited result.
    pub fn direct_calls(&self) -> impl Iterator<Item = BlockId> {
        self.successors().filter(|(_, is_direct)| *is_direct).map(|(block, _)| block)
    }

    /// Returns the blocks that follow this body, without those that follow the bodies inside it,
    /// and for each whether the code of this body calls its function.
    fn successors(&self) -> impl Iterator<Item = (BlockId, bool)> {
        let at_fault = |op: &Op| op.handler().map(|handler| (handler, !matches!(op.kind, OpKind::Receive(_))));
        let at_end = match &self.terminator {
            Terminator::Goto { block, bounce } => Some((*block, bounce.is_none())),
            Terminator::Wait { on_fault: handler, .. }
            | Terminator::Choose { on_fault: handler, .. }
            | Terminator::Raise { handler, .. } => handler.map(|handler| (handler, true)),
            Terminator::Done(_)
            | Terminator::Terminate(_)
            | Terminator::Fail { .. }
            | Terminator::FailWith(_)
            | Terminator::Handle { .. } => None,
        };
        self.ops.iter().filter_map(at_fault).chain(at_end)
    }
}

impl Op {
    /// Returns the block that handles a fault of the operation, if a block does.
    pub fn handler(&self) -> Option<BlockId> {
        match self.on_fault {
            Some(OnFault::Call(handler)) => Some(handler),
            Some(OnFault::Run(_)) | None => None,
        }
    }
}

impl Terminator {
    /// Returns the bodies inside the terminator, in order.
    pub fn bodies(&self) -> Vec<&BlockBody> {
        match self {
            Terminator::Choose { arms, otherwise, .. } => {
                arms.iter().map(|(_, arm)| arm).chain([&**otherwise]).collect()
            }
            Terminator::Handle { catchers, otherwise, .. } => {
                catchers.iter().map(|(_, catcher)| catcher).chain([&**otherwise]).collect()
            }
            Terminator::Goto { .. }
            | Terminator::Wait { .. }
            | Terminator::Done(_)
            | Terminator::Terminate(_)
            | Terminator::Fail { .. }
            | Terminator::FailWith(_)
            | Terminator::Raise { .. } => Vec::new(),
        }
    }

    /// Returns the bodies inside the terminator, in order, for changes.
    pub fn bodies_mut(&mut self) -> Vec<&mut BlockBody> {
        match self {
            Terminator::Choose { arms, otherwise, .. } => {
                arms.iter_mut().map(|(_, arm)| arm).chain([&mut **otherwise]).collect()
            }
            Terminator::Handle { catchers, otherwise, .. } => {
                catchers.iter_mut().map(|(_, catcher)| catcher).chain([&mut **otherwise]).collect()
            }
            Terminator::Goto { .. }
            | Terminator::Wait { .. }
            | Terminator::Done(_)
            | Terminator::Terminate(_)
            | Terminator::Fail { .. }
            | Terminator::FailWith(_)
            | Terminator::Raise { .. } => Vec::new(),
        }
    }
}
