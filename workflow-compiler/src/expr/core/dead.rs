//! Removal of what nothing reads.

use super::visit::{Mention, Mentions, Part, PartMut};
use super::{Atom, Attempt, Computation, CoreBlock, CoreFunction, CoreLocalId, CoreStatement, ErrorExit};
use crate::index::IndexVec;

impl CoreFunction {
    /// Removes computations whose result nothing reads and that have no effect. A call that can
    /// fail stays, without its binding.
    pub fn drop_dead(&mut self) {
        let mut mentions = self.mentions();
        self.body.drop_dead(&mut mentions);
    }
}

type MentionsOfLocals = IndexVec<CoreLocalId, Mentions>;

impl CoreBlock {
    /// Removes from the last statement to the first, so that one walk suffices: what a removed
    /// statement reads is bound before it.
    fn drop_dead(&mut self, mentions: &mut MentionsOfLocals) {
        // Nothing is reached after a jump.
        if let Some(jump) = self.statements.iter().position(CoreStatement::jumps) {
            let statements = self.statements.split_off(jump + 1);
            CoreBlock { statements, value: self.value.take() }.visit(&mut |mention| release(mention, mentions));
        }
        let mut kept = Vec::new();
        for mut statement in std::mem::take(&mut self.statements).into_iter().rev() {
            if let CoreStatement::Let(local, computation) = &mut statement
                && mentions[*local] == Mentions::default()
                && computation.discard_value(mentions)
            {
                statement = CoreStatement::Do(std::mem::replace(computation, Computation::Maybe(None)));
            }
            if let Some(body) = statement.body_mut() {
                body.drop_dead(mentions);
            }
            let parts = statement.computation_mut().into_iter().flat_map(Computation::parts_mut);
            parts.for_each(|part| part.drop_dead(mentions));
            let is_dead = match &statement {
                CoreStatement::Let(local, computation) => {
                    mentions[*local] == Mentions::default() && computation.is_pure()
                }
                CoreStatement::Do(computation) => computation.is_pure(),
                _ => false,
            };
            match statement.computation() {
                Some(computation) if is_dead => computation.visit(&mut |mention| release(mention, mentions)),
                _ => kept.push(statement),
            }
        }
        kept.reverse();
        self.statements = kept;
    }
}

/// Counts a mention that is removed.
fn release(mention: Mention, mentions: &mut MentionsOfLocals) {
    if let Mention::Read(local) = mention {
        mentions[local].reads -= 1;
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
    fn drop_dead(self, mentions: &mut MentionsOfLocals) {
        match self {
            PartMut::Block(block) | PartMut::Closure(block) => block.drop_dead(mentions),
            PartMut::Inner(inner) => inner.parts_mut().into_iter().rev().for_each(|part| part.drop_dead(mentions)),
            PartMut::Operand(..) | PartMut::Changed(_) => {}
        }
    }
}

impl CoreStatement {
    /// Returns `true` if the next statement is never reached from this one.
    pub fn jumps(&self) -> bool {
        match self {
            CoreStatement::Break(..)
            | CoreStatement::Continue(_)
            | CoreStatement::Return(_)
            | CoreStatement::Fail(_) => true,
            CoreStatement::Do(Computation::If { then, otherwise, .. }) => then.jumps() && otherwise.jumps(),
            _ => false,
        }
    }
}

impl CoreBlock {
    /// Returns `true` if the end of the block is never reached.
    pub fn jumps(&self) -> bool {
        self.value.is_none() && self.statements.last().is_some_and(CoreStatement::jumps)
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
            | Computation::Texts(_)
            | Computation::Object(_)
            | Computation::Maybe(_) => true,
            Computation::Call(call) => call.callee.is_pure && !call.callee.fails,
            Computation::Logic { right, .. } => right.is_pure(),
            Computation::If { then, otherwise, .. } => then.is_pure() && otherwise.is_pure(),
            Computation::IfPresent { of, then, otherwise, .. } => of.is_pure() && then.is_pure() && otherwise.is_pure(),
            Computation::Labelled(..) | Computation::Attempt(_) | Computation::Try(_) => false,
        }
    }

    /// Drops the value of a computation for its effect. Returns `false` if the computation cannot
    /// be without a value.
    fn discard_value(&mut self, mentions: &mut MentionsOfLocals) -> bool {
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
        for block in blocks {
            let value = block.value.take();
            CoreBlock { statements: Vec::new(), value }.visit(&mut |mention| release(mention, mentions));
        }
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
