//! Jumps out of computations, and the locals that may be read behind them.

use super::visit::Part;
use super::{
    Atom, Computation, CoreArgument, CoreBlock, CoreFunction, CoreLocalId, CoreStatement, ErrorExit, LabelId, TryEnd,
};
use crate::index::IndexVec;
use std::collections::BTreeMap;
use std::ops::Range;

/// For each label, the locals that its block binds. Code that a jump to the label reaches does not
/// read them.
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
        let (mut to, mut within) = (Vec::new(), Vec::new());
        computation.mentions_of_labels(&mut |mention| match mention {
            LabelMention::Jump(label) | LabelMention::Error(label) => to.push(label),
            LabelMention::Block(label) => within.push(label),
        });
        to.into_iter().filter(|label| !within.contains(label)).any(|label| {
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

    /// Enters the block of a label, which binds these locals first.
    fn labelled(&mut self, label: LabelId, items: &[CoreLocalId], block: &CoreBlock) {
        let begin = self.next;
        self.bind(items.iter().copied());
        self.block(block);
        self.inside.insert(label, begin..self.next);
    }

    fn block(&mut self, block: &CoreBlock) {
        for statement in &block.statements {
            statement.computation().into_iter().for_each(|computation| self.computation(computation));
            statement.operand().into_iter().for_each(|atom| self.atom(atom));
            match statement {
                CoreStatement::Let(local, _) => self.bind([*local]),
                CoreStatement::For { label, items, body, .. } => self.labelled(*label, items, body),
                CoreStatement::Loop { label, body } => self.labelled(*label, &[], body),
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
            Computation::Labelled(label, block) => self.labelled(*label, &[], block),
            Computation::Attempt(attempt) => {
                self.labelled(attempt.label, &[], &attempt.body);
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

/// A mention of a label.
#[derive(Debug, Clone, Copy)]
pub enum LabelMention {
    /// A jump to the label.
    Jump(LabelId),
    /// A call whose error goes to the label.
    Error(LabelId),
    /// The block or loop that has the label.
    Block(LabelId),
}

impl CoreBlock {
    /// Calls `found` with each label that a jump in the block names.
    pub fn jumps_of(&self, found: &mut dyn FnMut(LabelId)) {
        self.mentions_of_labels(&mut |mention| {
            if let LabelMention::Jump(label) = mention {
                found(label);
            }
        });
    }

    fn mentions_of_labels(&self, found: &mut dyn FnMut(LabelMention)) {
        for statement in &self.statements {
            match statement {
                CoreStatement::Break(label, _) | CoreStatement::Continue(label) => found(LabelMention::Jump(*label)),
                CoreStatement::For { label, .. } | CoreStatement::Loop { label, .. } => {
                    found(LabelMention::Block(*label));
                }
                _ => {}
            }
            if let Some(computation) = statement.computation() {
                computation.mentions_of_labels(found);
            }
            if let Some(atom) = statement.operand() {
                atom.mentions_of_labels(found);
            }
            if let Some(body) = statement.body() {
                body.mentions_of_labels(found);
            }
        }
        if let Some(value) = &self.value {
            value.mentions_of_labels(found);
        }
    }
}

impl Atom {
    fn mentions_of_labels(&self, found: &mut dyn FnMut(LabelMention)) {
        if let Atom::Inlined(computation) = self {
            computation.mentions_of_labels(found);
        }
    }
}

impl Computation {
    /// Calls `found` with each mention of a label. No jump and no error leaves a closure.
    fn mentions_of_labels(&self, found: &mut dyn FnMut(LabelMention)) {
        match self {
            Computation::Call(call) if call.callee.fails => {
                if let ErrorExit::Attempt(label) = call.on_error {
                    found(LabelMention::Error(label));
                }
            }
            Computation::Labelled(label, _) => found(LabelMention::Block(*label)),
            Computation::Attempt(attempt) => found(LabelMention::Block(attempt.label)),
            _ => {}
        }
        self.parts().into_iter().for_each(|part| match part {
            Part::Operand(atom) => atom.mentions_of_labels(found),
            Part::Inner(inner) => inner.mentions_of_labels(found),
            Part::Block(block) | Part::Closure(block) => block.mentions_of_labels(found),
            Part::Changed(_) => {}
        });
    }
}
