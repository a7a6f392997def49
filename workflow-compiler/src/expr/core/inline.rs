//! Inlining of what is used once, where it is used, so that code reads as expressions.
//!
//! A binding is inlined only if it stands directly before its use, so that the order of evaluation
//! stays as it is: operands are evaluated from left to right, and the last binding is inlined into
//! the last operand that has one.

use super::ownership::Ownership;
use super::visit::PartMut;
use super::{Atom, Computation, CoreArgument, CoreBlock, CoreFunction, CoreStatement, Takes};

/// The greatest number of calls around an inlined computation.
const MAX_DEPTH: usize = 8;

impl CoreFunction {
    /// Inlines bindings that are used once.
    pub fn inline(&mut self, ownership: &Ownership) {
        Inliner { ownership }.block(&mut self.body);
    }
}

struct Inliner<'a> {
    ownership: &'a Ownership,
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
                self.fill(computation, lends, &mut done, 0);
            }
            if let Some(atom) = statement.operand_mut() {
                self.fill_atom(atom, false, &mut done, 0);
            }
            done.push(statement);
        }
        if let Some(value) = &mut block.value {
            self.fill_atom(value, false, &mut done, 0);
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

    /// Inlines the last bindings of `done` into the operands that are evaluated first.
    fn fill(&self, computation: &mut Computation, lends: bool, done: &mut Vec<CoreStatement>, depth: usize) {
        if let Computation::Atom(atom) = computation
            && let Some(inlined) = self.take(atom, lends, true, done)
        {
            *computation = inlined;
            return self.fill(computation, lends, done, depth);
        }
        let borrows = matches!(computation, Computation::Call(call) if call.callee.borrows);
        if let Computation::IfPresent { of, .. } = computation {
            return self.fill(of, lends, done, depth);
        }
        if let Computation::Call(call) = computation {
            let takes = call.callee.takes;
            for (arg, takes) in call.args.iter_mut().zip(takes).rev() {
                if let CoreArgument::Atom(atom) = arg {
                    let lends = lends && borrows && *takes != Takes::Value;
                    self.fill_atom(atom, lends, done, depth + 1);
                }
            }
            return;
        }
        for part in computation.parts_mut().into_iter().rev() {
            if let PartMut::Operand(atom, _) = part {
                self.fill_atom(atom, false, done, depth + 1);
            }
        }
    }

    fn fill_atom(&self, atom: &mut Atom, lends: bool, done: &mut Vec<CoreStatement>, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        if let Some(mut inlined) = self.take(atom, lends, depth == 0, done) {
            self.fill(&mut inlined, lends, done, depth);
            *atom = Atom::Inlined(Box::new(inlined));
        }
    }

    /// Takes the last binding, if it is that of the atom and can be inlined.
    fn take(&self, atom: &Atom, lends: bool, is_whole: bool, done: &mut Vec<CoreStatement>) -> Option<Computation> {
        let local = atom.local()?;
        let Some(CoreStatement::Let(bound, computation)) = done.last() else { return None };
        let mentions = self.ownership.mentions[local];
        if *bound != local || mentions.reads != 1 || mentions.changes {
            return None;
        }
        if lends && !self.ownership.is_borrowed(local) {
            return None;
        }
        if self.ownership.copied.has(local) {
            return None;
        }
        let is_branching = matches!(
            computation,
            Computation::If { .. }
                | Computation::IfPresent { .. }
                | Computation::Labelled(..)
                | Computation::Attempt(_)
        );
        if is_branching && !is_whole {
            return None;
        }
        match done.pop() {
            Some(CoreStatement::Let(_, computation)) => Some(computation),
            _ => None,
        }
    }
}
