//! Visits of the parts of block bodies.

use super::{BlockBody, BlockId, OpKind, ResumePointId, Terminator};
use crate::expr::Expr;

impl BlockBody {
    /// Calls `visit` with this body and the bodies inside it, outer bodies first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a BlockBody)) {
        visit(self);
        match &self.terminator {
            Terminator::Choose { arms, otherwise, .. } => {
                arms.iter().for_each(|(_, body)| body.walk(visit));
                otherwise.walk(visit);
            }
            Terminator::Handle { catchers, otherwise, .. } => {
                catchers.iter().for_each(|(_, body)| body.walk(visit));
                otherwise.walk(visit);
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

    /// Calls `visit` with every block that the body refers to.
    pub fn targets_mut(&mut self, visit: &mut dyn FnMut(&mut BlockId)) {
        self.ops.iter_mut().filter_map(|op| op.on_fault.as_mut()).for_each(&mut *visit);
        match &mut self.terminator {
            Terminator::Goto { block, .. } => visit(block),
            Terminator::Wait { on_fault, .. } => on_fault.iter_mut().for_each(visit),
            Terminator::Raise { handler, .. } => handler.iter_mut().for_each(visit),
            Terminator::Choose { arms, otherwise, on_fault } => {
                on_fault.iter_mut().for_each(&mut *visit);
                arms.iter_mut().for_each(|(_, body)| body.targets_mut(visit));
                otherwise.targets_mut(visit);
            }
            Terminator::Handle { catchers, otherwise, .. } => {
                catchers.iter_mut().for_each(|(_, body)| body.targets_mut(visit));
                otherwise.targets_mut(visit);
            }
            Terminator::Done(_) | Terminator::Terminate(_) | Terminator::Fail { .. } | Terminator::FailWith(_) => {}
        }
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
        match &mut self.terminator {
            Terminator::Goto { block, bounce } => visit(*block, bounce),
            Terminator::Choose { arms, otherwise, .. } => {
                arms.iter_mut().for_each(|(_, body)| body.gotos_mut(visit));
                otherwise.gotos_mut(visit);
            }
            Terminator::Handle { catchers, otherwise, .. } => {
                catchers.iter_mut().for_each(|(_, body)| body.gotos_mut(visit));
                otherwise.gotos_mut(visit);
            }
            Terminator::Wait { .. }
            | Terminator::Done(_)
            | Terminator::Terminate(_)
            | Terminator::Fail { .. }
            | Terminator::FailWith(_)
            | Terminator::Raise { .. } => {}
        }
    }

    /// Returns the blocks that the body may call: by a transition or to handle a fault.
    pub fn calls(&self) -> Vec<BlockId> {
        let mut found = Vec::new();
        self.walk(&mut |body| {
            found.extend(body.ops.iter().filter_map(|op| op.on_fault));
            match &body.terminator {
                Terminator::Goto { block, .. } => found.push(*block),
                Terminator::Wait { on_fault, .. } | Terminator::Choose { on_fault, .. } => found.extend(*on_fault),
                Terminator::Raise { handler, .. } => found.extend(*handler),
                Terminator::Done(_)
                | Terminator::Terminate(_)
                | Terminator::Fail { .. }
                | Terminator::FailWith(_)
                | Terminator::Handle { .. } => {}
            }
        });
        found
    }
}
