//! Removal of what nothing reads.

use super::visit::{Part, PartMut};
use super::{Atom, Attempt, Computation, CoreBlock, CoreFunction, CoreLocalId, CoreStatement, ErrorExit};
use crate::index::IndexVec;

impl CoreFunction {
    /// Removes computations whose result nothing reads and that have no effect. A call that can
    /// fail stays, without its binding.
    pub fn drop_dead(&mut self) {
        loop {
            let mentions = self.mentions();
            let unread: IndexVec<CoreLocalId, bool> =
                mentions.iter().map(|mention| mention.reads == 0 && !mention.changes).collect();
            if !self.body.drop_dead(&unread) {
                return;
            }
        }
    }
}

impl CoreBlock {
    /// Returns `true` if something was removed.
    fn drop_dead(&mut self, unread: &IndexVec<CoreLocalId, bool>) -> bool {
        let mut removed = false;
        // Nothing is reached after a jump.
        if let Some(jump) = self.statements.iter().position(CoreStatement::jumps)
            && (jump + 1 < self.statements.len() || self.value.is_some())
        {
            self.statements.truncate(jump + 1);
            self.value = None;
            removed = true;
        }
        self.statements.retain_mut(|statement| {
            if let CoreStatement::Let(local, computation) = statement
                && unread[*local]
            {
                if computation.discard_value() {
                    removed = true;
                    *statement = CoreStatement::Do(std::mem::replace(computation, Computation::Maybe(None)));
                } else if computation.is_pure() {
                    removed = true;
                    return false;
                }
            }
            if matches!(statement, CoreStatement::Do(computation) if computation.is_pure()) {
                removed = true;
                return false;
            }
            if let Some(body) = statement.body_mut() {
                removed |= body.drop_dead(unread);
            }
            let blocks = statement.computation_mut().into_iter().flat_map(Computation::parts_mut);
            blocks.for_each(|part| removed |= part.drop_dead(unread));
            true
        });
        removed
    }
}

impl CoreBlock {
    /// Returns `true` if the block has no effect.
    fn is_pure(&self) -> bool {
        self.statements.iter().all(|statement| match statement {
            CoreStatement::Let(_, computation) | CoreStatement::Do(computation) => computation.is_pure(),
            _ => false,
        })
    }
}

impl PartMut<'_> {
    fn drop_dead(self, unread: &IndexVec<CoreLocalId, bool>) -> bool {
        match self {
            PartMut::Block(block) | PartMut::Closure(block) => block.drop_dead(unread),
            PartMut::Inner(inner) => {
                let mut removed = false;
                inner.parts_mut().into_iter().for_each(|part| removed |= part.drop_dead(unread));
                removed
            }
            PartMut::Operand(..) | PartMut::Changed(_) => false,
        }
    }
}

impl CoreStatement {
    /// Returns `true` if the next statement is never reached from this one.
    pub fn jumps(&self) -> bool {
        matches!(self, CoreStatement::Break(..) | CoreStatement::Continue(_))
    }
}

impl Computation {
    /// Returns `true` if the computation has no effect, so that it can be left out.
    pub fn is_pure(&self) -> bool {
        match self {
            Computation::Atom(_)
            | Computation::Not(_)
            | Computation::Array(_)
            | Computation::List(_)
            | Computation::Object(_)
            | Computation::Maybe(_) => true,
            Computation::Call(call) => call.callee.is_pure && !call.callee.fails,
            Computation::Logic { right, .. } => right.is_pure(),
            Computation::If { then, otherwise, .. } => then.is_pure() && otherwise.is_pure(),
            Computation::IfPresent { of, then, otherwise, .. } => of.is_pure() && then.is_pure() && otherwise.is_pure(),
            Computation::Labelled(..) | Computation::Attempt(_) => false,
        }
    }

    /// Drops the value of a computation for its effect. Returns `false` if the computation cannot
    /// be without a value.
    fn discard_value(&mut self) -> bool {
        let blocks = match self {
            Computation::Call(_) => return true,
            Computation::If { then, otherwise, .. } | Computation::IfPresent { then, otherwise, .. } => {
                [then, otherwise]
            }
            Computation::Attempt(attempt) => {
                let Attempt { body, handler, .. } = &mut **attempt;
                [body, handler]
            }
            _ => return false,
        };
        blocks.into_iter().for_each(|block| block.value = None);
        true
    }
}

impl CoreFunction {
    /// Returns `true` if the error of a call leaves the function.
    pub fn fails(&self) -> bool {
        self.body.fails()
    }
}

impl CoreBlock {
    fn fails(&self) -> bool {
        let value = self.value.iter();
        let of_statement = |statement: &CoreStatement| {
            statement.computation().is_some_and(Computation::fails)
                || statement.operand().is_some_and(Atom::fails)
                || statement.body().is_some_and(CoreBlock::fails)
        };
        self.statements.iter().any(of_statement) || value.into_iter().any(Atom::fails)
    }
}

impl Atom {
    fn fails(&self) -> bool {
        matches!(self, Atom::Inlined(computation) if computation.fails())
    }
}

impl Computation {
    /// Returns `true` if an error of the computation leaves the function. Errors in closures are
    /// errors of the function that is called with them.
    fn fails(&self) -> bool {
        let leaves = matches!(self, Computation::Call(call)
            if call.callee.fails && call.on_error == ErrorExit::Return);
        leaves
            || self.parts().into_iter().any(|part| match part {
                Part::Operand(atom) => atom.fails(),
                Part::Inner(inner) => inner.fails(),
                Part::Block(block) => block.fails(),
                Part::Closure(_) | Part::Changed(_) => false,
            })
    }
}
