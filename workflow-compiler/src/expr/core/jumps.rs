//! Jumps out of computations, and the locals that may be read behind them.

use super::visit::Part;
use super::{
    Atom, Computation, CoreArgument, CoreBlock, CoreFunction, CoreLocalId, CoreStatement, ErrorExit, LabelId, TryEnd,
};
use crate::index::IndexVec;
use std::collections::BTreeMap;
use std::ops::Range;

/// The locals inside of each label: those that its block binds. No code behind a jump to the
/// label reads them.
#[derive(Debug)]
pub struct LabelScopes {
    /// The number of bindings before that of each local.
    bound: IndexVec<CoreLocalId, usize>,
    /// The bindings inside the block of each label.
    inside: BTreeMap<LabelId, Range<usize>>,
    /// The number of bindings so far.
    next: usize,
}

impl LabelScopes {
    /// Returns the scopes of a function.
    pub fn of(function: &CoreFunction) -> LabelScopes {
        let bound = IndexVec::filled_like(&function.locals, 0);
        let mut scopes = LabelScopes { bound, inside: BTreeMap::new(), next: 1 };
        scopes.block(&function.body);
        scopes
    }

    /// Returns `true` if a computation can jump to code that may read a local from outside.
    pub fn reads_behind(&self, computation: &Computation, locals: &[CoreLocalId]) -> bool {
        let mut jumps = Jumps::default();
        jumps.computation(computation);
        let leaves = jumps.to.into_iter().filter(|label| !jumps.inside.contains(label));
        leaves.into_iter().any(|label| {
            let inside = self.inside.get(&label).cloned().unwrap_or_default();
            locals.iter().any(|local| !inside.contains(&self.bound[*local]))
        })
    }

    fn bind(&mut self, locals: impl IntoIterator<Item = CoreLocalId>) {
        for local in locals {
            self.bound[local] = self.next;
            self.next += 1;
        }
    }

    fn labelled(&mut self, label: LabelId, block: &CoreBlock) {
        let begin = self.next;
        self.block(block);
        self.inside.insert(label, begin..self.next);
    }

    fn block(&mut self, block: &CoreBlock) {
        for statement in &block.statements {
            statement.computation().into_iter().for_each(|computation| self.computation(computation));
            statement.operand().into_iter().for_each(|atom| self.atom(atom));
            match statement {
                CoreStatement::Let(local, _) => self.bind([*local]),
                CoreStatement::For { label, items, body, .. } => {
                    self.bind(items.iter().copied());
                    self.labelled(*label, body);
                }
                CoreStatement::Loop { label, body } => self.labelled(*label, body),
                _ => {}
            }
        }
        block.value.iter().for_each(|value| self.atom(value));
    }

    fn atom(&mut self, atom: &Atom) {
        if let Atom::Inlined(computation) = atom {
            self.computation(computation);
        }
    }

    fn computation(&mut self, computation: &Computation) {
        match computation {
            Computation::IfPresent { items, of, then, otherwise } => {
                self.computation(of);
                self.bind(items.iter().copied());
                self.block(then);
                self.block(otherwise);
            }
            Computation::Labelled(label, block) => self.labelled(*label, block),
            Computation::Attempt(attempt) => {
                self.labelled(attempt.label, &attempt.body);
                self.bind([attempt.error]);
                self.block(&attempt.handler);
            }
            Computation::Try(inner) => {
                self.block(&inner.body);
                if let TryEnd::Catch(error, _) = &inner.end {
                    self.bind([*error]);
                }
                let (TryEnd::Catch(_, end) | TryEnd::Finally(end)) = &inner.end;
                self.block(end);
            }
            Computation::Call(call) => call.args.iter().for_each(|argument| match argument {
                CoreArgument::Atom(atom) => self.atom(atom),
                CoreArgument::Closure(closure) => {
                    self.bind(closure.captures.iter().map(|(inner, _)| *inner));
                    self.bind(closure.params.iter().copied());
                    self.block(&closure.body);
                }
                _ => {}
            }),
            _ => computation.parts().into_iter().for_each(|part| match part {
                Part::Operand(atom) => self.atom(atom),
                Part::Inner(inner) => self.computation(inner),
                Part::Block(block) | Part::Closure(block) => self.block(block),
                Part::Changed(_) => {}
            }),
        }
    }
}

/// The labels that a computation names. Closures inside have jumps of their own.
#[derive(Debug, Default)]
struct Jumps {
    /// The labels that jumps and errors go to.
    to: Vec<LabelId>,
    /// The labels of the blocks inside.
    inside: Vec<LabelId>,
}

impl Jumps {
    fn block(&mut self, block: &CoreBlock) {
        for statement in &block.statements {
            match statement {
                CoreStatement::Break(label, _) | CoreStatement::Continue(label) => self.to.push(*label),
                CoreStatement::For { label, .. } | CoreStatement::Loop { label, .. } => self.inside.push(*label),
                _ => {}
            }
            statement.computation().into_iter().for_each(|computation| self.computation(computation));
            statement.operand().into_iter().for_each(|atom| self.atom(atom));
            statement.body().into_iter().for_each(|body| self.block(body));
        }
        block.value.iter().for_each(|value| self.atom(value));
    }

    fn atom(&mut self, atom: &Atom) {
        if let Atom::Inlined(computation) = atom {
            self.computation(computation);
        }
    }

    fn computation(&mut self, computation: &Computation) {
        match computation {
            Computation::Call(call) if call.callee.fails => match call.on_error {
                ErrorExit::Attempt(label) => self.to.push(label),
                ErrorExit::Return | ErrorExit::Absent => {}
            },
            Computation::Labelled(label, _) => self.inside.push(*label),
            Computation::Attempt(attempt) => self.inside.push(attempt.label),
            _ => {}
        }
        computation.parts().into_iter().for_each(|part| match part {
            Part::Operand(atom) => self.atom(atom),
            Part::Inner(inner) => self.computation(inner),
            Part::Block(block) => self.block(block),
            Part::Closure(_) | Part::Changed(_) => {}
        });
    }
}
