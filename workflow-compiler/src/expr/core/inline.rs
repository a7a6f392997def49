//! Inlining of what is used once, where it is used, so that code reads as expressions.
//!
//! A binding is inlined only if it stands directly before its use, so that the order of evaluation
//! stays as it is: operands are evaluated from left to right, and the last binding is inlined into
//! the last operand that has one. A computation that can jump to code that reads a value is not
//! inlined behind an operand that takes this value.

use super::jumps::LabelScopes;
use super::ownership::{Holds, Ownership};
use super::visit::{Mention, OperandUse, Part, PartMut};
use super::{Atom, Computation, CoreBlock, CoreFunction, CoreLocal, CoreLocalId, CoreStatement};
use crate::index::IndexVec;

/// The most computations inside of each other. Passes, the printer and rustc recurse into them.
const MAX_NESTING: usize = 40;

impl CoreFunction {
    /// Inlines bindings that are used once.
    pub fn inline(&mut self, ownership: &Ownership) {
        let scopes = LabelScopes::of(self);
        Inliner { ownership, locals: &self.locals, scopes }.block(&mut self.body);
    }
}

/// The operands around an inlined computation that are evaluated before it.
#[derive(Debug, Default)]
struct Moved {
    /// The number of computations around it.
    depth: usize,
    /// The locals that the operands move.
    locals: Vec<CoreLocalId>,
}

impl Moved {
    fn inside(&self) -> Moved {
        Moved { depth: self.depth + 1, locals: self.locals.clone() }
    }

    /// Returns `true` if a computation reads something that is moved before, or a reference into
    /// it.
    fn reads(&self, computation: &Computation, ownership: &Ownership) -> bool {
        let is_moved = |local: CoreLocalId| match &ownership.holds[local] {
            Holds::Owned => self.locals.contains(&local),
            Holds::Borrowed(bases) => self.locals.iter().any(|moved| bases.has(*moved)),
        };
        let mut reads = false;
        computation.visit(&mut |mention| reads |= matches!(mention, Mention::Read(local) if is_moved(local)));
        reads
    }
}

struct Inliner<'a> {
    ownership: &'a Ownership,
    locals: &'a IndexVec<CoreLocalId, CoreLocal>,
    scopes: LabelScopes,
}

impl Inliner<'_> {
    fn block(&self, block: &mut CoreBlock) {
        let statements = std::mem::take(&mut block.statements);
        let mut done: Vec<CoreStatement> = Vec::new();
        for mut statement in statements {
            if let Some(body) = statement.body_mut() {
                self.block(body);
            }
            // A reference must not outlive a temporary that it borrows from.
            let lends = matches!(&statement, CoreStatement::Let(local, _) if self.ownership.is_borrowed(*local));
            if let Some(computation) = statement.computation_mut() {
                self.inside(computation);
                self.fill(computation, lends, &mut done, &Moved::default());
            }
            if let Some(atom) = statement.operand_mut() {
                self.fill_atom(atom, false, &mut done, &Moved::default());
            }
            done.push(statement);
        }
        if let Some(value) = &mut block.value {
            self.fill_atom(value, false, &mut done, &Moved::default());
        }
        block.statements = done;
    }

    /// Inlines inside the blocks of a computation.
    fn inside(&self, computation: &mut Computation) {
        for part in computation.parts_mut() {
            match part {
                PartMut::Block(block) | PartMut::Closure(block) => self.block(block),
                PartMut::Inner(inner) => self.inside(inner),
                PartMut::Operand(..) | PartMut::Changed(_) => {}
            }
        }
    }

    /// Inlines the last bindings of `done` into the operands, from the last to the first.
    fn fill(&self, computation: &mut Computation, lends: bool, done: &mut Vec<CoreStatement>, around: &Moved) {
        if let Computation::Atom(atom) = computation {
            if let Some(inlined) = self.take_whole(atom, lends, done) {
                *computation = inlined;
            }
            return;
        }
        if let Computation::IfPresent { of, .. } = computation {
            return self.fill(of, lends, done, around);
        }
        let borrows = matches!(computation, Computation::Call(call) if call.callee.borrows);
        let mut moved = around.inside();
        let mut operands: Vec<(&mut Atom, OperandUse)> = Vec::new();
        for part in computation.parts_mut() {
            if let PartMut::Operand(atom, use_of) = part {
                if let Atom::Last(local) = atom {
                    moved.locals.push(*local);
                }
                operands.push((atom, use_of));
            }
        }
        for (atom, use_of) in operands.into_iter().rev() {
            // The operand itself is not evaluated before what is inlined into it.
            if let Atom::Last(_) = atom {
                moved.locals.pop();
            }
            let lends = lends && borrows && use_of == OperandUse::Read;
            self.fill_atom(atom, lends, done, &moved);
        }
    }

    fn fill_atom(&self, atom: &mut Atom, lends: bool, done: &mut Vec<CoreStatement>, around: &Moved) {
        if let Some(inlined) = self.take(atom, lends, around, done) {
            *atom = Atom::Inlined(Box::new(inlined));
        }
    }

    /// Takes the last binding, if it is that of the atom and can be an operand.
    fn take(&self, atom: &Atom, lends: bool, around: &Moved, done: &mut Vec<CoreStatement>) -> Option<Computation> {
        let Some(CoreStatement::Let(_, computation)) = done.last() else { return None };
        let fits = match computation {
            // As an argument these would be hard to read.
            Computation::If { .. } => around.depth == 0,
            Computation::IfPresent { .. } | Computation::Labelled(..) => false,
            Computation::Attempt(_) | Computation::Try(_) => false,
            _ => true,
        };
        let needs_moved = || {
            !around.locals.is_empty()
                && (around.reads(computation, self.ownership) || self.scopes.reads_behind(computation, &around.locals))
        };
        if !fits || nesting(computation) >= MAX_NESTING || needs_moved() {
            return None;
        }
        self.take_whole(atom, lends, done)
    }

    /// Takes the last binding, if it is that of the atom.
    fn take_whole(&self, atom: &Atom, lends: bool, done: &mut Vec<CoreStatement>) -> Option<Computation> {
        let local = atom.local()?;
        let Some(CoreStatement::Let(bound, _)) = done.last() else { return None };
        let mentions = self.ownership.mentions[local];
        if *bound != local || mentions.reads != 1 || mentions.changes || self.locals[local].is_declared {
            return None;
        }
        if lends && !self.ownership.is_borrowed(local) {
            return None;
        }
        if self.ownership.copied.has(local) {
            return None;
        }
        match done.pop() {
            Some(CoreStatement::Let(_, computation)) => Some(computation),
            _ => None,
        }
    }
}

/// Returns the number of computations inside of each other, without those of inner blocks.
fn nesting(computation: &Computation) -> usize {
    let inside = computation.parts().into_iter().map(|part| match part {
        Part::Operand(Atom::Inlined(inner)) => 1 + nesting(inner),
        Part::Inner(inner) => nesting(inner),
        Part::Operand(_) | Part::Changed(_) | Part::Block(_) | Part::Closure(_) => 0,
    });
    inside.max().unwrap_or(0)
}
